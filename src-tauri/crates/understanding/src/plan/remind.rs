//! Reminders: of whom or what, and ahead of an event just made.

use super::clause::{Parse, Read};
use super::cursor::Cursor;
use super::filler;
use super::lexicon::{Noun, Verb};
use super::mail;
use super::model::{Act, DayBefore, Request, Sel, Value, Who, Words};
use super::people::{self, Place};
use super::table::phrases;
use super::task::task_text;

/// Remind me …
pub(super) fn remind<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Read {
    let mut other = *cursor;
    let others = people::list(&mut other, Place::Maybe);
    // "Remind Bob and me to pay": one of them is written to, the other is not.
    if others.len() > 1 && others.contains(&Who::Me) && others.iter().any(super::clause::is_name) {
        return Err(parse.words(cursor));
    }
    if !others.is_empty()
        && !others.contains(&Who::Me)
        && other.sees(&["to", "about", "that", "of"]).is_some()
    {
        return mail::send(parse, cursor, Verb::Tell);
    }
    let verb = cursor.said.pieces[..cursor.at]
        .iter()
        .rev()
        .take(4)
        .map(|piece| piece.word.as_str());
    let rings = verb
        .clone()
        .any(|word| word == "wake")
        .then_some("Wake up")
        .or_else(|| verb.clone().any(|word| word == "alarm").then_some("Alarm"));
    cursor.eat(&["me", "us", "up"]);
    cursor.eat(&["up"]);
    cursor.eat(&["please"]);
    cursor.eat(&["again"]);
    let mut request = Request::new(Act::CreateTask, Sel::of(Noun::Task));
    request.vals.reminder = true;
    let before = parse.requests.len();
    if ahead_of_event(parse, cursor, &mut request)
        || super::beside::reminder(parse, cursor, &mut request)
    {
        parse.push(request);
        return Ok(());
    }
    task_text(parse, cursor, request)?;
    // "Wake me at 7" needs no further words.
    if let (Some(title), Some(made)) = (rings, parse.requests.get_mut(before))
        && made.vals.title.is_none()
    {
        made.vals.title = Some(Value::Words(Words {
            text: title.to_owned(),
            span: None,
            quoted: false,
        }));
    }
    Ok(())
}

/// "… and remind me (about it) the day before at 6pm": of the event just made, a day before it.
pub(super) fn ahead_of_event<'s, 'a>(
    parse: &Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    request: &mut Request,
) -> bool {
    let Some(event) = parse
        .requests
        .last()
        .filter(|last| last.act == Act::CreateEvent && !last.vals.free_slot)
    else {
        return false;
    };
    let mut ahead = *cursor;
    ahead.eat_any(phrases!(
        "about it | of it | about that | of that | about this"
    ));
    let evening = ahead.eat(&["the evening before", "the night before"]);
    if !evening
        && !ahead.eat(&[
            "the day before",
            "a day before",
            "one day before",
            "a day ahead",
        ])
    {
        return false;
    }
    ahead.eat(&["it", "that"]);
    let own = ahead.time();
    if !filler::only_closers(&ahead) {
        return false;
    }
    request.vals.day_before = Some(DayBefore {
        of: event.vals.times.clone(),
        evening,
    });
    request.vals.times.extend(own);
    request.vals.title = event.vals.title.clone().or_else(|| {
        event
            .sel
            .title
            .clone()
            .or_else(|| event.sel.about.clone())
            .map(Value::Words)
    });
    *cursor = ahead;
    true
}
