//! Why the gate asks the person, in one line.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::decide::BULK_MAX;
use super::{AskReason, AskedBefore, Circumstances, Observed, Risk, has_found_target};

/// Why the gate asks. If several reasons apply, the person sees the weightiest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Why {
    /// A recipient, link or account was found in foreign text.
    FoundTarget,
    /// A read would send out words the person did not type.
    CarriesOut {
        /// Who would receive them.
        to: String,
    },
    /// The tool may do anything, including spending money.
    MaySpend,
    /// It deletes something.
    Deletes,
    /// It reaches other people.
    ReachesPeople,
    /// It changes something in an account.
    ChangesAccount,
    /// It cannot be undone.
    ForGood,
    /// It changes an existing event.
    ChangesEvent,
    /// It touches many things at once.
    Bulk {
        /// How many things.
        count: usize,
    },
    /// The tool has run unasked as often as it may within an hour.
    Rate {
        /// Maximum number of unasked runs per hour.
        most: u32,
    },
    /// It was shown before and has changed since.
    AskedBefore,
    /// The planner only guesses that the person asked for it.
    Guessed,
    /// The person chose to be asked, or foreign text influenced the plan.
    Strict,
}

impl Why {
    /// Returns the line for the card.
    #[must_use]
    pub fn line(&self) -> String {
        match self {
            Self::FoundTarget => {
                "Asked because a recipient, link or account comes from text by others.".into()
            }
            Self::CarriesOut { to } => {
                format!("Asked because words you did not type would be sent to {to}.")
            }
            Self::MaySpend => {
                "Asked because Adjutant cannot know everything this tool may do.".into()
            }
            Self::Deletes => "Asked because something is deleted.".into(),
            Self::ReachesPeople => "Asked because other people will see it.".into(),
            Self::ChangesAccount => "Asked because it changes something in an account.".into(),
            Self::ForGood => "Asked because it cannot be undone.".into(),
            Self::ChangesEvent => "Asked because it changes an existing event.".into(),
            Self::Bulk { count } => format!("Asked because it touches {count} things at once."),
            Self::Rate { most } => {
                format!("Asked because this ran {most} times in an hour without asking.")
            }
            Self::AskedBefore => "Asked because it has changed since it was shown.".into(),
            Self::Guessed => "Asked because I am not sure that you meant this.".into(),
            Self::Strict => {
                "Asked because you chose to be asked, or text by others had a part in it.".into()
            }
        }
    }

    /// Returns whether the default rules would have let it run unasked, as the metric of needless questions counts.
    #[must_use]
    pub fn is_needless(&self) -> bool {
        matches!(self, Self::AskedBefore | Self::Guessed | Self::Strict)
    }
}

/// Returns why the person must be asked about these calls, or `None` if they may run unasked.
pub(super) fn of(batch: &[Observed], now: &Circumstances<'_>, at: Timestamp) -> Option<Why> {
    let ceiling = now.policy.unasked_max.min(Risk::LocalReversible);
    let count: usize = batch.iter().map(|one| one.assessment.count).sum();
    let effect = batch.iter().any(|one| one.assessment.risk > Risk::Read);
    if effect && batch.iter().any(has_found_target) {
        return Some(Why::FoundTarget);
    }
    let by_hand = now.policy.by_hand;
    let mut unsaid = batch
        .iter()
        .filter(|_| !by_hand)
        .filter_map(|one| now.exposure.holds_back(one));
    if let Some(out) = unsaid.next() {
        return Some(Why::CarriesOut { to: out.to.clone() });
    }
    let undecided = |one: &&Observed| {
        !(by_hand && ceiling == Risk::LocalReversible && super::by_hand::decides(one))
    };
    let by_call = batch
        .iter()
        .filter(undecided)
        .filter_map(|one| of_call(one, ceiling))
        .min_by_key(weight);
    if by_call.as_ref().is_some_and(|why| *why != Why::Strict) {
        return by_call;
    }
    if effect && count > BULK_MAX {
        return Some(Why::Bulk { count });
    }
    if by_call.is_some() {
        return by_call;
    }
    if now.asked == AskedBefore::Yes {
        return Some(Why::AskedBefore);
    }
    if effect && now.guessed {
        return Some(Why::Guessed);
    }
    let full = |one: &Observed| {
        (one.assessment.risk > Risk::Read || one.assessment.carries_out.is_some())
            && !by_hand
            && !now
                .rates
                .has_room((one.call.tool(), one.call.account()), batch.len(), at)
    };
    batch.iter().any(full).then_some(Why::Rate {
        most: now.rates.most,
    })
}

/// Returns the rank of a reason; a lower rank weighs more.
fn weight(why: &Why) -> u8 {
    match why {
        Why::FoundTarget => 0,
        Why::CarriesOut { .. } => 1,
        Why::MaySpend => 2,
        Why::Deletes => 3,
        Why::ReachesPeople => 4,
        Why::ChangesAccount => 5,
        Why::ForGood => 6,
        Why::ChangesEvent => 7,
        Why::Bulk { .. } => 8,
        Why::Rate { .. } => 9,
        Why::AskedBefore => 10,
        Why::Guessed => 11,
        Why::Strict => 12,
    }
}

fn of_call(one: &Observed, ceiling: Risk) -> Option<Why> {
    let (risk, ask) = (one.assessment.risk, one.assessment.ask);
    let by_risk = match risk {
        Risk::Read | Risk::LocalReversible => None,
        Risk::LocalIrreversible => Some(Why::ForGood),
        Risk::RemoteReversible => Some(Why::ChangesAccount),
        Risk::ReachesPeople => Some(Why::ReachesPeople),
        Risk::Destroys => Some(Why::Deletes),
        Risk::Spends => Some(Why::MaySpend),
    };
    let by_reason = ask.map(|reason| match reason {
        AskReason::ChangesEvent => Why::ChangesEvent,
        AskReason::Deletes => Why::Deletes,
        AskReason::Bulk => Why::Bulk {
            count: one.assessment.count,
        },
        AskReason::FoundTarget => Why::FoundTarget,
    });
    let strict = (risk > ceiling).then_some(Why::Strict);
    by_risk
        .into_iter()
        .chain(by_reason)
        .min_by_key(weight)
        .or(strict)
}
