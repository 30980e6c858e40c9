//! Settings of language models: spending limits, tiers, and when a model counts as failing. Connections are not
//! settings of this kind, because they are lists with secrets; the code that connects stores them.

use std::str::FromStr;

use adjutant_domain::model::{SpendLimits, Tier};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Settings of language models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Models {
    /// Spending limits.
    pub spend: Spend,
    /// Currency of limits and prices, as an ISO 4217 code. Amounts are shown in it, never converted.
    pub currency: String,
    /// Tiers that may be used: `fast`, `standard`, `deep`.
    pub tiers: Vec<String>,
    /// Time limit for a remote model to begin its reply, in seconds. A model on this computer has three times as long.
    pub begin_seconds: u32,
    /// Maximum pause within a reply, in seconds.
    pub stall_seconds: u32,
    /// Time limit for a reply including all models tried for it, in seconds.
    pub deadline_seconds: u32,
    /// When a failing model gets a rest.
    pub breaker: Breaker,
    /// Tone for answers, in the person's words; empty to leave answers unchanged.
    pub tone: String,
    /// Whether the answer to a hard request is reviewed before it is shown.
    pub critique: bool,
    /// Name of a connection to compare with the others without effect; empty for none.
    pub shadow: String,
    /// Folder with alternative prompt texts, matched by name, to try without effect; empty for none.
    pub shadow_prompts: String,
    /// Router to try beside the embedded one, from [`SHADOW_ROUTERS`].
    pub shadow_router: String,
}

/// Routers that can be tried beside the embedded one: none, a model, or the phrases without the sentence model.
pub const SHADOW_ROUTERS: &[&str] = &["none", "model", "phrases"];

impl Models {
    /// Returns the tiers that may be used, cheapest first. If none is set, all are allowed, because otherwise no model
    /// could be used.
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

/// Spending limits, each checked before a call against its worst-case cost. 0 allows only calls that cost nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Spend {
    /// Limit for one request.
    pub call: Money,
    /// Limit for a day.
    pub day: Money,
    /// Limit for a calendar month.
    pub month: Money,
    /// Limit for background work in a day.
    pub background_day: Money,
}

impl Spend {
    /// Returns the limits in the form the governor uses.
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
    /// Generous for a person's day, yet low enough that a runaway loop overnight does little harm.
    fn default() -> Self {
        Self {
            call: Money(500_000),
            day: Money(2_000_000),
            month: Money(20_000_000),
            background_day: Money(250_000),
        }
    }
}

/// When a failing model gets a rest, and for how long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Breaker {
    /// Number of failures that is still tolerated; one more starts the rest.
    pub failures: u32,
    /// Period within which failures are counted, in minutes.
    pub within_minutes: u32,
    /// Length of the rest, in minutes.
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

/// An amount of money in micro-units of the person's currency. Its text form is decimal: `2.50`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money(u64);

/// Largest amount that can be set, in whole units.
pub const MONEY_UNITS_MAX: u64 = 1_000_000;
const MICROS: u64 = 1_000_000;
const DECIMALS_MAX: usize = 6;

impl Money {
    /// Creates an amount from micro-units, without a maximum.
    #[must_use]
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// Returns the amount in micro-units.
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
        // Show two decimals, or as many as needed.
        write!(f, "{units}.{short:0<2}")
    }
}

/// Error: the text is not an amount of money.
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
