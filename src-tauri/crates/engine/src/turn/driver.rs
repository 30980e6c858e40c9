//! Performs what the machine wants: the only place where a turn meets the world.
//!
//! Order against crashes: the message is stored before anything else; a plan with several effects is stored before the
//! first; an effect, its receipt, the plan after it and the journal so far are one transaction; the end is one
//! transaction, and only then it is told.

mod keep;
mod listen;
mod model;
mod record;
mod request;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use adjutant_domain::conversation::{JournalEntry, Past};
use adjutant_domain::event::ContextSection;
use adjutant_domain::faults::UserFault;
use adjutant_domain::gate::{ActionState, Channel, Decision, Observed, PendingAction};
use adjutant_domain::ids::{ActionId, ConversationId, StepKey, TurnId};
use adjutant_domain::model::Usage;
use adjutant_domain::outcome::Stop;
use adjutant_domain::reading::{Reading, Reply, Resume, Utterance};
use adjutant_domain::route::{Route, RouteKind};
use jiff::Zoned;
use tokio::task::{AbortHandle, JoinSet};
use tokio_util::sync::CancellationToken;

use self::keep::Keeping;
pub(crate) use self::listen::{Spoken, listen};
use self::model::Asking;
use super::machine::{Effect, Input, Machine, Proposed};
use super::perform;
use super::weigh::weigh;
use crate::context::{self, SOURCE_DEADLINE, people::Person};
use crate::core::Core;
use crate::feed::{Feed, Sink};
use crate::stages::{Ask, Failed, Said};
use crate::stopwatch::Stopwatch;
use crate::undo::take_back;

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
    keeping: Keeping,
    /// Since when steps are at work.
    steps: BTreeMap<StepKey, Stopwatch>,
    text: String,
    /// The message the plan is made for, where the turn was opened again by a button.
    asked: String,
    people: Arc<Vec<Person>>,
    people_section: Option<ContextSection>,
    tasks: JoinSet<Finished>,
    gathering: Option<AbortHandle>,
    /// What is gathered for models.
    gathered: request::Gathering,
    asking: Asking,
    /// What models cost in this turn.
    usage: Usage,
    watch: Stopwatch,
}

/// What a task of the turn brings back.
enum Finished {
    Input(Box<Input>),
    Context(ContextSection),
    /// What was gathered for models is there; whoever asked for it has it already.
    Gathered,
    /// A model ended its reply.
    Said {
        ask: Box<Ask>,
        said: Box<Result<Said, Failed>>,
        usage: Usage,
    },
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
            keeping: Keeping::default(),
            steps: BTreeMap::new(),
            text: String::new(),
            asked: String::new(),
            people: Arc::default(),
            people_section: None,
            tasks: JoinSet::new(),
            gathering: None,
            gathered: request::Gathering::default(),
            asking: Asking::new(),
            usage: Usage::default(),
            watch: Stopwatch::start(),
        }
    }

    /// Says for which message a turn that is opened again works.
    pub(crate) fn works_for(&mut self, text: &str) {
        text.clone_into(&mut self.asked);
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
            let (pieces, slow) = self.asking.parts();
            let (due, writing) = self.keeping.parts();
            tokio::select! {
                biased;
                () = stop.cancelled(), if !stopped => {
                    stopped = true;
                    self.interrupt(&mut machine, &mut effects);
                }
                Some(heard) = pieces.recv() => {
                    let input = self.heard(heard);
                    effects.extend(machine.step(input));
                }
                () = Asking::slow(slow) => self.still_waiting(),
                Some(done) = writing.join_next() => self.kept(done),
                () = Keeping::due(due) => self.keep(),
                done = self.tasks.join_next() => {
                    // What was said before the end is told before it.
                    while let Ok(heard) = self.asking.pieces.try_recv() {
                        let input = self.heard(heard);
                        effects.extend(machine.step(input));
                    }
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
            Finished::Gathered => None,
            Finished::Said { ask, said, usage } => Some(self.said(ask, *said, usage)),
            Finished::Looked { action, looks } => {
                let decision = Decision {
                    id: action.id.clone(),
                    digest: action.digest.clone(),
                    channel: Channel::Chat,
                };
                let verdict = weigh(&self.core, &action, &decision, &looks).await;
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
                if self.core.models().is_some() {
                    // What no model is shown is known by the time one is asked.
                    let core = self.core.clone();
                    self.tasks.spawn(async move {
                        drop(core.secrets.get(&*core.parts.records).await);
                        Finished::Gathered
                    });
                }
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
            Effect::AskModel(ask) => {
                if let Ask::Extract(wanted) = &*ask {
                    self.begin_step(&wanted.step);
                }
                self.ask_model(ask);
                return Performed::Nothing;
            }
            Effect::ReadAnswer { text, question } => {
                Input::AnswerRead(self.read_answer(&text, &question))
            }
            Effect::SavePlan(plan) => {
                self.kept_all().await;
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
                self.begin_step(&step);
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
                let calls = Proposed::of(&action);
                self.spawn_look(calls, |looks, _| Finished::Looked { action, looks });
                return Performed::Nothing;
            }
            Effect::TakeBack => Input::TakenBack(take_back(self).await),
            Effect::Deny(ids) => Input::Denied(self.deny(ids, Channel::Chat).await),
            Effect::Run { step, calls } => {
                self.begin_step(&step);
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

    /// A step is at work from the first look at its calls on.
    fn begin_step(&mut self, step: &StepKey) {
        self.steps
            .entry(step.clone())
            .or_insert_with(Stopwatch::start);
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
        let source = context::source("people", SOURCE_DEADLINE, work, |people| {
            context::tokens(people.iter().map(|(name, _)| name.as_str()))
        });
        tokio::select! {
            (section, people) = source => {
                self.people = people.unwrap_or_default();
                self.people_section = Some(section);
            }
            () = self.stop.cancelled() => {}
        }
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
}

enum Performed {
    Nothing,
    Input(Box<Input>),
    Closed,
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
