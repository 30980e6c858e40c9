//! Results of a tool.

pub use crate::answer::Answer;
use crate::faults::ToolFault;
use crate::ids::EffectId;
use crate::job::Job;
use crate::operation::Operation;
use crate::plan::Question;

/// Result of running a tool.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The tool only read.
    Read(Answer),
    /// The tool prepared operations to carry out in this order. The words of its answer become true once all are done.
    Effects {
        /// The operations. Each has its own attempts, outcome and receipt.
        operations: Vec<Operation>,
        /// Words and output once they are done.
        answer: Answer,
        /// The effect that they undo.
        undoes: Option<EffectId>,
    },
    /// The tool starts work that outlasts the turn. The words of its answer become true once the job is stored.
    Started {
        /// The job.
        job: Box<Job>,
        /// Words and output once it is stored.
        answer: Answer,
    },
}

/// Number of lines a list shows in an answer before it only counts the rest.
pub const LINES_MAX: usize = 12;

/// Returns how many lines of a list an answer shows: the number asked for, but at least [`LINES_MAX`].
#[must_use]
pub fn lines_shown(asked: Option<usize>) -> usize {
    asked.unwrap_or(LINES_MAX).max(LINES_MAX)
}

/// Why a call stops before it runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// It cannot be done.
    Fault(ToolFault),
    /// The person has to answer a question first. The answer goes into the arguments and the step runs again.
    Ask(Question),
    /// Nothing fits the description of a thing, but the only choice of the question is clearly the closest one, and the
    /// text of the question says so. A tool that changes things takes it and has the person decide on the card;
    /// everything else asks the question.
    Closest(Question),
}

impl Stop {
    /// Returns a guess as the question about it; leaves everything else as it is.
    #[must_use]
    pub fn or_question(self) -> Self {
        match self {
            Self::Closest(question) => Self::Ask(Question {
                text: format!("{} Do you mean that?", question.text),
                ..question
            }),
            other => other,
        }
    }
}

impl From<ToolFault> for Stop {
    fn from(fault: ToolFault) -> Self {
        Self::Fault(fault)
    }
}
