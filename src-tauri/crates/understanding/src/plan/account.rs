//! What is planned, held against what was said: no time is left aside, and no name holds words that narrow or join.
//!
//! A grammar that reads names freely takes words for a name that were meant to narrow it ("the meetings after 2"). What
//! such a plan does is not what was asked for, so it is refused with the words in question.

use std::ops::Range;

use super::clause::{Parse, Unread, Why};
use super::lexicon::{STATES, State};
use super::misnamed::{
    asks_more, not_of_event, not_of_filter, not_of_task, of_other_kind, only_asks, two_facts,
    two_questions, word,
};
use super::model::{Act, Ask, Pron, Request, Sel, Test, Value, Who, Words};
use super::said::{Form, Piece, Said};
use crate::time::Value as Time;

/// The first words of a message that its plan leaves aside or takes for something they are not.
pub(super) fn misplaced(parse: &Parse<'_, '_>) -> Option<Unread> {
    let mut held = Held::new(parse.said);
    for request in &parse.requests {
        held.kept.push(Kept::of(request.span.clone()));
        held.request(request);
    }
    for cond in &parse.conds {
        // The words of a condition are looked through with it; they excuse none elsewhere.
        held.kept.push(Kept::of(match cond.span {
            Some(_) => 0..0,
            None => 0..parse.said.pieces.len(),
        }));
        held.sel(&cond.sel);
        if let Test::Like(sel, _) = &cond.test {
            held.sel(sel);
        }
    }
    held.used.extend(&parse.context);
    for sel in &parse.mentioned {
        held.kept.push(Kept::of(sel.span.clone()));
        held.times_of(sel);
    }
    held.wrong
        .take()
        .or_else(|| forgotten_time(parse, &held.used, &held.texts))
        .or_else(|| forgotten_word(parse, &held))
}

/// A time that nothing in the plan hangs on.
fn forgotten_time(
    parse: &Parse<'_, '_>,
    used: &[usize],
    texts: &[(usize, usize)],
) -> Option<Unread> {
    let said = parse.said;
    let piece = said.pieces.iter().enumerate().find(|(at, piece)| {
        let Form::Time(index) = piece.form else {
            return false;
        };
        let length = said
            .times
            .get(index)
            .is_none_or(|found| matches!(found.value, Time::Duration(_)));
        // "If it was over a week ago": read as a length already.
        let counted = parse.conds.iter().any(|cond| {
            cond.within_minutes.is_some()
                && cond
                    .span
                    .is_some_and(|(start, end)| start <= piece.span.start && piece.span.end <= end)
        });
        // What a remark says asks for nothing.
        let asked = parse
            .requests
            .iter()
            .any(|request| request.span.contains(at) && !is_free(request.act))
            || parse.conds.iter().any(|cond| {
                cond.within_minutes.is_none()
                    && cond.span.is_some_and(|(start, end)| {
                        start <= piece.span.start && piece.span.end <= end
                    })
            });
        // "When does my day start tomorrow" names the day by tomorrow.
        let day = said.source.get(piece.span.clone()).is_some_and(|text| {
            // "The call is now at 5" is nothing but a change.
            text.eq_ignore_ascii_case("my day") || text.eq_ignore_ascii_case("now")
        });
        !length
            && !counted
            && !day
            && asked
            && !used.contains(&index)
            && !texts
                .iter()
                .any(|(start, end)| *start <= piece.span.start && piece.span.end <= *end)
    });
    piece.map(|(_, piece)| unread(said, piece.span.start, piece.span.end))
}

/// A word that narrows or chooses, and did neither.
fn forgotten_word(parse: &Parse<'_, '_>, held: &Held<'_, '_>) -> Option<Unread> {
    let said = parse.said;
    let found = (0..said.pieces.len()).find_map(|at| {
        let piece = &said.pieces[at];
        // "Whenever Bob has mailed, reply": it was to be done each time, or only then.
        let whenever = piece.word == "whenever"
            && said.pieces.get(at + 1).is_some_and(|next| {
                !matches!(
                    next.word.as_str(),
                    "you"
                        | "possible"
                        | "convenient"
                        | "it"
                        | "that"
                        | "is"
                        | "works"
                        | "suits"
                        | "i"
                        | "we"
                )
            });
        if whenever && parse.requests.iter().any(|request| !is_free(request.act)) {
            return Some(piece);
        }
        let asked = parse.requests.iter().any(|request| {
            request.span.contains(&at)
                && !is_free(request.act)
                && request
                    .vals
                    .body
                    .as_ref()
                    .is_none_or(|body| body.span.is_some())
        });
        let texted = held
            .texts
            .iter()
            .any(|(start, end)| *start <= piece.span.start && piece.span.end <= *end);
        let conditional = parse.conds.iter().any(|cond| {
            cond.span
                .is_some_and(|(start, end)| start <= piece.span.start && piece.span.end <= end)
        });
        if !asked || texted || conditional || !piece.is_plain() || piece.leads.is_some() {
            return None;
        }
        let kept = |keeps: &dyn Fn(&Kept) -> bool| {
            held.kept
                .iter()
                .any(|kept| kept.span.contains(&at) && keeps(kept))
        };
        let state = STATES.at(&said.pieces, at).is_some_and(|(state, _)| {
            narrows(state) && !kept(&|kept| kept.marks || kept.states.contains(&state))
        });
        let pick = !kept(&|kept| kept.picks || kept.spares == Some(piece.word.as_str()))
            && matches!(
                piece.word.as_str(),
                "first"
                    | "second"
                    | "third"
                    | "fourth"
                    | "fifth"
                    | "last"
                    | "latest"
                    | "next"
                    | "newest"
                    | "oldest"
                    | "earliest"
                    | "longest"
                    | "shortest"
                    | "same"
            );
        // "First thing tomorrow" is when.
        let early = piece.word == "first"
            && said
                .pieces
                .get(at + 1)
                .is_some_and(|next| next.word == "thing");
        (state || pick && !early).then_some(piece)
    });
    found.map(|piece| unread(said, piece.span.start, piece.span.end))
}

/// Whether a state is always said to tell things apart.
fn narrows(state: State) -> bool {
    matches!(
        state,
        State::Unread
            | State::Starred
            | State::Overdue
            | State::High
            | State::Low
            | State::Medium
            | State::Recurring
            | State::Attachment
            | State::Unanswered
            | State::Archived
            | State::Clashing
            | State::Undated
    )
}

/// Whether a request keeps words of its own as they are.
fn is_free(act: Act) -> bool {
    matches!(
        act,
        Act::Store
            | Act::Recall
            | Act::Forget
            | Act::CreateContact
            | Act::UpdateContact
            | Act::Compute
            | Act::CreateNote
            | Act::AppendNote
            | Act::AddNotes
            | Act::Describe
            | Act::SearchFiles
    )
}

/// "Mail Ana or Bob": which of them was left open, and nothing goes to both.
fn either(said: &Said<'_>, request: &Request) -> Option<Unread> {
    let people = &request.vals.people;
    if people.len() < 2 || matches!(request.act, Act::Query(_)) {
        return None;
    }
    let names = |piece: &Piece| {
        people.iter().any(|who| match who {
            Who::Named { said, .. } => said
                .split_whitespace()
                .any(|word| word.to_lowercase() == piece.word),
            Who::Address(address) => piece.form == Form::Address && *address == piece.word,
            _ => false,
        })
    };
    let at = request.span.clone().find(|at| {
        said.pieces[*at].word == "or"
            && at
                .checked_sub(1)
                .is_some_and(|last| names(&said.pieces[last]))
            && said.pieces.get(at + 1).is_some_and(names)
    })?;
    let (start, end) = said.span(&(at - 1..at + 2))?;
    Some(unread(said, start, end))
}

fn unread(said: &Said<'_>, start: usize, end: usize) -> Unread {
    Unread {
        span: Some((start, end)),
        why: Why::Words(said.source.get(start..end).unwrap_or("").to_owned()),
    }
}

/// What one request took from its own words: a word that it lost is not excused by another request.
struct Kept {
    /// Its pieces.
    span: Range<usize>,
    /// States that things have or must not have.
    states: Vec<State>,
    /// A state is given to something.
    marks: bool,
    /// One of several is chosen, or they are put into order.
    picks: bool,
    /// A word that does not choose here: "move it to the same time", "make it last an hour".
    spares: Option<&'static str>,
}

impl Kept {
    fn of(span: Range<usize>) -> Self {
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
struct Held<'s, 'a> {
    said: &'s Said<'a>,
    /// Indices of time expressions.
    used: Vec<usize>,
    /// Bytes that are text of its own.
    texts: Vec<(usize, usize)>,
    /// What each request, condition and thing mentioned keeps; the last is the one that is looked at.
    kept: Vec<Kept>,
    /// The first name that is none.
    wrong: Option<Unread>,
}

impl<'s, 'a> Held<'s, 'a> {
    fn new(said: &'s Said<'a>) -> Self {
        Self {
            said,
            used: Vec::new(),
            texts: Vec::new(),
            kept: vec![Kept::of(0..0)],
            wrong: None,
        }
    }

    fn keep(&mut self, keeps: impl FnOnce(&mut Kept)) {
        if let Some(kept) = self.kept.last_mut() {
            keeps(kept);
        }
    }

    fn request(&mut self, request: &Request) {
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

    fn sel(&mut self, sel: &Sel) {
        self.times_of(sel);
        for words in [&sel.title, &sel.about, &sel.place, &sel.label]
            .into_iter()
            .flatten()
        {
            self.name(words, not_of_filter);
        }
    }

    fn times_of(&mut self, sel: &Sel) {
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
