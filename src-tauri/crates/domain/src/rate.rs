//! How often a tool may run unasked.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::ids::{AccountId, GrantId};

/// How often one tool may run unasked for one account within an hour. A day's work of one person stays far below; what
/// goes beyond is a loop or an attack.
pub const UNASKED_PER_HOUR: u32 = 100;
/// How often one standing grant may be used within an hour.
pub const GRANT_PER_HOUR: u32 = 30;
/// The time that is looked at.
pub const WINDOW: SignedDuration = SignedDuration::from_hours(1);
/// Cards of one tool and account that are shown one by one; of more that wait, the front ends show one with a count.
pub const FLOOD: usize = 5;

/// Of what tool and account so many cards wait that they are shown as one, and how many. `waiting` names each card's.
#[must_use]
pub fn floods<'a>(
    waiting: impl Iterator<Item = (&'a str, &'a AccountId)>,
) -> BTreeMap<(&'a str, &'a AccountId), usize> {
    let mut counts = BTreeMap::new();
    for of in waiting {
        *counts.entry(of).or_default() += 1;
    }
    counts.retain(|_, count| *count > FLOOD);
    counts
}

/// One call that nobody was asked about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unasked {
    /// The tool.
    pub tool: String,
    /// Account it acted for.
    pub account: AccountId,
    /// The grant it ran by; none where the policy lets it run.
    pub grant: Option<GrantId>,
    /// How often it may run within an hour.
    pub most: u32,
}

/// How often tools ran unasked within the last hour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rates {
    /// How often each may.
    pub most: u32,
    /// What ran, and when.
    pub ran: Vec<(String, AccountId, Timestamp)>,
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            most: UNASKED_PER_HOUR,
            ran: Vec::new(),
        }
    }
}

impl Rates {
    /// Whether so many more calls fit into the hour.
    #[must_use]
    pub fn has_room(&self, of: (&str, &AccountId), calls: usize, now: Timestamp) -> bool {
        let begin = since(now);
        let ran = self
            .ran
            .iter()
            .filter(|(tool, account, at)| (tool.as_str(), account) == of && *at > begin);
        ran.count().saturating_add(calls) <= usize::try_from(self.most).unwrap_or(usize::MAX)
    }

    /// Notes a run of this turn.
    pub fn note(&mut self, run: &Unasked, at: Timestamp) {
        self.ran.push((run.tool.clone(), run.account.clone(), at));
    }
}

/// The beginning of the hour that ends now.
#[must_use]
pub fn since(now: Timestamp) -> Timestamp {
    now.checked_sub(WINDOW).unwrap_or(Timestamp::MIN)
}
