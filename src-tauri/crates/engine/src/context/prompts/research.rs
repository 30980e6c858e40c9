//! The prompts of research stages. The machine in `adjutant-research` decides what each may see and passes it as JSON,
//! which is fenced because most of it is foreign text.

use adjutant_domain::model::Stage;
use adjutant_prompts::{Fenced, Prompt};
use serde::Serialize;
use serde_json::{Map, Value};

macro_rules! stages {
    ($($(#[$doc:meta])* $name:ident { $($constants:tt)+ })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Serialize)]
        pub struct $name {
            context: Fenced,
            #[serde(skip)]
            schema: Value,
        }

        impl $name {
            /// Creates a prompt from the stage's input, as JSON, and the schema of its reply.
            #[must_use]
            pub fn new(context: &str, schema: Value) -> Self {
                let context = Fenced::new("research", context);
                Self { context, schema }
            }
        }

        impl Prompt for $name {
            $($constants)+
            type Reply = Map<String, Value>;

            fn reply_schema(&self) -> Value {
                self.schema.clone()
            }
        }
    )+};
}

stages! {
    /// Extracts a brief from the person's words.
    IntakePrompt {
        const FILE: &'static str = "intake/intake.v1";
        const STAGE: Stage = Stage::Intake;
        const REPLY_TOKENS_MAX: u32 = 600;
    }
    /// Plans the first questions, from the objective alone.
    KickoffPrompt {
        const FILE: &'static str = "kickoff/kickoff.v1";
        const STAGE: Stage = Stage::Kickoff;
        const REPLY_TOKENS_MAX: u32 = 900;
    }
    /// Decides whether more questions are needed.
    EvaluatePrompt {
        const FILE: &'static str = "evaluate/evaluate.v1";
        const STAGE: Stage = Stage::Evaluate;
        const REPLY_TOKENS_MAX: u32 = 900;
    }
    /// Chooses the next query of one question.
    SearchPrompt {
        const FILE: &'static str = "search/search.v1";
        const STAGE: Stage = Stage::Search;
        const REPLY_TOKENS_MAX: u32 = 200;
    }
    /// Assesses what the last search for one question found.
    ReflectPrompt {
        const FILE: &'static str = "reflect/reflect.v1";
        const STAGE: Stage = Stage::Reflect;
        const REPLY_TOKENS_MAX: u32 = 500;
    }
    /// Writes the document of one question.
    DocumentPrompt {
        const FILE: &'static str = "document/document.v1";
        const STAGE: Stage = Stage::Document;
        const REPLY_TOKENS_MAX: u32 = 2_500;
    }
    /// Writes the report.
    SynthesisePrompt {
        const FILE: &'static str = "synthesise/synthesise.v1";
        const STAGE: Stage = Stage::Synthesise;
        const REPLY_TOKENS_MAX: u32 = 4_000;
    }
}
