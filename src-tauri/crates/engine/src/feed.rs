//! Events to whoever listens: live from memory at once, earlier ones from the journal.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use adjutant_domain::event::TurnEvent;
use adjutant_domain::ids::{ConversationId, TurnId};
use adjutant_domain::ports::TurnLog;
use futures::Stream;
use futures::stream::unfold;
use tokio::sync::{broadcast, mpsc};

/// Events a listener may lag behind before it reads them from the journal instead.
const LIVE_MAX: usize = 512;
/// Events of one operation that its caller may leave unread; a turn of 24 steps has fewer.
const OP_EVENTS_MAX: usize = 1_024;
/// Journal entries read at a time.
const PAGE: usize = 256;

/// One event with its place: what `--json` prints and the window gets.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveEvent {
    /// Conversation.
    pub conversation: ConversationId,
    /// Turn.
    pub turn: TurnId,
    /// Counts up inside the conversation; 0 for a refusal that is no part of it.
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
    /// The next event. `None`: the operation is over (a conversation is followed until the engine is dropped).
    pub async fn next(&mut self) -> Option<Arc<LiveEvent>> {
        match &mut self.source {
            Source::Op(events) => events.recv().await,
            Source::Conversation(follow) => follow.next().await,
        }
    }

    /// All events up to the end of the operation.
    pub async fn collect(mut self) -> Vec<Arc<LiveEvent>> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            events.push(event);
        }
        events
    }

    /// The same as a [`Stream`].
    pub fn into_stream(self) -> impl Stream<Item = Arc<LiveEvent>> + Send {
        unfold(self, |mut events| async move {
            let event = events.next().await?;
            Some((event, events))
        })
    }
}

/// Where the events of one operation go besides the feed. Dropping the stream only closes this.
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
            // A caller that is gone, or does not read, misses nothing: the journal has it.
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
    /// Told, but not in the journal yet.
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

    /// Tells an event that is on its way into the journal.
    pub(crate) fn publish(&self, event: &Arc<LiveEvent>) {
        let mut live = self.lock();
        if event.seq > 0 {
            live.unsaved.push_back(event.clone());
        }
        // No listener is no fault.
        let _ = live.sender.send(event.clone());
    }

    /// The journal holds everything up to this number.
    pub(crate) fn saved(&self, seq: i64) {
        self.lock().unsaved.retain(|event| event.seq > seq);
    }

    /// What could not be stored is forgotten, so that numbers are not told twice.
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

/// Follows a conversation: the journal first, then what is not stored yet, then live.
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
    /// Live events up to this number were told already.
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
