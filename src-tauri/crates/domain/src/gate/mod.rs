//! The gate: every effect passes through it between decision and execution. Pure; see GATE in the design and
//! `docs/SECURITY.md`.

mod batch;
mod by_hand;
pub mod card;
pub mod decide;
pub mod grant;
pub mod pending;
pub mod typed;
pub mod why;

pub use crate::escape;
pub use crate::plan::AskedBefore;
pub use crate::rate::{self, Rates, Unasked};
pub use crate::risk::{AskReason, Assessment, CarriesOut, Risk};
pub use card::{Card, CardNote, CardSource, Fact, Item, NoteKind, ShownAttachment};
use decide::has_found_target;
pub use decide::{
    Approved, Circumstances, Decision, Denial, Permit, Policy, Proposal, Verdict, changed, gate,
    reclaim, resolve, to_wait,
};
pub use grant::{Grant, GrantScope, NoGrant};
pub use pending::{ActionState, Channel, Hold, PendingAction, PermittedBy};
pub use typed::{Exposure, Private};
pub use why::Why;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::change::{Expect, RowOp};
use crate::ids::AccountId;
use crate::operation::Operation;
use crate::record::{OutboxItem, Record};
use crate::source::Sources;
use crate::spec::{Before, Definition};

/// A call whose tool exists and whose arguments match the tool's types.
///
/// Only a [`crate::ports::Toolbox`] builds one (`tests/tidy.rs` checks this), so risk is always assessed from parsed
/// arguments.
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
    /// Wraps arguments that the toolbox has just parsed. `definition` is the tool's [`ToolSpec::definition`]. For the
    /// toolbox only.
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

    /// Sets the account, once the toolbox has looked at the call's targets. For the toolbox only.
    #[must_use]
    pub fn acting_for(self, account: AccountId) -> Self {
        Self { account, ..self }
    }

    /// Returns the account the call acts for; `local` before its targets were looked at, or if it needs none.
    #[must_use]
    pub fn account(&self) -> &AccountId {
        &self.account
    }

    /// Returns the name of the tool.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// Returns the arguments, with references resolved.
    #[must_use]
    pub fn args(&self) -> &Value {
        &self.args
    }

    /// Returns the definition of the tool when the arguments were parsed.
    #[must_use]
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Returns where the arguments come from.
    #[must_use]
    pub fn sources(&self) -> &Sources {
        &self.sources
    }
}

/// A planned call with its targets, risk and card.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    /// The call.
    pub call: PlannedCall,
    /// Targets it would touch, with frozen bytes.
    pub before: Before,
    /// Its risk.
    pub assessment: Assessment,
    /// Its card.
    pub card: Card,
}

impl Observed {
    /// Returns whether the call would ask the provider of an account to do something.
    #[must_use]
    pub fn leaves_for_account(&self) -> bool {
        let frozen = self.before.frozen.iter();
        let mut operations = frozen.flat_map(|frozen| &frozen.operations);
        operations.any(|one| matches!(one, Operation::Remote { .. }))
    }
}

/// Present state, against which an approval is checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Present {
    /// The tool's present definition.
    pub definition: Definition,
    /// Account the call would act for now.
    pub account: AccountId,
    /// Present state of the call's targets.
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

/// The state when the call was proposed.
impl From<&Call> for Present {
    fn from(call: &Call) -> Self {
        Self {
            definition: call.definition.clone(),
            account: call.account.clone(),
            before: call.before.clone(),
        }
    }
}

/// A call as stored with an approval and passed to the executor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// Tool name.
    pub tool: String,
    /// Account it acts for; `local` if it needs none.
    pub account: AccountId,
    /// Arguments.
    pub args: Value,
    /// Where the arguments come from.
    #[serde(default)]
    pub sources: Sources,
    /// The tool's definition when the arguments were parsed.
    #[serde(rename = "schema")]
    pub definition: Definition,
    /// Targets with versions, and frozen bytes, as observed before the gate.
    pub before: Before,
}

impl Call {
    /// Returns the frozen mail that the call would send and the expectation on its row, or `None` if it sends none.
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
