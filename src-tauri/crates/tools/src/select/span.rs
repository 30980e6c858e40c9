//! Parts of the day, days of the week, and ranges of time.

use adjutant_domain::filter::Window;
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use jiff::{Timestamp, Zoned, civil};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bad;
use crate::words;

/// A day of the week.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Weekday {
    /// Monday.
    Monday,
    /// Tuesday.
    Tuesday,
    /// Wednesday.
    Wednesday,
    /// Thursday.
    Thursday,
    /// Friday.
    Friday,
    /// Saturday.
    Saturday,
    /// Sunday.
    Sunday,
}

impl From<civil::Weekday> for Weekday {
    fn from(day: civil::Weekday) -> Self {
        match day {
            civil::Weekday::Monday => Self::Monday,
            civil::Weekday::Tuesday => Self::Tuesday,
            civil::Weekday::Wednesday => Self::Wednesday,
            civil::Weekday::Thursday => Self::Thursday,
            civil::Weekday::Friday => Self::Friday,
            civil::Weekday::Saturday => Self::Saturday,
            civil::Weekday::Sunday => Self::Sunday,
        }
    }
}

/// A part of the day, by the clock on the wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DayPart {
    /// From 5:00 to 12:00.
    Morning,
    /// From 12:00 to 17:00.
    Afternoon,
    /// From 17:00 to 22:00.
    Evening,
    /// From 22:00 to 5:00.
    Night,
}

impl DayPart {
    /// Returns whether a time of day lies in it.
    #[must_use]
    pub fn contains(self, time: civil::Time) -> bool {
        let hour = time.hour();
        match self {
            Self::Morning => (5..12).contains(&hour),
            Self::Afternoon => (12..17).contains(&hour),
            Self::Evening => (17..22).contains(&hour),
            Self::Night => !(5..22).contains(&hour),
        }
    }

    /// Returns its start and end in minutes of the day; the night ends after midnight, at 29:00.
    #[must_use]
    pub fn minutes(self) -> (i64, i64) {
        match self {
            Self::Morning => (5 * 60, 12 * 60),
            Self::Afternoon => (12 * 60, 17 * 60),
            Self::Evening => (17 * 60, 22 * 60),
            Self::Night => (22 * 60, 29 * 60),
        }
    }

    /// Returns the word after "in the".
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Morning => "morning",
            Self::Afternoon => "afternoon",
            Self::Evening => "evening",
            Self::Night => "night",
        }
    }
}

/// Maximum minutes of a shift or length: a hundred years.
const MINUTES_MAX: i64 = 100 * 366 * 1_440;

/// Checks that date arithmetic can handle amounts of minutes or days.
///
/// # Errors
/// Returns a fault if an amount is larger than the minutes of a hundred years.
pub fn check_amounts(amounts: &[Option<i64>]) -> Result<(), Stop> {
    let sensible = |amount: &i64| (-MINUTES_MAX..=MINUTES_MAX).contains(amount);
    if amounts.iter().flatten().all(sensible) {
        Ok(())
    } else {
        Err(bad("That is too far away."))
    }
}

/// Checks the length of a text that is to be stored.
///
/// # Errors
/// Returns a fault if it is longer than `chars_max` characters; `what` begins the message.
pub fn check_length(what: &str, text: &str, chars_max: usize) -> Result<(), Stop> {
    // The number of bytes is known without counting characters.
    if text.len() <= chars_max || text.chars().count() <= chars_max {
        return Ok(());
    }
    Err(bad(format!("{what} has at most {chars_max} characters.")))
}

/// Returns another time of day on the same day, both in the person's time zone. An instant keeps its own zone.
///
/// # Errors
/// Returns a fault if the date is out of range.
pub fn at_time(moment: &Moment, time: civil::Time, cx: &Cx) -> Result<Moment, Stop> {
    let here = moment
        .date(&cx.zone())
        .to_datetime(time)
        .to_zoned(cx.zone())
        .map_err(|_| bad("That date is too far away."))?;
    Ok(Moment::At(match moment {
        Moment::Day(_) => here,
        Moment::At(old) => here.with_time_zone(old.time_zone().clone()),
    }))
}

/// Limits on the time of day and the day of the week.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times<'a> {
    /// Allowed days; empty means all.
    pub weekdays: &'a [Weekday],
    /// Only in this part of the day; `None` for any.
    pub part: Option<DayPart>,
    /// Only at or after this time of day; `None` for any.
    pub after: Option<civil::Time>,
    /// Only before this time of day; `None` for any.
    pub before: Option<civil::Time>,
}

impl Times<'_> {
    /// Returns whether something that starts at this moment fits. A whole day fits only without limits on the time of
    /// day.
    #[must_use]
    pub fn fits(&self, start: &Moment, cx: &Cx) -> bool {
        let weekday = Weekday::from(start.date(&cx.zone()).weekday());
        if !self.weekdays.is_empty() && !self.weekdays.contains(&weekday) {
            return false;
        }
        let Moment::At(at) = start else {
            return self.part.is_none() && self.after.is_none() && self.before.is_none();
        };
        let time = at.with_time_zone(cx.zone()).time();
        self.part.is_none_or(|part| part.contains(time))
            && self.after.is_none_or(|after| time >= after)
            && self.before.is_none_or(|before| time < before)
    }
}

/// Returns the first instant of a bound, in the person's zone.
#[must_use]
pub fn start_of(bound: Option<&Moment>, cx: &Cx) -> Option<Timestamp> {
    bound.map(|moment| moment.starts(&cx.zone()))
}

/// Returns the range between two bounds.
///
/// # Errors
/// Returns a fault if it ends before it begins.
pub fn check_range(from: Option<&Moment>, to: Option<&Moment>, cx: &Cx) -> Result<Window, Stop> {
    let window = Window {
        from: start_of(from, cx),
        to: start_of(to, cx),
    };
    if let (Some(begin), Some(end)) = (window.from, window.to)
        && end < begin
    {
        return Err(bad(format!(
            "The range ends ({}) before it starts ({}).",
            words::instant(end, cx),
            words::instant(begin, cx)
        )));
    }
    Ok(window)
}

/// Returns a range in words: ` on Mon 4 Dec`, ` from Mon 4 Dec to Wed 6 Dec`, ` from … on`, ` before …`; empty without
/// bounds.
#[must_use]
pub fn window_words(from: Option<&Moment>, to: Option<&Moment>, cx: &Cx) -> String {
    match (from, to) {
        (None, None) => String::new(),
        (Some(from), None) => format!(" from {} on", moment_short(from, cx)),
        (None, Some(to)) => format!(" before {}", moment_short(to, cx)),
        (Some(from), Some(to)) => both(from, to, cx),
    }
}

fn both(from: &Moment, to: &Moment, cx: &Cx) -> String {
    let (first, end) = (local(from, cx), local(to, cx));
    let midnight = |at: &Zoned| at.time() == civil::Time::midnight();
    if !(midnight(&first) && midnight(&end)) {
        if first.duration_until(&end).as_mins() == 1 {
            // The range is this one minute.
            return format!(
                " on {} at {}",
                words::day(first.date(), cx),
                words::clock(first.time(), cx)
            );
        }
        if first.date() == end.date() {
            return format!(
                " on {} between {} and {}",
                words::day(first.date(), cx),
                words::clock(first.time(), cx),
                words::clock(end.time(), cx)
            );
        }
        return format!(
            " from {} to {}",
            moment_short(from, cx),
            moment_short(to, cx)
        );
    }
    let last = end.date().yesterday().unwrap_or(end.date());
    if last <= first.date() {
        format!(" on {}", words::day(first.date(), cx))
    } else {
        format!(
            " from {} to {}",
            words::day(first.date(), cx),
            words::day(last, cx)
        )
    }
}

fn local(moment: &Moment, cx: &Cx) -> Zoned {
    moment.starts(&cx.zone()).to_zoned(cx.zone())
}

fn moment_short(moment: &Moment, cx: &Cx) -> String {
    let at = local(moment, cx);
    if moment.is_day() || at.time() == civil::Time::midnight() {
        words::day(at.date(), cx)
    } else {
        words::instant(at.timestamp(), cx)
    }
}

#[cfg(test)]
mod tests {
    use adjutant_testkit::World;

    use super::*;

    #[test]
    fn a_range_is_told_as_people_say_it() {
        let cx = World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]").cx;
        let at = |text: &str| -> Moment { serde_json::from_value(text.into()).expect("a moment") };
        let hour = |clock: &str| at(&format!("2026-01-15T{clock}:00+01:00[Europe/Berlin]"));
        for (from, to, said) in [
            (
                Some(hour("15:00")),
                Some(hour("15:01")),
                " on Thu 15 Jan at 15:00",
            ),
            (
                Some(hour("15:00")),
                Some(hour("16:00")),
                " on Thu 15 Jan between 15:00 and 16:00",
            ),
            (
                Some(at("2026-01-15")),
                Some(at("2026-01-16")),
                " on Thu 15 Jan",
            ),
            (Some(at("2026-01-15")), None, " from Thu 15 Jan on"),
        ] {
            assert_eq!(window_words(from.as_ref(), to.as_ref(), &cx), said);
        }
    }
}
