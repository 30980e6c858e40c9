//! Faults on the wire.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A fault: what happened, then what to do next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Fault {
    /// Stable code.
    pub code: String,
    /// What happened.
    pub message: String,
    /// What to do next; may be empty.
    pub hint: String,
}
