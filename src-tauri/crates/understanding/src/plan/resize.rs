//! Requests that make things longer or shorter.

use super::change::target;
use super::clause::{Parse, Read};
use super::cursor::Cursor;
use super::filler;
use super::lexicon::Noun;
use super::model::{Act, Request, Sel};
use super::noun::{self, Rules};
use super::table::phrases;
use crate::time::{Relation, Value};

/// Extend or shorten.
pub(super) fn resize<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    longer: bool,
) -> Read {
    let rules = Rules {
        to_is_value: true,
        for_is_value: true,
        ..Rules::default()
    };
    let sel = target(parse, cursor, Some(Noun::Event), rules)?;
    length(parse, cursor, sel, Some(longer))
}

/// A number alone is one of minutes between these: less is one of hours or a time of day.
const MINUTES_MIN: i64 = 15;
const MINUTES_MAX: i64 = 180;

pub(super) fn length<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    sel: Sel,
    longer: Option<bool>,
) -> Read {
    let mut request = Request::new(Act::Resize, sel);
    let by = cursor.eat(&["by"]);
    let to = !by
        && cursor.eat_any(phrases!(
            "to be | to last | to take | to | so it ends | so that it ends | be | last for | last | take | run for | run"
        ));
    // "Shorten it to 30": minutes.
    let bare: Option<i64> = cursor
        .peek(0)
        .filter(|piece| to && piece.form == super::said::Form::Number)
        .and_then(|piece| piece.word.parse().ok())
        .filter(|minutes| (MINUTES_MIN..=MINUTES_MAX).contains(minutes));
    if let Some(minutes) = bare
        && filler::only_closers(&Cursor {
            at: cursor.at + 1,
            ..*cursor
        })
    {
        cursor.at += 1;
        request.vals.minutes = Some(minutes);
        parse.push(request);
        return Ok(());
    }
    let Some((index, len)) = cursor.sees_time() else {
        cursor.eat(&["longer", "shorter"]);
        if filler::only_closers(cursor) {
            request.vals.question = Some("length");
            parse.push(request);
            return Ok(());
        }
        return Err(parse.words(cursor));
    };
    let Some(found) = cursor.said.times.get(index) else {
        return Err(parse.words(cursor));
    };
    let relative = by || found.relation == Relation::By;
    let absolute = to || matches!(found.relation, Relation::To | Relation::Until);
    cursor.at += len;
    match &found.value {
        Value::Duration(said) => {
            let Some(minutes) = noun::minutes(said.seconds) else {
                return Err(parse.words(cursor));
            };
            let longer = if cursor.eat(&["longer", "more"]) {
                Some(true)
            } else if cursor.eat(&["shorter", "less"]) {
                Some(false)
            } else {
                longer
            };
            cursor.eat(&["long", "instead"]);
            match longer {
                Some(true) if !absolute => request.vals.extend = Some(minutes),
                Some(false) if !absolute || relative => request.vals.extend = Some(-minutes),
                _ => request.vals.minutes = Some(minutes),
            }
        }
        _ => request.vals.until = Some(index),
    }
    parse.push(request);
    Ok(())
}
