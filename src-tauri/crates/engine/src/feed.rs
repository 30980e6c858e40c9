//! Delivers events to subscribers: new ones live from memory, earlier ones from the journal.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use adjutant_domain::event::TurnEvent;
use adjutant_domain::ids::{ConversationId, TurnId};
use adjutant_domain::ports::TurnLog;
use futures::Stream;
use futures::stream::unfold;
use tokio::sync::{broadcast, mpsc};

/// Events a subscriber may lag behind before it reads them from the journal instead.
const LIVE_MAX: usize = 512;
/// Events of one operation that its caller may leave unread; a turn of 24 steps has fewer.
const OP_EVENTS_MAX: usize = 1_024;
/// Journal entries to read at a time.
const PAGE: usize = 256;

/// An event with its place in a conversation: what `--json` prints and the window receives.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveEvent {
    /// Conversation the event belongs to.
    pub conversation: ConversationId,
    /// Turn the event belongs to.
    pub turn: TurnId,
    /// Number that increases within the conversation; 0 for a refusal, which the journal does not hold.
    pub seq: i64,
    /// The event.
    pub event: TurnEvent,
}

/// The events of one operation, or of a conversation from some number on.
#[derive(Debug)]
pub struct EventStream {
    source: Source,
}

#[derive(Debug)]
enum Source {
    Op(mpsc::Receiver<Arc<LiveEvent>>),
    Conversation(Box<Follow>),
}

impl EventStream {
    /// Returns the next event. `None` once the operation is over; a conversation is followed until the engine is
    /// dropped.
    pub async fn next(&mut self) -> Option<Arc<LiveEvent>> {
        match &mut self.source {
            Source::Op(events) => events.recv().await,
            Source::Conversation(follow) => follow.next().await,
        }
    }

    /// Collects all events until the operation is over.
    pub async fn collect(mut self) -> Vec<Arc<LiveEvent>> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            events.push(event);
        }
        events
    }

    /// Converts this into a [`Stream`].
    pub fn into_stream(self) -> impl Stream<Item = Arc<LiveEvent>> + Send {
        unfold(self, |mut events| async move {
            let event = events.next().await?;
            Some((event, events))
        })
    }
}

/// Sends the events of one operation to its caller, besides the feed. Dropping the stream affects nothing else.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sink(Option<mpsc::Sender<Arc<LiveEvent>>>);

impl Sink {
    pub(crate) fn new() -> (Self, EventStream) {
        let (sender, receiver) = mpsc::channel(OP_EVENTS_MAX);
        let stream = EventStream {
            source: Source::Op(receiver),
        };
        (Self(Some(sender)), stream)
    }

    pub(crate) fn send(&self, event: &Arc<LiveEvent>) {
        if let Some(sender) = &self.0 {
            // A caller that is gone or does not read loses nothing: the journal has the event.
            let _ = sender.try_send(event.clone());
        }
    }
}

/// The live end of one conversation.
#[derive(Debug)]
pub(crate) struct Feed {
    live: Mutex<Live>,
}

#[derive(Debug)]
struct Live {
    sender: broadcast::Sender<Arc<LiveEvent>>,
    /// Events already published but not yet in the journal.
    unsaved: VecDeque<Arc<LiveEvent>>,
}

impl Feed {
    pub(crate) fn new() -> Self {
        Self {
            live: Mutex::new(Live {
                sender: broadcast::channel(LIVE_MAX).0,
                unsaved: VecDeque::new(),
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Live> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Publishes an event that is about to be written to the journal.
    pub(crate) fn publish(&self, event: &Arc<LiveEvent>) {
        let mut live = self.lock();
        if event.seq > 0 {
            live.unsaved.push_back(event.clone());
        }
        // Having no subscriber is not a fault.
        let _ = live.sender.send(event.clone());
    }

    /// Notes that the journal holds everything up to this number.
    pub(crate) fn saved(&self, seq: i64) {
        self.lock().unsaved.retain(|event| event.seq > seq);
    }

    /// Discards events that could not be stored, so that their numbers can be used again.
    pub(crate) fn forget_unsaved(&self) {
        self.lock().unsaved.clear();
    }

    fn join(
        &self,
        from: i64,
    ) -> (
        broadcast::Receiver<Arc<LiveEvent>>,
        VecDeque<Arc<LiveEvent>>,
    ) {
        let live = self.lock();
        let unsaved = live
            .unsaved
            .iter()
            .filter(|event| event.seq >= from)
            .cloned()
            .collect();
        (live.sender.subscribe(), unsaved)
    }
}

/// Follows a conversation: first the journal, then the events not stored yet, then live ones.
struct Follow {
    conversation: ConversationId,
    feed: Arc<Feed>,
    log: Arc<dyn TurnLog>,
    live: broadcast::Receiver<Arc<LiveEvent>>,
    /// Next number to read from the journal.
    from: i64,
    ready: VecDeque<Arc<LiveEvent>>,
    unsaved: VecDeque<Arc<LiveEvent>>,
    stage: Stage,
}

#[derive(Debug, PartialEq)]
enum Stage {
    Journal,
    /// Skip live events up to this number: they were delivered already.
    CatchUp(i64),
    Live,
}

impl std::fmt::Debug for Follow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Follow")
            .field("conversation", &self.conversation)
            .field("from", &self.from)
            .field("stage", &self.stage)
            .finish_non_exhaustive()
    }
}

pub(crate) fn follow(
    conversation: ConversationId,
    from: i64,
    feed: Arc<Feed>,
    log: Arc<dyn TurnLog>,
) -> EventStream {
    let (live, unsaved) = feed.join(from);
    EventStream {
        source: Source::Conversation(Box::new(Follow {
            conversation,
            feed,
            log,
            live,
            from,
            ready: VecDeque::new(),
            unsaved,
            stage: Stage::Journal,
        })),
    }
}

impl Follow {
    async fn next(&mut self) -> Option<Arc<LiveEvent>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            match self.stage {
                Stage::Journal => self.read_page().await,
                Stage::CatchUp(_) | Stage::Live => match self.live.recv().await {
                    Ok(event) => {
                        if let Stage::CatchUp(told) = self.stage {
                            if event.seq > 0 && event.seq <= told {
                                continue;
                            }
                            self.stage = Stage::Live;
                        }
                        self.from = self.from.max(event.seq + 1);
                        return Some(event);
                    }
                    Err(broadcast::error::RecvError::Lagged(_)) => {
                        (self.live, self.unsaved) = self.feed.join(self.from);
                        self.stage = Stage::Journal;
                    }
                    Err(broadcast::error::RecvError::Closed) => return None,
                },
            }
        }
    }

    async fn read_page(&mut self) {
        let page = match self.log.journal(&self.conversation, self.from, PAGE).await {
            Ok(page) => page,
            Err(fault) => {
                tracing::warn!(%fault, "the journal could not be read; only live events follow");
                Vec::new()
            }
        };
        let full = page.len() == PAGE;
        for entry in page {
            self.from = self.from.max(entry.seq + 1);
            match serde_json::from_value(entry.body) {
                Ok(event) => self.ready.push_back(Arc::new(LiveEvent {
                    conversation: self.conversation.clone(),
                    turn: entry.turn,
                    seq: entry.seq,
                    event,
                })),
                Err(error) => {
                    tracing::warn!(seq = entry.seq, %error, "an entry of the journal is not readable")
                }
            }
        }
        if !full {
            for event in self.unsaved.drain(..) {
                if event.seq >= self.from {
                    self.from = event.seq + 1;
                    self.ready.push_back(event);
                }
            }
            self.stage = Stage::CatchUp(self.from - 1);
        }
    }
}
