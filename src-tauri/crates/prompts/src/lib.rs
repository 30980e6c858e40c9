//! The texts models are asked with. They live in `prompts/` at the root of the repository, are compiled in, and are
//! rendered strictly: a value the template names and the context lacks is a fault, never an empty place.
//!
//! # How to ask a model something
//!
//! 1. Write `prompts/<stage>/<name>.v1.md`. What stands above a line `<!-- message -->` is the system prompt; what
//!    stands below, if anything, is the last message of the person's side. [minijinja's syntax][jinja]; partials with
//!    `{% include "partials/…" %}`.
//! 2. Write the context beside the stage: a struct with exactly the values the text names.
//! 3. Wrap whatever was not written by us in [`Fenced`]. Printing it plainly is a fault; `{{ text | fenced }}` puts it
//!    between marks that it cannot close.
//! 4. Ask with [`request`], or take the parts with [`render`], [`message`] and [`reply_shape`].
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

/// A text for a model, with everything it needs and what shall come back.
pub trait Prompt: Serialize {
    /// The file under `prompts/`, without `.md`, such as `plan/plan.v1`.
    const FILE: &'static str;
    /// What the request is for.
    const STAGE: Stage;
    /// Tokens the reply may have; part of the worst-case cost.
    const REPLY_TOKENS_MAX: u32;
    /// What the reply is read as. `String`: free text.
    type Reply: DeserializeOwned + JsonSchema;

    /// The specialist whose text this prompt includes, by name; its text counts into the revision.
    fn specialist(&self) -> Option<&str> {
        None
    }

    /// The JSON schema of the reply. Only a prompt whose fields are known at run time says it itself.
    fn reply_schema(&self) -> Value {
        schema_of::<Self::Reply>()
    }
}

/// Why a prompt could not be rendered. Each is a fault of ours, not of the person or the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PromptFault {
    /// There is no such file.
    #[error("there is no prompt {file}")]
    NoSuchFile {
        /// Which.
        file: String,
    },
    /// The text and its context do not fit.
    #[error("the prompt {file} could not be rendered: {why}")]
    Render {
        /// Which.
        file: String,
        /// What the renderer said; names of values, never the values.
        why: String,
    },
    /// It became longer than [`PROMPT_CHARS_MAX`].
    #[error("the prompt {file} has {chars} characters; the limit is {PROMPT_CHARS_MAX}")]
    TooLong {
        /// Which.
        file: String,
        /// How long it is.
        chars: usize,
    },
    /// The conversation does not end with a message of the person's side.
    #[error("the request of {file} asks nothing: its last message is not the person's")]
    NothingAsked {
        /// Which.
        file: String,
    },
}

/// Characters a rendered prompt has at most: some 100,000 tokens. Budgets lie far below; this stops what escaped them.
pub const PROMPT_CHARS_MAX: usize = 400_000;

/// Reads all texts, which the first use does otherwise: some milliseconds that nobody has to wait for.
///
/// # Errors
/// When a text is not one that can be rendered: a fault of ours.
pub fn prepare() -> Result<(), PromptFault> {
    library::built_in().map(drop)
}

/// Renders the system prompt.
///
/// # Errors
/// When text and context do not fit.
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

/// Renders the message that stands below `<!-- message -->`; none when the file has none.
///
/// # Errors
/// When text and context do not fit.
pub fn message<P: Prompt>(prompt: &P) -> Result<Option<String>, PromptFault> {
    library::built_in()?.message(P::FILE, prompt)
}

/// What shape the reply has.
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

/// A text of the library as it stands, such as `partials/withheld`: for words of ours that stand among messages.
#[must_use]
pub fn phrase(name: &str) -> Option<&'static str> {
    sources::source(name).map(str::trim)
}

/// The schema of a type, with what it refers to put in place where that is possible: not every provider follows
/// references.
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
