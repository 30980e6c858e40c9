//! Tools: what they are called, what they take, how risky a call is.

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::faults::ToolFault;
use crate::gate::{Approved, Assessment, Call, Card, Observed, PlannedCall};
use crate::outcome::{Outcome, Stop};
use crate::ports::Cx;
pub use crate::spec::{ArgsSchema, Before, Definition, Frozen, Icon, Target, ToolSpec};

/// One tool. The registry turns it into [`AnyTool`]. A tool has no way to change anything but its [`Outcome`].
#[async_trait]
pub trait Tool: Send + Sync + 'static {
    /// Typed arguments. Unknown fields are refused (`#[serde(deny_unknown_fields)]`).
    type Args: DeserializeOwned + Serialize + JsonSchema + Send + Sync;

    /// Name, domain, description and phrases (the registry adds the schema).
    fn spec(&self) -> ToolSpec;

    /// Looks at what the call would touch; resolves names to records, asks when several fit.
    async fn observe(&self, args: &Self::Args, cx: &Cx) -> Result<Before, Stop>;

    /// How risky this very call is, from its arguments and the observed target.
    fn assess(&self, args: &Self::Args, before: &Before, cx: &Cx) -> Assessment;

    /// The card that is shown if the call has to be approved; `call` says where each argument comes from.
    fn card(&self, args: &Self::Args, before: &Before, call: &PlannedCall, cx: &Cx) -> Card;

    /// Reads, or says which operations shall be carried out.
    async fn run(
        &self,
        args: Self::Args,
        before: &Before,
        permit: &Approved<Call>,
        cx: &Cx,
    ) -> Result<Outcome, Stop>;
}

/// A tool without its types: what the registry holds.
#[async_trait]
pub trait AnyTool: Send + Sync {
    /// The specification with the schema.
    fn spec(&self) -> &ToolSpec;
    /// Checks arguments against the types.
    ///
    /// # Errors
    /// With the reason in plain words.
    fn parse(&self, args: &Value) -> Result<(), ToolFault>;
    /// Looks at what the call would touch and computes risk and card.
    async fn observe(&self, call: PlannedCall, cx: &Cx) -> Result<Observed, Stop>;
    /// Runs an approved call.
    async fn run(&self, call: &Approved<Call>, cx: &Cx) -> Result<Outcome, Stop>;
}
