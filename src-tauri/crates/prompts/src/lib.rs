//! The texts of model requests. They live in `prompts/` at the repository root, are compiled in, and are rendered
//! strictly: a value that a template names and the context lacks is a fault, never an empty string.
//!
//! # How to ask a model something
//!
//! 1. Write `prompts/<stage>/<name>.v1.md`. The part above a line `<!-- message -->` is the system prompt; the part
//!    below, if any, becomes the last message in the user role. [minijinja's syntax][jinja]; partials with
//!    `{% include "partials/…" %}`.
//! 2. Write the context beside the stage: a struct with exactly the values that the text names.
//! 3. Wrap whatever we did not write ourselves in [`Fenced`]. Printing it directly is a fault; `{{ text | fenced }}`
//!    puts it between marks that it cannot close.
//! 4. Ask with [`request`], or build the parts with [`render`], [`message`] and [`reply_shape`].
//!
//! ```
//! use adjutant_domain::model::{Purpose, ReplyShape, Stage, Tier};
//! use adjutant_prompts::{RequestOptions, Prompt, request};
//! use serde::{Deserialize, Serialize};
//!
//! /// `prompts/probe/structure.v1.md`: does this model keep to a schema?
//! #[derive(Serialize)]
//! struct Structure {
//!     word: String,
//! }
//!
//! #[derive(Deserialize, schemars::JsonSchema)]
//! struct Echo {
//!     /// The word, as it was given.
//!     word: String,
//! }
//!
//! impl Prompt for Structure {
//!     const FILE: &'static str = "probe/structure.v1";
//!     const STAGE: Stage = Stage::Probe;
//!     const REPLY_TOKENS_MAX: u32 = 40;
//!     type Reply = Echo;
//! }
//!
//! let ask = RequestOptions { tier: Tier::Fast, purpose: Purpose::Foreground, turn: None };
//! let request = request(&Structure { word: "harbour".into() }, ask, Vec::new()).unwrap();
//! assert!(request.system.revision.starts_with("probe/structure.v1@"));
//! assert!(matches!(request.reply, ReplyShape::Json { .. }));
//! assert!(request.messages.last().unwrap().text.contains("harbour"));
//! ```
//!
//! A prompt whose `Reply` is `String` gets free text; any other gets JSON that fits the schema of the type.
//!
//! [jinja]: https://docs.rs/minijinja/latest/minijinja/syntax/index.html

mod fence;
mod library;
mod request;
mod sources;
mod specialist;
mod texts;

use adjutant_domain::model::{Prompted, ReplyShape, Stage};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use fence::{Fenced, inert};
pub use request::{RequestOptions, request};
pub use sources::names;
pub use specialist::{Specialist, specialists};
pub use texts::Texts;

/// A prompt: a text file under `prompts/`, the values it needs, and the type of the reply.
pub trait Prompt: Serialize {
    /// The file under `prompts/`, without `.md`, such as `plan/plan.v1`.
    const FILE: &'static str;
    /// The stage that the request belongs to.
    const STAGE: Stage;
    /// Maximum tokens of the reply; part of the worst-case cost.
    const REPLY_TOKENS_MAX: u32;
    /// Type the reply is parsed into. `String` means free text.
    type Reply: DeserializeOwned + JsonSchema;

    /// Name of the specialist whose text this prompt includes; the text counts towards the revision.
    fn specialist(&self) -> Option<&str> {
        None
    }

    /// Returns the JSON schema of the reply. Override it only if the fields are known at run time.
    fn reply_schema(&self) -> Value {
        schema_of::<Self::Reply>()
    }
}

/// Why a prompt could not be rendered. Each is a bug of ours, not a mistake of the person or the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PromptFault {
    /// There is no such file.
    #[error("there is no prompt {file}")]
    NoSuchFile {
        /// Name of the prompt.
        file: String,
    },
    /// The text and its context do not match.
    #[error("the prompt {file} could not be rendered: {why}")]
    Render {
        /// Name of the prompt.
        file: String,
        /// The renderer's message; it names values but never shows them.
        why: String,
    },
    /// The rendered prompt is longer than [`PROMPT_CHARS_MAX`].
    #[error("the prompt {file} has {chars} characters; the limit is {PROMPT_CHARS_MAX}")]
    TooLong {
        /// Name of the prompt.
        file: String,
        /// Length in characters.
        chars: usize,
    },
    /// The conversation does not end with a message in the user role.
    #[error("the request of {file} asks nothing: its last message is not the person's")]
    NothingAsked {
        /// Name of the prompt.
        file: String,
    },
}

/// Maximum length of a rendered prompt in characters, some 100,000 tokens. Budgets are far lower; this stops whatever
/// slips past them.
pub const PROMPT_CHARS_MAX: usize = 400_000;

/// Parses all texts ahead of the first use, which would otherwise wait some milliseconds for it.
///
/// # Errors
/// Returns a fault if a text cannot be parsed, which is a bug of ours.
pub fn prepare() -> Result<(), PromptFault> {
    library::built_in().map(drop)
}

/// Renders the system prompt.
///
/// # Errors
/// Returns a fault if the text and the context do not match, or the result is too long.
pub fn render<P: Prompt>(prompt: &P) -> Result<Prompted, PromptFault> {
    rendered(library::built_in()?, prompt, &prompt.reply_schema())
}

fn rendered<P: Prompt>(
    library: &library::Library,
    prompt: &P,
    schema: &Value,
) -> Result<Prompted, PromptFault> {
    Ok(Prompted {
        text: library.system(P::FILE, prompt)?,
        revision: library.revision(P::FILE, prompt.specialist(), schema)?,
    })
}

/// Renders the part below `<!-- message -->`. Returns `None` if the file has none.
///
/// # Errors
/// Returns a fault if the text and the context do not match, or the result is too long.
pub fn message<P: Prompt>(prompt: &P) -> Result<Option<String>, PromptFault> {
    library::built_in()?.message(P::FILE, prompt)
}

/// Returns the shape of the reply: free text, or JSON with a schema.
#[must_use]
pub fn reply_shape<P: Prompt>(prompt: &P) -> ReplyShape {
    shape_of(prompt.reply_schema())
}

fn shape_of(schema: Value) -> ReplyShape {
    if schema.get("type").is_some_and(|kind| kind == "string") {
        ReplyShape::Text
    } else {
        ReplyShape::Json { schema }
    }
}

/// Returns a text of the library unrendered, such as `partials/withheld`, for words of ours among the messages. `None`
/// if there is no such text.
#[must_use]
pub fn phrase(name: &str) -> Option<&'static str> {
    sources::source(name).map(str::trim)
}

/// Returns the JSON schema of a type, with references inlined where possible: not every provider resolves them.
#[must_use]
pub fn schema_of<T: JsonSchema>() -> Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}
