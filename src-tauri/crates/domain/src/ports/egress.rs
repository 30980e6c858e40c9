//! Egress: every exchange over the network is reported here, with its reason.

use serde::{Deserialize, Serialize};

/// One exchange with a host. Never contains a key, a path or a body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// Host, with the port unless it is the default one.
    pub host: String,
    /// Purpose, in words for the person.
    pub why: String,
    /// Bytes sent: headers and body, before encryption.
    pub bytes_out: u64,
    /// Bytes received: the body, before decoding.
    pub bytes_in: u64,
    /// Whether the host is this computer, so that nothing left it.
    pub loopback: bool,
}

/// Log of exchanges. Its methods are called from asynchronous code and from destructors, so they return at once and
/// write elsewhere.
pub trait EgressLog: Send + Sync {
    /// Records an exchange that has ended, successfully or not.
    fn note(&self, exchange: Exchange);

    /// Records the start of an exchange, so that it is on record even if the process is killed meanwhile. Returns a
    /// number for [`Self::ended`], or `None` if the log records only ends.
    ///
    /// The exchange does not wait for the disk, so one that is cut off right at its start may be missing.
    fn begins(&self, exchange: &Exchange) -> Option<u64> {
        let _ = exchange;
        None
    }

    /// Records the end of an exchange that was begun, successfully or not; `None` if nothing was sent after all.
    fn ended(&self, number: u64, exchange: Option<Exchange>) {
        let _ = number;
        if let Some(exchange) = exchange {
            self.note(exchange);
        }
    }
}
