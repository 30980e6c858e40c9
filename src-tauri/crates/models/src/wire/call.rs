//! One call, from request to last event. Dropping its stream closes the connection, wherever it stands.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::model::{
    ChatModel, ModelEvent, ModelFault, ModelProfile, ModelRequest, ReplyShape, StopReason, Usage,
};
use adjutant_net::{Bytes, HeaderMap, HeaderValue, Incoming, Method, Outgoing, reach};
use futures::FutureExt;
use futures::stream::{BoxStream, StreamExt};
use serde_json::Value;
use tokio::time::Sleep;

use super::body::{self, BodyFault, Frames};
use super::faults::{REFUSAL_BYTES_MAX, Refusal};
use super::spelling::Spelling;
use super::target::{Access, Feature, Target};
use super::{Ask, FrameFault, Framing, Piece, Reader};
use crate::strict::strict_json;
use crate::tokens;

/// A whole reply takes no longer, however steadily it drips.
const WHOLE_WITHIN: Duration = Duration::from_secs(30 * 60);
/// Once a reply is whole, figures and the end of the stream are waited for no longer.
const AFTER_STOP_WITHIN: Duration = Duration::from_secs(3);
/// Bytes of a reply, at most, for each token it may have: providers wrap each in some hundred bytes.
const REPLY_BYTES_PER_TOKEN: u64 = 1024;
/// Bytes of a reply that are always allowed.
const REPLY_BYTES_MIN: u64 = 4 * 1024 * 1024;
/// Time to read a refusal or a reply that comes in one piece, at most.
const REFUSAL_WITHIN: Duration = Duration::from_secs(10);
/// Tool calls in one reply, at most.
const CALLS_MAX: usize = 128;
/// Times a request is sent again because the model does not take a part of it: once a feature.
const SENT_MAX: usize = 4;

/// Header that tells a server on this machine what a request is for.
const STAGE_HEADER: &str = "x-adjutant-stage";

/// A model of a provider.
pub(crate) struct ProviderModel(pub Arc<Target>);

impl ChatModel for ProviderModel {
    fn profile(&self) -> ModelProfile {
        self.0.profile()
    }

    fn stream(
        &self,
        request: Arc<ModelRequest>,
    ) -> BoxStream<'static, Result<ModelEvent, ModelFault>> {
        let call = Call {
            job: Job {
                spelling: Spelling::of(&request.tools, request.stage.name()),
                target: Arc::clone(&self.0),
                request,
            },
            state: State::Unsent,
            ready: VecDeque::new(),
        };
        futures::stream::unfold(call, |mut call| async move {
            let event = call.next().await?;
            Some((event, call))
        })
        .boxed()
    }
}

struct Call {
    job: Job,
    state: State,
    ready: VecDeque<ModelEvent>,
}

/// What is asked of whom.
struct Job {
    target: Arc<Target>,
    request: Arc<ModelRequest>,
    spelling: Spelling,
}

enum State {
    Unsent,
    Reading(Box<Reading>),
    Over,
}

struct Reading {
    frames: Frames,
    reader: Box<dyn Reader>,
    heard: Heard,
    /// Runs out when nothing is said for too long; wound up again by every piece, not by signs of life.
    patience: Pin<Box<Sleep>>,
    patience_for: Duration,
    whole: Pin<Box<Sleep>>,
}

/// What was said so far.
#[derive(Default)]
struct Heard {
    /// Everything that counts as output, for the estimate.
    output_text: String,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    calls: usize,
    stop: Option<StopReason>,
    over: bool,
}

impl Job {
    /// Sends the request until the model takes it, leaving out what it says it does not take.
    async fn open(&self) -> Result<Reading, ModelFault> {
        let target = &*self.target;
        for _ in 0..SENT_MAX {
            let ask = self.ask();
            if target.dialect.drops_what_is_too_long()
                && tokens::estimate_request(&self.request) > u64::from(ask.context_tokens)
            {
                return Err(ModelFault::TooLong {
                    model: target.id().to_owned(),
                });
            }
            let reply = target
                .access
                .net
                .send(self.outgoing(&ask))
                .await
                .map_err(|fault| target.net_fault(fault))?;
            if reply.status().is_success() {
                let reader = target.dialect.reader(&ask);
                let frames = self.frames(reply).await?;
                return Ok(Reading {
                    frames,
                    reader,
                    heard: Heard::default(),
                    patience: Box::pin(tokio::time::sleep(target.first_piece)),
                    patience_for: target.first_piece,
                    whole: Box::pin(tokio::time::sleep(WHOLE_WITHIN)),
                });
            }
            let refusal = read_refusal(reply, &target.access).await;
            match refusal.complains_about() {
                Some(feature) if ask.sends(feature) => target.lacks(feature),
                _ => return Err(refusal.fault(target.id())),
            }
        }
        Err(ModelFault::Refused {
            model: target.id().to_owned(),
            why: "it takes neither tools nor a schema".to_owned(),
        })
    }

    fn ask(&self) -> Ask<'_> {
        Ask {
            request: &self.request,
            model: &self.target.model,
            context_tokens: self.target.profile().context_tokens,
            spelling: &self.spelling,
            tools: self.target.takes(Feature::Tools),
            structure: self.target.takes(Feature::Structure),
            usage: self.target.takes(Feature::Usage),
        }
    }

    fn outgoing(&self, ask: &Ask<'_>) -> Outgoing {
        let target = &*self.target;
        let prepared = target.dialect.prepare(&target.access.base, ask);
        let mut headers = target.access.headers.clone();
        json_headers(&mut headers);
        if reach::is_loopback(&prepared.url) {
            headers.insert(
                STAGE_HEADER,
                HeaderValue::from_static(self.request.stage.name()),
            );
        }
        let tokens = u64::from(self.request.max_output_tokens);
        Outgoing {
            headers,
            body: Some(Bytes::from(prepared.body.to_string())),
            within: target.first_piece,
            reply_bytes_max: tokens
                .saturating_mul(REPLY_BYTES_PER_TOKEN)
                .max(REPLY_BYTES_MIN),
            ..Outgoing::new(
                Method::POST,
                prepared.url,
                format!("model {} ({})", target.id(), self.request.stage.name()),
            )
        }
    }

    /// The frames of a reply, also of a server that does not stream.
    async fn frames(&self, reply: Incoming) -> Result<Frames, ModelFault> {
        let target = &*self.target;
        let kind = reply
            .headers()
            .get("content-type")
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or_default()
            .to_ascii_lowercase();
        if kind.starts_with("text/html") {
            // A page for people: the address is that of a website or of a login in front of it.
            return Err(ModelFault::NoSuchModel {
                model: target.id().to_owned(),
            });
        }
        let framing = target.dialect.framing();
        if framing == Framing::Events && kind.starts_with("application/json") {
            let whole = reply
                .bytes(target.first_piece)
                .await
                .map_err(|fault| target.net_fault(fault))?;
            return Ok(body::single(String::from_utf8_lossy(&whole).into_owned()));
        }
        Ok(body::frames(reply, framing))
    }
}

impl Call {
    async fn next(&mut self) -> Option<Result<ModelEvent, ModelFault>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(Ok(event));
            }
            let step = match &mut self.state {
                State::Unsent => match self.job.open().await {
                    Ok(reading) => {
                        self.ready.push_back(ModelEvent::Answering {
                            model: self.job.target.id().to_owned(),
                            why: None,
                        });
                        self.state = State::Reading(Box::new(reading));
                        Ok(())
                    }
                    Err(fault) => Err(fault),
                },
                State::Reading(_) => self.advance().await,
                State::Over => return None,
            };
            if let Err(fault) = step {
                self.state = State::Over;
                return Some(Err(fault));
            }
        }
    }

    /// Reads on until there is something to tell.
    async fn advance(&mut self) -> Result<(), ModelFault> {
        let State::Reading(reading) = &mut self.state else {
            return Ok(());
        };
        let target = &*self.job.target;
        let frame = match reading.next_frame().await {
            Waited::Frame(frame) => frame,
            Waited::Silence if reading.heard.stop.is_some() => None,
            Waited::Silence => {
                return Err(ModelFault::Stalled {
                    model: target.id().to_owned(),
                    waited: reading.patience_for,
                });
            }
            Waited::TooLong => {
                return Err(ModelFault::Stalled {
                    model: target.id().to_owned(),
                    waited: WHOLE_WITHIN,
                });
            }
        };
        match frame {
            Some(Ok(text)) => {
                let mut pieces = Vec::new();
                if let Err(fault) = reading.reader.read(&text, &mut pieces) {
                    return Err(self.frame_fault(fault).await);
                }
                self.hear(pieces)
            }
            // What follows a whole reply does not matter any more.
            _ if reading.heard.stop.is_some() => {
                self.end();
                Ok(())
            }
            None | Some(Err(BodyFault::Net(adjutant_net::NetFault::Cut { .. }))) => {
                Err(ModelFault::Cut {
                    model: target.id().to_owned(),
                })
            }
            Some(Err(BodyFault::Net(fault))) => Err(target.net_fault(fault)),
            Some(Err(BodyFault::Unreadable(why))) => {
                let why = format!("the reply cannot be read: {why}");
                Err(self.frame_fault(FrameFault::Unreadable(why)).await)
            }
        }
    }

    /// Takes in what a frame held.
    fn hear(&mut self, pieces: Vec<Piece>) -> Result<(), ModelFault> {
        let State::Reading(reading) = &mut self.state else {
            return Ok(());
        };
        let target = &*self.job.target;
        let heard = &mut reading.heard;
        let mut said_something = false;
        for piece in pieces {
            match piece {
                Piece::Text(text) => {
                    heard.output_text.push_str(&text);
                    self.ready.push_back(ModelEvent::Token { text });
                    said_something = true;
                }
                Piece::Thinking(text) => {
                    heard.output_text.push_str(&text);
                    self.ready.push_back(ModelEvent::Thinking { text });
                    said_something = true;
                }
                Piece::Call { name, args } => {
                    heard.calls += 1;
                    if heard.calls > CALLS_MAX {
                        return Err(ModelFault::Broken {
                            model: target.id().to_owned(),
                            why: "it calls tools without end".to_owned(),
                        });
                    }
                    heard.output_text.push_str(&args);
                    self.ready.push_back(ModelEvent::ToolCall {
                        name: self.job.spelling.ours(&name),
                        args: arguments(args),
                    });
                    said_something = true;
                }
                Piece::Tokens { input, output } => {
                    heard.input_tokens = input.or(heard.input_tokens);
                    heard.output_tokens = output.or(heard.output_tokens);
                }
                Piece::Stop(stop) => heard.stop = Some(stop),
                Piece::Over => heard.over = true,
            }
        }
        if heard.over {
            if heard.stop.is_none() && heard.output_text.is_empty() {
                return Err(ModelFault::Broken {
                    model: target.id().to_owned(),
                    why: "the reply is empty".to_owned(),
                });
            }
            // The rest of the body is usually here already; then the connection can be used again.
            let _ = reading.frames.next().now_or_never();
            self.end();
        } else if heard.stop.is_some() {
            reading.wait_for(AFTER_STOP_WITHIN);
        } else if said_something {
            reading.wait_for(target.between_pieces);
        }
        Ok(())
    }

    /// Why a frame holds no piece. One that breaks off together with the stream was cut, not wrong.
    async fn frame_fault(&mut self, fault: FrameFault) -> ModelFault {
        let target = &*self.job.target;
        let model = target.id().to_owned();
        match fault {
            FrameFault::Reported(report) => {
                Refusal::of_report(&report, &target.access).fault(&model)
            }
            FrameFault::Unreadable(why) => {
                if let State::Reading(reading) = &mut self.state
                    && let Waited::Frame(
                        None | Some(Err(BodyFault::Net(adjutant_net::NetFault::Cut { .. }))),
                    ) = reading.next_frame().await
                {
                    return ModelFault::Cut { model };
                }
                ModelFault::Broken { model, why }
            }
        }
    }

    fn end(&mut self) {
        let State::Reading(reading) = std::mem::replace(&mut self.state, State::Over) else {
            return;
        };
        let heard = reading.heard;
        let stop = match heard.stop {
            Some(StopReason::Complete) | None if heard.calls > 0 => StopReason::Tools,
            Some(stop) => stop,
            None => StopReason::Complete,
        };
        // Zero is no figure when something was sent and said: Ollama leaves out what its cache held.
        let said = heard.input_tokens.filter(|tokens| *tokens > 0);
        let told = heard
            .output_tokens
            .filter(|tokens| *tokens > 0 || heard.output_text.is_empty());
        let estimated = said.is_none() || told.is_none();
        let input = said.unwrap_or_else(|| tokens::estimate_request(&self.job.request));
        let output = told.unwrap_or_else(|| tokens::estimate(&heard.output_text));
        let profile = self.job.target.profile();
        self.ready.push_back(ModelEvent::End {
            stop,
            usage: Usage {
                input,
                output,
                cost_micros: cost_micros(input, profile.input_micros_per_million)
                    .saturating_add(cost_micros(output, profile.output_micros_per_million)),
                estimated,
            },
        });
    }
}

enum Waited {
    Frame(Option<Result<String, BodyFault>>),
    Silence,
    TooLong,
}

impl Reading {
    async fn next_frame(&mut self) -> Waited {
        tokio::select! {
            biased;
            () = &mut self.whole => Waited::TooLong,
            frame = self.frames.next() => Waited::Frame(frame),
            () = &mut self.patience => Waited::Silence,
        }
    }

    fn wait_for(&mut self, patience: Duration) {
        self.patience = Box::pin(tokio::time::sleep(patience));
        self.patience_for = patience;
    }
}

impl Ask<'_> {
    /// Whether this request has a part in it.
    fn sends(&self, feature: Feature) -> bool {
        match feature {
            Feature::Tools => self.has_tools(),
            Feature::Structure => {
                self.structure && matches!(self.request.reply, ReplyShape::Json { .. })
            }
            Feature::Usage => self.usage,
        }
    }
}

/// Reads a refusal as far as it helps to understand it.
pub(crate) async fn read_refusal(mut reply: Incoming, access: &Access) -> Refusal {
    let mut said = Vec::new();
    let reading = async {
        while let Ok(Some(piece)) = reply.chunk().await {
            said.extend_from_slice(&piece);
            if said.len() as u64 >= REFUSAL_BYTES_MAX {
                break;
            }
        }
    };
    // What was read by then is enough: the status is known already.
    let _ = tokio::time::timeout(REFUSAL_WITHIN, reading).await;
    Refusal::of_reply(reply.status(), reply.headers(), &said, access)
}

/// Headers of every request that sends JSON.
pub(crate) fn json_headers(headers: &mut HeaderMap) {
    headers.insert("content-type", HeaderValue::from_static("application/json"));
    headers
        .entry("accept")
        .or_insert(HeaderValue::from_static("*/*"));
}

/// Arguments of a tool call: JSON, or the text as it came when it is none that can be trusted.
fn arguments(text: String) -> Value {
    if text.trim().is_empty() {
        return Value::Object(serde_json::Map::new());
    }
    strict_json(&text).unwrap_or(Value::String(text))
}

/// Rounded up: a limit is kept, not nearly kept.
fn cost_micros(tokens: u64, micros_per_million: u64) -> u64 {
    let micros = (u128::from(tokens) * u128::from(micros_per_million)).div_ceil(1_000_000);
    u64::try_from(micros).unwrap_or(u64::MAX)
}
