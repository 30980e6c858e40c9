//! What all providers share: one call from request to last event. A provider adds a [`Dialect`].

pub(crate) mod body;
pub(crate) mod call;
pub(crate) mod faults;
pub(crate) mod job;
pub(crate) mod schema;
pub(crate) mod spelling;
pub(crate) mod surrogates;
pub(crate) mod target;
pub(crate) mod thoughts;

use std::borrow::Cow;

use adjutant_domain::model::{ModelRequest, ReplyShape, StopReason};
use adjutant_net::Url;
use serde_json::Value;

use spelling::Spelling;

/// The API of a provider. It has no state; what must be remembered during a call is in its [`Reader`].
pub(crate) trait Dialect: Send + Sync + 'static {
    /// Builds the address and body of a request.
    fn prepare(&self, base: &Url, ask: &DialectRequest<'_>) -> Prepared;

    /// Returns how a reply is split into frames.
    fn framing(&self) -> Framing;

    /// Creates the reader for the frames of one reply.
    fn reader(&self, ask: &DialectRequest<'_>) -> Box<dyn Reader>;

    /// Whether the provider silently shortens a request that is too long instead of refusing it.
    fn drops_what_is_too_long(&self) -> bool {
        false
    }
}

/// A request with what a dialect needs to know about it.
pub(crate) struct DialectRequest<'a> {
    pub request: &'a ModelRequest,
    /// Name of the model at the provider.
    pub model: &'a str,
    /// Size of the model's context window, in tokens.
    pub context_tokens: u32,
    /// Spelling of the tool names.
    pub spelling: &'a Spelling,
    /// Whether tools may be sent.
    pub tools: bool,
    /// Whether the schema may be sent in its own field; otherwise it is part of the instructions.
    pub structure: bool,
    /// Whether usage may be requested.
    pub usage: bool,
}

impl DialectRequest<'_> {
    /// Returns the instructions, including the schema if the model does not accept one.
    pub fn system(&self) -> Cow<'_, str> {
        let text = &self.request.system.text;
        match &self.request.reply {
            ReplyShape::Json { schema } if !self.structure => {
                Cow::Owned(schema::in_words(text, schema))
            }
            _ => Cow::Borrowed(text),
        }
    }

    /// Returns the schema if it is sent in its own field.
    pub fn schema(&self) -> Option<&Value> {
        match &self.request.reply {
            ReplyShape::Json { schema } if self.structure => Some(schema),
            _ => None,
        }
    }

    /// Returns the tools to send: name as spelled for the provider, description, schema.
    pub fn tools(&self) -> impl Iterator<Item = (&str, &str, &Value)> {
        let sent = if self.tools {
            self.request.tools.as_slice()
        } else {
            &[]
        };
        sent.iter().map(|tool| {
            (
                self.spelling.spelled(&tool.name),
                tool.description.as_str(),
                &tool.schema,
            )
        })
    }

    /// Whether any tool is sent.
    pub fn has_tools(&self) -> bool {
        self.tools && !self.request.tools.is_empty()
    }
}

/// A request ready to be sent.
pub(crate) struct Prepared {
    pub url: Url,
    pub body: Value,
}

/// How a reply is split into frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// Server-sent events.
    Events,
    /// One JSON value per line.
    Lines,
}

/// Reads the frames of one reply, in order.
pub(crate) trait Reader: Send {
    /// Reads a frame and appends its pieces to `out`. Pieces that belong together may be held back.
    fn read(&mut self, frame: &str, out: &mut Vec<Piece>) -> Result<(), FrameFault>;
}

/// The reason why a frame is not a piece of the reply.
#[derive(Debug)]
pub(crate) enum FrameFault {
    /// It cannot be parsed.
    Unreadable(String),
    /// The provider reports an error in the middle of a reply.
    Reported(Value),
}

impl From<serde_json::Error> for FrameFault {
    fn from(error: serde_json::Error) -> Self {
        Self::Unreadable(format!("a piece of the reply is not JSON ({error})"))
    }
}

/// The content of a frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Piece {
    Text(String),
    Thinking(String),
    /// A whole tool call, in the provider's spelling.
    Call {
        name: String,
        args: String,
    },
    /// Token counts so far; later counts replace earlier ones.
    Tokens {
        input: Option<u64>,
        output: Option<u64>,
    },
    /// The reply is complete; token counts may follow.
    Stop(StopReason),
    /// Nothing follows.
    Over,
}

/// Appends segments to a base address, whether or not it ends in a slash.
pub(crate) fn endpoint<'a>(base: &Url, segments: impl IntoIterator<Item = &'a str>) -> Url {
    let mut url = base.clone();
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(segments);
    }
    url
}
