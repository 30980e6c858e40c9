//! Faults of search engines and pages.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::faults::UserFault;

/// Why a search or a page returned nothing. Each fault says what happened and what to do next; none contains a key or a
/// query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "fault", rename_all = "snake_case")]
pub enum SourceFault {
    /// No search engine is chosen, or its address or key is missing.
    #[error("{what}")]
    NotConfigured {
        /// What is missing, as a sentence.
        what: String,
    },
    /// Adjutant is offline.
    #[error("{host} was not asked, because Adjutant is offline.")]
    Offline {
        /// The host.
        host: String,
    },
    /// The host rejected the key.
    #[error("{host} refused the key.")]
    WrongKey {
        /// The host.
        host: String,
    },
    /// The host rejects further requests for now, or the plan's quota is used up.
    #[error("{host} is not taking more requests right now.")]
    Limited {
        /// The host.
        host: String,
        /// How long to wait, if the host says so; at most a day.
        retry_after: Option<Duration>,
    },
    /// The site asks programs not to read this page (`robots.txt`).
    #[error("{host} asks programs not to read this page.")]
    NotAllowed {
        /// The host.
        host: String,
    },
    /// An address from outside points to this computer or its network.
    #[error(
        "{host} is on this computer or its network, and pages from outside must not lead there."
    )]
    PrivateAddress {
        /// The host.
        host: String,
    },
    /// The text is not an address that can be opened.
    #[error("“{address}” is not an address that can be opened.")]
    BadAddress {
        /// The address, truncated.
        address: String,
    },
    /// The page, file or record does not exist, or no longer does.
    #[error("{what} is not there.")]
    Gone {
        /// What is missing, as the beginning of a sentence.
        what: String,
    },
    /// The host refused the request.
    #[error("{host} refused: {why}.")]
    Refused {
        /// The host.
        host: String,
        /// The reason, truncated.
        why: String,
    },
    /// The content exceeds the size limit.
    #[error("{what} is too large to be read ({limit_mb} MB is the limit).")]
    TooLarge {
        /// What is too large, as the beginning of a sentence.
        what: String,
        /// The limit in megabytes.
        limit_mb: u64,
    },
    /// The content has no readable text: a picture, a program, a scan, a password-protected file.
    #[error("{what} has no text that can be read ({media}).")]
    NotText {
        /// What has no text, as the beginning of a sentence.
        what: String,
        /// Description of the content, for example its media type.
        media: String,
    },
    /// The answer is not what was requested: cut off, damaged, or a page instead of results.
    #[error("{host} sent an answer that cannot be read: {why}.")]
    Garbled {
        /// The host.
        host: String,
        /// What is wrong with it, truncated.
        why: String,
    },
    /// No connection was established, or it was lost.
    #[error("{host} could not be reached: {why}.")]
    Unreachable {
        /// The host.
        host: String,
        /// The reason, truncated.
        why: String,
    },
    /// The host reports a failure of its own (5xx).
    #[error("{host} is having problems at the moment.")]
    Down {
        /// The host.
        host: String,
    },
    /// The answer took too long.
    #[error("{host} took too long.")]
    TimedOut {
        /// The host.
        host: String,
    },
    /// Something on this computer failed.
    #[error("{what}")]
    Failed {
        /// What failed, as a sentence.
        what: String,
    },
}

impl SourceFault {
    /// Returns whether a later attempt may succeed; after [`Self::Limited`], not before the wait it names.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        matches!(
            self,
            Self::Limited { .. }
                | Self::Unreachable { .. }
                | Self::Down { .. }
                | Self::TimedOut { .. }
                | Self::Garbled { .. }
        )
    }

    /// Returns whether the request may have left this computer. If it has not, the search cost nothing.
    #[must_use]
    pub fn was_sent(&self) -> bool {
        !matches!(
            self,
            Self::NotConfigured { .. }
                | Self::Offline { .. }
                | Self::BadAddress { .. }
                | Self::PrivateAddress { .. }
                | Self::Failed { .. }
        )
    }

    /// Returns whether every other query to this engine would fail the same way, so that asking again is useless.
    #[must_use]
    pub fn concerns_engine(&self) -> bool {
        matches!(
            self,
            Self::NotConfigured { .. } | Self::Offline { .. } | Self::WrongKey { .. }
        )
    }

    /// Returns the stable code for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotConfigured { .. } => "no_search_engine",
            Self::Offline { .. } => "offline",
            Self::WrongKey { .. } => "wrong_key",
            Self::Limited { .. } => "limited",
            Self::NotAllowed { .. } => "robots",
            Self::PrivateAddress { .. } => "private_address",
            Self::BadAddress { .. } => "bad_address",
            Self::Gone { .. } => "not_found",
            Self::Refused { .. } => "refused",
            Self::TooLarge { .. } => "too_large",
            Self::NotText { .. } => "not_text",
            Self::Garbled { .. } => "garbled",
            Self::Unreachable { .. } => "unreachable",
            Self::Down { .. } => "down",
            Self::TimedOut { .. } => "timed_out",
            Self::Failed { .. } => "failed",
        }
    }

    /// Returns what to do next, as a sentence, or an empty string if there is nothing to do.
    #[must_use]
    pub fn next(&self) -> String {
        match self {
            Self::NotConfigured { .. } => {
                "Choose one in Settings, Web and research (`adjutant config set web.search.engine wikipedia`)."
                    .into()
            }
            Self::Offline { .. } => "Go online and ask again.".into(),
            Self::WrongKey { .. } => {
                "Enter the key again in Settings, Web and research (`adjutant config set web.brave.key` or `web.tavily.key`)."
                    .into()
            }
            Self::Limited {
                retry_after: Some(wait),
                ..
            } => format!("Try again in {}.", wait_words(*wait)),
            Self::Limited { .. } | Self::Down { .. } | Self::TimedOut { .. } => {
                "Try again later.".into()
            }
            Self::PrivateAddress { .. } => {
                "If you trust it, add the host to `web.allow_hosts` in the settings.".into()
            }
            Self::NotAllowed { .. } | Self::TooLarge { .. } | Self::NotText { .. } => {
                "Open it in your browser.".into()
            }
            Self::BadAddress { .. } => "Write it in full, like https://example.org/page.".into(),
            Self::Unreachable { .. } => {
                "Check the address and the connection, and try again.".into()
            }
            Self::Garbled { .. } => "Check the address in the settings, or try again later.".into(),
            Self::Gone { .. } | Self::Refused { .. } | Self::Failed { .. } => String::new(),
        }
    }
}

impl From<&SourceFault> for UserFault {
    fn from(fault: &SourceFault) -> Self {
        Self::new(fault.code(), fault.to_string(), fault.next())
    }
}

fn wait_words(wait: Duration) -> String {
    let (count, unit) = match wait.as_secs() {
        seconds @ 0..=90 => (seconds.max(1), "second"),
        seconds @ 91..=5_400 => (seconds.div_ceil(60), "minute"),
        seconds => (seconds.div_ceil(3_600), "hour"),
    };
    match count {
        1 => format!("1 {unit}"),
        _ => format!("{count} {unit}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_reads_what_happened_and_what_to_do() {
        let limited = |seconds| SourceFault::Limited {
            host: "api.example.org".into(),
            retry_after: Some(Duration::from_secs(seconds)),
        };
        let told = UserFault::from(&limited(120)).to_string();
        assert_eq!(
            told,
            "api.example.org is not taking more requests right now. Try again in 2 minutes."
        );
        assert!(limited(1).next().ends_with("1 second."));
        assert!(limited(7_200).next().ends_with("2 hours."));
        assert!(limited(1).may_pass() && limited(1).was_sent());
    }
}
