//! The gate: the one door between deciding and doing. Pure; see GATE in the design and `docs/SECURITY.md`.

mod batch;
mod by_hand;
pub mod card;
pub mod decide;
pub mod grant;
pub mod pending;
pub mod said;
pub mod why;

pub use crate::escape;
pub use crate::plan::AskedBefore;
pub use crate::rate::{self, Rates, Unasked};
pub use crate::risk::{AskReason, Assessment, CarriesOut, Risk};
pub use card::{Card, CardNote, CardSource, Fact, Item, NoteKind, ShownAttachment};
use decide::has_found_target;
pub use decide::{
    Approved, Circumstances, Decision, Denial, Permit, Policy, Proposal, Verdict, gate, reclaim,
    resolve,
};
pub use grant::{Grant, GrantScope, NoGrant};
pub use pending::{ActionState, Channel, Hold, PendingAction};
pub use said::{Exposure, Private};
pub use why::Why;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::change::{Expect, RowOp};
use crate::ids::AccountId;
use crate::operation::Operation;
use crate::record::{OutboxItem, Record};
use crate::source::Sources;
use crate::spec::{Before, Definition};

/// A call whose tool exists and whose arguments fit its types. Only a [`crate::ports::Toolbox`] builds it
/// (`tests/tidy.rs` holds that), so risk always comes from parsed arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedCall {
    tool: String,
    #[serde(default)]
    account: AccountId,
    args: Value,
    sources: Sources,
    #[serde(rename = "schema")]
    definition: Definition,
}

impl PlannedCall {
    /// For the toolbox alone: wraps arguments that were just parsed. `definition` is [`ToolSpec::definition`] of the tool.
    ///
    /// [`ToolSpec::definition`]: crate::tool::ToolSpec::definition
    #[must_use]
    pub fn parsed(tool: String, args: Value, sources: Sources, definition: Definition) -> Self {
        Self {
            tool,
            account: AccountId::local(),
            args,
            sources,
            definition,
        }
    }

    /// For the toolbox alone: the same call, acting for the account that a look at its targets has shown.
    #[must_use]
    pub fn acting_for(self, account: AccountId) -> Self {
        Self { account, ..self }
    }

    /// Account it acts for; `local` until it was looked at, and where there is none.
    #[must_use]
    pub fn account(&self) -> &AccountId {
        &self.account
    }

    /// Tool name.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// Arguments, without references.
    #[must_use]
    pub fn args(&self) -> &Value {
        &self.args
    }

    /// Where the arguments come from.
    #[must_use]
    pub fn sources(&self) -> &Sources {
        &self.sources
    }
}

/// A planned call together with what it would touch, how risky it is and how it would be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    /// The call.
    pub call: PlannedCall,
    /// What it would touch.
    pub before: Before,
    /// How risky it is.
    pub assessment: Assessment,
    /// How it is shown.
    pub card: Card,
}

/// How things are when an approval is weighed.
#[derive(Clone, Debug, PartialEq)]
pub struct Present {
    /// What the tool says of itself now.
    pub definition: Definition,
    /// Account it would act for now.
    pub account: AccountId,
    /// A look at what the call would touch.
    pub before: Before,
}

impl From<&Observed> for Present {
    fn from(observed: &Observed) -> Self {
        Self {
            definition: observed.call.definition.clone(),
            account: observed.call.account.clone(),
            before: observed.before.clone(),
        }
    }
}

/// As things were when the call was proposed.
impl From<&Call> for Present {
    fn from(call: &Call) -> Self {
        Self {
            definition: call.definition.clone(),
            account: call.account.clone(),
            before: call.before.clone(),
        }
    }
}

/// A call as stored with an approval and handed to the executor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// Tool name.
    pub tool: String,
    /// Account it acts for; `local` where there is none.
    pub account: AccountId,
    /// Arguments.
    pub args: Value,
    /// Where they come from.
    #[serde(default)]
    pub sources: Sources,
    /// What its tool said of itself when the arguments were parsed.
    #[serde(rename = "schema")]
    pub definition: Definition,
    /// What was observed: targets with versions, frozen bytes.
    pub before: Before,
}

impl Call {
    /// The mail it would send, as it was fixed when it was proposed, with what is expected of its row.
    #[must_use]
    pub fn mail(&self) -> Option<(&OutboxItem, Expect)> {
        let operations = &self.before.frozen.as_ref()?.operations;
        let mut ops = operations
            .iter()
            .filter_map(Operation::change)
            .flat_map(|change| &change.ops);
        ops.find_map(|op| match op {
            RowOp::Put { record, expect } => match record.as_ref() {
                Record::Outbox(mail) => Some((mail, *expect)),
                _ => None,
            },
            RowOp::Delete { .. } | RowOp::Mark { .. } => None,
        })
    }
}

impl From<Observed> for Call {
    fn from(observed: Observed) -> Self {
        Self {
            tool: observed.call.tool,
            account: observed.call.account,
            args: observed.call.args,
            sources: observed.call.sources,
            definition: observed.call.definition,
            before: observed.before,
        }
    }
}
