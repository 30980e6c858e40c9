//! Events: what a front end learns while a turn or other work runs.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::fault::Fault;
use crate::found::Found;
use crate::words::{Icon, Risk, StepStatus};

/// One event. On the wire: `{"event": "status", "turn": "turn_…", "seq": 3, "text": "…"}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct WireEvent {
    /// What happened.
    #[serde(flatten)]
    pub body: EventBody,
    /// Id of the turn; empty for an event outside a turn.
    pub turn: String,
    /// Sequence number; counts up within a conversation.
    #[ts(type = "number")]
    pub seq: i64,
    /// Id of the conversation.
    pub conversation: String,
}

/// How a long operation ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Ended {
    /// Why it failed, or that it was stopped. Absent if it succeeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fault: Option<Fault>,
}

/// Payload of an event, by what happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EventBody {
    /// The message was stored and the turn is running.
    TurnStarted {
        /// What the person said; empty for an approval or answer given by button.
        text: String,
        /// Earlier turn that this one replaces, along with everything after it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        instead_of: Option<String>,
    },
    /// What the turn is doing right now.
    Status {
        /// Description for the person.
        text: String,
    },
    /// The message was routed.
    Routed {
        /// `chat`, `action` or `followup`.
        r#type: String,
        /// Domains of the message.
        domains: Vec<String>,
        /// Whether the message refers to earlier ones in the conversation.
        is_followup: bool,
        /// Confidence from 0 to 1.
        confidence: f64,
        /// Who routed it: `embedded`, or the name of a model.
        by: String,
    },
    /// Context was gathered for the turn.
    Context {
        /// The sections, one per part or source.
        sections: Vec<Section>,
    },
    /// The plan, sent when it is made and each time it changes.
    Plan {
        /// Id of the plan.
        id: String,
        /// The person's request, restated.
        request: String,
        /// Steps of the plan.
        steps: Vec<PlanStep>,
    },
    /// A tool call starts.
    ToolCall {
        /// Key of the step.
        step: String,
        /// Name of the tool.
        tool: String,
        /// Arguments of the call.
        args: Value,
    },
    /// A tool call ended.
    ToolResult {
        /// Key of the step.
        step: String,
        /// Whether it succeeded.
        ok: bool,
        /// Output and words of the tool, if any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        result: Option<Value>,
        /// What it found, as rows. Absent if the step changed something or found nothing that is shown as rows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        found: Option<Box<Found>>,
        /// What went wrong, on failure.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        error: Option<crate::Fault>,
        /// Proof of its effect, if it had one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        receipt: Option<Value>,
        /// Milliseconds the step took, excluding the time it waited for the person. Absent if nothing was called.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        ms: Option<u64>,
    },
    /// An action waits for the person.
    ApprovalNeeded {
        /// Id of the action.
        id: String,
        /// Key of the step.
        step: String,
        /// Digest that the person's approval must repeat.
        digest: String,
        /// Name of the tool.
        tool: String,
        /// Arguments of the call; for a batch, a list with those of each call.
        args: Value,
        /// The card.
        shown: Box<CardView>,
        /// Highest risk among its calls.
        risk: Risk,
        /// Where the arguments come from: JSON pointer to source.
        sources: Value,
    },
    /// A question waits for the person.
    Question {
        /// Id of the question.
        id: String,
        /// Key of the step.
        step: String,
        /// The question.
        text: String,
        /// Offered answers.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<ChoiceView>>")]
        choices: Vec<ChoiceView>,
    },
    /// A piece of the answer.
    Token {
        /// Text of the piece.
        text: String,
        /// Whether the earlier pieces of the answer are void and it starts over with this one. Absent means false.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(optional, as = "Option<bool>")]
        restart: bool,
    },
    /// A piece of a model's reasoning, which is not part of the answer.
    Thinking {
        /// Text of the piece.
        text: String,
    },
    /// The turn completed.
    Done {
        /// The answer, in Markdown.
        answer: String,
        /// Outcome of each step.
        results: Vec<ResultLine>,
        /// Tools that actually ran.
        used_tools: Vec<String>,
        /// Memories that were used, by id.
        used_memories: Vec<String>,
        /// Tokens and cost of all requests to models.
        usage: Usage,
        /// The turn's decision id.
        decision: String,
        /// Duration in milliseconds.
        #[ts(type = "number")]
        ms: u64,
        /// Why a model gave no answer although it was asked. `answer` then says so too, along with what can be said
        /// without a model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        fault: Option<crate::Fault>,
        /// Requests the person may have meant, if Adjutant did not understand the message.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<String>>")]
        near: Vec<String>,
    },
    /// The turn waits for the person.
    Waiting {
        /// The part of the answer known so far.
        answer: String,
        /// Ids of the actions that wait.
        approvals: Vec<String>,
        /// Ids of the questions that wait.
        questions: Vec<String>,
        /// Outcome of each step so far.
        results: Vec<ResultLine>,
    },
    /// The person stopped the turn.
    Interrupted {
        /// Outcome of the steps carried out before the stop.
        results: Vec<ResultLine>,
    },
    /// The turn failed.
    Error {
        /// Stable code.
        code: String,
        /// What happened.
        message: String,
        /// What to do next.
        hint: String,
    },
    /// Rows changed. Not part of a turn: `turn` is empty.
    Changed {
        /// Topics whose rows changed.
        kinds: Vec<String>,
    },
    /// Progress of an import or a model download. Goes to the client that started it and to every subscription without
    /// a conversation; not part of a turn.
    Progress {
        /// Name of the file or folder being processed.
        what: String,
        /// Amount done so far: bytes of a download, otherwise items.
        #[ts(type = "number")]
        done: u64,
        /// Total amount, if known.
        #[ts(type = "number | null")]
        total: Option<u64>,
        /// How a model download ended; no further progress follows. Absent while it runs, and always absent for
        /// imports.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        ended: Option<Ended>,
    },
    /// The brain document of a research run exists. This event and the other research events go to every subscription
    /// without a conversation and to clients that follow the run; none is part of a turn.
    ResearchBrainInitialized {
        /// Id of the run.
        id: String,
        /// What the run is to find out.
        objective: String,
        /// Success criteria.
        success_criteria: Vec<String>,
        /// Version of the document's format.
        version: u32,
    },
    /// The run has a strategy.
    ResearchBrainStrategy {
        /// Id of the run.
        id: String,
        /// The strategy.
        strategy: String,
    },
    /// Work on a question started.
    ResearchQuestionStarted {
        /// Id of the run.
        id: String,
        /// Id of the question.
        question_id: String,
        /// Short name of the question.
        name: String,
        /// What the question should find out.
        goal: String,
    },
    /// A search ended.
    ResearchQuestionSearchCompleted {
        /// Id of the run.
        id: String,
        /// Id of the question.
        question_id: String,
        /// The query; always exactly one.
        queries: Vec<String>,
        /// Number of results.
        results: u32,
    },
    /// The researcher reflected on its last search.
    ResearchQuestionReflection {
        /// Id of the run.
        id: String,
        /// Id of the question.
        question_id: String,
        /// The thought.
        thought: String,
        /// `progress`, `no_change` or `dead_end`.
        delta: String,
    },
    /// A question has its document.
    ResearchQuestionCompleted {
        /// Id of the run.
        id: String,
        /// Id of the question.
        question_id: String,
        /// `low`, `medium` or `high`.
        confidence: String,
        /// `promising`, `dead_end` or `needs_more`.
        recommendation: String,
    },
    /// The run started to write its report.
    ResearchSynthesizingStarted {
        /// Id of the run.
        id: String,
    },
    /// A run has its report. The tag comes out as `research_complete` because the variant's name already has the
    /// prefix.
    ResearchComplete {
        /// Id of the run.
        id: String,
        /// Number of questions in the run.
        total_research_questions: u32,
        /// Number of entries in the memories of all questions.
        total_memory: u32,
        /// `low`, `medium` or `high`.
        confidence: String,
    },
    /// The brain document changed. A front end that shows it should fetch it again.
    ResearchDocUpdated {
        /// Id of the run.
        id: String,
        /// New version of the document.
        #[ts(type = "number")]
        version: u64,
    },
    /// The whole brain document, sent to a client that follows the run, once when it starts following and once at the
    /// end.
    ResearchBrainUpdate {
        /// Id of the run.
        id: String,
        /// The document, as JSON text.
        brain: String,
    },
    /// A run started, waits, resumed or ended.
    ResearchState {
        /// Id of the run.
        id: String,
        /// New state of the run.
        state: crate::research::ResearchState,
        /// Why it waits, is paused or failed.
        why: Option<String>,
    },
    /// A reminder is due; not part of a turn.
    Reminder {
        /// Id of the task.
        task: String,
        /// Title of the task.
        title: String,
        /// When it was due, in words: `11:15` or `yesterday, 18:00`.
        at: String,
        /// The same instant, RFC 3339.
        due: String,
        /// Whether it fell due while Adjutant was not running.
        missed: bool,
        /// Whether the receiver must show the notification. True only on a [`crate::Request::Notify`] request;
        /// subscriptions get the event for information, and another front end shows it.
        show: bool,
    },
}

impl EventBody {
    /// Returns whether the turn ends or pauses with this event.
    #[must_use]
    pub fn is_last(&self) -> bool {
        matches!(
            self,
            Self::Done { .. }
                | Self::Waiting { .. }
                | Self::Interrupted { .. }
                | Self::Error { .. }
        )
    }
}

/// One section of a model's context, or one source it was gathered from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Section {
    /// Name of the section or source.
    pub name: String,
    /// Estimated tokens.
    #[ts(type = "number")]
    pub tokens: u64,
    /// Milliseconds it took to gather.
    #[ts(type = "number")]
    pub ms: u64,
    /// Why it is empty, if gathering failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub problem: Option<String>,
    /// Token budget; 0 if none applies.
    #[serde(default)]
    #[ts(type = "number")]
    pub budget: u64,
    /// Number of entries in it: memories, rows, messages or tools.
    #[serde(default)]
    #[ts(type = "number")]
    pub items: u64,
    /// What was found but left out or cut short. Never contains the text itself.
    #[serde(default)]
    pub dropped: Vec<DroppedView>,
    /// Names of the suggested tools; empty for other sections.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub names: Vec<String>,
}

/// Entries of a section that a model sees shortened or not at all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DroppedView {
    /// Number of entries.
    #[ts(type = "number")]
    pub items: u64,
    /// Tokens saved.
    #[ts(type = "number")]
    pub tokens: u64,
    /// Reason for leaving them out: `over_budget`, `older`, `shortened`, …
    pub why: String,
}

/// One step of a plan, with its state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PlanStep {
    /// Key of the step.
    pub key: String,
    /// What the step does.
    pub say: String,
    /// Why the step is needed.
    pub why: String,
    /// Name of the tool.
    pub tool: String,
    /// State of the step.
    pub status: StepStatus,
}

/// Outcome of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ResultLine {
    /// Key of the step.
    pub step: String,
    /// Name of the tool.
    pub tool: String,
    /// State of the step.
    pub status: StepStatus,
    /// What happened, in words.
    pub say: String,
    /// The fault, if it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub error: Option<crate::Fault>,
}

/// One offered answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ChoiceView {
    /// Label shown to the person.
    pub label: String,
    /// Detail that tells choices with the same label apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub detail: Option<String>,
    /// Value to send back in [`crate::Request::Answer`].
    pub value: Value,
}

/// Tokens and cost of requests to models; zero for the embedded engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Usage {
    /// Input tokens.
    #[ts(type = "number")]
    pub input: u64,
    /// Output tokens.
    #[ts(type = "number")]
    pub output: u64,
    /// Cost in micro-units of the person's currency.
    #[ts(type = "number")]
    pub cost_micros: u64,
}

/// An approval card.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct CardView {
    /// Verb and object: "Send a mail to 2 people".
    pub title: String,
    /// The verb on the button: "Send".
    pub verb: String,
    /// Icon beside the title.
    #[serde(default)]
    pub icon: Icon,
    /// Account the action is for, if any.
    pub account: Option<String>,
    /// Notes at the head of the card.
    pub notes: Vec<NoteView>,
    /// Facts with label, value and origin.
    pub facts: Vec<FactView>,
    /// Everything a batch touches.
    pub items: Vec<ItemView>,
    /// The text itself, unabridged.
    pub body: Option<String>,
    /// Attached files.
    pub attachments: Vec<AttachmentView>,
    /// Whether and how the action can be undone, in words.
    pub undo: String,
    /// The same as a word: `yes`, `until_sent` (until the mail is sent), `no`, or empty if unknown.
    #[serde(default)]
    pub undo_kind: String,
    /// The line "What you see is exactly what is sent".
    pub digest_line: String,
}

/// A note at the head of a card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct NoteView {
    /// `untrusted`, `info` or `warn`.
    pub kind: String,
    /// Text of the note.
    pub text: String,
}

/// One fact of a card: its label, present and new value, and origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct FactView {
    /// "To", "Subject", "When".
    pub label: String,
    /// The new value.
    pub value: String,
    /// The present value, if the action changes it.
    pub before: Option<String>,
    /// Where the value comes from, if known.
    pub source: Option<SourceView>,
}

/// Origin of a shown value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SourceView {
    /// `person`, `data`, `address_book`, `step`, `derived`, `settings` or `found`.
    pub kind: String,
    /// Details in words, for example what the person said or the mail the value was found in.
    pub detail: Option<String>,
    /// The exact place, if it can be opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub target: Option<SourceTarget>,
}

/// The place that a value comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SourceTarget {
    /// `task`, `event`, `note`, `memory`, `mail`, `outbox` or `contact` for a record; `message` or `step` for a place
    /// in the conversation.
    pub kind: String,
    /// Id of the record or turn, or key of the step.
    pub id: String,
    /// Words to find there, for example an address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub words: Option<String>,
}

/// One thing a batch touches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ItemView {
    /// Record id, or empty.
    pub id: String,
    /// Name of the thing, for the person.
    pub label: String,
    /// Sender and date, time and place, or the like.
    pub detail: Option<String>,
    /// Notes about this item only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<NoteView>>", optional)]
    pub notes: Vec<NoteView>,
    /// Facts of the item's call, if the card is for several calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<FactView>>", optional)]
    pub facts: Vec<FactView>,
    /// Text of the item's call, unabridged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub body: Option<String>,
    /// Files attached to the item's call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<AttachmentView>>", optional)]
    pub attachments: Vec<AttachmentView>,
}

/// An attached file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AttachmentView {
    /// File name.
    pub name: String,
    /// Size in bytes.
    #[ts(type = "number")]
    pub size: u64,
    /// SHA-256, hexadecimal.
    pub sha256: String,
}
