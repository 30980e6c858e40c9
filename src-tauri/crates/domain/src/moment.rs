//! A point in a calendar: either a zoned instant or a whole day.

use std::fmt;
use std::str::FromStr;

use jiff::{Timestamp, Zoned, civil, tz::TimeZone};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// When something is due, starts or ends. A day has no time zone: it is the same date everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moment {
    /// A whole day.
    Day(civil::Date),
    /// An instant with its time zone.
    At(Zoned),
}

impl Moment {
    /// Returns the instant at which this begins for somebody living in `zone`.
    ///
    /// If midnight does not exist because of a gap in daylight saving, a day begins at its first existing instant.
    #[must_use]
    pub fn starts(&self, zone: &TimeZone) -> Timestamp {
        match self {
            Self::At(at) => at.timestamp(),
            Self::Day(day) => day
                .to_zoned(zone.clone())
                .map_or(Timestamp::MIN, |at| at.timestamp()),
        }
    }

    /// Returns the date on which this falls for somebody living in `zone`.
    #[must_use]
    pub fn date(&self, zone: &TimeZone) -> civil::Date {
        match self {
            Self::At(at) => at.timestamp().to_zoned(zone.clone()).date(),
            Self::Day(day) => *day,
        }
    }

    /// Returns whether this is a whole day.
    #[must_use]
    pub fn is_day(&self) -> bool {
        matches!(self, Self::Day(_))
    }

    /// Formats it as `show` prints it: RFC 3339 with offset, or a plain date.
    #[must_use]
    pub fn rfc3339(&self) -> String {
        match self {
            Self::Day(day) => day.to_string(),
            Self::At(at) => rfc3339(at),
        }
    }
}

/// Formats an instant as RFC 3339 with offset, in whole seconds unless it has a fraction.
#[must_use]
pub fn rfc3339(at: &Zoned) -> String {
    let mut text = at.datetime().to_string();
    let seconds = at.offset().seconds();
    if seconds == 0 {
        text.push('Z');
    } else {
        let sign = if seconds < 0 { '-' } else { '+' };
        let minutes = seconds.abs() / 60;
        text.push_str(&format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60));
    }
    text
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Day(day) => day.fmt(f),
            Self::At(at) => at.fmt(f),
        }
    }
}

/// Error: the text is neither a date nor an instant with a zone or offset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "“{0}” is neither a date (2026-01-31) nor a time with zone (2026-01-31T15:00:00+01:00[Europe/Paris])"
)]
pub struct NotAMoment(pub String);

impl FromStr for Moment {
    type Err = NotAMoment;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Ok(at) = text.parse::<Zoned>() {
            return Ok(Self::At(at));
        }
        if text.contains(['T', 't', ' ']) {
            // RFC 3339 without a bracketed zone: keep the offset as a fixed zone.
            let pieces = jiff::fmt::temporal::DateTimeParser::new()
                .parse_pieces(text)
                .map_err(|_| NotAMoment(text.to_owned()))?;
            let offset = pieces.to_numeric_offset();
            return match (offset, text.parse::<Timestamp>()) {
                (Some(offset), Ok(at)) => Ok(Self::At(at.to_zoned(TimeZone::fixed(offset)))),
                (None, Ok(at)) => Ok(Self::At(at.to_zoned(TimeZone::UTC))),
                _ => Err(NotAMoment(text.to_owned())),
            };
        }
        text.parse::<civil::Date>()
            .map(Self::Day)
            .map_err(|_| NotAMoment(text.to_owned()))
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl schemars::JsonSchema for Moment {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Moment".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "A date (2026-01-31) or an RFC 3339 time with offset, optionally with the zone in brackets"
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_read_back_what_they_print() {
        for text in [
            "2026-01-31",
            "2026-01-12T09:00:00-05:00[America/New_York]",
            "2026-01-12T09:00:00+00:00[UTC]",
        ] {
            let moment: Moment = text.parse().expect("a moment");
            assert_eq!(moment.to_string().parse::<Moment>().as_ref(), Ok(&moment));
        }
    }

    #[test]
    fn an_offset_without_zone_is_kept() {
        let moment: Moment = "2026-01-12T09:00:00-05:00".parse().expect("a moment");
        assert_eq!(moment.rfc3339(), "2026-01-12T09:00:00-05:00");
        let utc: Moment = "2026-01-12T09:00:00Z".parse().expect("a moment");
        assert_eq!(utc.rfc3339(), "2026-01-12T09:00:00Z");
        assert!("tomorrow".parse::<Moment>().is_err());
        assert!("2026-01-12T09:00:00".parse::<Moment>().is_err());
    }
}
