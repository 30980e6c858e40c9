//! Limits of a run, and what it has spent.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a step costs, in credits. A credit is worth an amount of money that is a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Prices {
    /// One search.
    pub search: u32,
    /// One page that is opened.
    pub page: u32,
    /// One question to a model: the most it may cost. What it did cost comes with the reply.
    pub stage: u32,
}

impl Default for Prices {
    /// One credit for a search, none for a page, five for a question to a model.
    fn default() -> Self {
        Self {
            search: 1,
            page: 0,
            stage: 5,
        }
    }
}

/// What a run may use. At each of these limits it writes with what it has and says what was cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Limits {
    /// Rounds of questions at most (the seed: 50).
    pub rounds: u32,
    /// Running time in milliseconds at most, pauses not counted (the seed: 15 minutes).
    pub running_ms: u64,
    /// Credits of this run at most (the seed: 1,000).
    pub credits: u32,
    /// Credits that are left of the day when the run starts; each [`Input::Tick`](crate::Input::Tick) says it anew.
    pub day_credits: u32,
    /// Searches of one question at most (the seed: 30).
    pub cycles: u32,
    /// Searches of one question at least, unless its sources are exhausted (the seed: 4).
    pub searches_min: u32,
    /// Questions of one round at most (the seed: 3).
    pub parallel: u32,
    /// Pages one question opens at most.
    pub pages: u32,
    /// Results a search is asked for.
    pub results: u32,
    /// What steps cost.
    pub prices: Prices,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            rounds: 50,
            running_ms: 15 * 60 * 1_000,
            credits: 1_000,
            day_credits: 1_000,
            cycles: 30,
            searches_min: 4,
            parallel: 3,
            pages: 10,
            results: 10,
            prices: Prices::default(),
        }
    }
}

/// Credits of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Spending {
    /// Reserved for steps that are under way.
    pub reserved: u32,
    /// Spent. A step of which nobody knows how it ended counts in full.
    pub spent: u32,
    /// Running time so far, in milliseconds; it never goes back.
    pub running_ms: u64,
    /// Credits left of the day, reservations of this run included.
    pub day_left: u32,
}
