//! The first and the last moment of a time that things are looked for in.

use super::super::lexicon::Noun;
use super::when::Window;
use crate::time::{Found, Grain, Relation, Value};
use jiff::civil::Date;
use jiff::{ToSpan, Zoned};

pub(super) fn instant(
    found: &Found,
    at: &Zoned,
    window: &mut Window,
    past: bool,
    now: &Zoned,
    source: &str,
) -> Option<(Option<Zoned>, Option<Zoned>)> {
    let day_start = at.start_of_day().ok()?;
    let day_end = day_start.checked_add(1.day()).ok()?;
    Some(match found.relation {
        // "By now": whatever there is.
        Relation::By | Relation::Until if past && found.clock.is_none() && at == now => {
            (None, Some(at.clone()))
        }
        Relation::Before | Relation::Until | Relation::By => (Some(day_start), Some(at.clone())),
        Relation::After => {
            window.starts = true;
            (Some(at.clone()), if past { None } else { Some(day_end) })
        }
        Relation::Since | Relation::From => (
            Some(at.clone()),
            // "From 3pm tomorrow" ends with that day, "from Friday 3pm on" does not.
            if past
                || found.has_day && (found.relation == Relation::Since || goes_on(found, source))
            {
                None
            } else {
                Some(day_end)
            },
        ),
        // "Three days ago", "now": the stretch up to or from there.
        _ if found.clock.is_none() && at <= now => (Some(at.clone()), None),
        _ => {
            window.starts = true;
            (Some(at.clone()), Some(at.checked_add(1.minute()).ok()?))
        }
    })
}

/// Whether "on" or "onwards" stands behind a time.
fn goes_on(found: &Found, source: &str) -> bool {
    let behind = source.get(found.span.end..).unwrap_or("").trim_start();
    let word = behind
        .split(|ch: char| !ch.is_alphabetic())
        .next()
        .unwrap_or("");
    matches!(word.to_lowercase().as_str(), "on" | "onward" | "onwards")
}

pub(super) fn stretch(
    found: &Found,
    day: Option<Date>,
    now: &Zoned,
    past: bool,
    noun: Option<Noun>,
    source: &str,
) -> Option<(Option<Zoned>, Option<Zoned>)> {
    let (start, end) = found.value.stretch(now)?;
    // "This afternoon" said apart from its day belongs to that day.
    if let Some(day) = day
        && !found.has_day
        && found.grain <= Grain::Part
        && start.date() != day
    {
        let start = day
            .to_datetime(start.time())
            .to_zoned(now.time_zone().clone())
            .ok()?;
        let length =
            end.timestamp().as_second() - found.value.stretch(now)?.0.timestamp().as_second();
        let end = start.checked_add(length.seconds()).ok()?;
        return Some((Some(start), Some(end)));
    }
    let (from, to) = found.bounds(now);
    let from = match (from, found.relation) {
        // "Before Friday", of things to come: from now.
        // "Before today" is over already.
        (None, Relation::Before | Relation::Until | Relation::By)
            if !past && to.as_ref().is_none_or(|to| to > now) =>
        {
            // "Before lunch tomorrow": of that day.
            let day = (found.has_day && found.grain <= Grain::Part)
                .then(|| start.start_of_day().ok())
                .flatten();
            Some(day.filter(|day| day > now).unwrap_or_else(|| now.clone()))
        }
        (from, _) => from,
    };
    // "Mails from last week" are those of last week; "since last week" has no end.
    // "The last 3 days" go on: a mail of this very hour belongs to them.
    let midnight = now.start_of_day().ok();
    let goes_on = past
        && noun == Some(Noun::Mail)
        && matches!(found.value, Value::Interval { .. })
        && (end == *now || midnight.as_ref() == Some(&end) && found.grain == Grain::Day);
    // "After lunch on Friday" ends with that Friday.
    let within = !past && to.is_none() && found.grain <= Grain::Part && day.is_some();
    // "All events from next week" are those of it; "from next week on" has no end.
    let behind = source.get(found.span.end..).unwrap_or("").trim_start();
    let of_it = !past
        && found.relation == Relation::From
        && matches!(found.value, Value::Interval { .. })
        && matches!(found.grain, Grain::Week | Grain::Month)
        && noun == Some(Noun::Event)
        && !behind.starts_with("on");
    let to = if of_it {
        Some(end.clone())
    } else if within && matches!(found.relation, Relation::After) {
        let day = from.as_ref().unwrap_or(&end).start_of_day().ok()?;
        Some(day.checked_add(1.day()).ok()?)
    } else if goes_on {
        None
    } else if past && found.relation == Relation::From {
        Some(end)
    } else {
        to
    };
    Some((from, to))
}
