//! "More": continues a list where the answer before it stopped.

use adjutant_domain::focus::Rest;
use adjutant_domain::ids::StepKey;
use adjutant_domain::plan::{PlanDraft, StepDraft};
use adjutant_domain::reading::{Reading, TraceLine, Utterance};
use adjutant_domain::route::{Domain, Route, RouteKind};
use adjutant_domain::tool::ToolSpec;
use adjutant_text::spoken_words;

/// Words that ask for what comes next; a request has exactly one of them.
const NEXT: &[&str] = &["more", "next", "rest", "others", "remaining"];
/// Words that may accompany them.
const BESIDE: &[&str] = &[
    "and", "are", "can", "give", "i", "list", "me", "now", "of", "ok", "okay", "ones", "please",
    "see", "show", "some", "tell", "the", "them", "then", "yes",
];

/// Returns the route that [`Router`](adjutant_domain::reading::Router) gives a request for more, or `None` if the
/// message asks for something else or nothing is left to show.
pub(crate) fn route(said: &Utterance<'_>) -> Option<Route> {
    let lists = lists(said)?;
    let mut domains: Vec<Domain> = lists.iter().map(|(_, tool)| tool.domain).collect();
    domains.sort_unstable();
    domains.dedup();
    Some(Route {
        kind: RouteKind::Followup,
        domains,
        is_followup: true,
        confidence: 1.0,
        by: "embedded".into(),
    })
}

/// Returns the plan that continues each list of the latest answer.
pub(crate) fn plan(said: &Utterance<'_>) -> Option<Reading> {
    let lists = lists(said)?;
    let steps = lists.iter().enumerate().map(|(at, (rest, _))| StepDraft {
        key: StepKey(format!("s{}", at + 1)),
        say: "Go on with the list".into(),
        tool: rest.tool.clone(),
        args: rest.args.clone(),
        ..StepDraft::default()
    });
    Some(Reading::Plan {
        plan: PlanDraft {
            request: "Go on with the list".into(),
            steps: steps.collect(),
        },
        trace: vec![TraceLine {
            span: None,
            what: "action".into(),
            value: "more".into(),
        }],
    })
}

fn lists<'a>(said: &Utterance<'a>) -> Option<Vec<(&'a Rest, &'a ToolSpec)>> {
    if said.focus.rest.is_empty() || !asks_for_more(said.text) {
        return None;
    }
    let tool = |rest: &Rest| said.tools.iter().find(|tool| tool.name == rest.tool);
    let lists = said.focus.rest.iter();
    let lists: Vec<_> = lists.filter_map(|rest| Some((rest, tool(rest)?))).collect();
    (!lists.is_empty()).then_some(lists)
}

fn asks_for_more(text: &str) -> bool {
    let words = spoken_words(text);
    let is = |word: &String, list: &[&str]| list.contains(&word.as_str());
    words.len() <= 8
        && words.iter().filter(|word| is(word, NEXT)).count() == 1
        && words.iter().all(|word| is(word, NEXT) || is(word, BESIDE))
}

#[cfg(test)]
mod tests {
    use super::asks_for_more;

    #[test]
    fn more_alone_goes_on_and_more_of_something_does_not() {
        for text in [
            "more",
            "More!",
            "more please",
            "show me more",
            "Show me the rest, please.",
            "next",
            "and the others?",
            "can I see some more of them",
        ] {
            assert!(asks_for_more(text), "{text}");
        }
        for text in [
            "",
            "please",
            "more mails from Ana",
            "tell me more about Ana",
            "next week",
            "no more",
            "show the next meeting",
            "more more more more more more more more more",
        ] {
            assert!(!asks_for_more(text), "{text}");
        }
    }
}
