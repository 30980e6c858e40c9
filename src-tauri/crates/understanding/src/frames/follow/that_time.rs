//! "Am I free on Friday at four?" – "Book a call with Ana then.": a word for the time of the message before, or for its
//! day ("move the sync to 3:15 that day").

use std::collections::BTreeSet;

use adjutant_domain::conversation::Role;
use adjutant_domain::reading::Utterance;

use super::super::lattice::{Filler, Lattice};
use crate::time::{self, Policy, TimeExpression};

/// Maximum number of messages that are searched for the day that was spoken of.
const MESSAGES_MAX: usize = 6;

/// Returns the message with the time of the person's previous message in place of the phrase that refers to it.
///
/// Returns `None` if the message has no such phrase or a time of its own, or if the previous message is not of the same
/// day or does not name exactly one time.
pub(super) fn in_words(said: &Utterance<'_>) -> Option<String> {
    let low = said.text.to_lowercase();
    let refers = ["then", "that", "same"]
        .iter()
        .any(|word| low.contains(word));
    if !refers || said.history.is_empty() {
        return None;
    }
    let lattice = Lattice::read(said.text, said)?;
    let day = |at: usize| {
        let end = lattice.phrase("that_day", at)?;
        matches!(lattice.word(end - 1), "day" | "date").then_some((at, end, true))
    };
    let (from, to, whole_day) = (0..lattice.len()).find_map(|at| {
        let Some(end) = lattice.phrase("that_time", at) else {
            return day(at).filter(|_| at > 0);
        };
        // "Then move it": only the next request is meant.
        let last = lattice.word(at) != "then" || (end..lattice.len()).all(|at| lattice.is_mark(at));
        (last && at > 0).then_some((at, end, false))
    })?;
    let own = time::find(said.text, said.now, &Policy::of(said.settings));
    let span = lattice.text.span(from..to)?;
    let elsewhere =
        |found: &TimeExpression| found.cut().end <= span.start || found.cut().start >= span.end;
    if own
        .iter()
        .filter(|found| !whole_day || found.has_day)
        .any(|found| elsewhere(found) && !matches!(found.value, time::Value::Duration(_)))
    {
        return None;
    }
    let by_person = said
        .history
        .iter()
        .rfind(|message| message.role == Role::User);
    let before = by_person?;
    let day = before.at.to_zoned(said.now.time_zone().clone()).date();
    if day != said.now.date() {
        return None;
    }
    let times = time::find(&before.text, said.now, &Policy::of(said.settings));
    let mut points = times.iter().filter(|found| {
        !matches!(
            found.value,
            time::Value::Duration(_) | time::Value::Set { .. }
        )
    });
    let words = match (points.next(), points.next()) {
        (Some(point), None) if whole_day => format!("on {}", only_day(point, said)?),
        (Some(point), None) => before.text.get(point.cut())?.to_owned(),
        // "Lunch with Hannah on the 20th." – "Make it two hours." – "Is there anything else that day?"
        (None, _) if whole_day => format!("on {}", day_spoken_of(said)?),
        _ => return None,
    };
    let (head, tail) = (said.text.get(..span.start)?, said.text.get(span.end..)?);
    Some(format!("{head}{words}{tail}"))
}

/// Returns a message that moves what was spoken of to a day of its own week, with that day in full: "What time is the
/// review next week?" – "Move it to the Thursday". Returns `None` if that week is the present one.
pub(super) fn in_that_week(said: &Utterance<'_>) -> Option<String> {
    let low = said.text.to_lowercase();
    if said.history.is_empty() || !low.contains("the ") {
        return None;
    }
    let lattice = Lattice::read(said.text, said)?;
    let refers = (0..lattice.len()).any(|at| lattice.phrase("it", at).is_some());
    let named = |at: usize| {
        let mut edges = lattice.edges(at).iter();
        let one = edges.any(|edge| edge.end == at + 1 && matches!(edge.filler, Filler::Time(_)));
        let weekday = lattice.phrase("weekday_name", at) == Some(at + 1);
        // "The Thursday of next week", "the Friday after".
        let open = matches!(lattice.word(at + 1), "of" | "after" | "before" | "in");
        (lattice.word(at - 1) == "the" && weekday && one && !open).then_some(at)
    };
    let at = (1..lattice.len()).find_map(named).filter(|_| refers)?;
    let spoken = day_spoken_of(said)?;
    let monday = |day: jiff::civil::Date| {
        let behind = i64::from(day.weekday().to_monday_zero_offset());
        day.checked_sub(jiff::Span::new().days(behind)).ok()
    };
    let week = monday(spoken)?;
    let wanted = lattice.word(at);
    let day = week
        .series(jiff::Span::new().days(1))
        .take(7)
        .find(|day| day.strftime("%A").to_string().to_lowercase() == wanted)?;
    let span = lattice.text.span(at - 1..at + 1)?;
    let (head, tail) = (said.text.get(..span.start)?, said.text.get(span.end..)?);
    (week != monday(said.now.date())?).then(|| format!("{head}{day}{tail}"))
}

/// Returns the one day that the latest message of the conversation names, if any message of today does.
fn day_spoken_of(said: &Utterance<'_>) -> Option<jiff::civil::Date> {
    let today = said.now.date();
    let messages = said.history.iter().rev().take(MESSAGES_MAX);
    let of_today =
        messages.take_while(|one| one.at.to_zoned(said.now.time_zone().clone()).date() == today);
    let mut days = of_today.map(|message| {
        let found = time::find(&message.text, said.now, &Policy::of(said.settings));
        let dated = found.iter().filter(|found| {
            let fixed = !matches!(
                found.value,
                time::Value::Duration(_) | time::Value::Set { .. }
            );
            found.has_day && fixed
        });
        let days: BTreeSet<_> = dated.filter_map(|found| only_day(found, said)).collect();
        days
    });
    let days = days.find(|days| !days.is_empty())?;
    days.first().copied().filter(|_| days.len() == 1)
}

/// Returns the day within which a time lies.
fn only_day(point: &TimeExpression, said: &Utterance<'_>) -> Option<jiff::civil::Date> {
    let (start, end) = point.value.stretch(said.now)?;
    let last = end.checked_sub(jiff::Span::new().seconds(1)).ok()?;
    (last.date() <= start.date()).then(|| start.date())
}
