//! Settings of language models: what they may cost, which tiers are used, and when one counts as failing. Connections
//! are no settings of this kind: they are lists with secrets beside them, and kept by who connects.

use std::str::FromStr;

use adjutant_domain::model::{SpendLimits, Tier};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Settings of language models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Models {
    /// What they may cost.
    pub spend: Spend,
    /// The currency in which limits and prices are given: an ISO 4217 code. It is shown, never converted.
    pub currency: String,
    /// Tiers that may be used: `fast`, `standard`, `deep`.
    pub tiers: Vec<String>,
    /// How long a model in the world may take to begin a reply, in seconds; one on this computer three times as long.
    pub begin_seconds: u32,
    /// How long nothing may come in the middle of a reply, in seconds.
    pub stall_seconds: u32,
    /// How long a reply may take with everything that is tried for it, in seconds.
    pub deadline_seconds: u32,
    /// When a failing model is left alone.
    pub breaker: Breaker,
    /// The tone answers are put into, in the person's words; empty leaves them as they are.
    pub tone: String,
    /// Whether the answer to a hard request is looked over before it is shown.
    pub critique: bool,
    /// Name of a connection that is only compared with the others; empty for none.
    pub shadow: String,
    /// A folder with texts that are tried in the place of those of the same name; empty for none.
    pub shadow_prompts: String,
    /// The router that is tried beside the embedded one: [`SHADOW_ROUTERS`].
    pub shadow_router: String,
}

/// Routers that can be tried beside the embedded one: none, a model, or the phrases without the model of sentences.
pub const SHADOW_ROUTERS: &[&str] = &["none", "model", "phrases"];

impl Models {
    /// The tiers that may be used, from the cheapest to the dearest. None set means all: with none nothing could be asked.
    #[must_use]
    pub fn allowed_tiers(&self) -> Vec<Tier> {
        let set = Tier::ALL.map(|tier| {
            let named = self.tiers.iter().any(|name| name == tier.name());
            named.then_some(tier)
        });
        let allowed: Vec<Tier> = set.into_iter().flatten().collect();
        if allowed.is_empty() {
            Tier::ALL.to_vec()
        } else {
            allowed
        }
    }
}

impl Default for Models {
    fn default() -> Self {
        Self {
            spend: Spend::default(),
            currency: "USD".into(),
            tiers: Tier::ALL.map(|tier| tier.name().to_owned()).to_vec(),
            begin_seconds: 60,
            stall_seconds: 30,
            deadline_seconds: 180,
            breaker: Breaker::default(),
            tone: String::new(),
            critique: true,
            shadow: String::new(),
            shadow_prompts: String::new(),
            shadow_router: SHADOW_ROUTERS[0].into(),
        }
    }
}

/// Limits of what may be spent, each checked before a call at the worst it can cost. 0 allows what costs nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Spend {
    /// One request.
    pub call: Money,
    /// A day.
    pub day: Money,
    /// A month.
    pub month: Money,
    /// Background work, a day.
    pub background_day: Money,
}

impl Spend {
    /// As the governor takes them.
    #[must_use]
    pub fn limits(&self) -> SpendLimits {
        SpendLimits {
            call: self.call.micros(),
            day: self.day.micros(),
            month: self.month.micros(),
            background_day: self.background_day.micros(),
        }
    }
}

impl Default for Spend {
    /// Generous for a person's day, and small enough that a loop at night does not hurt.
    fn default() -> Self {
        Self {
            call: Money(500_000),
            day: Money(2_000_000),
            month: Money(20_000_000),
            background_day: Money(250_000),
        }
    }
}

/// When a failing model is left alone, and for how long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Breaker {
    /// More failures than this …
    pub failures: u32,
    /// … within so many minutes leave it alone …
    pub within_minutes: u32,
    /// … for so many minutes.
    pub rest_minutes: u32,
}

impl Default for Breaker {
    fn default() -> Self {
        Self {
            failures: 3,
            within_minutes: 5,
            rest_minutes: 10,
        }
    }
}

/// An amount of money, in micro-units of the person's currency; written as people write it: `2.50`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money(u64);

/// The largest amount that can be set, in whole units.
pub const MONEY_UNITS_MAX: u64 = 1_000_000;
const MICROS: u64 = 1_000_000;
const DECIMALS_MAX: usize = 6;

impl Money {
    /// An amount that was spent, to be shown.
    #[must_use]
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// Micro-units.
    #[must_use]
    pub const fn micros(self) -> u64 {
        self.0
    }
}

impl std::fmt::Display for Money {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (units, micros) = (self.0 / MICROS, self.0 % MICROS);
        let digits = format!("{micros:06}");
        let short = digits.trim_end_matches('0');
        // Money has two decimals, or as many as it needs.
        write!(f, "{units}.{short:0<2}")
    }
}

/// A text that is no amount of money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an amount such as 2.50, at most {MONEY_UNITS_MAX}")]
pub struct NotMoney;

impl FromStr for Money {
    type Err = NotMoney;

    fn from_str(text: &str) -> Result<Self, NotMoney> {
        let (units, decimals) = text.split_once('.').unwrap_or((text, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if units.is_empty()
            || !digits(units)
            || !digits(decimals)
            || decimals.len() > DECIMALS_MAX
            || text.ends_with('.')
        {
            return Err(NotMoney);
        }
        let units: u64 = units.parse().map_err(|_| NotMoney)?;
        let micros: u64 = format!("{decimals:0<6}").parse().map_err(|_| NotMoney)?;
        let whole = units
            .checked_mul(MICROS)
            .and_then(|all| all.checked_add(micros));
        whole
            .filter(|all| *all <= MONEY_UNITS_MAX * MICROS)
            .map(Self)
            .ok_or(NotMoney)
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_written_as_people_write_it() {
        for (text, micros, shown) in [
            ("2.50", 2_500_000, "2.50"),
            ("2.5", 2_500_000, "2.50"),
            ("0", 0, "0.00"),
            ("12", 12_000_000, "12.00"),
            ("0.000001", 1, "0.000001"),
            ("1000000", 1_000_000_000_000, "1000000.00"),
        ] {
            let money: Money = text.parse().expect(text);
            assert_eq!(
                (money.micros(), money.to_string()),
                (micros, shown.to_owned())
            );
        }
        for wrong in [
            "",
            ".",
            "1.",
            ".5",
            "-1",
            "1,50",
            "1e3",
            "$2",
            "0.0000001",
            "1000000.01",
            "٣",
            "99999999999999999999999",
        ] {
            assert_eq!(wrong.parse::<Money>(), Err(NotMoney), "{wrong}");
        }
    }

    #[test]
    fn no_tier_at_all_means_every_tier() {
        let mut models = Models::default();
        assert_eq!(models.allowed_tiers(), Tier::ALL);
        models.tiers = vec!["deep".into(), "fast".into()];
        assert_eq!(models.allowed_tiers(), [Tier::Fast, Tier::Deep]);
        models.tiers.clear();
        assert_eq!(models.allowed_tiers(), Tier::ALL);
    }
}
