//! Finds which models may be used and at which price, for estimates before large runs and notices of unknown prices.

use adjutant_domain::model::{ModelProfile, Tier};
use adjutant_models::Connection;
use adjutant_settings::Money;

use super::{Connected, Models, shadow};

/// The connections that may be used, in order.
pub(crate) struct Prices {
    live: Vec<Connection>,
    allowed: Vec<Tier>,
}

impl Prices {
    /// Tells whether no connection can be used.
    pub(crate) fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    /// Returns the models that may answer for a tier. If the tier is not allowed, takes the next cheaper allowed one,
    /// or else the next more expensive one.
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
    /// Returns the connections that may answer, with their prices.
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

    /// Like [`Self::prices`], but for one connection, whether it answers or is only compared.
    pub(crate) fn prices_of(&self, connection: &Connection) -> Prices {
        Prices {
            live: vec![connection.clone()],
            allowed: self.state().settings.models.allowed_tiers(),
        }
    }

    /// Returns a notice about connections with unknown prices and which price is assumed instead.
    pub(super) fn unpriced(&self) -> Option<String> {
        let unpriced: Vec<String> = self.all().iter().filter_map(Connected::unpriced).collect();
        (!unpriced.is_empty()).then(|| unpriced.join(" "))
    }

    /// Like [`Self::unpriced`], but only for the connections in `prices`.
    pub(crate) fn unpriced_of(&self, prices: &Prices) -> Option<String> {
        let mut all = self.all();
        all.retain(|one| prices.live.contains(&one.connection));
        let unpriced: Vec<String> = all.iter().filter_map(Connected::unpriced).collect();
        (!unpriced.is_empty()).then(|| unpriced.join(" "))
    }
}

impl Connected {
    /// Returns a notice if the price of its models is unknown, with the price assumed instead.
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
            "The price of {} is not known. Adjutant assumes {} for a million input tokens and {} for a million output tokens. Give the real price in {give}.",
            connection.name,
            Money::from_micros(counted.input_micros_per_million),
            Money::from_micros(counted.output_micros_per_million),
        ))
    }
}
