//! Faults of network exchanges.

use std::error::Error;
use std::io;
use std::time::Duration;

use url::Url;

use crate::names::is_not_public;
use crate::trust::{Distrust, Fingerprint, is_not_tls};

/// Maximum number of characters kept of a cause.
const WHY_CHARS_MAX: usize = 200;

/// What is said of a server whose answer to a handshake is not TLS.
pub(crate) const NOT_ENCRYPTED: &str =
    "what answers there does not encrypt, so it is another service or a page of your network";

/// What the systems say when a name has no address, and the words for it.
const LOOKUPS: &[(&str, &str)] = &[
    ("Name or service not known", NO_SUCH_NAME),
    ("No address associated with hostname", NO_SUCH_NAME),
    ("nodename nor servname provided", NO_SUCH_NAME),
    ("No such host is known", NO_SUCH_NAME),
    (
        "Temporary failure in name resolution",
        "its name could not be looked up; you may have no connection",
    ),
];
const NO_SUCH_NAME: &str = "there is no server with this name";

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
    /// The host is there, but nothing on it accepts connections at the port.
    #[error("{host} does not accept connections on port {port}")]
    NotListening {
        /// The host, without a port.
        host: String,
        /// The port.
        port: u16,
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
            Self::of_connecting(&error.without_url(), host)
        } else {
            // The request was sent; the connection ended before or during the reply.
            Self::Cut { host }
        }
    }
}

impl NetFault {
    /// Says which part the host plays: `the server for sending (mail.example.org)`.
    #[must_use]
    pub fn with_part(mut self, part: &str) -> Self {
        match &mut self {
            Self::Offline { host }
            | Self::Unreachable { host, .. }
            | Self::NotListening { host, .. }
            | Self::Untrusted { host, .. }
            | Self::TimedOut { host, .. }
            | Self::Cut { host }
            | Self::TooLarge { host, .. }
            | Self::Redirected { host }
            | Self::NotPublic { host } => *host = format!("the {part} ({host})"),
            Self::Malformed { .. } | Self::SetUp { .. } => {}
        }
        self
    }

    /// Converts the error of a failed connection or handshake.
    pub(crate) fn of_connecting(error: &(dyn Error + 'static), host: String) -> Self {
        if let Some(Distrust { why, fingerprint }) = Distrust::of(error) {
            return Self::Untrusted {
                host,
                why,
                fingerprint,
            };
        }
        let why = match is_not_tls(error) {
            true => NOT_ENCRYPTED.to_owned(),
            false => root_cause(error),
        };
        Self::Unreachable { host, why }
    }

    /// Returns the fault of a connection that the host at `url` itself refused; `None` for any other error. A connection
    /// through a proxy says nothing of the host.
    pub(crate) fn not_listening(error: &(dyn Error + 'static), url: &Url) -> Option<Self> {
        let mut cause = Some(error);
        while let Some(one) = cause {
            let system = one.downcast_ref::<io::Error>();
            if system.is_some_and(|system| system.kind() == io::ErrorKind::ConnectionRefused) {
                return Some(Self::NotListening {
                    host: url.host_str()?.to_owned(),
                    port: url.port_or_known_default()?,
                });
            }
            cause = one.source();
        }
        None
    }

    /// Converts the error of a name lookup.
    pub(crate) fn of_name(error: &(dyn Error + Send + Sync + 'static), host: String) -> Self {
        if is_not_public(error) {
            return Self::NotPublic { host };
        }
        let why = root_cause(error);
        Self::Unreachable { host, why }
    }
}

/// Returns the innermost cause, without its number: "connection reset" says more than "error sending request".
pub(crate) fn root_cause(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let cause = cause.to_string();
    let cause = cause.split(" (os error ").next().unwrap_or_default();
    let unresolved = LOOKUPS.iter().find(|(said, _)| cause.contains(said));
    let cause = unresolved.map_or(cause, |(_, words)| words);
    cause
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
