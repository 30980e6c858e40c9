//! `route`: asks which domains a message needs. The conversation is the last three messages and the new one.

use adjutant_domain::model::Stage;
use adjutant_domain::route::{Domain, RouteKind};
use adjutant_prompts::Prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks for the route of a message. Everything it needs is in the conversation.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct RoutePrompt {}

/// Where it goes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RouteReply {
    /// chat, action or followup.
    #[serde(rename = "type")]
    pub kind: RouteKind,
    /// All domains it needs; none for chat.
    pub domains: Vec<Domain>,
    /// Whether it leans on what was said before.
    pub is_followup: bool,
    /// 0 to 1.
    pub confidence: f64,
}

impl Prompt for RoutePrompt {
    const FILE: &'static str = "route/route.v1";
    const STAGE: Stage = Stage::Route;
    const REPLY_TOKENS_MAX: u32 = 120;
    type Reply = RouteReply;
}
