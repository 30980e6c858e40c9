//! What ought to be otherwise: "my meeting with Kofi needs to be an hour longer", "the call should start at 4", "Kim's mail
//! about the agenda should go to Bob".

use super::clause::Parse;
use super::cursor::Cursor;
use super::filler;
use super::lexicon::Noun;
use super::model::{Act, Det, Request};
use super::noun::{self, Rules};
use super::people::{self, Place};
use super::said::Form;
use super::shift::{direction, values};
use super::table::{Table, phrases};
use crate::time::Value;
use std::sync::LazyLock;

/// Pieces of the thing in front of the verb.
const THING_MAX: usize = 24;

static OUGHT: LazyLock<Table<()>> = LazyLock::new(|| {
    Table::new(&[(
        "needs to | need to | has to | have to | should | must | ought to | is supposed to | will have to | can wait | could wait | has moved | have moved | has been moved | have been moved | was moved | got moved | has been pushed | \
            has been rescheduled | was rescheduled | has changed | is now | are now | \
            can be left",
        (),
    )])
});

/// "Can we do Mara at five instead": her meeting, at another time.
fn rather<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    if !ahead.eat(&["do", "see", "meet", "have", "meet with"]) {
        return false;
    }
    let mut sel = super::model::Sel::of(Noun::Event);
    let mut thing = ahead;
    let rules = Rules {
        to_is_value: true,
        for_is_value: true,
        times_are_values: true,
        ..Rules::default()
    };
    // "Could we do the retro at 3 instead of 2".
    let definite = thing.sees(&["the", "my", "our"]).is_some();
    let event = noun::phrase(&mut thing, Some(Noun::Event), rules)
        .filter(|sel| definite && sel.noun == Some(Noun::Event) && sel.pron.is_none());
    let named = match event {
        Some(found) => {
            sel = found;
            ahead = thing;
            true
        }
        None => {
            sel.with = people::list(&mut ahead, Place::Maybe);
            matches!(
                sel.with.as_slice(),
                [super::model::Who::Named { .. } | super::model::Who::Address(_)]
            )
        }
    };
    let mut request = Request::new(Act::Move, sel);
    let mut sign = None;
    let from = ahead.at;
    if !named
        || values(parse, &mut ahead, &mut request, &mut sign).is_err()
        || request.vals.times.is_empty() && request.vals.shift.is_none()
    {
        return false;
    }
    let told = cursor.said.pieces[from..ahead.at]
        .iter()
        .any(|piece| matches!(piece.word.as_str(), "instead" | "rather"));
    let by = request.vals.shift.is_some() && sign.is_some();
    if !ahead.eat(&["instead of", "rather than", "instead", "rather"]) && !told && !by {
        return false;
    }
    request.vals.shift = request
        .vals
        .shift
        .map(|minutes| minutes * sign.unwrap_or(1));
    // What it is now, which the event itself says.
    let of = cursor.said.pieces[ahead.at - 1].word.as_str();
    if matches!(of, "of" | "than") {
        ahead.eat(&["at", "on"]);
        if ahead
            .peek(0)
            .is_some_and(|piece| piece.form == super::said::Form::Number)
        {
            ahead.at += 1;
        } else if let Some(index) = ahead.time() {
            request.sel.when.push(index);
        } else {
            return false;
        }
    }
    while let Some(index) = ahead.time() {
        request.vals.times.push(index);
    }
    if !filler::only_closers(&ahead) {
        return false;
    }
    parse.push(request);
    *cursor = ahead;
    true
}

/// Reads such a sentence; whether it was one.
pub(super) fn read<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    if rather(parse, cursor) {
        return true;
    }
    let found = (cursor.at + 1..cursor.end.min(cursor.at + THING_MAX)).find(|at| {
        let mut here = *cursor;
        here.at = *at;
        here.sees_any(&OUGHT).is_some() || now_at(&here).is_some()
    });
    let Some(at) = found else {
        return false;
    };
    let mut inner = *cursor;
    inner.end = at;
    // "My 3pm has to start later".
    let mut clock = inner;
    let hour = clock.eat(&["my", "the", "our"]) && clock.sees_time().is_some();
    let Some(sel) = noun::phrase(&mut inner, hour.then_some(Noun::Event), Rules::default()) else {
        return false;
    };
    let definite = matches!(sel.det, Det::The | Det::My | Det::That)
        || !sel.from.is_empty()
        || !sel.with.is_empty()
        || !sel.when.is_empty();
    if inner.at != at || !definite || sel.pron.is_some() {
        return false;
    }
    let mut ahead = Cursor { at, ..*cursor };
    // "The task about the gutters can wait until April".
    let waits = ahead.eat(&[
        "can wait",
        "could wait",
        "should wait",
        "can be left",
        "will have to wait",
        "has to wait",
        "must wait",
    ]);
    // "The lunch with Nadia on Friday has moved to 1pm".
    let moved = ahead.eat(&[
        "has moved",
        "have moved",
        "has been moved",
        "have been moved",
        "was moved",
        "got moved",
        "has been pushed",
        "has been rescheduled",
        "was rescheduled",
        "has changed",
        "is now",
        "are now",
    ]) || now_at(&ahead).is_some_and(|len| {
        ahead.at += len;
        true
    });
    if !waits && !moved {
        ahead.eat_any(&OUGHT);
    }
    let request = match sel.noun {
        Some(Noun::Mail) => {
            if !ahead.eat(&[
                "go to",
                "be sent to",
                "get to",
                "go on to",
                "be passed on to",
            ]) {
                return false;
            }
            let who = people::list(&mut ahead, Place::Sure);
            let mut request = Request::new(Act::Forward, sel);
            request.vals.people = who;
            (!request.vals.people.is_empty()).then_some(request)
        }
        Some(Noun::Event)
            if ahead.eat(&[
                "be called",
                "be named",
                "be titled",
                "be renamed",
                "be renamed to",
                "be renamed as",
            ]) =>
        {
            ahead.eat(&["to", "as"]);
            let words = super::change::rest(&mut ahead);
            let mut request = Request::new(Act::Rename, sel);
            request.vals.title = words.map(super::model::Value::Words);
            request.vals.title.is_some().then_some(request)
        }
        Some(Noun::Event) if moved => {
            let mut request = Request::new(Act::Move, sel);
            let mut sign = None;
            let read = values(parse, &mut ahead, &mut request, &mut sign).is_ok();
            (read && !request.vals.times.is_empty() && request.vals.shift.is_none())
                .then_some(request)
        }
        Some(Noun::Event) => elsewhere(&mut ahead, &sel)
            .or_else(|| timed(parse, &mut ahead, Request::new(Act::Move, sel))),
        Some(Noun::Task) if waits => {
            let mut request = Request::new(Act::Move, sel);
            let mut sign = None;
            (values(parse, &mut ahead, &mut request, &mut sign).is_ok()
                && !request.vals.times.is_empty())
            .then_some(request)
        }
        _ => None,
    };
    let Some(request) = request.filter(|_| filler::only_closers(&ahead) || joint(&ahead)) else {
        return false;
    };
    parse.push(request);
    *cursor = ahead;
    true
}

/// "… is now at 5": how many pieces say that it has changed.
fn now_at(cursor: &Cursor<'_, '_>) -> Option<usize> {
    let is = matches!(cursor.word(0), "is" | "are");
    let Form::Time(index) = cursor.peek(1)?.form else {
        return None;
    };
    let span = cursor.said.times.get(index)?.span.clone();
    let now = cursor
        .said
        .source
        .get(span)
        .is_some_and(|text| text.eq_ignore_ascii_case("now"));
    let timed = cursor
        .peek(2)
        .is_some_and(|next| next.leads.is_some() || matches!(next.form, Form::Time(_)));
    (is && now && timed).then_some(2)
}

fn joint(cursor: &Cursor<'_, '_>) -> bool {
    matches!(cursor.word(0), "and" | ",")
}

/// "The review should be in room 5": another place.
fn elsewhere(cursor: &mut Cursor<'_, '_>, sel: &super::model::Sel) -> Option<Request> {
    let mut ahead = *cursor;
    ahead
        .eat(&[
            "be in",
            "be at",
            "be held in",
            "be held at",
            "take place in",
            "take place at",
            "happen in",
            "happen at",
        ])
        .then_some(())?;
    if ahead.sees_time().is_some()
        || ahead.peek(0).is_some_and(|piece| piece.leads.is_some())
        || cursor.peek(1)?.leads.is_some()
    {
        return None;
    }
    let words = super::value::text(&mut ahead, &["instead", "and"])?;
    ahead.eat(&["instead"]);
    let mut request = Request::new(Act::Relocate, sel.clone());
    request.vals.place = Some(words);
    *cursor = ahead;
    Some(request)
}

/// Another start, or another length.
fn timed<'s, 'a>(
    parse: &Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    mut request: Request,
) -> Option<Request> {
    // "The retro tomorrow should end at 4".
    if cursor.eat(&["end", "finish", "be over", "be finished", "stop"]) {
        let (index, len) = cursor.sees_time()?;
        cursor.said.times.get(index)?.clock?;
        cursor.at += len;
        request.act = Act::Resize;
        request.vals.until = Some(index);
        return Some(request);
    }
    let starts = cursor.eat_any(phrases!(
        "start | begin | be at | be on | take place | happen"
    ));
    let last = !starts && cursor.eat_any(phrases!("last | take | be"));
    if !starts && !last {
        return None;
    }
    if last
        && let Some((index, len)) = cursor.sees_time()
        && let Value::Duration(length) = &cursor.said.times.get(index)?.value
    {
        let minutes = noun::minutes(length.seconds)?;
        cursor.at += len;
        request.act = Act::Resize;
        if cursor.eat(&["longer", "more"]) {
            request.vals.extend = Some(minutes);
        } else if cursor.eat(&["shorter", "less"]) {
            request.vals.extend = Some(-minutes);
        } else if let Some(way) = direction(cursor) {
            request.act = Act::Move;
            request.vals.shift = Some(minutes * way);
        } else {
            cursor.eat(&["long"]);
            request.vals.minutes = Some(minutes);
        }
        return Some(request);
    }
    let mut sign = None;
    values(parse, cursor, &mut request, &mut sign).ok()?;
    request.vals.shift = request
        .vals
        .shift
        .map(|minutes| minutes * sign.unwrap_or(1));
    // "… at 4 instead of 3": which one it is now.
    if cursor.eat(&["instead of", "and not", "not", "rather than"]) {
        cursor.eat(&["at"]);
        match cursor.time() {
            Some(index) => request.sel.when.push(index),
            // A bare hour says nothing that the thing itself does not.
            None if cursor.peek(0)?.form == super::said::Form::Number => cursor.at += 1,
            None => return None,
        }
    }
    (request.vals.shift.is_some() || !request.vals.times.is_empty()).then_some(request)
}
