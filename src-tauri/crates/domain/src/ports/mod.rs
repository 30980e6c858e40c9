//! The ports: how the pure middle meets the world. Adapters live in other crates and are chosen in one place.

pub mod calculator;
pub mod documents;
pub mod drafts;
pub mod egress;
pub mod executor;
pub mod grants;
pub mod jobs;
pub mod listing;
pub mod mails;
pub mod provider;
pub mod records;
pub mod secrets;
pub mod source_fault;
pub mod stopping;
pub mod turns;
pub mod web;

use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;
use jiff::{Timestamp, Zoned};
use serde_json::Value;

pub use calculator::{Calculated, Calculator};
pub use documents::{Document, DocumentCounts, DocumentHit, Documents, FileState};
pub use drafts::{DRAFTS_MAX, DraftBackend};
pub use egress::{EgressLog, Exchange};
pub use executor::{Executors, Files, NoAccounts, RemoteExecutor};
pub use grants::Grants;
pub use jobs::Jobs;
pub use listing::{Listing, NotRead};
pub use mails::{AllStored, NotWhole, WholeMails};
pub use provider::{
    Backend, Backends, Busy, CalendarBackend, ContactBackend, MailBackend, News, PullFault, Pulled,
    PulledWhat, RemoteCollection, Sink, TaskBackend,
};
pub use records::{ImportCounts, Incoming, Records, SearchHit, UnexpandedSeries};
pub use secrets::{SecretFault, Secrets};
pub use source_fault::SourceFault;
pub use stopping::{StopSignal, Stopping};
pub use turns::{Recovered, TurnLog};
pub use web::{Found, Lookup, NoLookup, Pages, Place, Reach, SearchEngine, SearchTool, Snapshot};

use crate::catalog::Catalog;
use crate::faults::ToolFault;
use crate::gate::{Approved, Call, Observed, PlannedCall};
use crate::outcome::{Outcome, Stop};
use crate::settings::Settings;
use crate::source::Sources;

/// The time. With `--now` it stands still.
pub trait Clock: Send + Sync {
    /// Now, in the person's zone.
    fn now(&self) -> Zoned;
    /// Whether time stands still (a fixed clock for tests and replays).
    fn is_fixed(&self) -> bool {
        false
    }
    /// Ends when the clock shows `at`, was set meanwhile, or the machine woke up: whoever waits looks at the clock again.
    /// Never, while time stands still.
    fn until(&self, _at: Timestamp) -> Ringing {
        Box::pin(std::future::pending())
    }
}

/// What [`Clock::until`] gives.
pub type Ringing = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Randomness, for identifiers and nonces.
pub trait Entropy: Send + Sync {
    /// 64 random bits.
    fn bits(&self) -> u64;
}

/// What a tool call sees of the world.
#[derive(Clone)]
pub struct Cx {
    /// Now, in the person's zone; the same for the whole turn.
    pub now: Zoned,
    /// Records to read.
    pub records: Arc<dyn Records>,
    /// The rest of mails of which only the beginning is among the records.
    pub mails: Arc<dyn WholeMails>,
    /// Search engines and pages.
    pub lookup: Arc<dyn Lookup>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
    /// Settings.
    pub settings: Arc<Settings>,
}

impl Cx {
    /// A new record identifier of a kind.
    #[must_use]
    pub fn new_id(&self, kind: crate::record::Kind) -> crate::ids::RecordId {
        crate::ids::RecordId(crate::ids::render(kind.prefix(), self.entropy.bits()))
    }

    /// The person's zone.
    #[must_use]
    pub fn zone(&self) -> jiff::tz::TimeZone {
        self.now.time_zone().clone()
    }
}

/// All tools. The only builder of [`PlannedCall`].
#[async_trait]
pub trait Toolbox: Send + Sync {
    /// The tools there are now. Tools may appear and vanish; each catalogue stays as it is.
    fn catalog(&self) -> Arc<Catalog>;

    /// Checks a proposed call: the tool exists and the arguments fit its types.
    ///
    /// # Errors
    /// When they do not, with the reason in plain words.
    fn plan(&self, tool: &str, args: Value, sources: Sources) -> Result<PlannedCall, ToolFault>;

    /// Looks at what a call would touch; computes risk and card.
    async fn observe(&self, call: PlannedCall, cx: &Cx) -> Result<Observed, Stop>;

    /// Runs what the gate let through. Arguments are parsed again: stored calls outlive schema changes.
    async fn run(&self, call: &Approved<Call>, cx: &Cx) -> Result<Outcome, Stop>;
}
