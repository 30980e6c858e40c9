//! How often a tool may run unasked.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::ids::{AccountId, GrantId};

/// How often one tool may run unasked for one account within an hour. A person's daily work stays far below this; more
/// is a loop or an attack.
pub const UNASKED_PER_HOUR: u32 = 100;
/// How often one standing grant may be used within an hour.
pub const GRANT_PER_HOUR: u32 = 30;
/// Period over which unasked runs are counted.
pub const WINDOW: SignedDuration = SignedDuration::from_hours(1);
/// Number of cards of one tool and account that front ends show one by one. If more wait, they show a single one with a
/// count.
pub const FLOOD: usize = 5;

/// Returns the tools and accounts with more than [`FLOOD`] waiting cards, with their number. `waiting` yields tool and
/// account of each card.
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

/// One call that ran without asking the person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unasked {
    /// The tool.
    pub tool: String,
    /// Account it acted for.
    pub account: AccountId,
    /// The grant that allowed it; `None` if the policy did.
    pub grant: Option<GrantId>,
    /// Maximum number of such calls within an hour.
    pub most: u32,
}

/// Unasked runs of tools within the last hour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rates {
    /// Maximum number per tool and account.
    pub most: u32,
    /// Tool, account and time of each run.
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
    /// Returns whether `calls` more runs stay within the hourly maximum.
    #[must_use]
    pub fn has_room(&self, of: (&str, &AccountId), calls: usize, now: Timestamp) -> bool {
        let begin = since(now);
        let ran = self
            .ran
            .iter()
            .filter(|(tool, account, at)| (tool.as_str(), account) == of && *at > begin);
        ran.count().saturating_add(calls) <= usize::try_from(self.most).unwrap_or(usize::MAX)
    }

    /// Adds a run of the present turn.
    pub fn note(&mut self, run: &Unasked, at: Timestamp) {
        self.ran.push((run.tool.clone(), run.account.clone(), at));
    }
}

/// Returns the start of the hour that ends at `now`.
#[must_use]
pub fn since(now: Timestamp) -> Timestamp {
    now.checked_sub(WINDOW).unwrap_or(Timestamp::MIN)
}
