//! Stages of a request to a model, and the tier of model each deserves.

use serde::{Deserialize, Serialize};

/// Purpose of a request. The names are a contract: they go to the provider as the name of the schema and, on loopback,
/// in the header `x-adjutant-stage`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Chooses the domains a message needs.
    Route,
    /// Plans typed steps.
    Plan,
    /// Classifies what the person says while a plan waits.
    Resume,
    /// Extracts values from foreign text, without tools.
    Extract,
    /// Writes the answer.
    Respond,
    /// Finds faults in a draft answer.
    Critique,
    /// Revises the draft to address the critique.
    Refine,
    /// Rewrites the answer in the chosen tone, leaving facts untouched.
    Tone,
    /// Summarises older history.
    Summarise,
    /// Computes embedding vectors.
    Embed,
    /// Tests a connection when the person asks for it.
    Probe,
    /// Finds what a research brief lacks: subject, reason, or what success looks like.
    Intake,
    /// Proposes the first questions of a research run from its objective alone.
    Kickoff,
    /// Decides whether a research run needs more questions.
    Evaluate,
    /// Chooses a researcher's next query.
    Search,
    /// Assesses what a search returned.
    Reflect,
    /// Writes up a researcher's findings as a document.
    Document,
    /// Writes the report of a research run.
    Synthesise,
}

impl Stage {
    /// All stages.
    pub const ALL: [Self; 18] = [
        Self::Route,
        Self::Plan,
        Self::Resume,
        Self::Extract,
        Self::Respond,
        Self::Critique,
        Self::Refine,
        Self::Tone,
        Self::Summarise,
        Self::Embed,
        Self::Probe,
        Self::Intake,
        Self::Kickoff,
        Self::Evaluate,
        Self::Search,
        Self::Reflect,
        Self::Document,
        Self::Synthesise,
    ];

    /// Returns the contractual name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Route => "route",
            Self::Plan => "plan",
            Self::Resume => "resume",
            Self::Extract => "extract",
            Self::Respond => "respond",
            Self::Critique => "critique",
            Self::Refine => "refine",
            Self::Tone => "tone",
            Self::Summarise => "summarise",
            Self::Embed => "embed",
            Self::Probe => "probe",
            Self::Intake => "intake",
            Self::Kickoff => "kickoff",
            Self::Evaluate => "evaluate",
            Self::Search => "search",
            Self::Reflect => "reflect",
            Self::Document => "document",
            Self::Synthesise => "synthesise",
        }
    }
}

/// How capable, and how expensive, a model has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Small and quick: routing, yes-or-no questions, extraction.
    Fast,
    /// The default: plans and answers.
    Standard,
    /// The most capable: long or hard work.
    Deep,
}

impl Tier {
    /// All tiers, cheapest first.
    pub const ALL: [Self; 3] = [Self::Fast, Self::Standard, Self::Deep];

    /// Returns the name used in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Standard => "standard",
            Self::Deep => "deep",
        }
    }

    /// Returns the next cheaper tier, or `None` for the cheapest.
    #[must_use]
    pub const fn below(self) -> Option<Self> {
        match self {
            Self::Fast => None,
            Self::Standard => Some(Self::Fast),
            Self::Deep => Some(Self::Standard),
        }
    }
}

/// Whether somebody waits for the answer. Background work has its own budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// The person waits.
    #[default]
    Foreground,
    /// Nobody waits: consolidation, insights, shadow runs.
    Background,
}
