//! Steps for times told by another event: the event is read, the new thing begins where it begins or ends, and is moved
//! from there by the length that was said.

use adjutant_domain::ids::StepKey;
use adjutant_domain::source::Source;
use serde_json::{Value as Json, json};

use super::super::clause::{Unread, Why};
use super::super::lexicon::Noun;
use super::super::model::{Act, Beside, Request};
use super::{Builder, Draft, at};

/// Where a time told by another event comes from.
pub(super) struct Found {
    /// The start or the end of the event.
    pub value: Json,
    /// The step that read it.
    pub source: Source,
    /// In words.
    pub words: String,
}

/// Reads the event; the time it tells, without the length beside it.
pub(super) fn found(builder: &mut Builder<'_, '_, '_>, beside: &Beside) -> Result<Found, Unread> {
    let made = beside
        .of
        .pron
        .and_then(|_| builder.done.last())
        .filter(|done| matches!(done.act, Act::CreateEvent | Act::Move) && !done.each)
        .map(|done| done.key.clone());
    let key = match made {
        Some(key) => key,
        None => builder.one_of(&beside.of)?,
    };
    let path = if beside.after {
        "/items/0/end"
    } else {
        "/items/0/start"
    };
    let when = match (beside.minutes, beside.after) {
        (0, true) => "at the end of that event".to_owned(),
        (0, false) => "at the start of that event".to_owned(),
        (minutes, true) => format!("{minutes} minutes after that event"),
        (minutes, false) => format!("{minutes} minutes before that event"),
    };
    Ok(Found {
        value: at(&key, path),
        source: Source::Step { key },
        words: when,
    })
}

/// Moves what was just made from the start or the end of the event by `minutes`.
pub(super) fn moved_by(
    builder: &mut Builder<'_, '_, '_>,
    made: &StepKey,
    minutes: i64,
    request: &Request,
    noun: Noun,
) -> Result<StepKey, Unread> {
    if minutes == 0 {
        return Ok(made.clone());
    }
    let tool = if noun == Noun::Event {
        "calendar.update"
    } else {
        "task.update"
    };
    let way = if minutes < 0 { "earlier" } else { "later" };
    let mut draft = Draft::new(tool, format!("Put it {} minutes {way}", minutes.abs()));
    draft.set("id", at(made, "/ids/0"), Source::Step { key: made.clone() });
    let source = builder.person(&request.span);
    draft.change("shift_minutes", json!(minutes), source);
    builder.push(draft, Some(request))
}

/// By how much a reminder rings beside the event: negative is before it.
pub(super) fn lead(beside: &Beside) -> i64 {
    if beside.after {
        beside.minutes
    } else {
        -beside.minutes
    }
}

/// By how much a new event is moved that was put at the start or the end of another: its own length comes before it.
pub(super) fn offset(beside: &Beside, length: Option<i64>) -> Result<i64, Unread> {
    match (beside.after, beside.minutes, length) {
        (true, minutes, _) => Ok(minutes),
        (false, 0, Some(length)) => Ok(-length),
        (false, 0, None) => Err(Unread {
            span: None,
            why: Why::CanNot(
                "It was not said how long it is, so I do not know when it has to begin to end before that event. Please say its length."
                    .to_owned(),
            ),
        }),
        (false, minutes, _) => Ok(-minutes),
    }
}
