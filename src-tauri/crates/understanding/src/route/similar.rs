//! A second look at messages that the phrases leave unsure: which built-in examples does a message resemble?
//!
//! The examples are the built-in cases of the router, `data/route/own_cases*.jsonl`. The caller provides the
//! resemblance; without it, the phrases decide alone. docs/UNDERSTANDING.md tells what it is worth.

use std::sync::LazyLock;

use adjutant_text::message::Language;
use serde::Deserialize;

use super::{Domain, Evidence, RouteKind, RoutedMessage, Topic};

/// Number of neighbours that vote.
const NEIGHBOURS: usize = 8;

/// Share of the votes from which the neighbours are believed. Between .65 and .75, with 5 to 12 neighbours, the exact
/// value hardly matters.
const BELIEVED_FROM: f32 = 0.7;

/// The probability that the domains are right if the neighbours agree: less than the measured .96, because the messages
/// of other people resemble the examples less.
const CONFIDENCE: f64 = 0.9;

/// Maximum number of neighbours to report as evidence.
const REASONS_MAX: usize = 3;

/// Compares texts by meaning.
pub trait Similarity: Send + Sync {
    /// Returns the cosine between `text` and each of [`examples`], in their order. Returns `None` if it cannot be
    /// computed, or not in time.
    fn to_examples(&self, text: &str) -> Option<Vec<f32>>;
}

/// Returns the built-in examples in a fixed order.
pub fn examples() -> impl Iterator<Item = &'static str> {
    EXAMPLES.iter().map(|example| example.text.as_str())
}

#[derive(Deserialize)]
struct Example {
    text: String,
    domains: Vec<Domain>,
}

impl Example {
    /// Returns the domain that the example needs, or `None` if it needs none.
    fn domain(&self) -> Option<Domain> {
        self.domains.first().copied()
    }
}

/// The built-in examples with at most one domain. A message that resembles a request for several resembles only a part
/// of it.
static EXAMPLES: LazyLock<Vec<Example>> = LazyLock::new(|| {
    [
        include_str!("../../data/route/own_cases.jsonl"),
        include_str!("../../data/route/own_cases_b.jsonl"),
    ]
    .iter()
    .flat_map(|file| file.lines())
    .filter_map(|line| serde_json::from_str(line).ok())
    .filter(|example: &Example| example.domains.len() <= 1)
    .collect()
});

/// Reviews an unsure reading that is no follow-up and has at most one domain. If the nearest examples agree, their
/// domain becomes the route.
pub(super) fn look_again(reading: &mut RoutedMessage, message: &str, similarity: &dyn Similarity) {
    let route = &reading.route;
    let open = reading.unsure && !route.is_followup && route.domains.len() <= 1;
    if !open || reading.language == Language::Other {
        return;
    }
    let Some(near) = similarity
        .to_examples(message)
        .filter(|cosines| cosines.len() == EXAMPLES.len())
        .map(|cosines| nearest(&cosines))
    else {
        return;
    };
    let Some(domain) = agreed(&near) else { return };
    let route = &mut reading.route;
    route.domains = domain.into_iter().collect();
    route.kind = if domain.is_some() {
        RouteKind::Action
    } else {
        RouteKind::Chat
    };
    route.confidence = CONFIDENCE;
    reading.unsure = false;
    let agreeing = near
        .iter()
        .filter(|(at, _)| EXAMPLES[*at].domain() == domain);
    let reasons = agreeing.take(REASONS_MAX).map(|(at, cosine)| Evidence {
        topic: domain.map_or(Topic::Nowhere, Topic::Domain),
        phrase: &EXAMPLES[*at].text,
        weight: *cosine,
        span: 0..message.len(),
    });
    reading.evidence.splice(0..0, reasons);
}

/// Returns the nearest examples with their cosines, nearest first.
fn nearest(cosines: &[f32]) -> Vec<(usize, f32)> {
    let mut order: Vec<(usize, f32)> = cosines.iter().copied().enumerate().collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    order.truncate(NEIGHBOURS);
    order
}

/// Returns what enough of the neighbours vote for, each with the square of its cosine. `Some(None)` is a vote for no
/// domain.
fn agreed(near: &[(usize, f32)]) -> Option<Option<Domain>> {
    let vote = |(at, cosine): &(usize, f32)| (EXAMPLES[*at].domain(), cosine.max(0.0).powi(2));
    let all: f32 = near.iter().map(|near| vote(near).1).sum();
    let votes_for = |domain| -> f32 {
        let votes = near.iter().map(vote);
        votes
            .filter(|(of, _)| *of == domain)
            .map(|(_, vote)| vote)
            .sum()
    };
    near.iter()
        .map(|near| vote(near).0)
        .find(|domain| all > 0.0 && votes_for(*domain) >= all * BELIEVED_FROM)
}
