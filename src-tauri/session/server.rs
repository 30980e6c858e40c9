//! The holder's side of the socket. Every connection and every request is a task of one set that ends with it.

use std::future::Future;
use std::path::Path;
use std::sync::Arc;

use adjutant_api::Fault;
use adjutant_domain::faults::io_reason;
use adjutant_domain::gate::Channel;
use interprocess::local_socket::tokio::{Listener, Stream};
use interprocess::local_socket::traits::tokio::Listener as _;
use tokio::io::BufReader;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::Options;
use crate::profile::socket::{Answer, Call, Hello, PROTOCOL, listen, receive, send};
use crate::service::{Frame, Service, Sink};

/// Requests of one connection that may run at the same time.
const CALLS_MAX: usize = 64;
/// Answers that may wait for a slow client.
const ANSWERS_WAITING_MAX: usize = 1024;

/// Serves a profile to other processes.
pub struct Server {
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl Server {
    /// Starts to serve.
    ///
    /// # Errors
    /// When the socket cannot be made.
    pub fn start(dir: &Path, service: &Arc<Service>, options: &Options) -> Result<Self, Fault> {
        let listener = listen(dir).map_err(|error| Fault {
            code: "socket".into(),
            message: format!(
                "The socket of the profile cannot be made: {}.",
                io_reason(&error)
            ),
            hint: "Choose a folder on a local disk with --home.".into(),
        })?;
        let server = Self {
            tasks: TaskTracker::new(),
            stop: CancellationToken::new(),
        };
        let (tasks, stop) = (server.tasks.clone(), server.stop.clone());
        let hello = hello(options);
        let service = Arc::clone(service);
        server.tasks.spawn(async move {
            tokio::select! {
                () = stop.cancelled() => {}
                () = accept(&listener, &service, &hello, &tasks, &stop) => {}
            }
        });
        Ok(server)
    }

    /// Serves nobody but this process.
    #[must_use]
    pub fn alone() -> Self {
        Self {
            tasks: TaskTracker::new(),
            stop: CancellationToken::new(),
        }
    }

    /// Runs a request of this process as a task of the server.
    pub fn run(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.tasks.spawn(task);
    }

    /// Stops serving: connections end, requests that write finish first.
    pub async fn stop(&self) {
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }
}

/// What a client of these options counts on.
pub(super) fn hello(options: &Options) -> Hello {
    Hello {
        protocol: PROTOCOL,
        now: options.now.as_ref().map(ToString::to_string),
        tz: options
            .tz
            .as_ref()
            .map(|zone| zone.iana_name().unwrap_or("fixed").to_owned()),
        offline: options.offline,
    }
}

async fn accept(
    listener: &Listener,
    service: &Arc<Service>,
    own: &Hello,
    tasks: &TaskTracker,
    stop: &CancellationToken,
) {
    loop {
        match listener.accept().await {
            Ok(stream) => {
                let (service, own, tasks_of, stop) = (
                    Arc::clone(service),
                    own.clone(),
                    tasks.clone(),
                    stop.child_token(),
                );
                tasks.spawn(async move {
                    if let Err(error) = serve(stream, &service, &own, &tasks_of, &stop).await {
                        tracing::debug!(%error, "a client's connection ended");
                    }
                    stop.cancel();
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a client could not connect");
                // Out of file handles, for example: give the others a chance to end.
                tokio::task::yield_now().await;
            }
        }
    }
}

async fn serve(
    stream: Stream,
    service: &Arc<Service>,
    own: &Hello,
    tasks: &TaskTracker,
    stop: &CancellationToken,
) -> std::io::Result<()> {
    let (reading, mut writing) = tokio::io::split(stream);
    let mut reader = BufReader::new(reading);
    let hello: Hello = match receive(&mut reader).await? {
        Some(hello) => hello,
        None => return Ok(()),
    };
    if let Err(fault) = agrees(own, &hello) {
        return send(
            &mut writing,
            &Answer {
                id: 0,
                frame: Frame::Fault(fault),
            },
        )
        .await;
    }
    send(
        &mut writing,
        &Answer {
            id: 0,
            frame: Frame::End,
        },
    )
    .await?;

    let (answers, mut waiting) = mpsc::channel::<Answer>(ANSWERS_WAITING_MAX);
    let writer_stop = stop.clone();
    tasks.spawn(async move {
        while let Some(answer) = waiting.recv().await {
            if send(&mut writing, &answer).await.is_err() {
                break;
            }
        }
        writer_stop.cancel();
    });
    let running = Arc::new(tokio::sync::Semaphore::new(CALLS_MAX));
    let mut dropping: std::collections::HashMap<u64, CancellationToken> =
        std::collections::HashMap::new();
    loop {
        let call = tokio::select! {
            () = stop.cancelled() => return Ok(()),
            call = receive::<Call>(&mut reader) => match call? { Some(call) => call, None => return Ok(()) },
        };
        dropping.retain(|_, token| !token.is_cancelled());
        let Some(request) = call.request else {
            if let Some(token) = dropping.remove(&call.id) {
                token.cancel();
            }
            continue;
        };
        let Ok(permit) = Arc::clone(&running).acquire_owned().await else {
            return Ok(());
        };
        let token = stop.child_token();
        dropping.insert(call.id, token.clone());
        let (sink, mut frames) = Sink::new();
        let service = Arc::clone(service);
        tasks.spawn(async move {
            service.handle(request, Channel::CommandLine, &sink).await;
            sink.send(Frame::End).await;
        });
        let answers = answers.clone();
        tasks.spawn(async move {
            // When the client goes, `frames` is dropped here; the turn itself belongs to the engine and goes on.
            loop {
                let frame = tokio::select! {
                    () = token.cancelled() => break,
                    frame = frames.recv() => match frame { Some(frame) => frame, None => break },
                };
                let last = frame == Frame::End;
                if answers.send(Answer { id: call.id, frame }).await.is_err() || last {
                    break;
                }
            }
            token.cancel();
            drop(permit);
        });
    }
}

/// A client that counts on another clock, zone or network than the holder's is refused (CONTRACTS).
fn agrees(own: &Hello, client: &Hello) -> Result<(), Fault> {
    let refuse = |message: String| {
        Err(Fault {
            code: "usage".into(),
            message,
            hint: "Close the other Adjutant first, or use the same flags.".into(),
        })
    };
    if client.protocol != own.protocol {
        return refuse("The Adjutant that has this profile open is of another version.".into());
    }
    let differs = |flag: &str, own: &Option<String>, client: &Option<String>| {
        let shown = own.as_deref().unwrap_or("none");
        (client != own)
            .then(|| format!("The Adjutant that has this profile open runs with {flag} {shown}."))
    };
    if let Some(message) = differs("--now", &own.now, &client.now) {
        return refuse(message);
    }
    // A client that asks for no zone takes the holder's.
    if client.tz.is_some()
        && let Some(message) = differs("--tz", &own.tz, &client.tz)
    {
        return refuse(message);
    }
    if client.offline != own.offline {
        let state = if own.offline { "with" } else { "without" };
        return refuse(format!(
            "The Adjutant that has this profile open runs {state} --offline."
        ));
    }
    Ok(())
}
