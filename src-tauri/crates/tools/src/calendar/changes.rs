//! Applies changes to an event: pure arithmetic on its times and texts.

use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Attendee, Event};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Zoned, civil};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::scope::Scope;
use crate::address::Resolved;
use crate::select::{People, at_time, bad, check_amounts, check_length, is_person};
use crate::{recurring, words};

/// Maximum length of an event, in minutes: ten years.
pub(super) const MINUTES_MAX: i64 = 10 * 366 * 1_440;

/// Maximum characters of a title or a place.
const LINE_CHARS_MAX: usize = 1_000;
/// Maximum characters of a description.
const DESCRIPTION_CHARS_MAX: usize = 500_000;

/// Checks the given texts of an event.
///
/// # Errors
/// Returns a fault if one is too long to be stored.
pub(super) fn check_texts(
    summary: Option<&str>,
    location: Option<&str>,
    description: Option<&str>,
) -> Result<(), Stop> {
    for (what, text, chars_max) in [
        ("A title", summary, LINE_CHARS_MAX),
        ("A place", location, LINE_CHARS_MAX),
        ("A description", description, DESCRIPTION_CHARS_MAX),
    ] {
        check_length(what, text.unwrap_or_default(), chars_max)?;
    }
    Ok(())
}

/// What changes; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Changes {
    /// New title.
    pub(super) summary: Option<String>,
    /// New start; the length stays. A day alone keeps the time of day.
    pub(super) start: Option<Moment>,
    /// New end.
    pub(super) end: Option<Moment>,
    /// New day; the time of day stays.
    #[schemars(with = "Option<String>")]
    pub(super) date: Option<civil::Date>,
    /// New time of day where the person is; day and length stay. Of an `end` beside it only the time of day counts.
    #[schemars(with = "Option<String>")]
    pub(super) time: Option<civil::Time>,
    /// Moves it by so many minutes; negative is earlier.
    pub(super) shift_minutes: Option<i64>,
    /// Moves it by so many days; negative is earlier.
    pub(super) shift_days: Option<i64>,
    /// Moves it by so many months of the calendar; negative is earlier. A day the month does not have becomes its last.
    pub(super) shift_months: Option<i64>,
    /// New length in minutes.
    pub(super) duration_minutes: Option<i64>,
    /// Makes it longer by so many minutes; negative is shorter.
    pub(super) extend_minutes: Option<i64>,
    /// New place.
    pub(super) location: Option<String>,
    /// New description.
    pub(super) description: Option<String>,
    /// Text added to the description.
    pub(super) add_description: Option<String>,
    /// People who come along.
    pub(super) add_people: Option<People>,
    /// People who do not any more.
    pub(super) remove_people: Option<People>,
    /// Calendar to move it to.
    pub(super) calendar: Option<String>,
    /// New repetition.
    pub(super) rrule: Option<String>,
    /// Stops repeating.
    pub(super) clear_rrule: Option<bool>,
}

impl Changes {
    /// Returns how much of a series these changes mean by themselves; `None` if they may mean one instance. Another
    /// repetition is meant for what is to come.
    pub(super) fn natural_scope(&self) -> Option<Scope> {
        if self.calendar.is_some() || self.clear_rrule == Some(true) {
            return Some(Scope::Series);
        }
        self.rrule.is_some().then_some(Scope::Following)
    }

    /// Returns only the changes of start, end and repetition.
    pub(super) fn times(&self) -> Self {
        Self {
            start: self.start.clone(),
            end: self.end.clone(),
            date: self.date,
            time: self.time,
            shift_minutes: self.shift_minutes,
            shift_days: self.shift_days,
            shift_months: self.shift_months,
            duration_minutes: self.duration_minutes,
            extend_minutes: self.extend_minutes,
            rrule: self.rrule.clone(),
            ..Self::default()
        }
    }
}

/// Returns the event with the changes. `event` must carry the `start` and `end` of the instance that is meant.
///
/// # Errors
/// Returns a fault if the times make no sense, a text is too long, or a person to remove is not a guest.
pub(super) fn apply(
    event: &Event,
    changes: &Changes,
    added: &[Resolved],
    cx: &Cx,
) -> Result<Event, Stop> {
    check_amounts(&[
        changes.shift_minutes,
        changes.shift_days,
        changes.shift_months,
        changes.duration_minutes,
        changes.extend_minutes,
    ])?;
    check_texts(
        changes.summary.as_deref(),
        changes.location.as_deref(),
        changes.description.as_deref(),
    )?;
    let mut new = event.clone();
    if let Some(summary) = changes.summary.as_deref().map(str::trim) {
        if summary.is_empty() {
            return Err(bad("An event needs a title."));
        }
        new.summary = summary.to_owned();
    }
    move_it(&mut new, changes, cx)?;
    resize(&mut new, changes, cx)?;
    if let Some(location) = &changes.location {
        new.location = location.trim().to_owned();
    }
    if let Some(description) = &changes.description {
        new.description.clone_from(description);
    }
    if let Some(more) = changes.add_description.as_deref().map(str::trim) {
        let before = new.description.trim_end();
        new.description = match before.is_empty() {
            true => more.to_owned(),
            false => format!("{before}\n{more}"),
        };
        check_texts(None, None, Some(&new.description))?;
    }
    if let Some(calendar) = &changes.calendar {
        new.calendar = calendar.trim().to_owned();
    }
    if let Some(people) = &changes.remove_people {
        remove(&mut new, people)?;
    }
    for one in added {
        let there = new
            .attendees
            .iter()
            .any(|guest| guest.email.eq_ignore_ascii_case(&one.address.email));
        if !there {
            new.attendees.push(Attendee {
                name: one.address.name.clone(),
                email: one.address.email.clone(),
                status: "needs-action".into(),
            });
        }
    }
    if let Some(rule) = &changes.rrule {
        let rule = recurring::check(rule, &new.start)?;
        begin_on_rule(&mut new, &rule, cx)?;
        new.rrule = Some(rule);
    }
    if changes.clear_rrule == Some(true) {
        new.rrule = None;
        new.rdates.clear();
        new.exdates.clear();
    }
    Ok(new)
}

/// Moves an event to the first day of its new repetition: one of Tuesdays that shall repeat on Thursdays.
fn begin_on_rule(event: &mut Event, rule: &str, cx: &Cx) -> Result<(), Stop> {
    let lasts = length(&event.start, &event.end, &cx.zone());
    if let Some(first) = adjutant_recurrence::first(rule, &event.start)
        && first != event.start
    {
        event.end = after(&first, lasts)?;
        event.start = first;
    }
    Ok(())
}

fn remove(event: &mut Event, people: &People) -> Result<(), Stop> {
    for who in people.texts() {
        let search = [crate::select::address_in(&who).unwrap_or_else(|| who.clone())];
        let before = event.attendees.len();
        event
            .attendees
            .retain(|guest| !is_person(&search, &guest.name, &guest.email));
        if event.attendees.len() == before {
            return Err(bad(format!(
                "{} is not a guest of {}.",
                words::inline(&who),
                words::quoted(&event.summary)
            )));
        }
    }
    Ok(())
}

fn move_it(event: &mut Event, changes: &Changes, cx: &Cx) -> Result<(), Stop> {
    let length = length(&event.start, &event.end, &cx.zone());
    let mut start = match &changes.start {
        None => event.start.clone(),
        Some(Moment::Day(day)) => on_day(&event.start, *day, cx)?,
        Some(Moment::At(at)) => match &event.start {
            // The event keeps its own time zone; the instant is the one the person gave.
            Moment::At(old) => Moment::At(at.with_time_zone(old.time_zone().clone())),
            Moment::Day(_) => Moment::At(at.clone()),
        },
    };
    if let Some(day) = changes.date {
        start = on_day(&start, day, cx)?;
    }
    if let Some(time) = changes.time {
        start = at_time(&start, time, cx)?;
    }
    if let Some(months) = changes.shift_months {
        start = by_months(&start, months)?;
    }
    start = shifted(
        &start,
        changes.shift_days.unwrap_or(0),
        changes.shift_minutes.unwrap_or(0),
        &event.summary,
    )?;
    if start == event.start {
        return Ok(());
    }
    let became_timed = event.start.is_day() && !start.is_day();
    let length = if became_timed {
        SignedDuration::from_mins(i64::from(cx.settings.event_minutes))
    } else {
        length
    };
    event.end = after(&start, length)?;
    event.start = start;
    Ok(())
}

fn resize(event: &mut Event, changes: &Changes, cx: &Cx) -> Result<(), Stop> {
    let zone = cx.zone();
    if let Some(end) = &changes.end {
        event.end = match (end, &event.start) {
            (Moment::At(end), Moment::At(_)) if changes.time.is_some() => {
                let time = end.with_time_zone(zone.clone()).time();
                let ends = at_time(&event.start, time, cx)?;
                if ends.starts(&zone) > event.start.starts(&zone) {
                    ends
                } else {
                    // "From 23:00 to 1:00" ends on the next day.
                    let next = ends.date(&zone).tomorrow().map_err(too_far)?;
                    on_day(&ends, next, cx)?
                }
            }
            (Moment::At(end), Moment::At(start)) => {
                Moment::At(end.with_time_zone(start.time_zone().clone()))
            }
            // People give the last day as included; the stored end is the day after.
            (Moment::Day(day), Moment::Day(_)) => Moment::Day(day.tomorrow().unwrap_or(*day)),
            (Moment::Day(day), Moment::At(_)) => on_day(&event.end, *day, cx)?,
            (Moment::At(_), Moment::Day(_)) => {
                return Err(bad(
                    "An all-day event cannot end at a time of day. Give it a start time too.",
                ));
            }
        };
    }
    let minutes = match (changes.duration_minutes, changes.extend_minutes) {
        (Some(minutes), _) => Some(minutes),
        (None, Some(more)) => Some(length(&event.start, &event.end, &zone).as_mins() + more),
        (None, None) => None,
    };
    if let Some(minutes) = minutes {
        if !(1..=MINUTES_MAX).contains(&minutes) {
            return Err(bad(format!(
                "{} would not have a sensible length.",
                words::quoted(&event.summary)
            )));
        }
        if event.start.is_day() && minutes % 1_440 != 0 {
            return Err(bad(format!(
                "{} is an all-day event. Give it a start time to make it shorter.",
                words::quoted(&event.summary)
            )));
        }
        event.end = after(&event.start, SignedDuration::from_mins(minutes))?;
    }
    if event.end.starts(&zone) < event.start.starts(&zone) {
        return Err(bad(format!(
            "{} would end ({}) before it starts ({}).",
            words::quoted(&event.summary),
            words::moment(&event.end, cx),
            words::moment(&event.start, cx)
        )));
    }
    Ok(())
}

/// Returns the same time of day on another day, both in the person's time zone.
fn on_day(moment: &Moment, day: civil::Date, cx: &Cx) -> Result<Moment, Stop> {
    match moment {
        Moment::Day(_) => Ok(Moment::Day(day)),
        Moment::At(at) => {
            let here = at.with_time_zone(cx.zone());
            day.to_datetime(here.time())
                .to_zoned(cx.zone())
                .map(|moved| Moment::At(moved.with_time_zone(at.time_zone().clone())))
                .map_err(too_far)
        }
    }
}

/// Returns the same day and time in another month; a month that is too short gives its last day.
///
/// # Errors
/// Returns a fault if the date is out of range.
pub(crate) fn by_months(moment: &Moment, months: i64) -> Result<Moment, Stop> {
    let span = Span::new().try_months(months).map_err(too_far)?;
    match moment {
        Moment::Day(day) => day.checked_add(span).map(Moment::Day).map_err(too_far),
        Moment::At(at) => at.checked_add(span).map(Moment::At).map_err(too_far),
    }
}

/// Moves a moment: days by the calendar, keeping the time of day, and minutes by the clock.
fn shifted(moment: &Moment, days: i64, minutes: i64, title: &str) -> Result<Moment, Stop> {
    if days == 0 && minutes == 0 {
        return Ok(moment.clone());
    }
    let span = |days: i64| Span::new().try_days(days);
    match moment {
        Moment::Day(_) if minutes % 1_440 != 0 => Err(bad(format!(
            "{} is an all-day event, so it has no time to move. Give a new start.",
            words::quoted(title)
        ))),
        Moment::Day(day) => span(days + minutes / 1_440)
            .and_then(|span| day.checked_add(span))
            .map(Moment::Day)
            .map_err(too_far),
        Moment::At(at) => span(days)
            .and_then(|span| at.checked_add(span))
            .and_then(|at| at.checked_add(SignedDuration::from_mins(minutes)))
            .map(Moment::At)
            .map_err(too_far),
    }
}

/// Returns the length from start to end; whole days count 24 hours each.
pub(super) fn length(start: &Moment, end: &Moment, zone: &TimeZone) -> SignedDuration {
    match (start, end) {
        (Moment::Day(first), Moment::Day(last)) => {
            SignedDuration::from_hours(24 * i64::from((*last - *first).get_days()))
        }
        _ => start.starts(zone).duration_until(end.starts(zone)),
    }
}

/// Returns the moment `length` after `start`.
pub(super) fn after(start: &Moment, length: SignedDuration) -> Result<Moment, Stop> {
    match start {
        Moment::Day(day) => Span::new()
            .try_days((length.as_hours() / 24).max(1))
            .and_then(|span| day.checked_add(span))
            .map(Moment::Day)
            .map_err(too_far),
        Moment::At(at) => at.checked_add(length).map(Moment::At).map_err(too_far),
    }
}

/// Returns how far a move goes on the event's own clock; `None` between a whole day and an instant.
pub(super) fn local_delta(from: &Moment, to: &Moment) -> Option<SignedDuration> {
    let local = |moment: &Moment| match moment {
        Moment::Day(day) => day.at(0, 0, 0, 0),
        Moment::At(at) => at.datetime(),
    };
    (from.is_day() == to.is_day()).then(|| local(from).duration_until(local(to)))
}

/// Moves a moment by `delta` on its own clock.
pub(super) fn by_local(moment: &Moment, delta: SignedDuration) -> Result<Moment, Stop> {
    match moment {
        Moment::Day(day) => Span::new()
            .try_days(delta.as_hours() / 24)
            .and_then(|span| day.checked_add(span))
            .map(Moment::Day)
            .map_err(too_far),
        Moment::At(at) => moved_zoned(at, delta).map(Moment::At).map_err(too_far),
    }
}

fn moved_zoned(at: &Zoned, delta: SignedDuration) -> Result<Zoned, jiff::Error> {
    at.datetime()
        .checked_add(delta)?
        .to_zoned(at.time_zone().clone())
}

fn too_far(_: jiff::Error) -> Stop {
    bad("That date is too far away.")
}
