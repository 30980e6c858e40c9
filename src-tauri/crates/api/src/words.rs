//! Closed sets of words that front ends branch on. On the wire each member is a word in snake case; in TypeScript the
//! set is a union, so that code that misses a member does not compile.

use std::fmt;

use adjutant_domain::gate::{self, ActionState};
use adjutant_domain::record;
use adjutant_domain::tool;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $($(#[$about])* $variant,)+
        }

        impl $name {
            /// Every member of the set.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the word on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// Returns the member with this word.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.as_str() == word)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

words! {
    /// State of a step in a plan.
    StepStatus {
        /// It has not begun.
        Next = "next",
        /// It is running.
        Running = "running",
        /// Its card waits for the person.
        Waiting = "waiting",
        /// Its question waits for the person.
        NeedsAnswer = "needs_answer",
        /// It succeeded.
        Done = "done",
        /// It failed.
        Failed = "failed",
        /// Left out of the plan by the person, or skipped because its condition did not hold.
        LeftOut = "left_out",
        /// A step it depends on did not succeed.
        Blocked = "blocked",
        /// Stopped or rejected.
        Cancelled = "cancelled",
        /// It is not known whether it happened.
        Unknown = "unknown",
    }
}

words! {
    /// What a call can do to the world, mildest first.
    Risk {
        /// Changes nothing.
        Read = "read",
        /// Can be undone on this computer.
        LocalReversible = "local_reversible",
        /// Cannot be undone on this computer.
        LocalIrreversible = "local_irreversible",
        /// Can be undone at the provider.
        RemoteReversible = "remote_reversible",
        /// Other people hear of it.
        ReachesPeople = "reaches_people",
        /// Removes something.
        Destroys = "destroys",
        /// Costs money.
        Spends = "spends",
    }
}

words! {
    /// Subject of the icon on a card.
    #[derive(Default)]
    Icon {
        /// Nothing in particular.
        #[default]
        Usual = "usual",
        /// Filing something away.
        Archive = "archive",
        /// Deleting something.
        Delete = "delete",
        /// Something in the calendar.
        Event = "event",
        /// A mail that is not sent.
        Mail = "mail",
        /// Sending a mail.
        Send = "send",
    }
}

words! {
    /// State of an action that was proposed to the person.
    ApprovalState {
        /// Waits for the person.
        Pending = "pending",
        /// Approved, but not begun.
        Approved = "approved",
        /// It is running.
        Executing = "executing",
        /// It succeeded.
        Succeeded = "succeeded",
        /// It failed.
        Failed = "failed",
        /// It is not known whether it happened.
        Unknown = "unknown",
        /// Only the person can say how it ended.
        NeedsPerson = "needs_person",
        /// Rejected by the person.
        Denied = "denied",
        /// It expired before the person decided.
        Expired = "expired",
        /// A newer card replaced it.
        Superseded = "superseded",
        /// Its turn was stopped.
        Cancelled = "cancelled",
    }
}

words! {
    /// What an approved action waits for.
    WaitsFor {
        /// The end of its hold; until then it can be taken back.
        Hold = "hold",
        /// A connection to the provider of its account.
        Connection = "connection",
        /// The person, who has to sign in to its account again.
        SignIn = "sign_in",
    }
}

words! {
    /// State of an outgoing mail.
    OutboxState {
        /// The person has not decided about it.
        Draft = "draft",
        /// Approved; it is sent when its hold ends.
        Held = "held",
        /// Approved, but there is no account or connection to send it.
        Queued = "queued",
        /// Sent.
        Sent = "sent",
        /// Refused.
        Failed = "failed",
        /// It is not known whether it was sent.
        Unknown = "unknown",
    }
}

words! {
    /// Folder of a mail.
    MailFolder {
        /// Received, not filed.
        Inbox = "inbox",
        /// Sent by the person.
        Sent = "sent",
        /// Filed away.
        Archive = "archive",
        /// Deleted.
        Trash = "trash",
        /// Unwanted.
        Junk = "junk",
    }
}

words! {
    /// Kind of sender of a mail, judged by its headers.
    MailWriter {
        /// Somebody who wrote to the person.
        Person = "person",
        /// A newsletter or mailing list.
        List = "list",
        /// A program reporting an event.
        Notice = "notice",
    }
}

words! {
    /// Origin of a memory.
    MemorySource {
        /// The person said it.
        Said = "said",
        /// Inferred from what the person did or said.
        Inferred = "inferred",
        /// Read in foreign text.
        Read = "read",
    }
}

words! {
    /// Whether a task is done.
    TaskStatus {
        /// Open.
        Open = "open",
        /// Done.
        Done = "done",
    }
}

words! {
    /// Priority of a task.
    Priority {
        /// Low.
        Low = "low",
        /// Medium, the default.
        Medium = "medium",
        /// High.
        High = "high",
    }
}

macro_rules! from_domain {
    ($name:ident from $domain:path { $($variant:ident),+ }) => {
        impl From<$domain> for $name {
            fn from(one: $domain) -> Self {
                match one {
                    $(<$domain>::$variant => Self::$variant,)+
                }
            }
        }
    };
}

from_domain!(Risk from gate::Risk {
    Read, LocalReversible, LocalIrreversible, RemoteReversible, ReachesPeople, Destroys, Spends
});
from_domain!(Icon from tool::Icon { Usual, Archive, Delete, Event, Mail, Send });
from_domain!(ApprovalState from ActionState {
    Pending, Approved, Executing, Succeeded, Failed, Unknown, NeedsPerson, Denied, Expired, Superseded, Cancelled
});
from_domain!(OutboxState from record::OutboxState { Draft, Held, Queued, Sent, Failed, Unknown });
from_domain!(MailFolder from record::Folder { Inbox, Sent, Archive, Trash, Junk });
from_domain!(MemorySource from record::MemorySource { Said, Inferred, Read });
from_domain!(TaskStatus from record::TaskStatus { Open, Done });
from_domain!(Priority from record::Priority { Low, Medium, High });

impl StepStatus {
    /// Returns the state for the word in a stored event; [`Self::Unknown`] for a word from a newer version.
    #[must_use]
    pub fn of_event(word: &str) -> Self {
        Self::from_word(word).unwrap_or(Self::Unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn words_match_their_serialized_form() {
        macro_rules! same {
            ($($name:ident),+) => {$(
                for one in $name::ALL {
                    assert_eq!(json!(one), json!(one.as_str()));
                    assert_eq!($name::from_word(one.as_str()), Some(*one));
                }
            )+};
        }
        same!(
            StepStatus,
            Risk,
            Icon,
            ApprovalState,
            OutboxState,
            MailFolder,
            MailWriter,
            MemorySource,
            TaskStatus,
            Priority
        );
    }

    #[test]
    fn every_step_state_has_a_word() {
        use adjutant_domain::plan::StepState;
        let states = [
            StepState::Next,
            StepState::Running,
            StepState::Done,
            StepState::Unknown,
        ];
        for state in states {
            assert!(
                StepStatus::from_word(state.word()).is_some(),
                "{}",
                state.word()
            );
        }
        assert_eq!(
            StepStatus::of_event("of a newer program"),
            StepStatus::Unknown
        );
    }
}

/// A decision about an outgoing mail or another approved action that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum OutboxAct {
    /// Carry out the approved action now.
    SendNow,
    /// Look in Sent for a mail that may or may not have been sent.
    CheckAgain,
    /// Turn an unsent mail back into a draft without approval, or take back another action that waits.
    ToDraft,
}

/// A change to a waiting plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "change", rename_all = "snake_case", deny_unknown_fields)]
pub enum PlanChange {
    /// Leave out a step. Refused if another step needs it.
    LeaveOut {
        /// Key of the step.
        step: String,
    },
    /// Move a step. Refused if it would come before a step that it needs.
    Move {
        /// Key of the step.
        step: String,
        /// Key of the step to put it before; absent to put it last.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        before: Option<String>,
    },
}
