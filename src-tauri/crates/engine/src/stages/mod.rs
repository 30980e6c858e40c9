//! The stages a model takes part in: what is asked, what comes back, and how long each may take. Everything here is
//! pure; `turn/driver/model.rs` sends the requests, `turn/machine/model.rs` decides which.
//!
//! | stage | asked when | a bad reply ends in |
//! |---|---|---|
//! | route | the embedded route is unsure and the embedded planner reads nothing | plain conversation |
//! | plan | the embedded planner reads nothing and tools are needed | once more with the error, then "not understood"; the message is kept |
//! | resume | something waits, and the embedded engine takes the message for neither reply nor request | a request of its own |
//! | extract | a plan of a model takes values out of text of others | the step fails; what needs it is not done |
//! | respond | plain conversation, or results of a model's plan | text built from the results, or an honest sentence |
//! | critique, refine, tone | the request is complex; a tone is set | the draft |

pub mod complexity;
pub mod extract;
pub mod facts;
pub mod plan;
pub mod read;
pub mod resume;
pub mod route;

use std::time::Duration;

use adjutant_domain::faults::UserFault;
use adjutant_domain::ids::StepKey;
use adjutant_domain::model::{ModelFault, Stage, Tier};
use adjutant_domain::plan::{Plan, Question};
use adjutant_domain::route::Route;
use serde_json::Value;

use complexity::Complexity;
use extract::Wanted;
use plan::Planned;
use resume::Classified;

/// Characters of an answer that are taken; what comes beyond is cut off.
pub const ANSWER_CHARS_MAX: usize = 200_000;
/// Calls that a reply other than a plan may propose; each is put before the person.
pub const PROPOSALS_MAX: usize = 3;

/// The one call a model may make where it was asked for plain conversation: the message needs a plan.
pub const NEEDS_PLAN: &str = "plan.needed";

/// One question to a model. It is typed data; the words for it are in `prompts/`.
#[derive(Clone, Debug, PartialEq)]
pub enum StageRequest {
    /// Which domains a message needs.
    Route {
        /// The message.
        text: String,
    },
    /// A plan.
    Plan {
        /// The message, or its restatement.
        text: String,
        /// Where it goes.
        route: Route,
        /// What the person said for it besides the message: an answer to a question.
        said: Vec<String>,
        /// The reply before, which could not be used, and why.
        again: Option<Again>,
    },
    /// What a message is to the request that waits.
    Resume {
        /// The request.
        request: String,
        /// Its plan.
        plan: Box<Plan>,
        /// The question that waits first.
        question: Option<Question>,
    },
    /// Values out of text that others wrote.
    Extract(Box<Wanted>),
    /// The answer.
    Respond {
        /// The message.
        text: String,
        /// What was done for it; none for plain conversation.
        results: Option<Box<Plan>>,
        /// How hard it is.
        complexity: Complexity,
        /// Whether the model may say that it takes a plan instead.
        way_out: WayOut,
    },
    /// What is wrong with a draft.
    Critique {
        /// The message.
        text: String,
        /// The draft.
        draft: String,
    },
    /// The draft once more.
    Refine {
        /// The message.
        text: String,
        /// The draft.
        draft: String,
        /// What is wrong with it.
        problems: Vec<String>,
    },
    /// The draft in the chosen tone.
    Tone {
        /// The draft.
        draft: String,
    },
}

/// What a model that answers a message may do besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WayOut {
    /// Say that something has to be done or looked up for it ([`NEEDS_PLAN`]): the same turn goes on with a plan.
    Plan,
    /// Nothing: there is a plan, or one was tried.
    None,
}

/// A reply that could not be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Again {
    /// The reply, as it came.
    pub reply: String,
    /// What is wrong with it.
    pub error: String,
}

/// The tier a stage asks for where the person chose one for the message: what plans and answers takes theirs, what only
/// reads or words stays as small as it may be.
pub(crate) const fn chosen(stage: Stage, needed: Tier, wish: Option<Tier>) -> Tier {
    match (stage, wish) {
        (Stage::Plan | Stage::Respond | Stage::Critique | Stage::Refine, Some(wish)) => wish,
        _ => needed,
    }
}

impl StageRequest {
    /// The stage of the contract.
    #[must_use]
    pub fn stage(&self) -> Stage {
        match self {
            Self::Route { .. } => Stage::Route,
            Self::Plan { .. } => Stage::Plan,
            Self::Resume { .. } => Stage::Resume,
            Self::Extract(_) => Stage::Extract,
            Self::Respond { .. } => Stage::Respond,
            Self::Critique { .. } => Stage::Critique,
            Self::Refine { .. } => Stage::Refine,
            Self::Tone { .. } => Stage::Tone,
        }
    }

    /// Whether the reply is the answer, or is made of it.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        matches!(
            self,
            Self::Respond { .. } | Self::Critique { .. } | Self::Refine { .. } | Self::Tone { .. }
        )
    }

    /// How capable a model it takes.
    #[must_use]
    pub fn tier(&self) -> Tier {
        match self {
            Self::Route { .. } | Self::Resume { .. } | Self::Extract(_) | Self::Tone { .. } => {
                Tier::Fast
            }
            Self::Respond {
                complexity: Complexity::Complex,
                ..
            }
            | Self::Refine { .. } => Tier::Deep,
            Self::Plan { .. } | Self::Respond { .. } | Self::Critique { .. } => Tier::Standard,
        }
    }

    /// What is being done, for the person.
    #[must_use]
    pub fn status(&self) -> &'static str {
        match self {
            Self::Route { .. } => "Working out what this needs",
            Self::Plan { again: None, .. } => "Planning the steps",
            Self::Plan { .. } => "Planning the steps once more",
            Self::Resume { .. } => "Reading your reply",
            Self::Extract(_) => "Taking the details out of the text",
            Self::Respond { .. } => "Writing the answer",
            Self::Critique { .. } => "Checking the answer",
            Self::Refine { .. } => "Improving the answer",
            Self::Tone { .. } => "Putting the answer into your tone",
        }
    }
}

/// What a model said, read and checked.
#[derive(Clone, Debug, PartialEq)]
pub enum StageReply {
    /// To [`StageRequest::Route`].
    Route(Route),
    /// To [`StageRequest::Plan`].
    Plan(Planned),
    /// To [`StageRequest::Resume`].
    Resume(Classified),
    /// To [`StageRequest::Extract`].
    Values {
        /// The step.
        step: StepKey,
        /// The values.
        values: Value,
    },
    /// To [`StageRequest::Critique`]: what is wrong; nothing where it is good.
    Critique(Vec<String>),
    /// To [`StageRequest::Respond`] with [`WayOut::Plan`]: words alone do not do it.
    NeedsPlan,
    /// To everything else.
    Text {
        /// The answer.
        text: String,
        /// Whether it reached the limit of tokens.
        cut: bool,
        /// Calls nobody asked for.
        proposals: Vec<ToolProposal>,
    },
}

/// A call that a model wants although no plan has it. It passes the gate as if a stranger had asked.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolProposal {
    /// Tool.
    pub tool: String,
    /// Arguments.
    pub args: Value,
}

/// Why nothing usable came back.
#[derive(Clone, Debug, PartialEq)]
pub enum Failed {
    /// No reply.
    Model(ModelFault),
    /// A reply that cannot be used.
    Unusable(Again),
    /// It took too long as a whole.
    Deadline(Duration),
}

impl Failed {
    /// A sentence for the person; what to do next follows from the stage.
    #[must_use]
    pub fn sentence(&self) -> String {
        use adjutant_domain::faults::sentence;
        match self {
            Self::Model(fault) => sentence(&fault.to_string()),
            Self::Unusable(_) => "The model's reply could not be used.".to_owned(),
            Self::Deadline(after) => format!(
                "The model took longer than {} seconds and was stopped.",
                after.as_secs_f32().ceil()
            ),
        }
    }

    /// What the person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Model(fault) => fault.hint(),
            Self::Unusable(_) => {
                "Ask again, or choose another model in Settings, Models (`adjutant models add`)."
            }
            Self::Deadline(_) => {
                "Ask again, or give it more time with the setting `models.deadline_seconds`."
            }
        }
    }
}

impl From<&Failed> for UserFault {
    fn from(failed: &Failed) -> Self {
        Self::new("model", failed.sentence(), failed.hint())
    }
}

/// How long stages may take, whichever models are tried for them. Each request says its own, and the models in front of
/// it share it out, so that one that sends nothing leaves the next its time. The person is told what is waited for, and
/// can stop it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadlines {
    /// `route` and `resume`: small questions; plain conversation does not wait longer for them.
    pub small: Duration,
    /// `plan`.
    pub plan: Duration,
    /// `extract`, `critique` and what nobody waits for.
    pub middle: Duration,
    /// `respond`, `refine` and `tone`.
    pub answer: Duration,
}

/// The longest deadline of a small question.
const SMALL_MAX: Duration = Duration::from_secs(30);
/// The usual deadline of everything else; a local model that is loaded first takes minutes.
const USUAL: Duration = Duration::from_secs(180);
/// What is waited beyond a deadline, at most, for the models to tell why they gave up at it.
const TELL_WHY_MAX: Duration = Duration::from_secs(5);
/// The part of a deadline that is waited beyond it.
const TELL_WHY_PART: u32 = 10;

impl Default for Deadlines {
    fn default() -> Self {
        Self::of_whole(USUAL)
    }
}

impl Deadlines {
    /// The deadlines where a reply may take so long.
    #[must_use]
    pub fn of_whole(whole: Duration) -> Self {
        Self {
            small: whole.min(SMALL_MAX),
            plan: whole,
            middle: whole,
            answer: whole,
        }
    }

    /// The deadline of a stage.
    #[must_use]
    pub fn of(&self, stage: Stage) -> Duration {
        match stage {
            Stage::Route | Stage::Resume => self.small,
            Stage::Plan => self.plan,
            Stage::Extract
            | Stage::Critique
            | Stage::Summarise
            | Stage::Embed
            | Stage::Probe
            | Stage::Intake
            | Stage::Kickoff
            | Stage::Evaluate
            | Stage::Search
            | Stage::Reflect
            | Stage::Document
            | Stage::Synthesise => self.middle,
            Stage::Respond | Stage::Refine | Stage::Tone => self.answer,
        }
    }

    /// When a stage is stopped although the models behind it did not keep its deadline themselves.
    #[must_use]
    pub fn stop_after(&self, stage: Stage) -> Duration {
        let whole = self.of(stage);
        whole + (whole / TELL_WHY_PART).min(TELL_WHY_MAX)
    }
}

/// How models are used; settings, which may change between turns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelPreferences {
    /// The tone answers are put into, in the person's words; empty: none.
    pub tone: String,
    /// No critique and no refinement, however hard the request is.
    pub no_critique: bool,
    /// How long stages may take.
    pub deadlines: Deadlines,
}
