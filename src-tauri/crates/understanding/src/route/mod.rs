//! Routing: which domains a message needs, whether it continues the conversation, and how certain that is.
//!
//! Phrases with weights in `data/route/*.txt` are evidence for topics. [`score`] weighs it clause by clause, so that a
//! request of several parts gets several domains; [`calibrate`] turns the lead of the winner into a probability. This
//! needs no model and no embedding, and takes a few hundred microseconds at most. A [`Similarity`], where one is
//! available, compares what stays unsure with the built-in examples.

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

/// Maximum number of bytes to read of a message. A request says early what it wants; pasted text follows.
pub const ROUTE_BYTES_MAX: usize = 4096;

/// Below this probability a reading is unsure, and a model, if there is one, is asked as well.
pub const UNSURE_BELOW: f64 = 0.6;

/// Maximum number of earlier turns to read.
const HISTORY_MAX: usize = 6;

/// One earlier turn of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EarlierMessage<'a> {
    /// True if the person said it, false if the assistant did.
    pub by_person: bool,
    /// Text of the message.
    pub text: &'a str,
}

/// What a phrase is evidence for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// A domain with tools.
    Domain(Domain),
    /// Plain conversation.
    Chat,
    /// A subject that no domain has tools for.
    Nowhere,
}

/// One phrase that was found, for explanations.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evidence {
    /// The topic it is evidence for.
    pub topic: Topic,
    /// The phrase as written in its table, or the text of a similar example.
    pub phrase: &'static str,
    /// Strength in the units of the table, negative if it speaks against the topic; for an example, the cosine.
    pub weight: f32,
    /// Place in the message, in bytes.
    pub span: Range<usize>,
}

/// A routed message with its reasons.
#[derive(Debug, Clone, PartialEq)]
pub struct RoutedMessage {
    /// The route, which the rest of the assistant uses.
    pub route: Route,
    /// Whether a second opinion is worth its price.
    pub unsure: bool,
    /// The phrases that counted, strongest first.
    pub evidence: Vec<Evidence>,
    /// Language of the message. If it is not English, the route is empty and unsure.
    pub language: Language,
}

/// Routes a message, given the earlier messages (oldest first).
#[must_use]
pub fn route(message: &str, history: &[EarlierMessage<'_>]) -> RoutedMessage {
    let text = Text::read(truncate(message, ROUTE_BYTES_MAX).0);
    read(&text, history)
}

/// Routes a message. If the phrases leave it unsure, the examples that it resembles decide, provided they agree.
#[must_use]
pub fn route_with(
    message: &str,
    history: &[EarlierMessage<'_>],
    similarity: &dyn Similarity,
) -> RoutedMessage {
    let mut reading = route(message, history);
    similar::look_again(
        &mut reading,
        truncate(message, ROUTE_BYTES_MAX).0,
        similarity,
    );
    reading
}

/// Routes a message that is already split into tokens.
#[must_use]
pub fn read(text: &Text<'_>, history: &[EarlierMessage<'_>]) -> RoutedMessage {
    let language = language(text);
    if language == Language::Other {
        return foreign();
    }
    let scored = score::score(text);
    let recent = &history[history.len().saturating_sub(HISTORY_MAX)..];
    let follow_up = follow::decide(text, recent, &scored);
    let mut domains = scored.domains.clone();
    if follow_up.follows && !scored.speaks_for_itself() {
        domains = follow::inherit(&domains, recent);
    }
    domains.sort_by_key(|domain| domain.as_str());
    domains.dedup();
    let confidence = calibrate::confidence(&scored, follow_up.follows);
    let kind = match (follow_up.follows, domains.is_empty()) {
        (true, _) => RouteKind::Followup,
        (false, true) => RouteKind::Chat,
        (false, false) => RouteKind::Action,
    };
    RoutedMessage {
        route: Route {
            kind,
            domains,
            is_followup: follow_up.follows,
            confidence,
            by: "embedded".to_owned(),
        },
        unsure: confidence < UNSURE_BELOW,
        evidence: scored.evidence,
        language,
    }
}

fn foreign() -> RoutedMessage {
    RoutedMessage {
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

/// One line of the `route` suite, without its timing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Prediction {
    /// `chat`, `action` or `followup`.
    #[serde(rename = "type")]
    pub kind: RouteKind,
    /// Domain names, sorted.
    pub domains: Vec<Domain>,
    /// Whether the message depends on the conversation.
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
