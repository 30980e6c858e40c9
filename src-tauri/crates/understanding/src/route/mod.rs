//! Routing: which domains a message needs, whether it goes on with what was said, and how sure that is.
//!
//! Phrases with weights in `data/route/*.txt` give evidence per topic; [`score`] weighs it clause by
//! clause, so that a request of several parts gets several domains; [`calibrate`] turns the lead of
//! the winner into a probability. No model, no embedding: a few hundred microseconds at most. What that leaves open may be
//! compared with our own examples, where somebody can ([`Similarity`]).

mod calibrate;
mod follow;
mod score;
mod similar;
mod tables;

use std::ops::Range;

pub use adjutant_domain::route::{Domain, Route, RouteKind};
use serde::{Deserialize, Serialize};
pub use similar::{Similarity, examples};

use adjutant_text::message::{Language, Text, language, truncate};

/// Bytes of a message that routing reads. What a request wants is said early; pasted text follows.
pub const ROUTE_BYTES_MAX: usize = 4096;

/// Below this probability the reading is unsure, and a model, where there is one, is asked as well.
pub const UNSURE_BELOW: f64 = 0.6;

/// Turns of the conversation that are looked at.
const HISTORY_MAX: usize = 6;

/// One earlier turn of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EarlierMessage<'a> {
    /// True for the person, false for the assistant.
    pub by_person: bool,
    /// What was said.
    pub text: &'a str,
}

/// What evidence speaks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// A domain with tools.
    Domain(Domain),
    /// Plain conversation.
    Chat,
    /// Something no domain has tools for.
    Nowhere,
}

/// One phrase that was found, for explanations.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evidence {
    /// What it speaks for.
    pub topic: Topic,
    /// The line of the table, as written.
    pub phrase: &'static str,
    /// How strongly, in the units of the table; negative speaks against.
    pub weight: f32,
    /// Where in the message, in bytes.
    pub span: Range<usize>,
}

/// A routed message with its reasons.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// What the rest of the assistant uses.
    pub route: Route,
    /// True when a second opinion is worth its price.
    pub unsure: bool,
    /// Why: the phrases that counted, strongest first.
    pub evidence: Vec<Evidence>,
    /// Whether the message is in English at all. When it is not, the route is empty and unsure.
    pub language: Language,
}

/// Routes a message, given what was said before it (oldest first).
#[must_use]
pub fn route(message: &str, history: &[EarlierMessage<'_>]) -> Reading {
    let text = Text::read(truncate(message, ROUTE_BYTES_MAX).0);
    read(&text, history)
}

/// Routes a message. What the phrases leave open is decided by the examples it resembles, where they agree.
#[must_use]
pub fn route_with(
    message: &str,
    history: &[EarlierMessage<'_>],
    similarity: &dyn Similarity,
) -> Reading {
    let mut reading = route(message, history);
    similar::look_again(
        &mut reading,
        truncate(message, ROUTE_BYTES_MAX).0,
        similarity,
    );
    reading
}

/// Routes a message that has been read already.
#[must_use]
pub fn read(text: &Text<'_>, history: &[EarlierMessage<'_>]) -> Reading {
    let language = language(text);
    if language == Language::Other {
        return foreign();
    }
    let scored = score::score(text);
    let recent = &history[history.len().saturating_sub(HISTORY_MAX)..];
    let leaning = follow::leaning(text, recent, &scored);
    let mut domains = scored.domains.clone();
    if leaning.follows && !scored.speaks_for_itself() {
        domains = follow::inherit(&domains, recent);
    }
    domains.sort_by_key(|domain| domain.as_str());
    domains.dedup();
    let confidence = calibrate::confidence(&scored, leaning.follows);
    let kind = match (leaning.follows, domains.is_empty()) {
        (true, _) => RouteKind::Followup,
        (false, true) => RouteKind::Chat,
        (false, false) => RouteKind::Action,
    };
    Reading {
        route: Route {
            kind,
            domains,
            is_followup: leaning.follows,
            confidence,
            by: "embedded".to_owned(),
        },
        unsure: confidence < UNSURE_BELOW,
        evidence: scored.evidence,
        language,
    }
}

fn foreign() -> Reading {
    Reading {
        route: Route {
            kind: RouteKind::Chat,
            domains: Vec::new(),
            is_followup: false,
            confidence: calibrate::FOREIGN_CONFIDENCE,
            by: "embedded".to_owned(),
        },
        unsure: true,
        evidence: Vec::new(),
        language: Language::Other,
    }
}

/// One line of the `route` suite, without its time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Prediction {
    /// `chat`, `action` or `followup`.
    #[serde(rename = "type")]
    pub kind: RouteKind,
    /// Domain names, sorted.
    pub domains: Vec<Domain>,
    /// Whether the message leans on the conversation.
    pub is_followup: bool,
    /// Probability that the domains are exactly right.
    pub confidence: f64,
    /// Always `embedded` here.
    pub by: String,
}

/// Predicts one case of the `route` suite.
#[must_use]
pub fn predict(text: &str, history: &[EarlierMessage<'_>]) -> Prediction {
    route(text, history).route.into()
}

impl From<Route> for Prediction {
    fn from(route: Route) -> Self {
        let Route {
            kind,
            domains,
            is_followup,
            confidence,
            by,
        } = route;
        Self {
            kind,
            domains,
            is_followup,
            confidence,
            by,
        }
    }
}

#[cfg(test)]
mod tests;
