//! The parts of the brain document.

mod question;
mod report;
mod source;

pub use question::{
    Confidence, Decision, Delta, DocumentSource, Entry, NextStep, Phase, Question,
    QuestionDocument, QuestionId, QuestionState, Recommendation, Reflection,
};
pub use report::{Answered, Claim, Contradiction, Cut, Report, ReportSource, Verdict, WrittenBy};
pub use source::{Hit, Page, PageRef};
