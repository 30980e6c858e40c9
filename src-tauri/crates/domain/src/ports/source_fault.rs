//! Why a search engine or a page gave nothing.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::faults::UserFault;

/// Why a search or a page gave nothing. Each says what happened and what to do next; none holds a key or a query.
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
        /// Which host.
        host: String,
    },
    /// The key was refused.
    #[error("{host} refused the key.")]
    WrongKey {
        /// Which host.
        host: String,
    },
    /// Too many requests, or the plan is used up.
    #[error("{host} takes no more requests for now.")]
    Limited {
        /// Which host.
        host: String,
        /// How long to wait, where it says so; bounded to a day.
        retry_after: Option<Duration>,
    },
    /// The site asks programs not to read this page (`robots.txt`).
    #[error("{host} asks programs not to read this page.")]
    NotAllowed {
        /// Which host.
        host: String,
    },
    /// An address that came from outside leads to this computer or its network.
    #[error("{host} is on this computer or its network, where pages of others must not lead.")]
    PrivateAddress {
        /// Which host.
        host: String,
    },
    /// It is not an address that can be opened.
    #[error("“{address}” is not an address that can be opened.")]
    BadAddress {
        /// The address, bounded.
        address: String,
    },
    /// There is no such page, file or record, or not any more.
    #[error("{what} is not there.")]
    Gone {
        /// What, as the beginning of a sentence.
        what: String,
    },
    /// It answered with a refusal.
    #[error("{host} refused: {why}.")]
    Refused {
        /// Which host.
        host: String,
        /// In words, bounded.
        why: String,
    },
    /// It is larger than what is read.
    #[error("{what} is too large to be read ({limit_mb} MB is the limit).")]
    TooLarge {
        /// What, as the beginning of a sentence.
        what: String,
        /// The limit in megabytes.
        limit_mb: u64,
    },
    /// It has no text that can be read: a picture, a program, a scan, a file with a password.
    #[error("{what} holds no text that can be read ({media}).")]
    NotText {
        /// What, as the beginning of a sentence.
        what: String,
        /// What it is instead, for example a media type.
        media: String,
    },
    /// What it answered is not what was asked for: cut off, damaged, a page in place of results.
    #[error("{host} gave an answer that cannot be read: {why}.")]
    Garbled {
        /// Which host.
        host: String,
        /// In words, bounded.
        why: String,
    },
    /// No connection was made, or it broke off.
    #[error("{host} could not be reached: {why}.")]
    Unreachable {
        /// Which host.
        host: String,
        /// In words, bounded.
        why: String,
    },
    /// It fails at the moment, by its own account (5xx).
    #[error("{host} has trouble of its own at the moment.")]
    Down {
        /// Which host.
        host: String,
    },
    /// It took too long.
    #[error("{host} took too long.")]
    TimedOut {
        /// Which host.
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
    /// Whether it may go better when it is tried again, at the earliest after what [`Self::Limited`] says.
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

    /// Whether the request may have left this computer. Where it has not, it cost nothing.
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

    /// Whether the same fault awaits every other query to this engine, so that asking on is no use.
    #[must_use]
    pub fn concerns_engine(&self) -> bool {
        matches!(
            self,
            Self::NotConfigured { .. } | Self::Offline { .. } | Self::WrongKey { .. }
        )
    }

    /// The code for programs.
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

    /// What to do next, as a sentence; empty where there is nothing to do.
    #[must_use]
    pub fn next(&self) -> String {
        match self {
            Self::NotConfigured { .. } => {
                "In Settings, Web and research (`adjutant config set web.search.engine wikipedia`), you can choose one."
                    .into()
            }
            Self::Offline { .. } => "Go online and ask again.".into(),
            Self::WrongKey { .. } => {
                "Enter the key anew in Settings, Web and research (`adjutant config set web.brave.key` or `web.tavily.key`)."
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
            Self::BadAddress { .. } => "Write it whole, like https://example.org/page.".into(),
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
            "api.example.org takes no more requests for now. Try again in 2 minutes."
        );
        assert!(limited(1).next().ends_with("1 second."));
        assert!(limited(7_200).next().ends_with("2 hours."));
        assert!(limited(1).may_pass() && limited(1).was_sent());
    }
}
