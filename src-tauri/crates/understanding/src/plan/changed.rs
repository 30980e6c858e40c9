//! What a part of a thing is changed to: its time, length, title, place, priority.

use super::alter::{ONLINE, Part, fact, named};
use super::change::rest;
use super::clause::{Parse, Read};
use super::cursor::Cursor;
use super::filler;
use super::lexicon::{Noun, STATES, State};
use super::mark::{mark_as, priority};
use super::model::{Act, Request, Sel};
use super::resize::length;
use super::said::Form;
use super::shift::values;
use super::table::phrases;
use crate::time::Value;

pub(super) fn changed<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    sel: Sel,
    part: Option<Part>,
) -> Read {
    // "Change X to Y" may give a new name; "make sure X comes to Y" never does.
    let made = cursor.said.pieces[..sel.span.start.min(cursor.said.pieces.len())]
        .last()
        .is_some_and(|verb| matches!(verb.word.as_str(), "make" | "turn"));
    match part {
        Some(Part::Title) => return named(parse, cursor, sel),
        None if cursor
            .sees_any(phrases!(
                "so that it is called | so it is called | so that it says | to be called | to be named | to be titled"
            ))
            .is_some() =>
        {
            return named(parse, cursor, sel);
        }
        Some(Part::Place) => {
            cursor.eat(&["to be", "to", "as"]);
            let mut request = Request::new(Act::Relocate, sel);
            request.vals.place = rest(cursor);
            parse.push(request);
            return Ok(());
        }
        Some(Part::Text) => {
            cursor.eat(&["to say", "to", "as"]);
            let mut request = Request::new(Act::Describe, sel);
            request.vals.body = rest(cursor);
            parse.push(request);
            return Ok(());
        }
        Some(Part::Priority) => return priority(parse, cursor, sel),
        Some(Part::Length) => return length(parse, cursor, sel, None),
        Some(Part::Time) | None => {}
    }
    if sel.noun == Some(Noun::Mail) && part.is_none() {
        return mark_as(parse, cursor, sel);
    }
    let mut ahead = *cursor;
    if cursor.sees(&["to be due", "be due", "due"]).is_some() {
        cursor.eat(&["to be due", "be due", "due"]);
        ahead = *cursor;
        if sel.noun != Some(Noun::Task) && sel.pron.is_none() {
            return Err(parse.words(cursor));
        }
    }
    ahead.eat_any(phrases!(
        "to be | to last | to take | to | as | a | an | be | the | my | last | take | run for | run | last for"
    ));
    if part.is_none() {
        if ahead
            .sees_in(&STATES)
            .is_some_and(|(state, _)| matches!(state, State::High | State::Medium | State::Low))
            || ahead
                .sees_any(phrases!("high | low | medium | urgent | important"))
                .is_some()
        {
            return priority(parse, cursor, sel);
        }
        if ahead
            .sees(&["done", "complete", "completed", "finished"])
            .is_some()
        {
            return mark_as(parse, cursor, sel);
        }
        if let Some((index, len)) = ahead.sees_time() {
            match ahead.said.times.get(index).map(|found| &found.value) {
                Some(Value::Set { .. }) => {
                    ahead.at += len;
                    let mut request = Request::new(Act::Repeat, sel);
                    request.vals.times.push(index);
                    parse.push(request);
                    *cursor = ahead;
                    return Ok(());
                }
                // "45 minutes later" is another start.
                Some(Value::Duration(_))
                    if !matches!(ahead.word(len), "later" | "earlier" | "sooner") =>
                {
                    return length(parse, cursor, sel, None);
                }
                _ => {}
            }
        } else if ahead.sees(&["longer", "shorter"]).is_some() {
            return length(parse, cursor, sel, None);
        } else if cursor
            .sees_any(phrases!(
                "start at | start | begin at | begin | to start | to begin | to take place | to happen | to be at"
            ))
            .is_some()
        {
            // "Change it to start at 3": read below.
        } else if sel.pron.is_none() && !made && cursor.eat(&["to"]) {
            cursor.at -= 1;
            if fact(parse, cursor, &sel)? {
                return Ok(());
            }
            // A new name does not hold a time ("my flight to Lisbon to 3 April 7am").
            let timed = (cursor.at..cursor.end)
                .any(|at| matches!(cursor.said.pieces[at].form, Form::Time(_)));
            if timed {
                return Err(parse.words(cursor));
            }
            // "Change my call with Ana to Zoom": where it is, not what it is called.
            let mut online = *cursor;
            if online.eat(&["to"])
                && online.eat(ONLINE)
                && filler::only_closers(&online)
                && sel.noun == Some(Noun::Event)
            {
                cursor.at += 1;
                let mut request = Request::new(Act::Relocate, sel);
                request.vals.place = rest(cursor);
                parse.push(request);
                return Ok(());
            }
            return named(parse, cursor, sel);
        }
    }
    let mut request = Request::new(Act::Move, sel);
    let mut sign = None;
    values(parse, cursor, &mut request, &mut sign)?;
    let sign = sign.unwrap_or(1);
    request.vals.shift = request.vals.shift.map(|minutes| minutes * sign);
    request.vals.shift_months = request.vals.shift_months.map(|months| months * sign);
    super::shift::which_day(parse, &mut request);
    if request.vals.times.is_empty()
        && request.vals.shift.is_none()
        && request.vals.shift_months.is_none()
        && request.vals.place.is_none()
        && !request.vals.free_slot
        && !cursor.is_done()
        && !filler::only_closers(cursor)
    {
        return Err(parse.words(cursor));
    }
    parse.push(request);
    Ok(())
}
