//! The date order implied by the system locale.

use adjutant_settings::System;

use crate::environment;

/// Environment variables that name the locale for dates, in order of precedence.
const VARIABLES: [&str; 3] = ["LC_ALL", "LC_TIME", "LANG"];
/// Territories where English (or Filipino) puts the month first, according to CLDR.
const MONTH_FIRST_TERRITORIES: [&str; 11] = [
    "AS", "BI", "CA", "GU", "MH", "MP", "PH", "PR", "UM", "US", "VI",
];
/// Languages that put the month first in [`MONTH_FIRST_TERRITORIES`] only.
const MONTH_FIRST_THERE: [&str; 2] = ["en", "fil"];
/// Languages that put the month first everywhere.
const MONTH_FIRST: [&str; 7] = ["eu", "hu", "ja", "ko", "lt", "mn", "zh"];

/// Reads the system's conventions from the environment of this process.
pub(crate) fn system() -> System {
    let named = VARIABLES.iter().find_map(|variable| {
        let set = environment::all().find(|(name, _)| name == variable);
        // POSIX treats an empty variable as unset.
        set.map(|(_, value)| value)
            .filter(|value| !value.is_empty())
    });
    System {
        day_first: named.as_deref().and_then(day_first),
    }
}

/// Whether a locale such as `en_GB.UTF-8` writes the day before the month. `None` for a locale without a region, such
/// as `C`.
fn day_first(locale: &str) -> Option<bool> {
    let name = locale.split(['.', '@']).next().unwrap_or_default();
    let mut parts = name.split(['_', '-']);
    let language = parts.next().unwrap_or_default().to_lowercase();
    if matches!(language.as_str(), "" | "c" | "posix") {
        return None;
    }
    let territory = parts.next_back().unwrap_or_default().to_uppercase();
    let there = MONTH_FIRST_THERE.contains(&language.as_str())
        && MONTH_FIRST_TERRITORIES.contains(&territory.as_str());
    Some(!there && !MONTH_FIRST.contains(&language.as_str()))
}

#[cfg(test)]
mod tests {
    use super::day_first;

    #[test]
    fn the_locale_says_which_comes_first() {
        for (locale, said) in [
            ("en_US.UTF-8", Some(false)),
            ("en_GB.UTF-8", Some(true)),
            ("en_CA", Some(false)),
            ("fr_CA.UTF-8", Some(true)),
            ("es_US", Some(true)),
            ("de_DE@euro", Some(true)),
            ("zh_Hant_TW.UTF-8", Some(false)),
            ("ja_JP", Some(false)),
            ("en-US", Some(false)),
            ("en", Some(true)),
            ("C.UTF-8", None),
            ("POSIX", None),
            ("", None),
        ] {
            assert_eq!(day_first(locale), said, "{locale}");
        }
    }
}
