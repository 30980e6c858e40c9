//! Questions of a research to a model: in the background, with its budget, and with what each stage may see and nothing
//! else.

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

/// Why a stage of a research gave nothing, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotSaid(pub String);

impl crate::Engine {
    /// Whether a model is connected that research may ask.
    #[must_use]
    pub fn has_models(&self) -> bool {
        self.core.models().is_some()
    }

    /// Asks a model for a stage of a research: what it may see as JSON, and the schema of the reply. A reply that is no
    /// JSON object comes as text.
    ///
    /// # Errors
    /// When there is no reply: no model, a limit, a fault of the model.
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
        // What it streams goes nowhere.
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
            "{} is no stage of a research.",
            other.name()
        ))),
    }
}
