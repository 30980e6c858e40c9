//! The suite of whole requests: the real engine, tools and storage with a made-up week, in a temporary folder.
//!
//! What counts is the outcome of a request: what was done, what waits for approval and what its card shows, and what
//! the answer says. A request that should change nothing passes only if nothing was done and nothing waits.

use std::collections::BTreeMap;

use adjutant_api::Fault;
use adjutant_api::scoreboard::{Miss, SuiteScore};
use adjutant_domain::event::TurnEvent;
use adjutant_engine::{Engine, Op};
use jiff::Zoned;
use serde::Deserialize;
use serde_json::{Value, json};

use super::fault;
use super::figures::{Tally, share};
use super::suites::cases;
use crate::compose::{self, Composed};
use crate::profile::Options;
use crate::sample;

const REQUESTS: &str = include_str!("cases/requests.jsonl");

/// The moment of every request: a Monday morning.
const NOW: &str = "2026-01-12T09:00:00+01:00[Europe/Paris]";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    text: String,
    expect: Expected,
}

/// The expected outcome of a request. Words are compared ignoring case; `a|b` matches either.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Expected {
    /// At least one of these tools did something.
    did: Vec<String>,
    /// At least one of these tools waits for approval.
    asks: Vec<String>,
    /// Nothing was done and nothing waits.
    idle: bool,
    /// Expected arguments of the call that did something.
    args: BTreeMap<String, String>,
    /// Words on the card.
    shows: Vec<String>,
    /// Words in the answer.
    says: Vec<String>,
}

/// The actual outcome of a request.
#[derive(Debug, Default)]
struct Outcome {
    /// Tool and arguments of everything that was done.
    did: Vec<(String, Value)>,
    /// Tool and card of everything that waits.
    asks: Vec<(String, String)>,
    answer: String,
}

/// Runs all requests one after another, each in its own conversation.
pub(super) fn run() -> Result<SuiteScore, Fault> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| fault(format!("The sandbox cannot start: {error}.")))?;
    runtime.block_on(in_sandbox())
}

async fn in_sandbox() -> Result<SuiteScore, Fault> {
    let folder = tempfile::tempdir()
        .map_err(|error| fault(format!("The sandbox has no folder: {error}.")))?;
    let engine = engine(folder.path()).await?;
    let (mut tally, mut wrong, mut unasked) = (Tally::default(), 0_u32, 0_u32);
    let (mut idle, mut idle_right) = (0, 0);
    for case in cases::<Case>(REQUESTS) {
        let (outcome, micros) = asked(&engine, &case).await?;
        let right = case.expect.holds(&outcome);
        if case.expect.idle {
            idle += 1;
            idle_right += u64::from(right);
        }
        wrong += u32::from(case.expect.is_wrong(&outcome));
        unasked += u32::from(case.expect.is_unasked(&outcome));
        let miss = (!right).then(|| Miss {
            expected: case.expect.words(),
            got: outcome.words(),
            id: case.id,
            text: case.text,
        });
        tally.add(micros, miss);
    }
    engine.close().await;
    let figures = [
        ("wrong", f64::from(wrong)),
        ("unasked", f64::from(unasked)),
        ("left_alone", share(idle_right, idle)),
    ];
    Ok(tally.score("requests", &figures))
}

async fn engine(folder: &std::path::Path) -> Result<Engine, Fault> {
    let now: Zoned = NOW
        .parse()
        .map_err(|_| fault("The clock of the sandbox cannot be set.".to_owned()))?;
    let options = Options {
        now: Some(now.clone()),
        offline: true,
        ..Options::default()
    };
    let Composed {
        engine,
        store,
        entropy,
        layers,
        ..
    } = compose::compose(folder, &options).await?;
    let mut settings = layers.all().core;
    let (name, email) = sample::OWNER;
    settings.owner.name = name.into();
    settings.owner.emails = vec![email.into()];
    engine.set_settings(settings);
    store
        .import("sample data", sample::records(&now, &*entropy))
        .await
        .map_err(|problem| fault(format!("The sandbox cannot be filled: {problem}.")))?;
    Ok(engine)
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is what measures how long requests take"
)]
async fn asked(engine: &Engine, case: &Case) -> Result<(Outcome, u64), Fault> {
    let start = std::time::Instant::now();
    let op = Op::Ask {
        conversation: case.id.as_str().into(),
        text: case.text.clone(),
        tier: None,
    };
    let events = engine
        .submit(op)
        .await
        .map_err(|problem| fault(problem.to_string()))?
        .collect()
        .await;
    let micros = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
    let mut outcome = Outcome::default();
    let mut calls = BTreeMap::new();
    for live in events {
        match &live.event {
            TurnEvent::ToolCall { step, tool, args } => {
                calls.insert(step.clone(), (tool.clone(), args.clone()));
            }
            TurnEvent::ToolResult {
                step,
                receipt: Some(_),
                ..
            } => outcome.did.extend(calls.get(step).cloned()),
            TurnEvent::ApprovalNeeded { tool, shown, .. } => {
                outcome.asks.push((tool.clone(), json!(shown).to_string()));
            }
            TurnEvent::Question { text, .. } => {
                outcome.answer.push_str(text);
                outcome.answer.push('\n');
            }
            TurnEvent::Done { answer, .. } | TurnEvent::Waiting { answer, .. } => {
                outcome.answer.push_str(answer);
            }
            TurnEvent::Error { fault } => outcome.answer.push_str(&fault.to_string()),
            _ => {}
        }
    }
    Ok((outcome, micros))
}

impl Expected {
    fn holds(&self, outcome: &Outcome) -> bool {
        if self.idle {
            return outcome.did.is_empty() && outcome.asks.is_empty();
        }
        let done = outcome.did.iter().find(|(tool, _)| self.did.contains(tool));
        let asked = outcome
            .asks
            .iter()
            .find(|(tool, _)| self.asks.contains(tool));
        let cards: String = outcome.asks.iter().map(|(_, card)| card.as_str()).collect();
        (self.did.is_empty() || done.is_some_and(|(_, args)| self.fits(args)))
            && (self.asks.is_empty() || asked.is_some())
            && self.shows.iter().all(|words| has(&cards, words))
            && self.says.iter().all(|words| has(&outcome.answer, words))
            && !self.is_wrong(outcome)
    }

    fn fits(&self, args: &Value) -> bool {
        self.args.iter().all(|(key, wanted)| {
            args[key]
                .as_str()
                .is_some_and(|value| value.to_lowercase() == wanted.to_lowercase())
        })
    }

    /// Tells whether anything else than expected was done or waits for approval.
    fn is_wrong(&self, outcome: &Outcome) -> bool {
        self.is_unasked(outcome)
            || outcome
                .asks
                .iter()
                .any(|(tool, _)| !self.asks.contains(tool))
    }

    /// Tells whether anything else than expected was done without approval.
    fn is_unasked(&self, outcome: &Outcome) -> bool {
        outcome.did.iter().any(|(tool, _)| !self.did.contains(tool))
    }

    fn words(&self) -> String {
        if self.idle {
            return "nothing".to_owned();
        }
        let lists = [
            ("did", &self.did),
            ("asks", &self.asks),
            ("shows", &self.shows),
            ("says", &self.says),
        ];
        let mut parts: Vec<String> = lists
            .iter()
            .filter(|(_, list)| !list.is_empty())
            .map(|(name, list)| format!("{name} {}", list.join(", ")))
            .collect();
        parts.extend(
            self.args
                .iter()
                .map(|(key, value)| format!("{key} = {value}")),
        );
        parts.join("; ")
    }
}

/// Tells whether a text contains one of the alternatives, separated by `|`.
fn has(text: &str, alternatives: &str) -> bool {
    let text = text.to_lowercase();
    alternatives
        .split('|')
        .any(|words| text.contains(&words.to_lowercase()))
}

impl Outcome {
    fn words(&self) -> String {
        let mut parts: Vec<String> = self
            .did
            .iter()
            .map(|(tool, args)| format!("did {tool} {args}"))
            .collect();
        parts.extend(self.asks.iter().map(|(tool, _)| format!("asks {tool}")));
        if !self.answer.is_empty() {
            parts.push(format!("says {}", self.answer.trim()));
        }
        parts.join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(did: &[&str], asks: &[(&str, &str)], answer: &str) -> Outcome {
        Outcome {
            did: did
                .iter()
                .map(|tool| ((*tool).to_owned(), json!({ "title": "Buy stamps" })))
                .collect(),
            asks: asks
                .iter()
                .map(|(tool, card)| ((*tool).to_owned(), (*card).to_owned()))
                .collect(),
            answer: answer.to_owned(),
        }
    }

    fn expected(text: &str) -> Expected {
        serde_json::from_str(text).expect("an expectation")
    }

    #[test]
    fn every_line_is_a_case_and_expects_something() {
        let all = cases::<Case>(REQUESTS);
        assert_eq!(all.len(), REQUESTS.lines().count());
        assert!(all.len() >= 60);
        for case in all {
            let expect = &case.expect;
            let anything =
                !expect.did.is_empty() || !expect.asks.is_empty() || !expect.says.is_empty();
            assert_ne!(anything, expect.idle, "{}", case.id);
        }
    }

    #[test]
    fn only_what_was_asked_for_counts() {
        let create = expected(r#"{"did": ["task.create"], "args": {"title": "buy stamps"}}"#);
        assert!(create.holds(&outcome(&["task.create"], &[], "")));
        assert!(!create.holds(&outcome(&[], &[], "")), "nothing was done");
        assert!(!create.holds(&outcome(&["task.create", "note.create"], &[], "")));
        assert!(
            !expected(r#"{"did": ["task.create"], "args": {"title": "x"}}"#).holds(&outcome(
                &["task.create"],
                &[],
                ""
            ))
        );
    }

    #[test]
    fn a_card_must_show_what_it_is_about() {
        let send = expected(r#"{"asks": ["email.send"], "shows": ["priya@"]}"#);
        assert!(send.holds(&outcome(
            &[],
            &[("email.send", "To: Priya@kelm.example")],
            ""
        )));
        assert!(!send.holds(&outcome(
            &[],
            &[("email.send", "To: mara@kelm.example")],
            ""
        )));
        assert!(!send.holds(&outcome(&["email.send"], &[("email.send", "priya@")], "")));
    }

    #[test]
    fn reading_changes_nothing() {
        let read = expected(r#"{"says": ["no|free"]}"#);
        assert!(read.holds(&outcome(&[], &[], "You are Free then.")));
        assert!(!read.holds(&outcome(&[], &[], "Lunch.")));
        assert!(!read.holds(&outcome(&["task.create"], &[], "no")));
        assert!(!expected(r#"{"idle": true}"#).holds(&outcome(&[], &[("x", "")], "")));
    }
}
