//! Tests of research killed at every step it stores and then resumed: no query or page is fetched twice, no step is
//! lost, no credit is counted twice, and the report is written.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::process::ExitStatusExt as _;

use serde_json::json;

use super::web::{Web, words};
use super::{Profile, SIGKILL};

/// Questions to research.
const QUESTIONS: &[&str] = &[
    "Which film has the director who was born first, The Harbour Lamp or Northern Star?",
    "When was the director of the film The Harbour Lamp born?",
];
/// Number of kills in the short and the long form.
const KILLS: usize = 12;
const KILLS_LONG: usize = 200;

/// Creates a profile that uses this search engine.
fn profile(web: &Web) -> Profile {
    let profile = Profile::new();
    let uri = web.uri();
    for (key, value) in [
        ("web.search.engine", "searxng"),
        ("web.searxng.url", uri.as_str()),
    ] {
        let set = profile.run(&["config", "set", key, value]);
        assert!(set.status.success(), "{key}");
    }
    profile
}

fn start(question: &str) -> [&str; 7] {
    [
        "research",
        "start",
        question,
        "--why",
        "to know",
        "--success",
        "a year",
    ]
}

/// Returns every passage of a crash point in a run that nothing kills.
fn moments(question: &str) -> Vec<String> {
    let web = Web::new();
    let profile = profile(&web);
    let log = profile.path().join("places");
    let mut run = profile.command(&start(question));
    let ended = run
        .env("ADJUTANT_CRASH_LOG", &log)
        .output()
        .expect("it runs");
    assert_eq!(
        ended.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&ended.stderr)
    );
    let passed = std::fs::read_to_string(&log).expect("it stores something");
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    passed
        .lines()
        .map(|place| {
            let nth = times.entry(place).or_default();
            *nth += 1;
            format!("{place}:{nth}")
        })
        .collect()
}

/// Kills a run at a crash point and resumes it; returns whether it was killed.
fn killed(question: &str, at: &str) -> bool {
    let web = Web::new();
    let profile = profile(&web);
    let mut first = profile.command(&start(question));
    let first = first
        .env("ADJUTANT_CRASH_AT", at)
        .output()
        .expect("it runs");
    if first.status.signal() != Some(SIGKILL) {
        return false;
    }
    if profile.show("research").is_empty() {
        // It was killed before it was recorded: nothing was searched, and the person starts it again.
        assert_eq!(
            web.asked().0.len(),
            0,
            "{at}: asked before it was on record"
        );
        profile.run(&start(question));
    }
    let row = |profile: &Profile| profile.show("research").remove(0);
    let id = row(&profile)["id"].as_str().expect("an id").to_owned();
    assert_ne!(
        row(&profile)["state"],
        "running",
        "{at}: nobody works on it"
    );
    if row(&profile)["state"] != "done" {
        profile.run(&["research", "resume", &id]);
    }
    let row = row(&profile);
    assert_eq!(row["state"], "done", "{at}: {row}");
    let (queries, pages) = web.asked();
    let different: BTreeSet<&String> = queries.iter().collect();
    assert_eq!(
        different.len(),
        queries.len(),
        "{at}: asked twice: {queries:?}"
    );
    assert!(pages.values().all(|times| *times == 1), "{at}: {pages:?}");
    let shown = profile.show_one("research", &id);
    let lanes = shown["lanes"].as_array().expect("lanes");
    let steps = lanes
        .iter()
        .flat_map(|lane| lane["steps"].as_array().into_iter().flatten());
    let stored: BTreeSet<String> = steps
        .filter(|step| step["step"] == "search")
        .map(|step| words(step["query"].as_str().unwrap_or_default()))
        .collect();
    assert!(
        queries.iter().all(|query| stored.contains(query)),
        "{at}: lost a step"
    );
    assert_eq!(
        row["credits"],
        json!(stored.len()),
        "{at}: one credit a search"
    );
    assert!(
        !shown["report"]["claims"]
            .as_array()
            .expect("claims")
            .is_empty(),
        "{at}"
    );
    true
}

/// Kills at this many crash points, spread evenly over all questions; at fewer if there are fewer.
fn kill(times: usize) -> usize {
    let all: Vec<(&str, String)> = QUESTIONS
        .iter()
        .flat_map(|question| {
            let moments = moments(question);
            moments.into_iter().map(|at| (*question, at))
        })
        .collect();
    let step = all.len().div_ceil(times).max(1);
    let chosen = all.iter().step_by(step);
    chosen.filter(|(question, at)| killed(question, at)).count()
}

#[test]
fn survives_a_dozen_kills() {
    let kills = kill(KILLS);
    assert!(kills >= KILLS / 2, "only {kills} moments came by again");
}

/// Takes minutes: `cargo nextest run --test kill --run-ignored only`.
#[test]
#[ignore = "the long form: every moment of every question"]
fn everywhere() {
    let kills = kill(KILLS_LONG);
    assert!(kills >= 100, "only {kills} moments came by again");
}
