//! Times that are said once for several requests: "coffee at 10 and lunch at 12 tomorrow", "if I am free on Friday at
//! 3, book a call".

use super::super::binding::{Binding, Value};
use super::super::lattice::{Filler, Lattice, times};
use crate::time::{Relation, Value as Time};

/// Completes the time of a frame from the preceding frame. `same_time`: it takes the whole time instead of only the
/// day. Returns `None` if there is nothing to take.
pub(super) fn from_before(
    lattice: &Lattice<'_>,
    frame: &Binding,
    before: &Binding,
    same_time: bool,
) -> Option<Binding> {
    if !is_new(frame) {
        return None;
    }
    if needs_day(lattice, frame) {
        // "Cancel Saturday's market and put gym in instead at 9", "if I am free on Sunday, book a swim at 9 that day".
        let things = ["target", "thing"].iter();
        let things = things.filter_map(|role| before.inner(role));
        let inner = things.flat_map(|thing| thing.all("when"));
        let own = before
            .all("when")
            .filter(|_| frame.has("then_day") || frame.has("then_part"));
        let day = inner.chain(own).find_map(|value| day_of(lattice, value));
        return day.map(|day| with(frame, vec![day.0]));
    }
    if !frame.has("when") && same_time && !frame.has("relative") {
        let times: Vec<Value> = said_times(before).cloned().collect();
        let exact = |time: &Value| is_exact(lattice, time);
        return (!times.is_empty() && times.iter().all(exact)).then(|| with(frame, times));
    }
    let day = said_times(before).find_map(|value| day_of(lattice, value));
    only_clock(lattice, frame)
        .then_some(day)
        .flatten()
        .map(|day| with(frame, vec![day.0]))
}

/// Gives a question about free time the day of the preceding question: "what's on Monday, and is there time for a run
/// in the morning".
pub(super) fn day_asked(
    lattice: &Lattice<'_>,
    frame: &Binding,
    before: &Binding,
) -> Option<Binding> {
    let follows =
        frame.category().filters == Some("free") && before.category().filters == Some("calendar");
    let mut founds = said_times(frame)
        .filter_map(|value| match value {
            Value::Filler(Filler::Time(time), _) => lattice.times.get(*time),
            _ => None,
        })
        .peekable();
    let part = founds.peek().is_some() && founds.all(|found| !found.has_day);
    let day = said_times(before).find_map(|value| day_of(lattice, value));
    day.filter(|_| follows && part)
        .map(|day| with(frame, vec![day.0]))
}

/// Reports whether a frame makes something new in place of something else, on a day that it does not say.
pub(super) fn is_of_no_day(lattice: &Lattice<'_>, frame: &Binding) -> bool {
    is_new(frame) && needs_day(lattice, frame)
}

/// Reports whether a frame makes something new and says no more about its time than the time of day.
pub(super) fn is_at_a_clock(lattice: &Lattice<'_>, frame: &Binding) -> bool {
    is_new(frame) && only_clock(lattice, frame)
}

/// Reports whether a frame refers to a day mentioned before and itself says no more than a time of day.
fn needs_day(lattice: &Lattice<'_>, frame: &Binding) -> bool {
    let part = frame.has("then_part") && !frame.has("when");
    frame.has("then_said") && (part || only_clock(lattice, frame))
}

/// Reports whether a frame refers to a day mentioned before: "that day", "the same evening".
pub(super) fn means_day(frame: &Binding) -> bool {
    frame.has("then_day") || frame.has("then_part")
}

/// Gives a frame the day that ends the following request.
pub(super) fn from_behind(
    lattice: &Lattice<'_>,
    frame: &Binding,
    behind: &Binding,
) -> Option<Binding> {
    if frame.has("target") {
        return thing_from_behind(frame, behind);
    }
    let last = behind.span.end;
    let days = behind
        .all("when")
        .filter_map(|value| day_of(lattice, value));
    let day = days.into_iter().find(|(_, end)| *end == last)?;
    (is_new(frame) && is_new(behind) && only_clock(lattice, frame))
        .then(|| with(frame, vec![day.0]))
}

/// Gives a changed thing the day that ends the same kind of request after it: "cancel lunch and the review tomorrow".
fn thing_from_behind(frame: &Binding, behind: &Binding) -> Option<Binding> {
    let (thing, last) = (frame.inner("target")?, behind.inner("target")?);
    let of_another_rule = frame.category().name != behind.category().name;
    if of_another_rule || thing.has("when") || thing.has("ref") || last.span.end != behind.span.end
    {
        return None;
    }
    let at_the_end =
        |time: &&Value| matches!(time, Value::Filler(_, at) if at.end == last.span.end);
    let day = last.all("when").find(at_the_end)?.clone();
    let mut thing = Binding::clone(thing);
    thing.roles.push(("when", day));
    let mut frame = frame.clone();
    let target = frame.roles.iter_mut().find(|(role, _)| *role == "target")?;
    target.1 = Value::Inner(thing.into());
    Some(frame)
}

/// Iterates over the times of a frame and of its `{thing}`.
fn said_times(frame: &Binding) -> impl Iterator<Item = &Value> {
    let inner = frame.inner("thing").into_iter();
    frame
        .all("when")
        .chain(inner.flat_map(|thing| thing.all("when")))
}

/// Reports whether a time is a single day, or a time of day.
fn is_exact(lattice: &Lattice<'_>, time: &Value) -> bool {
    let Value::Filler(Filler::Time(time), _) = time else {
        return false;
    };
    lattice.times.get(*time).is_some_and(|found| {
        found.relation == Relation::At
            && (found.clock.is_some() || matches!(found.value, Time::Date(_)))
    })
}

/// Reports whether a frame makes something new that needs a time.
fn is_new(frame: &Binding) -> bool {
    frame.category().needs.contains(&"when")
}

fn with(frame: &Binding, times: Vec<Value>) -> Binding {
    let mut frame = frame.clone();
    let times = times.into_iter().map(|time| ("when", time));
    frame.roles.extend(times);
    frame
}

/// Reports whether the only times that a frame says are times of day.
fn only_clock(lattice: &Lattice<'_>, frame: &Binding) -> bool {
    let mut founds = frame
        .times("when")
        .filter_map(|time| lattice.times.get(time))
        .peekable();
    founds.peek().is_some()
        && founds.all(|found| {
            let repeats = matches!(found.value, Time::Set { .. } | Time::Duration(_));
            !found.has_day && found.clock.is_some() && !repeats
        })
}

/// Returns the date within a time, without its time of day, and the token after it.
fn day_of(lattice: &Lattice<'_>, value: &Value) -> Option<(Value, usize)> {
    let Value::Filler(Filler::Time(_), tokens) = value else {
        return None;
    };
    let (filler, tokens) = times::day_within(lattice, tokens)?;
    Some((Value::Filler(filler, tokens.clone()), tokens.end))
}
