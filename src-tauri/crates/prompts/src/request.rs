//! A whole request from a prompt.

use adjutant_domain::ids::TurnId;
use adjutant_domain::model::{ModelMessage, ModelRequest, Purpose, Role, Tier, TimeLimits};

use crate::library::{Library, built_in};
use crate::{Prompt, PromptFault, rendered, shape_of};

/// Who asks, and how capable a model is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestOptions {
    /// How capable.
    pub tier: Tier,
    /// Who waits.
    pub purpose: Purpose,
    /// The turn it belongs to; none for background work and probes.
    pub turn: Option<TurnId>,
}

/// Builds the request: the system prompt, `conversation` (oldest first), and the file's own message last. It offers no
/// tools.
///
/// # Errors
/// When text and context do not fit, or the last message would be the assistant's.
pub fn request<P: Prompt>(
    prompt: &P,
    ask: RequestOptions,
    conversation: Vec<ModelMessage>,
) -> Result<ModelRequest, PromptFault> {
    of(built_in()?, prompt, ask, conversation)
}

/// The same with the texts of a library.
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
