//! The test button: asks a model a few small questions and reports what works, how fast, and what to do about the
//! rest.

use std::sync::Arc;
use std::time::{Duration, Instant};

use adjutant_domain::model::{
    ChatModel, Embedder, ModelEvent, ModelFault, ModelRequest, ReplyShape, Tier, Usage,
};
use adjutant_net::NetClient;
use futures::StreamExt;
use serde::Serialize;
use serde_json::Value;

use crate::choice::ModelChoice;
use crate::connect::{connect, embedder};
use crate::connection::{Connection, Keys};

/// Time limit for a reply of a test: a model on this computer may have to be loaded first.
const ASK_WITHIN: Duration = Duration::from_secs(180);

/// The requests of a test. Their texts come from the files in `prompts/probe`.
#[derive(Clone, Debug)]
pub struct ProbeAsks {
    /// Requests a sentence or two of free text.
    pub chat: ModelRequest,
    /// Offers a tool and asks for something only that tool can do.
    pub tools: ModelRequest,
    /// Requests JSON that fits a schema.
    pub structure: ModelRequest,
}

/// Result of one test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// The feature works.
    Works,
    /// The model lacks the feature, and Adjutant manages without it.
    Missing {
        /// Reason, for the person.
        why: String,
    },
    /// The test failed.
    Failed {
        /// The fault that occurred.
        fault: ModelFault,
    },
    /// The test was not requested, or the one before it failed.
    NotTried,
}

/// Result of testing a model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProbeReport {
    /// Identifier of the model that answered.
    pub model: String,
    /// Whether it answers at all.
    pub chat: Verdict,
    /// Whether its answer arrives in pieces.
    pub stream: Verdict,
    /// Whether it calls tools.
    pub tools: Verdict,
    /// Whether it follows a schema.
    pub structure: Verdict,
    /// Whether it returns embeddings.
    pub embeddings: Verdict,
    /// Time to the first piece, in milliseconds.
    pub first_ms: Option<u64>,
    /// Output tokens per second after the first piece.
    pub tokens_per_second: Option<f64>,
    /// Whether the provider reports the usage of a call; otherwise usage is estimated.
    pub usage_told: bool,
    /// Cost of the whole test, in micro-units.
    pub cost_micros: u64,
}

impl ProbeReport {
    /// Returns the choice updated with what the test found out.
    #[must_use]
    pub fn learned(&self, choice: &ModelChoice) -> ModelChoice {
        let after = |before: bool, verdict: &Verdict| match verdict {
            Verdict::Works => true,
            Verdict::Missing { .. } => false,
            Verdict::Failed { .. } | Verdict::NotTried => before,
        };
        ModelChoice {
            tools: after(choice.tools, &self.tools),
            structure: after(choice.structure, &self.structure),
            ..choice.clone()
        }
    }
}

/// The model under test.
pub struct Subject {
    /// Identifier of the model, or name of the connection if it has no model.
    pub name: String,
    /// The chat model, or the reason why there is none.
    pub chat: Result<Arc<dyn ChatModel>, ModelFault>,
    /// The embedder, if there is one.
    pub embedder: Result<Option<Arc<dyn Embedder>>, ModelFault>,
}

impl Subject {
    /// Returns the model of a connection that serves a tier, and the connection's embedder, without any layers around
    /// them.
    #[must_use]
    pub fn of(connection: &Connection, tier: Tier, net: &NetClient, keys: &dyn Keys) -> Self {
        let profile = connection.profile(tier);
        Self {
            name: profile.map_or_else(|| connection.name.clone(), |profile| profile.id),
            chat: connect(connection, tier, net, keys),
            embedder: embedder(connection, net, keys),
        }
    }
}

/// Tests a model. Never fails: problems are part of the report.
pub async fn probe(subject: Subject, asks: ProbeAsks) -> ProbeReport {
    let mut report = ProbeReport {
        model: subject.name,
        chat: Verdict::NotTried,
        stream: Verdict::NotTried,
        tools: Verdict::NotTried,
        structure: Verdict::NotTried,
        embeddings: Verdict::NotTried,
        first_ms: None,
        tokens_per_second: None,
        usage_told: false,
        cost_micros: 0,
    };
    let model = match subject.chat {
        Ok(model) => model,
        Err(fault) => {
            report.chat = Verdict::Failed { fault };
            return report;
        }
    };
    if !chat(&*model, asks.chat, &mut report).await {
        return report;
    }
    report.tools = tools(&*model, asks.tools, &mut report.cost_micros).await;
    report.structure = structure(&*model, asks.structure, &mut report.cost_micros).await;
    report.embeddings = embeddings(subject.embedder).await;
    report
}

/// A reply, read to its end.
#[derive(Default)]
struct TimedReply {
    text: String,
    pieces: usize,
    calls: Vec<(String, Value)>,
    usage: Usage,
    first: Option<Duration>,
    whole: Duration,
}

/// Reads a reply with a time limit, because somebody who has pressed a button waits for it. Slow but steady output
/// does not extend it.
async fn hear(model: &dyn ChatModel, request: ModelRequest) -> Result<TimedReply, ModelFault> {
    match tokio::time::timeout(ASK_WITHIN, listen(model, request)).await {
        Ok(heard) => heard,
        Err(_) => Err(too_slow(model.profile().id)),
    }
}

fn too_slow(model: String) -> ModelFault {
    ModelFault::Stalled {
        model,
        waited: ASK_WITHIN,
    }
}

async fn listen(model: &dyn ChatModel, request: ModelRequest) -> Result<TimedReply, ModelFault> {
    let started = stopwatch();
    let mut heard = TimedReply::default();
    let mut stream = model.stream(Arc::new(request));
    while let Some(event) = stream.next().await {
        match event? {
            ModelEvent::Answering { .. } => {}
            ModelEvent::Token { text } => {
                heard.first.get_or_insert_with(|| started.elapsed());
                heard.pieces += 1;
                heard.text.push_str(&text);
            }
            ModelEvent::Thinking { .. } => {
                heard.first.get_or_insert_with(|| started.elapsed());
                heard.pieces += 1;
            }
            ModelEvent::ToolCall { name, args } => heard.calls.push((name, args)),
            ModelEvent::End { usage, .. } => heard.usage = usage,
        }
    }
    heard.whole = started.elapsed();
    Ok(heard)
}

#[expect(
    clippy::disallowed_methods,
    reason = "measures how fast a server is; nothing is decided by it"
)]
fn stopwatch() -> Instant {
    Instant::now()
}

async fn chat(model: &dyn ChatModel, request: ModelRequest, report: &mut ProbeReport) -> bool {
    let heard = match hear(model, request).await {
        Ok(heard) => heard,
        Err(fault) => {
            report.chat = Verdict::Failed { fault };
            return false;
        }
    };
    report.chat = if heard.text.trim().is_empty() {
        missing("it answers with an empty text")
    } else {
        Verdict::Works
    };
    report.stream = if heard.pieces > 1 {
        Verdict::Works
    } else {
        missing("the answer comes in one piece; it will appear all at once")
    };
    report.cost_micros = report.cost_micros.saturating_add(heard.usage.cost_micros);
    report.usage_told = !heard.usage.estimated;
    report.first_ms = heard
        .first
        .map(|first| u64::try_from(first.as_millis()).unwrap_or(u64::MAX));
    report.tokens_per_second = heard
        .first
        .map(|first| heard.whole.saturating_sub(first).as_secs_f64())
        .filter(|seconds| *seconds > 0.0 && heard.pieces > 1)
        .map(|seconds| heard.usage.output as f64 / seconds);
    true
}

async fn tools(model: &dyn ChatModel, request: ModelRequest, cost: &mut u64) -> Verdict {
    let offered: Vec<String> = request.tools.iter().map(|tool| tool.name.clone()).collect();
    if offered.is_empty() {
        return Verdict::NotTried;
    }
    match hear(model, request).await {
        Err(fault) => Verdict::Failed { fault },
        Ok(heard) => {
            *cost = cost.saturating_add(heard.usage.cost_micros);
            let called =
                |(name, args): &(String, Value)| offered.contains(name) && args.is_object();
            if heard.calls.iter().any(called) {
                Verdict::Works
            } else if !model.profile().tools {
                missing("it does not accept tools; plans come as text instead")
            } else {
                missing("it did not call the tool it was given; plans come as text instead")
            }
        }
    }
}

async fn structure(model: &dyn ChatModel, request: ModelRequest, cost: &mut u64) -> Verdict {
    let ReplyShape::Json { schema } = request.reply.clone() else {
        return Verdict::NotTried;
    };
    match hear(model, request).await {
        Err(fault) => Verdict::Failed { fault },
        Ok(heard) => {
            *cost = cost.saturating_add(heard.usage.cost_micros);
            let fits = serde_json::from_str::<Value>(&heard.text)
                .is_ok_and(|value| jsonschema::is_valid(&schema, &value));
            if !model.profile().structure {
                missing("it does not accept a schema; it is asked for JSON in words instead")
            } else if fits {
                Verdict::Works
            } else {
                missing("its reply does not fit the schema; it is asked for JSON in words instead")
            }
        }
    }
}

async fn embeddings(embedder: Result<Option<Arc<dyn Embedder>>, ModelFault>) -> Verdict {
    let embedder = match embedder {
        Ok(None) => return Verdict::NotTried,
        Err(fault) => return Verdict::Failed { fault },
        Ok(Some(embedder)) => embedder,
    };
    let vectors = embedder.embed(vec!["one".into(), "two".into()]);
    match tokio::time::timeout(ASK_WITHIN, vectors).await {
        Ok(Ok(_)) => Verdict::Works,
        Ok(Err(fault)) => Verdict::Failed { fault },
        Err(_) => Verdict::Failed {
            fault: too_slow(embedder.id()),
        },
    }
}

fn missing(why: &str) -> Verdict {
    Verdict::Missing {
        why: why.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use adjutant_domain::model::ModelProfile;
    use futures::stream::{self, BoxStream};

    use super::*;
    use crate::tiers::script;

    /// Says a letter a second, without end.
    struct Drips(ModelProfile);

    impl ChatModel for Drips {
        fn profile(&self) -> ModelProfile {
            self.0.clone()
        }

        fn stream(
            &self,
            _request: Arc<ModelRequest>,
        ) -> BoxStream<'static, Result<ModelEvent, ModelFault>> {
            let drip = |()| async {
                tokio::time::sleep(Duration::from_secs(1)).await;
                let text = "a".to_owned();
                Some((Ok(ModelEvent::Token { text }), ()))
            };
            stream::unfold((), drip).boxed()
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_reply_that_drips_without_end_is_not_waited_for() {
        let request = script::request();
        let subject = Subject {
            name: "drips".into(),
            chat: Ok(Arc::new(Drips(script::profile("drips")))),
            embedder: Ok(None),
        };
        let asks = ProbeAsks {
            chat: request.clone(),
            tools: request.clone(),
            structure: request,
        };
        let report = probe(subject, asks).await;
        let fault = too_slow("drips".into());
        assert_eq!(report.chat, Verdict::Failed { fault });
        assert_eq!(report.tools, Verdict::NotTried);
    }
}
