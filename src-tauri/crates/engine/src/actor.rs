//! One actor per conversation: a bounded queue, and one turn at a time. The engine owns the turn, so a caller that goes
//! away does not stop it.

use std::collections::{BTreeMap, HashMap};
use std::panic::AssertUnwindSafe;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use adjutant_domain::conversation::{ToolUse, TurnEnd, TurnState};
use adjutant_domain::event::TurnEvent;
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::ids::{ConversationId, TurnId};
use futures::FutureExt as _;
use tokio::sync::{Notify, OwnedMutexGuard, mpsc};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::core::Core;
use crate::feed::{EventStream, Feed, LiveEvent, Sink};
use crate::op::Target;
use crate::ops::{self, Work};
use crate::panics;
use crate::settle::settle;
use crate::turn::driver::{Driver, Job, internal};

/// Operations that one conversation queues while its actor is busy; callers of further ones wait for room.
pub const QUEUE_MAX: usize = 16;
/// Operations in all conversations together that may wait for room in a queue.
const ARRIVING_MAX: usize = 1_024;

/// The actors of all conversations that have work.
#[derive(Debug, Default)]
pub(crate) struct Actors {
    inner: Mutex<Inner>,
    /// Notified whenever an actor comes to rest.
    rested: Notify,
}

#[derive(Debug, Default)]
struct Inner {
    actors: HashMap<ConversationId, Actor>,
    feeds: HashMap<ConversationId, Weak<Feed>>,
    /// Operations that wait for room in a queue, by order of arrival.
    arriving: BTreeMap<u64, Arriving>,
    arrivals: u64,
    tasks: JoinSet<()>,
    closing: bool,
    /// Number of [`Resting`] guards alive; operations are refused while there are any.
    resting: usize,
    /// A new actor waits for this lock before its first order, so holding it delays new work.
    pause: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Debug)]
struct Actor {
    queue: mpsc::Sender<Order>,
    /// Stop tokens of the running and the queued orders, in queue order.
    stops: Vec<(TurnId, CancellationToken)>,
}

/// An operation with the job that carries it out.
struct Order {
    work: Work,
    job: Job,
}

/// An operation that waits for room in its conversation's queue.
#[derive(Debug)]
struct Arriving {
    conversation: ConversationId,
    turn: TurnId,
    stop: CancellationToken,
}

/// Removes an operation from [`Inner::arriving`] when dropped.
struct Arrived<'a> {
    actors: &'a Actors,
    number: u64,
}

impl Drop for Arrived<'_> {
    fn drop(&mut self) {
        self.actors.lock().arriving.remove(&self.number);
    }
}

impl Actors {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues an operation once its conversation's queue has room, and starts the actor if it rests. Dropping the
    /// future before then withdraws the operation.
    pub(crate) async fn submit(
        self: &Arc<Self>,
        core: &Arc<Core>,
        work: Work,
    ) -> Result<EventStream, UserFault> {
        let (sink, stream) = Sink::new();
        let stop = CancellationToken::new();
        let _arrived = self.arrive(&work, &stop)?;
        let mut order = Order {
            job: Job {
                feed: self.feed(&work.conversation),
                sink,
                stop,
            },
            work,
        };
        loop {
            let queue = self.queue(core, &order.work.conversation)?;
            // An actor that comes to rest closes its queue; retry with the next actor.
            let Ok(place) = queue.reserve_owned().await else {
                continue;
            };
            match self.put(place, order)? {
                None => return Ok(stream),
                Some(back) => order = back,
            }
        }
    }

    fn arrive(&self, work: &Work, stop: &CancellationToken) -> Result<Arrived<'_>, UserFault> {
        let mut inner = self.lock();
        if inner.arriving.len() >= ARRIVING_MAX {
            return Err(UserFault::new(
                "busy",
                format!(
                    "{ARRIVING_MAX} requests are already waiting, so this one was not accepted."
                ),
                "Wait for an answer, or stop what is running.",
            ));
        }
        let number = inner.arrivals;
        inner.arrivals += 1;
        inner.arriving.insert(
            number,
            Arriving {
                conversation: work.conversation.clone(),
                turn: work.turn.clone(),
                stop: stop.clone(),
            },
        );
        Ok(Arrived {
            actors: self,
            number,
        })
    }

    /// Returns the queue of a conversation, starting its actor if it rests.
    fn queue(
        self: &Arc<Self>,
        core: &Arc<Core>,
        conversation: &ConversationId,
    ) -> Result<mpsc::Sender<Order>, UserFault> {
        let mut inner = self.lock();
        inner.check_open()?;
        while inner.tasks.try_join_next().is_some() {}
        if let Some(actor) = inner.actors.get(conversation) {
            return Ok(actor.queue.clone());
        }
        let (queue, orders) = mpsc::channel(QUEUE_MAX);
        inner.actors.insert(
            conversation.clone(),
            Actor {
                queue: queue.clone(),
                stops: Vec::new(),
            },
        );
        let (actors, pause) = (Arc::downgrade(self), inner.pause.clone());
        let (core, conversation) = (core.clone(), conversation.clone());
        inner.tasks.spawn(async move {
            drop(pause.lock().await);
            work_off(actors, core, conversation, orders).await;
        });
        Ok(queue)
    }

    /// Puts an order into the queue. Returns it if the queue's actor has come to rest meanwhile.
    fn put(
        &self,
        place: mpsc::OwnedPermit<Order>,
        order: Order,
    ) -> Result<Option<Order>, UserFault> {
        let mut inner = self.lock();
        inner.check_open()?;
        let actor = inner.actors.get_mut(&order.work.conversation);
        let Some(actor) = actor.filter(|actor| place.same_channel_as_sender(&actor.queue)) else {
            return Ok(Some(order));
        };
        actor
            .stops
            .push((order.work.turn.clone(), order.job.stop.clone()));
        place.send(order);
        Ok(None)
    }

    /// Signals everything that matches `target`, running or waiting, to stop.
    pub(crate) fn interrupt(&self, target: &Target) {
        let inner = self.lock();
        let hit = |conversation: &ConversationId, turn: &TurnId| match target {
            Target::All => true,
            Target::Conversation(id) => id == conversation,
            Target::Turn(id) => id == turn,
        };
        for (conversation, actor) in &inner.actors {
            for (turn, stop) in &actor.stops {
                if hit(conversation, turn) {
                    stop.cancel();
                }
            }
        }
        for one in inner.arriving.values() {
            if hit(&one.conversation, &one.turn) {
                one.stop.cancel();
            }
        }
    }

    pub(crate) fn feed(&self, conversation: &ConversationId) -> Arc<Feed> {
        self.lock().feed(conversation)
    }

    /// Stops everything for good and waits until it has ended.
    pub(crate) async fn close(&self) {
        let mut tasks = {
            let mut inner = self.lock();
            inner.closing = true;
            std::mem::take(&mut inner.tasks)
        };
        self.interrupt(&Target::All);
        while tasks.join_next().await.is_some() {}
    }

    /// Stops everything, waits until it has ended, and refuses operations until the guard is dropped. Dropping the
    /// future while it waits also lets operations in again.
    pub(crate) async fn rest(self: &Arc<Self>) -> Resting {
        self.lock().resting += 1;
        let resting = Resting(self.clone());
        self.interrupt(&Target::All);
        loop {
            let rested = self.rested.notified();
            tokio::pin!(rested);
            // Register before checking, so that an actor that comes to rest in between is noticed.
            rested.as_mut().enable();
            if self.lock().actors.is_empty() {
                return resting;
            }
            rested.await;
        }
    }

    /// If nothing runs or waits, returns a guard that delays new work until dropped; otherwise `None`.
    pub(crate) fn pause_if_idle(&self) -> Option<OwnedMutexGuard<()>> {
        let inner = self.lock();
        if inner.actors.is_empty() {
            inner.pause.clone().try_lock_owned().ok()
        } else {
            None
        }
    }

    /// Returns the next order, or `None` and unregisters the actor if the queue is empty. Both happen under the lock,
    /// so no order is lost.
    fn next_or_rest(
        &self,
        conversation: &ConversationId,
        orders: &mut mpsc::Receiver<Order>,
        done: Option<&CancellationToken>,
    ) -> Option<Order> {
        let mut inner = self.lock();
        if let Some(actor) = inner.actors.get_mut(conversation)
            && done.is_some()
            && !actor.stops.is_empty()
        {
            // Orders run in queue order, so the first stop token belongs to the order that is done.
            actor.stops.remove(0);
        }
        match orders.try_recv() {
            Ok(order) => Some(order),
            Err(_) => {
                inner.actors.remove(conversation);
                self.rested.notify_waiters();
                None
            }
        }
    }
}

/// A guard: the engine refuses operations while it exists.
#[derive(Debug)]
pub(crate) struct Resting(Arc<Actors>);

impl Drop for Resting {
    fn drop(&mut self) {
        let mut inner = self.0.lock();
        inner.resting = inner.resting.saturating_sub(1);
    }
}

impl Inner {
    /// Returns a fault if no operations are accepted.
    fn check_open(&self) -> Result<(), UserFault> {
        if self.closing {
            return Err(UserFault::new(
                "closing",
                "Adjutant is closing; nothing was done.",
                "Start it again, then ask.",
            ));
        }
        if self.resting > 0 {
            return Err(UserFault::new(
                "resting",
                "Adjutant is busy with the whole profile; nothing was done.",
                "Ask again in a moment.",
            ));
        }
        Ok(())
    }

    fn feed(&mut self, conversation: &ConversationId) -> Arc<Feed> {
        if let Some(feed) = self.feeds.get(conversation).and_then(Weak::upgrade) {
            return feed;
        }
        self.feeds.retain(|_, feed| feed.strong_count() > 0);
        let feed = Arc::new(Feed::new());
        self.feeds
            .insert(conversation.clone(), Arc::downgrade(&feed));
        feed
    }
}

async fn work_off(
    actors: Weak<Actors>,
    core: Arc<Core>,
    conversation: ConversationId,
    mut orders: mpsc::Receiver<Order>,
) {
    let mut done: Option<CancellationToken> = None;
    loop {
        let order = actors
            .upgrade()
            .and_then(|actors| actors.next_or_rest(&conversation, &mut orders, done.as_ref()));
        let Some(Order { work, job }) = order else {
            return;
        };
        let turn = AssertUnwindSafe(ops::perform(&core, &job, &work)).catch_unwind();
        if let Err(panic) = turn.await {
            tracing::error!(turn = %work.turn, panic = panics::text(&*panic), "a turn panicked");
            let failed = AssertUnwindSafe(fail(&core, &job, &work)).catch_unwind();
            if let Err(panic) = failed.await {
                // The next start closes the turn; the conversation continues.
                tracing::error!(turn = %work.turn, panic = panics::text(&*panic), "a turn that failed could not be closed");
                tell_fault(&job, &work, internal());
            }
        }
        done = Some(job.stop);
    }
}

fn tell_fault(job: &Job, work: &Work, fault: UserFault) {
    job.sink.send(&Arc::new(LiveEvent {
        conversation: work.conversation.clone(),
        turn: work.turn.clone(),
        seq: 0,
        event: TurnEvent::Error { fault },
    }));
}

/// Closes a turn that failed unexpectedly: the open turn of this conversation, which differs from the requested one if
/// a plan had moved on.
async fn fail(core: &Arc<Core>, job: &Job, work: &Work) {
    job.feed.forget_unsaved();
    let fault = settle(core, &work.conversation).await.told(internal());
    let found = async {
        let unfinished = core.parts.log.unfinished().await?;
        let mut open: Vec<_> = unfinished.into_iter().map(|one| one.turn).collect();
        open.retain(|turn| turn.conversation == work.conversation);
        // Leave older turns to the recovery of what could not be stored: it knows what was done.
        let newest = open.last().cloned();
        let open = open.into_iter().find(|turn| turn.id == work.turn);
        let open = open.or(newest);
        Ok::<_, StoreFault>((open, core.parts.log.past(&work.conversation).await?))
    };
    let (turn, (past, seq)) = match found.await {
        Ok((Some(turn), past)) => (turn, past),
        Ok((None, _)) => return tell_fault(job, work, fault),
        Err(storage) => {
            // The caller hears of it now.
            tracing::error!(turn = %work.turn, fault = %storage, "a turn that failed could not be closed");
            core.recovery_pending.store(true, Ordering::SeqCst);
            return tell_fault(job, work, fault);
        }
    };
    let now = core.parts.clock.now();
    let end = TurnEnd {
        turn: turn.id.clone(),
        conversation: work.conversation.clone(),
        state: TurnState::Failed,
        route: None,
        plan: None,
        answer: Some(fault.to_string()),
        pending: Vec::new(),
        actions: Vec::new(),
        sets_aside: None,
        focus: past.focus.clone(),
        taint: past.taint,
        private: false,
        at: now.timestamp(),
        journal: Vec::new(),
        tools: ToolUse::default(),
    };
    let mut driver = Driver::new(core, job, &work.conversation, &turn.id, now, (past, seq));
    driver.close(end, vec![TurnEvent::Error { fault }]).await;
}
