//! A front end's connection to a profile: in this process if it can hold the profile, else through the holder's socket.
//! The front end sees no difference.

mod client;
mod pending;
mod profiles;
mod server;
mod socket;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use adjutant_api::{Fault, Request};
use adjutant_domain::faults::io_reason;
use interprocess::local_socket::tokio::Stream;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::profile::{self, ProfileLocation};
use crate::service::{Frame, Frames, Service, Sink};

pub use crate::profile::Options;
pub use profiles::{PROFILES_MAX, profiles};

use client::{Client, Piece};
use pending::Pending;
use server::{Server, Socket};

/// How long to wait for a holder that has just started and does not listen yet, or that is ending and still has the
/// lock.
const OPEN_WAIT: Duration = Duration::from_secs(5);
/// Pause between two attempts.
const OPEN_PAUSE: Duration = Duration::from_millis(20);

/// A front end's connection to a profile. If another process holds the profile and ends, this process or another takes
/// over, and requests continue there. Clones share the connection.
#[derive(Clone)]
pub struct Session {
    shared: Arc<SharedSession>,
}

struct SharedSession {
    options: Options,
    side: watch::Sender<Side>,
    /// Held while a request looks for the next holder.
    opening: tokio::sync::Mutex<()>,
    /// Tasks that answer this front end's requests.
    tasks: TaskTracker,
    stop: CancellationToken,
}

/// Who holds the profile.
#[derive(Clone)]
enum Side {
    /// This process holds it and serves others, unless the profile is read-only.
    Here(Arc<Service>, Option<Arc<Server>>),
    /// Another process.
    There(Arc<Client>),
}

impl Session {
    /// Opens a profile: takes hold of it, or connects to its holder.
    ///
    /// # Errors
    /// Returns a fault if the folder or database cannot be opened, or if the holder runs with another clock, zone or
    /// network mode.
    pub async fn open(options: &Options) -> Result<Self, Fault> {
        let side = open(options).await?;
        Ok(Self {
            shared: Arc::new(SharedSession {
                options: options.clone(),
                side: watch::Sender::new(side),
                opening: tokio::sync::Mutex::default(),
                tasks: TaskTracker::new(),
                stop: CancellationToken::new(),
            }),
        })
    }

    /// Returns the service if this process holds the profile now.
    #[must_use]
    pub fn service(&self) -> Option<Arc<Service>> {
        match self.shared.side() {
            Side::Here(service, _) => Some(service),
            Side::There(_) => None,
        }
    }

    /// Returns the service once this process holds the profile: immediately, or after the holder has ended and a
    /// request has noticed it.
    pub async fn holding(&self) -> Arc<Service> {
        let mut side = self.shared.side.subscribe();
        loop {
            if let Some(service) = self.service() {
                return service;
            }
            if side.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// Whether this process' environment names a model that is ignored, because the holder uses its own.
    #[must_use]
    pub fn passes_environment_over(&self) -> bool {
        self.service().is_none() && !crate::environment::of_models().is_empty()
    }

    /// Sends a request and returns its frames; [`Frame::End`] is the last.
    pub async fn call(&self, request: Request) -> Frames {
        let (sink, frames) = Sink::new();
        let shared = Arc::clone(&self.shared);
        self.shared.tasks.spawn(async move {
            if let Err(fault) = shared.answer(request, &sink).await {
                sink.fault(fault).await;
            }
            sink.send(Frame::End).await;
        });
        frames
    }

    /// Stops taking requests from other processes and finishes those already taken. Call it before [`Session::close`],
    /// which would stop them; drop the future to stop waiting.
    pub async fn hand_over(&self) {
        if let Side::Here(_, Some(server)) = self.shared.side() {
            server.hand_over().await;
        }
    }

    /// Ends the connection. A holder first finishes pending writes; it stops running turns, which record how they
    /// ended. The profile becomes free for others once the session is dropped as well.
    pub async fn close(&self) {
        self.shared.stop.cancel();
        let opening = self.shared.opening.lock().await;
        let side = self.shared.side();
        match &side {
            Side::Here(service, server) => {
                // Run both together: a request that follows a turn ends only when the turn does.
                tokio::join!(service.close(), async {
                    if let Some(server) = server {
                        server.stop().await;
                    }
                });
            }
            Side::There(client) => client.close().await,
        }
        drop(opening);
        self.shared.tasks.close();
        self.shared.tasks.wait().await;
    }
}

impl SharedSession {
    fn side(&self) -> Side {
        self.side.borrow().clone()
    }

    /// Answers a request in this process or through the holder. If the holder ends, continues with the next one.
    async fn answer(&self, request: Request, out: &Sink) -> Result<(), Fault> {
        let mut pending = Pending::new(request);
        loop {
            match self.side() {
                Side::Here(service, _) => {
                    handle(&service, pending, out).await;
                    return Ok(());
                }
                Side::There(client) => {
                    let pieces = client.call(pending.request()).await;
                    match follow(pieces, &mut pending, out).await {
                        Last::End => return Ok(()),
                        Last::Lost if !pending.is_repeatable() => return Err(pending.unknown()),
                        Last::HandedBack | Last::Lost => self.reopen(&client).await?,
                    }
                }
            }
        }
    }

    /// Takes the place of a holder that ended, or connects to the process that already has.
    async fn reopen(&self, gone: &Arc<Client>) -> Result<(), Fault> {
        let one = async {
            let _opening = self.opening.lock().await;
            match self.side() {
                Side::There(now) if Arc::ptr_eq(&now, gone) => {
                    gone.ended().await;
                    let side = open(&self.options).await?;
                    self.side.send_replace(side);
                    Ok(())
                }
                // Another request has already reopened.
                _ => Ok(()),
            }
        };
        tokio::select! {
            () = self.stop.cancelled() => Err(client::lost("was closed")),
            done = one => done,
        }
    }
}

/// How a holder's answer ended.
enum Last {
    End,
    HandedBack,
    Lost,
}

/// Forwards a holder's answer to `out` until it ends.
async fn follow(mut pieces: mpsc::Receiver<Piece>, pending: &mut Pending, out: &Sink) -> Last {
    loop {
        let piece = tokio::select! {
            () = out.closed() => return Last::End,
            piece = pieces.recv() => piece,
        };
        match piece {
            Some(Piece::Frame(Frame::End)) => return Last::End,
            Some(Piece::Frame(frame)) => {
                if let Some(frame) = pending.hear(frame) {
                    out.send(frame).await;
                }
            }
            Some(Piece::HandedBack) => return Last::HandedBack,
            Some(Piece::Lost) | None => return Last::Lost,
        }
    }
}

/// Answers a request in this process; continues one that a previous holder began to answer.
async fn handle(service: &Service, mut pending: Pending, out: &Sink) {
    let (request, door) = (pending.request(), service.door());
    if !pending.has_begun() {
        return service.handle(request, door, out).await;
    }
    let (sink, mut frames) = Sink::new();
    let answer = async move { service.handle(request, door, &sink).await };
    let pass_on = async {
        while let Some(frame) = frames.recv().await {
            if let Some(frame) = pending.hear(frame) {
                out.send(frame).await;
            }
        }
    };
    tokio::select! {
        () = out.closed() => {}
        _ = futures::future::join(answer, pass_on) => {}
    }
}

/// Opens a profile in this process or connects to its holder.
async fn open(options: &Options) -> Result<Side, Fault> {
    let place = ProfileLocation::find(options.home.as_deref(), options.profile.as_deref())
        .map_err(location_fault)?;
    let dir = match place.make() {
        Ok(dir) => dir,
        Err(profile::ProfileLocationFault::Make { source, .. })
            if only_readable(&place.dir(), &source) =>
        {
            return reading(&place, options).await;
        }
        Err(fault) => return Err(location_fault(fault)),
    };
    match take(&dir, options).await? {
        Taken::ReadOnly => reading(&place, options).await,
        Taken::Hold(hold) => {
            // Create the socket first: opening can take a while, and clients that connect meanwhile wait.
            let socket = Socket::make(&dir)?;
            let service = Arc::new(Service::open(&place, options, Some(hold)).await?);
            let server = Server::start(socket, &service, options);
            Ok(Side::Here(service, Some(Arc::new(server))))
        }
        Taken::Client(client) => Ok(Side::There(Arc::new(client))),
    }
}

/// Opens a profile read-only, on a medium that cannot be written. It takes no lock and serves no other process.
async fn reading(place: &ProfileLocation, options: &Options) -> Result<Side, Fault> {
    let options = Options {
        read_only: true,
        ..options.clone()
    };
    let service = Arc::new(Service::open(place, &options, None).await?);
    Ok(Side::Here(service, None))
}

/// Result of opening a profile: its lock, or a connection to its holder.
enum Taken {
    Hold(profile::Hold),
    Client(Client),
    /// Neither: the profile can only be read.
    ReadOnly,
}

/// Takes hold of a profile or connects to its holder. If the holder is ending, waits for its end, however long that
/// takes.
async fn take(dir: &Path, options: &Options) -> Result<Taken, Fault> {
    loop {
        match tokio::time::timeout(OPEN_WAIT, hold_or_connect(dir)).await {
            Ok(Ok(ProfileAccess::Hold(hold))) => return Ok(Taken::Hold(hold)),
            Ok(Ok(ProfileAccess::ReadOnly)) => return Ok(Taken::ReadOnly),
            Ok(Ok(ProfileAccess::Holder(stream))) => {
                if let Some(client) = Client::greet(stream, options).await? {
                    return Ok(Taken::Client(client));
                }
            }
            Ok(Err(fault)) => return Err(fault),
            Err(_) => return Err(client::lost("does not answer")),
        }
        tokio::time::sleep(OPEN_PAUSE).await;
    }
}

enum ProfileAccess {
    Hold(profile::Hold),
    Holder(Stream),
    ReadOnly,
}

/// Alternates between locking and connecting: a starting holder may soon listen, and an ending one soon lets go.
async fn hold_or_connect(dir: &Path) -> Result<ProfileAccess, Fault> {
    loop {
        match profile::hold(dir) {
            Ok(Some(hold)) => return Ok(ProfileAccess::Hold(hold)),
            Ok(None) => {}
            Err(error) if only_readable(dir, &error) => return Ok(ProfileAccess::ReadOnly),
            Err(error) => return Err(lock_fault(dir, &error)),
        }
        if let Ok(stream) = socket::connect(dir).await {
            return Ok(ProfileAccess::Holder(stream));
        }
        tokio::time::sleep(OPEN_PAUSE).await;
    }
}

/// Whether the profile exists and `error` only means that it cannot be written.
fn only_readable(dir: &Path, error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    matches!(error.kind(), ReadOnlyFilesystem | PermissionDenied)
        && dir.join(adjutant_store::FILE).is_file()
}

fn location_fault(fault: profile::ProfileLocationFault) -> Fault {
    let hint = match &fault {
        profile::ProfileLocationFault::Make { .. } => {
            "Choose a folder that you may write to (`--home`)."
        }
        profile::ProfileLocationFault::Name(_) | profile::ProfileLocationFault::NoHome => "",
    };
    Fault {
        code: "profile".into(),
        message: adjutant_domain::faults::sentence(&fault.to_string()),
        hint: hint.into(),
    }
}

fn lock_fault(dir: &Path, error: &std::io::Error) -> Fault {
    Fault {
        code: if error.kind() == std::io::ErrorKind::ReadOnlyFilesystem
            || error.kind() == std::io::ErrorKind::PermissionDenied
        {
            "read_only".into()
        } else if error.kind() == std::io::ErrorKind::StorageFull {
            "disk_full".into()
        } else {
            "profile".into()
        },
        message: format!(
            "The profile {} cannot be opened: {}.",
            dir.display(),
            io_reason(error)
        ),
        hint: "Make the folder writable, free some space, or choose another folder (`--home`)."
            .into(),
    }
}
