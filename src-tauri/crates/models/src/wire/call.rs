//! One call, from request to last event. Dropping its stream closes the connection at any point, except that the
//! connection of a complete reply is read to its end and kept.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::model::tokens;
use adjutant_domain::model::{
    ChatModel, ModelEvent, ModelFault, ModelProfile, ModelRequest, StopReason, Usage,
};
use futures::stream::{BoxStream, StreamExt};
use serde_json::Value;
use tokio::time::Sleep;

use super::body::{BodyFault, Frames};
use super::faults::Refusal;
use super::job::Job;
use super::spelling::Spelling;
use super::surrogates::SurrogateJoiner;
use super::target::Target;
use super::{FrameFault, Piece, Reader};
use crate::govern::price_micros;
use crate::strict::strict_json;
use crate::tiers::Until;

/// Time limit for a whole reply, however steadily it arrives.
const WHOLE_WITHIN: Duration = Duration::from_secs(30 * 60);
/// How long to wait for usage and the end of the stream once a reply is complete.
const AFTER_STOP_WITHIN: Duration = Duration::from_secs(3);
/// How long to wait for the end of the body once the reply has been output: a new connection costs about as much.
const REST_WITHIN: Duration = Duration::from_millis(100);
/// Highest number of tool calls in one reply.
const CALLS_MAX: usize = 128;

/// A model at a provider.
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

/// The caller drops the stream at its end and reads no further. The rest of the body is read anyway, so that the
/// connection can be reused.
impl Drop for Call {
    fn drop(&mut self) {
        if let State::Ended(mut frames) = std::mem::replace(&mut self.state, State::Over)
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn(async move {
                let _ = tokio::time::timeout(REST_WITHIN, frames.next()).await;
            });
        }
    }
}

enum State {
    Unsent,
    Reading(Box<ReplyStream>),
    /// The end has been output. The body is read to its own end, so that the connection can be reused.
    Ended(Frames),
    Over,
}

struct ReplyStream {
    frames: Frames,
    reader: Box<dyn Reader>,
    surrogates: SurrogateJoiner,
    heard: CallProgress,
    /// Expires if nothing is said for too long. Every piece restarts it; the head of the reply and signs of life do
    /// not.
    patience: Pin<Box<Sleep>>,
    patience_for: Duration,
    whole: Pin<Box<Sleep>>,
}

/// What has arrived so far.
#[derive(Default)]
struct CallProgress {
    /// Everything that counts as output, for the estimate.
    output_text: String,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    calls: usize,
    stop: Option<StopReason>,
    over: bool,
}

impl Call {
    async fn next(&mut self) -> Option<Result<ModelEvent, ModelFault>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(Ok(event));
            }
            let step = match &mut self.state {
                State::Unsent => self.open().await,
                State::Reading(_) => self.advance().await,
                State::Ended(frames) => {
                    let rest = frames.next();
                    let _ = tokio::time::timeout(REST_WITHIN, rest).await;
                    self.state = State::Over;
                    return None;
                }
                State::Over => return None,
            };
            if let Err(fault) = step {
                self.state = State::Over;
                return Some(Err(fault));
            }
        }
    }

    /// Sends the request. The limit for the first piece is already running, so waiting for the head of the reply uses
    /// it up.
    async fn open(&mut self) -> Result<(), ModelFault> {
        let job = &self.job;
        let begins = Until::from_now(job.target.begins_within(&job.request));
        let (frames, reader) = job.open(begins).await?;
        self.ready.push_back(ModelEvent::Answering {
            model: job.target.id().to_owned(),
            why: None,
        });
        let reading = ReplyStream::new(frames, reader, begins);
        self.state = State::Reading(Box::new(reading));
        Ok(())
    }

    /// Reads until there is an event to output.
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
                if let Err(fault) = reading
                    .reader
                    .read(&reading.surrogates.join(&text), &mut pieces)
                {
                    return Err(self.frame_fault(fault).await);
                }
                self.hear(pieces)
            }
            // Nothing after a complete reply matters.
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

    /// Processes the pieces of a frame.
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
                            why: "it never stops calling tools".to_owned(),
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
            self.end();
        } else if heard.stop.is_some() {
            reading.wait_for(AFTER_STOP_WITHIN);
        } else if said_something {
            reading.wait_for(target.goes_on_within(&self.job.request));
        }
        Ok(())
    }

    /// Returns the fault for a frame without a piece. If the stream ends within the frame, it was cut off rather than
    /// wrong.
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
        let ReplyStream { frames, heard, .. } = *reading;
        self.state = State::Ended(frames);
        let stop = match heard.stop {
            Some(StopReason::Complete) | None if heard.calls > 0 => StopReason::Tools,
            Some(stop) => stop,
            None => StopReason::Complete,
        };
        // Zero is not a valid count if something was sent and said: Ollama leaves out tokens in its cache.
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
                cost_micros: price_micros(&profile, input, output),
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

impl ReplyStream {
    fn new(frames: Frames, reader: Box<dyn Reader>, begins: Until) -> Self {
        Self {
            frames,
            reader,
            surrogates: SurrogateJoiner::default(),
            heard: CallProgress::default(),
            patience: Box::pin(tokio::time::sleep(begins.left())),
            patience_for: begins.within,
            whole: Box::pin(tokio::time::sleep(WHOLE_WITHIN)),
        }
    }

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

/// Returns the arguments of a tool call: parsed JSON, or the raw text if it is not JSON that can be trusted.
fn arguments(text: String) -> Value {
    if text.trim().is_empty() {
        return Value::Object(serde_json::Map::new());
    }
    strict_json(&text).unwrap_or(Value::String(text))
}
