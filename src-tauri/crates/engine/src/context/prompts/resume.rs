//! `resume`: classifies a message while a request waits. The possible replies do not include approval.

use adjutant_domain::model::Stage;
use adjutant_domain::plan::{Plan, Question, StepState};
use adjutant_prompts::{Fenced, Prompt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks how the person's last message relates to what waits.
#[derive(Clone, Debug, Serialize)]
pub struct ResumePrompt {
    request: Fenced,
    steps: Vec<StepView>,
    question: Option<Fenced>,
    choices: Option<Fenced>,
    approval: bool,
}

/// A step of the waiting plan.
#[derive(Clone, Debug, Serialize)]
pub struct StepView {
    /// State of the step.
    pub state: &'static str,
    /// Name of its tool.
    pub tool: String,
    /// What the step does.
    pub say: Fenced,
}

/// Maximum number of steps, and of choices, to show.
const STEPS_MAX: usize = 12;
/// Maximum length of a step's description in characters.
const SAY_CHARS_MAX: usize = 160;
/// Maximum length of the request in characters.
const REQUEST_CHARS_MAX: usize = 1_200;

impl ResumePrompt {
    /// Creates a prompt from the waiting request, its plan, and the first waiting question.
    #[must_use]
    pub fn new(request: &str, plan: &Plan, question: Option<&Question>) -> Self {
        let cut = |text: &str, chars: usize| text.chars().take(chars).collect::<String>();
        let choices = question
            .filter(|question| !question.choices.is_empty())
            .map(|question| {
                let labels: Vec<_> = question
                    .choices
                    .iter()
                    .take(STEPS_MAX)
                    .map(|choice| format!("- {}", cut(&choice.line(), SAY_CHARS_MAX)))
                    .collect();
                Fenced::new("the choices", &labels.join("\n"))
            });
        Self {
            request: Fenced::new("the request", &cut(request, REQUEST_CHARS_MAX)),
            steps: plan
                .steps
                .iter()
                .take(STEPS_MAX)
                .map(|step| StepView {
                    state: step.state.word(),
                    tool: step.draft.tool.clone(),
                    say: Fenced::new("the step", &cut(&step.draft.say, SAY_CHARS_MAX)),
                })
                .collect(),
            question: question.map(|question| {
                Fenced::new("the question", &cut(&question.text, REQUEST_CHARS_MAX))
            }),
            choices,
            approval: plan
                .steps
                .iter()
                .any(|step| matches!(step.state, StepState::NeedsApproval { .. })),
        }
    }
}

/// What the message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResumeKind {
    /// An answer to the waiting question.
    Answer,
    /// A change of the waiting request.
    Modify,
    /// The person drops what waits.
    Abandon,
    /// Anything else.
    New,
}

/// What the message is, with what it says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResumeReply {
    /// What it is.
    pub kind: ResumeKind,
    /// The answer, or the changed request.
    pub text: Option<String>,
}

impl Prompt for ResumePrompt {
    const FILE: &'static str = "resume/resume.v1";
    const STAGE: Stage = Stage::Resume;
    const REPLY_TOKENS_MAX: u32 = 400;
    type Reply = ResumeReply;
}
