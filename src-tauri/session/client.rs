//! The client side of the socket.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use adjutant_api::{Fault, Request};
use interprocess::local_socket::tokio::Stream;
use tokio::io::{BufReader, ReadHalf, WriteHalf};
use tokio::sync::mpsc;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

use super::server::hello;
use super::socket::{Answer, Body, Call, Welcome, receive, send};
use crate::profile::Options;
use crate::service::{FRAMES_WAITING_MAX, Frame};

/// How long a holder may take to answer a hello; it may still be opening a large profile.
const WELCOME_MAX: Duration = Duration::from_secs(60);

/// A piece of a call's answer.
#[derive(Debug)]
pub(super) enum Piece {
    /// A frame; [`Frame::End`] is the last piece.
    Frame(Frame),
    /// The last piece: the holder is ending and did not take the call, or no longer serves a lasting one.
    HandedBack,
    /// The last piece: the holder is gone, and whether it carried out the call is unknown.
    Lost,
}

/// Calls whose answers are not complete.
#[derive(Default)]
struct OpenCalls {
    calls: HashMap<u64, Waiter>,
    /// Set once no more answers can arrive.
    closed: bool,
}

struct Waiter {
    pieces: mpsc::Sender<Piece>,
    /// Ends the task that watches for a caller who stops reading.
    _watched: DropGuard,
}

type SharedCalls = Arc<Mutex<OpenCalls>>;

/// A connection to the process that holds the profile.
pub(super) struct Client {
    next: AtomicU64,
    writing: Arc<tokio::sync::Mutex<WriteHalf<Stream>>>,
    waiting: SharedCalls,
    tasks: TaskTracker,
    stop: CancellationToken,
    ended: CancellationToken,
}

impl Client {
    /// Sends a hello and returns the client once the holder accepts it. Returns `None` if the holder has ended.
    ///
    /// # Errors
    /// Returns a fault if the holder runs another version, clock, zone or network mode, or does not answer in time.
    pub(super) async fn greet(stream: Stream, options: &Options) -> Result<Option<Self>, Fault> {
        let (reading, mut writing) = tokio::io::split(stream);
        let mut reader = BufReader::new(reading);
        if send(&mut writing, &hello(options)).await.is_err() {
            return Ok(None);
        }
        let welcome = tokio::time::timeout(WELCOME_MAX, receive::<Welcome>(&mut reader));
        match welcome.await {
            Ok(Ok(Some(Welcome::Ready))) => Ok(Some(Self::over(reader, writing))),
            Ok(Ok(Some(Welcome::Refused(fault)))) => Err(fault),
            Ok(Ok(Some(Welcome::Ending))) => {
                // The holder finishes what it has taken, however long that takes, and then closes the connection.
                while let Ok(Some(_)) = receive::<Answer>(&mut reader).await {}
                Ok(None)
            }
            Ok(Ok(None) | Err(_)) => Ok(None),
            Err(_) => Err(lost("does not answer")),
        }
    }

    fn over(mut reader: BufReader<ReadHalf<Stream>>, writing: WriteHalf<Stream>) -> Self {
        let client = Self {
            next: AtomicU64::new(1),
            writing: Arc::new(tokio::sync::Mutex::new(writing)),
            waiting: SharedCalls::default(),
            tasks: TaskTracker::new(),
            stop: CancellationToken::new(),
            ended: CancellationToken::new(),
        };
        let (waiting, stop) = (Arc::clone(&client.waiting), client.stop.clone());
        let ended = client.ended.clone().drop_guard();
        client.tasks.spawn(async move {
            let _ended = ended;
            let orderly = hear(&mut reader, &waiting, &stop).await;
            for waiter in close(&waiting) {
                let last = if orderly {
                    Piece::HandedBack
                } else {
                    Piece::Lost
                };
                // Sending fails only if the caller has stopped reading.
                drop(waiter.pieces.send(last).await);
            }
            if orderly {
                // The holder lets go of the profile after it has closed the connection.
                tokio::select! {
                    () = stop.cancelled() => {}
                    _ = receive::<Answer>(&mut reader) => {}
                }
            }
        });
        client
    }

    /// Sends a request and returns the receiver of its answer.
    pub(super) async fn call(&self, request: Request) -> mpsc::Receiver<Piece> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (pieces, answer) = mpsc::channel(FRAMES_WAITING_MAX);
        let answered = CancellationToken::new();
        let open = {
            let mut waiting = held(&self.waiting);
            if !waiting.closed {
                let waiter = Waiter {
                    pieces: pieces.clone(),
                    _watched: answered.clone().drop_guard(),
                };
                waiting.calls.insert(id, waiter);
            }
            !waiting.closed
        };
        if !open {
            drop(pieces.send(Piece::HandedBack).await);
            return answer;
        }
        let call = Call {
            id,
            request: Some(request),
        };
        let sent = send(&mut *self.writing.lock().await, &call).await;
        if sent.is_err() {
            // The holder ignores an incomplete line, so it did not take the call.
            let waiter = held(&self.waiting).calls.remove(&id);
            if waiter.is_some() {
                drop(pieces.send(Piece::HandedBack).await);
            }
            return answer;
        }
        let (writing, waiting) = (Arc::clone(&self.writing), Arc::clone(&self.waiting));
        self.tasks.spawn(async move {
            tokio::select! {
                () = answered.cancelled() => return,
                () = pieces.closed() => {}
            }
            let listened = held(&waiting).calls.remove(&id).is_some();
            if listened {
                // The caller stopped reading: tell the holder to forget the call. What it started continues.
                drop(send(&mut *writing.lock().await, &Call { id, request: None }).await);
            }
        });
        answer
    }

    /// Waits until the holder has closed the connection.
    pub(super) async fn ended(&self) {
        self.ended.cancelled().await;
    }

    /// Ends the connection.
    pub(super) async fn close(&self) {
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }
}

/// Hands each answer to its caller. Returns whether the holder said goodbye, having served every call it had taken.
async fn hear(
    reader: &mut BufReader<ReadHalf<Stream>>,
    waiting: &SharedCalls,
    stop: &CancellationToken,
) -> bool {
    loop {
        let answer = tokio::select! {
            () = stop.cancelled() => return false,
            answer = receive::<Answer>(reader) => answer,
        };
        let Ok(Some(Answer { id, body })) = answer else {
            return false;
        };
        let (piece, last) = match body {
            Body::HandedBack if id == 0 => return true,
            Body::HandedBack => (Piece::HandedBack, true),
            Body::Frame(frame) => {
                let last = frame == Frame::End;
                (Piece::Frame(frame), last)
            }
        };
        let pieces = {
            let mut waiting = held(waiting);
            if last {
                waiting.calls.remove(&id).map(|waiter| waiter.pieces)
            } else {
                waiting.calls.get(&id).map(|waiter| waiter.pieces.clone())
            }
        };
        if let Some(pieces) = pieces {
            drop(pieces.send(piece).await);
        }
    }
}

fn close(waiting: &SharedCalls) -> Vec<Waiter> {
    let mut waiting = held(waiting);
    waiting.closed = true;
    waiting.calls.drain().map(|(_, waiter)| waiter).collect()
}

fn held(waiting: &SharedCalls) -> MutexGuard<'_, OpenCalls> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn lost(what: &str) -> Fault {
    Fault {
        code: "holder".into(),
        message: format!("The Adjutant that has this profile open {what}."),
        hint: "Try again. Everything stored is intact.".into(),
    }
}
