//! From sentences to requests: what each clause asks for, and what it says about the others.

use super::alter;
use super::command::command_at;
use super::condition;
use super::correct;
use super::cursor::Cursor;
use super::filler::{self, Opener};
use super::joints::SAYING;
use super::lexicon::{Noun, VERBS, Verb};
use super::model::{Act, Cond, Request, Sel, Who};
use super::own_work::{past_question, still_to_come};
use super::said::{Form, Said};
use super::table::phrases;
use super::{ask, statement};
use super::{further, letter, todo};

/// Clauses of one message.
const CLAUSES_MAX: usize = 24;

/// Why a message is not planned.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Unread {
    /// Bytes that were not understood.
    pub span: Option<(usize, usize)>,
    /// What to say about it.
    pub why: Why,
}

/// The reason.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Why {
    /// These words could not be placed.
    Words(String),
    /// What it should be done to is missing or unclear.
    What(&'static str),
    /// There is no tool for it.
    CanNot(String),
    /// Nothing in it was recognised.
    Nothing,
}

/// The result of a clause.
pub(super) type Read = Result<(), Unread>;

/// A message on its way to requests.
pub(super) struct Parse<'s, 'a> {
    /// The message.
    pub said: &'s Said<'a>,
    /// Requests so far.
    pub requests: Vec<Request>,
    /// Conditions so far.
    pub conds: Vec<Cond>,
    /// The condition under which the next requests stand.
    pub cond: Option<(usize, bool)>,
    /// People mentioned, latest last.
    pub people: Vec<Who>,
    /// Things mentioned without asking for anything, latest last.
    pub mentioned: Vec<Sel>,
    /// Somebody a remark spoke of.
    pub remarked: Option<Who>,
    /// Days that a remark spoke of; indices of time expressions.
    pub context: Vec<usize>,
    /// The first request of the clause that is read now.
    pub floor: usize,
    /// The last opener said that the person has to do it.
    pub duty: bool,
    /// The last opener asked ("let me know"), so that a condition alone is the question.
    pub wonders: bool,
    /// What the router thinks the message is about.
    pub domains: &'s [adjutant_domain::route::Domain],
}

impl<'s, 'a> Parse<'s, 'a> {
    /// Reads a whole message.
    pub(super) fn read(
        said: &'s Said<'a>,
        domains: &'s [adjutant_domain::route::Domain],
    ) -> Result<Self, Unread> {
        let mut parse = Self {
            said,
            requests: Vec::new(),
            conds: Vec::new(),
            cond: None,
            people: Vec::new(),
            mentioned: Vec::new(),
            remarked: None,
            context: Vec::new(),
            floor: 0,
            duty: false,
            wonders: false,
            domains,
        };
        let mut start = 0;
        for at in 0..said.pieces.len() {
            let last = at + 1 == said.pieces.len();
            if !(said.pieces[at].ends || last) {
                continue;
            }
            // "I'm meeting Nadia on Friday at 1. Put it in my calendar.": told and asked for in two sentences.
            if !last && super::done::goes_in(said, start, at + 1) {
                continue;
            }
            let range = start..at + 1;
            start = at + 1;
            parse.sentence(Cursor::new(said, range))?;
        }
        Ok(parse)
    }

    fn sentence(&mut self, mut cursor: Cursor<'s, 'a>) -> Read {
        let first_request = self.requests.len();
        let whole = cursor;
        let mut last_clause = self.floor..self.requests.len();
        if filler::only_closers(&cursor) {
            return Ok(());
        }
        for _ in 0..CLAUSES_MAX {
            let before = cursor.at;
            let retracts = correct::retracts(&cursor).filter(|_| !last_clause.is_empty());
            let told = filler::open(&mut cursor);
            self.duty = told == Opener::Duty;
            self.wonders = told == Opener::Wonder
                || cursor
                    .sees(&["check if", "check whether", "see if", "see whether"])
                    .is_some();
            if cursor.is_done() || filler::only_closers(&cursor) {
                return Ok(());
            }
            let at = cursor.at;
            self.floor = self.requests.len();
            if let Err(unread) = self.clause(&mut cursor) {
                return self.goes_on(whole, first_request, unread);
            }
            let span = at..cursor.at;
            let floor = self.floor.min(self.requests.len());
            let told = told == Opener::Duty && self.requests.len() == first_request + 1;
            for made in &mut self.requests[floor..] {
                if told && made.act == Act::Send && made.vals.question.is_none() {
                    made.vals.question = Some("told");
                }
                made.span = span.clone();
                past_question(self.said, made);
                still_to_come(self.said, made);
                if made.cond.is_none() {
                    made.cond = self.cond;
                }
            }
            if let Some(how) = retracts {
                self.take_back(how, last_clause, &whole)?;
            }
            last_clause = self.floor.min(self.requests.len())..self.requests.len();
            further::alternative(self, &mut cursor);
            self.trailing_condition(&mut cursor, first_request)?;
            if statement::reason(&cursor) && self.requests.len() > first_request {
                return Ok(());
            }
            if filler::close(&mut cursor) && cursor.is_done() {
                return Ok(());
            }
            let joint = cursor.eat_any(phrases!("and then | and also | and | then | also | but | plus | after that | as well as | so | or"));
            cursor.skip_marks();
            if !joint && before != cursor.at && !self.may_follow(&cursor) {
                return self.goes_on(whole, first_request, self.words(&cursor));
            }
            if cursor.at == before {
                return Err(self.words(&cursor));
            }
        }
        if cursor.is_done() {
            Ok(())
        } else {
            Err(self.words(&cursor))
        }
    }

    /// Without a joint only a new command, a condition or a question may follow.
    fn may_follow(&self, cursor: &Cursor<'s, 'a>) -> bool {
        command_at(cursor, 0)
            || cursor.sees_in(&VERBS).is_some()
            || cursor.at.checked_sub(1).and_then(|at| self.said.pieces.get(at)).is_some_and(|last| last.form == Form::Mark)
            || cursor.sees_any(phrases!("if | unless | otherwise | else | when | what | who | can you | could you | please | and")).is_some()
    }

    /// A sentence behind an unquoted body that asks for nothing belongs to the body.
    fn goes_on(&mut self, whole: Cursor<'s, 'a>, first: usize, unread: Unread) -> Read {
        if first == self.requests.len()
            && let Some(last) = self.requests.last_mut()
            && matches!(
                last.act,
                Act::Send | Act::Draft | Act::Reply | Act::ReplyAll
            )
            && let Some(body) = last.vals.body.as_mut().filter(|body| !body.quoted)
            && let Some(words) = whole.words(whole.at..whole.end)
        {
            body.text = format!("{} {}", body.text.trim_end(), words.text);
            if let (Some(span), Some(more)) = (body.span.as_mut(), words.span) {
                span.1 = more.1;
            }
            return Ok(());
        }
        Err(unread)
    }

    fn trailing_condition(&mut self, cursor: &mut Cursor<'s, 'a>, first: usize) -> Read {
        let mut ahead = *cursor;
        ahead.skip_marks();
        ahead.eat(&["but", "and", "though"]);
        ahead.eat(&["only"]);
        if ahead.sees(condition::OPENERS).is_none() || first == self.requests.len() {
            return Ok(());
        }
        let Some(cond) = condition::read(self, &mut ahead)? else {
            return Ok(());
        };
        self.conds.push(cond);
        let index = self.conds.len() - 1;
        for made in &mut self.requests[first..] {
            made.cond = Some((index, true));
        }
        *cursor = ahead;
        Ok(())
    }

    /// One clause.
    fn clause(&mut self, cursor: &mut Cursor<'s, 'a>) -> Read {
        if self.branch(cursor)? {
            return Ok(());
        }
        if let Some(cond) = condition::read(self, cursor)? {
            if self.wonders && self.asks_only(cursor, &cond) {
                return Ok(());
            }
            self.conds.push(cond);
            self.cond = Some((self.conds.len() - 1, true));
            let ended = cursor.at;
            cursor.skip_marks();
            cursor.eat(&["then", "please", "then please"]);
            // "If Ana hasn't answered my last mail": words behind it that begin no request belong to it.
            let mut next = *cursor;
            filler::open(&mut next);
            if next.at == ended
                && !next.is_done()
                && next.sees_in(&VERBS).is_none()
                && !command_at(&next, 0)
                && next.sees(&["and", "or", "i", "there"]).is_none()
            {
                return Err(self.words(cursor));
            }
            return if cursor.is_done() {
                Ok(())
            } else {
                self.after_condition(cursor)
            };
        }
        if self.says_more(cursor)?
            || further::affirms(self, cursor)
            || further::leaves_alone(self, cursor)
            || further::otherwise(self, cursor)
            || further::another(self, cursor)
            || further::calls(self, cursor)
            || further::takes_out(self, cursor)
            || further::named_so(self, cursor)
        {
            return Ok(());
        }
        if statement::read(self, cursor)? {
            return Ok(());
        }
        if ask::read(self, cursor)? {
            return Ok(());
        }
        if todo::list_form(self, cursor)? {
            return Ok(());
        }
        if alter::repeat(self, cursor) {
            return Ok(());
        }
        let start = *cursor;
        if (self.duty && self.own_work(cursor) || self.has_deadline(cursor))
            && todo::duty(self, cursor).is_ok()
        {
            return Ok(());
        }
        *cursor = start;
        if let Some((verb, len)) = cursor.sees_in(&VERBS)
            && !self.noun_is_meant(cursor, verb, len)
        {
            cursor.at += len;
            let read = self.verb(cursor, verb);
            if read.is_ok() {
                return Ok(());
            }
            // The word may be a noun after all ("call at 5 with Ana", "notes").
            let mut again = start;
            if self.bare(&mut again).is_ok() && filler::only_closers(&again) {
                *cursor = again;
                return Ok(());
            }
            self.undo_bare();
            // "I've got to send the deposit by Wednesday": work of the person's own.
            let mut own = start;
            let outside = matches!(
                verb,
                Verb::Send
                    | Verb::Mail
                    | Verb::Draft
                    | Verb::Read
                    | Verb::Find
                    | Verb::Book
                    | Verb::Ask
                    | Verb::Tell
                    | Verb::Create
            );
            let since = self.requests.len();
            if self.duty
                && outside
                && todo::duty(self, &mut own).is_ok()
                && self.requests[since..]
                    .iter()
                    .all(|made| !made.vals.times.is_empty())
            {
                *cursor = own;
                return Ok(());
            }
            self.requests.truncate(since);
            return read;
        }
        if self.amendment(cursor)? {
            return Ok(());
        }
        if self.duty && todo::duty(self, cursor).is_ok() {
            return Ok(());
        }
        self.bare(cursor)
    }

    pub(super) fn after_condition(&mut self, cursor: &mut Cursor<'s, 'a>) -> Read {
        filler::open(cursor);
        if cursor.is_done() {
            return Ok(());
        }
        self.clause(cursor)
    }

    fn undo_bare(&mut self) {
        if self
            .requests
            .last()
            .is_some_and(|last| last.span == (usize::MAX..usize::MAX))
        {
            self.requests.pop();
        }
    }

    /// "… and tell them 'X'": what the mail just asked for shall say.
    fn says_more(&mut self, cursor: &mut Cursor<'s, 'a>) -> Result<bool, Unread> {
        let open = self.requests.last().is_some_and(|last| {
            matches!(
                last.act,
                Act::Send | Act::Draft | Act::Reply | Act::ReplyAll
            ) && last.vals.body.is_none()
        });
        let asks = cursor.sees(&["asking", "and ask for"]).is_some();
        if open && (asks || cursor.sees_any(&SAYING).is_some()) {
            letter::more(self, cursor)
        } else {
            Ok(false)
        }
    }

    /// The words from here to the end of the sentence could not be placed.
    pub(super) fn words(&self, cursor: &Cursor<'s, 'a>) -> Unread {
        let range = cursor.at..cursor.end;
        Unread {
            span: self.said.span(&range),
            why: cursor
                .words(range)
                .map_or(Why::Nothing, |words| Why::Words(words.text)),
        }
    }

    /// Adds a request.
    pub(super) fn push(&mut self, mut request: Request) {
        // "If Kofi mailed me, forward his last mail to Nadia": of the one spoken of before, and not of whom it goes to.
        if request.vals.people.iter().any(is_name) {
            for list in [&mut request.sel.from, &mut request.sel.with] {
                condition::resolve_they(self, list);
            }
        }
        self.people.extend(
            request
                .vals
                .people
                .iter()
                .filter(|who| is_name(who))
                .cloned(),
        );
        for list in [&request.sel.from, &request.sel.with, &request.sel.to] {
            self.people
                .extend(list.iter().filter(|who| is_name(who)).cloned());
        }
        self.requests.push(request);
    }

    /// What "it" and "them" mean inside the message: the thing mentioned last.
    pub(super) fn antecedent(&self, noun: Option<Noun>) -> Option<Sel> {
        let fits = |sel: &&Sel| {
            noun.is_none_or(|noun| noun == Noun::Any || sel.noun == Some(noun))
                && sel.pron.is_none()
        };
        self.mentioned.iter().rev().find(fits).cloned()
    }
}

/// Whether this is somebody by name or address.
pub(super) fn is_name(who: &Who) -> bool {
    matches!(who, Who::Named { .. } | Who::Address(_))
}
