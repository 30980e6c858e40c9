//! Builds a model request from a prompt.

use adjutant_domain::ids::TurnId;
use adjutant_domain::model::{ModelMessage, ModelRequest, Purpose, Role, Tier, TimeLimits};

use crate::library::{Library, built_in};
use crate::{Prompt, PromptFault, rendered, shape_of};

/// Tier, purpose and turn of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestOptions {
    /// The wanted tier of model.
    pub tier: Tier,
    /// Whether somebody waits for the reply.
    pub purpose: Purpose,
    /// The turn the request belongs to. `None` for background work and probes.
    pub turn: Option<TurnId>,
}

/// Builds a request from the system prompt, `conversation` (oldest first) and the file's own message last. It offers no
/// tools.
///
/// # Errors
/// Returns a fault if the text and the context do not match, or if the last message would not be in the user role.
pub fn request<P: Prompt>(
    prompt: &P,
    ask: RequestOptions,
    conversation: Vec<ModelMessage>,
) -> Result<ModelRequest, PromptFault> {
    of(built_in()?, prompt, ask, conversation)
}

/// Like [`request`], with the texts of `library`.
pub(crate) fn of<P: Prompt>(
    library: &Library,
    prompt: &P,
    ask: RequestOptions,
    conversation: Vec<ModelMessage>,
) -> Result<ModelRequest, PromptFault> {
    let mut messages = conversation;
    if let Some(text) = library.message(P::FILE, prompt)? {
        messages.push(ModelMessage {
            role: Role::User,
            text,
        });
    }
    if messages.last().is_none_or(|last| last.role != Role::User) {
        return Err(PromptFault::NothingAsked {
            file: P::FILE.into(),
        });
    }
    let schema = prompt.reply_schema();
    Ok(ModelRequest {
        stage: P::STAGE,
        tier: ask.tier,
        purpose: ask.purpose,
        turn: ask.turn,
        system: rendered(library, prompt, &schema)?,
        messages,
        tools: Vec::new(),
        reply: shape_of(schema),
        max_output_tokens: P::REPLY_TOKENS_MAX,
        within: TimeLimits::default(),
    })
}
