//! The engine: it takes operations and emits events.

use std::sync::Arc;

use adjutant_domain::conversation::{BACKGROUND, DIRECT, Message, Role};
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::gate::PendingAction;
use adjutant_domain::ids::{AccountId, ActionId, ConversationId, TurnId};
use adjutant_domain::model::{Embedder, ModelFault, Tier, Usage};
use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::{Cx, Records, Toolbox, TurnLog};
use adjutant_domain::program::is_of_program;
use adjutant_domain::reading::Reading;
use adjutant_domain::record::Kind;
use adjutant_domain::route::Route;
use adjutant_domain::settings::Settings;
use tokio::sync::{OwnedSemaphorePermit, broadcast, oneshot};

use crate::actor::{Actors, Resting};
use crate::context::names;
use crate::core::{Core, Hurry, Models, Parts};
use crate::feed::{EventStream, LiveEvent, Sink, follow};
use crate::manual;
use crate::op::{Op, check_message};
use crate::ops::{Work, split_question};
use crate::retrieval::{Near, Retriever, Rows};
use crate::shadow::Shadow;
use crate::stages::Failed;
use crate::tools::NewerTools;
use crate::turn::driver::{internal, route_by_model};
use crate::turn::reading::{Scene, read_aside};

/// The engine. Clones are cheap and share everything. Every call needs a surrounding tokio runtime.
#[derive(Clone)]
pub struct Engine {
    pub(crate) core: Arc<Core>,
    pub(crate) actors: Arc<Actors>,
}

impl Engine {
    /// Creates an engine. Call [`Engine::recover`] before anything else.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self {
            core: Arc::new(Core::new(parts)),
            actors: Arc::default(),
        }
    }

    /// Accepts an operation once its conversation has room for it ([`crate::QUEUE_MAX`]). The operation runs to its end
    /// even if the stream is not read or is dropped; the stream ends with the operation. A refused operation yields a
    /// single `error` event with `seq` 0 and changes nothing.
    ///
    /// # Errors
    /// Returns a fault if the operation cannot be accepted: the message is empty or too long, the action, turn or
    /// effect is unknown, too many operations wait, or the engine is closing or quiesced.
    pub async fn submit(&self, op: Op) -> Result<EventStream, UserFault> {
        let op = op.decided();
        let work = match op {
            Op::Interrupt(target) => {
                self.interrupt(&target).await?;
                return Ok(Sink::new().1);
            }
            Op::Retry { turn, text, tier } => {
                let found = self.turn(&turn).await?;
                // A turn started on a surface, by a job or by a program has no words to repeat.
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
                "This conversation belongs to a program, so you cannot write in it; nothing was done.",
                "Write in another conversation; what the program proposed is in Approvals.",
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
                "See what is waiting in Approvals (`adjutant show approvals`).",
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

    /// Follows a conversation: events from number `from` on out of the journal, then live ones. A subscriber is likely
    /// to send a message soon, so this also starts loading the names of the person's records.
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

    /// Receives live events of all conversations, for counters and notifications. A receiver that lags misses some.
    #[must_use]
    pub fn watch(&self) -> broadcast::Receiver<Arc<LiveEvent>> {
        self.core.watchers.subscribe()
    }

    /// Routes and plans a message without asking a model, storing anything or doing anything. It starts no turn; to
    /// have the message carried out, submit it as well.
    ///
    /// # Errors
    /// Returns a fault if the message is empty or too long, or storage cannot be read.
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
        let (tools, unnamed) = (self.core.tools(), names.is_none());
        let names = names.unwrap_or_default();
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
            move |core, said| {
                let route = core.parts.router.route(said);
                let reading = core.parts.planner.plan(said, &route);
                match unnamed {
                    true => (
                        route,
                        names::without_names(reading, |tool| said.only_reads(tool)),
                    ),
                    false => (route, reading),
                }
            },
        );
        both.await.ok_or_else(internal)
    }

    /// Asks a model to route a message, as a turn does when the embedded router is unsure. It starts no turn and stores
    /// only what the request cost, which it returns as well. `before` holds the earlier messages, oldest first.
    ///
    /// # Errors
    /// Returns a fault if the message is empty or too long, no model is connected, or no model gave a usable reply.
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
        // As background work, it cannot start while the engine is quiesced, and ends before anything is erased.
        let (mut reply, routed) = oneshot::channel();
        let (core, text) = (self.core.clone(), text.to_owned());
        self.core.in_background(async move {
            tokio::select! {
                routed = route_by_model(&core, &models, &text, before) => drop(reply.send(routed)),
                // The caller has gone: cancel the request, so that nothing more is paid for.
                () = reply.closed() => {}
            }
        });
        let routed = routed.await.map_err(|_| broken_off())?;
        routed.map_err(|fault| UserFault::from(&fault))
    }

    /// Tells the engine that records of these kinds were written without it (by an import or another process's
    /// command). Cheap and non-blocking: the store's own change notice may call it.
    pub fn records_changed(&self, kinds: &[Kind]) {
        if kinds.contains(&Kind::Contact) {
            self.core.people.forget();
        }
        if kinds.contains(&Kind::Memory) {
            self.core.secrets.forget();
        }
        self.core.changed.notify_one();
    }

    /// Returns the name of the account that an approved action needs and that the person has to sign in to. `None` if
    /// its last attempt did not fail for that reason.
    ///
    /// # Errors
    /// Returns a fault if storage cannot be read.
    pub async fn signed_out(&self, action: &PendingAction) -> Result<Option<String>, StoreFault> {
        Ok(match self.core.refusal(action).await? {
            Some(RemoteFault::NotSignedIn { account, .. }) => {
                Some(self.core.account_name(&account).await)
            }
            _ => None,
        })
    }

    /// Lets every approved action that waits for a connection be tried again at once. What waits for a sign-in is tried
    /// once the person has signed in ([`Self::hurry_signed_in`]).
    pub async fn hurry_waiting(&self) {
        self.core.hurry_waiting(Hurry::Connection).await;
    }

    /// Lets the approved actions that wait for this account be tried again at once, because the person has signed in.
    pub async fn hurry_signed_in(&self, account: &AccountId) {
        self.core.hurry_waiting(Hurry::SignedIn(account)).await;
    }

    /// Tells the engine that jobs were added, moved or stopped without it, so the next one may be due earlier. Cheap
    /// and non-blocking, like [`Self::records_changed`].
    pub fn jobs_changed(&self) {
        self.core.changed.notify_one();
    }

    /// Replaces the settings for everything that starts from now on.
    pub fn set_settings(&self, settings: Settings) {
        self.core.set_settings(settings);
    }

    /// Replaces the models for turns that start from now on. `None` leaves the embedded engine alone.
    pub fn set_models(&self, models: Option<Models>) {
        self.core.set_models(models);
    }

    /// Sets a candidate model that runs beside the live model, without effect. `None` removes it.
    pub fn set_shadow(&self, shadow: Option<Shadow>) {
        self.core.set_shadow(shadow);
    }

    /// Returns a receiver that is notified of newer tools.
    #[must_use]
    pub fn newer_tools(&self) -> NewerTools {
        NewerTools(self.core.newer_tools())
    }

    /// Returns the texts to embed, one for each tool, in the order in which [`Self::set_tool_vectors`] takes the
    /// vectors.
    #[must_use]
    pub fn tool_texts(&self) -> Vec<String> {
        let told: Vec<_> = self.core.tools().told().collect();
        told.iter().map(Retriever::text).collect()
    }

    /// Sets the vectors of all tools and the model that made them, for requests from now on. `None` retrieves by words
    /// alone. Vectors that do not match the current tools are ignored.
    pub fn set_tool_vectors(&self, vectors: Option<(Arc<dyn Embedder>, Rows)>) {
        let tools = self.core.tools();
        let told: Vec<_> = tools.told().collect();
        let version = tools.catalog().version();
        let near = vectors.and_then(|vectors| Near::new(&told, version, vectors));
        self.core.set_near(near.map(Arc::new));
    }

    /// Stops every turn and waits until each has stored how it ended. Afterwards the engine accepts nothing.
    pub async fn close(&self) {
        // A turn that ends may ask for background work; none of it starts any more.
        self.core.background.refuse();
        self.actors.close().await;
        self.core.background.end().await;
    }

    /// Stops everything, including due jobs and background work, and waits until all of it has stored how it ended.
    /// Nothing starts until the guard is dropped, so the contents of storage can be replaced or erased meanwhile.
    pub async fn quiesce(&self) -> QuiesceGuard {
        // Create the guard first: dropping this future then lets everything continue.
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

    /// Clears every in-memory copy of records and turns, after they were erased or replaced.
    pub fn forget_everything(&self) {
        self.core.forget_everything();
    }

    /// Returns the log of conversations, turns, actions and effects.
    #[must_use]
    pub fn log(&self) -> &Arc<dyn TurnLog> {
        &self.core.parts.log
    }

    /// Returns what a tool that only reads may use, at this moment.
    #[must_use]
    pub fn reading(&self) -> Cx {
        self.core.cx(self.core.parts.clock.now())
    }

    /// Returns read access to the stored records.
    #[must_use]
    pub fn records(&self) -> &Arc<dyn Records> {
        &self.core.parts.records
    }

    /// Returns whether a call with this name can still be carried out: by a tool of the catalogue, or as a command of the
    /// person, such as an undo.
    #[must_use]
    pub fn carries_out(&self, name: &str) -> bool {
        manual::is_command(name) || self.core.parts.toolbox.catalog().get(name).is_some()
    }

    /// Returns the toolbox.
    #[must_use]
    pub fn toolbox(&self) -> &Arc<dyn Toolbox> {
        &self.core.parts.toolbox
    }
}

/// A guard: the engine is at rest while it exists.
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
        // Look at what became due meanwhile.
        self.core.changed.notify_one();
    }
}

fn broken_off() -> UserFault {
    UserFault::new(
        "resting",
        "Adjutant is busy with the whole profile, or is closing, so no model finished its reply.",
        "Ask again in a moment.",
    )
}

fn unknown_turn(id: &TurnId) -> UserFault {
    UserFault::new(
        "not_found",
        format!("There is no turn {id}."),
        "The conversation shows what was asked.",
    )
}

fn unknown_question() -> UserFault {
    UserFault::new(
        "not_found",
        "This question does not exist.",
        "See what is waiting in Plans (`adjutant show plans`).",
    )
}
