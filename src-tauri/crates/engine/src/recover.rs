//! After a restart: what was cut off is closed honestly, what was approved is done if it still may be.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use adjutant_domain::conversation::{Effect, JournalEntry, Turn, TurnEnd, TurnState};
use adjutant_domain::event::TurnEvent;
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::gate::{ActionState, Denial, PendingAction, Verdict};
use adjutant_domain::ids::{ActionId, ConversationId, TurnId};
use adjutant_domain::plan::{Plan, StepState};
use adjutant_domain::source::Taint;
use tokio_util::sync::CancellationToken;

use crate::engine::Engine;
use crate::feed::Sink;
use crate::ops::go_on;
use crate::respond;
use crate::retrieval::tool_use;
use crate::turn::driver::Job;
use crate::turn::machine::{Input, Proposed};
use crate::turn::perform;
use crate::turn::weigh::weigh_again;

/// What recovery found and did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovery {
    /// Turns that were cut off; each has an answer that says what was done.
    pub closed: Vec<TurnId>,
    /// Actions that had been approved and were carried out now, or asked again because something changed.
    pub reclaimed: Vec<ActionId>,
    /// Actions that ran out, or may not be carried out any more.
    pub expired: Vec<ActionId>,
    /// Actions that may have happened and that nobody can prove.
    pub unknown: Vec<ActionId>,
    /// Why a part of it could not be stored; [`Engine::run_due`] tries it again.
    pub problem: Option<UserFault>,
}

impl Recovery {
    /// Something could not be stored. The rest goes on: it may be smaller, or concern another conversation.
    fn failed(&mut self, fault: UserFault) {
        tracing::error!(what = %fault, "a part of recovery could not be stored");
        self.problem = Some(fault);
    }
}

impl Engine {
    /// Call once, before anything else, by the process that holds the profile. What cannot be stored (a full disk) is
    /// said in [`Recovery::problem`] and tried again when something is due: the profile can be used meanwhile.
    ///
    /// # Errors
    /// When storage cannot be read; nothing is lost, it can be called again.
    pub async fn recover(&self) -> Result<Recovery, UserFault> {
        let found = self.mend(Since::Start).await;
        if self.core.models().is_some() {
            self.core.prepare();
        }
        found.map_err(|fault| UserFault::from(&fault))
    }

    /// Whether something that was cut off could not be put in order yet, because storage did not take it.
    #[must_use]
    pub fn owes_recovery(&self) -> bool {
        self.core.owes_recovery.load(Ordering::SeqCst)
    }

    /// Tries again what could not be stored, if there is anything and nothing is at work: what is left open then was left
    /// by a process that is gone, or could not be closed by this one. Nothing is carried out: the person has been told
    /// that it failed.
    pub(crate) async fn recover_rest(&self) -> Result<(), UserFault> {
        if !self.owes_recovery() {
            return Ok(());
        }
        let Some(_resting) = self.actors.rest_if_idle() else {
            return Ok(());
        };
        let found = self.mend(Since::Failure).await;
        let found = found.map_err(|fault| UserFault::from(&fault))?;
        found.problem.map_or(Ok(()), Err)
    }

    async fn mend(&self, since: Since) -> Result<Recovery, StoreFault> {
        // Until it is known that everything is in order.
        self.core.owes_recovery.store(true, Ordering::SeqCst);
        let log = &self.core.parts.log;
        let unfinished = log.unfinished().await?;
        let mut found = Recovery::default();
        let mut carried_on: Vec<ConversationId> = Vec::new();
        self.expire(&mut found).await?;
        // A claim that was not settled: local effects are one transaction, so this is an outside effect of a tool.
        for action in log.actions(Some(ActionState::Executing), None).await? {
            let (from, to) = (ActionState::Executing, ActionState::Unknown);
            match log.move_action(&action.id, from, to, None).await {
                Ok(()) => found.unknown.push(action.id),
                Err(fault) => found.failed(UserFault::from(&fault)),
            }
        }
        for action in log.actions(Some(ActionState::Approved), None).await? {
            let reclaimed = match since {
                Since::Start => self.reclaim(&action, &mut found).await,
                Since::Failure => {
                    self.settle(&action, ActionState::Cancelled, &mut found)
                        .await
                }
            };
            match reclaimed {
                Ok(true) => carried_on.push(action.conversation),
                Ok(false) => {}
                Err(fault) => found.failed(fault),
            }
        }
        for one in unfinished {
            // Reclaiming an approval has carried its turn to an end.
            let state = log.turn(&one.turn.id).await?;
            if state.is_some_and(|turn| turn.state == TurnState::Open) {
                let carried_on = carried_on.contains(&one.turn.conversation);
                match self
                    .close_cut_off(&one.turn, &one.effects, since, carried_on)
                    .await
                {
                    Ok(()) => found.closed.push(one.turn.id),
                    Err(fault) => found.failed(UserFault::from(&fault)),
                }
            }
        }
        let owes = found.problem.is_some();
        self.core.owes_recovery.store(owes, Ordering::SeqCst);
        Ok(found)
    }

    /// Actions that ran out are stored as such.
    async fn expire(&self, found: &mut Recovery) -> Result<(), StoreFault> {
        let parts = &self.core.parts;
        let now = parts.clock.now().timestamp();
        let mut ran_out = false;
        for state in [ActionState::Pending, ActionState::Approved] {
            let left = parts.log.actions(Some(state), None).await?;
            ran_out |= left.iter().any(|action| action.expires <= now);
        }
        if ran_out {
            match parts.log.expire_actions(now, true).await {
                Ok(expired) => found
                    .expired
                    .extend(expired.into_iter().map(|action| action.id)),
                Err(fault) => found.failed(UserFault::from(&fault)),
            }
        }
        Ok(())
    }

    /// An approval that nothing has claimed: runs if it is unexpired, unaltered and its target is as it was shown;
    /// asks again if the target changed. Gives whether its plan went on.
    async fn reclaim(
        &self,
        action: &PendingAction,
        found: &mut Recovery,
    ) -> Result<bool, UserFault> {
        let core = &self.core;
        let cx = core.cx(core.parts.clock.now());
        let looks = perform::look(core.clone(), Proposed::of(action), cx).await;
        let verdict = weigh_again(core, action, &looks);
        let settled = match &verdict {
            Verdict::Allowed(_) | Verdict::Denied(Denial::TargetChanged { .. }) => None,
            Verdict::Denied(Denial::Expired) => Some(ActionState::Expired),
            Verdict::Denied(_) | Verdict::Ask(_) => Some(ActionState::Cancelled),
        };
        if let Some(state) = settled {
            return self.settle(action, state, found).await;
        }
        let job = Job {
            feed: self.actors.feed(&action.conversation),
            sink: Sink::default(),
            stop: CancellationToken::new(),
        };
        let input = Input::Resolved {
            action: Box::new(action.clone()),
            verdict,
            looks,
            draw: core.draw(),
        };
        match go_on(core, &job, &action.turn, action, input).await {
            Ok(()) => {
                found.reclaimed.push(action.id.clone());
                Ok(true)
            }
            // Its conversation is gone: there is nothing it could go on with.
            Err(fault) if fault.code == "not_found" => {
                self.settle(action, ActionState::Cancelled, found).await
            }
            Err(fault) => Err(fault),
        }
    }

    /// An approval that will not be carried out. Its plan does not go on.
    async fn settle(
        &self,
        action: &PendingAction,
        state: ActionState,
        found: &mut Recovery,
    ) -> Result<bool, UserFault> {
        let log = &self.core.parts.log;
        let moved = log.move_action(&action.id, ActionState::Approved, state, None);
        moved.await.map_err(|fault| UserFault::from(&fault))?;
        found.expired.push(action.id.clone());
        Ok(false)
    }

    /// Closes a turn that was cut off, with what its effects prove.
    async fn close_cut_off(
        &self,
        turn: &Turn,
        effects: &[Effect],
        since: Since,
        carried_on: bool,
    ) -> Result<(), StoreFault> {
        let parts = &self.core.parts;
        let (past, mut seq) = parts.log.past(&turn.conversation).await?;
        let told = self.told(turn, seq).await?;
        let mut plan = turn.plan.clone();
        let plan_taint = plan.as_ref().map_or(Taint::Clean, taint);
        // A "yes" that was cut off: what it approved went on in the turn that had asked.
        let mut answer = if carried_on && plan.is_none() && effects.is_empty() {
            "Adjutant stopped before this was finished. What you had approved was taken up again after the restart; the answer above says what became of it."
                .to_owned()
        } else {
            cut_off(since, plan.as_ref(), effects)
        };
        if !told.text.is_empty() {
            answer = format!("{} …\n\n{answer}", told.text.trim_end());
        }
        let same_plan = |other: &Turn| match (&other.plan, &plan) {
            (Some(one), Some(other)) => one.id == other.id,
            _ => false,
        };
        let sets_aside = past.waiting.as_ref().filter(|other| same_plan(other));
        let sets_aside = sets_aside.map(|other| other.id.clone());
        let waits = |action: &ActionId| past.pending.iter().any(|one| one.id == *action);
        let approvals: Vec<ActionId> = plan
            .iter()
            .flat_map(|plan| &plan.steps)
            .filter_map(|step| match &step.state {
                StepState::NeedsApproval { action } if waits(action) => Some(action.clone()),
                _ => None,
            })
            .collect();
        for step in plan.iter_mut().flat_map(|plan| &mut plan.steps) {
            step.state = match &step.state {
                // What was shown still waits, and what comes after it still may run: nothing of it has happened.
                StepState::Running if !approvals.is_empty() => StepState::Next,
                _ if !approvals.is_empty() => continue,
                state if state.is_over() => continue,
                _ => StepState::Cancelled {
                    reason: match since {
                        Since::Start => "Adjutant stopped before this.",
                        Since::Failure => "Storage did not take it.",
                    }
                    .to_owned(),
                },
            };
        }
        let results = plan.as_ref().map(respond::outcomes).unwrap_or_default();
        let (state, event) = if approvals.is_empty() {
            (TurnState::Interrupted, TurnEvent::Interrupted { results })
        } else {
            answer.push_str("\n\nWhat waits for you in Approvals still waits.");
            let event = TurnEvent::Waiting {
                answer: answer.clone(),
                approvals,
                questions: Vec::new(),
                results,
            };
            (TurnState::Waiting, event)
        };
        // What was told of the answer and what is said about its end are together the answer that is kept.
        let rest = (!told.text.is_empty())
            .then(|| answer.strip_prefix(told.text.trim_end()))
            .flatten()
            .map(TurnEvent::token);
        let mut journal = Vec::new();
        for event in rest.iter().chain([&event]) {
            match serde_json::to_value(event) {
                Ok(body) => journal.push(JournalEntry {
                    seq,
                    turn: turn.id.clone(),
                    body,
                }),
                Err(error) => tracing::error!(%error, "an event cannot be written as JSON"),
            }
            seq += 1;
        }
        parts
            .log
            .close_turn(&TurnEnd {
                turn: turn.id.clone(),
                conversation: turn.conversation.clone(),
                state,
                route: turn.route.clone(),
                plan,
                answer: Some(answer),
                pending: Vec::new(),
                actions: Vec::new(),
                sets_aside,
                focus: past.focus,
                taint: told.taint().join(plan_taint).join(past.taint),
                at: parts.clock.now().timestamp(),
                journal,
                tools: tool_use(&[], turn.plan.as_ref(), &BTreeSet::new()),
            })
            .await
    }

    /// What a turn that was cut off had told of its answer. `next` is the number after the last entry of the journal.
    async fn told(&self, turn: &Turn, next: i64) -> Result<Told, StoreFault> {
        let log = &self.core.parts.log;
        let mut told = Told::default();
        let mut from = next.saturating_sub(TURN_ENTRIES_MAX).max(0);
        loop {
            let page = log.journal(&turn.conversation, from, JOURNAL_PAGE).await?;
            let Some(last) = page.last() else {
                return Ok(told);
            };
            from = last.seq + 1;
            for entry in page.into_iter().filter(|entry| entry.turn == turn.id) {
                told.take(entry);
            }
        }
    }
}

/// When something that was cut off is found.
#[derive(Clone, Copy, Debug)]
enum Since {
    /// At the start: a process was killed, and what was approved may still be carried out.
    Start,
    /// After storage did not take something: the person has been told that it failed.
    Failure,
}

/// Entries one turn has in the journal at most: an answer makes some hundreds, and there are the steps.
const TURN_ENTRIES_MAX: i64 = 8_192;
/// Entries read at a time.
const JOURNAL_PAGE: usize = 512;

/// What is known of an answer that was cut off.
#[derive(Debug, Default)]
struct Told {
    text: String,
    /// An answer holds what others wrote, or may: a request to a model did, or there were results.
    taint: Taint,
    /// There were results.
    results: bool,
}

impl Told {
    /// Whether what is kept of the answer may hold what others wrote.
    fn taint(&self) -> Taint {
        if self.results && !self.text.is_empty() {
            Taint::Tainted
        } else {
            self.taint
        }
    }

    fn take(&mut self, entry: JournalEntry) {
        match serde_json::from_value(entry.body) {
            Ok(TurnEvent::Token { text, restart }) => {
                if restart {
                    self.text.clear();
                }
                self.text.push_str(&text);
            }
            Ok(TurnEvent::ToolResult { .. }) => self.results = true,
            Ok(TurnEvent::Context { taint, .. }) => self.taint = self.taint.join(taint),
            // A turn that waited has told its answer then; what comes after is another one.
            Ok(event) if event.is_last() => *self = Self::default(),
            Ok(_) => {}
            Err(error) => {
                tracing::warn!(seq = entry.seq, %error, "an entry of the journal is not readable");
            }
        }
    }
}

/// Of a plan and of all it has read: the result of the last effect may not have been added to the plan's yet.
fn taint(plan: &Plan) -> Taint {
    let results = plan.steps.iter().filter_map(|step| step.result.as_ref());
    results.fold(plan.taint, |taint, result| taint.join(result.taint))
}

/// What is said about a turn that was cut off. Only effects count as done.
fn cut_off(since: Since, plan: Option<&Plan>, effects: &[Effect]) -> String {
    let why = match since {
        Since::Start => "Adjutant stopped before this was finished.",
        Since::Failure => "The end of this could not be stored when it was reached.",
    };
    let done: Vec<&str> = effects
        .iter()
        .filter(|effect| effect.outcome == "succeeded")
        .map(|effect| effect.say.as_str())
        .collect();
    let done = if done.is_empty() {
        "Nothing was done.".to_owned()
    } else {
        format!("Done: {}", done.join(" "))
    };
    let open: Vec<&str> = plan
        .iter()
        .flat_map(|plan| &plan.steps)
        .filter(|step| !step.state.is_over())
        .map(|step| step.draft.say.trim_end_matches('.'))
        .collect();
    let open = if open.is_empty() {
        String::new()
    } else {
        format!(" Not done: {}.", open.join("; "))
    };
    format!("{why} {done}{open} Ask again to go on.")
}
