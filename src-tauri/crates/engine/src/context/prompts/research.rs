//! The stages of a research. What each may see is decided by the machine in `adjutant-research`, and comes as JSON; all of
//! it is shown between marks, because most of it was written by others.

use adjutant_domain::model::Stage;
use adjutant_prompts::{Fenced, Prompt};
use serde::Serialize;
use serde_json::{Map, Value};

macro_rules! stages {
    ($($(#[$doc:meta])* $name:ident = $file:literal, $stage:ident, $tokens:literal;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Serialize)]
        pub struct $name {
            context: Fenced,
            #[serde(skip)]
            schema: Value,
        }

        impl $name {
            /// What the stage sees, as JSON, and the schema of its reply.
            #[must_use]
            pub fn new(context: &str, schema: Value) -> Self {
                let context = Fenced::new("research", context);
                Self { context, schema }
            }
        }

        impl Prompt for $name {
            const FILE: &'static str = $file;
            const STAGE: Stage = Stage::$stage;
            const REPLY_TOKENS_MAX: u32 = $tokens;
            type Reply = Map<String, Value>;

            fn reply_schema(&self) -> Value {
                self.schema.clone()
            }
        }
    )+};
}

stages! {
    /// Reads a brief out of the person's words.
    IntakePrompt = "intake/intake.v1", Intake, 600;
    /// Plans the first questions, from the objective alone.
    KickoffPrompt = "kickoff/kickoff.v1", Kickoff, 900;
    /// Decides whether more questions are needed.
    EvaluatePrompt = "evaluate/evaluate.v1", Evaluate, 900;
    /// Chooses the next query of one question.
    SearchPrompt = "search/search.v1", Search, 200;
    /// Says what the last search of one question brought.
    ReflectPrompt = "reflect/reflect.v1", Reflect, 500;
    /// Writes the document of one question.
    DocumentPrompt = "document/document.v1", Document, 2_500;
    /// Writes the report.
    SynthesisePrompt = "synthesise/synthesise.v1", Synthesise, 4_000;
}
