//! The time and the person, as shown to a model.

use adjutant_domain::settings::{Settings, WeekStart};
use jiff::{ToSpan, Zoned};
use serde::Serialize;

use adjutant_domain::model::tokens::estimate;

/// Days to spell out, so that "next Thursday" needs no arithmetic.
const DAYS: i64 = 8;
/// Maximum length of a name or address in characters.
const NAME_CHARS_MAX: usize = 80;
/// Maximum number of addresses to show.
const EMAILS_MAX: usize = 4;

/// The present time in the person's zone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Now {
    /// Local time with offset, such as `2026-11-20T13:50+01:00`.
    pub at: String,
    /// IANA name of the zone, such as `Europe/Berlin`.
    pub zone: String,
    /// The next days: `Fri 2026-11-20 (today), Sat 2026-11-21, …`
    pub days: String,
}

impl Now {
    /// Formats a time for a model.
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

/// The person as known from settings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Profile {
    /// Name; may be empty.
    pub name: String,
    /// Mail addresses, the default sender first.
    pub emails: Vec<String>,
    /// Start of work, such as `09:00`.
    pub work_start: String,
    /// End of work, such as `18:00`.
    pub work_end: String,
    /// First day of the week, such as `Monday`.
    pub week_start: &'static str,
    /// Default length of an event in minutes.
    pub event_minutes: u32,
}

/// Tokens of the fixed wording around the values (`prompts/partials/now.md`).
const WORDS_TOKENS: u64 = 64;

/// Returns time and person within `budget` tokens, and the tokens they take. Over budget, addresses are dropped first,
/// then the name; the time always stays.
#[must_use]
pub fn told(now: &Zoned, settings: &Settings, budget: u64) -> (Now, Profile, u64) {
    let (now, mut profile) = (Now::new(now), Profile::new(settings));
    let fixed = WORDS_TOKENS + estimate(&now.at) + estimate(&now.zone) + estimate(&now.days);
    let cost = |profile: &Profile| {
        let emails: u64 = profile.emails.iter().map(|one| estimate(one) + 1).sum();
        fixed + estimate(&profile.name) + emails
    };
    while cost(&profile) > budget && profile.emails.pop().is_some() {}
    if cost(&profile) > budget {
        profile.name.clear();
    }
    let tokens = cost(&profile);
    (now, profile, tokens)
}

impl Profile {
    /// Formats the settings for a model.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_gives_way_and_the_time_stays() {
        let now: Zoned = "2026-01-12T09:00:00+01:00[Europe/Berlin]"
            .parse()
            .expect("a time");
        let mut settings = Settings::default();
        settings.owner.name = "Ana Roth".into();
        settings.owner.emails = vec!["ana@home.example".into()];
        let (_, profile, tokens) = told(&now, &settings, 200);
        assert_eq!(profile.emails.len(), 1);
        assert!(tokens <= 200, "{tokens}");
        settings.owner.name = "名".repeat(400);
        settings.owner.emails = vec!["ana@home.example".into(); 9];
        let (now, profile, tokens) = told(&now, &settings, 200);
        assert!(tokens <= 200 && profile.emails.is_empty() && !now.at.is_empty());
    }
}
