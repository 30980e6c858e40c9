//! Ports: the traits through which the pure core reaches the outside. Adapters live in other crates and are chosen in
//! one place.

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
    Backend, Backends, Busy, CalendarBackend, ContactBackend, FreeBusy, MailBackend, News,
    PullFault, Pulled, PulledWhat, RemoteCollection, Sink, TaskBackend,
};
pub use records::{ImportCounts, Incoming, Records, SearchHit, UnexpandedSeries};
pub use secrets::{SecretFault, Secrets};
pub use source_fault::SourceFault;
pub use stopping::{StopSignal, Stopping};
pub use turns::{Recovered, TurnLog};
pub use web::{
    Lookup, NoLookup, Pages, Reach, SearchEngine, SearchResult, SearchTool, Snapshot, SourceAddress,
};

use crate::catalog::Catalog;
use crate::faults::ToolFault;
use crate::gate::{Approved, Call, Observed, PlannedCall};
use crate::outcome::{Outcome, Stop};
use crate::settings::Settings;
use crate::source::Sources;

/// The clock. With `--now` it stands still.
pub trait Clock: Send + Sync {
    /// Returns the current time in the person's zone.
    fn now(&self) -> Zoned;
    /// Returns whether time stands still (a fixed clock for tests and replays).
    fn is_fixed(&self) -> bool {
        false
    }
    /// Completes when the clock reaches `at`, was set, or the machine woke up, so the caller must check the time again.
    /// Never completes while time stands still.
    fn until(&self, _at: Timestamp) -> Ringing {
        Box::pin(std::future::pending())
    }
}

/// Future returned by [`Clock::until`].
pub type Ringing = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Source of randomness for identifiers and nonces.
pub trait Entropy: Send + Sync {
    /// Returns 64 random bits.
    fn bits(&self) -> u64;
}

/// What a tool call can access.
#[derive(Clone)]
pub struct Cx {
    /// Current time in the person's zone, fixed for the whole turn.
    pub now: Zoned,
    /// Records to read.
    pub records: Arc<dyn Records>,
    /// Fetches the rest of mails stored only in part.
    pub mails: Arc<dyn WholeMails>,
    /// Search engines and pages.
    pub lookup: Arc<dyn Lookup>,
    /// Source of random bits.
    pub entropy: Arc<dyn Entropy>,
    /// The person's settings.
    pub settings: Arc<Settings>,
}

impl Cx {
    /// Creates a new record identifier for a kind.
    #[must_use]
    pub fn new_id(&self, kind: crate::record::Kind) -> crate::ids::RecordId {
        crate::ids::RecordId(crate::ids::render(kind.prefix(), self.entropy.bits()))
    }

    /// Returns the person's time zone.
    #[must_use]
    pub fn zone(&self) -> jiff::tz::TimeZone {
        self.now.time_zone().clone()
    }
}

/// All tools; the only builder of [`PlannedCall`].
#[async_trait]
pub trait Toolbox: Send + Sync {
    /// Returns a snapshot of the present tools. Tools may appear and vanish, but a catalogue never changes.
    fn catalog(&self) -> Arc<Catalog>;

    /// Checks a proposed call against its tool's types.
    ///
    /// # Errors
    /// Returns a [`ToolFault`] in plain words if the tool does not exist or the arguments do not match.
    fn plan(&self, tool: &str, args: Value, sources: Sources) -> Result<PlannedCall, ToolFault>;

    /// Observes what a call would touch, and computes its risk and card.
    async fn observe(&self, call: PlannedCall, cx: &Cx) -> Result<Observed, Stop>;

    /// Runs a call that the gate approved. Parses the arguments again, because stored calls may outlive a change of
    /// schema.
    async fn run(&self, call: &Approved<Call>, cx: &Cx) -> Result<Outcome, Stop>;
}
