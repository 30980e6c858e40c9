//! Questions about free time.

use super::ask::{Part, times_into};
use super::clause::{Parse, Unread, Why};
use super::cursor::Cursor;
use super::filler;
use super::lexicon::{Noun, State};
use super::model::{Act, Ask, Pick, Request, Sel, Who};
use super::noun::{self};
use super::people::{self, Place};
use super::table::phrases;
use crate::time::Value;

/// "Am I free on Friday", "when am I free", "find me a free slot of an hour".
pub(super) fn free<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    if cursor.eat(&["am i double booked", "am i overbooked"]) {
        let mut sel = Sel {
            plural: true,
            states: vec![State::Clashing],
            ..Sel::of(Noun::Event)
        };
        times_into(cursor, &mut sel);
        parse.push(Request::new(Act::Query(Ask::Any), sel));
        return Ok(true);
    }
    let mut sel = Sel::of(Noun::Slot);
    let yes_no = cursor.eat_any(phrases!("am i free | am i available | are we free | do i have time | do i have free time | \
        do i have any free time | do i have any time | is my calendar free | is my calendar clear | \
        is my schedule clear | am i open | is my calendar open | am i still free | have i got time | \
        am i clear | is my day free | am i completely free | am i available for a meeting | \
        am i free for a meeting | have i any time | have i got any time | is there time"));
    let mut terse = *cursor;
    let bare = terse.eat(&["free", "available", "busy"]) && terse.sees_time().is_some();
    if bare {
        *cursor = terse;
    }
    let yes_no = yes_no || bare || is_open(cursor, &mut sel);
    let busy = !yes_no
        && cursor.eat_any(phrases!(
            "am i busy | am i booked | am i double booked | am i occupied | am i tied up | \
        is my calendar full"
        ));
    if yes_no || busy {
        let mut purposed = *cursor;
        if purposed.eat(&["for"]) && purposed.sees(&["a", "an", "another"]).is_some() {
            purpose(&mut purposed, &mut sel);
            *cursor = purposed;
        }
        free_rest(parse, cursor, &mut sel);
        parse.push(Request::new(Act::IsFree, sel));
        return Ok(true);
    }
    if cursor.eat_any(phrases!("when am i free | when am i available | when do i have time | when do i have free time | \
        what is my availability | what is the earliest i could meet | what is the earliest i can meet | what is the earliest i am free | what is the earliest time i am free | what is the earliest time i could meet | what is the earliest time i can meet | when is the earliest i could meet | when is the earliest i can meet | when am i next free | when is my next free hour | when is my next free half hour | when is my next free slot | when is my next free moment | when is my next free time | when is my next free window | what is my next free hour | what is my next free half hour | what is my next free slot | what is my next free moment | what is my next free time | what is my next free window | when is my first free hour | when is my first free half hour | when is my first free slot | when is my first free moment | when is my first free time | when is my first free window | when is the next free hour | when is the next free half hour | when is the next free slot | when is the next free moment | when is the next free time | when is the next free window | when are my free slots | \
        what are my free slots | when do i have a free slot | what free slots do i have | \
        what times am i free | what time am i free | at what time am i free | \
        what are my available times | which slots are free | what slots are free | \
        what times are free | where do i have gaps | when is my next free slot | when can i meet | \
        when could i meet | when am i not busy | when do i have an opening | when do i have a gap | \
        what days am i free | which days am i free | when do i have nothing | \
        when is my calendar free | when am i first free | what free time do i have | \
        when might i have time | what open slots do i have | how much free time do i have | \
        when will i be free | when can i schedule | when is the first free slot | \
        what is my first free slot | what is my next free slot | when is my first free slot | \
        when could i fit in | when can i fit in | when can i squeeze in | when could i squeeze in | when do i have room for | \
        when would be a good time for | when is a good time for | when do i have space for | when can i do")) || gap(cursor) {
        purpose(cursor, &mut sel);
        free_rest(parse, cursor, &mut sel);
        let mut request = Request::new(Act::Free, sel);
        lift_minutes(parse, &mut request);
        parse.push(request);
        return Ok(true);
    }
    // Somebody else's calendar is not here.
    let mut other = *cursor;
    if other.eat_any(phrases!("is | are | when is | when are | when will"))
        && let Some(Who::Named { said, .. }) = people::one(&mut other, Place::Maybe)
        && other.eat(&["free", "available", "busy", "be free"])
    {
        return Err(Unread {
            span: parse.said.span(&(cursor.at..cursor.end)),
            why: Why::CanNot(format!(
                "Adjutant sees only your own calendar, so it cannot tell when {said} is free."
            )),
        });
    }
    Ok(false)
}

/// "A two hour session": what the time is for, which says how long.
fn purpose(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) {
    let mut ahead = *cursor;
    if !ahead.eat(&["a", "an", "another"]) {
        return;
    }
    if let Some((index, len)) = ahead.sees_time() {
        sel.when.push(index);
        ahead.at += len;
    }
    let start = ahead.at;
    while ahead.is_content(0) && ahead.at < start + 4 && ahead.sees_time().is_none() {
        ahead.at += 1;
    }
    *cursor = ahead;
}

/// "Is tomorrow at 11 free".
fn is_open(cursor: &mut Cursor<'_, '_>, sel: &mut Sel) -> bool {
    let mut ahead = *cursor;
    if !ahead.eat(&["is", "are"]) {
        return false;
    }
    ahead.eat(&["my", "there anything on", "the"]);
    let Some(index) = ahead.time() else {
        return false;
    };
    ahead.eat(&["still", "slot", "completely"]);
    if !ahead.eat_any(phrases!(
        "open | free | available | clear | taken | still free | still open | unbooked"
    )) {
        return false;
    }
    sel.when.push(index);
    *cursor = ahead;
    true
}

pub(super) fn free_rest<'s, 'a>(
    _parse: &Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    sel: &mut Sel,
) {
    let mut who = *cursor;
    if !people::list(&mut who, Place::Maybe).is_empty() {
        *cursor = who;
    }
    for _ in 0..8 {
        let before = cursor.at;
        times_into(cursor, sel);
        cursor.eat_any(phrases!("to meet | for a meeting | for a call | for lunch | to talk | for coffee | for a chat | \
        for dinner | to catch up | for an appointment | in my calendar | on my calendar | in my day | during my day | still | \
        for a quick call | for a meeting of | of | lasting | long | at all | right now | \
        in my schedule | do i have | have i got | for drinks | to get lunch | for breakfast"));
        let mut with = *cursor;
        if with.eat_any(phrases!("with | to meet with | to meet | to see | for")) {
            let who = people::list(&mut with, Place::Known);
            if !who.is_empty() {
                *cursor = with;
            }
        }
        if cursor.at == before {
            return;
        }
    }
}

/// A length among the times is how long the slot must be.
pub(super) fn lift_minutes(parse: &Parse<'_, '_>, request: &mut Request) {
    let times = &parse.said.times;
    // "In my day tomorrow": of that day.
    let said = |index: &usize| {
        times
            .get(*index)
            .and_then(|found| parse.said.source.get(found.span.clone()))
            .is_some_and(|text| text.eq_ignore_ascii_case("my day"))
    };
    let other = request
        .sel
        .when
        .iter()
        .any(|index| !said(index) && times.get(*index).is_some_and(|found| found.has_day));
    request.sel.when.retain(|index| !(other && said(index)));
    request
        .sel
        .when
        .retain(|index| match times.get(*index).map(|found| &found.value) {
            Some(Value::Duration(length)) => {
                request.vals.minutes = noun::minutes(length.seconds);
                false
            }
            _ => true,
        });
}

/// "Find a slot of an hour with Ana", "find time for a call".
pub(super) fn slots<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    ahead.eat_any(phrases!("a | an | some | my | all | any | the"));
    let mut sel = Sel::of(Noun::Slot);
    let mut request_minutes = None;
    if let Some((index, len)) = ahead.sees_time()
        && let Some(Value::Duration(length)) = ahead.said.times.get(index).map(|found| &found.value)
    {
        request_minutes = noun::minutes(length.seconds);
        ahead.at += len;
        ahead.eat(&["of"]);
    }
    // "Find me an hour on Tuesday".
    let bare = request_minutes.is_some()
        && (ahead.sees_time().is_some()
            || ahead.eat(&["when i am free", "i am free", "that is free", "free"]));
    let from = cursor.at;
    if super::shift::free_slot(cursor) {
        sel.pick = Some(Pick::First(1));
        ahead = *cursor;
        request_minutes = request_minutes.or_else(|| hour(cursor, from..cursor.at));
    } else if !bare && !ahead.eat_any(phrases!("free slots | free slot | open slots | available slots | available times | slots | slot | \
        time slots | time slot | free time | open times | time | availability | openings | opening | \
        gaps | gap | free times | window")) {
        return false;
    }
    ahead.eat(&["in my calendar", "on my calendar", "of"]);
    free_rest(parse, &mut ahead, &mut sel);
    // "… for the report": what the time is for.
    let mut purposed = ahead;
    if purposed.eat(&[
        "for",
        "to work on",
        "to do",
        "to write",
        "to finish",
        "to prepare",
    ]) && super::value::text(&mut purposed, &[]).is_some()
        && filler::only_closers(&purposed)
    {
        ahead = purposed;
    }
    let mut request = Request::new(Act::Free, sel);
    lift_minutes(parse, &mut request);
    request.vals.minutes = request.vals.minutes.or(request_minutes);
    parse.push(request);
    *cursor = ahead;
    true
}

/// "Is there a gap of at least 90 minutes", "find time for a 30 minute chat": looked for among the free times.
fn gap(cursor: &mut Cursor<'_, '_>) -> bool {
    let mut ahead = *cursor;
    let asked = ahead.eat_any(phrases!(
        "is there a | is there any | do i have a | do i have any | have i got a | are there any | can you find a | find me a | find a"
    )) && ahead.eat_any(phrases!(
        "gap of at least | gap of | window of at least | window of | opening of at least | opening of | slot of at least | \
        slot of | hole of | stretch of at least | stretch of | block of at least | block of"
    ));
    let asked = asked
        || ahead.eat_any(phrases!(
            "find time for | find some time for | find me time for | find me some time for | find a time for | find a good time for | \
            look for a time for | suggest a time for | suggest some times for | suggest times for | propose a time for"
        ));
    if asked {
        *cursor = ahead;
    }
    asked
}

/// "The first free hour": how long that is.
pub(super) fn hour(cursor: &Cursor<'_, '_>, said: std::ops::Range<usize>) -> Option<i64> {
    let pieces = cursor.said.pieces.get(said)?;
    let at = pieces.iter().position(|piece| piece.word == "hour")?;
    let half = at > 0 && pieces[at - 1].word == "half";
    Some(if half { 30 } else { 60 })
}
