//! Research as a pure machine: no I/O, no clock.
//!
//! A person's request becomes a [`Brief`]; only a [`Brief`] that is [`Clear`] starts a [`Run`]. The run is the brain
//! document: it takes what happened ([`Input`]) and returns what to do next ([`Command`]). Every step has a stable key,
//! so that a run restored from storage continues without asking anything twice.

mod brief;
mod claims;
mod document;
mod embedded;
mod intake;
mod lexicon;
mod limits;
mod run;
mod stage;
mod statement;
mod step;

pub use brief::{Brief, Clear, Draft, Missing};
pub use claims::stands;
pub use document::{
    Answered, Claim, Confidence, Contradiction, Cut, Decision, Delta, DocumentSource, Entry, Hit,
    NextStep, Page, PageRef, Phase, Question, QuestionDocument, QuestionId, QuestionState,
    Recommendation, Reflection, Report, ReportSource, Verdict, WrittenBy,
};
pub use intake::{Intake, ProposedQuestion};
pub use limits::{Limits, Prices, Spending};
pub use run::{RestoreFault, Run, Status};
pub use stage::{
    DocumentReply, EvaluateReply, Foreign, IntakeReply, KickoffReply, PlannedQuestion,
    QuestionView, ReflectReply, ReplyClaim, ResultView, SearchReply, SearchView, Stage,
    StageContext, SynthesiseReply,
};
pub use step::{AskStep, Command, Event, Fault, FaultKind, Input, OpenStep, SearchStep, StepKey};
