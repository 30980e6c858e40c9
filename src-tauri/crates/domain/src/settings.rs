//! Settings that pure code reads. The `settings` crate stores them and merges their layers.

use std::collections::BTreeMap;

use jiff::civil;
use serde::{Deserialize, Serialize};

/// Typed settings of a profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The person.
    pub owner: Owner,
    /// IANA time zone; empty to follow the system.
    pub time_zone: String,
    /// First day of the week: `monday`, `sunday` or `saturday`.
    pub week_start: WeekStart,
    /// Start of working hours.
    pub work_start: civil::Time,
    /// End of working hours.
    pub work_end: civil::Time,
    /// 12-hour or 24-hour clock.
    pub clock: ClockFace,
    /// Order of dates, shown and read. `true`: `Tue 13 Jan`, and `3/4` is 3 April. `false`: `Tue Jan 13`, and `3/4` is
    /// 4 March. Unless the person chooses, the system's locale decides.
    pub day_first: bool,
    /// Length of an event without a given end, in minutes.
    pub event_minutes: u32,
    /// How long an approved mail is held before it is sent, in seconds; 0 sends at once. See [`Settings::hold`].
    pub hold_seconds: Option<u32>,
    /// Settings of approvals.
    pub approval: Approval,
    /// Absolute paths of folders that Adjutant may search and read.
    pub folders: Vec<String>,
    /// Signatures under mails, by sender address.
    pub signatures: Texts,
    /// Whether to ask even before changes that can be undone.
    pub ask_always: bool,
}

/// Named texts, stored as one text: a JSON object, or an empty text if there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Texts(BTreeMap<String, String>);

impl Texts {
    /// Returns the text of a name, ignoring ASCII case, or `None` if it is missing or blank.
    #[must_use]
    pub fn of(&self, name: &str) -> Option<&str> {
        let mut all = self.0.iter();
        let found = all.find(|(one, _)| one.eq_ignore_ascii_case(name))?;
        Some(found.1.trim()).filter(|text| !text.is_empty())
    }
}

impl TryFrom<String> for Texts {
    type Error = serde_json::Error;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.trim() {
            "" => Ok(Self::default()),
            text => serde_json::from_str(text).map(Self),
        }
    }
}

impl From<Texts> for String {
    fn from(texts: Texts) -> Self {
        match texts.0.is_empty() {
            true => Self::new(),
            false => serde_json::json!(texts.0).to_string(),
        }
    }
}

/// Settings of approvals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Approval {
    /// How long an approved action may wait for a connection, in hours.
    pub offline_hours: u32,
}

impl Default for Approval {
    fn default() -> Self {
        Self { offline_hours: 24 }
    }
}

/// The person the profile belongs to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Owner {
    /// Name for signing mails.
    pub name: String,
    /// Mail addresses, default sender first.
    pub emails: Vec<String>,
}

/// First day of the week.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WeekStart {
    /// Monday (ISO 8601).
    #[default]
    Monday,
    /// Sunday.
    Sunday,
    /// Saturday.
    Saturday,
}

/// 12-hour or 24-hour clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClockFace {
    /// `17:30`.
    #[default]
    #[serde(rename = "24h")]
    Hours24,
    /// `5:30 pm`.
    #[serde(rename = "12h")]
    Hours12,
}

impl ClockFace {
    /// Formats a time of day.
    #[must_use]
    pub fn show(self, time: civil::Time) -> String {
        let form = match self {
            Self::Hours24 => "%H:%M",
            Self::Hours12 => "%-I:%M %P",
        };
        time.strftime(form).to_string()
    }
}

/// Order of day and month in a date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DateOrder {
    /// `Tue 13 Jan 2026`.
    #[default]
    DayFirst,
    /// `Tue Jan 13, 2026`.
    MonthFirst,
}

impl DateOrder {
    /// Returns the order selected by the setting "day first".
    #[must_use]
    pub fn of(day_first: bool) -> Self {
        if day_first {
            Self::DayFirst
        } else {
            Self::MonthFirst
        }
    }

    /// Formats a date as `Tue 13 Jan`, with the year if it is not `this_year`.
    #[must_use]
    pub fn show(self, date: civil::Date, this_year: i16) -> String {
        format!("{} {}", date.strftime("%a"), self.short(date, this_year))
    }

    /// Formats a date as `Tue 13 Jan 2026`, always with the year.
    #[must_use]
    pub fn show_with_year(self, date: civil::Date) -> String {
        let form = match self {
            Self::DayFirst => "%a %-d %b %Y",
            Self::MonthFirst => "%a %b %-d, %Y",
        };
        date.strftime(form).to_string()
    }

    /// Formats a date as `13 Jan`, with the year if it is not `this_year`.
    #[must_use]
    pub fn short(self, date: civil::Date, this_year: i16) -> String {
        let form = match (self, date.year() == this_year) {
            (Self::DayFirst, true) => "%-d %b",
            (Self::DayFirst, false) => "%-d %b %Y",
            (Self::MonthFirst, true) => "%b %-d",
            (Self::MonthFirst, false) => "%b %-d, %Y",
        };
        date.strftime(form).to_string()
    }

    /// Formats a date as `Tuesday, 13 January 2026`.
    #[must_use]
    pub fn long(self, date: civil::Date) -> String {
        let form = match self {
            Self::DayFirst => "%A, %-d %B %Y",
            Self::MonthFirst => "%A, %B %-d, %Y",
        };
        date.strftime(form).to_string()
    }
}

/// Default hold of an approved mail, in seconds.
const HOLD_SECONDS: u32 = 20;

impl Settings {
    /// Returns the order of dates.
    #[must_use]
    pub fn date_order(&self) -> DateOrder {
        DateOrder::of(self.day_first)
    }

    /// Returns how long an approved mail is held, in seconds. Without an account that can send it, the default hold is
    /// 0: the mail stays in the outbox, where the person can revoke it at any time.
    #[must_use]
    pub fn hold(&self, can_send: bool) -> u32 {
        self.hold_seconds
            .unwrap_or(if can_send { HOLD_SECONDS } else { 0 })
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            owner: Owner::default(),
            time_zone: String::new(),
            week_start: WeekStart::Monday,
            work_start: civil::time(9, 0, 0, 0),
            work_end: civil::time(18, 0, 0, 0),
            clock: ClockFace::Hours24,
            day_first: true,
            event_minutes: 30,
            hold_seconds: None,
            approval: Approval::default(),
            folders: Vec::new(),
            signatures: Texts::default(),
            ask_always: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ClockFace, DateOrder, Settings, Texts};
    use jiff::civil::{date, time};

    #[test]
    fn a_date_is_written_in_one_order_and_names_another_year() {
        let day = date(2026, 1, 13);
        for (order, here, elsewhere, long) in [
            (
                DateOrder::DayFirst,
                "Tue 13 Jan",
                "Tue 13 Jan 2026",
                "Tuesday, 13 January 2026",
            ),
            (
                DateOrder::MonthFirst,
                "Tue Jan 13",
                "Tue Jan 13, 2026",
                "Tuesday, January 13, 2026",
            ),
        ] {
            assert_eq!(order.show(day, 2026), here);
            assert_eq!(order.show(day, 2025), elsewhere);
            assert_eq!(order.show_with_year(day), elsewhere);
            assert_eq!(order.long(day), long);
        }
    }

    #[test]
    fn texts_by_name_are_one_text_and_read_back() {
        let kept = r#"{"Me@home.example":"Kim\nHome Ltd"}"#;
        let texts = Texts::try_from(kept.to_owned()).unwrap();
        assert_eq!(texts.of("me@HOME.example"), Some("Kim\nHome Ltd"));
        assert_eq!(texts.of("other@home.example"), None);
        assert_eq!(String::from(texts), kept);
        assert_eq!(Texts::try_from(String::new()).unwrap(), Texts::default());
        assert!(Texts::try_from("Kim".to_owned()).is_err());
    }

    #[test]
    fn mail_is_held_where_it_can_leave_or_where_it_was_asked_for() {
        let mut settings = Settings::default();
        assert_eq!((settings.hold(true), settings.hold(false)), (20, 0));
        for seconds in [0, 30] {
            settings.hold_seconds = Some(seconds);
            assert_eq!(
                (settings.hold(true), settings.hold(false)),
                (seconds, seconds)
            );
        }
    }

    #[test]
    fn noon_and_midnight_are_told_apart() {
        for (at, wide, narrow) in [
            (time(0, 5, 0, 0), "00:05", "12:05 am"),
            (time(9, 0, 0, 0), "09:00", "9:00 am"),
            (time(12, 0, 0, 0), "12:00", "12:00 pm"),
            (time(17, 30, 0, 0), "17:30", "5:30 pm"),
        ] {
            assert_eq!(ClockFace::Hours24.show(at), wide);
            assert_eq!(ClockFace::Hours12.show(at), narrow);
        }
    }
}
