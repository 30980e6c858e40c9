//! Listens to a model: sends a request, parses its stream, and publishes the text in bounded portions.

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::event::ContextSection;
use adjutant_domain::ids::RecordId;
use adjutant_domain::model::{
    ChatModel, ModelEvent, ModelFault, ModelRequest, ReplyShape, StopReason, Usage,
};
use adjutant_domain::source::Taint;
use futures::StreamExt as _;
use tokio::sync::mpsc;

use crate::stages::read::REPLY_BYTES_MAX;
use crate::stages::{ANSWER_CHARS_MAX, Again, Deadlines, Failed, PROPOSALS_MAX, ToolProposal};

/// Maximum number of pieces that may wait for the turn.
pub(crate) const PIECES_WAITING_MAX: usize = 64;
/// How long to collect text before publishing it. The first piece is published at once.
const PORTION: Duration = Duration::from_millis(40);
/// Number of portions after which they become larger, so that even a long answer makes a bounded number of events.
const SMALL_PORTIONS_MAX: u32 = 150;
/// How long to collect text after [`SMALL_PORTIONS_MAX`] portions.
const LARGE_PORTION: Duration = Duration::from_millis(400);
/// Maximum number of calls in one reply; a plan has at most `STEPS_MAX` steps.
const CALLS_MAX: usize = 64;
/// Maximum size of one call's arguments in bytes.
const CALL_BYTES_MAX: usize = 64 * 1024;

/// What a model request reports while it runs.
#[derive(Debug)]
pub(crate) enum ModelProgress {
    /// A portion of the answer.
    Text(String),
    /// A portion of the model's thinking.
    Thought(String),
    /// Another model has taken over the answer.
    Answering { model: String, why: Option<String> },
    /// The context that the model is shown, reported before it answers.
    Shown {
        sections: Vec<ContextSection>,
        taint: Taint,
        memories: Vec<RecordId>,
    },
}

/// A complete reply.
#[derive(Debug, Default)]
pub(crate) struct Spoken {
    pub(crate) text: String,
    pub(crate) calls: Vec<ToolProposal>,
    pub(crate) cut: bool,
    /// Id of the model that replied.
    pub(crate) model: String,
    pub(crate) usage: Usage,
}

impl Spoken {
    /// Whether the reply ended at the token limit.
    pub(crate) fn is_cut(&self) -> bool {
        self.cut
    }
}

/// Sends a request and listens until it ends. Dropping the future cancels the request.
pub(crate) async fn listen(
    model: &dyn ChatModel,
    request: Arc<ModelRequest>,
    deadlines: &Deadlines,
    pieces: &mpsc::Sender<ModelProgress>,
) -> Result<Spoken, Failed> {
    let stage = request.stage;
    let tells = request.reply == ReplyShape::Text;
    let mut request = Arc::unwrap_or_clone(request);
    request.within.whole = Some(deadlines.of(stage));
    let stopped = deadlines.stop_after(stage);
    let mut ear = Ear {
        reply: Spoken {
            model: model.profile().id,
            ..Spoken::default()
        },
        portions: Portions::new(pieces),
        tells,
        bytes_max: if tells {
            ANSWER_CHARS_MAX * 4
        } else {
            REPLY_BYTES_MAX
        },
    };
    let work = ear.hear(model, Arc::new(request));
    match tokio::time::timeout(stopped, work).await {
        Ok(done) => done.map(|()| ear.reply),
        Err(_) => Err(Failed::Deadline(stopped)),
    }
}

struct Ear<'a> {
    reply: Spoken,
    portions: Portions<'a>,
    /// Whether text is published as it arrives; a structured reply is not.
    tells: bool,
    bytes_max: usize,
}

impl Ear<'_> {
    async fn hear(
        &mut self,
        model: &dyn ChatModel,
        request: Arc<ModelRequest>,
    ) -> Result<(), Failed> {
        let mut stream = model.stream(request);
        loop {
            let event = tokio::select! {
                biased;
                event = stream.next() => event,
                () = self.portions.due() => {
                    self.portions.flush().await;
                    continue;
                }
            };
            match event {
                None => {
                    return Err(Failed::Model(ModelFault::Cut {
                        model: self.reply.model.clone(),
                    }));
                }
                Some(Err(fault)) => return Err(Failed::Model(fault)),
                Some(Ok(ModelEvent::End { stop, usage })) => {
                    self.portions.flush().await;
                    self.reply.usage = usage;
                    return self.end(stop);
                }
                Some(Ok(event)) => self.take(event).await?,
            }
        }
    }

    async fn take(&mut self, event: ModelEvent) -> Result<(), Failed> {
        match event {
            ModelEvent::Answering { model, why } => {
                self.portions.forget();
                self.reply.text.clear();
                self.reply.calls.clear();
                self.reply.model.clone_from(&model);
                self.portions
                    .tell(ModelProgress::Answering { model, why })
                    .await;
            }
            ModelEvent::Token { text } => {
                if self.reply.text.len() + text.len() > self.bytes_max {
                    return Err(self.unreadable("it is longer than anything that was asked for"));
                }
                self.reply.text.push_str(&text);
                if self.tells {
                    self.portions.add(&text, false).await;
                }
            }
            ModelEvent::Thinking { text } => self.portions.add(&text, true).await,
            ModelEvent::ToolCall { name, args } => {
                let small =
                    serde_json::to_string(&args).is_ok_and(|text| text.len() <= CALL_BYTES_MAX);
                if self.reply.calls.len() >= CALLS_MAX || !small {
                    return Err(self.unreadable("it calls more than any request needs"));
                }
                self.reply.calls.push(ToolProposal { tool: name, args });
            }
            ModelEvent::End { .. } => {}
        }
        Ok(())
    }

    fn end(&mut self, stop: StopReason) -> Result<(), Failed> {
        let nothing = self.reply.text.trim().is_empty() && self.reply.calls.is_empty();
        match stop {
            StopReason::Refused => Err(Failed::Model(ModelFault::Refused {
                model: self.reply.model.clone(),
                why: "its rules do not allow an answer".into(),
            })),
            // JSON that was cut off is never completed.
            StopReason::Length if !self.tells => Err(Failed::Unusable(Again {
                reply: self.reply.text.clone(),
                error: "it was cut off at the token limit".into(),
            })),
            _ if nothing => Err(self.unreadable("it is empty")),
            StopReason::Length => {
                self.reply.cut = true;
                Ok(())
            }
            StopReason::Complete | StopReason::Tools => {
                if self.tells {
                    self.reply.calls.truncate(PROPOSALS_MAX);
                }
                Ok(())
            }
        }
    }

    fn unreadable(&self, why: &str) -> Failed {
        Failed::Model(ModelFault::Unreadable {
            model: self.reply.model.clone(),
            why: why.into(),
        })
    }
}

/// Collects text and publishes it in portions.
struct Portions<'a> {
    out: &'a mpsc::Sender<ModelProgress>,
    text: String,
    thought: String,
    told: u32,
    due: Option<std::pin::Pin<Box<tokio::time::Sleep>>>,
}

impl<'a> Portions<'a> {
    fn new(out: &'a mpsc::Sender<ModelProgress>) -> Self {
        Self {
            out,
            text: String::new(),
            thought: String::new(),
            told: 0,
            due: None,
        }
    }

    async fn add(&mut self, text: &str, thought: bool) {
        if text.is_empty() {
            return;
        }
        let first = self.told == 0;
        if thought {
            self.thought.push_str(text);
        } else {
            self.text.push_str(text);
        }
        if first {
            self.flush().await;
        } else if self.due.is_none() {
            let portion = if self.told < SMALL_PORTIONS_MAX {
                PORTION
            } else {
                LARGE_PORTION
            };
            self.due = Some(Box::pin(tokio::time::sleep(portion)));
        }
    }

    /// Waits until the collected portion must be published; forever if there is none.
    async fn due(&mut self) {
        match &mut self.due {
            Some(due) => due.await,
            None => std::future::pending().await,
        }
    }

    async fn flush(&mut self) {
        self.due = None;
        let thought = std::mem::take(&mut self.thought);
        if !thought.is_empty() {
            self.told += 1;
            self.tell(ModelProgress::Thought(thought)).await;
        }
        let text = std::mem::take(&mut self.text);
        if !text.is_empty() {
            self.told += 1;
            self.tell(ModelProgress::Text(text)).await;
        }
    }

    fn forget(&mut self) {
        self.due = None;
        self.text.clear();
        self.thought.clear();
    }

    async fn tell(&mut self, heard: ModelProgress) {
        // A turn that has ended receives nothing more; this task is about to be dropped.
        let _ = self.out.send(heard).await;
    }
}
