//! What is planned for a request: the tables in `tests/plans`, a request and its steps each.
//!
//! A line that begins with `@` says what surrounds the requests below it: `@now TIME`, `@person NAME`, `@shown KIND ID LABEL`
//! (one line each, a list until `@list` or `@acted` closes it), `@said MESSAGE`, `@forget`. A request stands behind `>`, its
//! steps below: the tool with its arguments, then `when`, `each` and `?` with the slot that is asked for. `= text` is a direct
//! answer, `! word` is "not understood" with that word in it. Run with `BLESS=1` to write what is planned now into the tables.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a table that cannot be read is a fault of the test"
)]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use adjutant_domain::conversation::{Message, Role};
use adjutant_domain::focus::{Focus, Referent, Shown};
use adjutant_domain::plan::condition::{Op, Operand};
use adjutant_domain::plan::{Condition, StepDraft};
use adjutant_domain::reading::{Planner, Reading, Resume, Resumer, Router, Utterance};
use adjutant_domain::record::Kind;
use adjutant_domain::settings::{Owner, Settings};
use adjutant_understanding::Embedded;
use serde_json::Value;

/// What surrounds a request.
struct Around {
    now: jiff::Zoned,
    settings: Settings,
    people: Vec<(String, Vec<String>)>,
    focus: Focus,
    shown: Vec<Referent>,
    history: Vec<Message>,
}

impl Around {
    fn new() -> Self {
        Self {
            now: "2026-03-11T09:30:00+01:00[Europe/Paris]"
                .parse()
                .expect("a time"),
            settings: Settings {
                owner: Owner {
                    name: "Sam Field".into(),
                    emails: vec!["sam@example.org".into()],
                },
                // The invented requests are American.
                day_first: false,
                ..Settings::default()
            },
            people: Vec::new(),
            focus: Focus::default(),
            shown: Vec::new(),
            history: Vec::new(),
        }
    }

    fn utterance<'a>(&'a self, text: &'a str) -> Utterance<'a> {
        Utterance {
            text,
            now: &self.now,
            settings: &self.settings,
            focus: &self.focus,
            history: &self.history,
            people: &self.people,
            names: &[],
            tools: &[],
        }
    }

    fn directive(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "now" => self.now = rest.parse().expect("a time"),
            "person" => self.people.push((rest.to_owned(), vec![address(rest)])),
            "shown" => {
                let mut parts = rest.splitn(3, ' ');
                let kind = parts.next().expect("a kind");
                let id = parts.next().expect("an id");
                let (label, people) = parts
                    .next()
                    .unwrap_or("")
                    .split_once(" / ")
                    .unwrap_or_else(|| (rest.splitn(3, ' ').nth(2).unwrap_or(""), ""));
                self.shown.push(Referent {
                    kind: serde_json::from_value(Value::String(kind.to_owned()))
                        .expect("a kind of record"),
                    id: id.into(),
                    instance: None,
                    label: label.to_owned(),
                    people: people
                        .split(", ")
                        .filter(|name| !name.is_empty())
                        .map(|name| (name.to_owned(), address(name)))
                        .collect(),
                });
            }
            "list" | "acted" => self.focus.push(Shown {
                items: std::mem::take(&mut self.shown),
                acted: word == "acted",
            }),
            "said" => self.history.push(Message {
                turn: "turn_1".into(),
                role: Role::User,
                text: rest.to_owned(),
                at: self.now.timestamp(),
            }),
            "forget" => {
                self.focus = Focus::default();
                self.history.clear();
            }
            other => panic!("unknown directive @{other}"),
        }
    }
}

fn address(name: &str) -> String {
    format!("{}@example.org", name.to_lowercase().replace(' ', "."))
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "BLESS=1 is how the tables are written anew"
)]
fn requests_are_planned_as_the_tables_say() {
    let folder = Path::new("tests/plans");
    let bless = std::env::var_os("BLESS").is_some();
    let mut faults = String::new();
    let mut count = 0;
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the tables")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    for file in files {
        let text = fs::read_to_string(&file).expect("a table");
        let (now, cases) = replayed(&text);
        count += cases;
        if bless {
            fs::write(&file, now).expect("the table is written");
        } else if now != text {
            for (want, got) in text
                .lines()
                .zip(now.lines())
                .filter(|(want, got)| want != got)
                .take(12)
            {
                let _ = writeln!(faults, "{}:\n  want {want}\n  got  {got}", file.display());
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
    assert!(count >= 300, "only {count} cases");
}

/// The table with what is planned now, and the number of its cases.
fn replayed(text: &str) -> (String, usize) {
    let mut around = Around::new();
    let mut out = String::new();
    let mut cases = 0;
    let mut waiting: Option<(String, Reading)> = None;
    for line in text.lines() {
        if let Some(directive) = line.strip_prefix('@') {
            around.directive(directive);
            let _ = writeln!(out, "{line}");
        } else if let Some(request) = line.strip_prefix("> ") {
            cases += 1;
            let request = request.replace("\\n", "\n");
            let said = around.utterance(&request);
            let reading = Embedded.plan(&said, &Embedded.route(&said));
            let _ = writeln!(out, "{line}");
            out.push_str(&rendered(&reading));
            waiting = Some((request, reading));
        } else if let Some(reply) = line.strip_prefix("< ") {
            cases += 1;
            let (request, reading) = waiting.as_ref().expect("a request before the reply");
            let _ = writeln!(
                out,
                "{line}\n  {}",
                resumed(&around, request, reading, reply)
            );
        } else if line.starts_with('#') || line.is_empty() {
            let _ = writeln!(out, "{line}");
        }
    }
    (out, cases)
}

fn resumed(around: &Around, request: &str, reading: &Reading, reply: &str) -> String {
    use adjutant_domain::plan::{Plan, Step};
    let Reading::Plan { plan, .. } = reading else {
        panic!("only a plan waits: {request}");
    };
    let steps = plan.steps.iter().cloned().map(Step::new).collect();
    let waiting = Plan {
        id: "plan_1".into(),
        request: plan.request.clone(),
        asked: None,
        asked_tools: Default::default(),
        planner: Default::default(),
        steps,
        taint: adjutant_domain::source::Taint::Clean,
    };
    let question = plan.steps.iter().find_map(|step| step.question.as_ref());
    match Embedded.resume(&around.utterance(reply), request, &waiting, question) {
        Resume::Yes => "yes".to_owned(),
        Resume::No => "no".to_owned(),
        Resume::Abandon => "dropped".to_owned(),
        Resume::New => "something else".to_owned(),
        Resume::Answer(value) => format!("answer {}", short(&value.to_string())),
        Resume::Modify { text } => {
            let said = around.utterance(&text);
            let again = rendered(&Embedded.plan(&said, &Embedded.route(&said)));
            format!("changed: {text}\n  {}", again.trim_end())
        }
    }
}

fn rendered(reading: &Reading) -> String {
    match reading {
        Reading::Plan { plan, .. } => plan
            .steps
            .iter()
            .map(|step| format!("  {}\n", step_line(step)))
            .collect(),
        Reading::Undo { .. } => "  undo\n".to_owned(),
        Reading::Say { text, .. } => format!("  = {}\n", first_words(text)),
        Reading::NotUnderstood { text, .. } => format!("  ! {}\n", first_words(text)),
    }
}

fn first_words(text: &str) -> String {
    text.split_whitespace()
        .take(12)
        .collect::<Vec<_>>()
        .join(" ")
}

fn step_line(step: &StepDraft) -> String {
    let mut line = format!("{} {}", step.tool, short(&step.args.to_string()));
    if let Some(when) = &step.when {
        let _ = write!(line, " when {}", condition(when));
    }
    if let Some(each) = &step.each {
        let _ = write!(line, " each {}{}", each.from, each.path);
    }
    if let Some(question) = &step.question {
        let _ = write!(line, " ? {}", question.slot);
    }
    line
}

fn condition(when: &Condition) -> String {
    let op = serde_json::to_value(when.op)
        .ok()
        .and_then(|op| op.as_str().map(str::to_owned))
        .unwrap_or_default();
    let args: Vec<String> = when
        .args
        .iter()
        .map(|operand| match operand {
            Operand::Condition(inner) => condition(inner),
            Operand::Value(value) => match adjutant_domain::plan::reference::as_reference(value) {
                Some(reference) => format!("{}{}", reference.from, reference.path),
                None => value.to_string(),
            },
        })
        .collect();
    let _: Op = when.op;
    format!("{op}({})", args.join(", "))
}

/// Times without their offset and zone, which are the same everywhere here.
fn short(text: &str) -> String {
    text.replace("+01:00[Europe/Paris]", "")
        .replace("+02:00[Europe/Paris]", "")
}

#[test]
fn every_kind_of_record_can_be_named_in_a_table() {
    for kind in Kind::ALL {
        assert!(serde_json::to_value(kind).is_ok());
    }
}
