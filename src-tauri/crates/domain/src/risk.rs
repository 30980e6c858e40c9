//! How risky a call is.

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
    /// The words in plan and card.
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

    /// The name on the wire.
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

/// Why the person is asked although the risk class alone would not ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskReason {
    /// An existing event is changed.
    ChangesEvent,
    /// Something is deleted or forgotten (even where it could be undone).
    Deletes,
    /// More than [`crate::gate::decide::BULK_MAX`] things at once.
    Bulk,
    /// A recipient, link or account was found in text of others.
    FoundTarget,
}

/// What a read hands to somebody else: a query, an address, the arguments of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CarriesOut {
    /// Who gets it, in the person's terms: "Brave Search", "example.org", "the server “files”".
    pub to: String,
    /// Exactly what leaves, one text each, as it is sent. Whatever a model or a record had a hand in belongs here; what is
    /// the same for every call (a key, a header) does not.
    pub texts: Vec<String>,
    /// Whether everybody could read what comes back, as with pages of the web. Otherwise the answer counts as private.
    pub public_answer: bool,
    /// Whether what is handed over stays with the account of the call: neither the call nor what is known of its tool
    /// names a place beyond. What came from that account alone may then go back to it.
    #[serde(default)]
    pub stays_there: bool,
}

/// A tool's judgement of one call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assessment {
    /// Class of risk.
    pub risk: Risk,
    /// Asks whatever the class says.
    #[serde(default)]
    pub ask: Option<AskReason>,
    /// How many things it touches.
    pub count: usize,
    /// JSON pointers of arguments that reach out: recipients, links, accounts.
    #[serde(default)]
    pub reaching: Vec<String>,
    /// Where the tool found recipients, links or accounts that the arguments only name, such as the address of somebody
    /// who is called by name. They count like arguments that reach out.
    #[serde(default)]
    pub looked_up: Vec<Source>,
    /// What the call hands to somebody else although it only reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carries_out: Option<CarriesOut>,
    /// What the call acts on, where a standing grant for that may hold whatever the other arguments say: a path, a board, a
    /// list. None: the records it touches, or else exactly these arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
}

impl Assessment {
    /// The assessment of a call that only reads: it never asks.
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
        }
    }

    /// The assessment of a call that only reads, and hands something to somebody else for it.
    #[must_use]
    pub fn asks_outside(carries_out: CarriesOut) -> Self {
        Self {
            carries_out: Some(carries_out),
            ..Self::read()
        }
    }

    /// A local change of one thing that can be undone.
    #[must_use]
    pub fn reversible() -> Self {
        Self {
            risk: Risk::LocalReversible,
            count: 1,
            ..Self::read()
        }
    }

    /// A deletion of `count` things.
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
