//! Closed sets of words that front ends decide by. On the wire each is its word in snake case; in TypeScript a union, so
//! that a word nobody handles does not compile.

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
            /// Every word of the set.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// The member with this word.
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
    /// How a step of a plan stands.
    StepStatus {
        /// Has not begun.
        Next = "next",
        /// At work.
        Running = "running",
        /// Its card waits for the person.
        Waiting = "waiting",
        /// Its question waits for the person.
        NeedsAnswer = "needs_answer",
        /// Ended well.
        Done = "done",
        /// Did not work.
        Failed = "failed",
        /// Taken out of the plan, or its condition did not hold.
        LeftOut = "left_out",
        /// A step it needs did not end well.
        Blocked = "blocked",
        /// Stopped, or rejected.
        Cancelled = "cancelled",
        /// Whether it happened is not known.
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
        /// Can be undone where it happens.
        RemoteReversible = "remote_reversible",
        /// Other people learn of it.
        ReachesPeople = "reaches_people",
        /// Removes something.
        Destroys = "destroys",
        /// Costs money.
        Spends = "spends",
    }
}

words! {
    /// What the picture on a card shows.
    #[derive(Default)]
    Icon {
        /// Nothing in particular.
        #[default]
        Usual = "usual",
        /// Something is put away.
        Archive = "archive",
        /// Something is deleted.
        Delete = "delete",
        /// Something of the calendar.
        Event = "event",
        /// Something about a mail that stays here.
        Mail = "mail",
        /// A mail leaves.
        Send = "send",
    }
}

words! {
    /// How an action that was shown for approval stands.
    ApprovalState {
        /// Waits for the person.
        Pending = "pending",
        /// Approved, has not begun.
        Approved = "approved",
        /// At work.
        Executing = "executing",
        /// Ended well.
        Succeeded = "succeeded",
        /// Did not work.
        Failed = "failed",
        /// Whether it happened is not known.
        Unknown = "unknown",
        /// Only the person can say how it ended.
        NeedsPerson = "needs_person",
        /// Rejected by the person.
        Denied = "denied",
        /// Nobody decided in time.
        Expired = "expired",
        /// A newer card took its place.
        Superseded = "superseded",
        /// Its turn was stopped.
        Cancelled = "cancelled",
    }
}

words! {
    /// What something approved waits for.
    WaitsFor {
        /// The end of its hold: until then it can be taken back.
        Hold = "hold",
        /// A way to the provider of its account.
        Connection = "connection",
    }
}

words! {
    /// Where a mail on its way out is.
    OutboxState {
        /// Nothing was decided.
        Draft = "draft",
        /// Approved; leaves when its hold is over.
        Held = "held",
        /// Approved, and there was no account or no connection to send it.
        Queued = "queued",
        /// Has left.
        Sent = "sent",
        /// Was not accepted.
        Failed = "failed",
        /// Whether it left is not known.
        Unknown = "unknown",
    }
}

words! {
    /// Where a mail lies.
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
    /// Who writes a mail, as far as its head tells.
    MailWriter {
        /// Somebody, to the person.
        Person = "person",
        /// A newsletter or list.
        List = "list",
        /// A program, about something that happened.
        Notice = "notice",
    }
}

words! {
    /// Where a memory comes from.
    MemorySource {
        /// The person said it.
        Said = "said",
        /// Concluded from what the person did.
        Inferred = "inferred",
        /// Read in a record.
        Read = "read",
    }
}

words! {
    /// Whether a task is done.
    TaskStatus {
        /// To be done.
        Open = "open",
        /// Done.
        Done = "done",
    }
}

words! {
    /// How much a task matters.
    Priority {
        /// Can wait.
        Low = "low",
        /// The usual.
        Medium = "medium",
        /// First.
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
    /// From the word of a stored event. One that a newer program wrote says nothing certain.
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
    fn the_word_in_code_is_the_word_on_the_wire() {
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
    fn every_state_of_a_step_has_its_word() {
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

/// What shall become of a mail on its way out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum OutboxAct {
    /// Something that is approved and waits: it is carried out now.
    SendNow,
    /// A mail of which nobody knows whether it left: looks for it in Sent.
    CheckAgain,
    /// A mail that has not left: becomes a draft again, its approval is gone. Anything else that waits is taken back.
    ToDraft,
}

/// A change to a plan that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "change", rename_all = "snake_case", deny_unknown_fields)]
pub enum PlanChange {
    /// A step is left out. Refused where another step needs it.
    LeaveOut {
        /// Which.
        step: String,
    },
    /// A step comes at another place. Refused where it would come before a step that it needs.
    Move {
        /// Which.
        step: String,
        /// The step it comes before; none: it comes last.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        before: Option<String>,
    },
}
