//! Tests of research killed at every step it stores and then resumed: no query is asked twice, no more pages are read
//! again than the killed process can have been reading, no search is lost, no credit is counted twice, and the report is
//! written with claims.
//!
//! A kill costs four starts of the program. Every core has its own web and its own profile to copy, so that kills run
//! side by side and no start is spent on settings.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;

use serde_json::{Value, json};

use super::web::{Web, words};
use super::{Profile, SIGKILL};

/// Questions to research.
const QUESTIONS: &[&str] = &[
    "Which film has the director who was born first, The Harbour Lamp or Northern Star?",
    "When was the director of the film The Harbour Lamp born?",
    "Where was the director of the film Northern Star born?",
];
/// Number of kills in the short form.
const KILLS: usize = 12;
/// Maximum pages that a question reads at once.
const PAGES_AT_ONCE_MAX: usize = 3;
/// Minimum number of kills in the long form.
const KILLS_LONG_MIN: usize = 200;

/// A web of its own, and a profile that uses it as its search engine.
struct Bench {
    web: Web,
    template: Profile,
}

impl Bench {
    fn new() -> Self {
        let (web, template) = (Web::new(), Profile::new());
        let uri = web.uri();
        for (key, value) in [
            ("web.search.engine", "searxng"),
            ("web.searxng.url", uri.as_str()),
        ] {
            let set = template.run(&["config", "set", key, value]);
            assert!(set.status.success(), "{key}");
        }
        Self { web, template }
    }

    /// Returns a new profile with the settings of the template. What the web was asked before no longer counts.
    fn profile(&self) -> Profile {
        self.web.forget();
        let profile = Profile::new();
        copy(self.template.path(), profile.path());
        profile
    }

    /// Returns every passage of a crash point in a run that nothing kills.
    fn moments(&self, question: &str) -> Vec<String> {
        let profile = self.profile();
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
    fn killed(&self, question: &str, at: &str) -> bool {
        let profile = self.profile();
        let mut first = profile.command(&start(question));
        let first = first
            .env("ADJUTANT_CRASH_AT", at)
            .output()
            .expect("it runs");
        if first.status.signal() != Some(SIGKILL) {
            return false;
        }
        let mut rows = profile.show("research");
        if rows.is_empty() {
            // It was killed before it was recorded: nothing was searched, and the person starts it again.
            let queries = self.web.asked().0;
            assert!(
                queries.is_empty(),
                "{at}: asked before it was on record: {queries:?}"
            );
            profile.run(&start(question));
            rows = profile.show("research");
        }
        let row = rows.remove(0);
        let id = row["id"].as_str().expect("an id");
        assert_ne!(row["state"], "running", "{at}: nobody works on it");
        if row["state"] != "done" {
            profile.run(&["research", "resume", id]);
        }
        self.check(&profile.show_one("research", id), at);
        true
    }

    /// Checks that a run has its report, and that what it stored is what the web was asked.
    fn check(&self, shown: &Value, at: &str) {
        let row = &shown["row"];
        assert_eq!(row["state"], "done", "{at}: {row}");
        let (queries, pages) = self.web.asked();
        let different: BTreeSet<&String> = queries.iter().collect();
        assert_eq!(
            different.len(),
            queries.len(),
            "{at}: asked twice: {queries:?}"
        );
        // Pages that the killed process was reading are read again.
        let again: usize = pages.values().map(|times| times - 1).sum();
        assert!(again <= PAGES_AT_ONCE_MAX, "{at}: {pages:?}");
        assert!(pages.values().all(|times| *times <= 2), "{at}: {pages:?}");
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
        let claims = shown["report"]["claims"].as_array().expect("claims");
        assert!(!claims.is_empty(), "{at}");
    }
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

/// Copies the files of a folder that no process uses.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        match entry.file_type().expect("a type") {
            kind if kind.is_dir() => copy(&from, &to),
            kind if kind.is_file() => drop(std::fs::copy(&from, &to).expect("a copy")),
            _ => {}
        }
    }
}

/// Kills at this many crash points, spread evenly over all questions, or at all of them; returns the number of kills.
fn kill(times: Option<usize>) -> usize {
    let bench = Bench::new();
    let all: Vec<(&str, String)> = QUESTIONS
        .iter()
        .flat_map(|question| {
            let moments = bench.moments(question);
            moments.into_iter().map(|at| (*question, at))
        })
        .collect();
    let times = times.unwrap_or(all.len()).min(all.len());
    let chosen: Vec<&(&str, String)> = (0..times).map(|at| &all[at * all.len() / times]).collect();
    let workers = std::thread::available_parallelism().map_or(1, NonZero::get);
    let work = &|worker: usize| {
        let bench = Bench::new();
        let mine = chosen.iter().skip(worker).step_by(workers);
        mine.filter(|(question, at)| bench.killed(question, at))
            .count()
    };
    std::thread::scope(|scope| {
        let working: Vec<_> = (0..workers)
            .map(|worker| scope.spawn(move || work(worker)))
            .collect();
        working
            .into_iter()
            .map(|worker| worker.join().expect("every check holds"))
            .sum()
    })
}

#[test]
fn survives_a_dozen_kills() {
    let kills = kill(Some(KILLS));
    assert!(kills >= KILLS / 2, "only {kills} moments came by again");
}

/// Takes minutes: `cargo nextest run --test kill --run-ignored only`.
#[test]
#[ignore = "the long form: every moment of every question"]
fn everywhere() {
    let kills = kill(None);
    println!("{kills} kills of research, each resumed to its report");
    assert!(
        kills >= KILLS_LONG_MIN,
        "only {kills} moments came by again"
    );
}
