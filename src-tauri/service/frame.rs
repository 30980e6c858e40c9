//! The frames sent in response to a request.

use adjutant_api::{EventBody, Fault, Reply, WireEvent};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

/// Maximum number of frames queued for a slow reader; the journal keeps what a dropped reader missed.
pub const FRAMES_WAITING_MAX: usize = 1024;

/// One part of a response. [`Frame::End`] comes last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Frame {
    /// The reply.
    Reply(Box<Reply>),
    /// The failure of the request.
    Fault(Fault),
    /// An event.
    Event(Box<WireEvent>),
    /// The end of the response.
    End,
}

/// Receives the frames of one request. Sending never fails: if the reader is gone, frames are discarded.
#[derive(Clone, Debug)]
pub struct Sink(mpsc::Sender<Frame>);

/// The frames of one request, for its reader.
pub type Frames = mpsc::Receiver<Frame>;

impl Sink {
    /// Creates a connected pair of sink and frames.
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

    /// Sends an event that belongs to no turn, or drops it if the queue is full.
    pub fn note(&self, body: EventBody) {
        // Progress is for display only, so a slow reader may miss some of it.
        self.offer(body);
    }

    /// Offers an event that belongs to no turn. Returns `false` if the reader is gone or the queue is full.
    pub fn offer(&self, body: EventBody) -> bool {
        let event = WireEvent {
            body,
            turn: String::new(),
            seq: 0,
            conversation: String::new(),
        };
        self.0.try_send(Frame::Event(Box::new(event))).is_ok()
    }

    /// Waits until the reader is gone.
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
