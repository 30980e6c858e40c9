//! The stages that involve a model: the request, the reply, and how long each may take. Everything here is pure;
//! `turn/driver/model.rs` sends the requests, `turn/machine/model.rs` decides which.
//!
//! | stage | asked when | a bad reply ends in |
//! |---|---|---|
//! | route | the embedded route is unsure and the embedded planner understands nothing | plain conversation |
//! | plan | the embedded planner understands nothing and tools are needed | one retry, then "not understood" |
//! | resume | something waits, and the embedded engine takes the message for neither reply nor request | new request |
//! | extract | a model's plan extracts values from foreign text | the step fails; steps that need it are not done |
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
use extract::ExtractRequest;
use plan::Planned;
use resume::Classified;

/// Maximum length of an answer in characters; the rest is cut off.
pub const ANSWER_CHARS_MAX: usize = 200_000;
/// Maximum number of calls that a reply other than a plan may propose; each goes to the person.
pub const PROPOSALS_MAX: usize = 3;

/// The one call available to a model asked for plain conversation: it says that the message needs a plan.
pub const NEEDS_PLAN: &str = "plan.needed";

/// A request to a stage: typed data, whose wording is in `prompts/`.
#[derive(Clone, Debug, PartialEq)]
pub enum StageRequest {
    /// Asks which domains a message needs.
    Route {
        /// The message.
        text: String,
    },
    /// Asks for a plan.
    Plan {
        /// The message, or its restatement.
        text: String,
        /// Route of the message.
        route: Route,
        /// What else the person said: answers to questions.
        said: Vec<String>,
        /// The previous, unusable reply and what was wrong with it.
        again: Option<Again>,
    },
    /// Asks how a message relates to the waiting request.
    Resume {
        /// The waiting request.
        request: String,
        /// Its plan.
        plan: Box<Plan>,
        /// The first waiting question, if any.
        question: Option<Question>,
    },
    /// Asks for values out of foreign text.
    Extract(Box<ExtractRequest>),
    /// Asks for the answer.
    Respond {
        /// The message.
        text: String,
        /// The plan with its results. `None` for plain conversation.
        results: Option<Box<Plan>>,
        /// How hard the request is.
        complexity: Complexity,
        /// Whether the model may reply that a plan is needed.
        way_out: WayOut,
    },
    /// Asks what is wrong with a draft.
    Critique {
        /// The message.
        text: String,
        /// The draft.
        draft: String,
    },
    /// Asks for an improved draft.
    Refine {
        /// The message.
        text: String,
        /// The draft.
        draft: String,
        /// What is wrong with the draft.
        problems: Vec<String>,
    },
    /// Asks for the draft in the chosen tone.
    Tone {
        /// The draft.
        draft: String,
    },
}

/// What an answering model may do instead of answering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WayOut {
    /// Reply that something must be done or looked up first ([`NEEDS_PLAN`]); the same turn continues with a plan.
    Plan,
    /// Nothing: there is a plan, or one was tried.
    None,
}

/// An unusable reply, for asking again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Again {
    /// The reply as received.
    pub reply: String,
    /// What is wrong with it.
    pub error: String,
}

/// Returns the tier of a stage, given the person's choice for the message. The choice applies to stages that plan and
/// answer; the others keep the tier they need.
pub(crate) const fn chosen(stage: Stage, needed: Tier, wish: Option<Tier>) -> Tier {
    match (stage, wish) {
        (Stage::Plan | Stage::Respond | Stage::Critique | Stage::Refine, Some(wish)) => wish,
        _ => needed,
    }
}

impl StageRequest {
    /// Returns the stage that the request belongs to.
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

    /// Whether the reply is the answer or becomes part of it.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        matches!(
            self,
            Self::Respond { .. } | Self::Critique { .. } | Self::Refine { .. } | Self::Tone { .. }
        )
    }

    /// Returns the tier that the request needs.
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

    /// Returns what is being done, in words for the person.
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
            Self::Tone { .. } => "Adjusting the tone of the answer",
        }
    }
}

/// A parsed and checked reply.
#[derive(Clone, Debug, PartialEq)]
pub enum StageReply {
    /// Reply to [`StageRequest::Route`].
    Route(Route),
    /// Reply to [`StageRequest::Plan`].
    Plan(Planned),
    /// Reply to [`StageRequest::Resume`].
    Resume(Classified),
    /// Reply to [`StageRequest::Extract`].
    Values {
        /// The step that needs the values.
        step: StepKey,
        /// The values by field name.
        values: Value,
    },
    /// Reply to [`StageRequest::Critique`]: the problems found, empty if the draft is good.
    Critique(Vec<String>),
    /// Reply to [`StageRequest::Respond`] with [`WayOut::Plan`]: the message needs a plan.
    NeedsPlan,
    /// Reply to any other request.
    Text {
        /// The text.
        text: String,
        /// Whether the reply was cut off at the token limit.
        cut: bool,
        /// Calls that the model proposed without being asked.
        proposals: Vec<ToolProposal>,
    },
}

/// A call that a model proposes outside of any plan. The gate treats it as if a stranger had asked.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolProposal {
    /// Name of the tool.
    pub tool: String,
    /// Arguments of the call.
    pub args: Value,
}

/// Why there is no usable reply.
#[derive(Clone, Debug, PartialEq)]
pub enum Failed {
    /// There is no reply.
    Model(ModelFault),
    /// The reply cannot be used.
    Unusable(Again),
    /// The stage exceeded its deadline, given here.
    Deadline(Duration),
}

impl Failed {
    /// Returns the failure as a sentence for the person, without a hint.
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

    /// Returns what the person can do about it.
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

/// How long stages may take over all models that are tried. Each request carries its deadline, and the models share it,
/// so that a silent model leaves time for the next. The person sees what is being waited for and can stop it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadlines {
    /// For `route` and `resume`: small questions, which must not delay plain conversation.
    pub small: Duration,
    /// For `plan`.
    pub plan: Duration,
    /// For `extract`, `critique` and all background stages.
    pub middle: Duration,
    /// For `respond`, `refine` and `tone`.
    pub answer: Duration,
}

/// The longest deadline of small questions.
const SMALL_MAX: Duration = Duration::from_secs(30);
/// The default deadline of everything else; loading a local model first can take minutes.
const USUAL: Duration = Duration::from_secs(180);
/// Maximum grace period after a deadline, for models to report why they gave up.
const TELL_WHY_MAX: Duration = Duration::from_secs(5);
/// The grace period is the deadline divided by this.
const TELL_WHY_PART: u32 = 10;

impl Default for Deadlines {
    fn default() -> Self {
        Self::of_whole(USUAL)
    }
}

impl Deadlines {
    /// Returns the deadlines for the case that a reply may take `whole`.
    #[must_use]
    pub fn of_whole(whole: Duration) -> Self {
        Self {
            small: whole.min(SMALL_MAX),
            plan: whole,
            middle: whole,
            answer: whole,
        }
    }

    /// Returns the deadline of a stage.
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

    /// Returns when to stop a stage whose models did not keep its deadline.
    #[must_use]
    pub fn stop_after(&self, stage: Stage) -> Duration {
        let whole = self.of(stage);
        whole + (whole / TELL_WHY_PART).min(TELL_WHY_MAX)
    }
}

/// Preferences for using models; settings that may change between turns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelPreferences {
    /// The tone of answers, in the person's words; empty for none.
    pub tone: String,
    /// Whether to skip critique and refinement, however hard the request is.
    pub no_critique: bool,
    /// How long stages may take.
    pub deadlines: Deadlines,
}
