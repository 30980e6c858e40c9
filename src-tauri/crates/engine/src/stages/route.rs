//! Decides when the embedded route is good enough and how to use it.

use std::collections::BTreeSet;

use adjutant_domain::route::{Domain, Route, RouteKind};

/// Below this confidence the embedded route is unsure, and a model, if connected, is asked as well. The same threshold
/// as the router's own (docs/UNDERSTANDING.md has the measured reliability).
pub const UNSURE_BELOW: f64 = 0.6;

/// Maximum confidence of the embedded route for a message that is not in English: the router never guesses at those.
pub const FOREIGN_AT_MOST: f64 = 0.3;

/// Whether the embedded route needs no second opinion. A question about the world, rather than the person's own things,
/// without any sign of a tool is conversation: routing it again would only cost time. If servers offer tools, which the
/// embedded router does not know, it cannot tell that none is needed.
#[must_use]
pub fn is_sure(route: &Route, text: &str, has_servers: bool) -> bool {
    if has_servers && route.kind == RouteKind::Chat {
        return false;
    }
    route.confidence >= UNSURE_BELOW
        || (route.kind == RouteKind::Chat
            && route.domains.is_empty()
            && route.confidence > FOREIGN_AT_MOST
            && asks_about_the_world(text))
}

/// Whether the embedded engine gave up on the message's language.
#[must_use]
pub fn is_foreign(route: &Route) -> bool {
    route.kind == RouteKind::Chat && route.domains.is_empty() && route.confidence <= FOREIGN_AT_MOST
}

/// Whether there are tools for any of the domains. Without a tool to look it up, the model answers from its own
/// knowledge. Tools of servers may serve any domain.
#[must_use]
pub fn needs_tools(route: &Route, served: &BTreeSet<Domain>, has_servers: bool) -> bool {
    (has_servers && route.kind == RouteKind::Action)
        || route.domains.iter().any(|domain| served.contains(domain))
}

/// Words that ask for an answer or for a text.
const ASKS: &[&str] = &[
    "what",
    "what's",
    "whats",
    "who",
    "who's",
    "why",
    "how",
    "how's",
    "which",
    "is",
    "are",
    "does",
    "do",
    "explain",
    "define",
    "describe",
    "translate",
    "summarize",
    "summarise",
    "brainstorm",
    "suggest",
    "imagine",
    "write",
    "compose",
    "tell",
];
/// Words by which people refer to their own things, which tools may know.
const OWN: &[&str] = &[
    "i", "i'm", "i've", "i'd", "i'll", "my", "me", "mine", "we", "we're", "our", "ours", "us",
];

fn asks_about_the_world(text: &str) -> bool {
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| {
            word.trim_matches(|char: char| !char.is_alphanumeric())
                .to_lowercase()
                .replace('\u{2019}', "'")
        })
        .filter(|word| !word.is_empty())
        .collect();
    let Some(first) = words.first() else {
        return false;
    };
    // In "tell me a story" and "explain to me", the question is not about the asker.
    let about = words
        .iter()
        .enumerate()
        .filter(|(index, word)| !(*word == "me" && *index <= 2));
    let own = about
        .into_iter()
        .any(|(_, word)| OWN.contains(&word.as_str()));
    // Require an English question word: the router cannot judge a question in a language it does not read.
    let asks = |word: &String| ASKS.contains(&word.as_str());
    !own && (asks(first) || (text.trim_end().ends_with('?') && words.iter().any(asks)))
}

#[cfg(test)]
mod tests {
    use super::{asks_about_the_world, is_sure};
    use adjutant_domain::route::{Domain, Route, RouteKind};

    #[test]
    fn a_question_about_the_world_is_not_one_about_ones_own_things() {
        for text in [
            "Why is the sky blue?",
            "Tell me a story about a dragon",
            "Explain photosynthesis",
            "Any idea what a quark is?",
        ] {
            assert!(asks_about_the_world(text), "{text}");
        }
        for text in [
            "Did Ana ever get back to me?",
            "What do I owe the bank?",
            "sort out the thing with Ana",
            "Was steht morgen an?",
            "",
            "?",
        ] {
            assert!(!asks_about_the_world(text) || text == "?", "{text}");
        }
    }

    #[test]
    fn evidence_for_a_tool_is_never_overruled_by_the_form_of_a_question() {
        let mut route = Route {
            kind: RouteKind::Chat,
            domains: Vec::new(),
            is_followup: false,
            confidence: 0.55,
            by: "embedded".into(),
        };
        assert!(is_sure(&route, "Why is the sky blue?", false));
        assert!(!is_sure(&route, "Why is the sky blue?", true));
        route.kind = RouteKind::Action;
        route.domains = vec![Domain::Calendar];
        assert!(!is_sure(&route, "Why is the sky blue?", false));
        route.confidence = 0.61;
        assert!(is_sure(&route, "anything", true));
    }
}
