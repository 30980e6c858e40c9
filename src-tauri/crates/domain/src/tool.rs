//! Tools: what they are called, what they take, how risky a call is.

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::gate::{Assessment, Call, Card, Observed, PlannedCall};
use crate::ids::RecordId;
use crate::outcome::{Outcome, Stop};
use crate::ports::Cx;
use crate::record::Kind;
use crate::route::Domain;
use crate::{faults::ToolFault, gate::Approved, source::Sources};

/// What a tool is, for people, planners and `adjutant tools`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Name, for example `task.create`.
    pub name: String,
    /// Domain it serves.
    pub domain: Domain,
    /// One sentence: what it does.
    pub description: String,
    /// The risk of a usual call ("reads", "can be undone", …); a call's own risk is computed from its arguments.
    pub risk: crate::gate::Risk,
    /// JSON schema of the arguments.
    pub schema: Value,
    /// Phrases people use for it; the embedded planner and retrieval read them.
    pub phrases: Vec<String>,
}

/// What a call would touch, read before the gate decides.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Before {
    /// Records that the call will change, with their versions: the precondition.
    pub targets: Vec<Target>,
    /// Bytes fixed now and used unchanged when the call runs, for example the MIME source of a mail.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub frozen: Value,
    /// The tool's own reading of the targets (typed by the tool, not part of the digest).
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub data: Value,
}

/// One record a call will touch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// Kind of record.
    pub kind: Kind,
    /// Which record.
    pub id: RecordId,
    /// Its row version when it was looked at.
    pub version: i64,
    /// What a person calls it.
    pub label: String,
}

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

    /// The card that is shown if the call has to be approved. `sources` says where each argument comes from.
    fn card(&self, args: &Self::Args, before: &Before, sources: &Sources, cx: &Cx) -> Card;

    /// Does the work: reads, or says which change shall be made.
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
