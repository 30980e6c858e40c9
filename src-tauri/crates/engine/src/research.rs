//! Model requests for research: in the background, within a budget, each showing only what its stage may see.

use std::sync::Arc;

use adjutant_domain::model::{ModelRequest, Purpose, Stage, Tier};
use adjutant_prompts::{Prompt, RequestOptions, request};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::context::prompts::{
    DocumentPrompt, EvaluatePrompt, IntakePrompt, KickoffPrompt, ReflectPrompt, SearchPrompt,
    SynthesisePrompt,
};
use crate::listen::listen;
use crate::secrets::scrub;
use crate::stages::read::lenient;

/// Why a research stage gave no reply, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotSaid(pub String);

impl crate::Engine {
    /// Whether a model is connected for research to ask.
    #[must_use]
    pub fn has_models(&self) -> bool {
        self.core.models().is_some()
    }

    /// Asks a model for a research stage. `context` is the JSON that the stage may see, `schema` that of the reply. A
    /// reply that is not a JSON object is returned as a string.
    ///
    /// # Errors
    /// Returns the reason if there is no reply: no model is connected, a limit was reached, or the model failed.
    pub async fn ask_research(
        &self,
        stage: Stage,
        context: &str,
        schema: Value,
    ) -> Result<Value, NotSaid> {
        let models = self
            .core
            .models()
            .ok_or_else(|| NotSaid("No model is connected.".to_owned()))?;
        let mut request = request_of(stage, context, schema)?;
        let secrets = self.core.secrets.get(&*self.core.parts.records).await;
        let secrets = secrets.map_err(|fault| NotSaid(fault.to_string()))?;
        scrub(&mut request, &secrets);
        // Discard the streamed pieces.
        let (pieces, _) = mpsc::channel(1);
        let deadlines = &models.manner.deadlines;
        let reply = listen(&*models.chat, Arc::new(request), deadlines, &pieces)
            .await
            .map_err(|failed| NotSaid(failed.sentence()))?;
        Ok(lenient(&reply.text).unwrap_or(Value::String(reply.text)))
    }
}

fn request_of(stage: Stage, context: &str, schema: Value) -> Result<ModelRequest, NotSaid> {
    fn made<P: Prompt>(prompt: &P, tier: Tier) -> Result<ModelRequest, NotSaid> {
        let ask = RequestOptions {
            tier,
            purpose: Purpose::Background,
            turn: None,
        };
        request(prompt, ask, Vec::new()).map_err(|fault| NotSaid(fault.to_string()))
    }
    match stage {
        Stage::Intake => made(&IntakePrompt::new(context, schema), Tier::Standard),
        Stage::Kickoff => made(&KickoffPrompt::new(context, schema), Tier::Standard),
        Stage::Evaluate => made(&EvaluatePrompt::new(context, schema), Tier::Standard),
        Stage::Search => made(&SearchPrompt::new(context, schema), Tier::Fast),
        Stage::Reflect => made(&ReflectPrompt::new(context, schema), Tier::Fast),
        Stage::Document => made(&DocumentPrompt::new(context, schema), Tier::Standard),
        Stage::Synthesise => made(&SynthesisePrompt::new(context, schema), Tier::Deep),
        other => Err(NotSaid(format!(
            "{} is not a stage of research.",
            other.name()
        ))),
    }
}
