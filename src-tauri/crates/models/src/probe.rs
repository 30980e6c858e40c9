//! The test button: asks a model a few small things and reports what works, how fast, and what to do about the rest.

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

/// How long a reply of a test may take: a model on this computer may have to be loaded first.
const ASK_WITHIN: Duration = Duration::from_secs(180);

/// What is asked. The texts come from the files in `prompts/probe`.
#[derive(Clone, Debug)]
pub struct ProbeAsks {
    /// Free text: a sentence or two.
    pub chat: ModelRequest,
    /// Offers a tool and asks for something only it can do.
    pub tools: ModelRequest,
    /// Asks for JSON that fits a schema.
    pub structure: ModelRequest,
}

/// How one thing went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// It works.
    Works,
    /// It does not, and Adjutant does without.
    Missing {
        /// Why, for the person.
        why: String,
    },
    /// It went wrong.
    Failed {
        /// How.
        fault: ModelFault,
    },
    /// It was not asked for, or what comes before it failed.
    NotTried,
}

/// What a probe found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProbeReport {
    /// Which model answered.
    pub model: String,
    /// Whether it answers at all.
    pub chat: Verdict,
    /// Whether the answer comes piece by piece.
    pub stream: Verdict,
    /// Whether it calls tools.
    pub tools: Verdict,
    /// Whether it can be held to a schema.
    pub structure: Verdict,
    /// Whether vectors come.
    pub embeddings: Verdict,
    /// Milliseconds to the first piece.
    pub first_ms: Option<u64>,
    /// Output tokens a second, from the first piece on.
    pub tokens_per_second: Option<f64>,
    /// Whether the provider says what a call used; otherwise figures are estimates.
    pub usage_told: bool,
    /// What the probe cost, micro-units.
    pub cost_micros: u64,
}

impl ProbeReport {
    /// The choice with what was learned about it.
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

/// What is tested.
pub struct Subject {
    /// The model's identifier, or the connection's name where there is no model.
    pub name: String,
    /// What is asked, or why nothing can be.
    pub chat: Result<Arc<dyn ChatModel>, ModelFault>,
    /// What makes vectors, if anything does.
    pub embedder: Result<Option<Arc<dyn Embedder>>, ModelFault>,
}

impl Subject {
    /// The model of a connection that serves a tier, and the connection's embedder; nothing stands in front of them.
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

/// Tests a model. Never fails: what goes wrong is in the report.
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
struct Heard {
    text: String,
    pieces: usize,
    calls: Vec<(String, Value)>,
    usage: Usage,
    first: Option<Duration>,
    whole: Duration,
}

/// No reply takes longer than somebody waits who has pressed a button, not even one that drips.
async fn hear(model: &dyn ChatModel, request: ModelRequest) -> Result<Heard, ModelFault> {
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

async fn listen(model: &dyn ChatModel, request: ModelRequest) -> Result<Heard, ModelFault> {
    let started = stopwatch();
    let mut heard = Heard::default();
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
                missing("it takes no tools; plans come as text instead")
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
                missing("it takes no schema; it is asked for JSON in words instead")
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
