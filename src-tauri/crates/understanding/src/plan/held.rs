//! What the plan took from the message: the times it uses, the texts it keeps, and the names that are none.

use super::account::{either, is_free, unread};
use super::clause::Unread;
use super::lexicon::State;
use super::misnamed::{
    asks_more, not_of_event, not_of_filter, not_of_task, of_other_kind, only_asks, says_to_another,
    timed_that, two_facts, two_questions, word,
};
use super::model::{Act, Ask, Pron, Request, Sel, Value, Who, Words};
use super::said::{Form, Piece, Said};
use crate::time::Value as Time;
use std::ops::Range;

/// What one request took from its own words: a word that it lost is not excused by another request.
pub(super) struct Kept {
    /// Its pieces.
    pub(super) span: Range<usize>,
    /// States that things have or must not have.
    pub(super) states: Vec<State>,
    /// A state is given to something.
    pub(super) marks: bool,
    /// One of several is chosen, or they are put into order.
    pub(super) picks: bool,
    /// A word that does not choose here: "move it to the same time", "make it last an hour".
    pub(super) spares: Option<&'static str>,
}

impl Kept {
    pub(super) fn of(span: Range<usize>) -> Self {
        Self {
            span,
            states: Vec::new(),
            marks: false,
            picks: false,
            spares: None,
        }
    }
}

/// What the plan took from the message.
pub(super) struct Held<'s, 'a> {
    pub(super) said: &'s Said<'a>,
    /// Indices of time expressions.
    pub(super) used: Vec<usize>,
    /// Bytes that are text of its own.
    pub(super) texts: Vec<(usize, usize)>,
    /// What each request, condition and thing mentioned keeps; the last is the one that is looked at.
    pub(super) kept: Vec<Kept>,
    /// The first name that is none.
    pub(super) wrong: Option<Unread>,
}

impl<'s, 'a> Held<'s, 'a> {
    pub(super) fn new(said: &'s Said<'a>) -> Self {
        Self {
            said,
            used: Vec::new(),
            texts: Vec::new(),
            kept: vec![Kept::of(0..0)],
            wrong: None,
        }
    }

    pub(super) fn keep(&mut self, keeps: impl FnOnce(&mut Kept)) {
        if let Some(kept) = self.kept.last_mut() {
            keeps(kept);
        }
    }

    pub(super) fn request(&mut self, request: &Request) {
        let vals = &request.vals;
        if is_free(request.act) {
            // "Note that I must sign it - make it a task": something else was wished.
            if let Some(body) = vals
                .body
                .as_ref()
                .filter(|_| request.act == Act::CreateNote)
            {
                self.name(body, |rest, _| {
                    word(rest, 0) == "make"
                        && matches!(word(rest, 1), "it" | "that" | "this")
                        && matches!(word(rest, 2), "a" | "an")
                        && matches!(word(rest, 3), "task" | "reminder" | "event" | "todo")
                });
            }
            // "A task for every item", put into a note.
            if let Some(body) = vals
                .body
                .as_ref()
                .filter(|_| request.act == Act::AppendNote)
            {
                self.name(body, of_other_kind);
            }
            for words in [request.sel.about.as_ref(), vals.body.as_ref()]
                .into_iter()
                .flatten()
            {
                self.name(
                    words,
                    if request.act == Act::Recall {
                        two_questions
                    } else {
                        two_facts
                    },
                );
            }
            return;
        }
        // "Delete all", with nothing said of what, takes nothing away.
        let bare = matches!(request.act, Act::Delete | Act::File(_))
            && request.sel.pron.is_none()
            && !request.sel.is_narrowed()
            && self
                .said
                .pieces
                .get(request.span.clone())
                .is_some_and(|pieces| {
                    pieces.iter().skip(1).all(|piece| {
                        piece.form == Form::Mark
                            || matches!(piece.word.as_str(), "all" | "of" | "any" | "every" | "it")
                    })
                });
        if bare
            && self.wrong.is_none()
            && let Some((start, end)) = self.said.span(&request.span)
        {
            self.wrong = Some(unread(self.said, start, end));
        }
        // "Move all but the stand-up from Thursday to Friday": the day was taken for the exception's.
        let mut left = request.sel.except.iter().flat_map(|left| &left.when);
        if let (Act::Move, Some(index), None) = (request.act, left.next(), &self.wrong)
            && request.sel.when.is_empty()
            && let Some(found) = self.said.times.get(*index)
        {
            self.wrong = Some(unread(self.said, found.span.start, found.span.end));
        }
        // "Postpone the tasks about the garden to the weekend": the new time was taken for a name.
        if request.act == Act::Move
            && vals.times.is_empty()
            && vals.shift.is_none()
            && vals.shift_months.is_none()
            && !vals.free_slot
            && vals.place.is_none()
            && vals.beside.is_none()
        {
            for words in [&request.sel.title, &request.sel.about]
                .into_iter()
                .flatten()
            {
                self.name(words, |rest, _| word(rest, 0) == "to");
            }
        }
        if let Some(Value::Words(words)) = &vals.subject {
            self.name(words, |rest, _| matches!(rest[0].form, Form::Quote(_)));
        }
        if let Some(body) = &vals.body {
            self.name(body, only_asks);
            self.name(body, asks_more);
            self.name(body, timed_that);
            self.name(body, says_to_another);
            // "Tell Ana I'll come, but don't send it yet".
            if matches!(
                request.act,
                Act::Send | Act::Reply | Act::ReplyAll | Act::Draft
            ) {
                self.name(body, |rest, _| {
                    word(rest, 0) == "not"
                        && word(rest, 1) == "send"
                        && matches!(word(rest, 2), "it" | "this" | "that" | "yet")
                });
            }
        }
        let marks = matches!(
            request.act,
            Act::MarkRead(_)
                | Act::Star(_)
                | Act::SetPriority
                | Act::Complete
                | Act::Reopen
                | Act::Repeat
        );
        let repeats = vals.times.iter().any(|index| {
            self.said
                .times
                .get(*index)
                .is_some_and(|found| matches!(found.value, Time::Set { .. }))
        });
        let chooses = vals.free_slot
            || matches!(
                request.act,
                Act::Free | Act::IsFree | Act::Query(Ask::Longest | Ask::Shortest | Ask::When)
            );
        self.keep(|kept| {
            kept.states.extend(vals.priority);
            kept.states.extend(repeats.then_some(State::Recurring));
            // A label may be called "urgent"; "to the same time" is what a move to another day does.
            kept.marks |= marks || !vals.details.is_empty();
            kept.spares = match request.act {
                Act::Move => Some("same"),
                Act::Resize => Some("last"),
                // "It should last 40 minutes".
                Act::CreateEvent if vals.minutes.is_some() => Some("last"),
                _ => None,
            };
            kept.picks |= chooses;
        });
        if self.wrong.is_none() {
            self.wrong = either(self.said, request);
        }
        self.sel(&request.sel);
        if let Some(other) = &vals.other {
            self.sel(other);
        }
        for list in [&vals.people, &vals.cc, &vals.bcc] {
            self.people(list);
        }
        // A move by a length takes no other time.
        if !(request.act == Act::Move && (vals.shift.is_some() || vals.shift_months.is_some())) {
            self.used.extend(&vals.times);
        }
        self.used.extend(vals.until);
        if let Some(beside) = &vals.beside {
            self.sel(&beside.of);
        }
        if let Some(before) = &vals.day_before {
            self.used.extend(&before.of);
        }
        for value in [&vals.title, &vals.subject].into_iter().flatten() {
            match value {
                Value::Words(words) => self.texts.extend(words.span),
                Value::TitleOf(sel) => self.sel(sel),
            }
        }
        for words in [&vals.body, &vals.place].into_iter().flatten() {
            self.texts.extend(words.span);
        }
        if let Some(place) = &vals.place {
            self.name(place, |rest, _| {
                matches!(
                    word(rest, 0),
                    "same"
                        | "after"
                        | "before"
                        | "my"
                        | "whenever"
                        | "dinner"
                        | "lunch"
                        | "email"
                        | "mail"
                        | "message"
                        | "it"
                        | "them"
                )
            });
        }
        let title = match &vals.title {
            Some(Value::Words(words)) => Some(words),
            _ => None,
        };
        match request.act {
            Act::CreateEvent => {
                for words in [
                    title,
                    request.sel.title.as_ref(),
                    request.sel.label.as_ref(),
                ]
                .into_iter()
                .flatten()
                {
                    self.name(words, not_of_event);
                }
            }
            Act::CreateTask => {
                if let Some(words) = title {
                    self.name(words, not_of_task);
                }
            }
            _ => {}
        }
    }

    pub(super) fn sel(&mut self, sel: &Sel) {
        self.times_of(sel);
        for words in [&sel.title, &sel.about, &sel.place, &sel.label]
            .into_iter()
            .flatten()
        {
            self.name(words, not_of_filter);
        }
    }

    pub(super) fn times_of(&mut self, sel: &Sel) {
        self.keep(|kept| {
            kept.states.extend(&sel.states);
            kept.states.extend(&sel.not);
            // "My most urgent task" puts them into order.
            kept.marks |= sel.order.is_some();
            kept.picks |= sel.pick.is_some()
                || sel.order.is_some()
                || matches!(sel.pron, Some(Pron::Place(_)));
        });
        self.used.extend(&sel.when);
        self.used.extend(&sel.days);
        self.used.extend(sel.age.map(|(index, _)| index));
        for words in [&sel.title, &sel.about, &sel.place, &sel.label]
            .into_iter()
            .flatten()
        {
            self.texts.extend(words.span);
        }
        for list in [&sel.from, &sel.to, &sel.with] {
            self.people(list);
        }
        for left in &sel.except {
            self.sel(left);
        }
    }

    fn people(&mut self, list: &[Who]) {
        for who in list {
            if let Who::GuestsOf(sel) | Who::SenderOf(sel) = who {
                self.sel(sel);
            }
        }
    }

    /// Looks through a name that was not quoted.
    fn name(&mut self, words: &Words, is_wrong: fn(&[Piece], &Piece) -> bool) {
        let Some((start, end)) = words.span.filter(|_| !words.quoted && self.wrong.is_none())
        else {
            return;
        };
        let inside = |piece: &Piece| start <= piece.span.start && piece.span.end <= end;
        let Some(first) = self.said.pieces.iter().position(inside) else {
            return;
        };
        let mut len = self.said.pieces[first..]
            .iter()
            .take_while(|piece| inside(piece))
            .count();
        // A text that was put together goes on behind its first part.
        let text = words.text.to_lowercase();
        let whole = self.said.source.get(start..end).map(str::to_lowercase);
        if whole.is_some_and(|whole| whole.len() < text.len()) {
            len += self.said.pieces[first + len..]
                .iter()
                .take_while(|piece| {
                    let source = self.said.source.get(piece.span.clone()).unwrap_or("");
                    !piece.ends && text.contains(&source.to_lowercase())
                })
                .count();
        }
        let pieces = &self.said.pieces[first..first + len];
        if (0..len).any(|at| is_wrong(&pieces[at..], &pieces[0])) {
            self.wrong = Some(unread(self.said, start, end));
        }
    }
}
