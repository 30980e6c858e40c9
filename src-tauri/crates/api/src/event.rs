//! Events as CONTRACTS names them.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::fault::Fault;
use crate::found::Found;
use crate::words::{Icon, Risk, StepStatus};

/// One event of a turn. On the wire: `{"event": "status", "turn": "turn_…", "seq": 3, "text": "…"}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct WireEvent {
    /// What happened.
    #[serde(flatten)]
    pub body: EventBody,
    /// Turn.
    pub turn: String,
    /// Counts up inside a conversation.
    #[ts(type = "number")]
    pub seq: i64,
    /// Conversation.
    pub conversation: String,
}

/// How something that took long ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Ended {
    /// Why it failed, or that it was stopped; none where it was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fault: Option<Fault>,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EventBody {
    /// The message is stored; the turn runs.
    TurnStarted {
        /// What the person said; empty for a button.
        text: String,
        /// The turn whose place it takes, together with all that came after that one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        instead_of: Option<String>,
    },
    /// What is being done.
    Status {
        /// In words.
        text: String,
    },
    /// Where the message goes.
    Routed {
        /// `chat`, `action` or `followup`.
        r#type: String,
        /// Domains.
        domains: Vec<String>,
        /// Whether it leans on the conversation.
        is_followup: bool,
        /// 0 to 1.
        confidence: f64,
        /// `embedded` or a model.
        by: String,
    },
    /// What was gathered.
    Context {
        /// Sections.
        sections: Vec<Section>,
    },
    /// The plan, when made and whenever it changes.
    Plan {
        /// Plan.
        id: String,
        /// The request, restated.
        request: String,
        /// Steps.
        steps: Vec<PlanStep>,
    },
    /// A tool is called.
    ToolCall {
        /// Step.
        step: String,
        /// Tool.
        tool: String,
        /// Arguments.
        args: Value,
    },
    /// A tool ended.
    ToolResult {
        /// Step.
        step: String,
        /// Whether it ended well.
        ok: bool,
        /// Output.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        result: Option<Value>,
        /// What was found, as rows; none for a step that changed something, and where the words say it all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        found: Option<Box<Found>>,
        /// What went wrong.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        error: Option<crate::Fault>,
        /// Proof.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        receipt: Option<Value>,
        /// Milliseconds the step took, without the time it waited for the person; none where nothing was called.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        ms: Option<u64>,
    },
    /// An action waits for the person.
    ApprovalNeeded {
        /// Action.
        id: String,
        /// Step.
        step: String,
        /// Digest to approve with.
        digest: String,
        /// Tool.
        tool: String,
        /// Arguments.
        args: Value,
        /// What is shown.
        shown: Box<CardView>,
        /// Class of risk.
        risk: Risk,
        /// Where the arguments come from: pointer to source.
        sources: Value,
    },
    /// A question waits for the person.
    Question {
        /// Question.
        id: String,
        /// Step.
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
        /// Text.
        text: String,
        /// What was told of the answer before is void: it begins again with this piece. Absent: false.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(optional, as = "Option<bool>")]
        restart: bool,
    },
    /// A piece of a model's thinking; no part of the answer.
    Thinking {
        /// Text.
        text: String,
    },
    /// Ended well.
    Done {
        /// The answer, Markdown.
        answer: String,
        /// One line a step.
        results: Vec<ResultLine>,
        /// Tools that ran.
        used_tools: Vec<String>,
        /// Memories that were used.
        used_memories: Vec<String>,
        /// Tokens and cost.
        usage: Usage,
        /// Decision.
        decision: String,
        /// Duration.
        #[ts(type = "number")]
        ms: u64,
        /// Why a model that was asked gave no answer; the answer then says it as well, and what can be said without one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        fault: Option<crate::Fault>,
        /// Requests that may have been meant, where nothing was understood: what to say instead.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<String>>")]
        near: Vec<String>,
    },
    /// Waits for the person.
    Waiting {
        /// What can be said already.
        answer: String,
        /// Actions.
        approvals: Vec<String>,
        /// Questions.
        questions: Vec<String>,
        /// One line a step.
        results: Vec<ResultLine>,
    },
    /// Stopped by the person.
    Interrupted {
        /// What was already done.
        results: Vec<ResultLine>,
    },
    /// Failed.
    Error {
        /// Stable code.
        code: String,
        /// What happened.
        message: String,
        /// What to do next.
        hint: String,
    },
    /// Rows changed; not part of a turn (`turn` is empty).
    Changed {
        /// Which topics.
        kinds: Vec<String>,
    },
    /// Progress of an import or of fetching a model file, to who asked for it and to every subscription without a conversation; not part of a turn.
    Progress {
        /// What is being worked on.
        what: String,
        /// Done so far.
        #[ts(type = "number")]
        done: u64,
        /// In all, when known.
        #[ts(type = "number | null")]
        total: Option<u64>,
        /// How fetching a model file ended: nothing more comes of it. None while it goes on, and for imports.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        ended: Option<Ended>,
    },
    /// The brain document of a research exists. This event and those of its kind are told to every subscription without a
    /// conversation and to who follows the research; none is part of a turn.
    ResearchBrainInitialized {
        /// Run.
        id: String,
        /// What shall be found out.
        objective: String,
        /// What success looks like.
        success_criteria: Vec<String>,
        /// Version of the form of the document.
        version: u32,
    },
    /// How a research goes about it.
    ResearchBrainStrategy {
        /// Run.
        id: String,
        /// The strategy.
        strategy: String,
    },
    /// A question is taken up.
    ResearchQuestionStarted {
        /// Run.
        id: String,
        /// Question.
        question_id: String,
        /// Its short name.
        name: String,
        /// What is looked for.
        goal: String,
    },
    /// A search has ended.
    ResearchQuestionSearchCompleted {
        /// Run.
        id: String,
        /// Question.
        question_id: String,
        /// The one query.
        queries: Vec<String>,
        /// Results it had.
        results: u32,
    },
    /// What is thought of the last search.
    ResearchQuestionReflection {
        /// Run.
        id: String,
        /// Question.
        question_id: String,
        /// The thought.
        thought: String,
        /// `progress`, `no_change` or `dead_end`.
        delta: String,
    },
    /// A question has its document.
    ResearchQuestionCompleted {
        /// Run.
        id: String,
        /// Question.
        question_id: String,
        /// `low`, `medium` or `high`.
        confidence: String,
        /// `promising`, `dead_end` or `needs_more`.
        recommendation: String,
    },
    /// The report is being written.
    ResearchSynthesizingStarted {
        /// Run.
        id: String,
    },
    /// A research has its report. Named as in the contract, where the name begins with `research_` by itself.
    ResearchComplete {
        /// Run.
        id: String,
        /// Questions it had.
        total_research_questions: u32,
        /// Entries of their memories.
        total_memory: u32,
        /// `low`, `medium` or `high`.
        confidence: String,
    },
    /// The brain document changed; whoever shows it reads it again.
    ResearchDocUpdated {
        /// Run.
        id: String,
        /// Its version.
        #[ts(type = "number")]
        version: u64,
    },
    /// The brain document as a whole, to who follows the research: when that begins, and at its end.
    ResearchBrainUpdate {
        /// Run.
        id: String,
        /// The document as JSON.
        brain: String,
    },
    /// A research begins, waits, goes on or is over.
    ResearchState {
        /// Run.
        id: String,
        /// How it stands.
        state: crate::research::ResearchState,
        /// Why it waits, is paused or failed.
        why: Option<String>,
    },
    /// A reminder became due; not part of a turn.
    Reminder {
        /// Task.
        task: String,
        /// What to do.
        title: String,
        /// When it was due, in words: `11:15`, `yesterday, 18:00`.
        at: String,
        /// The same instant, RFC 3339.
        due: String,
        /// Its time passed while nothing ran.
        missed: bool,
        /// Whether the receiver is the one that shows the notification. True on [`crate::Request::Notify`] only; on a
        /// subscription it is news, and somebody else shows it.
        show: bool,
    },
}

impl EventBody {
    /// Whether this is the last event of a turn.
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

/// One source of context.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Section {
    /// Name.
    pub name: String,
    /// Estimated tokens.
    #[ts(type = "number")]
    pub tokens: u64,
    /// Time it took.
    #[ts(type = "number")]
    pub ms: u64,
    /// Why it is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub problem: Option<String>,
    /// Tokens it may have; 0 where no budget applies.
    #[serde(default)]
    #[ts(type = "number")]
    pub budget: u64,
    /// Entries in it: memories, rows, messages, tools.
    #[serde(default)]
    #[ts(type = "number")]
    pub items: u64,
    /// What was found and is not in it, or only in part. Never the text.
    #[serde(default)]
    pub dropped: Vec<DroppedView>,
    /// Names of the entries: the tools that were suggested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub names: Vec<String>,
}

/// Entries of a section that a model does not see, or sees shortened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DroppedView {
    /// How many.
    #[ts(type = "number")]
    pub items: u64,
    /// Tokens that were saved by it.
    #[ts(type = "number")]
    pub tokens: u64,
    /// Why: `over_budget`, `older`, `shortened`, …
    pub why: String,
}

/// One step of a plan as it is shown, with how far it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PlanStep {
    /// Key.
    pub key: String,
    /// What happens.
    pub say: String,
    /// Why.
    pub why: String,
    /// Tool.
    pub tool: String,
    /// How it stands.
    pub status: StepStatus,
}

/// What became of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ResultLine {
    /// Step.
    pub step: String,
    /// Tool.
    pub tool: String,
    /// How it stands.
    pub status: StepStatus,
    /// What happened, in words.
    pub say: String,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub error: Option<crate::Fault>,
}

/// One offered answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ChoiceView {
    /// What the person sees.
    pub label: String,
    /// What tells it from the others where the label does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub detail: Option<String>,
    /// What is sent back.
    pub value: Value,
}

/// Tokens and cost; zero for the embedded engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Usage {
    /// Tokens in.
    #[ts(type = "number")]
    pub input: u64,
    /// Tokens out.
    #[ts(type = "number")]
    pub output: u64,
    /// Cost in millionths of a dollar.
    #[ts(type = "number")]
    pub cost_micros: u64,
}

/// An approval card.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct CardView {
    /// Verb and object.
    pub title: String,
    /// Verb on the button.
    pub verb: String,
    /// The picture beside the title.
    #[serde(default)]
    pub icon: Icon,
    /// Account.
    pub account: Option<String>,
    /// Notes at the head.
    pub notes: Vec<NoteView>,
    /// Facts.
    pub facts: Vec<FactView>,
    /// Every thing of a batch.
    pub items: Vec<ItemView>,
    /// The text itself, unabridged.
    pub body: Option<String>,
    /// Attached files.
    pub attachments: Vec<AttachmentView>,
    /// Whether and how it can be undone, in words.
    pub undo: String,
    /// `yes`, `until_sent` (until the mail has left), `no`, or empty where it is not known here.
    #[serde(default)]
    pub undo_kind: String,
    /// What the digest stands for.
    pub digest_line: String,
}

/// A note at the head of a card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct NoteView {
    /// `untrusted`, `info` or `warn`.
    pub kind: String,
    /// Text.
    pub text: String,
}

/// One line of a card: what is, what will be, and where the value comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct FactView {
    /// Label.
    pub label: String,
    /// Value as it will be.
    pub value: String,
    /// Value as it is.
    pub before: Option<String>,
    /// Origin.
    pub source: Option<SourceView>,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SourceView {
    /// `person`, `data`, `address_book`, `step`, `derived`, `settings` or `found`.
    pub kind: String,
    /// Details.
    pub detail: Option<String>,
    /// The exact place, where it can be opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub target: Option<SourceTarget>,
}

/// The place a value comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SourceTarget {
    /// `task`, `event`, `note`, `memory`, `mail`, `outbox` or `contact`; `message` and `step` are places of the conversation.
    pub kind: String,
    /// Record, turn or step.
    pub id: String,
    /// Words to look for there, for example an address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub words: Option<String>,
}

/// One thing of a batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ItemView {
    /// Record.
    pub id: String,
    /// Name.
    pub label: String,
    /// Details.
    pub detail: Option<String>,
    /// Notes about this one alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<NoteView>>", optional)]
    pub notes: Vec<NoteView>,
    /// Facts of its call, where the card is for several calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<FactView>>", optional)]
    pub facts: Vec<FactView>,
    /// The text of its call, unabridged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub body: Option<String>,
    /// Files attached to its call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<AttachmentView>>", optional)]
    pub attachments: Vec<AttachmentView>,
}

/// An attached file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AttachmentView {
    /// File name.
    pub name: String,
    /// Bytes.
    #[ts(type = "number")]
    pub size: u64,
    /// SHA-256, hexadecimal.
    pub sha256: String,
}
