//! `critique` and `refine`: review a draft once before it is shown.

use adjutant_domain::model::Stage;
use adjutant_prompts::{Fenced, Prompt, Specialist};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::context::results::ResultLine;

/// Asks what is wrong with a draft. It needs no conversation.
#[derive(Clone, Debug, Serialize)]
pub struct CritiquePrompt {
    request: Fenced,
    draft: Fenced,
    results: Vec<ResultLine>,
}

impl CritiquePrompt {
    /// Creates a prompt from the request, the draft and the results.
    #[must_use]
    pub fn new(request: &str, draft: &str, results: Vec<ResultLine>) -> Self {
        Self {
            request: Fenced::new("the request", request),
            draft: Fenced::new("the draft", draft),
            results,
        }
    }
}

/// What a review found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CritiqueReply {
    /// It can be shown as it is.
    pub good: bool,
    /// What should be put right, worst first.
    #[serde(default)]
    pub problems: Vec<Problem>,
}

/// One thing to put right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Problem {
    /// What kind.
    pub kind: ProblemKind,
    /// Where it is, and what would put it right.
    pub what: String,
}

/// Kinds of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProblemKind {
    /// Hard to follow, or too long.
    Clarity,
    /// Part of the request is not answered.
    Relevance,
    /// It contradicts itself or the results.
    Consistency,
    /// A claim without support.
    Unsupported,
    /// Code that would not work.
    Code,
}

impl Prompt for CritiquePrompt {
    const FILE: &'static str = "critique/critique.v1";
    const STAGE: Stage = Stage::Critique;
    const REPLY_TOKENS_MAX: u32 = 700;
    type Reply = CritiqueReply;
}

/// Asks for an improved draft. It needs no conversation.
#[derive(Clone, Debug, Serialize)]
pub struct RefinePrompt {
    request: Fenced,
    draft: Fenced,
    problems: Fenced,
    results: Vec<ResultLine>,
    specialist: Option<&'static str>,
    #[serde(skip)]
    who: Option<Specialist>,
}

impl RefinePrompt {
    /// Creates a prompt from the request, the draft, its problems, the results and the specialist who wrote it.
    #[must_use]
    pub fn new(
        request: &str,
        draft: &str,
        problems: &[String],
        results: Vec<ResultLine>,
        specialist: Option<Specialist>,
    ) -> Self {
        let list: Vec<_> = problems
            .iter()
            .map(|problem| format!("- {problem}"))
            .collect();
        Self {
            request: Fenced::new("the request", request),
            draft: Fenced::new("the draft", draft),
            problems: Fenced::new("the review", &list.join("\n")),
            results,
            specialist: specialist.map(|one| one.text),
            who: specialist,
        }
    }
}

impl Prompt for RefinePrompt {
    const FILE: &'static str = "refine/refine.v1";
    const STAGE: Stage = Stage::Refine;
    const REPLY_TOKENS_MAX: u32 = 2_500;
    type Reply = String;

    fn specialist(&self) -> Option<&str> {
        self.who.map(|one| one.name)
    }
}
