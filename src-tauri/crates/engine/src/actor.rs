//! One actor a conversation: a bounded queue, one turn at a time. A turn belongs to the engine: whoever asked may go.

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

/// Operations taken in and not begun in one conversation; further ones wait outside until there is room.
pub const QUEUE_MAX: usize = 16;
/// Operations of all conversations that may wait outside for room.
const ARRIVING_MAX: usize = 1_024;

/// All conversations that have something to do.
#[derive(Debug, Default)]
pub(crate) struct Actors {
    inner: Mutex<Inner>,
    /// An actor has come to rest.
    rested: Notify,
}

#[derive(Debug, Default)]
struct Inner {
    actors: HashMap<ConversationId, Actor>,
    feeds: HashMap<ConversationId, Weak<Feed>>,
    /// Operations that wait for room in a queue, by arrival.
    arriving: BTreeMap<u64, Arriving>,
    arrivals: u64,
    tasks: JoinSet<()>,
    closing: bool,
    /// How many want everything at rest.
    resting: usize,
    /// Who holds this lets what comes in wait.
    pause: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Debug)]
struct Actor {
    queue: mpsc::Sender<Order>,
    /// What runs and waits here, by turn.
    stops: Vec<(TurnId, CancellationToken)>,
}

/// One operation on its way.
struct Order {
    work: Work,
    job: Job,
}

/// An operation that waits for room in the queue of its conversation.
#[derive(Debug)]
struct Arriving {
    conversation: ConversationId,
    turn: TurnId,
    stop: CancellationToken,
}

/// Takes an operation off the list of those that wait for room.
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

    /// Queues an operation, as soon as the queue of its conversation has room; starts the actor if it rests. Who stops
    /// waiting for it before has not asked.
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
            // An actor that rests closes its queue: the next one takes this in.
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
                format!("{ARRIVING_MAX} requests wait already; this one was not taken."),
                "Wait for an answer, or stop what runs.",
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

    /// The queue of a conversation, whose actor runs from now on.
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

    /// Puts an order into its place, unless the actor of that queue has come to rest meanwhile: then the order comes back.
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

    /// Stops what runs or waits, at once.
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

    /// Stops everything and waits until it has ended.
    pub(crate) async fn close(&self) {
        let mut tasks = {
            let mut inner = self.lock();
            inner.closing = true;
            std::mem::take(&mut inner.tasks)
        };
        self.interrupt(&Target::All);
        while tasks.join_next().await.is_some() {}
    }

    /// Stops everything, waits until it has ended, and takes nothing in until what is given is dropped. Dropping it while
    /// it waits lets everything go on as well.
    pub(crate) async fn rest(self: &Arc<Self>) -> Resting {
        self.lock().resting += 1;
        let resting = Resting(self.clone());
        self.interrupt(&Target::All);
        loop {
            let rested = self.rested.notified();
            tokio::pin!(rested);
            // Whoever comes to rest between the look and the wait is heard.
            rested.as_mut().enable();
            if self.lock().actors.is_empty() {
                return resting;
            }
            rested.await;
        }
    }

    /// If nothing runs or waits: what comes in begins only when what is given is dropped.
    pub(crate) fn pause_if_idle(&self) -> Option<OwnedMutexGuard<()>> {
        let inner = self.lock();
        if inner.actors.is_empty() {
            inner.pause.clone().try_lock_owned().ok()
        } else {
            None
        }
    }

    /// The next order, or `None` when the actor rests: decided under the lock, so that no order is lost.
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
            // Orders are worked off in turn: the first stop belongs to the one that is done.
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

/// As long as this is kept, nothing is taken in.
#[derive(Debug)]
pub(crate) struct Resting(Arc<Actors>);

impl Drop for Resting {
    fn drop(&mut self) {
        let mut inner = self.0.lock();
        inner.resting = inner.resting.saturating_sub(1);
    }
}

impl Inner {
    /// Whether anything is taken in.
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
                // The next start closes the turn; the conversation goes on.
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

/// Ends a turn that failed in a way nobody foresaw: the one that is open in this conversation, which is another than the
/// one that was asked for where a plan had moved on.
async fn fail(core: &Arc<Core>, job: &Job, work: &Work) {
    job.feed.forget_unsaved();
    let fault = settle(core, &work.conversation).await.told(internal());
    let found = async {
        let unfinished = core.parts.log.unfinished().await?;
        let mut open: Vec<_> = unfinished.into_iter().map(|one| one.turn).collect();
        open.retain(|turn| turn.conversation == work.conversation);
        // An older one is left to whoever tries again what could not be stored: it knows what was done.
        let newest = open.last().cloned();
        let open = open.into_iter().find(|turn| turn.id == work.turn);
        let open = open.or(newest);
        Ok::<_, StoreFault>((open, core.parts.log.past(&work.conversation).await?))
    };
    let (turn, (past, seq)) = match found.await {
        Ok((Some(turn), past)) => (turn, past),
        Ok((None, _)) => return tell_fault(job, work, fault),
        Err(storage) => {
            // Whoever asked hears of it now.
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
