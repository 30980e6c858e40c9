//! The client's side of the socket.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use adjutant_api::{Fault, Request};
use interprocess::local_socket::tokio::Stream;
use tokio::io::{BufReader, ReadHalf, WriteHalf};
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

use super::Options;
use super::server::hello;
use crate::profile::socket::{Answer, Call, connect, receive, send};
use crate::service::{Frame, Frames, Sink};

type Waiting = Arc<Mutex<HashMap<u64, Waiter>>>;

/// A request whose answers are still coming.
struct Waiter {
    sink: Sink,
    /// Ends the watch over the reader of the answers.
    _watched: DropGuard,
}

/// A connection to the process that holds the profile.
pub struct Client {
    next: AtomicU64,
    writing: Arc<tokio::sync::Mutex<WriteHalf<Stream>>>,
    waiting: Waiting,
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl Client {
    /// Connects to the holder and agrees on clock, zone and network. `None`: nobody answers yet, or the holder is just
    /// ending.
    ///
    /// # Errors
    /// When the holder works under another clock, zone or network.
    pub(super) async fn connect(dir: &Path, options: &Options) -> Result<Option<Self>, Fault> {
        let Ok(stream) = connect(dir).await else {
            return Ok(None);
        };
        let (reading, mut writing) = tokio::io::split(stream);
        let mut reader = BufReader::new(reading);
        if send(&mut writing, &hello(options)).await.is_err() {
            return Ok(None);
        }
        match receive::<Answer>(&mut reader).await {
            Ok(Some(Answer {
                frame: Frame::End, ..
            })) => {}
            Ok(Some(Answer {
                frame: Frame::Fault(fault),
                ..
            })) => return Err(fault),
            _ => return Ok(None),
        }
        Ok(Some(Self::over(reader, writing)))
    }

    fn over(mut reader: BufReader<ReadHalf<Stream>>, writing: WriteHalf<Stream>) -> Self {
        let waiting: Waiting = Arc::default();
        let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
        let (to, stopped) = (Arc::clone(&waiting), stop.clone());
        tasks.spawn(async move {
            loop {
                let answer = tokio::select! {
                    () = stopped.cancelled() => break,
                    answer = receive::<Answer>(&mut reader) => answer,
                };
                let Ok(Some(answer)) = answer else { break };
                let last = answer.frame == Frame::End;
                let sink = {
                    let mut waiting = to.lock().unwrap_or_else(PoisonError::into_inner);
                    if last {
                        waiting.remove(&answer.id).map(|waiter| waiter.sink)
                    } else {
                        waiting.get(&answer.id).map(|waiter| waiter.sink.clone())
                    }
                };
                if let Some(sink) = sink {
                    sink.send(answer.frame).await;
                }
            }
            let left: Vec<Sink> = to
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .drain()
                .map(|(_, waiter)| waiter.sink)
                .collect();
            for sink in left {
                sink.fault(lost("was closed")).await;
                sink.send(Frame::End).await;
            }
        });
        Self {
            next: AtomicU64::new(1),
            writing: Arc::new(tokio::sync::Mutex::new(writing)),
            waiting,
            tasks,
            stop,
        }
    }

    /// Sends a request.
    pub async fn call(&self, request: Request) -> Frames {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (sink, frames) = Sink::new();
        let answered = self.stop.child_token();
        self.waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(
                id,
                Waiter {
                    sink: sink.clone(),
                    _watched: answered.clone().drop_guard(),
                },
            );
        let sent = send(
            &mut *self.writing.lock().await,
            &Call {
                id,
                request: Some(request),
            },
        )
        .await;
        if sent.is_err() {
            self.waiting
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .remove(&id);
            sink.fault(lost("was closed")).await;
            sink.send(Frame::End).await;
            return frames;
        }
        let (writing, waiting) = (Arc::clone(&self.writing), Arc::clone(&self.waiting));
        self.tasks.spawn(async move {
            tokio::select! {
                () = answered.cancelled() => return,
                () = sink.closed() => {}
            }
            let listened = waiting
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .remove(&id)
                .is_some();
            if listened {
                // Nobody reads the answers any more: the holder may forget this request. What it started goes on.
                drop(send(&mut *writing.lock().await, &Call { id, request: None }).await);
            }
        });
        frames
    }

    /// Ends the connection.
    pub async fn close(&self) {
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }
}

pub(super) fn lost(what: &str) -> Fault {
    Fault {
        code: "holder".into(),
        message: format!("The Adjutant that has this profile open {what}."),
        hint: "Try again; what was stored is intact.".into(),
    }
}
