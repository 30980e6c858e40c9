//! Tools: their names, arguments and execution, and the risk of each call.

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

/// One tool, which the registry turns into [`AnyTool`]. A tool can change things only through its [`Outcome`].
#[async_trait]
pub trait Tool: Send + Sync + 'static {
    /// Typed arguments. Unknown fields are refused (`#[serde(deny_unknown_fields)]`).
    type Args: DeserializeOwned + Serialize + JsonSchema + Send + Sync;

    /// Returns name, domain, description and phrases. The registry adds the schema.
    fn spec(&self) -> ToolSpec;

    /// Observes what the call would touch. Resolves names to records, and asks if several match.
    async fn observe(&self, args: &Self::Args, cx: &Cx) -> Result<Before, Stop>;

    /// Assesses the risk of this call from its arguments and the observed targets.
    fn assess(&self, args: &Self::Args, before: &Before, cx: &Cx) -> Assessment;

    /// Renders the card shown if the call needs approval. `call` has the source of each argument.
    fn card(&self, args: &Self::Args, before: &Before, call: &PlannedCall, cx: &Cx) -> Card;

    /// Reads, or returns the operations to carry out.
    async fn run(
        &self,
        args: Self::Args,
        before: &Before,
        permit: &Approved<Call>,
        cx: &Cx,
    ) -> Result<Outcome, Stop>;
}

/// A tool with its types erased, as the registry holds it.
#[async_trait]
pub trait AnyTool: Send + Sync {
    /// Returns the specification, including the schema.
    fn spec(&self) -> &ToolSpec;
    /// Checks arguments against the types.
    ///
    /// # Errors
    /// Returns a [`ToolFault`] in plain words if they do not match.
    fn parse(&self, args: &Value) -> Result<(), ToolFault>;
    /// Observes what the call would touch, and computes risk and card.
    async fn observe(&self, call: PlannedCall, cx: &Cx) -> Result<Observed, Stop>;
    /// Runs an approved call.
    async fn run(&self, call: &Approved<Call>, cx: &Cx) -> Result<Outcome, Stop>;
}
