//! What a tool gives back.

pub use crate::answer::Answer;
use crate::faults::ToolFault;
use crate::ids::EffectId;
use crate::job::Job;
use crate::operation::Operation;
use crate::plan::Question;

/// What a tool gives back when it ran.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It only read.
    Read(Answer),
    /// It wants these operations carried out, in this order. The words in the answer hold once all of them are done.
    Effects {
        /// The operations; each has its own attempts, outcome and receipt.
        operations: Vec<Operation>,
        /// What to say and return once they are done.
        answer: Answer,
        /// The effect they take back.
        undoes: Option<EffectId>,
    },
    /// It wants work begun that outlasts the turn. The words in the answer hold once the job is stored.
    Started {
        /// The job.
        job: Box<Job>,
        /// What to say and return once it is stored.
        answer: Answer,
    },
}

/// Lines a list shows in an answer before it says how many more there are.
pub const LINES_MAX: usize = 12;

/// How many lines of a list an answer shows: as many as were asked for, else [`LINES_MAX`].
#[must_use]
pub fn lines_shown(asked: Option<usize>) -> usize {
    asked.unwrap_or(LINES_MAX).max(LINES_MAX)
}

/// Why a call stops before it runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// It cannot be done.
    Fault(ToolFault),
    /// The person has to say which or what; the answer is put into the arguments and the step runs again.
    Ask(Question),
}

impl From<ToolFault> for Stop {
    fn from(fault: ToolFault) -> Self {
        Self::Fault(fault)
    }
}
