//! Times of a request as values that say when something is to be.

use adjutant_domain::moment::Moment;
use jiff::civil::{Date, Time as Clock};
use jiff::{ToSpan, Zoned};

use super::super::said::Said;
use crate::time::{Found, Grain, Relation, Value};

/// When something is to be.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in super::super) struct Point {
    /// Date.
    pub date: Option<Date>,
    /// Time of day.
    pub clock: Option<Clock>,
    /// The instant, when both are known.
    pub at: Option<Zoned>,
    /// End.
    pub end: Option<Moment>,
    /// Repetition.
    pub rrule: Option<String>,
    /// A part of a day or several days: not exact enough for an event.
    pub loose: Option<(Zoned, Zoned)>,
    /// "By …": a deadline.
    pub by: bool,
    /// Two repetitions that cannot both hold ("monthly", "on Mondays").
    pub clash: bool,
}

impl Point {
    /// The moment: an instant, or a day.
    pub(in super::super) fn moment(&self) -> Option<Moment> {
        self.at
            .clone()
            .map(Moment::At)
            .or_else(|| self.date.map(Moment::Day))
    }
}

/// Several expressions as one point in time: a day from one, a clock time from another.
pub(in super::super) fn point(said: &Said<'_>, times: &[usize]) -> Point {
    let now = said.utterance.now;
    let mut point = Point::default();
    let mut zone = now.time_zone().clone();
    let morning = super::super::said::policy(said.utterance.settings).first_morning_hour;
    // A clock time said apart from its day ("on Friday, at 4") is a time of that day.
    let other_day = times
        .iter()
        .filter_map(|index| said.times.get(*index))
        .filter(|found| found.has_day)
        .find_map(|found| found.value.stretch(now))
        .is_some_and(|(start, _)| start.date() != now.date());
    let repeats = times
        .iter()
        .filter_map(|index| said.times.get(*index))
        .any(|found| matches!(found.value, Value::Set { .. }));
    for found in times.iter().filter_map(|index| said.times.get(*index)) {
        point.by |= matches!(
            found.relation,
            Relation::By | Relation::Until | Relation::Before
        );
        match &found.value {
            Value::Instant(at) => {
                if found.has_day || point.date.is_none() && found.clock.is_none() {
                    point.date = Some(at.date());
                }
                point.clock = if (other_day || repeats) && !found.has_day {
                    found.clock_elsewhere(morning)
                } else {
                    Some(at.time())
                };
                zone = at.time_zone().clone();
                if found.clock.is_none() {
                    point.date = Some(at.date());
                } else if point.date.is_none() {
                    point.at = Some(at.clone());
                }
            }
            Value::Date(day) => point.date = Some(*day),
            Value::Interval { start, end } => {
                // "Daily from 8 to 9", said at half past nine: 8 in the morning all the same.
                // "Is anything on Tuesday? If not, book 9 to 5": the hours of that day.
                let early = ((repeats || other_day) && !found.has_day)
                    .then(|| found.clock_elsewhere(morning))
                    .flatten()
                    .and_then(|clock| start.with().time(clock).build().ok())
                    .and_then(|early| {
                        Some((early.checked_add(start.duration_until(end)).ok()?, early))
                    });
                match &early {
                    Some((end, start)) => interval(&mut point, found, start, end, said),
                    None => interval(&mut point, found, start, end, said),
                }
            }
            Value::Set { rrule, first, .. } => {
                // "A weekly review on Fridays": the rule that says more is the one.
                let (rule, clash) = joined(point.rrule.as_deref(), rrule);
                point.clash |= clash;
                let again = point.rrule.replace(rule).is_some();
                if let Some(first) = first {
                    if point.date.is_none() || again {
                        point.date = Some(first.date());
                    }
                    if found.clock.is_some() || first.time() != Clock::midnight() {
                        point.clock = Some(first.time());
                    }
                }
            }
            Value::Duration(_) => {}
        }
    }
    if point.rrule.as_deref() == Some("FREQ=MONTHLY")
        && let Some(day) = times
            .iter()
            .filter_map(|index| said.times.get(*index))
            .filter_map(|found| said.source.get(found.span.clone()))
            .find_map(nth_weekday)
    {
        point.rrule = Some(format!("FREQ=MONTHLY;BYDAY={day}"));
    }
    // "Every morning next week": a repetition that ends is said with its end.
    point.clash |= point.rrule.is_some()
        && times
            .iter()
            .filter_map(|index| said.times.get(*index))
            .any(|found| {
                matches!(found.value, Value::Interval { .. })
                    && found.has_day
                    && matches!(found.grain, Grain::Week | Grain::Month)
                    && matches!(found.relation, Relation::At | Relation::For)
            });
    // "Every morning … from 8 to 9": one of the two hours would be lost.
    point.clash |= point
        .rrule
        .as_deref()
        .and_then(|rule| {
            rule.split(';')
                .find_map(|part| part.strip_prefix("BYHOUR="))
        })
        .and_then(|hour| hour.parse::<i8>().ok())
        .is_some_and(|hour| point.clock.is_some_and(|clock| clock.hour() != hour));
    if let (Some(date), Some(clock)) = (point.date, point.clock) {
        point.at = date.to_datetime(clock).to_zoned(zone).ok();
    }
    // Of something daily the first one is the next that comes.
    let daily = point
        .rrule
        .as_deref()
        .is_some_and(|rule| rule.starts_with("FREQ=DAILY"));
    if let Some(at) = point
        .at
        .clone()
        .filter(|at| daily && at < now && at.date() == now.date())
        && let Ok(next) = at.checked_add(1.day())
    {
        point.date = Some(next.date());
        point.at = Some(next);
    }
    point
}

/// "The first Monday" of something monthly, as a rule writes it.
fn nth_weekday(text: &str) -> Option<String> {
    let low = text.to_lowercase();
    let mut words = low.trim_start_matches("the ").split_whitespace();
    let place = match words.next()? {
        "first" | "1st" => "1",
        "second" | "2nd" => "2",
        "third" | "3rd" => "3",
        "fourth" | "4th" => "4",
        "last" => "-1",
        _ => return None,
    };
    let day = match words.next()?.get(..3)? {
        "mon" => "MO",
        "tue" => "TU",
        "wed" => "WE",
        "thu" => "TH",
        "fri" => "FR",
        "sat" => "SA",
        "sun" => "SU",
        _ => return None,
    };
    // "The first Monday in May" is one day.
    (!matches!(words.next(), Some("in" | "of"))).then(|| format!("{place}{day}"))
}

/// Two repetitions as one: "biweekly" and "on Mondays" is every second Monday; and whether they contradict each other.
fn joined(before: Option<&str>, rule: &str) -> (String, bool) {
    let field = |rule: &str, name: &str| {
        rule.split(';')
            .find_map(|part| part.strip_prefix(name).map(str::to_owned))
    };
    let Some(before) = before else {
        return (rule.to_owned(), false);
    };
    let (old, new) = (field(before, "FREQ="), field(rule, "FREQ="));
    let differ = |name| match (field(before, name), field(rule, name)) {
        (Some(one), Some(other)) => one != other,
        _ => false,
    };
    let daily = old.as_deref() == Some("DAILY") || new.as_deref() == Some("DAILY");
    match (field(before, "INTERVAL="), field(rule, "INTERVAL=")) {
        (Some(every), None) if old == new => (format!("{rule};INTERVAL={every}"), false),
        // "Mondays at 7 and Thursdays at 8" are two of them.
        (None, None) => (
            rule.to_owned(),
            old != new && !daily || differ("BYDAY=") || differ("BYHOUR="),
        ),
        (one, other) => (rule.to_owned(), old != new || one != other && one.is_some()),
    }
}

/// The same for a task: what is to be done before a day is due on the day in front of it, as that day is too late.
pub(in super::super) fn due(said: &Said<'_>, times: &[usize]) -> Point {
    let mut point = point(said, times);
    let now = said.utterance.now;
    let ahead = times
        .iter()
        .filter_map(|index| said.times.get(*index))
        .filter(|found| found.relation == Relation::Before && found.clock.is_none())
        .find_map(|found| {
            let text = said.source.get(found.span.clone())?.to_lowercase();
            let start = match &found.value {
                Value::Date(day) => *day,
                // "Before lunch on Friday" is still Friday.
                Value::Interval { start, .. } if start.time() == Clock::midnight() => start.date(),
                _ => return None,
            };
            // "Before the end of May": its last day is early enough.
            (!text.contains("end of"))
                .then_some(start)?
                .yesterday()
                .ok()
        })
        .filter(|day| *day >= now.date());
    if let Some(day) = ahead
        && point.clock.is_none()
        && point.rrule.is_none()
    {
        point.date = Some(day);
        point.loose = None;
    }
    point
}

/// Whether two days were said where one is meant ("tomorrow morning and tomorrow evening", "Friday or Saturday").
pub(in super::super) fn two_times(said: &Said<'_>, times: &[usize]) -> bool {
    let days = times
        .iter()
        .filter_map(|index| said.times.get(*index))
        .filter(|found| {
            found.has_day
                && matches!(
                    found.relation,
                    Relation::At | Relation::For | Relation::Around
                )
                && !matches!(found.value, Value::Set { .. } | Value::Duration(_))
        })
        .count();
    days > 1
}

/// "On Monday and Wednesday at 9": the times of each of the days, where they are joined and nothing is left to choose.
pub(in super::super) fn each_day(said: &Said<'_>, times: &[usize]) -> Option<Vec<Vec<usize>>> {
    /// Days of one thing.
    const DAYS_MAX: usize = 7;
    let founds: Vec<(usize, &Found)> = times
        .iter()
        .filter_map(|index| Some((*index, said.times.get(*index)?)))
        .collect();
    let days: Vec<&(usize, &Found)> = founds.iter().filter(|(_, found)| found.has_day).collect();
    let plain = founds.len() == times.len()
        && (2..=DAYS_MAX).contains(&days.len())
        && days.iter().all(|(_, found)| {
            matches!(found.value, Value::Date(_) | Value::Instant(_))
                && matches!(found.relation, Relation::At | Relation::For)
        });
    let start = founds.iter().map(|(_, found)| found.span.start).min()?;
    let end = founds.iter().map(|(_, found)| found.span.end).max()?;
    // "Friday or Saturday" leaves it open, "Friday instead of Saturday" changes it.
    let between = said.source.get(start..end)?.to_lowercase();
    let joined = between
        .split(|ch: char| !ch.is_alphanumeric())
        .any(|word| word == "and")
        && !between
            .split(|ch: char| !ch.is_alphanumeric())
            .any(|word| matches!(word, "or" | "not" | "instead" | "if" | "then"));
    // "Three hours, split over Monday and Tuesday": not the whole on each.
    let split = said.pieces.iter().any(|piece| {
        matches!(
            piece.word.as_str(),
            "split" | "spread" | "divided" | "distributed"
        )
    });
    if !plain || !joined || split {
        return None;
    }
    let clocks: Vec<usize> = founds
        .iter()
        .filter(|(_, found)| found.clock.is_some())
        .map(|(index, _)| *index)
        .collect();
    days.iter()
        .map(|(index, found)| match (found.clock, clocks.as_slice()) {
            (Some(_), _) | (None, []) => Some(vec![*index]),
            // The one hour that was said holds for every day.
            (None, [clock]) => Some(vec![*clock, *index]),
            (None, _) => None,
        })
        .collect()
}

/// A repetition with an end that was said apart from it ("a daily call at 9 … until May 5").
pub(in super::super) fn ending(said: &Said<'_>, rule: &str, until: usize) -> Option<String> {
    let found = said.times.get(until).filter(|found| found.has_day)?;
    let text = said.source.get(found.span.clone())?;
    let read = format!("every day at 23:59 until {text}");
    let policy = super::super::said::policy(said.utterance.settings);
    let end = crate::time::find(&read, said.utterance.now, &policy)
        .into_iter()
        .find_map(|found| match found.value {
            Value::Set { rrule, .. } => rrule
                .split(';')
                .find(|part| part.starts_with("UNTIL="))
                .map(str::to_owned),
            _ => None,
        })?;
    (!rule.contains("UNTIL=") && !rule.contains("COUNT=")).then(|| format!("{rule};{end}"))
}

/// Minutes of a stretch of the day that a repetition names ("on Mondays, 7-8am").
pub(in super::super) fn span_minutes(said: &Said<'_>, times: &[usize]) -> Option<i64> {
    let policy = super::super::said::policy(said.utterance.settings);
    times
        .iter()
        .filter_map(|index| said.times.get(*index))
        .filter(|found| matches!(found.value, Value::Set { .. }))
        .filter_map(|found| said.source.get(found.span.clone()))
        .find_map(|text| {
            let at = text.find(|ch: char| ch.is_ascii_digit())?;
            let rest = text.get(at..)?;
            let end = rest
                .find([' '])
                .filter(|_| !rest.contains(" to ") && !rest.contains(" - "))
                .unwrap_or(rest.len());
            let read = format!("from {}", rest.get(..end)?);
            crate::time::find(&read, said.utterance.now, &policy)
                .into_iter()
                .find_map(|found| match found.value {
                    Value::Interval { start, end } if found.clock.is_some() => {
                        let minutes =
                            (end.timestamp().as_second() - start.timestamp().as_second()) / 60;
                        (1..24 * 60).contains(&minutes).then_some(minutes)
                    }
                    _ => None,
                })
        })
}

fn interval(point: &mut Point, found: &Found, start: &Zoned, end: &Zoned, said: &Said<'_>) {
    if found.clock.is_some() || found.grain <= Grain::Hour {
        if found.has_day {
            point.date = Some(start.date());
        } else if point.date.is_none() {
            point.at = Some(start.clone());
        }
        point.clock = Some(start.time());
        let length = end.timestamp().as_second() - start.timestamp().as_second();
        let start = point
            .date
            .and_then(|day| {
                day.to_datetime(start.time())
                    .to_zoned(start.time_zone().clone())
                    .ok()
            })
            .unwrap_or_else(|| start.clone());
        point.end = start.checked_add(length.seconds()).ok().map(Moment::At);
        return;
    }
    // "Block off the rest of today": from now on, and not the whole of it.
    if found.grain == Grain::Day && start.time() != Clock::midnight() && !point.by {
        point.date = Some(start.date());
        point.clock = Some(start.time());
        point.end = Some(Moment::At(end.clone()));
        return;
    }
    point.loose = Some((start.clone(), end.clone()));
    if point.by {
        // "By the end of the week" is its last day; "before lunch on Friday" is still Friday.
        point.date = if end.time() == Clock::midnight() {
            end.date().yesterday().ok()
        } else {
            Some(end.date())
        };
        return;
    }
    if point.date.is_none() || found.has_day {
        point.date = Some(start.date());
    }
    if found.grain == Grain::Part && point.clock.is_none() {
        let begin = start.time();
        // A morning begins with work, not at six.
        let work = said.utterance.settings.work_start;
        point.clock = Some(if begin < work && end.time() > work {
            work
        } else {
            begin
        });
    } else if found.grain == Grain::Day || found.grain == Grain::Week {
        let days = (end.timestamp().as_second() - start.timestamp().as_second()) / 86_400;
        if days > 1 {
            point.end = Some(Moment::Day(end.date()));
        }
    }
}
