//! Standing grants: the person lets one tool act for one account on one exact target until a date.
//!
//! The person gives a grant by pressing its button on a card, with the digest of what the card showed; words in a
//! conversation never give one. A grant never covers sending, deleting, money, sharing or undoing. It does not hold in
//! a conversation that foreign text has reached, and it ends when the tool's definition changes.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    ActionState, AskReason, AskedBefore, Channel, Circumstances, Decision, Observed, PendingAction,
    Risk, Why, decide,
};
use crate::canonical::{self, Digest, NotCanonical};
use crate::ids::{AccountId, ActionId, GrantId};
use crate::operation::{CalendarOp, ContactOp, MailOp, Operation, RemoteOp, TaskOp};
use crate::source::{Source, Taint};
use crate::spec::Definition;

/// Maximum lifetime of a grant, in days.
pub const DAYS_MAX: i64 = 366;
/// Maximum number of grants that hold at once.
pub const GRANTS_MAX: usize = 200;
/// How long Undo can restore a revoked grant. After that the person needs a card again.
pub const RESTORABLE: jiff::SignedDuration = jiff::SignedDuration::from_mins(5);

/// The scope of a grant, as a card offers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrantScope {
    /// Tool.
    pub tool: String,
    /// Account the tool acts for.
    pub account: AccountId,
    /// The tool's definition when the card was shown.
    pub definition: Definition,
    /// SHA-256 digest of the exact target.
    pub target: Digest,
    /// Description of the target for the person.
    pub words: String,
}

/// A standing grant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// Identifier.
    pub id: GrantId,
    /// What it covers.
    #[serde(flatten)]
    pub scope: GrantScope,
    /// Card on which it was given.
    pub action: ActionId,
    /// Channel it was given through; never [`Channel::Chat`].
    pub channel: Channel,
    /// When it was given.
    pub created: Timestamp,
    /// Instant from which it no longer holds.
    pub expires: Timestamp,
    /// How often it was used.
    pub uses: u32,
    /// When it was last used.
    pub last_used: Option<Timestamp>,
    /// When the person revoked it.
    pub revoked: Option<Timestamp>,
}

/// Why no grant can be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoGrant {
    /// The card does not offer a grant.
    #[error("this can only be allowed one at a time")]
    NotOffered,
    /// The card no longer waits for an answer.
    #[error("this was already answered or has expired")]
    NotPending,
    /// The digest differs from that of the card shown.
    #[error("this is not what was shown; nothing was allowed")]
    WrongDigest,
    /// The answer came in words instead of a press.
    #[error("a standing permission is given on the card, not in words")]
    InWords,
    /// The date has passed or is too far ahead.
    #[error("the date has to be in the future, at most {DAYS_MAX} days from now")]
    BadDate,
}

impl Grant {
    /// Creates a grant from a card that waits.
    ///
    /// # Errors
    /// Returns the first [`NoGrant`] that applies: the answer came in words, the card no longer waits, the digest
    /// differs, the card offers no grant, or the date is out of bounds.
    pub fn on(
        action: &PendingAction,
        decision: &Decision,
        id: GrantId,
        (now, until): (Timestamp, Timestamp),
    ) -> Result<Self, NoGrant> {
        if decision.channel == Channel::Chat {
            return Err(NoGrant::InWords);
        }
        if action.state != ActionState::Pending || now >= action.expires || now < action.created {
            return Err(NoGrant::NotPending);
        }
        let stored = decide::digest_of(action).map_err(|_| NoGrant::WrongDigest)?;
        let shown = &decision.digest;
        if decision.id != action.id || *shown != action.digest || stored != *shown {
            return Err(NoGrant::WrongDigest);
        }
        let scope = action.grant.clone().ok_or(NoGrant::NotOffered)?;
        let longest = jiff::SignedDuration::from_hours(24 * DAYS_MAX);
        if until <= now || until.duration_since(now) > longest {
            return Err(NoGrant::BadDate);
        }
        Ok(Self {
            id,
            scope,
            action: action.id.clone(),
            channel: decision.channel,
            created: now,
            expires: until,
            uses: 0,
            last_used: None,
            revoked: None,
        })
    }

    /// Returns whether the grant holds at `now`: neither revoked nor expired, and the clock not set back before its
    /// creation.
    #[must_use]
    pub fn holds(&self, now: Timestamp) -> bool {
        self.revoked.is_none() && self.created <= now && now < self.expires
    }

    /// Returns whether Undo can still restore the grant: revoked at most [`RESTORABLE`] ago and otherwise still valid.
    #[must_use]
    pub fn is_restorable(&self, now: Timestamp) -> bool {
        let was = Self {
            revoked: None,
            ..self.clone()
        };
        was.holds(now)
            && self
                .revoked
                .is_some_and(|at| at <= now && now.duration_since(at) <= RESTORABLE)
    }

    /// Returns whether both scopes are the same, apart from the description of the target.
    fn covers(&self, scope: &GrantScope) -> bool {
        let of = |scope: &GrantScope| {
            let GrantScope {
                tool,
                account,
                definition,
                target,
                words: _,
            } = scope.clone();
            (tool, account, definition.0, target)
        };
        of(&self.scope) == of(scope)
    }
}

/// Returns one grant per call, or `None` unless grants cover all calls.
pub(super) fn covering(
    batch: &[Observed],
    why: &Why,
    now: &Circumstances<'_>,
    at: Timestamp,
) -> Option<Vec<GrantId>> {
    let asks = now.taint == Taint::Tainted || now.asked == AskedBefore::Yes || now.guessed;
    if asks || !may_be_granted(why) {
        return None;
    }
    let covered = |one: &Observed| {
        let scope = scope(one)?;
        let grant = now
            .grants
            .iter()
            .find(|grant| grant.holds(at) && grant.covers(&scope))?;
        Some(grant.id.clone())
    };
    batch.iter().map(covered).collect()
}

/// Returns the scope a card offers to allow from now on; `None` for several calls and for calls that always need
/// approval.
pub(super) fn offer(batch: &[Observed], why: &Why, now: &Circumstances<'_>) -> Option<GrantScope> {
    let [one] = batch else {
        return None;
    };
    let offered = now.taint == Taint::Clean && !now.guessed && may_be_granted(why);
    offered.then(|| scope(one)).flatten()
}

/// Returns whether a grant can answer this reason. Excess rates, bulk changes, targets found in foreign text and
/// actions that changed after being shown always ask.
fn may_be_granted(why: &Why) -> bool {
    !matches!(
        why,
        Why::FoundTarget | Why::Rate { .. } | Why::AskedBefore | Why::Bulk { .. }
    )
}

/// Returns the scope a grant for this call would have, or `None` if no grant can cover it.
fn scope(one: &Observed) -> Option<GrantScope> {
    let assessment = &one.assessment;
    let risk = matches!(
        assessment.risk,
        Risk::Read | Risk::LocalReversible | Risk::LocalIrreversible | Risk::RemoteReversible
    );
    let ask = matches!(assessment.ask, None | Some(AskReason::ChangesEvent));
    let mut sources = one.call.sources().values().chain(&assessment.looked_up);
    let found = sources.any(Source::is_untrusted);
    let frozen = one.before.frozen.as_ref();
    let fits = frozen.is_none_or(|frozen| {
        frozen.undoes.is_none() && !frozen.operations.iter().any(is_never_granted)
    });
    if !risk || !ask || found || !fits {
        return None;
    }
    Some(GrantScope {
        tool: one.call.tool().to_owned(),
        account: one.call.account().clone(),
        definition: one.call.definition.clone(),
        target: target(one).ok()?,
        words: words(one),
    })
}

/// Returns whether an operation reaches other people or deletes something.
fn is_never_granted(operation: &Operation) -> bool {
    let Operation::Remote { op, .. } = operation else {
        return false;
    };
    op.reaches_people()
        || matches!(
            op.as_ref(),
            RemoteOp::Mail(MailOp::Send { .. } | MailOp::Delete { .. })
                | RemoteOp::Calendar(CalendarOp::Delete { .. })
                | RemoteOp::Task(TaskOp::Delete { .. })
                | RemoteOp::Contact(ContactOp::Delete { .. })
                | RemoteOp::LeaveList(_)
        )
}

/// Computes the digest of the exact target: the one the tool names, otherwise the records touched, otherwise the
/// arguments verbatim.
///
/// Texts that a read sends out are always part of it, so a different query is a different target.
fn target(one: &Observed) -> Result<Digest, NotCanonical> {
    let leaves = one.assessment.carries_out.as_ref();
    if let (Some(target), None) = (&one.assessment.target, leaves) {
        return canonical::digest(&serde_json::json!({ "named": target }));
    }
    if one.before.targets.is_empty() || leaves.is_some() {
        let args = one.call.args();
        return canonical::digest(&serde_json::json!({ "args": args, "leaves": leaves }));
    }
    let mut records: Vec<_> = one
        .before
        .targets
        .iter()
        .map(|one| (one.kind, &one.id))
        .collect();
    records.sort_by(|a, b| a.1.cmp(b.1));
    canonical::digest(&serde_json::json!({ "records": records }))
}

fn words(one: &Observed) -> String {
    let visible = super::escape::visible;
    if let Some(leaves) = &one.assessment.carries_out {
        return visible(&format!("“{}” to {}", leaves.texts.join("”, “"), leaves.to));
    }
    if let Some(target) = &one.assessment.target {
        return visible(target);
    }
    let labels: Vec<&str> = one
        .before
        .targets
        .iter()
        .map(|one| one.label.as_str())
        .collect();
    match labels.is_empty() {
        true => format!("exactly this: {}", one.card.title),
        false => visible(&labels.join(", ")),
    }
}
