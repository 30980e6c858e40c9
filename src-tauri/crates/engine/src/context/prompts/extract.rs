//! `extract`: takes values out of foreign text. The request offers no tools.

use adjutant_domain::model::Stage;
use adjutant_prompts::{Fenced, Prompt};
use serde::Serialize;
use serde_json::Value;

/// Asks for named values out of a text.
#[derive(Clone, Debug, Serialize)]
pub struct ExtractPrompt {
    /// The values to extract.
    pub fields: Vec<FieldLine>,
    /// Today's date, `YYYY-MM-DD`.
    pub today: String,
    /// The person's time zone.
    pub zone: String,
    /// The text with its origin.
    pub text: Fenced,
    /// Schema of the reply: exactly these fields.
    #[serde(skip)]
    pub schema: Value,
}

/// A value to extract.
#[derive(Clone, Debug, Serialize)]
pub struct FieldLine {
    /// Key in the reply.
    pub name: String,
    /// `text`, `number`, `moment` or `list`.
    pub form: &'static str,
    /// Meaning of the value; may be empty.
    pub meaning: String,
}

impl FieldLine {
    /// Creates a field from what the plan named, on one line each.
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
