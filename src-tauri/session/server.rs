//! The holder side of the socket. Every connection and every call runs as a task of one set, which ends with the
//! server.
//!
//! A holder ends in two steps. First it hands over: it finishes the calls it has taken and hands others back to their
//! clients. Then it says goodbye and closes the connections, so that the next client can take the profile.

use std::collections::HashMap;
use std::future::Future;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use adjutant_api::{Fault, Request};
use adjutant_domain::faults::io_reason;
use adjutant_domain::gate::Channel;
use interprocess::local_socket::tokio::{Listener, Stream};
use interprocess::local_socket::traits::tokio::Listener as _;
use tokio::io::{BufReader, WriteHalf};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::socket::{Answer, Body, Call, Hello, PROTOCOL, Welcome, listen, receive, send};
use crate::profile::Options;
use crate::service::{Frame, Frames, Service, Sink};

/// Maximum number of simultaneous connections; further ones wait to be accepted.
const CONNECTIONS_MAX: usize = 128;
/// Maximum number of calls of one connection that run at the same time.
const CALLS_MAX: usize = 64;
/// Maximum number of answers that wait for a slow client.
const ANSWERS_WAITING_MAX: usize = 1024;
/// How long a client may take to send its hello.
const HELLO_MAX: Duration = Duration::from_secs(10);
/// A client that takes no answer for this long counts as gone.
const CLIENT_STUCK_AFTER: Duration = Duration::from_secs(30);
/// First pause after a failure to accept a connection (for example, no free file handle). It doubles up to
/// [`ACCEPT_PAUSE_MAX`].
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);
const ACCEPT_PAUSE_MAX: Duration = Duration::from_secs(1);

/// A profile's socket before it is served: clients that connect meanwhile wait.
pub(super) struct Socket(Listener);

impl Socket {
    /// Creates the socket and starts to listen.
    ///
    /// # Errors
    /// Returns a fault if the socket cannot be created.
    pub(super) fn make(dir: &Path) -> Result<Self, Fault> {
        listen(dir).map(Self).map_err(|error| Fault {
            code: "socket".into(),
            message: format!(
                "The profile's socket cannot be created: {}.",
                io_reason(&error)
            ),
            hint: "Choose a folder on a local disk (`--home`).".into(),
        })
    }
}

/// Serves a profile to other processes.
pub(super) struct Server {
    shared: Arc<SharedServer>,
}

struct SharedServer {
    service: Arc<Service>,
    own: Hello,
    /// Whether new calls are accepted.
    open: Mutex<bool>,
    /// Calls that were accepted and are not fully answered.
    calls: TaskTracker,
    tasks: TaskTracker,
    handing_over: CancellationToken,
    stop: CancellationToken,
}

impl Server {
    /// Starts serving.
    pub(super) fn start(socket: Socket, service: &Arc<Service>, options: &Options) -> Self {
        let shared = Arc::new(SharedServer {
            service: Arc::clone(service),
            own: hello(options),
            open: Mutex::new(true),
            calls: TaskTracker::new(),
            tasks: TaskTracker::new(),
            handing_over: CancellationToken::new(),
            stop: CancellationToken::new(),
        });
        let serving = Arc::clone(&shared);
        shared.tasks.spawn(async move {
            let Socket(listener) = socket;
            let connect = |(stream, place)| {
                let shared = Arc::clone(&serving);
                serving.tasks.spawn(async move {
                    if let Err(error) = serve(stream, &shared).await {
                        tracing::debug!(%error, "a client's connection ended");
                    }
                    drop::<OwnedSemaphorePermit>(place);
                });
            };
            tokio::select! {
                () = serving.stop.cancelled() => {}
                () = accept(|| listener.accept(), connect) => {}
            }
        });
        Self { shared }
    }

    /// Accepts no more calls, finishes those already taken, and hands lasting ones back to their clients.
    pub(super) async fn hand_over(&self) {
        *self.shared.open() = false;
        self.shared.handing_over.cancel();
        self.shared.calls.close();
        self.shared.calls.wait().await;
    }

    /// Hands over, then ends all connections.
    pub(super) async fn stop(&self) {
        self.hand_over().await;
        self.shared.stop.cancel();
        self.shared.tasks.close();
        self.shared.tasks.wait().await;
    }
}

impl SharedServer {
    fn open(&self) -> std::sync::MutexGuard<'_, bool> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a call, or returns `None` if the holder is ending. Interrupts are always accepted.
    fn admit(&self, request: &Request) -> Option<TaskTrackerToken> {
        let open = self.open();
        (*open || matches!(request, Request::Interrupt { .. })).then(|| self.calls.token())
    }
}

/// The hello that a client with these options sends.
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

/// Passes every connection to `connect`, with its permit out of [`CONNECTIONS_MAX`]. After each failure in a row it
/// pauses longer.
async fn accept<S, F: Future<Output = std::io::Result<S>>>(
    mut next: impl FnMut() -> F,
    mut connect: impl FnMut((S, OwnedSemaphorePermit)),
) {
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let mut pause = None;
    while let Ok(place) = Arc::clone(&places).acquire_owned().await {
        match next().await {
            Ok(stream) => {
                pause = None;
                connect((stream, place));
            }
            Err(error) => {
                if pause.is_none() {
                    tracing::warn!(%error, "a client could not connect; trying again");
                }
                let now = pause.map_or(ACCEPT_PAUSE, |last: Duration| last * 2);
                let now = now.min(ACCEPT_PAUSE_MAX);
                tokio::time::sleep(now).await;
                pause = Some(now);
            }
        }
    }
}

async fn serve(stream: Stream, shared: &Arc<SharedServer>) -> std::io::Result<()> {
    let (reading, mut writing) = tokio::io::split(stream);
    let mut reader = BufReader::new(reading);
    let hello = tokio::select! {
        () = shared.stop.cancelled() => return Ok(()),
        hello = tokio::time::timeout(HELLO_MAX, receive::<Hello>(&mut reader)) => hello??,
    };
    let Some(hello) = hello else { return Ok(()) };
    let welcome = match agrees(&shared.own, &hello) {
        Err(fault) => Welcome::Refused(fault),
        Ok(()) if shared.handing_over.is_cancelled() => Welcome::Ending,
        Ok(()) => Welcome::Ready,
    };
    send(&mut writing, &welcome).await?;
    match welcome {
        Welcome::Ready => {}
        Welcome::Refused(_) => return Ok(()),
        Welcome::Ending => {
            // The client waits until this end closes the connection.
            tokio::select! {
                () = shared.stop.cancelled() => {}
                _ = receive::<Call>(&mut reader) => {}
            }
            return Ok(());
        }
    }
    let (answers, waiting) = mpsc::channel::<Answer>(ANSWERS_WAITING_MAX);
    let gone = CancellationToken::new();
    shared.tasks.spawn(write(writing, waiting, gone.clone()));
    let connection = Connection {
        shared,
        answers,
        gone: gone.clone(),
        running: Arc::new(Semaphore::new(CALLS_MAX)),
    };
    let ended = connection.take_calls(reader).await;
    if !matches!(ended, Ok(ConnectionEnd::ByHolder)) {
        gone.cancel();
    }
    ended.map(drop)
}

/// Who ended a connection.
enum ConnectionEnd {
    ByHolder,
    ByClient,
}

struct Connection<'a> {
    shared: &'a Arc<SharedServer>,
    answers: mpsc::Sender<Answer>,
    /// Cancelled when the client is gone.
    gone: CancellationToken,
    running: Arc<Semaphore>,
}

impl Connection<'_> {
    async fn take_calls(
        &self,
        mut reader: BufReader<impl tokio::io::AsyncRead + Unpin>,
    ) -> std::io::Result<ConnectionEnd> {
        let mut dropping: HashMap<u64, CancellationToken> = HashMap::new();
        loop {
            let call = tokio::select! {
                () = self.shared.stop.cancelled() => return Ok(ConnectionEnd::ByHolder),
                () = self.gone.cancelled() => return Ok(ConnectionEnd::ByClient),
                call = receive::<Call>(&mut reader) => match call? {
                    Some(call) => call,
                    None => return Ok(ConnectionEnd::ByClient),
                },
            };
            dropping.retain(|_, token| !token.is_cancelled());
            let Some(request) = call.request else {
                if let Some(token) = dropping.remove(&call.id) {
                    token.cancel();
                }
                continue;
            };
            let Ok(permit) = Arc::clone(&self.running).acquire_owned().await else {
                return Ok(ConnectionEnd::ByHolder);
            };
            let Some(admitted) = self.shared.admit(&request) else {
                let back = Answer {
                    id: call.id,
                    body: Body::HandedBack,
                };
                // Sending fails only if the client is gone.
                drop(self.answers.send(back).await);
                continue;
            };
            let dropped = self.gone.child_token();
            dropping.insert(call.id, dropped.clone());
            self.run(call.id, request, dropped, (permit, admitted));
        }
    }

    fn run(
        &self,
        id: u64,
        request: Request,
        dropped: CancellationToken,
        (permit, admitted): (OwnedSemaphorePermit, TaskTrackerToken),
    ) {
        let lasts = lasts(&request);
        let (sink, mut frames) = Sink::new();
        let (service, handled) = (Arc::clone(&self.shared.service), admitted.clone());
        self.shared.tasks.spawn(async move {
            service.handle(request, Channel::CommandLine, &sink).await;
            sink.send(Frame::End).await;
            drop(handled);
        });
        let (answers, handing_over) = (self.answers.clone(), self.shared.handing_over.clone());
        self.shared.tasks.spawn(async move {
            // If the client goes, `frames` is dropped here; the turn belongs to the engine and continues.
            while let Some(body) = next(&mut frames, &dropped, lasts.then_some(&handing_over)).await
            {
                let last = matches!(body, Body::HandedBack | Body::Frame(Frame::End));
                if answers.send(Answer { id, body }).await.is_err() || last {
                    break;
                }
            }
            dropped.cancel();
            drop((permit, admitted));
        });
    }
}

/// Returns the next body to send for a call. `None` if the client dropped the call.
async fn next(
    frames: &mut Frames,
    dropped: &CancellationToken,
    handing_over: Option<&CancellationToken>,
) -> Option<Body> {
    let handed_over = async {
        match handing_over {
            Some(token) => token.cancelled().await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        biased;
        () = dropped.cancelled() => None,
        () = handed_over => Some(Body::HandedBack),
        frame = frames.recv() => frame.map(Body::Frame),
    }
}

/// Writes answers until the channel closes, then says goodbye. A call without an end by then was not taken.
async fn write(
    mut writing: WriteHalf<Stream>,
    mut waiting: mpsc::Receiver<Answer>,
    gone: CancellationToken,
) {
    let goodbye = Answer {
        id: 0,
        body: Body::HandedBack,
    };
    loop {
        let (answer, last) = match waiting.recv().await {
            Some(answer) => (answer, false),
            None if gone.is_cancelled() => return,
            None => (goodbye.clone(), true),
        };
        let sent = tokio::time::timeout(CLIENT_STUCK_AFTER, send(&mut writing, &answer));
        if !matches!(sent.await, Ok(Ok(()))) {
            gone.cancel();
            return;
        }
        if last {
            return;
        }
    }
}

/// Whether a request continues until its client drops it, or can be resumed by another holder.
fn lasts(request: &Request) -> bool {
    matches!(
        request,
        Request::Subscribe { .. } | Request::Notify {} | Request::FetchModelFile { .. }
    )
}

/// Refuses a client whose version, clock, zone or network mode differs from the holder's (CONTRACTS).
fn agrees(own: &Hello, client: &Hello) -> Result<(), Fault> {
    let refuse = |message: String| {
        Err(Fault {
            code: "usage".into(),
            message,
            hint: "Close the other Adjutant first, or use the same flags.".into(),
        })
    };
    if client.protocol != own.protocol {
        return refuse("The Adjutant that has this profile open is a different version.".into());
    }
    let differs = |flag: &str, own: &Option<String>, client: &Option<String>| {
        let shown = own.as_deref().unwrap_or("none");
        (client != own)
            .then(|| format!("The Adjutant that has this profile open runs with {flag} {shown}."))
    };
    if let Some(message) = differs("--now", &own.now, &client.now) {
        return refuse(message);
    }
    // A client that names no zone accepts the holder's.
    if client.tz.is_some()
        && let Some(message) = differs("--tz", &own.tz, &client.tz)
    {
        return refuse(message);
    }
    if client.offline != own.offline {
        let how = if own.offline { "does not use" } else { "uses" };
        return refuse(format!(
            "The Adjutant that has this profile open {how} the network (`--offline`)."
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn without_file_handles_accepting_is_tried_seldom() {
        let tries = AtomicU32::new(0);
        let full = || {
            tries.fetch_add(1, Ordering::Relaxed);
            std::future::ready(Err::<(), _>(std::io::Error::from_raw_os_error(24)))
        };
        let minute = tokio::time::timeout(Duration::from_secs(60), accept(full, drop));
        assert!(minute.await.is_err());
        assert!(tries.load(Ordering::Relaxed) < 70, "{tries:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn once_a_handle_is_free_a_client_is_accepted_without_a_long_pause() {
        let tries = AtomicU32::new(0);
        let next = || {
            let number = tries.fetch_add(1, Ordering::Relaxed);
            std::future::ready(if number.is_multiple_of(2) {
                Err(std::io::Error::from_raw_os_error(24))
            } else {
                Ok(())
            })
        };
        let mut accepted = 0;
        let second = Duration::from_secs(1);
        let all = tokio::time::timeout(second, accept(next, |_| accepted += 1));
        assert!(all.await.is_err());
        assert!(accepted >= 45, "each pause is the first one: {accepted}");
    }

    #[tokio::test(start_paused = true)]
    async fn connections_are_limited() {
        let mut held = Vec::new();
        let next = || std::future::ready(Ok(()));
        let all = accept(next, |(_, place)| held.push(place));
        assert!(
            tokio::time::timeout(Duration::from_secs(1), all)
                .await
                .is_err()
        );
        assert_eq!(held.len(), CONNECTIONS_MAX);
    }
}
