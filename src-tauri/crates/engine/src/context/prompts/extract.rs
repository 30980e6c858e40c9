//! `extract`: values out of text that others wrote. The one prompt that such text reaches, and it has no tools.

use adjutant_domain::model::Stage;
use adjutant_prompts::{Fenced, Prompt};
use serde::Serialize;
use serde_json::Value;

/// Asks for named values out of a text.
#[derive(Clone, Debug, Serialize)]
pub struct ExtractPrompt {
    /// The values.
    pub fields: Vec<FieldLine>,
    /// Today, `YYYY-MM-DD`.
    pub today: String,
    /// The person's zone.
    pub zone: String,
    /// The text with its origin.
    pub text: Fenced,
    /// Schema of the reply: exactly these fields.
    #[serde(skip)]
    pub schema: Value,
}

/// One value.
#[derive(Clone, Debug, Serialize)]
pub struct FieldLine {
    /// Its key in the reply.
    pub name: String,
    /// `text`, `number`, `moment` or `list`.
    pub form: &'static str,
    /// What is meant; may be empty.
    pub meaning: String,
}

impl FieldLine {
    /// A field as the plan named it.
    #[must_use]
    pub fn new(name: &str, form: &'static str, meaning: &str) -> Self {
        let one_line = |text: &str| adjutant_prompts::inert(text).replace('\n', " ");
        Self {
            name: one_line(name),
            form,
            meaning: one_line(meaning),
        }
    }
}

impl Prompt for ExtractPrompt {
    const FILE: &'static str = "extract/extract.v1";
    const STAGE: Stage = Stage::Extract;
    const REPLY_TOKENS_MAX: u32 = 1_500;
    type Reply = serde_json::Map<String, Value>;

    fn reply_schema(&self) -> Value {
        self.schema.clone()
    }
}
