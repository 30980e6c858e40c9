//! The engine: operations in, events out.

use std::sync::Arc;

use adjutant_domain::faults::UserFault;
use adjutant_domain::gate::ActionState;
use adjutant_domain::ids::{ActionId, ConversationId, TurnId};
use adjutant_domain::ports::{Records, Toolbox, TurnLog};
use adjutant_domain::reading::{Reading, Utterance};
use adjutant_domain::record::Kind;
use adjutant_domain::route::Route;
use adjutant_domain::settings::Settings;
use tokio::sync::broadcast;

use crate::actor::Actors;
use crate::core::{Core, Models, Parts};
use crate::feed::{EventStream, LiveEvent, Sink, follow};
use crate::op::{DIRECT, Op, Target, check_message};
use crate::ops::{Work, split_question};
use crate::shadow::Shadow;
use crate::turn::driver::internal;
use crate::turn::perform;

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

    /// Takes in an operation. It runs to its end whether or not the stream is read or kept; the stream ends with the
    /// operation. An operation that is refused ends in one `error` event with `seq` 0 and changes nothing.
    ///
    /// # Errors
    /// When it cannot be taken in: an empty or too long message, a full queue, an unknown action, turn or effect.
    pub async fn submit(&self, op: Op) -> Result<EventStream, UserFault> {
        let work = match op {
            Op::Interrupt(target) => {
                self.interrupt(&target).await;
                return Ok(Sink::new().1);
            }
            Op::Retry { turn } => {
                let text = self.turn(&turn).await?;
                self.ask(text.conversation, text.text)?
            }
            Op::Ask { conversation, text } => self.ask(conversation, text)?,
            Op::Approve { ref id, .. } | Op::Reject { ref id, .. } | Op::Edit { ref id, .. } => {
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
            Op::Undo { .. } | Op::Apply { .. } | Op::Outbox { .. } | Op::UseMemory { .. } => Work {
                conversation: DIRECT.into(),
                turn: self.core.turn_id(),
                op,
            },
        };
        self.actors.submit(&self.core, work)
    }

    fn ask(&self, conversation: ConversationId, text: String) -> Result<Work, UserFault> {
        check_message(&text)?;
        Ok(Work {
            conversation: conversation.clone(),
            turn: self.core.turn_id(),
            op: Op::Ask { conversation, text },
        })
    }

    async fn action(&self, id: &ActionId) -> Result<(ConversationId, TurnId), UserFault> {
        match self.core.parts.log.action(id).await {
            Ok(Some(action)) => Ok((action.conversation, action.turn)),
            Ok(None) => Err(UserFault::new(
                "not_found",
                format!("There is no action {id}."),
                "Look at what waits with `adjutant show approvals`.",
            )),
            Err(fault) => Err(UserFault::from(&fault)),
        }
    }

    async fn turn(&self, id: &TurnId) -> Result<adjutant_domain::conversation::Turn, UserFault> {
        match self.core.parts.log.turn(id).await {
            Ok(Some(turn)) => Ok(turn),
            Ok(None) => Err(UserFault::new(
                "not_found",
                format!("There is no turn {id}."),
                "Look at the conversation for what was asked.",
            )),
            Err(fault) => Err(UserFault::from(&fault)),
        }
    }

    /// Stops what runs or is queued; approved actions that nothing has claimed yet are cancelled. Effects that were
    /// carried out stay, and the turn says so.
    pub async fn interrupt(&self, target: &Target) {
        self.actors.interrupt(target);
        if *target != Target::All {
            return;
        }
        let log = &self.core.parts.log;
        let approved = match log.actions(Some(ActionState::Approved), None).await {
            Ok(approved) => approved,
            Err(fault) => {
                // They are not run by what was stopped; the next start weighs each of them again.
                tracing::error!(%fault, "approved actions could not be read to be cancelled");
                return;
            }
        };
        for action in approved {
            // One that is claimed meanwhile is not approved any more, and its turn reports it.
            let moved = log
                .move_action(
                    &action.id,
                    ActionState::Approved,
                    ActionState::Cancelled,
                    None,
                )
                .await;
            if let Err(fault) = moved {
                tracing::debug!(id = %action.id, %fault, "an approved action was settled by its turn");
            }
        }
    }

    /// Follows a conversation: everything from number `from` on out of the journal, then live.
    #[must_use]
    pub fn subscribe(&self, conversation: &ConversationId, from: i64) -> EventStream {
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

    /// How a message would be routed and read, without storing or doing anything (`--explain`).
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
        let people = self.core.known_people().await;
        let settings = self.core.settings();
        let said = Utterance {
            text,
            now: &parts.clock.now(),
            settings: &settings,
            focus: &past.focus,
            history: &past.messages,
            people: &people,
            tools: parts.toolbox.specs(),
        };
        perform::contained("explain", || {
            let route = parts.router.route(&said);
            let reading = parts.planner.plan(&said, &route);
            (route, reading)
        })
        .ok_or_else(internal)
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

    /// Stops every turn and waits until each has stored how it ended. Nothing is taken in afterwards.
    pub async fn close(&self) {
        self.core.end_background();
        self.actors.close().await;
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

fn unknown_question() -> UserFault {
    UserFault::new(
        "not_found",
        "There is no such question.",
        "Look at what waits with `adjutant show plans`.",
    )
}
