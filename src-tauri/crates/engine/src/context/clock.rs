//! The time and the person, as a model is told.

use adjutant_domain::settings::{Settings, WeekStart};
use jiff::{ToSpan, Zoned};
use serde::Serialize;

/// Days that are spelled out, so that "next Thursday" needs no arithmetic.
const DAYS: i64 = 8;
/// Characters of a name or address.
const NAME_CHARS_MAX: usize = 80;
/// Addresses that are told.
const EMAILS_MAX: usize = 4;

/// Now, in the person's zone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Now {
    /// `2026-11-20T13:50+01:00`.
    pub at: String,
    /// `Europe/Berlin`.
    pub zone: String,
    /// `Fri 2026-11-20 (today), Sat 2026-11-21, …`
    pub days: String,
}

impl Now {
    /// A moment, told.
    #[must_use]
    pub fn new(now: &Zoned) -> Self {
        let days: Vec<_> = (0..DAYS)
            .filter_map(|ahead| now.date().checked_add(ahead.days()).ok())
            .enumerate()
            .map(|(ahead, day)| {
                let today = if ahead == 0 { " (today)" } else { "" };
                format!("{}{today}", day.strftime("%a %Y-%m-%d"))
            })
            .collect();
        Self {
            at: now.strftime("%Y-%m-%dT%H:%M%:z").to_string(),
            zone: now
                .time_zone()
                .iana_name()
                .unwrap_or("no named zone")
                .to_owned(),
            days: days.join(", "),
        }
    }
}

/// The person, as settings know them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Profile {
    /// Name; may be empty.
    pub name: String,
    /// Addresses, the usual sender first.
    pub emails: Vec<String>,
    /// `09:00`.
    pub work_start: String,
    /// `18:00`.
    pub work_end: String,
    /// `Monday`.
    pub week_start: &'static str,
    /// Minutes of an event without an end.
    pub event_minutes: u32,
}

impl Profile {
    /// The settings, told.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        let cut = |text: &str| {
            let one_line = adjutant_prompts::inert(text).replace('\n', " ");
            one_line.chars().take(NAME_CHARS_MAX).collect::<String>()
        };
        Self {
            name: cut(&settings.owner.name),
            emails: settings
                .owner
                .emails
                .iter()
                .take(EMAILS_MAX)
                .map(|one| cut(one))
                .collect(),
            work_start: settings.work_start.strftime("%H:%M").to_string(),
            work_end: settings.work_end.strftime("%H:%M").to_string(),
            week_start: match settings.week_start {
                WeekStart::Monday => "Monday",
                WeekStart::Sunday => "Sunday",
                WeekStart::Saturday => "Saturday",
            },
            event_minutes: settings.event_minutes,
        }
    }
}
