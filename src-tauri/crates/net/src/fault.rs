//! Faults of network exchanges.

use std::error::Error;
use std::time::Duration;

use crate::names::is_not_public;
use crate::trust::Fingerprint;

/// Maximum number of characters kept of a cause.
const WHY_CHARS_MAX: usize = 200;

/// Why an exchange failed. The texts contain hosts, but never paths, keys or bodies.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetFault {
    /// Adjutant is offline and the host is not this machine.
    #[error("{host} was not asked: Adjutant is offline")]
    Offline {
        /// The host.
        host: String,
    },
    /// The request cannot be sent: bad address or header.
    #[error("the request could not be made: {why}")]
    Malformed {
        /// What is wrong with it.
        why: String,
    },
    /// No connection was established.
    #[error("{host} could not be reached: {why}")]
    Unreachable {
        /// The host.
        host: String,
        /// The system's error.
        why: String,
    },
    /// The host could not prove its identity.
    #[error("{host} could not prove its identity: {why}")]
    Untrusted {
        /// The host.
        host: String,
        /// What is wrong with its certificate.
        why: String,
        /// Fingerprint of that certificate.
        fingerprint: Fingerprint,
    },
    /// The time limit passed.
    #[error("{host} took longer than {} s", waited.as_secs())]
    TimedOut {
        /// The host.
        host: String,
        /// How long Adjutant waited.
        waited: Duration,
    },
    /// The connection ended before the reply was complete.
    #[error("the reply of {host} was cut off")]
    Cut {
        /// The host.
        host: String,
    },
    /// The reply exceeds the size limit.
    #[error("the reply of {host} is larger than {limit_bytes} bytes")]
    TooLarge {
        /// The host.
        host: String,
        /// The limit, in bytes.
        limit_bytes: u64,
    },
    /// The host redirected to a place that is not followed: too many times, while offline, or to another host although
    /// the request may carry a key.
    #[error("{host} points to another place, which was not followed")]
    Redirected {
        /// The host.
        host: String,
    },
    /// An address from outside is not on the public internet.
    #[error(
        "{host} is on this computer or its network, and an address from outside is not followed there"
    )]
    NotPublic {
        /// The host.
        host: String,
    },
    /// The client could not be set up.
    #[error("the network could not be set up: {why}")]
    SetUp {
        /// What failed.
        why: String,
    },
}

impl NetFault {
    /// Converts the error of a request or a reply.
    pub(crate) fn of(error: reqwest::Error, host: &str) -> Self {
        let host = host.to_owned();
        if error.is_redirect() {
            Self::Redirected { host }
        } else if error.is_builder() {
            Self::Malformed {
                why: root_cause(&error.without_url()),
            }
        } else if is_not_public(&error) {
            Self::NotPublic { host }
        } else if error.is_connect() {
            Self::Unreachable {
                host,
                why: root_cause(&error.without_url()),
            }
        } else {
            // The request was sent; the connection ended before or during the reply.
            Self::Cut { host }
        }
    }
}

impl NetFault {
    /// Converts the error of a name lookup.
    pub(crate) fn of_name(error: &(dyn Error + Send + Sync + 'static), host: String) -> Self {
        if is_not_public(error) {
            return Self::NotPublic { host };
        }
        let why = root_cause(error);
        Self::Unreachable { host, why }
    }
}

/// Returns the innermost cause: "connection refused" says more than "error sending request".
pub(crate) fn root_cause(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause
        .to_string()
        .chars()
        .filter(|c| !c.is_control())
        .take(WHY_CHARS_MAX)
        .collect()
}

/// A setting that is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// The address of the proxy.
    #[error("That is not the address of a proxy. Write it like http://proxy.example:3128.")]
    Proxy,
    /// The certificate file.
    #[error("There are no certificates in that file. Give the full path of a PEM file.")]
    Certificates,
}
