//! Logs without secrets, and how long the stages of a turn take.
//!
//! [`init`] sets up logging for a process and gives the [`Timings`] that fill up from then on. Nothing here is sent
//! anywhere: logs go to standard error, timings stay in memory.

mod redact;
mod setup;
mod timings;

pub use redact::{Redacting, redact};
pub use setup::{Form, NotSetUp, Setup, init, live, measured};
pub use timings::{STAGE_TARGET, STAGES_MAX, StageTiming, Timings};
