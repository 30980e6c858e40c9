//! Performs what the machine wants: the only place where a turn meets the world.
//!
//! Order against crashes: the message is stored before anything else; a plan with several effects is stored before the
//! first; an effect, its receipt, the plan after it and the journal so far are one transaction; the end is one
//! transaction, and only then it is told.

use std::collections::VecDeque;
use std::sync::Arc;

use adjutant_domain::conversation::{EffectCommit, JournalEntry, Past, TurnEnd};
use adjutant_domain::event::{ContextSection, TurnEvent};
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::gate::{
    ActionState, Channel, Decision, Denial, Observed, PendingAction, Verdict, reclaim, resolve,
};
use adjutant_domain::ids::{ActionId, ConversationId, TurnId};
use adjutant_domain::outcome::Stop;
use adjutant_domain::reading::{Reading, Reply, Resume, Utterance};
use adjutant_domain::route::{Route, RouteKind};
use adjutant_domain::tool::Before;
use jiff::Zoned;
use tokio::task::{AbortHandle, JoinSet};
use tokio_util::sync::CancellationToken;

use super::machine::{Effect, Input, Machine, Proposed};
use super::perform;
use crate::context::{self, SOURCE_DEADLINE, people::Person};
use crate::core::Core;
use crate::feed::{Feed, LiveEvent, Sink};
use crate::stopwatch::Stopwatch;

/// One turn at work.
pub(crate) struct Driver {
    pub(crate) core: Arc<Core>,
    pub(crate) feed: Arc<Feed>,
    pub(crate) sink: Sink,
    pub(crate) stop: CancellationToken,
    pub(crate) conversation: ConversationId,
    pub(crate) turn: TurnId,
    pub(crate) now: Zoned,
    pub(crate) past: Past,
    /// Number of the next event.
    pub(crate) seq: i64,
    unsaved: Vec<JournalEntry>,
    text: String,
    people: Arc<Vec<Person>>,
    people_section: Option<ContextSection>,
    tasks: JoinSet<Finished>,
    gathering: Option<AbortHandle>,
    watch: Stopwatch,
}

/// What a task of the turn brings back.
enum Finished {
    Input(Box<Input>),
    Context(ContextSection),
    Looked {
        action: Box<PendingAction>,
        looks: Vec<Result<Observed, Stop>>,
    },
}

/// Who a driver works for.
pub(crate) struct Job {
    pub(crate) feed: Arc<Feed>,
    pub(crate) sink: Sink,
    pub(crate) stop: CancellationToken,
}

impl Driver {
    pub(crate) fn new(
        core: &Arc<Core>,
        job: &Job,
        conversation: &ConversationId,
        turn: &TurnId,
        now: Zoned,
        (past, seq): (Past, i64),
    ) -> Self {
        Self {
            core: core.clone(),
            feed: job.feed.clone(),
            sink: job.sink.clone(),
            stop: job.stop.clone(),
            conversation: conversation.clone(),
            turn: turn.clone(),
            now,
            past,
            seq,
            unsaved: Vec::new(),
            text: String::new(),
            people: Arc::default(),
            people_section: None,
            tasks: JoinSet::new(),
            gathering: None,
            watch: Stopwatch::start(),
        }
    }

    /// Works until the turn pauses or ends. Nobody has to listen.
    pub(crate) async fn run(mut self, mut machine: Machine, text: &str, first: Vec<Input>) {
        text.clone_into(&mut self.text);
        let mut effects: VecDeque<Effect> = first
            .into_iter()
            .flat_map(|input| machine.step(input))
            .collect();
        let mut stopped = false;
        loop {
            while let Some(effect) = effects.pop_front() {
                match self.perform(effect).await {
                    Performed::Nothing => {}
                    Performed::Input(input) => effects.extend(machine.step(*input)),
                    Performed::Closed => {
                        self.watch.stage("turn");
                        return;
                    }
                }
                if !stopped && self.stop.is_cancelled() {
                    stopped = true;
                    self.interrupt(&mut machine, &mut effects);
                }
            }
            let stop = self.stop.clone();
            tokio::select! {
                biased;
                () = stop.cancelled(), if !stopped => {
                    stopped = true;
                    self.interrupt(&mut machine, &mut effects);
                }
                done = self.tasks.join_next() => {
                    let input = match done {
                        Some(Ok(finished)) => self.finished(finished).await,
                        // Aborted: nobody waits for it.
                        Some(Err(error)) if error.is_cancelled() => None,
                        Some(Err(_)) | None => Some(Input::Faulted(internal())),
                    };
                    effects.extend(input.into_iter().flat_map(|input| machine.step(input)));
                }
            }
        }
    }

    fn interrupt(&mut self, machine: &mut Machine, effects: &mut VecDeque<Effect>) {
        let closing = machine.step(Input::Interrupted);
        if closing.is_empty() {
            // The end is on its way already.
            return;
        }
        self.tasks.abort_all();
        effects.retain(|effect| matches!(effect, Effect::Emit(_)));
        effects.extend(closing);
    }

    async fn finished(&mut self, finished: Finished) -> Option<Input> {
        match finished {
            Finished::Input(input) => Some(*input),
            Finished::Context(memories) => {
                self.gathering = None;
                let mut sections = vec![context::messages(&self.past.messages)];
                sections.extend(self.people_section.take());
                sections.push(memories);
                Some(Input::ContextReady(sections))
            }
            Finished::Looked { action, looks } => {
                let verdict = self.weigh(&action, &looks, Channel::Chat).await;
                Some(Input::Resolved {
                    action,
                    verdict,
                    looks,
                    draw: self.core.draw(),
                })
            }
        }
    }

    async fn perform(&mut self, effect: Effect) -> Performed {
        let input = match effect {
            Effect::Emit(event) => {
                self.tell(event);
                return Performed::Nothing;
            }
            Effect::Confirm { prompt } => {
                let reply = perform::contained("resume", || {
                    self.core.parts.resumer.confirm(&self.text, &prompt)
                });
                Input::Confirmed(reply.unwrap_or(Reply::Neither))
            }
            Effect::Classify {
                request,
                plan,
                question,
            } => {
                self.know_people().await;
                let resume = self.read("resume", &self.text, |core, said| {
                    core.parts
                        .resumer
                        .resume(said, &request, &plan, question.as_ref())
                });
                Input::Classified(resume.unwrap_or(Resume::New))
            }
            Effect::Route { text } => {
                self.know_people().await;
                let route = self.read("route", &text, |core, said| core.parts.router.route(said));
                Input::Routed(route.unwrap_or_else(unrouted))
            }
            Effect::GatherContext => {
                let records = self.core.parts.records.clone();
                let text = self.text.clone();
                self.gathering = Some(self.tasks.spawn(async move {
                    Finished::Context(context::memories(records, text, SOURCE_DEADLINE).await)
                }));
                return Performed::Nothing;
            }
            Effect::DropContext => {
                if let Some(gathering) = self.gathering.take() {
                    gathering.abort();
                }
                return Performed::Nothing;
            }
            Effect::MakePlan { text, route } => {
                let reading = self.read("plan", &text, |core, said| {
                    core.parts.planner.plan(said, &route)
                });
                Input::Planned {
                    reading: reading.unwrap_or_else(unread),
                    draw: self.core.draw(),
                }
            }
            Effect::SavePlan(plan) => {
                let journal = std::mem::take(&mut self.unsaved);
                let log = &self.core.parts.log;
                match log.save_plan(&self.turn, &plan, &journal).await {
                    Ok(()) => {
                        self.feed.saved(self.seq - 1);
                        return Performed::Nothing;
                    }
                    Err(fault) => {
                        self.unsaved = journal;
                        Input::Faulted(UserFault::from(&fault))
                    }
                }
            }
            Effect::Observe { step, calls } => {
                self.spawn_look(calls, move |looks, core| {
                    Finished::Input(Box::new(Input::Observed {
                        step,
                        looks,
                        draw: core.draw(),
                    }))
                });
                return Performed::Nothing;
            }
            Effect::Resolve(action) => {
                let calls = proposed(&action);
                self.spawn_look(calls, |looks, _| Finished::Looked { action, looks });
                return Performed::Nothing;
            }
            Effect::Deny(ids) => Input::Denied(self.deny(ids, Channel::Chat).await),
            Effect::Run { step, calls } => {
                let core = self.core.clone();
                let cx = core.cx(self.now.clone());
                self.tasks.spawn(async move {
                    let watch = Stopwatch::start();
                    let outcomes = perform::run(core.clone(), &calls, cx).await;
                    watch.stage("run");
                    Finished::Input(Box::new(Input::Ran {
                        step,
                        args: calls
                            .into_iter()
                            .map(|call| call.get().args.clone())
                            .collect(),
                        outcomes,
                        draw: core.draw(),
                        at: core.parts.clock.now().timestamp(),
                    }))
                });
                return Performed::Nothing;
            }
            Effect::Commit(commit) => {
                let step = commit.step.clone();
                Input::Committed {
                    step,
                    receipt: self.commit(*commit).await,
                }
            }
            Effect::Close { end, events } => {
                self.close(*end, events).await;
                return Performed::Closed;
            }
        };
        Performed::Input(Box::new(input))
    }

    fn spawn_look(
        &mut self,
        calls: Vec<Proposed>,
        done: impl FnOnce(Vec<Result<Observed, Stop>>, &Core) -> Finished + Send + 'static,
    ) {
        let core = self.core.clone();
        let cx = core.cx(self.now.clone());
        self.tasks.spawn(async move {
            let watch = Stopwatch::start();
            let looks = perform::look(core.clone(), calls, cx).await;
            watch.stage("observe");
            done(looks, &core)
        });
    }

    /// Names of people are part of what is said; normally they are in memory.
    async fn know_people(&mut self) {
        let core = self.core.clone();
        let work = core.people.get(&*core.parts.records);
        let (section, people) = context::source("people", SOURCE_DEADLINE, work, |people| {
            context::tokens(people.iter().map(|(name, _)| name.as_str()))
        })
        .await;
        self.people = people.unwrap_or_default();
        self.people_section = Some(section);
    }

    /// Lets a stage of understanding look at what was said.
    fn read<T>(
        &self,
        stage: &'static str,
        text: &str,
        work: impl FnOnce(&Core, &Utterance<'_>) -> T,
    ) -> Option<T> {
        let settings = self.core.settings();
        let said = Utterance {
            text,
            now: &self.now,
            settings: &settings,
            focus: &self.past.focus,
            history: &self.past.messages,
            people: &self.people,
            tools: self.core.parts.toolbox.specs(),
        };
        let watch = Stopwatch::start();
        let done = perform::contained(stage, || work(&self.core, &said));
        watch.stage(stage);
        done
    }

    /// Weighs an approval against how things look now; stores it if it holds.
    pub(crate) async fn weigh(
        &self,
        action: &PendingAction,
        looks: &[Result<Observed, Stop>],
        channel: Channel,
    ) -> Verdict {
        let decision = Decision {
            id: action.id.clone(),
            digest: action.digest.clone(),
            channel,
        };
        weigh(&self.core, action, &decision, looks).await
    }

    /// Stores rejections; gives those that could be stored.
    pub(crate) async fn deny(&self, ids: Vec<ActionId>, channel: Channel) -> Vec<ActionId> {
        let mut denied = Vec::with_capacity(ids.len());
        for id in ids {
            let moved = self
                .core
                .parts
                .log
                .move_action(
                    &id,
                    ActionState::Pending,
                    ActionState::Denied,
                    Some(channel),
                )
                .await;
            match moved {
                Ok(()) => denied.push(id),
                Err(fault) => tracing::warn!(%id, %fault, "a rejection could not be stored"),
            }
        }
        denied
    }

    /// Carries out one change, together with the journal so far.
    pub(crate) async fn commit(
        &mut self,
        mut commit: EffectCommit,
    ) -> Result<adjutant_domain::conversation::Receipt, StoreFault> {
        commit.journal = std::mem::take(&mut self.unsaved);
        let watch = Stopwatch::start();
        let receipt = self.core.parts.log.commit_effect(&commit).await;
        watch.stage("commit");
        if receipt.is_ok() {
            self.feed.saved(self.seq - 1);
            self.core.stored(&commit.change);
        } else {
            self.unsaved = commit.journal;
        }
        receipt
    }

    /// Stores the end, then tells it.
    pub(crate) async fn close(&mut self, mut end: TurnEnd, events: Vec<TurnEvent>) {
        let events: Vec<Arc<LiveEvent>> = events
            .into_iter()
            .map(|event| self.number(self.timed(event)))
            .collect();
        end.at = self.core.parts.clock.now().timestamp();
        end.journal = std::mem::take(&mut self.unsaved);
        let watch = Stopwatch::start();
        let mut stored = self.core.parts.log.close_turn(&end).await;
        if matches!(stored, Err(StoreFault::Conflict { .. })) {
            // An action ran out or was answered through another door meanwhile: what does not hold any more is left
            // as it is, the rest is stored.
            self.drop_lost_moves(&mut end).await;
            stored = self.core.parts.log.close_turn(&end).await;
        }
        watch.stage("close");
        match stored {
            Ok(()) => {
                for event in &events {
                    self.publish(event);
                }
                self.feed.saved(self.seq - 1);
                self.core.changed.notify_one();
            }
            Err(fault) => {
                tracing::error!(turn = %self.turn, %fault, "the end of a turn could not be stored");
                self.feed.forget_unsaved();
                self.publish(&Arc::new(LiveEvent {
                    conversation: self.conversation.clone(),
                    turn: self.turn.clone(),
                    seq: 0,
                    event: TurnEvent::Error {
                        fault: UserFault::from(&fault),
                    },
                }));
            }
        }
    }

    async fn drop_lost_moves(&self, end: &mut TurnEnd) {
        let mut kept = Vec::with_capacity(end.actions.len());
        let mut known: Vec<(ActionId, ActionState)> = Vec::new();
        for (id, from, to) in std::mem::take(&mut end.actions) {
            let state = match known.iter().find(|(one, _)| *one == id) {
                Some((_, state)) => Some(*state),
                None => match self.core.parts.log.action(&id).await {
                    Ok(action) => action.map(|action| action.state),
                    Err(_) => None,
                },
            };
            if state == Some(from) {
                known.retain(|(one, _)| *one != id);
                known.push((id.clone(), to));
                kept.push((id, from, to));
            }
        }
        end.actions = kept;
    }

    fn timed(&self, mut event: TurnEvent) -> TurnEvent {
        if let TurnEvent::Done { ms, .. } = &mut event {
            *ms = self.watch.ms();
        }
        event
    }

    /// Tells an event at once; it reaches the journal with the next commit.
    pub(crate) fn tell(&mut self, event: TurnEvent) {
        let event = self.number(event);
        self.publish(&event);
    }

    fn number(&mut self, event: TurnEvent) -> Arc<LiveEvent> {
        let seq = self.seq;
        self.seq += 1;
        match serde_json::to_value(&event) {
            Ok(body) => self.unsaved.push(JournalEntry {
                seq,
                turn: self.turn.clone(),
                body,
            }),
            Err(error) => tracing::error!(%error, "an event cannot be written as JSON"),
        }
        Arc::new(LiveEvent {
            conversation: self.conversation.clone(),
            turn: self.turn.clone(),
            seq,
            event,
        })
    }

    fn publish(&self, event: &Arc<LiveEvent>) {
        self.feed.publish(event);
        self.sink.send(event);
        // Nobody watching is no fault.
        let _ = self.core.watchers.send(event.clone());
    }
}

enum Performed {
    Nothing,
    Input(Box<Input>),
    Closed,
}

/// The calls of a stored action, to be looked at again.
pub(crate) fn proposed(action: &PendingAction) -> Vec<Proposed> {
    action
        .calls
        .iter()
        .map(|call| Proposed {
            tool: call.tool.clone(),
            args: call.args.clone(),
            sources: call.sources.clone(),
        })
        .collect()
}

/// Weighs an approval against how things look now, and stores it if it holds (`pending → approved`).
pub(crate) async fn weigh(
    core: &Core,
    action: &PendingAction,
    decision: &Decision,
    looks: &[Result<Observed, Stop>],
) -> Verdict {
    let now = core.parts.clock.now().timestamp();
    let verdict = resolve(action, decision, &befores(action, looks), now);
    if !matches!(verdict, Verdict::Allowed(_)) {
        return verdict;
    }
    let moved = core
        .parts
        .log
        .move_action(
            &action.id,
            ActionState::Pending,
            ActionState::Approved,
            Some(decision.channel),
        )
        .await;
    match moved {
        Ok(()) => verdict,
        Err(fault) => {
            tracing::warn!(id = %action.id, %fault, "an approval could not be stored");
            let state = match core.parts.log.action(&action.id).await {
                Ok(Some(action)) => action.state,
                _ => ActionState::Pending,
            };
            Verdict::Denied(Denial::NotPending { state })
        }
    }
}

/// Weighs an approval that was stored before a restart.
pub(crate) fn weigh_again(
    core: &Core,
    action: &PendingAction,
    looks: &[Result<Observed, Stop>],
) -> Verdict {
    reclaim(
        action,
        &befores(action, looks),
        core.parts.clock.now().timestamp(),
    )
}

/// How the targets look now. A look that failed counts as no look, so that the gate refuses.
fn befores(action: &PendingAction, looks: &[Result<Observed, Stop>]) -> Vec<Before> {
    let befores: Vec<Before> = looks
        .iter()
        .filter_map(|look| look.as_ref().ok().map(|seen| seen.before.clone()))
        .collect();
    if befores.len() == action.calls.len() {
        befores
    } else {
        Vec::new()
    }
}

fn unrouted() -> Route {
    Route {
        kind: RouteKind::Action,
        domains: Vec::new(),
        is_followup: false,
        confidence: 0.0,
        by: "embedded".into(),
    }
}

fn unread() -> Reading {
    Reading::NotUnderstood {
        text: "Reading this message failed inside Adjutant. Nothing was done. Say it another way."
            .into(),
        trace: Vec::new(),
    }
}

/// A fault of our own.
pub(crate) fn internal() -> UserFault {
    UserFault::new(
        "internal",
        "Something failed inside Adjutant. What was already done stays as it is.",
        "Look at Activity, then ask again; report it with the log if it happens again.",
    )
}
