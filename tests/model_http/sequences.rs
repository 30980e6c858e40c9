//! The sequences of a research that the first design names, each whole: from the person's first words through the
//! intake and the rounds to the report, with a scripted model. They are a question in words, a question with choices,
//! rounds of parallel questions that build on each other (spawn, then synthesise), and a limit that is reached.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::program::command;
use crate::research::{choose, research, run};
use crate::server::{Reply, Server, structured};
use crate::web::Web;

/// What the model knows of one question: its name, its text, and the page, the claim and the quote that answer it.
struct Known {
    name: &'static str,
    question: &'static str,
    page: &'static str,
    claim: &'static str,
    quote: &'static str,
}

const LAMP: Known = Known {
    name: "Lamp",
    question: "Who directed the film The Harbour Lamp?",
    page: "/harbour",
    claim: "The Harbour Lamp was directed by Odile Marchetti.",
    quote: "The Harbour Lamp is a 1951 film directed by Odile Marchetti.",
};
const STAR: Known = Known {
    name: "Star",
    question: "Who directed the film Northern Star?",
    page: "/star",
    claim: "Northern Star was directed by Henrik Solvang.",
    quote: "Northern Star is a 1949 film directed by Henrik Solvang.",
};
const ODILE: Known = Known {
    name: "Odile",
    question: "When was Odile Marchetti born?",
    page: "/odile",
    claim: "Odile Marchetti was born on 4 March 1911.",
    quote: "Odile Marchetti (4 March 1911 – 9 May 1990) was an Italian film director.",
};
const HENRIK: Known = Known {
    name: "Henrik",
    question: "When was Henrik Solvang born?",
    page: "/henrik",
    claim: "Henrik Solvang was born on 12 June 1903.",
    quote: "Henrik Solvang (12 June 1903 – 1 April 1970) was a Norwegian film director.",
};
const ALL: [&Known; 4] = [&LAMP, &STAR, &ODILE, &HENRIK];
const OBJECTIVE: &str =
    "Which film has the director who was born first, The Harbour Lamp or Northern Star?";

/// Returns the question that a request is about.
fn asked(request: &str) -> &'static Known {
    let known = ALL.iter().find(|one| request.contains(one.question));
    known.expect("a request names its question")
}

fn claim(web: &str, one: &Known) -> Value {
    json!({ "text": one.claim, "quote": one.quote, "source": format!("{web}{}", one.page) })
}

fn planned(round: &[&Known]) -> Value {
    let one = |one: &&Known| json!({ "name": one.name, "question": one.question, "goal": "a page that says it" });
    round.iter().map(one).collect()
}

/// Returns a model that researches these rounds. It chooses a new query for each search, and wants to stop after the
/// first.
fn model(web: &Web, rounds: &[&[&'static Known]]) -> Vec<(&'static str, Reply)> {
    let (first, later) = rounds.split_first().expect("a round");
    let mut script = vec![(
        "kickoff",
        structured(&json!({ "strategy": "First the directors.", "questions": planned(first) })),
    )];
    for round in later {
        let questions = planned(round);
        let reply = json!({ "action": "spawn_new", "reasoning": "A gap.", "questions": questions });
        script.push(("evaluate", structured(&reply)));
    }
    let enough = json!({ "action": "synthesize", "reasoning": "All is there.", "questions": [] });
    script.push(("evaluate", structured(&enough)));
    let searches = AtomicUsize::new(0);
    script.push((
        "search",
        Reply::By(Arc::new(move |request| {
            const DETAILS: [&str; 4] = ["director", "year", "port", "ship"];
            let number = searches.fetch_add(1, Ordering::SeqCst);
            let (detail, one) = (DETAILS[number % DETAILS.len()], asked(request));
            json!({ "query": format!("{} {detail} {number}", one.question) })
        })),
    ));
    script.push((
        "reflect",
        Reply::By(Arc::new(|request| {
            let thought = format!("This answers it: {}", asked(request).claim);
            json!({ "thought": thought, "delta": "progress", "done": true })
        })),
    ));
    let uri = web.uri();
    script.push((
        "document",
        Reply::By(Arc::new(move |request| {
            let one = asked(request);
            json!({
                "answer": one.claim, "key_findings": [claim(&uri, one)], "limitations": "",
                "confidence": "high", "recommendation": "promising",
            })
        })),
    ));
    let uri = web.uri();
    script.push((
        "synthesise",
        Reply::By(Arc::new(move |request| {
            let known = ALL.iter().filter(|one| request.contains(one.claim));
            let claims: Vec<Value> = known.map(|one| claim(&uri, one)).collect();
            json!({ "answer": "Northern Star", "summary": "It is Northern Star.", "claims": claims, "limitations": [] })
        })),
    ));
    script
}

/// A profile with a web and a model.
struct Desk {
    home: tempfile::TempDir,
    web: Web,
    server: Server,
}

impl Desk {
    /// `intake` is what the model reads in the person's first words.
    fn new(intake: Option<Value>, rounds: &[&[&'static Known]]) -> Self {
        let (home, web) = (tempfile::tempdir().unwrap(), Web::new());
        let mut script = model(&web, rounds);
        script.extend(intake.map(|reply| ("intake", structured(&reply))));
        let server = Server::start(script);
        choose(home.path(), &server.url, &web);
        Self { home, web, server }
    }

    fn home(&self) -> &Path {
        self.home.path()
    }

    fn say(&self, words: &[&str]) -> Vec<Value> {
        research(self.home(), &self.server.url, words)
    }

    /// Answers the question of a research, and returns what it asks next: the missing part and the number of choices.
    fn answer(&self, id: &str, text: &str) -> (String, usize) {
        asks(&self.say(&["research", "answer", id, text]))
    }

    /// Checks that nothing was searched, and that no model was asked for more than the intake.
    fn has_only_listened(&self) {
        let stages = self.server.stages();
        assert!(stages.iter().all(|stage| stage == "intake"), "{stages:?}");
        let (queries, pages) = self.web.asked();
        assert!(queries.is_empty() && pages.is_empty(), "{queries:?}");
    }
}

fn asks(lines: &[Value]) -> (String, usize) {
    let shown = lines.last().expect("the run");
    assert_eq!(shown["row"]["state"], "asking", "{shown}");
    let missing = shown["asks"]["missing"].as_str().unwrap().to_owned();
    (missing, shown["asks"]["choices"].as_array().unwrap().len())
}

fn id(lines: &[Value]) -> String {
    let row = &lines.last().expect("the run")["row"];
    row["id"].as_str().unwrap().to_owned()
}

/// Checks the order of a run's events: the document first, each question from its start through searches and
/// reflections in turn to its end, then the report; and returns the questions of each run in the order of their starts.
fn ordered(lines: &[Value]) -> Vec<String> {
    let events: Vec<&Value> = lines
        .iter()
        .filter(|line| line["event"].is_string())
        .collect();
    let name = |event: &Value| event["event"].as_str().unwrap().to_owned();
    let place = |wanted: &str| {
        let found = events.iter().position(|event| name(event) == wanted);
        found.unwrap_or_else(|| panic!("{wanted} was not told"))
    };
    assert!(place("research_brain_initialized") < place("research_brain_strategy"));
    assert!(place("research_synthesizing_started") < place("research_complete"));
    let mut started = Vec::new();
    let mut steps: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for event in &events {
        if let Some(question) = event["question_id"].as_str() {
            if name(event) == "research_question_started" {
                started.push(event["name"].as_str().unwrap().to_owned());
            }
            steps
                .entry(question.to_owned())
                .or_default()
                .push(name(event));
        }
    }
    for (question, steps) in steps {
        let (first, rest) = steps.split_first().expect("a step");
        let (last, between) = rest.split_last().expect("an end");
        assert_eq!(first, "research_question_started", "{question}: {steps:?}");
        assert_eq!(last, "research_question_completed", "{question}: {steps:?}");
        let (pairs, left) = between.as_chunks::<2>();
        assert!(left.is_empty(), "{question}: {steps:?}");
        for pair in pairs {
            let pair = pair.each_ref().map(String::as_str);
            let both = [
                "research_question_search_completed",
                "research_question_reflection",
            ];
            assert_eq!(pair, both, "{question}: {steps:?}");
        }
    }
    started
}

#[test]
fn asks_in_words_until_everything_is_clear() {
    let intake =
        json!({ "objective": "films", "why": "", "criteria": [], "ask": "", "choices": [] });
    let desk = Desk::new(Some(intake), &[&[&LAMP], &[&ODILE]]);
    let begun = desk.say(&["research", "start", "films"]);
    assert_eq!(asks(&begun), ("what".to_owned(), 0));
    let id = id(&begun);
    let wish = "When was the director of the film The Harbour Lamp born?";
    assert_eq!(desk.answer(&id, wish).0, "why");
    assert_eq!(desk.answer(&id, "for a talk on 5 May").0, "success");
    let (confirms, choices) = desk.answer(&id, "her birthday; the year of the film");
    assert_eq!((confirms.as_str(), choices), ("confirm", 2));
    desk.has_only_listened();
    let lines = desk.say(&["research", "answer", &id, "yes"]);
    let shown = run(&lines);
    assert_eq!(
        (&shown["row"]["objective"], &shown["why"]),
        (&json!(wish), &json!("for a talk on 5 May"))
    );
    assert_eq!(
        shown["success"],
        json!(["her birthday", "the year of the film"])
    );
    assert_eq!(ordered(&lines), ["Lamp", "Odile"]);
    assert_eq!(shown["report"]["written_by"], "model");
    assert_eq!(shown["report"]["dropped"], 0, "{shown}");
}

#[test]
fn asks_with_choices_when_wishes_do_not_go_together() {
    let desk = Desk::new(None, &[&[&LAMP, &STAR]]);
    let mut words = vec!["research", "start", OBJECTIVE, "--why", "to know"];
    words.extend([
        "--success",
        "a short report",
        "--success",
        "an exhaustive list of sources",
    ]);
    let begun = desk.say(&words);
    assert_eq!(asks(&begun), ("success".to_owned(), 2));
    let id = id(&begun);
    let chosen = begun.last().unwrap()["asks"]["choices"][0]
        .as_str()
        .unwrap();
    assert_eq!(desk.answer(&id, chosen).0, "confirm");
    desk.has_only_listened();
    let lines = desk.say(&["research", "answer", &id, "yes, please"]);
    assert_eq!(run(&lines)["success"], json!([chosen]));
    ordered(&lines);
    for sent in desk.server.arrived() {
        let (stage, body) = (sent.stage.unwrap_or_default(), sent.body.to_string());
        assert!(
            !body.contains("exhaustive list"),
            "{stage} sees what was not chosen"
        );
        let sees = ["evaluate", "synthesise"].contains(&stage.as_str());
        assert_eq!(body.contains(chosen), sees, "{stage} and the choice");
    }
}

#[test]
fn later_rounds_build_on_earlier_ones_and_researchers_are_alone() {
    let desk = Desk::new(None, &[&[&LAMP, &STAR], &[&ODILE, &HENRIK]]);
    let words = [
        "research",
        "start",
        OBJECTIVE,
        "--why",
        "to know",
        "--success",
        "the title",
    ];
    let lines = desk.say(&words);
    let shown = run(&lines);
    assert_eq!(ordered(&lines), ["Lamp", "Star", "Odile", "Henrik"]);
    let claims = shown["report"]["claims"].as_array().unwrap();
    let claimed = |one: &Known| claims.iter().any(|claim| claim["text"] == one.claim);
    assert!(ALL.into_iter().all(claimed), "{claims:?}");
    assert_eq!(shown["report"]["answer"]["text"], "Northern Star");
    for lane in shown["lanes"].as_array().unwrap() {
        let searches = lane["steps"].as_array().unwrap().iter();
        let searches = searches.filter(|step| step["step"] == "search").count();
        assert_eq!(
            searches, 4,
            "done after the first, but four are the least: {lane}"
        );
    }
    let mut evaluations = 0;
    for sent in desk.server.arrived() {
        let (stage, body) = (sent.stage.unwrap_or_default(), sent.body.to_string());
        let names =
            |text: fn(&Known) -> &str| ALL.iter().filter(|one| body.contains(text(one))).count();
        match stage.as_str() {
            "kickoff" => assert_eq!(names(|one| one.question), 0),
            "evaluate" => {
                evaluations += 1;
                let (asked, documents) = (names(|one| one.question), names(|one| one.claim));
                assert_eq!((asked, documents), (2 * evaluations, 2 * evaluations));
            }
            "synthesise" => assert_eq!(names(|one| one.claim), 4),
            _ => {
                assert_eq!(
                    names(|one| one.question),
                    1,
                    "{stage} sees another question"
                );
                let own = asked(&body);
                let documents = ALL
                    .iter()
                    .filter(|one| one.name != own.name && body.contains(one.claim));
                assert_eq!(
                    documents.count(),
                    0,
                    "{stage} sees the document of another question"
                );
            }
        }
    }
    assert_eq!(evaluations, 2);
}

#[test]
fn a_limit_ends_in_a_report_from_what_there_is() {
    let desk = Desk::new(None, &[&[&LAMP, &STAR], &[&ODILE, &HENRIK]]);
    // Enough for the first round, its evaluation, and a few steps of the second round.
    let limit = ["config", "set", "research.credits", "140"];
    let set = command(desk.home(), &desk.server.url)
        .args(limit)
        .output()
        .unwrap();
    assert_eq!(
        set.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&set.stderr)
    );
    let words = [
        "research",
        "start",
        OBJECTIVE,
        "--why",
        "to know",
        "--success",
        "the title",
    ];
    let lines = desk.say(&words);
    let shown = run(&lines);
    ordered_until_cut(&lines);
    let report = &shown["report"];
    assert_eq!(
        report["written_by"], "model",
        "the report was paid for beforehand: {report}"
    );
    assert_eq!(
        report["limitations"][0],
        "The research used up its credits."
    );
    let spent = shown["row"]["credits"].as_u64().unwrap();
    assert!(spent <= 140, "{spent} credits");
    let claims = report["claims"].as_array().unwrap();
    let claimed = |one: &Known| claims.iter().any(|claim| claim["text"] == one.claim);
    assert!(claimed(&LAMP) && claimed(&STAR), "{claims:?}");
}

/// Checks that every question that was started was closed before the report.
fn ordered_until_cut(lines: &[Value]) {
    let places = |name: &str| -> Vec<usize> {
        let at = |(at, line): (usize, &Value)| (line["event"] == name).then_some(at);
        lines.iter().enumerate().filter_map(at).collect()
    };
    let (started, completed) = (
        places("research_question_started"),
        places("research_question_completed"),
    );
    assert_eq!((started.len(), completed.len()), (4, 4));
    let writing = places("research_synthesizing_started");
    assert_eq!(writing.len(), 1);
    assert!(completed.iter().all(|at| *at < writing[0]));
    assert_eq!(places("research_complete").len(), 1);
}
