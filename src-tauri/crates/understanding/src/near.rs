//! Suggests known requests that are most similar to a message that was not understood.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use adjutant_domain::route::Domain;
use adjutant_text::{stem, words};

/// Number of requests that are suggested.
const TOLD_MAX: usize = 2;
/// Score of a shared word.
const WORD: usize = 2;
/// Score of a shared domain.
const DOMAIN: usize = 1;
/// Words too common to show what a request is about.
const SMALL: &[&str] = &[
    "a", "an", "and", "are", "at", "by", "do", "for", "from", "how", "i", "in", "is", "it", "me",
    "my", "of", "on", "or", "that", "the", "this", "to", "was", "what", "when", "will", "with",
    "you", "s", "be",
];

/// A request with its domain and the stems of its meaningful words.
struct Example {
    domain: &'static str,
    request: &'static str,
    words: BTreeSet<String>,
}

static EXAMPLES: LazyLock<Vec<Example>> = LazyLock::new(|| {
    let lines = include_str!("../data/near.txt").lines();
    let examples = lines.filter_map(|line| line.split_once(": "));
    examples
        .filter(|(domain, _)| !domain.starts_with('#'))
        .map(|(domain, request)| Example {
            domain,
            request,
            words: telling(request),
        })
        .collect()
});

/// Returns the example requests most similar to a message of these domains, the most similar first. Examples that share
/// neither a word nor a domain are left out.
pub(crate) fn requests(text: &str, domains: &[Domain]) -> Vec<&'static str> {
    let said = telling(text);
    let worth = |example: &Example| {
        let shared = example.words.intersection(&said).count();
        let routed = domains
            .iter()
            .any(|domain| domain.as_str() == example.domain);
        shared * WORD + usize::from(routed) * DOMAIN
    };
    let mut found: Vec<_> = EXAMPLES.iter().map(|one| (worth(one), one)).collect();
    found.retain(|(worth, _)| *worth > 0);
    found.sort_by_key(|(worth, _)| std::cmp::Reverse(*worth));
    let told = found.into_iter().take(TOLD_MAX);
    told.map(|(_, example)| example.request).collect()
}

fn telling(text: &str) -> BTreeSet<String> {
    let words = words(text).into_iter();
    words
        .filter(|word| !SMALL.contains(&word.as_str()))
        .map(|word| stem(&word))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Embedded;
    use crate::fixture::MessageContext;
    use adjutant_domain::reading::{Planner as _, Reading, Router as _};

    #[test]
    fn every_request_that_is_told_is_understood() {
        let mut around = MessageContext::new();
        for person in ["Ana Ruiz", "Bob Stone", "Kim Lee"] {
            around.directive(&format!("person {person}"));
        }
        let mut wrong = Vec::new();
        for example in EXAMPLES.iter() {
            let said = around.utterance(example.request);
            let read = Embedded.plan(&said, &Embedded.route(&said));
            let asks = |plan: &adjutant_domain::plan::PlanDraft| {
                plan.steps.iter().any(|step| step.question.is_some())
            };
            if !matches!(&read, Reading::Plan { plan, .. } if !asks(plan)) {
                wrong.push(format!("{}: {read:?}", example.request));
            }
        }
        assert!(
            EXAMPLES.len() > 20 && wrong.is_empty(),
            "{}",
            wrong.join("\n")
        );
    }

    #[test]
    fn what_shares_words_is_nearest() {
        let told = requests("shove the dentist reminder a little", &[Domain::Task]);
        assert_eq!(
            told,
            [
                "Remind me to call the dentist tomorrow at 3",
                "Move the reminder 'Call the dentist' to Friday",
            ]
        );
        assert_eq!(requests("grommel the fipsy", &[]), Vec::<&str>::new());
        assert_eq!(requests("", &[]), Vec::<&str>::new());
        let of_domain = requests("grommel the fipsy", &[Domain::Note]);
        assert_eq!(of_domain[0], "Write a note: the boiler needs service");
        assert_eq!(of_domain.len(), 2);
    }
}
