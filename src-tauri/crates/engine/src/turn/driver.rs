//! Performs the effects of the machine: the only place where a turn meets the outside world.
//!
//! To survive crashes, it stores things in this order. The message comes before anything else; a plan with several
//! effects comes before the first of them; an effect, its receipt, the updated plan and the journal so far form one
//! transaction; the end is one transaction and is published only afterwards.

mod aside;
mod compare;
mod effects;
mod found;
mod keep;
mod model;
mod record;
mod reply;
mod request;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use adjutant_domain::conversation::{JournalEntry, Past};
use adjutant_domain::event::ContextSection;
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::gate::{ActionState, Channel, Decision, PendingAction, Policy, Risk};
use adjutant_domain::ids::{ActionId, ConversationId, StepKey, TurnId};
use adjutant_domain::mentioned_name::MentionedName;
use adjutant_domain::model::{Tier, Usage};
use jiff::Zoned;
use tokio::task::{AbortHandle, JoinSet};
use tokio_util::sync::CancellationToken;

pub(crate) use self::aside::route_by_model;
use self::effects::Performed;
use self::keep::Keeping;
use self::model::OpenRequests;
use super::again::Again;
use super::machine::{Effect, Frame, Input, Machine};
use super::weigh::{not_stored, weigh};
use crate::context::{self, people::AddressBook};
use crate::core::Core;
use crate::feed::{Feed, Sink};
use crate::stages::{Failed, StageReply, StageRequest};
use crate::stopwatch::Stopwatch;
use crate::tools::Tools;
use crate::turn::machine::Draw;

/// A running turn.
pub(crate) struct Driver {
    pub(crate) core: Arc<Core>,
    pub(crate) feed: Arc<Feed>,
    pub(crate) sink: Sink,
    pub(crate) stop: CancellationToken,
    pub(crate) conversation: ConversationId,
    pub(crate) turn: TurnId,
    pub(crate) now: Zoned,
    /// The tools available when the turn began or was reopened.
    tools: Arc<Tools>,
    pub(crate) past: Past,
    /// Sequence number of the next event.
    pub(crate) seq: i64,
    unsaved: Vec<JournalEntry>,
    /// Steps whose operations are being carried out outside storage, with the approval each uses.
    carrying: BTreeMap<StepKey, Option<ActionId>>,
    keeping: Keeping,
    /// Running steps with the time since they began.
    steps: BTreeMap<StepKey, Stopwatch>,
    text: String,
    /// The message that the plan was made for, if a button reopened the turn.
    asked: String,
    people: Arc<AddressBook>,
    people_section: Option<ContextSection>,
    /// The message last searched for names, with the records it mentions; `None` if they could not be read.
    mentioned: (String, Option<Arc<[MentionedName]>>),
    tasks: JoinSet<Finished>,
    gathering: Option<AbortHandle>,
    /// The rows being gathered for model requests.
    gathered: request::Gathering,
    asking: OpenRequests,
    /// The tier the person chose for this message. A resumed turn has none.
    tier: Option<Tier>,
    /// Tokens and cost of models in this turn.
    usage: Usage,
    watch: Stopwatch,
}

/// The result of a task of the turn.
enum Finished {
    Input(Box<Input>),
    Context(ContextSection),
    /// Gathering for models is done; its receivers already have the result.
    Gathered,
    /// A model request ended.
    Said {
        ask: Box<StageRequest>,
        said: Box<Result<StageReply, Failed>>,
        usage: Usage,
    },
    Looked {
        action: Box<PendingAction>,
        again: Result<Again, StoreFault>,
    },
}

/// The outlets of a driver and its stop token.
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
            tools: core.tools(),
            past,
            seq,
            unsaved: Vec::new(),
            carrying: BTreeMap::new(),
            keeping: Keeping::default(),
            steps: BTreeMap::new(),
            text: String::new(),
            asked: String::new(),
            people: Arc::default(),
            people_section: None,
            mentioned: Default::default(),
            tasks: JoinSet::new(),
            gathering: None,
            gathered: request::Gathering::default(),
            asking: OpenRequests::new(),
            tier: None,
            usage: Usage::default(),
            watch: Stopwatch::start(),
        }
    }

    /// Sets the tier that the person chose for planning and answering.
    pub(crate) fn choose_tier(&mut self, tier: Option<Tier>) {
        self.tier = tier;
    }

    /// Returns the frame for a machine that this driver runs.
    pub(crate) fn frame(&self, text: &str) -> Frame {
        let unasked_max = if self.core.settings().ask_always {
            Risk::Read
        } else {
            Risk::LocalReversible
        };
        Frame {
            conversation: self.conversation.clone(),
            turn: self.turn.clone(),
            text: text.to_owned(),
            instead_of: None,
            now: self.now.timestamp(),
            policy: Policy {
                unasked_max,
                by_hand: false,
            },
            tools: self.tools.clone(),
            model: self.core.models().map(|models| models.manner),
        }
    }

    /// Sets the message that a reopened turn works for.
    pub(crate) fn works_for(&mut self, text: &str) {
        text.clone_into(&mut self.asked);
    }

    /// Runs until the turn pauses or ends, whether or not anybody listens.
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
                () = OpenRequests::slow(slow) => self.still_waiting(),
                Some(done) = writing.join_next() => self.kept(done),
                () = Keeping::due(due) => self.keep(),
                done = self.tasks.join_next() => {
                    // Publish the pieces that arrived before the end first.
                    while let Ok(heard) = self.asking.pieces.try_recv() {
                        let input = self.heard(heard);
                        effects.extend(machine.step(input));
                    }
                    let input = match done {
                        Some(Ok(finished)) => self.finished(finished).await,
                        // Aborted, so nobody waits for it.
                        Some(Err(error)) if error.is_cancelled() => None,
                        Some(Err(error)) => {
                            tracing::error!(turn = %self.turn, %error, "a part of a turn broke off");
                            Some(Input::Faulted(internal()))
                        }
                        None => Some(Input::Faulted(internal())),
                    };
                    effects.extend(input.into_iter().flat_map(|input| machine.step(input)));
                }
            }
        }
    }

    fn interrupt(&mut self, machine: &mut Machine, effects: &mut VecDeque<Effect>) {
        let closing = machine.step(Input::Interrupted);
        if closing.is_empty() {
            // The turn is already ending.
            return;
        }
        self.tasks.abort_all();
        effects.retain(|effect| matches!(effect, Effect::Emit(_)));
        effects.extend(closing);
    }

    async fn finished(&mut self, finished: Finished) -> Option<Input> {
        match finished {
            Finished::Input(input) => {
                if let Input::CarriedOut { step, .. } = &*input {
                    self.carrying.remove(step);
                }
                Some(*input)
            }
            Finished::Context(memories) => {
                self.gathering = None;
                let mut sections = vec![context::messages(&self.past.messages)];
                sections.extend(self.people_section.take());
                sections.push(memories);
                Some(Input::ContextReady(sections))
            }
            Finished::Gathered => None,
            Finished::Said { ask, said, usage } => Some(self.said(ask, *said, usage)),
            Finished::Looked { action, again } => Some(match again {
                Ok(again) => self.approve_by_word(action, again).await,
                Err(fault) => Input::NotStored(not_stored(&fault)),
            }),
        }
    }

    /// Weighs an approval that the person gave with a word.
    async fn approve_by_word(&self, mut action: Box<PendingAction>, again: Again) -> Input {
        let decision = Decision {
            id: action.id.clone(),
            digest: action.digest.clone(),
            channel: Channel::Chat,
        };
        match weigh(&self.core, &mut action, &decision, &again.present).await {
            Ok(verdict) => Input::Resolved {
                action,
                verdict,
                looks: again.looks,
                draw: Draw::of(&*self.core.parts.entropy),
            },
            Err(fault) => {
                tracing::error!(id = %action.id, %fault, "an approval could not be stored");
                Input::NotStored(not_stored(&fault))
            }
        }
    }

    /// Stores rejections. Returns the stored ones, and the fault if another could not be stored and still waits.
    pub(crate) async fn deny(
        &self,
        ids: Vec<ActionId>,
        channel: Channel,
    ) -> (Vec<ActionId>, Option<UserFault>) {
        let mut denied = Vec::with_capacity(ids.len());
        let mut problem = None;
        let (from, to) = (ActionState::Pending, ActionState::Denied);
        let at = self.core.parts.clock.now().timestamp();
        for id in ids {
            let log = &self.core.parts.log;
            match log.move_action(&id, from, to, Some(channel), at).await {
                Ok(()) => denied.push(id),
                // It expired or was cancelled meanwhile, so nothing waits for it any more and the rejection holds too.
                Err(StoreFault::Conflict { .. }) => denied.push(id),
                Err(fault) => {
                    tracing::error!(%id, %fault, "a rejection could not be stored");
                    problem = Some(not_stored(&fault));
                }
            }
        }
        (denied, problem)
    }
}

/// Returns the fault for a bug of ours.
pub(crate) fn internal() -> UserFault {
    UserFault::new(
        "internal",
        "Something failed inside Adjutant. What was already done stays as it is.",
        "Look at Activity, then ask again. If it happens again, report it with the log.",
    )
}
