//! Computes the time between two moments or events.

use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use jiff::civil::Date;
use jiff::{SignedDuration, Unit as Step, Zoned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::select::bad;
use crate::words;

/// An end of the time that is asked for.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum End {
    /// A day or an instant.
    Moment(Moment),
    /// An event, as the calendar gives it.
    Event {
        /// Its title.
        summary: String,
        /// Its start.
        start: Moment,
        /// Its end.
        end: Moment,
    },
}

/// The unit of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Unit {
    /// Minutes.
    Minutes,
    /// Hours, with the minutes left over.
    Hours,
    /// Days of the calendar.
    Days,
    /// Weeks, with the days left over.
    Weeks,
    /// Months of the calendar, with the days left over.
    Months,
    /// Years, with the months and days left over.
    Years,
}

/// Returns the time from one end to the other in words, and in minutes. A missing end is now. Between two events it is
/// the gap between them, whichever comes first.
///
/// # Errors
/// Returns a fault if a date is out of range.
pub(super) fn elapsed(
    from: Option<&End>,
    to: Option<&End>,
    unit: Option<Unit>,
    cx: &Cx,
) -> Result<(String, i64), Stop> {
    let now = (cx.now.clone(), cx.now.clone());
    let span = |end: Option<&End>| end.map_or_else(|| now.clone(), |end| end.span(cx));
    let (first, second) = (span(from), span(to));
    let ((_, begin), (end, _)) = if first.0 <= second.0 {
        (&first, &second)
    } else {
        (&second, &first)
    };
    let minutes = begin.duration_until(end).as_mins();
    let named = |end: Option<&End>| end.map(|end| end.named(cx));
    let say = match (named(from), named(to)) {
        (Some(one), Some(other)) if minutes < 0 => format!("{one} and {other} overlap."),
        (Some(one), Some(other)) => {
            format!("{} between {one} and {other}.", said(begin, end, unit)?)
        }
        (None, Some(later)) if second.0 >= now.0 => {
            format!("{} until {later}.", said(begin, end, unit)?)
        }
        (Some(past), None) if first.0 <= now.0 => {
            format!("{} since {past}.", said(begin, end, unit)?)
        }
        (Some(other), None) | (None, Some(other)) => {
            let when = if first.0 < second.0 { "until" } else { "since" };
            format!("{} {when} {other}.", said(begin, end, unit)?)
        }
        (None, None) => return Err(bad("Say from when or until when.")),
    };
    Ok((say, minutes))
}

impl End {
    /// Returns where this end begins and ends.
    fn span(&self, cx: &Cx) -> (Zoned, Zoned) {
        let at = |moment: &Moment| moment.starts(&cx.zone()).to_zoned(cx.zone());
        match self {
            Self::Moment(moment) => (at(moment), at(moment)),
            Self::Event { start, end, .. } => (at(start), at(end)),
        }
    }

    fn named(&self, cx: &Cx) -> String {
        match self {
            Self::Moment(moment) => words::moment(moment, cx),
            Self::Event { summary, start, .. } => {
                format!("{} ({})", words::quoted(summary), words::moment(start, cx))
            }
        }
    }
}

/// Returns a length in words, in the given unit; by default in hours below two days and in days from there on.
fn said(begin: &Zoned, end: &Zoned, unit: Option<Unit>) -> Result<String, Stop> {
    let length = begin.duration_until(end);
    let usual = if length < SignedDuration::from_hours(48) {
        Unit::Hours
    } else {
        Unit::Days
    };
    let unit = unit.unwrap_or(usual);
    let (first, last) = (begin.date(), end.date());
    let parts = match unit {
        Unit::Minutes => return Ok(format!("{} min", length.as_mins())),
        Unit::Hours => {
            let (hours, minutes) = (length.as_hours(), length.as_mins() % 60);
            let minutes = (minutes != 0 || hours == 0).then(|| format!("{minutes} min"));
            let hours = (hours != 0).then(|| format!("{hours} h"));
            let parts: Vec<_> = [hours, minutes].into_iter().flatten().collect();
            return Ok(parts.join(" "));
        }
        Unit::Days => vec![(days(first, last)?, "day")],
        Unit::Weeks => {
            let days = days(first, last)?;
            vec![(days / 7, "week"), (days % 7, "day")]
        }
        Unit::Months | Unit::Years => {
            let step = match unit {
                Unit::Years => Step::Year,
                _ => Step::Month,
            };
            let span = first.until((step, last)).map_err(|_| too_far())?;
            vec![
                (i32::from(span.get_years()), "year"),
                (span.get_months(), "month"),
                (span.get_days(), "day"),
            ]
        }
    };
    let told = parts.iter().filter(|(count, _)| *count != 0);
    let told: Vec<String> = told
        .map(|(count, noun)| words::plural(usize::try_from(*count).unwrap_or(0), noun))
        .collect();
    Ok(match told.is_empty() {
        true => words::plural(0, parts.last().map_or("day", |(_, noun)| noun)),
        false => words::join(&told),
    })
}

fn days(first: Date, last: Date) -> Result<i32, Stop> {
    let span = first.until((Step::Day, last)).map_err(|_| too_far())?;
    Ok(span.get_days())
}

fn too_far() -> Stop {
    bad("That date is too far away.")
}
