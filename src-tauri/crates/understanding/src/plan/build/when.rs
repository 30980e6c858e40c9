//! Times of a request as ranges that narrow things.

use super::when_words::{capital, weekdays, words};
pub(in super::super) use super::when_words::{day_words, instant_words, moment_words};
use super::window_ends::{instant, stretch};
use adjutant_domain::moment::Moment;
use jiff::civil::{Date, Time as Clock};
use jiff::{ToSpan, Zoned};
use serde_json::{Map, Value as Json, json};

use super::super::lexicon::{Noun, State};
use super::super::model::Sel;
use super::super::said::Said;
use crate::time::{Found, Grain, Relation, Value};

pub(in super::super) use super::point::{
    Point, due, each_day, ending, point, span_minutes, two_times,
};

/// A range with what cannot be said as a range.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in super::super) struct Window {
    /// First instant.
    pub from: Option<Moment>,
    /// First instant after it.
    pub to: Option<Moment>,
    /// Only what begins in it.
    pub starts: bool,
    /// Days of the week.
    pub weekdays: Vec<&'static str>,
    /// Earliest time of day.
    pub after: Option<Clock>,
    /// Latest time of day.
    pub before: Option<Clock>,
    /// In words, with absolute dates.
    pub words: Vec<String>,
}

/// A midnight in the person's zone is written as its day.
pub(in super::super) fn moment_of(at: &Zoned) -> Moment {
    if at.time() == Clock::midnight() {
        Moment::Day(at.date())
    } else {
        Moment::At(at.clone())
    }
}

/// Whether what was is meant: mail, and things that are over.
pub(in super::super) fn is_past(sel: &Sel) -> bool {
    matches!(sel.noun, Some(Noun::Mail | Noun::Note | Noun::File))
        || sel.mine
        || sel.states.contains(&State::Past)
        || sel.states.contains(&State::Done)
}

/// The range that the times of a selection allow. `None`: a time there cannot narrow anything.
pub(in super::super) fn window(said: &Said<'_>, sel: &Sel) -> Option<Window> {
    let now = said.utterance.now;
    let past = is_past(sel);
    let founds: Vec<&Found> = sel
        .when
        .iter()
        .filter_map(|index| said.time(*index, past))
        .collect();
    let morning = super::super::said::policy(said.utterance.settings).first_morning_hour;
    let day_said = founds.iter().find_map(|found| single_day(found));
    let mut window = Window::default();
    let mut remarked = None;
    for (start, end) in sel
        .days
        .iter()
        .filter_map(|index| said.time(*index, false))
        .filter_map(|found| found.value.stretch(now))
    {
        let first = start.start_of_day().ok()?;
        let last = end
            .checked_sub(jiff::SignedDuration::from_secs(1))
            .ok()?
            .start_of_day()
            .and_then(|day| day.checked_add(1.day()))
            .ok()?;
        if last.date() == start.date().tomorrow().ok()? {
            remarked = Some(start.date());
        }
        narrow(&mut window, Some(first), Some(last));
    }
    let day = day_said.or(remarked);
    let days: Vec<Date> = founds
        .iter()
        .filter(|found| found.relation == Relation::At)
        .filter_map(|found| match &found.value {
            Value::Date(day) => Some(*day),
            _ => None,
        })
        .collect();
    let several = days.len() > 1;
    if let (true, Some(first), Some(last)) = (several, days.iter().min(), days.iter().max()) {
        // "Today and tomorrow" is one stretch; days apart are not.
        if i64::from(first.until(*last).ok()?.get_days()) + 1 != i64::try_from(days.len()).ok()? {
            return None;
        }
        let zone = now.time_zone();
        let start = Moment::Day(*first).starts(zone).to_zoned(zone.clone());
        let end = Moment::Day(last.tomorrow().ok()?)
            .starts(zone)
            .to_zoned(zone.clone());
        narrow(&mut window, Some(start), Some(end));
    }
    for found in &founds {
        if several && matches!(found.value, Value::Date(_)) && found.relation == Relation::At {
            continue;
        }
        let (from, to) = match &found.value {
            // "Every Monday until June": what is there is not told apart by when it ends.
            Value::Set { rrule, .. } if rrule.contains("UNTIL=") || rrule.contains("COUNT=") => {
                return None;
            }
            Value::Set { rrule, .. } => {
                let days = weekdays(rrule);
                // "After 6pm on weekdays": an hour of each of those days.
                if let (Some(_), Value::Set { first, .. }) = (found.clock, &found.value) {
                    let clock = first.as_ref().map(|first| first.time())?;
                    match found.relation {
                        Relation::Before if sel.noun == Some(Noun::Event) => {
                            window.before = Some(clock);
                            window
                                .words
                                .push(format!("before {}", clock.strftime("%H:%M")));
                        }
                        Relation::After if sel.noun == Some(Noun::Event) => {
                            window.after = Some(clock);
                            window
                                .words
                                .push(format!("from {} on", clock.strftime("%H:%M")));
                        }
                        // "My Monday 9am": the event that begins then each week is not told apart by its hour here.
                        Relation::At if sel.noun == Some(Noun::Event) => {
                            window.after = Some(clock);
                            window.before = clock.checked_add(1.minute()).ok();
                            window.words.push(format!("at {}", clock.strftime("%H:%M")));
                        }
                        _ => return None,
                    }
                }
                // "From Mondays to Tuesdays" is no day that something is on.
                if days.is_empty() || !window.weekdays.is_empty() {
                    return None;
                }
                window.words.push(format!(
                    "on {}",
                    days.iter()
                        .map(|day| format!("{}s", capital(day)))
                        .collect::<Vec<_>>()
                        .join(", ")
                ));
                window.weekdays = days;
                continue;
            }
            Value::Duration(length) => {
                // "In the last …" is a stretch already; a bare length behind "for" looks back over it.
                if !past && found.relation != Relation::For {
                    return None;
                }
                let from = now.checked_sub(length.span).ok()?;
                (Some(from), Some(now.clone()))
            }
            // "Before 9 next week": an hour of each of the days.
            Value::Instant(at)
                if !found.has_day
                    && found.clock.is_some()
                    && sel.noun == Some(Noun::Event)
                    && (sel.any_day
                        || matches!(found.relation, Relation::Before | Relation::After)
                            && founds.iter().any(|other| spans_days(other, now))) =>
            {
                let clock = found.clock_elsewhere(morning).unwrap_or_else(|| at.time());
                let text = clock.strftime("%H:%M");
                match found.relation {
                    Relation::Before | Relation::By | Relation::Until => {
                        window.words.push(format!("before {text}"));
                        window.before = Some(clock);
                    }
                    Relation::After | Relation::From | Relation::Since => {
                        window.words.push(format!("from {text} on"));
                        window.after = Some(clock);
                    }
                    _ => {
                        window.words.push(format!("at {text}"));
                        window.after = Some(clock);
                        window.before =
                            Some(clock.wrapping_add(jiff::SignedDuration::from_mins(1)));
                    }
                }
                continue;
            }
            Value::Instant(at) => {
                let at = match day {
                    Some(day) if !found.has_day => day
                        .to_datetime(
                            found
                                .clock_elsewhere(morning)
                                .filter(|_| day != now.date())
                                .unwrap_or_else(|| at.time()),
                        )
                        .to_zoned(now.time_zone().clone())
                        .ok()?,
                    _ => at.clone(),
                };
                instant(found, &at, &mut window, past, now, said.source)?
            }
            Value::Date(_) | Value::Interval { .. } => {
                let (from, to) = stretch(found, day, now, past, sel.noun, said.source)?;
                let leaves = sel.moved_from && found.relation == Relation::From && to.is_none();
                let end = leaves.then(|| found.value.stretch(now)).flatten();
                (from, end.map_or(to, |(_, end)| Some(end)))
            }
        };
        narrow(&mut window, from, to);
    }
    let dated = founds.iter().any(|found| found.has_day);
    if sel.today && !dated {
        let start = now.start_of_day().ok()?;
        let end = start.checked_add(1.day()).ok()?;
        narrow(&mut window, Some(start), Some(end));
    }
    if sel.week && !dated {
        let start = said.utterance.now.start_of_day().ok()?;
        let first = super::super::said::policy(said.utterance.settings).week_starts_on;
        let back = i64::from(first.until(start.date().weekday()).rem_euclid(7));
        let start = start.checked_sub(back.days()).ok()?;
        let end = start.checked_add(7.days()).ok()?;
        narrow(&mut window, Some(start), Some(end));
    }
    if let Some((index, older)) = sel.age {
        let at = match &said.time(index, true)?.value {
            Value::Duration(length) => now.checked_sub(length.span).ok()?,
            other => other.stretch(now)?.0,
        };
        if older {
            narrow(&mut window, None, Some(at))
        } else {
            narrow(&mut window, Some(at), None)
        }
    }
    // "Met this month": up to now.
    if sel.noun == Some(Noun::Event)
        && sel.states.contains(&State::Past)
        && window
            .to
            .as_ref()
            .is_some_and(|to| to.starts(now.time_zone()) > now.timestamp())
    {
        narrow(&mut window, None, Some(now.clone()));
    }
    // "The 2pm and 4pm tomorrow" are two of them: nothing is at both.
    let zone = now.time_zone();
    if let (Some(from), Some(to)) = (&window.from, &window.to)
        && from.starts(zone) >= to.starts(zone)
    {
        return None;
    }
    words(&mut window, now);
    Some(window)
}

/// Whether a time is several days.
fn spans_days(found: &Found, now: &Zoned) -> bool {
    matches!(found.value, Value::Set { .. })
        || matches!(found.value, Value::Interval { .. })
            && found.value.stretch(now).is_some_and(|(start, end)| {
                end.timestamp().as_second() - start.timestamp().as_second() > 86_400
            })
}

fn single_day(found: &Found) -> Option<Date> {
    match &found.value {
        Value::Date(day) => Some(*day),
        Value::Interval { start, .. } if found.has_day && found.grain <= Grain::Day => {
            Some(start.date())
        }
        Value::Instant(at) if found.has_day => Some(at.date()),
        _ => None,
    }
}

fn narrow(window: &mut Window, from: Option<Zoned>, to: Option<Zoned>) {
    let zone = from
        .as_ref()
        .or(to.as_ref())
        .map(|at| at.time_zone().clone());
    let Some(zone) = zone else { return };
    if let Some(from) = from {
        let later = window
            .from
            .as_ref()
            .is_none_or(|before| before.starts(&zone) < from.timestamp());
        if later {
            window.from = Some(moment_of(&from));
        }
    }
    if let Some(to) = to {
        let earlier = window
            .to
            .as_ref()
            .is_none_or(|before| before.starts(&zone) > to.timestamp());
        if earlier {
            window.to = Some(moment_of(&to));
        }
    }
}

/// Puts a window into filters under the names of a family.
pub(in super::super) fn put(
    filters: &mut Map<String, Json>,
    window: &Window,
    from: &str,
    to: &str,
) {
    if let Some(moment) = &window.from {
        filters.insert(from.to_owned(), json!(moment));
    }
    if let Some(moment) = &window.to {
        filters.insert(to.to_owned(), json!(moment));
    }
}
