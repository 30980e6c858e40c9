//! What can go wrong on the way.

use std::error::Error;
use std::time::Duration;

use crate::names::is_not_public;
use crate::trust::Fingerprint;

/// Characters of a cause that are passed on.
const WHY_CHARS_MAX: usize = 200;

/// Why an exchange failed. The texts hold hosts, never paths, keys or bodies.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetFault {
    /// Adjutant is offline and the host is not this machine.
    #[error("{host} was not asked: Adjutant is offline")]
    Offline {
        /// Which host.
        host: String,
    },
    /// What was asked for cannot be sent: a bad address or header.
    #[error("the request could not be made: {why}")]
    Malformed {
        /// What is wrong with it.
        why: String,
    },
    /// No connection was made.
    #[error("{host} could not be reached: {why}")]
    Unreachable {
        /// Which host.
        host: String,
        /// What the system said.
        why: String,
    },
    /// Whoever answered is not proven to be the host.
    #[error("{host} could not prove who it is: {why}")]
    Untrusted {
        /// Which host.
        host: String,
        /// What is wrong with its certificate.
        why: String,
        /// Which certificate that is.
        fingerprint: Fingerprint,
    },
    /// It took too long.
    #[error("{host} took longer than {} s", waited.as_secs())]
    TimedOut {
        /// Which host.
        host: String,
        /// How long we waited.
        waited: Duration,
    },
    /// The reply broke off.
    #[error("the reply of {host} was cut off")]
    Cut {
        /// Which host.
        host: String,
    },
    /// The reply is larger than allowed.
    #[error("the reply of {host} is larger than {limit_bytes} bytes")]
    TooLarge {
        /// Which host.
        host: String,
        /// What was allowed.
        limit_bytes: u64,
    },
    /// The host sent us where we do not go: too often, offline, or to another host with a key in hand.
    #[error("{host} points to another place that was not followed")]
    Redirected {
        /// Which host.
        host: String,
    },
    /// An address that came from outside is not on the public internet.
    #[error(
        "{host} is on this computer or its network; an address that came from outside is not followed there"
    )]
    NotPublic {
        /// Which host.
        host: String,
    },
    /// The client could not be set up.
    #[error("the network could not be set up: {why}")]
    SetUp {
        /// In words.
        why: String,
    },
}

impl NetFault {
    /// What a failed request or a failed reply means.
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
            // The request was on its way; the connection ended before the reply or in the middle of it.
            Self::Cut { host }
        }
    }
}

impl NetFault {
    /// What it means that a name was not looked up.
    pub(crate) fn of_name(error: &(dyn Error + Send + Sync + 'static), host: String) -> Self {
        if is_not_public(error) {
            return Self::NotPublic { host };
        }
        let why = root_cause(error);
        Self::Unreachable { host, why }
    }
}

/// The innermost cause: "connection refused" says more than "error sending request".
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

/// What is wrong with a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// The address of the proxy.
    #[error("That is not the address of a proxy. Write it like http://proxy.example:3128.")]
    Proxy,
    /// The file with certificates.
    #[error("There are no certificates in that file. Give the whole path of a PEM file.")]
    Certificates,
}
