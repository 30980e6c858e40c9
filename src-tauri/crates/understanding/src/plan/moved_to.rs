//! To when something is moved: a time, a length, a way, the next free slot.

use super::clause::{Parse, Read};
use super::cursor::Cursor;
use super::lexicon::Noun;
use super::model::{Act, Request};
use super::noun::{self};
use super::table::phrases;
use super::value;
use crate::time::Value;

/// The new time, the shift, the new place.
pub(super) fn values<'s, 'a>(
    parse: &Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    request: &mut Request,
    sign: &mut Option<i64>,
) -> Read {
    for _ in 0..8 {
        if cursor.eat(&[
            "at the same time",
            "same time",
            "the same time",
            ", same time",
            ", at the same time",
            "same hour",
            ", same hour",
            "at the same hour",
        ]) {
            continue;
        }
        // "To the same time on Thursday".
        let mut same = *cursor;
        if same.eat(&["to the same time", "to the same hour", "to the same slot"])
            && same.sees_time().is_some()
        {
            *cursor = same;
            continue;
        }
        if let Some(way) = direction(cursor) {
            *sign = Some(way);
            continue;
        }
        if cursor.sees(&["forward"]).is_some() {
            cursor.at += 1;
            if sign.is_none() {
                request.vals.question = Some("forward");
            }
            continue;
        }
        let mut ahead = *cursor;
        ahead.eat_any(phrases!("to be | to | by | until | till | for | it to | at | on | so that it starts | so it starts | \
        to start | to begin | starting | start at | begin at | start | begin"));
        if request.vals.beside.is_none()
            && request.vals.times.is_empty()
            && let Some(beside) = super::beside::read(&mut ahead, false)
        {
            request.vals.beside = Some(beside);
            *cursor = ahead;
            continue;
        }
        if free_slot(&mut ahead) {
            request.vals.free_slot = true;
            while let Some(index) = ahead.time() {
                request.vals.times.push(index);
            }
            *cursor = ahead;
            continue;
        }
        let timed = cursor
            .sees_time()
            .map(|seen| (seen, *cursor))
            .or_else(|| ahead.sees_time().map(|seen| (seen, ahead)));
        if let Some(((index, len), mut at)) = timed
            && let Some(found) = cursor.said.times.get(index)
        {
            at.at += len;
            match &found.value {
                Value::Duration(length) if months(length).is_some() => {
                    request.vals.shift_months = months(length);
                }
                Value::Duration(length) => {
                    let Some(minutes) = noun::minutes(length.seconds) else {
                        return Err(parse.words(cursor));
                    };
                    request.vals.shift = Some(minutes);
                }
                _ => request.vals.times.push(index),
            }
            *cursor = at;
            continue;
        }
        // "… at 11 instead of 10": which hour it is now needs no saying.
        let mut old = *cursor;
        if !request.vals.times.is_empty()
            && old.eat(&["instead of", "rather than", "and not", "not"])
        {
            old.eat(&["at"]);
            let timed = match old.time() {
                Some(index) => {
                    request.sel.when.push(index);
                    true
                }
                None => false,
            };
            if timed
                || old
                    .peek(0)
                    .is_some_and(|piece| piece.form == super::said::Form::Number)
            {
                old.at += usize::from(!timed);
                *cursor = old;
                continue;
            }
        }
        let mut to = *cursor;
        if to.eat(&["to", "into", "in"])
            && request.vals.place.is_none()
            && request.vals.times.is_empty()
            && request.sel.noun == Some(Noun::Event)
            && request.sel.said
            && let Some(words) = value::text(&mut to, &["at", "on"])
            && !is_part_of_day(&words.text)
            // "Turn lunch into a dinner".
            && cursor.sees(&["into a", "into an"]).is_none()
        {
            request.vals.place = Some(words);
            *cursor = to;
            continue;
        }
        break;
    }
    if request.vals.place.is_some()
        && request.vals.times.is_empty()
        && request.vals.shift.is_none()
        && request.vals.shift_months.is_none()
    {
        request.act = Act::Relocate;
    }
    Ok(())
}

/// "Back", "forward", "earlier": which way.
pub(super) fn direction(cursor: &mut Cursor<'_, '_>) -> Option<i64> {
    if cursor.eat_any(phrases!(
        "earlier | sooner | ahead | forwards | to an earlier time | to earlier | up"
    )) {
        return Some(-1);
    }
    if cursor.eat_any(phrases!(
        "later | back | out | to a later time | off | to later"
    )) {
        return Some(1);
    }
    cursor.eat(&["over", "along", "around"]);
    None
}

/// "To the afternoon" is no place.
pub(super) fn is_part_of_day(text: &str) -> bool {
    text.split_whitespace().any(|word| {
        matches!(
            word.to_lowercase().as_str(),
            "morning"
                | "afternoon"
                | "evening"
                | "night"
                | "noon"
                | "day"
                | "week"
                | "month"
                | "time"
                | "slot"
        )
    })
}

/// "The first free slot", "my next available time": the calendar decides.
pub(super) fn free_slot(cursor: &mut Cursor<'_, '_>) -> bool {
    let mut ahead = *cursor;
    ahead.eat_any(phrases!("in | at | for | on | during | to"));
    ahead.eat(&["my", "the", "our", "a"]);
    let first = ahead.eat_any(phrases!(
        "first | next | earliest | soonest | very first | 1st | very next"
    ));
    let free = ahead.eat_any(phrases!("free | available | open | possible | empty"));
    ahead.eat(&["half hour", "30 minute", "one hour"]);
    // "The first time I'm free".
    if first
        && ahead.eat(&[
            "time i am free",
            "time that i am free",
            "time i am available",
            "time i have free",
        ])
    {
        *cursor = ahead;
        return true;
    }
    if let Some((index, len)) = ahead.sees_time()
        && (first || free)
        && ahead
            .said
            .times
            .get(index)
            .is_some_and(|found| matches!(found.value, Value::Duration(_)))
    {
        ahead.at += len;
    }
    let noun = ahead.eat_any(phrases!("slot | time slot | time | opening | gap | window | opportunity | availability | \
        available slot | available time | free slot | spot | moment | half hour | hour | free time | \
        open slot | block"));
    // "The next available 45 minutes".
    let mine = ahead
        .sees(&[
            "i am free",
            "i am available",
            "when i am free",
            "that i am free",
            "i have free",
        ])
        .is_some();
    let length = first
        && (free || mine)
        && ahead
            .at
            .checked_sub(1)
            .and_then(|at| ahead.said.pieces.get(at))
            .is_some_and(|piece| matches!(piece.form, super::said::Form::Time(_)));
    if !(noun && (first || free)) && !length {
        let mut when = *cursor;
        if when.eat_any(phrases!("when i am free | whenever i am free | when i am available | whenever i am available | \
        when i am next free | as soon as i am free | when i have time | wherever there is space | \
        whenever i have time | whenever there is a free slot | as early as possible | \
        as soon as possible | whenever i am first free | when i am first free | when we are both free | \
        as soon as i have time | when i have a free slot | first thing available | \
        as soon as i am available")) {
            *cursor = when;
            return true;
        }
        return false;
    }
    ahead.eat_any(phrases!(
        "i am available | i am next free | i have | in my calendar | available | on my calendar | that i have | that is free | \
        that is available | in my schedule | i have available | i have got | that works | \
        that i am free | i have free | where i am free | i am free | possible"
    ));
    ahead.eat(&["starting", "from", "beginning", "start"]);
    *cursor = ahead;
    true
}

/// The calendar months of a length that is nothing but months and years.
pub(super) fn months(length: &crate::time::Length) -> Option<i64> {
    let span = &length.span;
    let months = i64::from(span.get_months()) + 12 * i64::from(span.get_years());
    let rest = span.get_weeks() != 0
        || span.get_days() != 0
        || span.get_hours() != 0
        || span.get_minutes() != 0
        || span.get_seconds() != 0;
    (months != 0 && !rest).then_some(months)
}
