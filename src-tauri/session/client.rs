//! The client's side of the socket.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use adjutant_api::{Fault, Request};
use interprocess::local_socket::tokio::Stream;
use tokio::io::{BufReader, WriteHalf};
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

use super::Options;
use super::server::hello;
use crate::profile::socket::{Answer, Call, connect, receive, send};
use crate::service::{Frame, Frames, Sink};

/// How long to wait for a holder that has just started and does not listen yet.
const CONNECT_WAIT: Duration = Duration::from_secs(5);
/// Pause between two tries to connect.
const CONNECT_PAUSE: Duration = Duration::from_millis(20);

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
    /// Connects to the holder and agrees on clock, zone and network.
    ///
    /// # Errors
    /// When nobody answers, or the holder works under another clock, zone or network.
    pub async fn connect(dir: &Path, options: &Options) -> Result<Self, Fault> {
        let stream = tokio::time::timeout(CONNECT_WAIT, async {
            loop {
                match connect(dir).await {
                    Ok(stream) => break stream,
                    Err(_) => tokio::time::sleep(CONNECT_PAUSE).await,
                }
            }
        })
        .await
        .map_err(|_| lost("does not answer"))?;
        Self::greet(stream, options).await
    }

    async fn greet(stream: Stream, options: &Options) -> Result<Self, Fault> {
        let (reading, mut writing) = tokio::io::split(stream);
        let mut reader = BufReader::new(reading);
        let broken = |_| lost("broke the connection");
        send(&mut writing, &hello(options)).await.map_err(broken)?;
        match receive::<Answer>(&mut reader).await.map_err(broken)? {
            Some(Answer {
                frame: Frame::End, ..
            }) => {}
            Some(Answer {
                frame: Frame::Fault(fault),
                ..
            }) => return Err(fault),
            _ => return Err(lost("broke the connection")),
        }
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
        Ok(Self {
            next: AtomicU64::new(1),
            writing: Arc::new(tokio::sync::Mutex::new(writing)),
            waiting,
            tasks,
            stop,
        })
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

fn lost(what: &str) -> Fault {
    Fault {
        code: "holder".into(),
        message: format!("The Adjutant that has this profile open {what}."),
        hint: "Try again; what was stored is intact.".into(),
    }
}
