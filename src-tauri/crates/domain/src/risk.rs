//! Risk of calls.

use serde::{Deserialize, Serialize};

use crate::source::Source;

/// Classes of risk, from harmless to highest. The order matters.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// Reads the person's own data.
    Read,
    /// Changes something here; can be undone.
    LocalReversible,
    /// Changes something here for good.
    LocalIrreversible,
    /// Changes something elsewhere; can be undone.
    RemoteReversible,
    /// Other people see it.
    ReachesPeople,
    /// Something is gone afterwards.
    Destroys,
    /// Costs money, or is not known.
    Spends,
}

impl Risk {
    /// Returns the words used in plan and card.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Read => "reads",
            Self::LocalReversible => "can be undone",
            Self::LocalIrreversible => "cannot be undone",
            Self::RemoteReversible => "changes an account",
            Self::ReachesPeople => "reaches people",
            Self::Destroys => "destroys",
            Self::Spends => "spends",
        }
    }

    /// Returns the name used on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::LocalReversible => "local_reversible",
            Self::LocalIrreversible => "local_irreversible",
            Self::RemoteReversible => "remote_reversible",
            Self::ReachesPeople => "reaches_people",
            Self::Destroys => "destroys",
            Self::Spends => "spends",
        }
    }
}

/// Why a call asks although its class of risk alone would not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskReason {
    /// It changes an existing event.
    ChangesEvent,
    /// It deletes or forgets something, even if that can be undone.
    Deletes,
    /// It touches more than [`crate::gate::decide::BULK_MAX`] things.
    Bulk,
    /// A recipient, link or account was found in foreign text.
    FoundTarget,
}

/// What a read sends to somebody else: a query, an address, the arguments of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CarriesOut {
    /// Recipient, in the person's terms: "Brave Search", "example.org", "the server “files”".
    pub to: String,
    /// Exactly what is sent, one text each. Includes everything a model or a record influenced, but not what is the
    /// same for every call (a key, a header).
    pub texts: Vec<String>,
    /// Whether anybody could read the answer, as with web pages. If not, the answer counts as private.
    pub public_answer: bool,
    /// Whether the texts stay with the call's account, because neither the call nor the tool's definition names a
    /// destination beyond it. Data that came from that account alone may then go back to it unasked.
    #[serde(default)]
    pub stays_there: bool,
}

/// A tool's assessment of one call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assessment {
    /// Class of risk.
    pub risk: Risk,
    /// Reason to ask regardless of the class of risk, if any.
    #[serde(default)]
    pub ask: Option<AskReason>,
    /// Number of things it touches.
    pub count: usize,
    /// JSON pointers to arguments that reach outside: recipients, links, accounts.
    #[serde(default)]
    pub reaching: Vec<String>,
    /// Sources of recipients, links or accounts that the arguments only name, such as the address of a person given by
    /// name. They count like arguments that reach outside.
    #[serde(default)]
    pub looked_up: Vec<Source>,
    /// What the call sends to somebody else although it only reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carries_out: Option<CarriesOut>,
    /// Name of the thing the call acts on, if a standing grant for it may hold whatever the other arguments say: a
    /// path, a board, a list. `None` binds a grant to the records touched, or else to exactly these arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Whether the things it acts on only come close to what the person described. The card says so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guessed: bool,
}

impl Assessment {
    /// Returns the assessment of a call that only reads and never asks.
    #[must_use]
    pub fn read() -> Self {
        Self {
            risk: Risk::Read,
            ask: None,
            count: 0,
            reaching: Vec::new(),
            looked_up: Vec::new(),
            carries_out: None,
            target: None,
            guessed: false,
        }
    }

    /// Returns the assessment of a call that only reads, but sends something out to do so.
    #[must_use]
    pub fn asks_outside(carries_out: CarriesOut) -> Self {
        Self {
            carries_out: Some(carries_out),
            ..Self::read()
        }
    }

    /// Returns the assessment of a local, reversible change to one thing.
    #[must_use]
    pub fn reversible() -> Self {
        Self {
            risk: Risk::LocalReversible,
            count: 1,
            ..Self::read()
        }
    }

    /// Returns the assessment of a deletion of `count` things.
    #[must_use]
    pub fn deletes(count: usize) -> Self {
        Self {
            risk: Risk::Destroys,
            ask: Some(AskReason::Deletes),
            count,
            ..Self::read()
        }
    }
}
