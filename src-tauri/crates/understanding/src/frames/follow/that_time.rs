//! "Am I free on Friday at four?" – "Book a call with Ana then.": a word for the time of the message before, or for its
//! day ("move the sync to 3:15 that day").

use adjutant_domain::conversation::Role;
use adjutant_domain::reading::Utterance;

use super::super::lattice::Lattice;
use crate::time::{self, Policy, TimeExpression};

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
    let (Some(point), None) = (points.next(), points.next()) else {
        return None;
    };
    let words = match whole_day {
        true => format!("on {}", only_day(point, said)?),
        false => before.text.get(point.cut())?.to_owned(),
    };
    let (head, tail) = (said.text.get(..span.start)?, said.text.get(span.end..)?);
    Some(format!("{head}{words}{tail}"))
}

/// Returns the day within which a time lies.
fn only_day(point: &TimeExpression, said: &Utterance<'_>) -> Option<jiff::civil::Date> {
    let (start, end) = point.value.stretch(said.now)?;
    let last = end.checked_sub(jiff::Span::new().seconds(1)).ok()?;
    (last.date() <= start.date()).then(|| start.date())
}
