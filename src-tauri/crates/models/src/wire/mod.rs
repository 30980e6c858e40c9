//! What all providers share: one call from request to last event, and what a provider adds to it ([`Dialect`]).

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

/// A provider's way of speaking. It has no state; what a call has to remember is in its [`Reader`].
pub(crate) trait Dialect: Send + Sync + 'static {
    /// Where the request goes and what it says.
    fn prepare(&self, base: &Url, ask: &DialectRequest<'_>) -> Prepared;

    /// How the reply is cut into frames.
    fn framing(&self) -> Framing;

    /// Reads the frames of one reply.
    fn reader(&self, ask: &DialectRequest<'_>) -> Box<dyn Reader>;

    /// Whether a request that is too long is shortened in silence instead of refused.
    fn drops_what_is_too_long(&self) -> bool {
        false
    }
}

/// One request, as a dialect needs it.
pub(crate) struct DialectRequest<'a> {
    pub request: &'a ModelRequest,
    /// Name of the model at the provider.
    pub model: &'a str,
    /// Window of the model, in tokens.
    pub context_tokens: u32,
    /// How tools are written.
    pub spelling: &'a Spelling,
    /// Whether tools may be sent.
    pub tools: bool,
    /// Whether the schema may be sent as such; otherwise it stands in the instructions.
    pub structure: bool,
    /// Whether usage may be asked for.
    pub usage: bool,
}

impl DialectRequest<'_> {
    /// The instructions, with the schema where the model takes none.
    pub fn system(&self) -> Cow<'_, str> {
        let text = &self.request.system.text;
        match &self.request.reply {
            ReplyShape::Json { schema } if !self.structure => {
                Cow::Owned(schema::in_words(text, schema))
            }
            _ => Cow::Borrowed(text),
        }
    }

    /// The schema, where it is sent as such.
    pub fn schema(&self) -> Option<&Value> {
        match &self.request.reply {
            ReplyShape::Json { schema } if self.structure => Some(schema),
            _ => None,
        }
    }

    /// Tools to send, in their spelling.
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

/// What is sent.
pub(crate) struct Prepared {
    pub url: Url,
    pub body: Value,
}

/// How a reply is cut into frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// Server-sent events.
    Events,
    /// One JSON value a line.
    Lines,
}

/// Reads the frames of one reply, in order.
pub(crate) trait Reader: Send {
    /// What a frame says. Pieces that belong together may be held back.
    fn read(&mut self, frame: &str, out: &mut Vec<Piece>) -> Result<(), FrameFault>;
}

/// What a frame can be instead of a piece of the reply.
#[derive(Debug)]
pub(crate) enum FrameFault {
    /// It cannot be read.
    Unreadable(String),
    /// It is an error the provider reports in the middle of a reply.
    Reported(Value),
}

impl From<serde_json::Error> for FrameFault {
    fn from(error: serde_json::Error) -> Self {
        Self::Unreadable(format!("a piece of the reply is no JSON ({error})"))
    }
}

/// What a frame holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Piece {
    Text(String),
    Thinking(String),
    /// A whole tool call, in the provider's spelling.
    Call {
        name: String,
        args: String,
    },
    /// Figures so far; later ones replace earlier ones.
    Tokens {
        input: Option<u64>,
        output: Option<u64>,
    },
    /// The reply is whole; figures may follow.
    Stop(StopReason),
    /// Nothing follows.
    Over,
}

/// Adds segments to a base address, whatever the slashes at its end.
pub(crate) fn endpoint<'a>(base: &Url, segments: impl IntoIterator<Item = &'a str>) -> Url {
    let mut url = base.clone();
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(segments);
    }
    url
}
