//! The suites that need no profile: routing, times, and yes-or-no answers.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use adjutant_api::scoreboard::{Miss, SuiteScore};
use adjutant_understanding::{confirm, route as routing, time};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::figures::{Tally, share};

const ROUTE: &str = include_str!("cases/route.jsonl");
const WHEN: &str = include_str!("cases/when.jsonl");
const CONFIRM: &str = include_str!("cases/confirm.jsonl");

#[derive(Debug, Deserialize)]
struct RouteCase {
    id: String,
    text: String,
    /// Sorted; empty for conversation and for requests that nothing here serves.
    domains: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct WhenCase {
    id: String,
    text: String,
    #[serde(rename = "ref")]
    reference: String,
    tz: String,
    expect: ExpectedTime,
}

#[derive(Debug, Deserialize)]
struct ExpectedTime {
    kind: String,
    start: Option<String>,
    end: Option<String>,
    seconds: Option<f64>,
    rrule: Option<String>,
}

#[derive(Debug, Deserialize)]
struct ConfirmCase {
    id: String,
    text: String,
    /// The question that was asked.
    prompt: Option<String>,
    /// `affirmative`, `negative` or `neither`.
    label: String,
}

/// Parses the cases of a file. Skips invalid lines, which cannot be shipped because a test reads all of them.
pub(super) fn cases<T: DeserializeOwned>(lines: &str) -> Vec<T> {
    lines
        .lines()
        .filter(|line| !line.is_empty())
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is what measures how long understanding takes"
)]
pub(super) fn timed<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let start = Instant::now();
    let done = work();
    let micros = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
    (done, micros)
}

/// Runs the routing suite. Also returns each confidence and whether the prediction was right.
pub(super) fn route() -> (SuiteScore, Vec<(f64, bool)>) {
    let (mut tally, mut confidences) = (Tally::default(), Vec::new());
    let (mut chat, mut chat_right) = (0, 0);
    for case in cases::<RouteCase>(ROUTE) {
        let (got, micros) = timed(|| routing::predict(&case.text, &[]));
        let domains: Vec<&str> = got.domains.iter().map(|domain| domain.as_str()).collect();
        let right = domains == case.domains;
        confidences.push((got.confidence, right));
        if case.domains.is_empty() {
            chat += 1;
            chat_right += u64::from(right);
        }
        let miss = (!right).then(|| Miss {
            expected: named(&case.domains),
            got: named(&domains),
            id: case.id,
            text: case.text,
        });
        tally.add(micros, miss);
    }
    let figures = [("routed_nowhere", share(chat_right, chat))];
    (tally.score("route", &figures), confidences)
}

fn named<T: AsRef<str>>(domains: &[T]) -> String {
    if domains.is_empty() {
        return "chat".to_owned();
    }
    domains
        .iter()
        .map(AsRef::as_ref)
        .collect::<Vec<_>>()
        .join(" + ")
}

/// Runs the suite of times in text.
pub(super) fn when() -> SuiteScore {
    let mut tally = Tally::default();
    let mut false_times = 0_u32;
    for case in cases::<WhenCase>(WHEN) {
        let (got, micros) = timed(|| time::eval::predict(&case.text, &case.reference, &case.tz));
        let right = same_time(&case.expect, &got);
        false_times += u32::from(case.expect.kind == "none" && got.kind != "none");
        let miss = (!right).then(|| Miss {
            expected: [
                Some(case.expect.kind),
                case.expect.start,
                case.expect.end,
                case.expect.rrule,
            ]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" "),
            got: json!(got).to_string(),
            id: case.id,
            text: case.text,
        });
        tally.add(micros, miss);
    }
    tally.score("when", &[("false_times", f64::from(false_times))])
}

/// Compares times: instants and intervals by their starting minute, dates by the day, durations by their seconds,
/// recurrences by their rule.
fn same_time(expected: &ExpectedTime, got: &time::eval::Prediction) -> bool {
    let starts = |chars: usize| {
        let cut =
            |text: &Option<String>| text.as_ref().map(|text| text.chars().take(chars).collect());
        cut(&expected.start) == cut(&got.start) as Option<String>
    };
    expected.kind == got.kind
        && match got.kind {
            "instant" | "interval" => starts("2026-01-12T09:00".len()),
            "date" => starts("2026-01-12".len()),
            "duration" => expected.seconds == got.seconds,
            "set" => rule(expected.rrule.as_deref()) == rule(got.rrule.as_deref()),
            _ => true,
        }
}

/// Parses a rule into its parts regardless of order; drops an interval of 1, the default.
fn rule(text: Option<&str>) -> BTreeMap<String, BTreeSet<String>> {
    text.unwrap_or_default()
        .split(';')
        .filter_map(|part| part.split_once('='))
        .filter(|part| *part != ("INTERVAL", "1"))
        .map(|(key, values)| {
            (
                key.to_owned(),
                values.split(',').map(str::to_owned).collect(),
            )
        })
        .collect()
}

/// Runs the suite of yes, no, or neither.
pub(super) fn confirm() -> SuiteScore {
    let mut tally = Tally::default();
    let (mut yes, mut yes_right, mut false_yes) = (0, 0, 0_u32);
    for case in cases::<ConfirmCase>(CONFIRM) {
        let (got, micros) = timed(|| confirm::predict(&case.text, case.prompt.as_deref()));
        let got = json!(got)["label"].as_str().unwrap_or_default().to_owned();
        let right = got == case.label;
        if case.label == "affirmative" {
            yes += 1;
            yes_right += u64::from(right);
        } else {
            false_yes += u32::from(got == "affirmative");
        }
        let miss = (!right).then_some(Miss {
            id: case.id,
            text: case.text,
            expected: case.label,
            got,
        });
        tally.add(micros, miss);
    }
    let figures = [
        ("recall", share(yes_right, yes)),
        ("false_yes", f64::from(false_yes)),
    ];
    tally.score("confirm", &figures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_case() {
        let lines = |text: &str| text.lines().filter(|line| !line.is_empty()).count();
        assert_eq!(cases::<RouteCase>(ROUTE).len(), lines(ROUTE));
        assert_eq!(cases::<WhenCase>(WHEN).len(), lines(WHEN));
        assert_eq!(cases::<ConfirmCase>(CONFIRM).len(), lines(CONFIRM));
        assert!(lines(ROUTE) >= 150 && lines(WHEN) >= 120 && lines(CONFIRM) >= 120);
    }

    #[test]
    fn every_case_says_something_of_its_own() {
        for file in [ROUTE, WHEN, CONFIRM] {
            let mut seen = BTreeSet::new();
            for case in cases::<serde_json::Value>(file) {
                assert!(seen.insert(case["text"].to_string()), "twice: {case}");
            }
        }
    }

    #[test]
    fn rules_are_compared_by_what_they_say() {
        assert_eq!(
            rule(Some("FREQ=WEEKLY;BYDAY=TU,TH")),
            rule(Some("BYDAY=TH,TU;INTERVAL=1;FREQ=WEEKLY"))
        );
        assert_ne!(rule(Some("FREQ=DAILY")), rule(Some("FREQ=DAILY;COUNT=2")));
    }

    #[test]
    fn a_yes_is_never_read_where_none_is() {
        let score = confirm();
        let false_yes = score
            .figures
            .iter()
            .find(|figure| figure.name == "false_yes")
            .map(|figure| figure.value);
        assert_eq!(false_yes, Some(0.0), "{:#?}", score.misses);
    }
}
