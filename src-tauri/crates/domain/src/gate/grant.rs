//! Standing grants: the person lets one tool act for one account on one exact target, until a date.
//!
//! A grant is made by a press on the card it stands on, with the digest of what was shown; nothing that is said in a
//! conversation makes one. It never covers sending, deleting, money, sharing or undoing, does not hold in a conversation
//! that text of others has reached, and ends when the tool says something else of itself.

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

/// The longest a grant may hold, in days.
pub const DAYS_MAX: i64 = 366;
/// Grants that may hold at once.
pub const GRANTS_MAX: usize = 200;
/// How long one that was taken back can be given back by Undo; later it needs a card again.
pub const RESTORABLE: jiff::SignedDuration = jiff::SignedDuration::from_mins(5);

/// What a grant would cover, as the card offers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrantScope {
    /// Tool.
    pub tool: String,
    /// Account it acts for.
    pub account: AccountId,
    /// What the tool says of itself.
    pub definition: Definition,
    /// SHA-256 of the exact target.
    pub target: Digest,
    /// The target in words.
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
    /// The card it was given on.
    pub action: ActionId,
    /// How it was given; never in a conversation.
    pub channel: Channel,
    /// When it was given.
    pub created: Timestamp,
    /// It does not hold from this instant on.
    pub expires: Timestamp,
    /// How often it was used.
    pub uses: u32,
    /// When it was used last.
    pub last_used: Option<Timestamp>,
    /// When the person took it back.
    pub revoked: Option<Timestamp>,
}

/// Why there is no grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoGrant {
    /// The card does not offer one.
    #[error("this can only be allowed one at a time")]
    NotOffered,
    /// The card does not wait any more.
    #[error("this was already answered or has expired")]
    NotPending,
    /// The digest is not the one that was shown.
    #[error("this is not what was shown; nothing was allowed")]
    WrongDigest,
    /// Words are no press.
    #[error("a standing permission is given on the card, not in words")]
    InWords,
    /// The date is over, or too far away.
    #[error("the date has to lie ahead, by {DAYS_MAX} days at most")]
    BadDate,
}

impl Grant {
    /// Makes a grant on a card that waits.
    ///
    /// # Errors
    /// When the card offers none, does not wait, is not what was shown, or the date is out of bounds.
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

    /// Whether it holds at this instant, so far as time and the person say. A clock that went back ends it as well.
    #[must_use]
    pub fn holds(&self, now: Timestamp) -> bool {
        self.revoked.is_none() && self.created <= now && now < self.expires
    }

    /// Whether it can be given back as it was, so far as time says.
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

    /// Whether it covers this very scope.
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

/// The grants that cover these calls, one for each; none unless all are covered.
pub(super) fn covering(
    batch: &[Observed],
    why: &Why,
    now: &Circumstances<'_>,
    at: Timestamp,
) -> Option<Vec<GrantId>> {
    if now.taint == Taint::Tainted || now.asked == AskedBefore::Yes || !may_be_granted(why) {
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

/// What a card offers to allow from now on; none for several calls at once and for what is never allowed in advance.
pub(super) fn offer(batch: &[Observed], why: &Why, now: &Circumstances<'_>) -> Option<GrantScope> {
    let [one] = batch else {
        return None;
    };
    let offered = now.taint == Taint::Clean && may_be_granted(why);
    offered.then(|| scope(one)).flatten()
}

/// A flood and what was found in text of others always ask; so does what was shown and has changed.
fn may_be_granted(why: &Why) -> bool {
    !matches!(
        why,
        Why::FoundTarget | Why::Rate { .. } | Why::AskedBefore | Why::Bulk { .. }
    )
}

/// What a grant for this call would cover; none where there can be no grant.
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

/// What leaves for others, and what is gone afterwards.
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

/// The exact target: what the tool names, else the records that are touched, else the arguments to the letter. What a read
/// carries out is always part of it: another query is another target.
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
