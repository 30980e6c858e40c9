//! Times of iCalendar: zones, floating times, days, durations. The only place where chrono's types appear.

use std::cell::RefCell;
use std::collections::HashMap;

use adjutant_domain::moment::Moment;
use calcard::common::PartialDateTime;
use calcard::common::timezone::Tz;
use calcard::icalendar::{
    ICalendar, ICalendarEntry, ICalendarParameterName, ICalendarPeriod, ICalendarValue,
};
use jiff::{civil, tz::TimeZone};

use super::ical_zone::described;

/// Resolves the zones of one calendar.
pub(super) struct Zones<'a> {
    calendar: &'a ICalendar,
    home: TimeZone,
    /// What the file's own descriptions come to, by name and year, because finding out takes long.
    described: RefCell<HashMap<(String, i16), Option<TimeZone>>>,
}

impl<'a> Zones<'a> {
    /// Creates a resolver; `home` is the zone of floating times.
    pub(super) fn new(calendar: &'a ICalendar, home: TimeZone) -> Self {
        Self {
            calendar,
            home,
            described: RefCell::default(),
        }
    }

    /// Returns the moments of a date property (DTSTART, DTEND, RECURRENCE-ID, EXDATE, RDATE).
    pub(super) fn moments(&self, entry: &ICalendarEntry) -> Result<Vec<Moment>, String> {
        let zone_name = entry
            .parameter(&ICalendarParameterName::Tzid)
            .and_then(|value| value.as_text());
        entry
            .values
            .iter()
            .filter_map(begins)
            .map(|date| self.moment(date, zone_name))
            .collect()
    }

    /// Returns the first moment of a date property.
    pub(super) fn moment_of(&self, entry: &ICalendarEntry) -> Result<Moment, String> {
        self.moments(entry)?
            .into_iter()
            .next()
            .ok_or_else(|| "a date cannot be read".to_owned())
    }

    fn moment(&self, date: &PartialDateTime, zone_name: Option<&str>) -> Result<Moment, String> {
        let bad = || "a date is out of range".to_owned();
        let (Some(year), Some(month), Some(day)) = (date.year, date.month, date.day) else {
            return Err("a date is incomplete".into());
        };
        let day = civil::Date::new(
            i16::try_from(year).map_err(|_| bad())?,
            i8::try_from(month).map_err(|_| bad())?,
            i8::try_from(day).map_err(|_| bad())?,
        )
        .map_err(|_| bad())?;
        let Some(hour) = date.hour else {
            return Ok(Moment::Day(day));
        };
        // A leap second (60) counts as 59, as RFC 5545 allows.
        let clock = civil::Time::new(
            i8::try_from(hour).map_err(|_| bad())?,
            i8::try_from(date.minute.unwrap_or(0)).map_err(|_| bad())?,
            i8::try_from(date.second.unwrap_or(0).min(59)).map_err(|_| bad())?,
            0,
        )
        .map_err(|_| bad())?;
        let zone = if let Some(hours) = date.tz_hour {
            let seconds = i32::from(hours) * 3600 + i32::from(date.tz_minute.unwrap_or(0)) * 60;
            if seconds == 0 {
                TimeZone::UTC
            } else {
                let signed = if date.tz_minus { -seconds } else { seconds };
                TimeZone::fixed(jiff::tz::Offset::from_seconds(signed).map_err(|_| bad())?)
            }
        } else {
            match zone_name {
                Some(name) => self.zone(name, day.year())?,
                None => self.home.clone(),
            }
        };
        day.to_datetime(clock)
            .to_zoned(zone)
            .map(Moment::At)
            .map_err(|_| bad())
    }

    /// Returns the zone of a TZID for times from `year` on: an IANA name, a prefixed one, a Windows name, or a zone
    /// defined by the file's own VTIMEZONE.
    fn zone(&self, name: &str, year: i16) -> Result<TimeZone, String> {
        let parts: Vec<&str> = name.trim_matches('/').split('/').collect();
        for start in 0..parts.len() {
            if let Ok(zone) = TimeZone::get(&parts[start..].join("/")) {
                return Ok(zone);
            }
        }
        match self.calendar.build_tz_resolver().resolve(name) {
            Some(Tz::Tz(zone)) => TimeZone::get(zone.name()).map_err(|_| unknown(name)),
            Some(Tz::Fixed(offset)) => fixed(offset.local_minus_utc()).ok_or_else(|| unknown(name)),
            Some(Tz::Floating) => Ok(self.home.clone()),
            None => self.described(name, year).ok_or_else(|| unknown(name)),
        }
    }

    fn described(&self, name: &str, year: i16) -> Option<TimeZone> {
        let mut known = self.described.borrow_mut();
        let zone = known
            .entry((name.to_owned(), year))
            .or_insert_with(|| described(self.calendar, name, year, &self.home));
        zone.clone()
    }
}

/// Returns the date of a value, or the start of a period: an instance lasts as long as its series.
fn begins(value: &ICalendarValue) -> Option<&PartialDateTime> {
    match value {
        ICalendarValue::PartialDateTime(date) => Some(date),
        ICalendarValue::Period(
            ICalendarPeriod::Range { start, .. } | ICalendarPeriod::Duration { start, .. },
        ) => Some(start),
        _ => None,
    }
}

fn fixed(seconds: i32) -> Option<TimeZone> {
    jiff::tz::Offset::from_seconds(seconds)
        .ok()
        .map(TimeZone::fixed)
}

fn unknown(name: &str) -> String {
    format!(
        "the time zone “{name}” is not known; export it again with a named zone such as Europe/Paris"
    )
}
