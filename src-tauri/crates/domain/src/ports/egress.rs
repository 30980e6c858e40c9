//! What leaves this machine, and why: every exchange over the network is reported here.

use serde::{Deserialize, Serialize};

/// One exchange with a host. Never holds a key, a path or a body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// Host it went to, with the port where it is not the usual one.
    pub host: String,
    /// What for, in words for the person.
    pub why: String,
    /// Bytes sent: headers and body, before encryption.
    pub bytes_out: u64,
    /// Bytes received: the body, before anything is decoded.
    pub bytes_in: u64,
    /// The host is this machine: nothing left it.
    pub loopback: bool,
}

/// Where exchanges are written down. All of it is called from asynchronous code and while values are dropped: it returns
/// at once and does the writing elsewhere.
pub trait EgressLog: Send + Sync {
    /// Takes note of an exchange that has ended, well or not.
    fn note(&self, exchange: Exchange);

    /// Takes note of an exchange that begins, so that it stands written down if the process is killed while it lasts. The
    /// exchange does not wait for the disk: one that is killed in the moment it begins may be missing. Gives a number
    /// under which its end is told; none where only ends are noted.
    fn begins(&self, exchange: &Exchange) -> Option<u64> {
        let _ = exchange;
        None
    }

    /// An exchange that began has ended, well or not; none where nothing left after all.
    fn ended(&self, number: u64, exchange: Option<Exchange>) {
        let _ = number;
        if let Some(exchange) = exchange {
            self.note(exchange);
        }
    }
}
