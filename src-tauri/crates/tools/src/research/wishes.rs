//! The wishes for the result of a research: what the person calls a good result, and which wishes do not go together.

use std::collections::BTreeSet;

/// Words that turn a wish into its opposite.
const NEGATIONS: &[&str] = &["no", "not", "without", "never", "none", "don't", "avoid"];

/// Words of wishes that do not go together; folded.
const SHORT: &[&str] = &["short", "brief", "concise"];
const DETAILED: &[&str] = &["exhaustive", "comprehensive", "detailed"];

/// The choices between such wishes.
const LENGTHS: [&str; 2] = ["A short answer", "A detailed answer"];

/// Two wishes that do not go together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Conflict {
    /// One wish denies another.
    Denied([String; 2]),
    /// The report shall be both short and detailed.
    Length,
}

impl Conflict {
    /// Returns the choices that settle it.
    pub(super) fn choices(&self) -> [String; 2] {
        match self {
            Self::Denied(wishes) => wishes.clone(),
            Self::Length => LENGTHS.map(str::to_owned),
        }
    }
}

/// Returns the first conflict between wishes.
pub(super) fn conflict(wishes: &[String]) -> Option<Conflict> {
    let denied =
        denied(wishes).map(|(one, other)| Conflict::Denied([one.to_owned(), other.to_owned()]));
    denied.or_else(|| {
        let says = |words| wishes.iter().any(|wish| has(wish, words));
        (says(SHORT) && says(DETAILED)).then_some(Conflict::Length)
    })
}

/// Returns the wishes after the person answered which of the conflicting ones counts. An answer that is none of the
/// choices replaces all wishes.
pub(super) fn settled(wishes: &[String], conflict: &Conflict, answer: &str) -> Vec<String> {
    let choices = conflict.choices();
    let Some(chosen) = choices.iter().find(|choice| *choice == answer.trim()) else {
        return split(answer);
    };
    match conflict {
        Conflict::Denied(_) => {
            let lost = |wish: &&String| choices.contains(*wish) && *wish != chosen;
            wishes.iter().filter(|wish| !lost(wish)).cloned().collect()
        }
        Conflict::Length => {
            let speaks = |wish: &&String| has(wish, SHORT) || has(wish, DETAILED);
            let others = wishes.iter().filter(|wish| !speaks(wish)).cloned();
            std::iter::once(chosen.clone()).chain(others).collect()
        }
    }
}

/// Splits a text into wishes, at line breaks and semicolons.
pub(super) fn split(text: &str) -> Vec<String> {
    text.split(['\n', ';'])
        .map(|one| one.trim().trim_start_matches(['-', '*', '•']).trim())
        .filter(|one| !one.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Returns two wishes that differ only in a negation.
fn denied(wishes: &[String]) -> Option<(&str, &str)> {
    let read = |text: &str| {
        let (no, rest): (BTreeSet<String>, BTreeSet<String>) = adjutant_text::words(text)
            .into_iter()
            .map(|word| word.to_string())
            .partition(|word| NEGATIONS.contains(&word.as_str()));
        (!no.is_empty(), rest)
    };
    let all: Vec<_> = wishes.iter().map(|one| (one, read(one))).collect();
    all.iter().enumerate().find_map(|(at, (one, (no, words)))| {
        let against = |(_, (other_no, other)): &&(&String, (bool, BTreeSet<String>))| {
            other_no != no && other == words && !words.is_empty()
        };
        let (other, _) = all.iter().skip(at + 1).find(against)?;
        Some((one.as_str(), other.as_str()))
    })
}

fn has(wish: &str, list: &[&str]) -> bool {
    adjutant_text::words(wish)
        .iter()
        .any(|word| list.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_cannot_be_short_and_detailed() {
        let wishes = split("a short report; prices in euro; every source, exhaustive");
        let found = conflict(&wishes).expect("they do not go together");
        assert_eq!(found.choices(), ["A short answer", "A detailed answer"]);
        let settled = settled(&wishes, &found, "A short answer");
        assert_eq!(settled, ["A short answer", "prices in euro"]);
        assert_eq!(conflict(&settled), None);
    }

    #[test]
    fn the_wish_that_was_not_chosen_is_dropped() {
        let wishes = split("prices in euro; with pictures; no prices in euro");
        let found = conflict(&wishes).expect("one denies the other");
        assert_eq!(found.choices(), ["prices in euro", "no prices in euro"]);
        let left = settled(&wishes, &found, "prices in euro");
        assert_eq!(left, ["prices in euro", "with pictures"]);
        let other = settled(&wishes, &found, "prices in dollars; a table");
        assert_eq!(other, ["prices in dollars", "a table"]);
    }
}
