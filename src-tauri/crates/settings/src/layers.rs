//! Layers of settings, each overriding the previous one: built-in defaults, system, profile, environment.

use std::collections::BTreeMap;

use adjutant_domain::settings::Texts;
use figment::Figment;
use figment::providers::Serialized;
use serde_json::{Value, json};

use crate::All;
use crate::keys::{Form, KEYS, Key, VALUE_BYTES_MAX, key};

/// Prefix of environment variables that set a setting: `ADJUTANT_SET_OWNER__NAME` sets `owner.name`.
pub const ENV_PREFIX: &str = "ADJUTANT_SET_";
/// Other environment variables, and the settings they set.
const NAMED: [(&str, &str); 1] = [("ADJUTANT_GOOGLE_ENDPOINT", "google.endpoint")];

/// Origin of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Built in, or taken from the system.
    Default,
    /// Set by the person in this profile.
    Profile,
    /// Set by an environment variable.
    Environment,
}

impl Origin {
    /// Returns the word shown for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Profile => "profile",
            Self::Environment => "environment",
        }
    }
}

/// Why a setting or value is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSetting {
    /// There is no such setting.
    #[error("there is no setting called {name}")]
    Unknown {
        /// The key asked for.
        name: String,
    },
    /// The value does not have the form of the setting.
    #[error("“{value}” is not a valid value for {name}: give {expected}")]
    Unfit {
        /// Key of the setting.
        name: String,
        /// The rejected value, truncated.
        value: String,
        /// Description of a valid value.
        expected: String,
    },
    /// The value contains a password, which settings must not hold.
    #[error(
        "settings cannot hold a password: leave it out of {name}, and give it in the environment (HTTPS_PROXY with {name} empty, or ADJUTANT_SET_NETWORK__PROXY) or with the proxy of a single connection"
    )]
    HoldsPassword {
        /// Key of the setting.
        name: String,
    },
}

/// A setting as listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Key and form of the setting.
    pub key: &'static Key,
    /// Its value as text.
    pub value: String,
    /// Its default as text.
    pub default: String,
    /// Origin of the value.
    pub origin: Origin,
}

/// Values from the system, which override built-in defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct System {
    /// Whether the system's locale puts the day before the month; `None` if there is no locale.
    pub day_first: Option<bool>,
}

/// The layers of one profile.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    system: System,
    profile: BTreeMap<String, String>,
    environment: BTreeMap<String, String>,
}

impl Layers {
    /// Creates layers from the system's values, the profile's values and all environment variables, of which unrelated
    /// ones are ignored. Leaves out invalid values and returns why.
    pub fn new(
        system: System,
        profile: impl IntoIterator<Item = (String, String)>,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> (Self, Vec<BadSetting>) {
        let mut layers = Self {
            system,
            ..Self::default()
        };
        let mut bad = Vec::new();
        for (name, value) in profile {
            match check(&name, &value) {
                Ok(_) => drop(layers.profile.insert(name, value)),
                Err(problem) => bad.push(problem),
            }
        }
        for (name, value) in environment {
            let named = NAMED.iter().find(|(variable, _)| *variable == name);
            let name = match (named, name.strip_prefix(ENV_PREFIX)) {
                (Some((_, key)), _) => (*key).to_owned(),
                (None, Some(name)) => name.to_lowercase().replace("__", "."),
                (None, None) => continue,
            };
            match check(&name, &value) {
                Ok(_) => drop(layers.environment.insert(name, value)),
                Err(problem) => bad.push(problem),
            }
        }
        (layers, bad)
    }

    /// Sets (`Some`) or resets (`None`) a value of the profile.
    ///
    /// # Errors
    /// Returns [`BadSetting`] if the key is unknown, the value is invalid or contains a password. Nothing changes then.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), BadSetting> {
        let key = key(name).ok_or_else(|| BadSetting::Unknown { name: name.into() })?;
        match value {
            Some(value) => {
                check(name, value)?;
                if key.form == Form::Proxy && password(value).is_some() {
                    return Err(BadSetting::HoldsPassword { name: name.into() });
                }
                self.profile.insert(key.name.into(), value.trim().into());
            }
            None => drop(self.profile.remove(name)),
        }
        Ok(())
    }

    /// Returns all settings, typed.
    #[must_use]
    pub fn all(&self) -> All {
        let mut figment = Figment::from(Serialized::defaults(self.defaults()));
        for (name, value) in self.profile.iter().chain(&self.environment) {
            if let Ok(value) = check(name, value) {
                figment = figment.merge((name.as_str(), value));
            }
        }
        // Every value was checked, so this cannot fail. If it does, the defaults are the safest answer.
        figment.extract().unwrap_or_else(|_| self.defaults())
    }

    /// Returns the system's values from when these layers were created.
    #[must_use]
    pub fn system(&self) -> System {
        self.system
    }

    /// Returns the values that apply where the person sets nothing.
    fn defaults(&self) -> All {
        let mut all = All::default();
        if let Some(day_first) = self.system.day_first {
            all.core.day_first = day_first;
        }
        all
    }

    /// Lists one setting, or all of them.
    ///
    /// # Errors
    /// Returns [`BadSetting::Unknown`] if there is no setting with this name.
    pub fn show(&self, name: Option<&str>) -> Result<Vec<Shown>, BadSetting> {
        if let Some(name) = name
            && key(name).is_none()
        {
            return Err(BadSetting::Unknown { name: name.into() });
        }
        let defaults = json!(self.defaults());
        let values = json!(self.all());
        Ok(KEYS
            .iter()
            .filter(|key| name.is_none_or(|name| key.name == name))
            .map(|key| Shown {
                key,
                value: shown(text_at(&values, key), key),
                default: text_at(&defaults, key),
                origin: if self.environment.contains_key(key.name) {
                    Origin::Environment
                } else if self.profile.contains_key(key.name) {
                    Origin::Profile
                } else {
                    Origin::Default
                },
            })
            .collect())
    }
}

/// Returns the text to show, with the password of a proxy masked: one may come from the environment.
fn shown(text: String, key: &Key) -> String {
    match password(&text) {
        Some(range) if key.form == Form::Proxy => {
            format!("{}…{}", &text[..range.start], &text[range.end..])
        }
        _ => text,
    }
}

/// Finds the password in an address such as `http://name:password@host:3128`.
fn password(address: &str) -> Option<std::ops::Range<usize>> {
    let start = address.find("://").map_or(0, |at| at + 3);
    let rest = &address[start..];
    let authority = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
    let at = authority.rfind('@')?;
    let colon = authority[..at].find(':')?;
    (colon + 1 < at).then_some(start + colon + 1..start + at)
}

/// Returns the value of a setting as the person would type it.
fn text_at(values: &Value, key: &Key) -> String {
    let pointer = format!("/{}", key.name.replace('.', "/"));
    match values.pointer(&pointer) {
        Some(Value::String(text)) if key.form == Form::Time => {
            text.get(..5).unwrap_or(text).to_owned()
        }
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(list)) => list
            .iter()
            .filter_map(Value::as_str)
            .collect::<Vec<_>>()
            .join(", "),
        Some(Value::Null) | None => String::new(),
        Some(other) => other.to_string(),
    }
}

/// Checks a value given as text and converts it to its typed form.
fn check(name: &str, value: &str) -> Result<Value, BadSetting> {
    let key = key(name).ok_or_else(|| BadSetting::Unknown { name: name.into() })?;
    let text = value.trim();
    let unfit = |expected: &str| BadSetting::Unfit {
        name: name.into(),
        value: text.chars().take(80).collect(),
        expected: expected.into(),
    };
    if text.len() > VALUE_BYTES_MAX || text.contains(['\n', '\r', '\0']) {
        return Err(unfit("one line of at most 4096 bytes"));
    }
    match key.form {
        Form::Text | Form::Proxy => Ok(json!(text)),
        Form::List => Ok(json!(items(text))),
        Form::Texts => match Texts::try_from(text.to_owned()) {
            Ok(_) => Ok(json!(text)),
            Err(_) => Err(unfit("texts by name, such as {\"name\": \"text\"}")),
        },
        Form::Folders => {
            let folders = items(text);
            if folders
                .iter()
                .all(|folder| std::path::Path::new(folder).is_absolute())
            {
                Ok(json!(folders))
            } else {
                Err(unfit("absolute paths of folders, separated by commas"))
            }
        }
        Form::Zone if text.is_empty() => Ok(json!("")),
        Form::Zone => match jiff::tz::TimeZone::get(text) {
            Ok(_) => Ok(json!(text)),
            Err(_) => Err(unfit("a time zone such as Europe/Paris")),
        },
        Form::Time => text
            .parse::<jiff::civil::Time>()
            .map(|time| json!(time))
            .map_err(|_| unfit("a time such as 09:00")),
        Form::Switch => match text {
            "true" | "yes" | "on" => Ok(json!(true)),
            "false" | "no" | "off" => Ok(json!(false)),
            _ => Err(unfit("true or false")),
        },
        Form::NumberOrNone(..) if text.is_empty() => Ok(Value::Null),
        Form::Number(least, most) | Form::NumberOrNone(least, most) => match text.parse::<u32>() {
            Ok(number) if (least..=most).contains(&number) => Ok(json!(number)),
            _ => Err(unfit(&format!("a whole number from {least} to {most}"))),
        },
        Form::Money => match text.parse::<crate::Money>() {
            Ok(amount) => Ok(json!(amount)),
            Err(expected) => Err(unfit(&expected.to_string())),
        },
        Form::Currency if text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase()) => {
            Ok(json!(text))
        }
        Form::Currency => Err(unfit("three capital letters such as EUR")),
        Form::SomeOf(words) => {
            let chosen = items(text);
            if !chosen.is_empty() && chosen.iter().all(|word| words.contains(word)) {
                Ok(json!(chosen))
            } else {
                Err(unfit(&format!("one or more of {}", words.join(", "))))
            }
        }
        Form::AnyOf(words) => {
            let chosen = items(text);
            if chosen.iter().all(|word| words.contains(word)) {
                Ok(json!(chosen))
            } else {
                Err(unfit(&format!("any of {}, or nothing", words.join(", "))))
            }
        }
        Form::OneOf(words) if words.contains(&text) => Ok(json!(text)),
        Form::OneOf(words) => Err(unfit(&format!("one of {}", words.join(", ")))),
    }
}

fn items(text: &str) -> Vec<&str> {
    text.split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.into(), value.into())
    }

    #[test]
    fn a_password_of_the_proxy_is_neither_kept_nor_shown() {
        let mut layers = Layers::default();
        for address in [
            "http://me:s3cret@proxy.example:3128",
            "socks5h://me:s3:c@ret@127.0.0.1:9050/",
            "me:s3cret@proxy.example",
        ] {
            let refused = layers.set("network.proxy", Some(address)).unwrap_err();
            assert!(matches!(refused, BadSetting::HoldsPassword { .. }));
            assert!(!refused.to_string().contains("s3"), "{refused}");
        }
        for address in [
            "",
            "none",
            "http://me@proxy.example:3128",
            "http://[::1]:3128",
            "http://me:@proxy.example:3128/a:b@c",
        ] {
            assert_eq!(
                layers.set("network.proxy", Some(address)),
                Ok(()),
                "{address}"
            );
        }
        let name = format!("{ENV_PREFIX}NETWORK__PROXY");
        let (layers, bad) = Layers::new(
            System::default(),
            [],
            [(name, "http://me:s3cret@proxy.example:3128".into())],
        );
        assert!(bad.is_empty());
        assert!(layers.all().network.proxy.contains("s3cret"), "it is used");
        let shown = layers.show(Some("network.proxy")).unwrap();
        assert_eq!(shown[0].value, "http://me:…@proxy.example:3128");
    }

    #[test]
    fn every_setting_has_a_key_and_every_key_a_setting() {
        let mut leaves = Vec::new();
        let mut todo = vec![(String::new(), json!(All::default()))];
        while let Some((path, value)) = todo.pop() {
            match value {
                Value::Object(map) => {
                    for (name, inner) in map {
                        let path = if path.is_empty() {
                            name
                        } else {
                            format!("{path}.{name}")
                        };
                        todo.push((path, inner));
                    }
                }
                _ => leaves.push(path),
            }
        }
        leaves.sort();
        let mut keys: Vec<_> = KEYS.iter().map(|key| key.name.to_owned()).collect();
        keys.sort();
        assert_eq!(leaves, keys);
    }

    #[test]
    fn defaults_read_back() {
        let layers = Layers::default();
        for shown in layers.show(None).expect("all") {
            assert!(check(shown.key.name, &shown.default).is_ok(), "{shown:?}");
        }
        assert_eq!(layers.all(), All::default());
    }

    #[test]
    fn later_layers_win_and_bad_values_are_reported() {
        let (layers, bad) = Layers::new(
            System::default(),
            [
                pair("owner.name", "Ana"),
                pair("work_start", "25:00"),
                pair("gone", "x"),
                pair("owner.emails", "a@b.c, d@e.f"),
            ],
            [pair("ADJUTANT_SET_OWNER__NAME", "Bo"), pair("PATH", "/bin")],
        );
        assert_eq!(bad.len(), 2);
        let all = layers.all();
        assert_eq!(all.core.owner.name, "Bo");
        assert_eq!(all.core.owner.emails, ["a@b.c", "d@e.f"]);
        assert_eq!(
            layers.show(Some("owner.name")).expect("one")[0].origin,
            Origin::Environment
        );
    }

    #[test]
    fn values_are_checked() {
        let mut layers = Layers::default();
        for (name, value, fits) in [
            ("time_zone", "Europe/Paris", true),
            ("time_zone", "Mars/Olympus", false),
            ("folders", "relative", false),
            ("hold_seconds", "121", false),
            ("hold_seconds", "", true),
            ("event_minutes", "", false),
            ("desktop.theme", "dark", true),
            ("desktop.theme", "pink", false),
            ("day_first", "yes", true),
            ("owner.name", "a\nb", false),
            ("models.spend.day", "2.50", true),
            ("models.spend.day", "-1", false),
            ("models.tiers", "fast, deep", true),
            ("models.tiers", "fast, huge", false),
            ("models.tiers", "", false),
            ("models.currency", "EUR", true),
            ("models.currency", "Euro", false),
            ("nothing", "x", false),
        ] {
            assert_eq!(
                layers.set(name, Some(value)).is_ok(),
                fits,
                "{name} {value}"
            );
        }
        layers.set("day_first", Some("no")).expect("a switch");
        assert!(!layers.all().core.day_first);
        layers.set("day_first", None).expect("reset");
        assert!(layers.all().core.day_first);
    }

    #[test]
    fn the_system_says_what_the_person_does_not() {
        let system = System {
            day_first: Some(false),
        };
        let (mut layers, _) = Layers::new(system, [], []);
        let shown = &layers.show(Some("day_first")).expect("one")[0];
        assert_eq!(
            (shown.value.as_str(), shown.default.as_str(), shown.origin),
            ("false", "false", Origin::Default)
        );
        layers.set("day_first", Some("true")).expect("a switch");
        assert!(layers.all().core.day_first);
        assert_eq!(
            layers.show(Some("day_first")).expect("one")[0].default,
            "false"
        );
    }
}
