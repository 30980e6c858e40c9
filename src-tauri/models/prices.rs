//! Who may be asked, and at which price: for what is said before a large run.

use adjutant_domain::model::{ModelProfile, Tier};
use adjutant_models::Connection;

/// Who may be asked, in order.
pub(crate) struct Prices {
    pub(super) live: Vec<Connection>,
    pub(super) allowed: Vec<Tier>,
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
