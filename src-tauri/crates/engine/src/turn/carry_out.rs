//! Carries out operations that leave storage, one after the other. Each is on record before its first byte leaves, and
//! gets an outcome. An unknown outcome is reconciled at once; what certainly was not done is retried with the same key.

use std::panic::AssertUnwindSafe;

use adjutant_domain::conversation::{EffectCommit, Receipt, Standby};
use adjutant_domain::faults::{StoreFault, UserFault, sentence};
use adjutant_domain::ids::{ConversationId, EffectId, StepKey, TurnId};
use adjutant_domain::operation::{
    self, Attempt, Beginning, Ended, Ending, Key, Operation, Reconciled, RemoteFault, Stage, Why,
};
use adjutant_domain::ports::Cx;
use futures::FutureExt as _;
use jiff::{SignedDuration, Timestamp};
use tokio_util::sync::CancellationToken;

use super::machine::{Carried, Carry, Waits};
use super::perform::STEP_DEADLINE;
use crate::core::Core;
use crate::panics;
use crate::turn::machine::Draw;

/// Maximum number of attempts at one operation within a turn. After three lost replies in a row, the provider is asked
/// again later.
const ATTEMPTS_MAX: u32 = 3;

/// The conversation, turn and step that operations belong to.
pub(crate) struct StepContext {
    pub(crate) conversation: ConversationId,
    pub(crate) turn: TurnId,
    pub(crate) step: StepKey,
}

/// Carries out operations in order. Once one shows that the others cannot succeed now (no connection, signed out), they
/// are not tried; after a stop no further one begins. Nor does one begin whose call has an operation of an earlier
/// [`Stage`] that is not certainly done.
///
/// Without a connection the step waits: as its approval, or, if nobody was asked, as `standby`.
pub(crate) async fn carry_out(
    core: &Core,
    cx: &Cx,
    context: &StepContext,
    (items, standby): (Vec<Carry>, Option<Box<Standby>>),
    stop: &CancellationToken,
) -> Vec<Carried> {
    let of = items.len();
    let mut carried = Vec::with_capacity(of);
    let mut goes_on = true;
    let mut not_done: Vec<(usize, Stage)> = Vec::new();
    for (at, item) in items.into_iter().enumerate() {
        // A step may wait for a connection only while nothing of it has been done.
        let may_wait = (at == 0).then(|| match (&item.claim, &standby) {
            (Some(_), _) => Some(WaitsAs::Approval),
            (None, standby) => standby.clone().map(WaitsAs::Standby),
        });
        let may_wait = may_wait.flatten();
        let (call, stage) = (item.call, item.operation.stage());
        let waits_for = |(other, earlier): &(usize, Stage)| {
            *other == call && stage.is_some_and(|stage| *earlier < stage)
        };
        let mut one = Carried {
            call,
            words: item.operation.words(),
            effect: None,
            ended: None,
            reason: None,
            receipt: None,
            waits: None,
        };
        if goes_on && !stop.is_cancelled() && !not_done.iter().any(waits_for) {
            let Outcome {
                effect,
                ended,
                receipt,
                waits_until,
            } = if item.operation.leaves_storage() {
                outside(core, cx, context, item, (of, may_wait)).await
            } else {
                local(core, context, item).await
            };
            if let Ended::Refused { fault } = &ended {
                one.reason = Some(core.told(fault).await);
                one.waits = wait(core, waits_until, fault).await;
            }
            goes_on = !stops_others(&ended);
            one.effect = effect;
            one.ended = Some(ended);
            one.receipt = receipt;
        }
        if !matches!(one.ended, Some(Ended::Done { .. })) {
            not_done.extend(stage.map(|stage| (call, stage)));
        }
        carried.push(one);
    }
    carried
}

/// What waits for a connection if an operation meets none.
enum WaitsAs {
    /// The approval that it uses.
    Approval,
    /// An action that is stored then, because nobody was asked.
    Standby(Box<Standby>),
}

impl WaitsAs {
    fn standby(&self) -> Option<&Standby> {
        match self {
            Self::Approval => None,
            Self::Standby(standby) => Some(standby),
        }
    }
}

/// Whether the other operations of the step would end the same way.
fn stops_others(ended: &Ended) -> bool {
    passes(ended)
        || matches!(
            ended,
            Ended::Refused {
                fault: RemoteFault::Limited { .. }
            }
        )
}

/// Whether nothing was done, and a step may wait until what prevented it is over.
fn passes(ended: &Ended) -> bool {
    matches!(ended, Ended::Refused { fault } if fault.passes())
}

/// Returns what a step waits for. `None` if it does not wait.
async fn wait(core: &Core, until: Option<Timestamp>, fault: &RemoteFault) -> Option<Waits> {
    until?;
    Some(match fault {
        RemoteFault::NotSignedIn { account, .. } => Waits::SignIn {
            name: core.account_name(account).await,
            account: account.clone(),
        },
        _ => Waits::Connection,
    })
}

/// Returns how long a step may wait.
fn offline_time(cx: &Cx) -> SignedDuration {
    SignedDuration::from_hours(i64::from(cx.settings.approval.offline_hours))
}

/// The outcome of one operation.
struct Outcome {
    /// `None` if storage did not let it begin.
    effect: Option<EffectId>,
    ended: Ended,
    receipt: Option<Receipt>,
    waits_until: Option<Timestamp>,
}

impl Outcome {
    fn new(effect: EffectId, ended: Ended, receipt: Option<Receipt>) -> Self {
        Self {
            effect: Some(effect),
            ended,
            receipt,
            waits_until: None,
        }
    }

    /// The outcome of an operation that storage did not let begin: nothing has happened.
    fn not_begun(fault: &StoreFault) -> Self {
        Self {
            effect: None,
            ended: Ended::Refused {
                fault: RemoteFault::Refused {
                    what: UserFault::from(fault).what,
                },
            },
            receipt: None,
            waits_until: None,
        }
    }
}

/// Commits a change to local rows among operations that leave storage.
async fn local(core: &Core, context: &StepContext, item: Carry) -> Outcome {
    let effect = Draw::of(&*core.parts.entropy).effect;
    let change = item.operation.change().cloned().unwrap_or_default();
    let commit = EffectCommit {
        id: effect.clone(),
        turn: context.turn.clone(),
        step: context.step.clone(),
        conversation: context.conversation.clone(),
        tool: item.tool,
        args: item.args,
        say: item.say,
        change,
        claim: item.claim,
        settles_claim: false,
        unasked: item.unasked.into_iter().collect(),
        undoes: item.undoes,
        at: core.parts.clock.now().timestamp(),
        plan: None,
        journal: Vec::new(),
    };
    match core.parts.log.commit_effect(&commit).await {
        Ok(receipt) => {
            core.stored(&commit.change);
            let proof = operation::Receipt::Rows {
                rows: receipt.rows.clone(),
            };
            Outcome::new(effect, Ended::Done { receipt: proof }, Some(receipt))
        }
        Err(fault) => Outcome::not_begun(&fault),
    }
}

/// Carries out one operation that leaves storage, with as many attempts as it takes to settle it, at most
/// `ATTEMPTS_MAX`.
async fn outside(
    core: &Core,
    cx: &Cx,
    context: &StepContext,
    item: Carry,
    (of, may_wait): (usize, Option<WaitsAs>),
) -> Outcome {
    let effect = Draw::of(&*core.parts.entropy).effect;
    let mut begin = Beginning {
        key: Key(effect.0.clone()),
        number: 1,
        conversation: context.conversation.clone(),
        turn: context.turn.clone(),
        step: context.step.clone(),
        tool: item.tool,
        of,
        args: item.args,
        claim: item.claim,
        unasked: item.unasked,
        operation: item.operation,
        undoes: item.undoes,
        say: item.say,
        at: core.parts.clock.now().timestamp(),
    };
    loop {
        if let Err(fault) = core.parts.log.begin_attempt(&begin).await {
            // Nothing has left.
            return Outcome::not_begun(&fault);
        }
        let mut ended = apply(core, cx, &begin).await;
        let mut needs_person = false;
        let mut again = false;
        if let Ended::Unknown { why } = ended {
            let attempt = Attempt {
                key: begin.key.clone(),
                number: begin.number,
                started: begin.at,
                ended: None,
                outcome: Some(Ended::Unknown { why }),
            };
            match reconcile(core, &begin.operation, &attempt).await {
                Reconciled::Done { receipt } => ended = Ended::Done { receipt },
                Reconciled::NotDone => {
                    ended = not_there();
                    again = begin.number < ATTEMPTS_MAX;
                }
                Reconciled::CannotTell => needs_person = true,
                Reconciled::NotNow { .. } => {}
            }
        }
        let at = core.parts.clock.now().timestamp();
        let waits = may_wait.as_ref().filter(|_| passes(&ended));
        let waits_until = waits.and_then(|_| at.checked_add(offline_time(cx)).ok());
        let standby = waits.and_then(WaitsAs::standby);
        let say = match again || waits_until.is_some() {
            true => None,
            false => Some(say(core, &begin, &ended).await),
        };
        let end = Ending {
            key: begin.key.clone(),
            number: begin.number,
            say,
            ended: ended.clone(),
            waits_until,
            needs_person,
            at,
        };
        match core.parts.log.end_attempt(&end, standby).await {
            Ok(_) if again => {
                begin.number += 1;
                begin.at = core.parts.clock.now().timestamp();
            }
            Ok(receipt) => {
                if receipt.is_some()
                    && let Some(change) = begin.operation.change()
                {
                    core.stored(change);
                }
                return Outcome {
                    effect: Some(effect),
                    ended,
                    receipt,
                    waits_until,
                };
            }
            Err(fault) => {
                tracing::error!(%fault, "what became of an operation could not be stored");
                core.recovery_pending
                    .store(true, std::sync::atomic::Ordering::SeqCst);
                let why = Why::NotRecorded;
                return Outcome::new(effect, Ended::Unknown { why }, None);
            }
        }
    }
}

/// Asks the executor to carry out an operation, within the deadline of a step.
async fn apply(core: &Core, cx: &Cx, begin: &Beginning) -> Ended {
    let work = async {
        match &begin.operation {
            Operation::File { file } => core.parts.files.save(file, cx).await,
            Operation::Remote { account, op, .. } => match core.parts.executors.of(account) {
                Some(executor) => executor.apply(op, &begin.key).await,
                // Signing in again would not help.
                None => Ended::Refused {
                    fault: RemoteFault::Refused {
                        what: "its account is no longer connected".into(),
                    },
                },
            },
            // Storage itself changes rows.
            Operation::Local { .. } => Ended::Refused {
                fault: RemoteFault::Gone,
            },
        }
    };
    let why = Why::NoReply;
    match tokio::time::timeout(STEP_DEADLINE, AssertUnwindSafe(work).catch_unwind()).await {
        Ok(Ok(ended)) => ended,
        Ok(Err(panic)) => {
            tracing::error!(
                tool = begin.tool,
                panic = panics::text(&*panic),
                "an operation panicked"
            );
            Ended::Unknown { why }
        }
        Err(_) => Ended::Unknown { why },
    }
}

/// Asks the other side whether an operation happened, within the deadline of a step.
pub(crate) async fn reconcile(core: &Core, operation: &Operation, attempt: &Attempt) -> Reconciled {
    let work = async {
        match operation {
            Operation::File { file } => core.parts.files.reconcile(file).await,
            Operation::Remote { account, op, .. } => match core.parts.executors.of(account) {
                Some(executor) => executor.reconcile(op, attempt).await,
                None => Reconciled::NotNow {
                    fault: RemoteFault::not_signed_in(account.clone()),
                },
            },
            Operation::Local { .. } => Reconciled::NotDone,
        }
    };
    let not_now = Reconciled::NotNow {
        fault: RemoteFault::TimedOut,
    };
    match tokio::time::timeout(STEP_DEADLINE, AssertUnwindSafe(work).catch_unwind()).await {
        Ok(Ok(found)) => found,
        Ok(Err(panic)) => {
            tracing::error!(
                panic = panics::text(&*panic),
                "a look for an operation panicked"
            );
            not_now
        }
        Err(_) => not_now,
    }
}

/// Returns the sentence for the activity log.
pub(crate) async fn say(core: &Core, begin: &Beginning, ended: &Ended) -> String {
    let words = begin.operation.words();
    match ended {
        Ended::Done {
            receipt: operation::Receipt::Remote { refused, .. },
        } if !refused.is_empty() => {
            // A server gives the same reason for all whom it does not tell.
            let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
            for one in refused {
                let email = one.address.email.clone();
                match reasons.iter_mut().find(|(reason, _)| *reason == one.reason) {
                    Some((_, emails)) => emails.push(email),
                    None => reasons.push((&one.reason, vec![email])),
                }
            }
            let refused: Vec<String> = reasons
                .iter()
                .map(|(reason, emails)| format!("{} ({reason})", emails.join(", ")))
                .collect();
            format!("{} Not accepted for {}.", begin.say, refused.join("; "))
        }
        Ended::Done { .. } => begin.say.clone(),
        Ended::Refused { fault } => {
            sentence(&format!("not done: {words} ({})", core.told(fault).await))
        }
        Ended::Unknown { .. } => sentence(&format!("may have happened, please check: {words}")),
    }
}

/// Returns the outcome of an operation that reconciling did not find.
pub(crate) fn not_there() -> Ended {
    Ended::Refused {
        fault: RemoteFault::Refused {
            what: "it was started, but a check afterwards did not find it there".into(),
        },
    }
}
