//! `respond`, `tone` and `summarise`: prompts whose reply is text.

use adjutant_domain::model::Stage;
use adjutant_prompts::{Fenced, Prompt, Specialist};
use serde::Serialize;

use crate::context::ContextPack;
use crate::context::results::ResultLine;

/// Asks for the answer. The conversation is the history that fits, with the person's message last.
#[derive(Clone, Debug, Serialize)]
pub struct RespondPrompt<'a> {
    /// Context of the request.
    pub pack: &'a ContextPack,
    /// Results of the plan; empty for plain conversation. See [`crate::context::results::lines`].
    pub results: Vec<ResultLine>,
    /// Text of the specialist, if one fits.
    specialist: Option<&'static str>,
    /// Name of the call by which the model may say that the message needs a plan.
    way_out: Option<&'static str>,
    #[serde(skip)]
    who: Option<Specialist>,
}

impl<'a> RespondPrompt<'a> {
    /// Creates a prompt from the context, the results and the specialist.
    #[must_use]
    pub fn new(
        pack: &'a ContextPack,
        results: Vec<ResultLine>,
        specialist: Option<Specialist>,
    ) -> Self {
        Self {
            pack,
            results,
            specialist: specialist.map(|one| one.text),
            way_out: None,
            who: specialist,
        }
    }

    /// Offers the model `call` as a way out of plain conversation.
    #[must_use]
    pub fn with_way_out(mut self, call: Option<&'static str>) -> Self {
        self.way_out = call;
        self
    }
}

impl Prompt for RespondPrompt<'_> {
    const FILE: &'static str = "respond/respond.v1";
    const STAGE: Stage = Stage::Respond;
    const REPLY_TOKENS_MAX: u32 = 2_000;
    type Reply = String;

    fn specialist(&self) -> Option<&str> {
        self.who.map(|one| one.name)
    }
}

/// Asks for an answer in another tone. It needs no conversation.
#[derive(Clone, Debug, Serialize)]
pub struct TonePrompt {
    tone: Fenced,
    draft: Fenced,
}

impl TonePrompt {
    /// Creates a prompt from the tone, in the person's words, and the answer.
    #[must_use]
    pub fn new(tone: &str, draft: &str) -> Self {
        Self {
            tone: Fenced::new("settings", tone),
            draft: Fenced::new("the answer", draft),
        }
    }
}

impl Prompt for TonePrompt {
    const FILE: &'static str = "tone/tone.v1";
    const STAGE: Stage = Stage::Tone;
    const REPLY_TOKENS_MAX: u32 = 2_500;
    type Reply = String;
}

/// Asks for a summary of the older part of a conversation. It needs no other conversation.
#[derive(Clone, Debug, Serialize)]
pub struct SummarisePrompt {
    messages: Fenced,
    words_max: usize,
}

impl SummarisePrompt {
    /// Creates a prompt from the messages as one text (see [`crate::context::history::transcript`]) and the maximum
    /// number of words.
    #[must_use]
    pub fn new(messages: &str, words_max: usize) -> Self {
        Self {
            messages: Fenced::new("the conversation", messages),
            words_max,
        }
    }
}

impl Prompt for SummarisePrompt {
    const FILE: &'static str = "summarise/summarise.v1";
    const STAGE: Stage = Stage::Summarise;
    const REPLY_TOKENS_MAX: u32 = 800;
    type Reply = String;
}
