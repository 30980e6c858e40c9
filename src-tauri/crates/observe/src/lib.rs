//! Logs without secrets, and timings of the stages of a turn.
//!
//! [`init`] sets up logging for a process and returns the [`Timings`] that collect measurements from then on. Nothing
//! here leaves this computer: logs go to standard error, timings stay in memory.

mod redact;
mod setup;
mod timings;

pub use redact::{Redacting, redact};
pub use setup::{Form, NotSetUp, Setup, init, live, measured};
pub use timings::{STAGE_TARGET, STAGES_MAX, StageTiming, Timings};
