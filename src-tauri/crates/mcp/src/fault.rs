//! Faults of servers: what happened and what to do next.

use adjutant_domain::faults::UserFault;
use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::RemoteFault;
use adjutant_net::NetFault;

/// Why a server cannot be used. A fault affects only that server.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ServerFault {
    /// The server's program did not start.
    #[error("“{program}” could not be started: {why}")]
    NotStarted {
        /// The program, as configured.
        program: String,
        /// The system's error message.
        why: String,
    },
    /// The server's program exited.
    #[error("its program ended{how}")]
    Ended {
        /// How it exited, such as ` (exit status: 1)`; empty if unknown.
        how: String,
    },
    /// The server does not respond.
    #[error("it did not answer within {seconds} seconds")]
    Silent {
        /// How many seconds the wait lasted.
        seconds: u64,
    },
    /// A message exceeded the size limit.
    #[error("it sent a message of more than {megabytes} MB and was cut off")]
    Flood {
        /// The limit in megabytes.
        megabytes: usize,
    },
    /// The server's output is not valid MCP.
    #[error("what it sends is not the Model Context Protocol: {what}")]
    Garbage {
        /// What was wrong, cleaned.
        what: String,
    },
    /// The server supports no protocol revision that Adjutant knows.
    #[error("it speaks no version of the protocol that Adjutant knows")]
    Revision,
    /// The server refused a request.
    #[error("it refused: {what}")]
    Refused {
        /// The server's reason, cleaned.
        what: String,
    },
    /// The server requires the person to sign in.
    #[error("it wants you to sign in")]
    WantsSignIn,
    /// The server limits the request rate.
    #[error("it is not taking more requests right now")]
    Limited {
        /// Seconds until the next request may be made, if the server says so.
        retry_after_seconds: Option<u64>,
    },
    /// A network fault.
    #[error("{0}")]
    Net(NetFault),
    /// A configured value cannot be used.
    #[error("{what}")]
    SetUp {
        /// Which value, and why.
        what: String,
    },
    /// Adjutant closed the connection because the server was stopped, switched off or changed.
    #[error("it was stopped")]
    Stopped,
}

impl ServerFault {
    /// Returns advice on what to do next, as a sentence.
    #[must_use]
    pub fn next(&self) -> String {
        match self {
            Self::NotStarted { .. } => {
                "Check the command; the program has to be installed and found on your PATH.".into()
            }
            Self::Ended { .. } => "Its last lines below say more. Check its arguments, and what it needs to run.".into(),
            Self::Silent { .. } => "Try it again; if it stays silent, start its command in a terminal to see what it waits for.".into(),
            Self::Flood { .. } | Self::Garbage { .. } => {
                "Check that this is a server of the Model Context Protocol, and whether there is a newer version of it.".into()
            }
            Self::Revision => "Look for a newer version of the server.".into(),
            Self::Refused { .. } => "Check its settings with whoever made it.".into(),
            Self::WantsSignIn => {
                "Sign in (Settings, Tools, or `adjutant mcp sign-in NAME`); if it has no sign-in for programs, get a token from the service and store it in the keyring with `adjutant mcp secret NAME Authorization`.".into()
            }
            Self::Limited { .. } => "Try again later.".into(),
            Self::Net(NetFault::Offline { .. }) => "Start Adjutant without `--offline`.".into(),
            Self::Net(_) => "Check the address and your connection.".into(),
            Self::SetUp { .. } => "Correct it, or remove the server and add it again.".into(),
            Self::Stopped => "Ask again; it is started when it is needed.".into(),
        }
    }

    /// Returns the fault for the person, with the server's name.
    #[must_use]
    pub fn told(&self, server: &str) -> UserFault {
        UserFault::new(
            "server",
            format!("The server “{server}” cannot be used: {self}."),
            self.next(),
        )
    }

    /// Converts the fault for an operation that was not sent.
    #[must_use]
    pub fn remote(&self, account: &AccountId) -> RemoteFault {
        match self {
            Self::WantsSignIn => RemoteFault::not_signed_in(account.clone()),
            Self::Limited {
                retry_after_seconds,
            } => RemoteFault::Limited {
                retry_after_seconds: *retry_after_seconds,
            },
            Self::Net(
                NetFault::Unreachable { .. }
                | NetFault::NotListening { .. }
                | NetFault::Offline { .. },
            ) => RemoteFault::Unreachable,
            other => RemoteFault::Refused {
                what: other.to_string(),
            },
        }
    }
}
