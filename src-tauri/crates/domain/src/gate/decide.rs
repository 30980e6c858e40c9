//! The gate's decisions: `gate` before a call, `resolve` on the person's approval, `reclaim` after a restart.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::pending::EXPIRY_SECONDS;
use super::{
    ActionState, AskReason, AskedBefore, Call, CardNote, Channel, Exposure, Fact, Grant, NoteKind,
    Observed, PendingAction, PermittedBy, Present, Rates, Risk, Why, batch, grant, why,
};
use crate::canonical::{self, Digest, NotCanonical};
use crate::ids::{ActionId, ConversationId, GrantId, StepKey, TurnId};
use crate::source::{Source, Taint, source_at};
use crate::spec::Target;

/// Maximum number of things one step may touch unasked.
pub const BULK_MAX: usize = 20;
/// Version of the digest's composition. It changes with what the digest covers.
pub const DIGEST_VERSION: u32 = 1;

/// Permission to run. Its fields are private, so only [`gate`], [`resolve`] and [`reclaim`] can create one.
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
    /// The person approved this action, or what permitted it without asking them was stored with it when it had to wait.
    Person(ActionId),
    /// A standing grant of the person allows it until a date.
    Grant(GrantId),
}

impl<T> Approved<T> {
    /// Returns what may run.
    #[must_use]
    pub fn get(&self) -> &T {
        &self.inner
    }

    /// Returns why it may run.
    #[must_use]
    pub fn permit(&self) -> &Permit {
        &self.by
    }
}

/// How strict the gate is. The person can make it stricter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// Highest risk that runs unasked; must not exceed [`Risk::LocalReversible`].
    pub unasked_max: Risk,
    /// Whether the person pressed a button or moved something on a surface, where what they see is what is done. Such a
    /// press counts as approval for changing or deleting their own local rows and for filing mail, as long as it can be
    /// undone.
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

/// Result of the gate.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The calls may run now.
    Allowed(Vec<Approved<Call>>),
    /// The person has to approve first.
    Ask(Box<PendingAction>),
    /// The calls may not run.
    Denied(Denial),
}

/// Why something may not run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "denial", rename_all = "snake_case")]
pub enum Denial {
    /// The action no longer waits.
    #[error("this was already {}", .state.as_str())]
    NotPending {
        /// State it is in.
        state: ActionState,
    },
    /// The approval came too late.
    #[error("this expired unanswered; nothing was done")]
    Expired,
    /// The digest differs from that of the card shown.
    #[error("this is not what was shown; nothing was done")]
    WrongDigest,
    /// The stored action does not match its own digest.
    #[error("the stored action was altered; nothing was done")]
    Altered,
    /// A target, tool or account changed after the card was shown.
    #[error("{what} changed since this was shown; nothing was done")]
    TargetChanged {
        /// What changed.
        what: String,
    },
    /// The step has no calls.
    #[error("there is nothing to do")]
    Nothing,
    /// The arguments have no canonical JSON form.
    #[error("the arguments cannot be shown exactly; nothing was done")]
    NotCanonical,
}

impl From<NotCanonical> for Denial {
    fn from(_: NotCanonical) -> Self {
        Self::NotCanonical
    }
}

/// Context the gate needs to build a pending action.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// Identifier for the action, if the person has to be asked.
    pub id: ActionId,
    /// Random text that enters the digest.
    pub nonce: String,
    /// Conversation the step belongs to.
    pub conversation: ConversationId,
    /// Turn the step belongs to.
    pub turn: TurnId,
    /// Key of the step.
    pub step: StepKey,
    /// Current time.
    pub now: Timestamp,
}

/// The person's answer to a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Id of the action.
    pub id: ActionId,
    /// Digest of the card the person saw.
    pub digest: Digest,
    /// Channel the answer came through.
    pub channel: Channel,
}

/// What the gate considers about a step besides its calls.
#[derive(Clone, Debug, Default)]
pub struct Circumstances<'a> {
    /// How strict the gate is.
    pub policy: Policy,
    /// Whether foreign text has reached the plan or the conversation.
    pub taint: Taint,
    /// What the person was asked about before. The gate asks again even if the call has become harmless.
    pub asked: AskedBefore,
    /// Whether the planner only guesses that the person asked for this.
    pub guessed: bool,
    /// What a read could send out.
    pub exposure: Exposure<'a>,
    /// Standing grants of the person.
    pub grants: &'a [Grant],
    /// How often tools ran unasked.
    pub rates: Rates,
}

/// Decides on one step. `batch` holds the step's call, or one call for each item of a list.
#[must_use]
pub fn gate(batch: Vec<Observed>, now: &Circumstances<'_>, proposal: &Proposal) -> Verdict {
    if batch.is_empty() {
        return Verdict::Denied(Denial::Nothing);
    }
    let guessed = now.guessed || batch.iter().any(|one| one.assessment.guessed);
    let now = &Circumstances {
        guessed,
        ..now.clone()
    };
    let Some(why) = why::of(&batch, now, proposal.now) else {
        return allowed(batch.into_iter().map(|one| (one, Permit::Policy)));
    };
    if let Some(grants) = grant::covering(&batch, &why, now, proposal.now) {
        let permits = grants.into_iter().map(Permit::Grant);
        return allowed(batch.into_iter().zip(permits));
    }
    match propose(batch, Some(&why), now, proposal) {
        Ok(action) => Verdict::Ask(Box::new(action)),
        Err(denial) => Verdict::Denied(denial),
    }
}

/// Returns the approved action as which calls that [`gate`] allowed unasked wait if their account cannot be reached.
/// `batch` is what the gate allowed. `None` if nothing of it leaves for an account, or if the calls already belong to
/// an action.
#[must_use]
pub fn to_wait(
    batch: Vec<Observed>,
    allowed: &[Approved<Call>],
    now: &Circumstances<'_>,
    proposal: &Proposal,
) -> Option<PendingAction> {
    let is_same = |(one, call): (&Observed, &Approved<Call>)| {
        one.call.tool() == call.inner.tool
            && *one.call.args() == call.inner.args
            && one.before == call.inner.before
    };
    if !batch.iter().any(Observed::leaves_for_account)
        || batch.len() != allowed.len()
        || !batch.iter().zip(allowed).all(is_same)
    {
        return None;
    }
    let mut ids = Vec::new();
    for call in allowed {
        match &call.by {
            Permit::Policy => {}
            Permit::Grant(id) => ids.push(id.clone()),
            Permit::Person(_) => return None,
        }
    }
    let unasked = match ids.is_empty() {
        true => PermittedBy::Hand,
        false => PermittedBy::Grants { ids },
    };
    let action = propose(batch, None, now, proposal).ok()?;
    Some(PendingAction {
        unasked: Some(unasked),
        state: ActionState::Approved,
        ..action
    })
}

fn allowed(calls: impl Iterator<Item = (Observed, Permit)>) -> Verdict {
    let approved = calls.map(|(one, by)| Approved {
        inner: Call::from(one),
        by,
    });
    Verdict::Allowed(approved.collect())
}

/// Applies the person's approval. `observed` is the present state of the tool and the same targets, one entry per call.
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

/// Lets an action approved before a restart run, if its approval still holds.
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
    // If the clock was set back, the approval must not last longer than intended.
    let until = action.waits_until.unwrap_or(action.expires);
    if now >= until || now < action.created {
        return Verdict::Denied(Denial::Expired);
    }
    match digest_of(action) {
        Ok(digest) if digest == action.digest => {}
        Ok(_) => return Verdict::Denied(Denial::Altered),
        Err(_) => return Verdict::Denied(Denial::NotCanonical),
    }
    if let Some(what) = changed(action, observed) {
        return Verdict::Denied(Denial::TargetChanged { what });
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

/// Returns what differs from what the card showed: a tool, the account or a target. `None` if nothing does.
#[must_use]
pub fn changed(action: &PendingAction, observed: &[Present]) -> Option<String> {
    let title = || action.card.title.clone();
    if observed.len() != action.calls.len() {
        return Some(title());
    }
    for (call, present) in action.calls.iter().zip(observed) {
        // The same arguments may mean something else to a tool that changed.
        if !call.definition.holds(&present.definition) {
            return Some(format!("the tool {}", call.tool));
        }
        // The approval covers one account; the same call on another account is a different action.
        if call.account != present.account {
            return Some(title());
        }
        let (then, now) = (&call.before.targets, &present.before.targets);
        let differs = |(then, now): &(&Target, &Target)| {
            (then.kind, &then.id, then.version) != (now.kind, &now.id, now.version)
        };
        if let Some((then, _)) = then.iter().zip(now).find(differs) {
            return Some(then.label.clone());
        }
        if then.len() != now.len() {
            return Some(title());
        }
    }
    None
}

/// Returns whether a recipient, link or account of the call was found in foreign text.
pub(super) fn has_found_target(one: &Observed) -> bool {
    let given = |pointer: &String| source_at(one.call.sources(), one.call.args(), pointer);
    let given = one.assessment.reaching.iter().filter_map(given);
    given
        .chain(&one.assessment.looked_up)
        .any(Source::is_untrusted)
}

fn propose(
    mut batch: Vec<Observed>,
    why: Option<&Why>,
    now: &Circumstances<'_>,
    proposal: &Proposal,
) -> Result<PendingAction, Denial> {
    let offer = why.and_then(|why| grant::offer(&batch, why, now));
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
    batch.iter_mut().for_each(show_what_leaves);
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
    // A weightier reason hides that it is a guess. A tool that guesses says itself what it guesses.
    if now.guessed && why != Some(&Why::Guessed) && !batch.iter().any(|one| one.assessment.guessed)
    {
        card.notes.push(CardNote {
            kind: NoteKind::Warn,
            text: "I am not sure that you meant this. Please check it.".into(),
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
        taint: now.taint,
        why: why.cloned(),
        grant: offer,
        unasked: None,
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

/// Adds a fact to the card for each text a read sends out, regardless of what its tool shows.
fn show_what_leaves(one: &mut Observed) {
    let Some(out) = &one.assessment.carries_out else {
        return;
    };
    let label = format!("Leaves for {}", super::escape::visible(&out.to));
    let leaves = out.texts.iter().map(|text| Fact::new(&label, text, None));
    one.card.facts.extend(leaves);
}

/// Computes an action's digest: SHA-256 over one canonical JSON document, so that no bytes can shift from one field
/// into another.
///
/// It covers version, kind, calls (account, tool, tool definition, arguments, sources, targets, frozen bytes), card,
/// risk, taint, nonce, identifiers and times, and `why` and `grant` where present.
pub(super) fn digest_of(action: &PendingAction) -> Result<Digest, NotCanonical> {
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
    let mut document = serde_json::json!({
        "version": DIGEST_VERSION, "kind": "action", "id": action.id, "tool": action.tool, "calls": calls,
        "card": action.card, "risk": action.risk, "taint": action.taint, "nonce": action.nonce,
        "turn": action.turn, "step": action.step, "conversation": action.conversation,
        "created": action.created, "expires": action.expires,
    });
    // Earlier versions stored actions without these two fields; their digests must still match.
    if let Some(why) = &action.why {
        document["why"] = serde_json::json!(why);
    }
    if let Some(grant) = &action.grant {
        document["grant"] = serde_json::json!(grant);
    }
    canonical::digest(&document)
}
