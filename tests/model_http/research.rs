//! Tests of complete research runs with a scripted model: the requests of each stage, and the effect of good replies
//! and of nonsense.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use crate::program::command;
use crate::server::{Reply, Server, structured};
use crate::web::{Web, words};

const OBJECTIVE: &str = "When was the director of the film The Harbour Lamp born?";
const CRITERION: &str = "a year with its calendar day";
/// Every research event.
const EVENTS: [&str; 10] = [
    "research_brain_initialized",
    "research_brain_strategy",
    "research_question_started",
    "research_question_search_completed",
    "research_question_reflection",
    "research_question_completed",
    "research_synthesizing_started",
    "research_complete",
    "research_doc_updated",
    "research_brain_update",
];

/// Runs a research command and returns the printed lines.
pub fn research(home: &Path, url: &str, words: &[&str]) -> Vec<Value> {
    let output = command(home, url)
        .args(["--offline", "--json"])
        .args(words)
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

fn start(home: &Path, url: &str, web: &Web) -> Vec<Value> {
    choose(home, url, web);
    research(
        home,
        url,
        &[
            "research",
            "start",
            OBJECTIVE,
            "--why",
            "to know",
            "--success",
            CRITERION,
        ],
    )
}

/// Makes the web the search engine of a profile.
pub fn choose(home: &Path, url: &str, web: &Web) {
    let uri = web.uri();
    for (key, value) in [
        ("web.search.engine", "searxng"),
        ("web.searxng.url", uri.as_str()),
    ] {
        let set = command(home, url)
            .args(["--offline", "config", "set", key, value])
            .output()
            .unwrap();
        assert_eq!(set.status.code(), Some(0));
    }
}

/// Returns the last line of a run, with its report and lanes.
pub fn run(lines: &[Value]) -> &Value {
    let last = lines.last().expect("it prints the run");
    assert_eq!(last["row"]["state"], "done", "{last}");
    last
}

/// Returns the replies of a model that plans and writes well: two rounds, and a report.
fn well(web: &Web) -> Vec<(&'static str, Reply)> {
    let planned = |name: &str, question: &str| json!({ "name": name, "question": question, "goal": "a page that says it" });
    let born = "Odile Marchetti (4 March 1911 – 9 May 1990) was an Italian film director.";
    let directed = "The Harbour Lamp is a 1951 film directed by Odile Marchetti.";
    let claim = |text: &str, quote: &str, page: &str| json!({ "text": text, "quote": quote, "source": format!("{}{page}", web.uri()) });
    let document = |claim: Value| {
        structured(&json!({
            "answer": claim["text"], "key_findings": [claim], "limitations": "",
            "confidence": "high", "recommendation": "promising",
        }))
    };
    let mut script = vec![
        (
            "kickoff",
            structured(&json!({
                "strategy": "First the director, then the birthday.",
                "questions": [planned("Director", "Who directed the film The Harbour Lamp?")],
            })),
        ),
        (
            "document",
            document(claim("Odile Marchetti directed it.", directed, "/harbour")),
        ),
        (
            "evaluate",
            structured(&json!({
                "action": "spawn_new", "reasoning": "The birthday is missing.",
                "questions": [planned("Birthday", "When was Odile Marchetti born?")],
            })),
        ),
        (
            "document",
            document(claim(
                "Odile Marchetti was born on 4 March 1911.",
                born,
                "/odile",
            )),
        ),
        (
            "evaluate",
            structured(
                &json!({ "action": "synthesize", "reasoning": "All is there.", "questions": [] }),
            ),
        ),
        (
            "synthesise",
            structured(&json!({
                "answer": "4 March 1911",
                "summary": "Odile Marchetti directed The Harbour Lamp and was born on 4 March 1911.",
                "claims": [
                    claim("Odile Marchetti was born on 4 March 1911.", born, "/odile"),
                    claim("The Harbour Lamp was directed by Odile Marchetti.", directed, "/harbour"),
                    claim("She was born on the moon.", "born on the moon in 1911", "/odile"),
                ],
                "limitations": [],
            })),
        ),
    ];
    for query in [
        "film The Harbour Lamp director",
        "Harbour Lamp film Ancona",
        "director of Harbour Lamp 1951",
        "Odile Marchetti film",
        "Odile Marchetti born",
        "Odile Marchetti Trieste family",
        "Marchetti Italian director birthday",
        "Marchetti 1911",
    ] {
        script.push(("search", structured(&json!({ "query": query }))));
        script.push((
            "reflect",
            structured(&json!({
                "thought": "The director of the film came up.", "delta": "progress", "done": true,
            })),
        ));
    }
    script
}

#[test]
fn a_model_plans_two_rounds_and_writes_the_report() {
    let home = tempfile::tempdir().unwrap();
    let web = Web::new();
    let server = Server::start(well(&web));
    let lines = start(home.path(), &server.url, &web);
    let report = &run(&lines)["report"];
    assert_eq!(report["written_by"], "model", "{report}");
    assert_eq!(report["answer"]["text"], "4 March 1911");
    assert_eq!(report["dropped"], 1, "what no page says is dropped");
    let told: BTreeSet<&str> = lines
        .iter()
        .filter_map(|line| line["event"].as_str())
        .collect();
    for event in EVENTS {
        assert!(told.contains(event), "{event} was not told: {told:?}");
    }
    let stages = server.stages();
    let first: Vec<&str> = stages.iter().map(String::as_str).take(3).collect();
    assert_eq!(first, ["kickoff", "search", "reflect"]);
    for sent in server.arrived() {
        let body = sent.body.to_string();
        let stage = sent.stage.unwrap_or_default();
        let sees_all = ["evaluate", "synthesise"].contains(&stage.as_str());
        assert_eq!(
            body.contains(CRITERION),
            sees_all,
            "{stage} and the criteria"
        );
        if stage == "search" {
            assert!(!body.contains(OBJECTIVE), "a search sees its question only");
        }
    }
    let (queries, _) = web.asked();
    let different: BTreeSet<&String> = queries.iter().collect();
    assert_eq!(different.len(), queries.len(), "{queries:?}");
    let planned = words("Odile Marchetti born");
    assert!(queries.contains(&planned), "{queries:?}");
}

#[test]
fn a_nonsensical_model_does_not_harm_the_report() {
    let web = Web::new();
    let plain = tempfile::tempdir().unwrap();
    let silent = Server::start(Vec::new());
    let without = start(plain.path(), &silent.url, &web);
    let without = run(&without)["report"].clone();
    let home = tempfile::tempdir().unwrap();
    let soup = json!({
        "strategy": "purple", "questions": [{ "name": "x", "question": "why are marbles loud", "goal": "soup" }],
        "query": "marble soup lantern", "thought": "marbles", "delta": "progress", "done": true,
        "action": "spawn_new", "reasoning": "soup", "answer": "Atlantis", "summary": "It is Atlantis.",
        "claims": [{ "text": "Atlantis", "quote": "the city of Atlantis", "source": "https://nowhere.example" }],
        "key_findings": [], "limitations": [], "confidence": "high", "recommendation": "promising",
    });
    let stages = [
        "kickoff",
        "search",
        "reflect",
        "document",
        "evaluate",
        "synthesise",
    ];
    let script = stages
        .iter()
        .flat_map(|stage| (0..40).map(|_| (*stage, structured(&soup))))
        .collect();
    web.forget();
    let server = Server::start(script);
    let lines = start(home.path(), &server.url, &web);
    let (queries, pages) = web.asked();
    let different: BTreeSet<&String> = queries.iter().collect();
    assert_eq!(different.len(), queries.len(), "{queries:?}");
    assert!(pages.values().all(|times| *times == 1), "{pages:?}");
    let report = &run(&lines)["report"];
    assert_eq!(report["answer"]["text"], without["answer"]["text"]);
    assert!(!report.to_string().contains("Atlantis"), "{report}");
    assert!(!server.stages().is_empty());
    let claims = report["claims"].as_array().unwrap();
    let sources: Vec<&str> = claims
        .iter()
        .filter_map(|claim| claim["source"].as_str())
        .collect();
    assert!(
        sources.iter().all(|source| source.starts_with(&web.uri())),
        "{sources:?}"
    );
}

#[test]
fn the_person_confirms_what_a_model_understood() {
    let home = tempfile::tempdir().unwrap();
    let web = Web::new();
    let wish = "old films with lamps, we show them in spring and want their years";
    let server = Server::start(vec![(
        "intake",
        structured(&json!({
            "objective": "old films with lamps", "why": "we show them in spring",
            "criteria": ["their years"], "ask": "", "choices": [],
        })),
    )]);
    choose(home.path(), &server.url, &web);
    let lines = research(home.path(), &server.url, &["research", "start", wish]);
    let shown = lines.last().expect("the run");
    assert_eq!(shown["row"]["state"], "asking", "{shown}");
    assert_eq!(shown["asks"]["missing"], "confirm", "{shown}");
    assert_eq!(shown["why"], "we show them in spring");
    assert_eq!(server.stages(), ["intake"]);
    assert!(
        web.asked().0.is_empty(),
        "nothing is searched before the person says yes"
    );
}
