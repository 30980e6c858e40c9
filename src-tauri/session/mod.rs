//! A front end's connection to a profile: in this process when it can hold the profile, else through the holder's
//! socket. Front ends see no difference.

mod client;
mod profiles;
mod server;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use adjutant_api::{Fault, Request};
use adjutant_domain::faults::io_reason;
use adjutant_domain::gate::Channel;
use adjutant_domain::ports::Clock as _;
use jiff::{Zoned, tz::TimeZone};

use crate::clock::SystemClock;
use crate::profile::{self, Place};
use crate::service::{Frame, Frames, Service, Sink};

pub use client::Client;
pub use profiles::{PROFILES_MAX, profiles};
pub use server::Server;

/// How long to wait for a holder that has just started and does not listen yet, or ends and has not let go yet.
const OPEN_WAIT: Duration = Duration::from_secs(5);
/// Pause between two tries.
const OPEN_PAUSE: Duration = Duration::from_millis(20);

/// How a profile is opened: the common flags of the command line.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Folder of all profiles.
    pub home: Option<PathBuf>,
    /// Name of the profile.
    pub profile: Option<String>,
    /// A fixed clock.
    pub now: Option<Zoned>,
    /// The zone, over what settings and system say.
    pub tz: Option<TimeZone>,
    /// Nothing but loopback.
    pub offline: bool,
    /// Shows what is there and changes nothing; set by [`Session::open`] where the medium allows no more.
    pub read_only: bool,
    /// The door through which this front end's approvals come; the command line unless it says otherwise.
    pub door: Option<Channel>,
}

impl Options {
    /// The zone in force where the setting `time_zone` says `setting`.
    #[must_use]
    pub fn zone(&self, setting: &str) -> TimeZone {
        crate::compose::zone(self, setting)
    }

    /// The time in `zone`: that of the fixed clock, else of the system.
    #[must_use]
    pub fn time(&self, zone: &TimeZone) -> Zoned {
        match &self.now {
            Some(now) => now.with_time_zone(zone.clone()),
            None => SystemClock::new(zone.clone()).now(),
        }
    }
}

/// A front end's connection to a profile.
pub enum Session {
    /// This process holds the profile and serves others.
    Here(Arc<Service>, Server),
    /// Another process holds it.
    There(Client),
}

impl Session {
    /// Opens a profile.
    ///
    /// # Errors
    /// When its folder or database cannot be opened, or the holder works under another clock or zone.
    pub async fn open(options: &Options) -> Result<Self, Fault> {
        let place = Place::find(options.home.as_deref(), options.profile.as_deref())
            .map_err(place_fault)?;
        let dir = match place.make() {
            Ok(dir) => dir,
            Err(profile::PlaceFault::Make { source, .. })
                if only_readable(&place.dir(), &source) =>
            {
                return Self::reading(&place, options).await;
            }
            Err(fault) => return Err(place_fault(fault)),
        };
        match tokio::time::timeout(OPEN_WAIT, take(&dir, options)).await {
            Ok(Ok(Taken::ReadOnly)) => Self::reading(&place, options).await,
            Ok(Ok(Taken::Hold(hold))) => {
                let service = Arc::new(Service::open(&place, options, Some(hold)).await?);
                let server = Server::start(&dir, &service, options)?;
                Ok(Self::Here(service, server))
            }
            Ok(Ok(Taken::Client(client))) => Ok(Self::There(client)),
            Ok(Err(fault)) => Err(fault),
            Err(_) => Err(client::lost("does not answer")),
        }
    }

    /// Opens a profile on a medium that cannot be written. Nobody holds it, and nobody is served.
    async fn reading(place: &Place, options: &Options) -> Result<Self, Fault> {
        let options = Options {
            read_only: true,
            ..options.clone()
        };
        let service = Arc::new(Service::open(place, &options, None).await?);
        Ok(Self::Here(service, Server::alone()))
    }

    /// Opens a profile only if no other process holds it.
    ///
    /// # Errors
    /// As [`Session::open`], and with the code `held` when another process holds it.
    pub async fn open_here(options: &Options) -> Result<(Arc<Service>, Server), Fault> {
        match Self::open(options).await? {
            Self::Here(service, server) => Ok((service, server)),
            Self::There(_) => Err(Fault {
                code: "held".into(),
                message: "Another Adjutant has this profile open.".into(),
                hint: "Use that one, or close it first.".into(),
            }),
        }
    }

    /// Whether this process' environment names a model that will not be asked, because the holder's own ones are.
    #[must_use]
    pub fn passes_environment_over(&self) -> bool {
        matches!(self, Self::There(_)) && !crate::models::environment().is_empty()
    }

    /// Sends a request; its frames follow, [`Frame::End`] last.
    pub async fn call(&self, request: Request) -> Frames {
        match self {
            Self::Here(service, server) => {
                let door = service.door();
                let (sink, frames) = Sink::new();
                let service = Arc::clone(service);
                server.run(async move {
                    service.handle(request, door, &sink).await;
                    sink.send(Frame::End).await;
                });
                frames
            }
            Self::There(client) => client.call(request).await,
        }
    }

    /// Ends the connection; a holder finishes what is being written first. Turns are stopped and store how they ended.
    /// The profile is free for others once the session is dropped, too.
    pub async fn close(&self) {
        match self {
            Self::Here(service, server) => {
                // Together: a request that follows a turn ends with it.
                tokio::join!(server.stop(), service.close());
            }
            Self::There(client) => client.close().await,
        }
    }
}

/// What one gets of a profile: the profile itself, or who has it.
enum Taken {
    Hold(profile::Hold),
    Client(Client),
    /// Neither: it can only be read.
    ReadOnly,
}

/// Takes hold of a profile or reaches its holder. Both by turns: a holder that does not listen yet may soon, and one that
/// is ending lets go.
async fn take(dir: &Path, options: &Options) -> Result<Taken, Fault> {
    loop {
        match profile::hold(dir) {
            Ok(Some(hold)) => return Ok(Taken::Hold(hold)),
            Ok(None) => {}
            Err(error) if only_readable(dir, &error) => return Ok(Taken::ReadOnly),
            Err(error) => return Err(lock_fault(dir, &error)),
        }
        if let Some(client) = Client::connect(dir, options).await? {
            return Ok(Taken::Client(client));
        }
        tokio::time::sleep(OPEN_PAUSE).await;
    }
}

/// Whether a profile is there and only writing to it is refused.
fn only_readable(dir: &Path, error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    matches!(error.kind(), ReadOnlyFilesystem | PermissionDenied)
        && dir.join(adjutant_store::FILE).is_file()
}

fn place_fault(fault: profile::PlaceFault) -> Fault {
    let hint = match &fault {
        profile::PlaceFault::Make { .. } => "Choose a folder you may write to with --home.",
        profile::PlaceFault::Name(_) | profile::PlaceFault::NoHome => "",
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
        hint: "Make the folder writable, free some space, or choose another with --home.".into(),
    }
}
