//! A request with a change worked in: "yes, but at 4", "Friday instead", "send it to Ana instead", "and tomorrow?".
//!
//! The change is put into the words of the request, so that planning the result is planning any request, and a person can
//! read what was made of it.

use super::joints::{SAYING, TITLED};
use super::table::phrases;
use super::value;
use std::ops::Range;

use adjutant_domain::reading::Utterance;
use jiff::civil::Date;

use super::cursor::Cursor;
use super::filler;
use super::lexicon::VERBS;
use super::people::{self, Place};
use super::read;
use super::said::{Form, Said};
use crate::time::{Found, Relation, Value};

/// Parts of one change.
const PARTS_MAX: usize = 6;

/// One change.
#[derive(Clone, Debug, PartialEq)]
enum Change {
    /// Another time; index of a time expression of the reply.
    Time(usize),
    /// Another length; index of a time expression of the reply.
    Length(usize),
    /// Other people, as said, and whether they come on top.
    People(String, bool),
    /// A sentence that follows the request ("Title it …", "Say …").
    More(String),
}

/// The request with the change of `reply` worked in, if the whole reply is a change to it.
pub(crate) fn changed(request: &str, reply: &str, utterance: &Utterance<'_>) -> Option<String> {
    let said = read(reply, utterance);
    let (changes, told) = changes(&said)?;
    let mut text = request.trim().to_owned();
    let before = text.clone();
    for change in changes {
        text = apply(&text, &change, &said, utterance)?;
    }
    (told && text != before).then_some(text)
}

/// Reads a reply as changes; whether it says in words that it is one.
fn changes(said: &Said<'_>) -> Option<(Vec<Change>, bool)> {
    let mut cursor = Cursor::new(said, 0..said.pieces.len());
    let mut out = Vec::new();
    for _ in 0..PARTS_MAX {
        let start = cursor.at;
        cursor.skip_marks();
        while cursor.eat_any(phrases!("yes | no | ok | okay | sure | yeah | yep | nope | but | actually | wait | sorry | please | \
        make it | make that | i meant | i mean | i meant to say | change it to | change that to | \
        change | let us do | let us make it | how about | what about | rather | instead | only | and | \
        can you | could you | do it | do that | try | it should be | that should be | move it | \
        set it | send it | send that | put it | schedule it | book it | forward it | have it | well | \
        hmm | oh | then | so | also | go ahead | just | that is fine | looks good | fine | great | \
        good | could we | can we | change the time | change the day | change the date | the time | it | \
        do | hold on | use | i said | not | on second thought | or | approve | approved | better | \
        say it is | starting")) {
            cursor.skip_marks();
        }
        if cursor.is_done() || filler::only_closers(&cursor) {
            break;
        }
        let change = one(&mut cursor)?;
        out.push(change);
        if cursor.at == start {
            return None;
        }
    }
    let rest = cursor.is_done() || filler::only_closers(&cursor);
    (rest && !out.is_empty()).then_some((out, true))
}

fn one(cursor: &mut Cursor<'_, '_>) -> Option<Change> {
    if cursor.eat_any(phrases!(
        "the subject should be | change the subject to | the subject to | the title should be | \
        the title to | title it | call it | name it | subject"
    )) || cursor.eat_any(&TITLED)
    {
        cursor.eat(&["to", "as", "should be"]);
        cursor.skip_marks();
        let words = value::text(cursor, &[])?;
        return Some(Change::More(format!("Title it “{}”", words.text)));
    }
    if cursor.eat_any(phrases!("the body should be | the text should be | the text to | the message to | the body to | write | \
        it to say | tell them | tell him | tell her")) || cursor.eat_any(&SAYING) {
        cursor.eat(&["that"]);
        cursor.skip_marks();
        let words = cursor.quote().or_else(|| super::change::rest(cursor))?;
        cursor.eat(&["instead"]);
        return Some(Change::More(format!("Say “{}”", words.text)));
    }
    if let Some((index, len)) = cursor.sees_time() {
        cursor.at += len;
        cursor.eat(&["long", "instead"]);
        let length = matches!(cursor.said.times.get(index)?.value, Value::Duration(_));
        return Some(if length {
            Change::Length(index)
        } else {
            Change::Time(index)
        });
    }
    let add = cursor.eat_any(phrases!(
        "add | invite | include | cc | plus | together with | as well as"
    ));
    let led = cursor.eat(&["to", "with", "for", "from"]);
    let start = cursor.at;
    let who = people::list(
        cursor,
        if led || add {
            Place::Sure
        } else {
            Place::Maybe
        },
    );
    if who.is_empty() {
        return None;
    }
    let said = cursor.words(start..cursor.at)?;
    let too = cursor.eat(&["too", "as well", "also"]);
    Some(Change::People(said.text, add || too))
}

fn apply(
    text: &str,
    change: &Change,
    reply: &Said<'_>,
    utterance: &Utterance<'_>,
) -> Option<String> {
    let request = Said::read(text, utterance);
    match change {
        Change::Time(index) => time(&request, reply.times.get(*index)?, reply),
        Change::Length(index) => {
            let new = reply.source.get(reply.times.get(*index)?.span.clone())?;
            let old = request
                .times
                .iter()
                .find(|found| matches!(found.value, Value::Duration(_)));
            Some(match old {
                Some(old) => replace(text, &old.span, new.strip_prefix("for ").unwrap_or(new)),
                None => append(
                    text,
                    &format!("for {}", new.strip_prefix("for ").unwrap_or(new)),
                ),
            })
        }
        Change::People(said, true) => {
            let span = people_span(&request)?;
            Some(format!(
                "{} and {said}{}",
                text.get(..span.end)?,
                text.get(span.end..)?
            ))
        }
        Change::People(said, false) => {
            let span = people_span(&request)?;
            Some(replace(text, &span, said))
        }
        Change::More(sentence) => Some(format!(
            "{}. {sentence}",
            text.trim_end_matches(['.', '!', '?', ' '])
        )),
    }
}

/// Puts another time in the place of the old one, keeping what was not said anew.
fn time(request: &Said<'_>, new: &Found, reply: &Said<'_>) -> Option<String> {
    let text = request.source;
    let words = reply.source.get(new.span.clone())?;
    let candidates: Vec<&Found> = request
        .times
        .iter()
        .filter(|found| !matches!(found.value, Value::Duration(_)))
        .collect();
    // The new time of a move is what a change changes; else what was said last.
    let of = |fits: &dyn Fn(&&&Found) -> bool| {
        candidates
            .iter()
            .filter(fits)
            .max_by_key(|found| (found.relation == Relation::To, found.span.start))
            .copied()
    };
    let clock_only = new.clock.is_some() && !new.has_day;
    let day_only = new.clock.is_none() && new.has_day;
    let old = if clock_only {
        of(&|found| found.clock.is_some()).or_else(|| of(&|_| true))
    } else if day_only {
        of(&|found| found.has_day).or_else(|| of(&|_| true))
    } else {
        of(&|_| true)
    };
    let Some(old) = old else {
        let lead = lead(new);
        let lead = if has_move(request) { "to" } else { lead };
        return Some(append(text, format!("{lead} {words}").trim()));
    };
    let whole = old.cut();
    let to = if old.relation == Relation::To {
        "to "
    } else {
        ""
    };
    Some(match (clock_only, day_only, old.has_day, old.clock) {
        (true, _, true, Some(_)) => replace(
            text,
            &whole,
            &format!(
                "{to}{} at {words}",
                day_of(old).map(|day| format!(
                    "{}{}",
                    if to.is_empty() { "on " } else { "" },
                    day_text(day)
                ))?
            ),
        ),
        (true, _, true, None) => {
            let end = whole.end;
            format!("{} at {words}{}", text.get(..end)?, text.get(end..)?)
        }
        (_, true, _, Some(clock)) => {
            let lead = if to.is_empty() { lead(new) } else { "to" };
            replace(
                text,
                &whole,
                format!("{lead} {words} at {}", clock.strftime("%H:%M")).trim(),
            )
        }
        _ => {
            let lead = if to.is_empty() { lead(new) } else { "to" };
            replace(text, &whole, format!("{lead} {words}").trim())
        }
    })
}

fn has_move(request: &Said<'_>) -> bool {
    (0..request.pieces.len().min(12)).any(|at| {
        matches!(
            VERBS.at(&request.pieces, at),
            Some((
                super::lexicon::Verb::Move
                    | super::lexicon::Verb::Delay
                    | super::lexicon::Verb::Advance,
                _
            ))
        )
    })
}

fn lead(found: &Found) -> &'static str {
    match (&found.value, found.clock, found.relation) {
        (_, _, Relation::By) => "by",
        (_, _, Relation::After) => "after",
        (_, _, Relation::Before) => "before",
        (Value::Set { .. }, ..) => "",
        (_, Some(_), _) if !found.has_day => "at",
        (Value::Date(_), None, Relation::At | Relation::To | Relation::For) => "",
        _ => "",
    }
}

fn day_of(found: &Found) -> Option<Date> {
    match &found.value {
        Value::Instant(at) => Some(at.date()),
        Value::Date(day) => Some(*day),
        Value::Interval { start, .. } => Some(start.date()),
        _ => None,
    }
}

fn day_text(day: Date) -> String {
    day.strftime("%-d %B %Y").to_string()
}

/// The last people named behind "to", "with" or a verb that takes them.
fn people_span(request: &Said<'_>) -> Option<Range<usize>> {
    let mut found = None;
    let mut at = 0;
    while at < request.pieces.len() {
        let piece = &request.pieces[at];
        let led = piece.form == Form::Word
            && matches!(
                piece.word.as_str(),
                "to" | "with"
                    | "email"
                    | "tell"
                    | "ask"
                    | "mail"
                    | "message"
                    | "send"
                    | "invite"
                    | "from"
                    | "and"
            );
        let mut cursor = Cursor::new(request, at + 1..request.pieces.len());
        if led {
            let who = people::list(&mut cursor, Place::Maybe);
            if !who.is_empty() && cursor.at > at + 1 {
                let (start, end) = request.span(&(at + 1..cursor.at))?;
                found = Some(start..end);
                at = cursor.at;
                continue;
            }
        }
        at += 1;
    }
    found
}

fn replace(text: &str, span: &Range<usize>, with: &str) -> String {
    format!(
        "{}{with}{}",
        text.get(..span.start).unwrap_or(""),
        text.get(span.end..).unwrap_or("")
    )
}

fn append(text: &str, more: &str) -> String {
    let trimmed = text.trim_end_matches(['.', '!', '?', ' ']);
    format!(
        "{trimmed} {more}{}",
        text.get(trimmed.len()..).unwrap_or("").trim_end()
    )
}
