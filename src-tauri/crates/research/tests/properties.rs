//! Properties that hold for any inputs in any order: no query is repeated, no step is lost, no credit is charged twice,
//! and the run ends.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::collections::{BTreeMap, BTreeSet};

use adjutant_research::{
    AskStep, Brief, Command, Confidence, Entry, Fault, FaultKind, Hit, Input, Limits, Page, Run,
    StageContext, Status, StepKey, WrittenBy,
};
use proptest::prelude::*;
use serde_json::{Value, json};

const OBJECTIVE: &str =
    "Who founded Alphaville? When did Betatown burn down? Where does the Gammariver spring?";
/// Number of inputs after which a run must have ended.
const INPUTS_MAX: usize = 4_000;

/// A driver that keeps what a real one stores.
struct Driver {
    run: Run,
    /// Steps in progress, by key.
    open: BTreeMap<StepKey, Command>,
    begun: BTreeSet<StepKey>,
    queries: BTreeSet<Vec<String>>,
    opened: BTreeSet<String>,
    texts: BTreeMap<String, String>,
    contexts: Vec<StageContext>,
    version: u64,
    /// Credits charged, as counted by the test.
    charged: u32,
    finished: usize,
}

fn words(query: &str) -> Vec<String> {
    adjutant_text::words(query)
        .into_iter()
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}

impl Driver {
    fn new(by: WrittenBy, limits: Limits) -> Self {
        let brief = Brief::draft(OBJECTIVE, "to know", &["an answer".to_owned()])
            .clear()
            .unwrap();
        Self {
            run: Run::new(&brief, limits, by),
            open: BTreeMap::new(),
            begun: BTreeSet::new(),
            queries: BTreeSet::new(),
            opened: BTreeSet::new(),
            texts: BTreeMap::new(),
            contexts: Vec::new(),
            version: 0,
            charged: 0,
            finished: 0,
        }
    }

    fn give(&mut self, input: Input) {
        let before = self.run.clone();
        let commands = self.run.next(input);
        if commands.is_empty() {
            assert_eq!(before, self.run, "a change that is not saved");
            return;
        }
        assert!(
            matches!(&commands[0], Command::Save { version, .. } if *version == self.version + 1)
        );
        self.version += 1;
        for command in commands.into_iter().skip(1) {
            self.take(command);
        }
        let spending = self.run.spending();
        assert!(
            spending.reserved + spending.spent <= self.run.limits().credits,
            "over the limit: {spending:?}"
        );
    }

    fn take(&mut self, command: Command) {
        match &command {
            Command::Save { .. } => panic!("saved twice for one input"),
            Command::Cancel(keys) => {
                for key in keys {
                    let step = self.open.remove(key).expect("cancelled what was not begun");
                    self.charged += price(&step);
                }
                return;
            }
            Command::Finish(_) => {
                self.finished += 1;
                return;
            }
            Command::Search(step) if !self.begun.contains(&step.key) => {
                assert!(
                    self.queries.insert(words(&step.query)),
                    "searched twice: {}",
                    step.query
                );
            }
            Command::Open(step) if !self.begun.contains(&step.key) => {
                assert!(
                    self.opened.insert(step.address.clone()),
                    "opened twice: {}",
                    step.address
                );
            }
            Command::Ask(step) => self.contexts.push(step.context.clone()),
            Command::Search(_) | Command::Open(_) => {}
        }
        let key = command.key().unwrap().clone();
        self.begun.insert(key.clone());
        self.open.insert(key, command);
    }

    /// Drops everything in memory and starts from what is stored.
    fn kill(&mut self) {
        let json = self.run.to_json().unwrap();
        let restored = Run::restore(&json, |sha| self.texts.get(sha).cloned()).unwrap();
        assert_eq!(restored, self.run);
        let outstanding: BTreeMap<StepKey, Command> = restored
            .outstanding()
            .into_iter()
            .filter_map(|command| Some((command.key()?.clone(), command)))
            .collect();
        if !restored.stopped() {
            assert_eq!(outstanding, self.open, "a step was lost");
        }
        self.run = restored;
    }

    /// Ends one of the steps in progress.
    fn step(&mut self, pick: usize, how: u8) {
        let Some(key) = self.open.keys().nth(pick % self.open.len().max(1)).cloned() else {
            return;
        };
        let command = self.open.remove(&key).unwrap();
        let input = self.result(&key, &command, how);
        self.charged += match &input {
            Input::Unknown { .. } => price(&command),
            Input::Searched { credits, .. }
            | Input::Opened { credits, .. }
            | Input::Replied { credits, .. }
            | Input::Failed { credits, .. } => *credits,
            _ => 0,
        };
        self.give(input.clone());
        let after = self.run.clone();
        assert!(self.run.next(input).is_empty(), "a result counted twice");
        assert_eq!(after, self.run);
    }

    fn result(&mut self, key: &StepKey, command: &Command, how: u8) -> Input {
        let key = key.clone();
        match how % 8 {
            0 => return Input::Unknown { key },
            1 => {
                let kind = match how / 8 % 4 {
                    0 => FaultKind::Refused,
                    1 => FaultKind::Limited,
                    2 => FaultKind::Unreadable,
                    _ => FaultKind::Unreachable,
                };
                let fault = Fault {
                    kind,
                    said: "It failed.".to_owned(),
                };
                return Input::Failed {
                    key,
                    fault,
                    credits: 0,
                };
            }
            _ => {}
        }
        match command {
            Command::Search(step) => Input::Searched {
                key,
                hits: hits(&step.query, how),
                credits: 1,
            },
            Command::Open(step) => {
                let text = format!(
                    "{} was founded by Ada Deltason in 18{:02}. It lies near Epsilon Bay.",
                    step.address,
                    how % 90 + 10
                );
                let sha256 = format!("sha-{}", step.address);
                self.texts.insert(sha256.clone(), text.clone());
                let page = Page {
                    title: step.address.clone(),
                    text,
                    sha256,
                    fetched_at: jiff::Timestamp::UNIX_EPOCH,
                    cut: false,
                };
                Input::Opened {
                    key,
                    page: Box::new(page),
                    credits: 0,
                }
            }
            Command::Ask(step) => Input::Replied {
                key,
                reply: reply(step, how),
                credits: 2,
            },
            _ => unreachable!(),
        }
    }
}

fn price(command: &Command) -> u32 {
    match command {
        Command::Search(step) => step.credits,
        Command::Open(step) => step.credits,
        Command::Ask(step) => step.credits,
        _ => 0,
    }
}

fn hits(query: &str, how: u8) -> Vec<Hit> {
    let names = [
        "Alphaville",
        "Betatown",
        "Gammariver",
        "Ada Deltason",
        "Epsilon Bay",
        "Zetafield",
        "Etaland",
    ];
    (0..usize::from(how % 5))
        .map(|at| {
            let name = names[(at + query.len()) % names.len()];
            Hit {
                address: format!("{name} {}", how % 3),
                title: name.to_owned(),
                snippet: format!("{name} was founded by Ada Deltason."),
            }
        })
        .collect()
}

fn reply(step: &AskStep, how: u8) -> Value {
    if how.is_multiple_of(3) {
        return Value::String("I would rather not".to_owned());
    }
    let question = |text: &str| json!({"name": text, "question": text, "goal": "an answer"});
    match &step.context {
        StageContext::Kickoff { .. } => {
            json!({"strategy": "look", "questions": [question("Who founded Alphaville?"), question("When did Betatown burn?"), question("Where springs the Gammariver?")]})
        }
        StageContext::Search {
            question, queries, ..
        } => json!({"query": format!("{question} {}", queries.len() / 2)}),
        StageContext::Reflect { question, .. } => {
            json!({"thought": format!("more of {question}"), "delta": "no_change", "done": how.is_multiple_of(2)})
        }
        StageContext::Evaluate { .. } if how.is_multiple_of(2) => {
            json!({"action": "spawn_new", "reasoning": "a gap", "questions": [question(&format!("Who left Alphaville in {how}?"))]})
        }
        StageContext::Evaluate { .. } => json!({"action": "synthesize", "reasoning": "enough"}),
        StageContext::Document { history, .. } => {
            let opened = history
                .iter()
                .flat_map(|search| &search.results)
                .find(|result| result.opened);
            let source = opened.map_or("https://nowhere.example", |result| result.address.as_str());
            json!({"answer": "Ada Deltason", "key_findings": [{"text": "Ada Deltason founded it.", "quote": "was founded by Ada Deltason", "source": source}], "confidence": Confidence::Medium, "recommendation": "promising"})
        }
        _ => {
            json!({"answer": "Atlantis", "summary": "Atlantis", "claims": [{"text": "x", "quote": "never said by anybody", "source": "https://nowhere.example"}]})
        }
    }
}

fn check_end(driver: &Driver) {
    let run = &driver.run;
    assert_eq!(run.status(), Status::Complete, "it never ended");
    assert_eq!(driver.finished, 1);
    assert_eq!(run.spending().reserved, 0);
    assert_eq!(
        run.spending().spent,
        driver.charged,
        "credits do not add up"
    );
    let report = run.report().unwrap();
    for claim in &report.claims {
        assert!(
            driver.opened.contains(&claim.source),
            "never opened: {}",
            claim.source
        );
        let text = &driver.texts[&claim.sha256];
        assert!(
            text.contains(&claim.quote),
            "not in the source: {}",
            claim.quote
        );
    }
    for question in run.questions() {
        assert!(question.document.is_some());
        assert_alternating(&question.memory, run.limits());
    }
}

/// Checks that searches, results, pages and reflections alternate; the last search may be unfinished.
fn assert_alternating(memory: &[Entry], limits: &Limits) {
    let order: String = memory
        .iter()
        .filter_map(|entry| match entry {
            Entry::Search { .. } => Some('s'),
            Entry::Result { .. } => Some('r'),
            Entry::Reflect(_) => Some('t'),
            _ => None,
        })
        .collect();
    assert!(
        "srt".repeat(limits.cycles as usize).starts_with(&order),
        "{order}"
    );
}

/// Checks that no researcher sees another one's questions: each question has a word of its own.
fn check_isolation(contexts: &[StageContext]) {
    let marks = ["alphaville", "betatown", "gammariver"];
    for context in contexts {
        let own = match context {
            StageContext::Kickoff { objective } => {
                assert_eq!(objective, OBJECTIVE);
                continue;
            }
            StageContext::Search {
                question,
                queries,
                history,
                ..
            } => {
                assert_eq!(queries.len(), history.len());
                question
            }
            StageContext::Reflect {
                question,
                objective,
                ..
            }
            | StageContext::Document {
                question,
                objective,
                ..
            } => {
                assert_eq!(objective, OBJECTIVE);
                question
            }
            _ => continue,
        };
        let queries = match context {
            StageContext::Search { queries, .. } => queries.clone(),
            StageContext::Reflect { last, .. } => vec![last.query.clone()],
            StageContext::Document { history, .. } => {
                history.iter().map(|one| one.query.clone()).collect()
            }
            _ => Vec::new(),
        };
        let theirs = |text: &str, mark: &str| text.to_lowercase().contains(mark);
        let of_own: Vec<&str> = marks.into_iter().filter(|mark| theirs(own, mark)).collect();
        if let [of_own] = of_own.as_slice()
            && let Some(first) = queries.first()
            && !first.is_empty()
        {
            assert!(
                theirs(first, of_own) || marks.iter().all(|mark| !theirs(first, mark)),
                "{own}: {first}"
            );
        }
    }
}

proptest! {

    #[test]
    fn a_run_always_ends_and_nothing_counts_twice(
        model in any::<bool>(),
        credits in 5u32..120,
        day in 5u32..200,
        steps in proptest::collection::vec((any::<usize>(), any::<u8>(), any::<u8>()), 1..60),
    ) {
        let limits = Limits { credits, day_credits: day, rounds: 4, cycles: 7, ..Limits::default() };
        let by = if model { WrittenBy::Model } else { WrittenBy::Embedded };
        let mut driver = Driver::new(by, limits);
        driver.give(Input::Begin);
        for at in 0..INPUTS_MAX {
            if driver.run.status() == Status::Complete {
                break;
            }
            let (pick, how, what) = steps[at % steps.len()];
            match what {
                0..=60 => driver.kill(),
                61..=66 => {
                    driver.give(Input::Stop);
                    let stopped = driver.run.stopped();
                    driver.step(pick, how);
                    driver.kill();
                    if stopped {
                        // The resumption begins what a stopped run would have begun.
                        driver.give(Input::Resume);
                    }
                }
                67 if at > 40 => driver.give(Input::WriteNow),
                68..=72 => driver.give(Input::Tick { running_ms: u64::from(how) * 100, day_credits: driver.run.spending().day_left }),
                _ => {}
            }
            driver.step(pick, how);
        }
        check_isolation(&driver.contexts);
        check_end(&driver);
    }
}

#[test]
fn the_time_limit_is_final() {
    let mut driver = Driver::new(WrittenBy::Embedded, Limits::default());
    driver.give(Input::Begin);
    driver.give(Input::Tick {
        running_ms: 60_000,
        day_credits: 900,
    });
    driver.give(Input::Tick {
        running_ms: 1,
        day_credits: 900,
    });
    assert_eq!(driver.run.spending().running_ms, 60_000);
    driver.give(Input::Tick {
        running_ms: 15 * 60_000,
        day_credits: 900,
    });
    assert_eq!(driver.run.status(), Status::Complete);
    let report = driver.run.report().unwrap();
    assert!(
        report.limitations[0].contains("time"),
        "{:?}",
        report.limitations
    );
    check_end(&driver);
}

#[test]
fn a_time_limit_that_passed_before_the_run_began_counts() {
    let mut driver = Driver::new(WrittenBy::Embedded, Limits::default());
    let over = || Input::Tick {
        running_ms: 15 * 60_000,
        day_credits: 900,
    };
    driver.give(over());
    driver.give(Input::Begin);
    driver.give(over());
    assert_eq!(driver.run.status(), Status::Complete);
    check_end(&driver);
}

#[test]
fn the_report_names_a_page_that_was_read_in_part() {
    for (cut, bytes) in [(true, 10), (false, 500_000), (false, 10)] {
        let limits = Limits {
            pages: 1,
            ..Limits::default()
        };
        let mut driver = Driver::new(WrittenBy::Embedded, limits);
        driver.give(Input::Begin);
        while driver.run.status() != Status::Complete {
            let (key, command) = driver.open.pop_first().expect("a step is under way");
            let input = match &command {
                Command::Open(step) => {
                    let mut text = "Alphaville was founded by Ada Deltason. ".to_owned();
                    text.extend(std::iter::repeat_n('x', bytes));
                    let page = Page {
                        title: "Alphaville".to_owned(),
                        sha256: step.address.clone(),
                        text,
                        fetched_at: jiff::Timestamp::UNIX_EPOCH,
                        cut,
                    };
                    let (page, credits) = (Box::new(page), 0);
                    Input::Opened { key, page, credits }
                }
                // No result, except for the first search of each question.
                command => driver.result(&key, command, if key.0.ends_with("/1") { 3 } else { 5 }),
            };
            driver.charged += match &input {
                Input::Searched { credits, .. } => *credits,
                _ => 0,
            };
            driver.give(input);
        }
        let report = driver.run.report().expect("complete");
        let note = "Only the beginning of “Alphaville” was read, because it is too long.";
        let noted = report.limitations.iter().any(|one| one == note);
        assert_eq!(noted, cut || bytes > 10, "{:?}", report.limitations);
    }
}

#[test]
fn refuses_a_newer_document() {
    let driver = Driver::new(WrittenBy::Embedded, Limits::default());
    let json = driver
        .run
        .to_json()
        .unwrap()
        .replace("\"form\":1", "\"form\":2");
    assert!(
        Run::restore(&json, |_| None)
            .unwrap_err()
            .to_string()
            .contains("newer")
    );
    assert!(Run::restore("{}", |_| None).is_err());
}
