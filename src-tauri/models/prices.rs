//! Who may be asked, and at which price: for what is said before a large run, and whose price is not known.

use adjutant_domain::model::{ModelProfile, Tier};
use adjutant_models::Connection;
use adjutant_settings::Money;

use super::{Connected, Models, shadow};

/// Who may be asked, in order.
pub(crate) struct Prices {
    live: Vec<Connection>,
    allowed: Vec<Tier>,
}

impl Prices {
    /// Whether nobody can be asked.
    pub(crate) fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    /// The models that may answer for a tier. One that may not be used is served by the nearest cheaper one, else by the
    /// nearest dearer one.
    pub(crate) fn of(&self, tier: Tier) -> Vec<ModelProfile> {
        let below = self.allowed.iter().rev().find(|one| **one <= tier);
        let Some(tier) = below.or_else(|| self.allowed.first()).copied() else {
            return Vec::new();
        };
        let profiles = self.live.iter().filter_map(|one| one.profile(tier));
        profiles.collect()
    }
}

impl Models {
    /// Who may answer for which tier, and at which price.
    pub(crate) fn prices(&self) -> Prices {
        let settings = self.state().settings.models.clone();
        let sound = self.all().into_iter().filter(|one| one.problem.is_none());
        let (_, live) = shadow::split(sound.map(|one| one.connection), &settings.shadow);
        let reached = |one: &Connection| one.is_local() || !self.is_offline();
        Prices {
            live: live.into_iter().filter(reached).collect(),
            allowed: settings.allowed_tiers(),
        }
    }

    /// The same for one connection, whether it answers or is only compared.
    pub(crate) fn prices_of(&self, connection: &Connection) -> Prices {
        Prices {
            live: vec![connection.clone()],
            allowed: self.state().settings.models.allowed_tiers(),
        }
    }

    /// That prices of what is connected are not known, and what is counted instead.
    pub(super) fn unpriced(&self) -> Option<String> {
        let unpriced: Vec<String> = self.all().iter().filter_map(Connected::unpriced).collect();
        (!unpriced.is_empty()).then(|| unpriced.join(" "))
    }

    /// The same for those of whom one may be asked.
    pub(crate) fn unpriced_of(&self, prices: &Prices) -> Option<String> {
        let mut all = self.all();
        all.retain(|one| prices.live.contains(&one.connection));
        let unpriced: Vec<String> = all.iter().filter_map(Connected::unpriced).collect();
        (!unpriced.is_empty()).then(|| unpriced.join(" "))
    }
}

impl Connected {
    /// That the price of its models is not known, and what is counted instead.
    pub(crate) fn unpriced(&self) -> Option<String> {
        let connection = &self.connection;
        let unknown = |tier| {
            let profile = connection.profile(tier);
            profile.filter(|profile| !profile.price_known)
        };
        let counted = Tier::ALL.into_iter().rev().find_map(unknown)?;
        let give = if self.from_environment {
            "ADJUTANT_MODEL_PRICE_IN and ADJUTANT_MODEL_PRICE_OUT".to_owned()
        } else {
            format!(
                "Settings, Models (`adjutant models add \"{}\" --input-price … --output-price …`, or `--free`)",
                connection.name
            )
        };
        Some(format!(
            "The price of {} is not known, so {} for a million input tokens and {} for a million output tokens are counted. Give it in {give}.",
            connection.name,
            Money::from_micros(counted.input_micros_per_million),
            Money::from_micros(counted.output_micros_per_million),
        ))
    }
}
