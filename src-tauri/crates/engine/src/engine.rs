//! The engine: operations in, events out.

use std::sync::Arc;

use adjutant_domain::conversation::{BACKGROUND, DIRECT, Message, Role};
use adjutant_domain::faults::UserFault;
use adjutant_domain::ids::{ActionId, ConversationId, TurnId};
use adjutant_domain::model::{Embedder, ModelFault, Tier, Usage};
use adjutant_domain::ports::{Records, Toolbox, TurnLog};
use adjutant_domain::program::is_of_program;
use adjutant_domain::reading::Reading;
use adjutant_domain::record::Kind;
use adjutant_domain::route::Route;
use adjutant_domain::settings::Settings;
use tokio::sync::{OwnedSemaphorePermit, broadcast, oneshot};

use crate::actor::{Actors, Resting};
use crate::context::names;
use crate::core::{Core, Models, Parts};
use crate::feed::{EventStream, LiveEvent, Sink, follow};
use crate::op::{Op, check_message};
use crate::ops::{Work, split_question};
use crate::retrieval::{Near, Retriever, Rows};
use crate::shadow::Shadow;
use crate::stages::Failed;
use crate::tools::NewerTools;
use crate::turn::driver::{internal, route_by_model};
use crate::turn::reading::{Scene, read_aside};

/// The engine. Cheap to clone; all clones are the same engine. Needs a tokio runtime around every call.
#[derive(Clone)]
pub struct Engine {
    pub(crate) core: Arc<Core>,
    pub(crate) actors: Arc<Actors>,
}

impl Engine {
    /// Puts the engine together. Call [`Engine::recover`] before anything else.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self {
            core: Arc::new(Core::new(parts)),
            actors: Arc::default(),
        }
    }

    /// Takes in an operation, as soon as its conversation has room for it ([`crate::QUEUE_MAX`]). It runs to its end whether
    /// or not the stream is read or kept; the stream ends with the operation. An operation that is refused ends in one
    /// `error` event with `seq` 0 and changes nothing.
    ///
    /// # Errors
    /// When it cannot be taken in: an empty or too long message, an unknown action, turn or effect, or the engine closes.
    pub async fn submit(&self, op: Op) -> Result<EventStream, UserFault> {
        let op = op.decided();
        let work = match op {
            Op::Interrupt(target) => {
                self.interrupt(&target).await?;
                return Ok(Sink::new().1);
            }
            Op::Retry { turn, text, tier } => {
                let found = self.turn(&turn).await?;
                // What was done on a surface, or became due, was not said in words.
                let unspoken = [DIRECT, BACKGROUND].contains(&found.conversation.as_str());
                if unspoken || is_of_program(&found.conversation) {
                    return Err(unknown_turn(&turn));
                }
                let text = text.unwrap_or(found.text);
                check_message(&text)?;
                Work {
                    conversation: found.conversation,
                    turn: self.core.turn_id(),
                    op: Op::Retry {
                        turn,
                        text: Some(text),
                        tier,
                    },
                }
            }
            Op::Ask {
                conversation,
                text,
                tier,
            } => self.ask(conversation, text, tier)?,
            Op::Approve { ref id, .. }
            | Op::Reject { ref id, .. }
            | Op::Edit { ref id, .. }
            | Op::Carry { ref id, .. } => {
                let (conversation, turn) = self.action(id).await?;
                Work {
                    conversation,
                    turn,
                    op,
                }
            }
            Op::Answer { ref question, .. } => {
                let (turn, _) = split_question(question).ok_or_else(unknown_question)?;
                let turn = self.turn(&turn).await.map_err(|_| unknown_question())?;
                Work {
                    conversation: turn.conversation,
                    turn: turn.id,
                    op,
                }
            }
            Op::EditPlan { ref turn, .. } => {
                let found = self.turn(turn).await?;
                Work {
                    conversation: found.conversation,
                    turn: found.id,
                    op,
                }
            }
            Op::Propose {
                ref conversation, ..
            } => Work {
                conversation: conversation.clone(),
                turn: self.core.turn_id(),
                op,
            },
            Op::Undo { .. } | Op::Apply { .. } | Op::Outbox { .. } | Op::UseMemory { .. } => Work {
                conversation: DIRECT.into(),
                turn: self.core.turn_id(),
                op,
            },
        };
        self.actors.submit(&self.core, work).await
    }

    fn ask(
        &self,
        conversation: ConversationId,
        text: String,
        tier: Option<Tier>,
    ) -> Result<Work, UserFault> {
        check_message(&text)?;
        if is_of_program(&conversation) {
            return Err(UserFault::new(
                "not_spoken",
                "Nobody speaks in the conversation of a program; nothing was done.",
                "Say it in another conversation; what the program proposed is in Approvals.",
            ));
        }
        Ok(Work {
            conversation: conversation.clone(),
            turn: self.core.turn_id(),
            op: Op::Ask {
                conversation,
                text,
                tier,
            },
        })
    }

    async fn action(&self, id: &ActionId) -> Result<(ConversationId, TurnId), UserFault> {
        match self.core.parts.log.action(id).await {
            Ok(Some(action)) => Ok((action.conversation, action.turn)),
            Ok(None) => Err(UserFault::new(
                "not_found",
                format!("There is no action {id}."),
                "Look at what waits in Approvals (`adjutant show approvals`).",
            )),
            Err(fault) => Err(UserFault::from(&fault)),
        }
    }

    async fn turn(&self, id: &TurnId) -> Result<adjutant_domain::conversation::Turn, UserFault> {
        match self.core.parts.log.turn(id).await {
            Ok(Some(turn)) => Ok(turn),
            Ok(None) => Err(unknown_turn(id)),
            Err(fault) => Err(UserFault::from(&fault)),
        }
    }

    /// Follows a conversation: everything from number `from` on out of the journal, then live. Whoever does so stays and
    /// will say something: the names of the person's things are read meanwhile.
    #[must_use]
    pub fn subscribe(&self, conversation: &ConversationId, from: i64) -> EventStream {
        self.core.want_names();
        follow(
            conversation.clone(),
            from,
            self.actors.feed(conversation),
            self.core.parts.log.clone(),
        )
    }

    /// Live events of all conversations, for counters and notifications. A watcher that lags misses some.
    #[must_use]
    pub fn watch(&self) -> broadcast::Receiver<Arc<LiveEvent>> {
        self.core.watchers.subscribe()
    }

    /// How a message would be routed and read: nothing is stored, asked of a model or done. It is no turn; whoever wants
    /// the message done as well asks it.
    ///
    /// # Errors
    /// When the message is empty or too long, or storage cannot be read.
    pub async fn explain(
        &self,
        conversation: &ConversationId,
        text: &str,
    ) -> Result<(Route, Reading), UserFault> {
        check_message(text)?;
        let parts = &self.core.parts;
        let (past, _) = parts
            .log
            .past(conversation)
            .await
            .map_err(|fault| UserFault::from(&fault))?;
        let now = parts.clock.now();
        let (people, names) = tokio::join!(
            self.core.known_people(),
            names::mentioned(&*parts.records, text, now.timestamp())
        );
        let tools = self.core.tools();
        let scene = Scene {
            text,
            now: &now,
            past: &past,
            people: &people,
            names: &names,
            tools: &tools,
        };
        let both = read_aside(
            &self.core,
            &scene,
            (people.clone(), names.clone(), tools.clone()),
            "explain",
            |core, said| {
                let route = core.parts.router.route(said);
                let reading = core.parts.planner.plan(said, &route);
                (route, reading)
            },
        );
        both.await.ok_or_else(internal)
    }

    /// Where a message belongs, as a model says: what a turn asks where the embedded router is unsure. It is no turn: nothing
    /// of it is stored but what it cost, which is given as well. `before` was said before it, oldest first.
    ///
    /// # Errors
    /// When the message is empty or too long, no model is connected, or none gave a usable reply.
    pub async fn route_by_model(
        &self,
        text: &str,
        before: Vec<(Role, String)>,
    ) -> Result<(Route, Usage), UserFault> {
        check_message(text)?;
        let models = self.core.models();
        let models = models.ok_or_else(|| UserFault::from(&Failed::Model(ModelFault::None)))?;
        let (turn, at) = (self.core.turn_id(), self.core.parts.clock.now().timestamp());
        let message = |(role, text)| Message {
            turn: turn.clone(),
            role,
            text,
            at,
        };
        let before = before.into_iter().map(message).collect();
        // Like all work beside turns it does not begin while everything rests, and ends before anything is erased.
        let (mut reply, routed) = oneshot::channel();
        let (core, text) = (self.core.clone(), text.to_owned());
        self.core.in_background(async move {
            tokio::select! {
                routed = route_by_model(&core, &models, &text, before) => drop(reply.send(routed)),
                // Nobody waits for it any more, so nothing more is paid for.
                () = reply.closed() => {}
            }
        });
        let routed = routed.await.map_err(|_| broken_off())?;
        routed.map_err(|fault| UserFault::from(&fault))
    }

    /// Tells the engine that records of these kinds were written without it (an import, another process's command).
    /// Cheap, not blocking: it may be called from the store's own change notice.
    pub fn records_changed(&self, kinds: &[Kind]) {
        if kinds.contains(&Kind::Contact) {
            self.core.people.forget();
        }
        if kinds.contains(&Kind::Memory) {
            self.core.secrets.forget();
        }
        self.core.changed.notify_one();
    }

    /// Tells the engine that jobs were added, moved or stopped without it: the next one may be due earlier. Like
    /// [`Self::records_changed`].
    pub fn jobs_changed(&self) {
        self.core.changed.notify_one();
    }

    /// Settings for everything that starts from now on.
    pub fn set_settings(&self, settings: Settings) {
        self.core.set_settings(settings);
    }

    /// Models for every turn that starts from now on; `None`: the embedded engine alone.
    pub fn set_models(&self, models: Option<Models>) {
        self.core.set_models(models);
    }

    /// A candidate that is asked beside the live model from now on, without any effect; `None`: none.
    pub fn set_shadow(&self, shadow: Option<Shadow>) {
        self.core.set_shadow(shadow);
    }

    /// Tells of tools that are newer than those there are now.
    #[must_use]
    pub fn newer_tools(&self) -> NewerTools {
        NewerTools(self.core.newer_tools())
    }

    /// What the vectors of tools are made of, in the order in which [`Self::set_tool_vectors`] takes them.
    #[must_use]
    pub fn tool_texts(&self) -> Vec<String> {
        let told: Vec<_> = self.core.tools().told().collect();
        told.iter().map(Retriever::text).collect()
    }

    /// Vectors of all tools and the model that made them, for every request from now on; `None`: words alone. Vectors
    /// that do not fit the tools are passed over.
    pub fn set_tool_vectors(&self, vectors: Option<(Arc<dyn Embedder>, Rows)>) {
        let tools = self.core.tools();
        let told: Vec<_> = tools.told().collect();
        let version = tools.catalog().version();
        let near = vectors.and_then(|vectors| Near::new(&told, version, vectors));
        self.core.set_near(near.map(Arc::new));
    }

    /// Stops every turn and waits until each has stored how it ended. Nothing is taken in afterwards.
    pub async fn close(&self) {
        // A turn that ends may want more work done beside; nothing of that begins any more.
        self.core.background.refuse();
        self.actors.close().await;
        self.core.background.end().await;
    }

    /// Stops everything, also what is due and what is done in the background, and waits until all of it has stored how it
    /// ended. Nothing begins until what is given is dropped: what storage holds can be replaced or erased meanwhile.
    pub async fn quiesce(&self) -> QuiesceGuard {
        // Made first: whoever stops waiting lets everything go on.
        self.core.background.refuse();
        let mut rest = QuiesceGuard {
            core: self.core.clone(),
            actors: None,
            due: None,
        };
        rest.actors = Some(self.actors.rest().await);
        self.core.background.end().await;
        rest.due = self.core.due.clone().acquire_owned().await.ok();
        rest
    }

    /// Forgets everything that is kept in memory of records and turns, after they were erased or replaced.
    pub fn forget_everything(&self) {
        self.core.forget_everything();
    }

    /// Conversations, turns, actions and effects as stored.
    #[must_use]
    pub fn log(&self) -> &Arc<dyn TurnLog> {
        &self.core.parts.log
    }

    /// Records as stored.
    #[must_use]
    pub fn records(&self) -> &Arc<dyn Records> {
        &self.core.parts.records
    }

    /// The tools.
    #[must_use]
    pub fn toolbox(&self) -> &Arc<dyn Toolbox> {
        &self.core.parts.toolbox
    }
}

/// The engine at rest, as long as this is kept.
#[must_use = "everything goes on as soon as this is dropped"]
pub struct QuiesceGuard {
    core: Arc<Core>,
    actors: Option<Resting>,
    due: Option<OwnedSemaphorePermit>,
}

impl Drop for QuiesceGuard {
    fn drop(&mut self) {
        self.actors = None;
        self.due = None;
        self.core.background.admit();
        // What became due meanwhile is looked at.
        self.core.changed.notify_one();
    }
}

fn broken_off() -> UserFault {
    UserFault::new(
        "resting",
        "Adjutant is busy with the whole profile, or is closing; no model was asked to the end.",
        "Ask again in a moment.",
    )
}

fn unknown_turn(id: &TurnId) -> UserFault {
    UserFault::new(
        "not_found",
        format!("There is no turn {id}."),
        "Look at the conversation for what was asked.",
    )
}

fn unknown_question() -> UserFault {
    UserFault::new(
        "not_found",
        "There is no such question.",
        "Look at what waits in Plans (`adjutant show plans`).",
    )
}
