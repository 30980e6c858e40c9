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

/// Where exchanges are written down.
pub trait EgressLog: Send + Sync {
    /// Takes note of an exchange that has ended, well or not. Called from asynchronous code and while values are
    /// dropped: it returns at once and does the writing elsewhere.
    fn note(&self, exchange: Exchange);
}
