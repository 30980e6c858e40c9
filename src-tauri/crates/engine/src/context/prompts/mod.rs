//! The contexts of the prompts, one file per stage, with the reply that each asks for. The texts are in `prompts/`.

mod answer;
mod extract;
mod plan;
mod probe;
mod research;
mod resume;
mod review;
mod route;
mod schema;

pub use answer::{RespondPrompt, SummarisePrompt, TonePrompt};
pub use extract::{ExtractPrompt, FieldLine};
pub use plan::{AgainView, PlanPrompt, PlanReply, PlanReplyStep};
pub use probe::{ChatProbe, Echo, StructureProbe, ToolsProbe};
pub use research::{
    DocumentPrompt, EvaluatePrompt, IntakePrompt, KickoffPrompt, ReflectPrompt, SearchPrompt,
    SynthesisePrompt,
};
pub use resume::{ResumeKind, ResumePrompt, ResumeReply, StepView};
pub use review::{CritiquePrompt, CritiqueReply, Problem, ProblemKind, RefinePrompt};
pub use route::{RoutePrompt, RouteReply};

#[cfg(test)]
mod tests;
