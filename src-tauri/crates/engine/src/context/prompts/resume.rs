//! `resume`: what a message is to the request that waits. There is no yes among the answers.

use adjutant_domain::model::Stage;
use adjutant_domain::plan::{Plan, Question, StepState};
use adjutant_prompts::{Fenced, Prompt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks what the person's last message is to what waits.
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
    /// How far it is.
    pub state: &'static str,
    /// Tool.
    pub tool: String,
    /// What it does.
    pub say: Fenced,
}

/// Steps that are shown.
const STEPS_MAX: usize = 12;
/// Characters of what a step says about itself.
const SAY_CHARS_MAX: usize = 160;
/// Characters of the request.
const REQUEST_CHARS_MAX: usize = 1_200;

impl ResumePrompt {
    /// The request that waits, its plan, and the question that waits first.
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
