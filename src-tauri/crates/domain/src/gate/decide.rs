//! The decisions: `gate` before, `resolve` on the person's answer, `reclaim` after a restart.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::pending::EXPIRY_SECONDS;
use super::{
    ActionState, AskReason, AskedBefore, Call, CardNote, Channel, NoteKind, Observed,
    PendingAction, Present, Risk, batch,
};
use crate::canonical::{self, Digest, NotCanonical};
use crate::ids::{ActionId, ConversationId, StepKey, TurnId};
use crate::operation::{MailOp, Operation, RemoteOp};
use crate::source::{Source, Taint, source_at};

/// Things one unasked step may touch.
pub const BULK_MAX: usize = 20;
/// Version of what the digest covers; changes when its composition changes.
pub const DIGEST_VERSION: u32 = 1;

/// Permission to run. Its fields are private: only [`gate`], [`resolve`] and [`reclaim`] make one.
#[derive(Clone, Debug, PartialEq)]
pub struct Approved<T> {
    inner: T,
    by: Permit,
}

/// Why something may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Permit {
    /// The policy lets it run unasked.
    Policy,
    /// The person approved this action.
    Person(ActionId),
}

impl<T> Approved<T> {
    /// What may run.
    #[must_use]
    pub fn get(&self) -> &T {
        &self.inner
    }

    /// Why it may run.
    #[must_use]
    pub fn permit(&self) -> &Permit {
        &self.by
    }
}

/// How strict the gate is. A person may make it stricter at will.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// The highest risk that runs unasked; never above [`Risk::LocalReversible`].
    pub unasked_max: Risk,
    /// The person pressed a button or moved something on a surface: what they see is what is done. Such a press stands
    /// for the question whether one of their own things may be changed or deleted, or a mail filed, as long as it can be
    /// taken back.
    pub by_hand: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            unasked_max: Risk::LocalReversible,
            by_hand: false,
        }
    }
}

/// What the gate says.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// May run now.
    Allowed(Vec<Approved<Call>>),
    /// The person has to be asked.
    Ask(Box<PendingAction>),
    /// May not run.
    Denied(Denial),
}

/// Why something may not run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "denial", rename_all = "snake_case")]
pub enum Denial {
    /// Not waiting any more.
    #[error("this was already {}", .state.as_str())]
    NotPending {
        /// Its state.
        state: ActionState,
    },
    /// Waited too long.
    #[error("this expired unanswered; nothing was done")]
    Expired,
    /// The digest is not the one that was shown.
    #[error("this is not what was shown; nothing was done")]
    WrongDigest,
    /// The stored action does not match its own digest.
    #[error("the stored action was altered; nothing was done")]
    Altered,
    /// What it would touch is not as it was.
    #[error("{what} changed since this was shown; nothing was done")]
    TargetChanged {
        /// What changed.
        what: String,
    },
    /// Nothing to do.
    #[error("there is nothing to do")]
    Nothing,
    /// Cannot be written as canonical JSON.
    #[error("the arguments cannot be shown exactly; nothing was done")]
    NotCanonical,
}

impl From<NotCanonical> for Denial {
    fn from(_: NotCanonical) -> Self {
        Self::NotCanonical
    }
}

/// What the gate needs to know to propose an action.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// Identifier of the action, should one be needed.
    pub id: ActionId,
    /// Random text for the digest.
    pub nonce: String,
    /// Conversation.
    pub conversation: ConversationId,
    /// Turn.
    pub turn: TurnId,
    /// Step.
    pub step: StepKey,
    /// Now.
    pub now: Timestamp,
}

/// The person's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Which action.
    pub id: ActionId,
    /// The digest of what the person saw.
    pub digest: Digest,
    /// Through which door.
    pub channel: Channel,
}

/// Decides on one step: `batch` is the step's call, or all its calls after `each` was expanded. What was `asked` for
/// before is asked again, however harmless it has become.
#[must_use]
pub fn gate(
    batch: Vec<Observed>,
    policy: &Policy,
    taint: Taint,
    asked: AskedBefore,
    proposal: &Proposal,
) -> Verdict {
    if batch.is_empty() {
        return Verdict::Denied(Denial::Nothing);
    }
    if asked == AskedBefore::No && !must_ask(&batch, policy) {
        return Verdict::Allowed(
            batch
                .into_iter()
                .map(|one| Approved {
                    inner: one.into(),
                    by: Permit::Policy,
                })
                .collect(),
        );
    }
    match propose(batch, taint, proposal) {
        Ok(action) => Verdict::Ask(Box::new(action)),
        Err(denial) => Verdict::Denied(denial),
    }
}

/// Applies the person's approval. `observed` is how the tool and the same targets are at present.
#[must_use]
pub fn resolve(
    action: &PendingAction,
    decision: &Decision,
    observed: &[Present],
    now: Timestamp,
) -> Verdict {
    if action.state != ActionState::Pending {
        return Verdict::Denied(Denial::NotPending {
            state: action.state,
        });
    }
    if decision.id != action.id || decision.digest != action.digest {
        return Verdict::Denied(Denial::WrongDigest);
    }
    permit(action, observed, now)
}

/// Lets an action that was approved before a restart run, if it still may.
#[must_use]
pub fn reclaim(action: &PendingAction, observed: &[Present], now: Timestamp) -> Verdict {
    if action.state != ActionState::Approved {
        return Verdict::Denied(Denial::NotPending {
            state: action.state,
        });
    }
    permit(action, observed, now)
}

fn permit(action: &PendingAction, observed: &[Present], now: Timestamp) -> Verdict {
    // A clock that went back must not make an approval last longer than it was meant to.
    let until = action.waits_until.unwrap_or(action.expires);
    if now >= until || now < action.created {
        return Verdict::Denied(Denial::Expired);
    }
    match digest_of(action) {
        Ok(digest) if digest == action.digest => {}
        Ok(_) => return Verdict::Denied(Denial::Altered),
        Err(_) => return Verdict::Denied(Denial::NotCanonical),
    }
    if observed.len() != action.calls.len() {
        return Verdict::Denied(Denial::TargetChanged {
            what: action.card.title.clone(),
        });
    }
    for (call, present) in action.calls.iter().zip(observed) {
        // The same arguments may mean something else to a tool that changed.
        if !call.definition.holds(&present.definition) {
            return Verdict::Denied(Denial::TargetChanged {
                what: format!("the tool {}", call.tool),
            });
        }
        // Approved was what is done with one account; with another one it is something else.
        if call.account != present.account {
            return Verdict::Denied(Denial::TargetChanged {
                what: action.card.title.clone(),
            });
        }
        let present = &present.before;
        for (then, now) in call.before.targets.iter().zip(&present.targets) {
            if (then.kind, &then.id, then.version) != (now.kind, &now.id, now.version) {
                return Verdict::Denied(Denial::TargetChanged {
                    what: then.label.clone(),
                });
            }
        }
        if call.before.targets.len() != present.targets.len() {
            return Verdict::Denied(Denial::TargetChanged {
                what: action.card.title.clone(),
            });
        }
    }
    let by = Permit::Person(action.id.clone());
    Verdict::Allowed(
        action
            .calls
            .iter()
            .map(|call| Approved {
                inner: call.clone(),
                by: by.clone(),
            })
            .collect(),
    )
}

fn must_ask(batch: &[Observed], policy: &Policy) -> bool {
    let ceiling = policy.unasked_max.min(Risk::LocalReversible);
    let count: usize = batch.iter().map(|one| one.assessment.count).sum();
    let effect = batch.iter().any(|one| one.assessment.risk > Risk::Read);
    let asks = |one: &Observed| one.assessment.risk > ceiling || one.assessment.ask.is_some();
    let decided = |one: &Observed| {
        policy.by_hand && ceiling == Risk::LocalReversible && is_decided_by_hand(one)
    };
    batch.iter().any(|one| asks(one) && !decided(one))
        || (effect && count > BULK_MAX)
        || (effect && batch.iter().any(has_found_target))
}

/// Whether a press decides it: a change or a deletion of rows of this computer alone, whose inverse storage records, or
/// that a mail is filed or marked, in its account too.
fn is_decided_by_hand(one: &Observed) -> bool {
    let all = |may: fn(&Operation) -> bool| {
        let frozen = one.before.frozen.as_ref();
        frozen.is_some_and(|frozen| {
            !frozen.operations.is_empty() && frozen.operations.iter().all(may)
        })
    };
    match (one.assessment.risk, one.assessment.ask) {
        (Risk::LocalReversible, Some(AskReason::ChangesEvent))
        | (Risk::Destroys, Some(AskReason::Deletes)) => {
            all(|one| matches!(one, Operation::Local { .. }))
        }
        (Risk::RemoteReversible, None) => all(files_mail),
        _ => false,
    }
}

/// Whether it only moves or marks mail, and can be taken back.
fn files_mail(operation: &Operation) -> bool {
    let files = match operation {
        Operation::Local { .. } => true,
        Operation::Remote { op, .. } => matches!(
            op.as_ref(),
            RemoteOp::Mail(MailOp::Move { .. } | MailOp::Flag { .. })
        ),
        Operation::File { .. } => false,
    };
    files && operation.is_reversible()
}

/// Whether a recipient, link or account of the call was found in text of others.
fn has_found_target(one: &Observed) -> bool {
    let given = |pointer: &String| source_at(one.call.sources(), one.call.args(), pointer);
    let given = one.assessment.reaching.iter().filter_map(given);
    given
        .chain(&one.assessment.looked_up)
        .any(Source::is_untrusted)
}

fn propose(
    mut batch: Vec<Observed>,
    taint: Taint,
    proposal: &Proposal,
) -> Result<PendingAction, Denial> {
    let risk = batch
        .iter()
        .map(|one| one.assessment.risk)
        .max()
        .unwrap_or(Risk::Spends);
    let tool = batch
        .first()
        .map(|one| one.call.tool().to_owned())
        .unwrap_or_default();
    for one in batch.iter_mut().filter(|one| has_found_target(one)) {
        let notes = &mut one.card.notes;
        if notes.iter().all(|note| note.kind != NoteKind::Untrusted) {
            let text = "One value comes from a message or page, not from you.".into();
            let kind = NoteKind::Untrusted;
            notes.insert(0, CardNote { kind, text });
        }
    }
    let mut card = batch::card(&batch);
    if batch
        .iter()
        .any(|one| one.assessment.ask == Some(AskReason::Bulk))
        || card.items.len() > BULK_MAX
    {
        card.notes.push(CardNote {
            kind: NoteKind::Warn,
            text: format!("{} at once.", card.items.len()),
        });
    }
    let mut action = PendingAction {
        id: proposal.id.clone(),
        conversation: proposal.conversation.clone(),
        turn: proposal.turn.clone(),
        step: proposal.step.clone(),
        tool,
        calls: batch.into_iter().map(Call::from).collect(),
        card,
        risk,
        taint,
        nonce: proposal.nonce.clone(),
        digest: Digest(String::new()),
        created: proposal.now,
        expires: proposal.now + jiff::SignedDuration::from_secs(EXPIRY_SECONDS),
        state: ActionState::Pending,
        channel: None,
        not_before: None,
        waits_until: None,
        superseded_by: None,
    };
    action.digest = digest_of(&action)?;
    Ok(action)
}

/// `SHA-256(version ‖ kind ‖ account ‖ tool ‖ the tool's definition ‖ canonical arguments ‖ frozen bytes ‖ targets ‖ card ‖ nonce)`
/// over one canonical JSON document, so that no field can slide into another.
fn digest_of(action: &PendingAction) -> Result<Digest, NotCanonical> {
    let calls: Vec<_> = action
        .calls
        .iter()
        .map(|call| {
            serde_json::json!({
                "account": call.account, "tool": call.tool, "schema": call.definition, "args": call.args,
                "sources": call.sources, "targets": call.before.targets, "frozen": call.before.digested(),
            })
        })
        .collect();
    canonical::digest(&serde_json::json!({
        "version": DIGEST_VERSION, "kind": "action", "id": action.id, "tool": action.tool, "calls": calls,
        "card": action.card, "risk": action.risk, "taint": action.taint, "nonce": action.nonce,
        "turn": action.turn, "step": action.step, "conversation": action.conversation,
        "created": action.created, "expires": action.expires,
    }))
}
