//! `plan`: turns a message into typed steps. The conversation is the history that fits, with the new message last.

use adjutant_domain::model::Stage;
use adjutant_domain::plan::{Condition, Reference};
use adjutant_domain::route::Domain;
use adjutant_prompts::{Fenced, Prompt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::schema;
use crate::context::ContextPack;

/// Asks for a plan.
#[derive(Clone, Debug, Serialize)]
pub struct PlanPrompt<'a> {
    /// Context of the request, with the retrieved tools.
    pub pack: &'a ContextPack,
    /// Domains of the route.
    pub domains: Vec<Domain>,
    /// The previous reply, if it was unusable.
    pub again: Option<AgainView>,
}

/// An unusable reply.
#[derive(Clone, Debug, Serialize)]
pub struct AgainView {
    /// What is wrong with it, in words of ours.
    pub error: String,
    /// The reply.
    pub reply: Fenced,
}

/// Maximum length of an unusable reply, and of the error, in characters.
const AGAIN_CHARS_MAX: usize = 2_000;

impl AgainView {
    /// Creates a view of a reply and what is wrong with it.
    #[must_use]
    pub fn new(reply: &str, error: &str) -> Self {
        let reply: String = reply.chars().take(AGAIN_CHARS_MAX).collect();
        let error: String = error.chars().take(AGAIN_CHARS_MAX).collect();
        Self {
            error: adjutant_prompts::inert(&error),
            reply: Fenced::new("your last reply", &reply),
        }
    }
}

/// A plan as a model gives it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanReply {
    /// The request, complete in itself.
    pub request: String,
    /// Steps, in order.
    pub steps: Vec<PlanReplyStep>,
    /// What has to be asked before a plan can be made.
    pub question: Option<String>,
}

/// A step of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanReplyStep {
    /// Unique in the plan.
    pub key: String,
    /// What happens.
    pub say: String,
    /// Why.
    pub why: String,
    /// Name of a listed tool.
    pub tool: String,
    /// Its arguments.
    #[schemars(schema_with = "schema::args")]
    pub args: Value,
    /// Steps that must have ended well before.
    #[serde(default)]
    pub needs: Vec<String>,
    /// It runs only if this holds.
    #[serde(default)]
    #[schemars(schema_with = "schema::when")]
    pub when: Option<Condition>,
    /// It runs once for every element of this list.
    #[serde(default)]
    #[schemars(schema_with = "schema::each")]
    pub each: Option<Reference>,
}

impl Prompt for PlanPrompt<'_> {
    const FILE: &'static str = "plan/plan.v1";
    const STAGE: Stage = Stage::Plan;
    const REPLY_TOKENS_MAX: u32 = 2_000;
    type Reply = PlanReply;
}
