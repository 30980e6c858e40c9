//! What comes back for a request.

use adjutant_api::{EventBody, Fault, Reply, WireEvent};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

/// Frames that may wait for a slow reader of one request; the journal has what a dropped reader missed.
pub const FRAMES_WAITING_MAX: usize = 1024;

/// One piece of an answer, in order; [`Frame::End`] is last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Frame {
    /// The reply.
    Reply(Box<Reply>),
    /// The request failed.
    Fault(Fault),
    /// An event.
    Event(Box<WireEvent>),
    /// Nothing more comes.
    End,
}

/// Where the frames of one request go. Sending never fails: a reader that went away just hears no more.
#[derive(Clone, Debug)]
pub struct Sink(mpsc::Sender<Frame>);

/// The frames of one request.
pub type Frames = mpsc::Receiver<Frame>;

impl Sink {
    /// A sink and its frames.
    #[must_use]
    pub fn new() -> (Self, Frames) {
        let (sender, frames) = mpsc::channel(FRAMES_WAITING_MAX);
        (Self(sender), frames)
    }

    /// Sends the reply.
    pub async fn reply(&self, reply: Reply) {
        self.send(Frame::Reply(Box::new(reply))).await;
    }

    /// Sends a fault.
    pub async fn fault(&self, fault: impl Into<Fault>) {
        self.send(Frame::Fault(fault.into())).await;
    }

    /// Sends an event.
    pub async fn event(&self, event: WireEvent) {
        self.send(Frame::Event(Box::new(event))).await;
    }

    /// Sends an event that belongs to no turn, if there is room for it.
    pub fn note(&self, body: EventBody) {
        // Progress is for the eye: a slow reader misses some of it.
        self.offer(body);
    }

    /// Offers an event that belongs to no turn; `false` when the reader is gone or has too much to read already.
    pub fn offer(&self, body: EventBody) -> bool {
        let event = WireEvent {
            body,
            turn: String::new(),
            seq: 0,
            conversation: String::new(),
        };
        self.0.try_send(Frame::Event(Box::new(event))).is_ok()
    }

    /// Waits until nobody listens any more.
    pub async fn closed(&self) {
        self.0.closed().await;
    }

    /// Sends one frame.
    pub async fn send(&self, frame: Frame) {
        if self.0.send(frame).await.is_err() {
            tracing::debug!("the reader of a request went away");
        }
    }
}
