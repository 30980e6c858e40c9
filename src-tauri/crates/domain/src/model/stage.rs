//! What a model is asked for, and how much thinking it is worth.

use serde::{Deserialize, Serialize};

/// What a request is for. The names are a contract: they go to the provider as the name of the schema and, on
/// loopback, in the header `x-adjutant-stage`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Which domains a message needs.
    Route,
    /// A plan of typed steps.
    Plan,
    /// What a reply is while a plan waits.
    Resume,
    /// Values out of text that others wrote; no tools.
    Extract,
    /// The answer.
    Respond,
    /// What is wrong with a draft.
    Critique,
    /// The draft, once more, with the critique worked in.
    Refine,
    /// The chosen tone; facts untouched.
    Tone,
    /// Older history in fewer words.
    Summarise,
    /// Vectors.
    Embed,
    /// The test of a connection, on the person's click.
    Probe,
    /// What of a research is missing: what, why, and what success looks like.
    Intake,
    /// The first questions of a research, from its objective alone.
    Kickoff,
    /// Whether a research needs more questions.
    Evaluate,
    /// The next query of a researcher.
    Search,
    /// What a search brought.
    Reflect,
    /// What a researcher found, as a document.
    Document,
    /// The report of a research.
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

    /// The name of the contract.
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

/// How capable, and how dear, a model has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Small and quick: routing, yes and no, extraction.
    Fast,
    /// The usual one: plans and answers.
    Standard,
    /// The best: long or hard work.
    Deep,
}

impl Tier {
    /// From the cheapest to the dearest.
    pub const ALL: [Self; 3] = [Self::Fast, Self::Standard, Self::Deep];

    /// The name in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Standard => "standard",
            Self::Deep => "deep",
        }
    }

    /// The next cheaper one.
    #[must_use]
    pub const fn below(self) -> Option<Self> {
        match self {
            Self::Fast => None,
            Self::Standard => Some(Self::Fast),
            Self::Deep => Some(Self::Standard),
        }
    }
}

/// Who waits for the answer. Background work has a budget of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// A person waits.
    #[default]
    Foreground,
    /// Nobody waits: consolidation, insights, shadow runs.
    Background,
}
