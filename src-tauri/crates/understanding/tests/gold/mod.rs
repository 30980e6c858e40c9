//! Requests whose right plan was checked by hand (`tests/gold`, README there), and the training of the weights on them.

use std::fs;
use std::path::PathBuf;

use adjutant_domain::reading::{Planner as _, Reading, Router as _, Utterance};
use serde_json::Value;

use super::super::weights::{Weights, trained, weights};
use crate::Embedded;
use crate::fixture::{MessageContext, rendered};

/// Of the requests in `test_*.txt`: the share that is read rightly, at least, and wrongly, at most.
const HELD_OUT: (f64, f64) = (0.70, 0.15);

/// When all requests are said.
const NOW: &str = "2026-03-11T09:30";

/// How requests came out.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    /// As one of the plans that are right.
    right: u32,
    /// Not understood, though there is something to do.
    refused: u32,
    /// Another plan.
    wrong: u32,
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.right += other.right;
        self.refused += other.refused;
        self.wrong += other.wrong;
    }

    fn share(self, count: u32) -> f64 {
        f64::from(count) / f64::from(self.right + self.refused + self.wrong).max(1.0)
    }

    /// What training makes better: a wrong plan is worse than none by as much as a right one is better.
    fn worth(self) -> i64 {
        i64::from(self.right) - i64::from(self.wrong)
    }
}

/// `WRONG=1` and `--no-capture` show what is read wrongly.
#[test]
fn requests_checked_by_hand_are_read_rightly() {
    let mut counted = Counts::default();
    for file in files() {
        let read = |said: &Utterance<'_>| Embedded.plan(said, &Embedded.route(said));
        let counts = count(&fs::read_to_string(&file).expect("a table"), read);
        let name = file.file_name().and_then(|name| name.to_str());
        let name = name.unwrap_or("");
        println!("{name}: {counts:?}");
        if name.starts_with("test_") {
            counted.add(counts);
        }
    }
    let (right, wrong) = HELD_OUT;
    assert!(counted.share(counted.right) >= right, "{counted:?}");
    assert!(counted.share(counted.wrong) <= wrong, "{counted:?}");
}

/// Makes the weights better, one after the other, as long as the requests for training come out better, and writes them down.
#[test]
#[ignore = "rewrites the weights"]
fn train() {
    const STEPS: [f32; 4] = [-0.3, -0.1, 0.1, 0.3];
    let tables: Vec<String> = files()
        .into_iter()
        .filter(|file| {
            file.file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with("train_"))
        })
        .map(|file| fs::read_to_string(file).expect("a table"))
        .collect();
    let judge = |weights: &Weights| {
        trained::try_out(weights);
        let mut counts = Counts::default();
        tables
            .iter()
            .for_each(|text| counts.add(count(text, by_frames)));
        counts.worth()
    };
    let mut best = weights().clone();
    let mut worth = judge(&best);
    let mut better = true;
    while std::mem::take(&mut better) {
        for name in Weights::NAMES {
            for step in STEPS {
                let mut tried = best.clone();
                let weight = tried.by_name(name).expect("a weight");
                *weight = ((*weight + step) * 100.0).round() / 100.0;
                let now = judge(&tried);
                if now > worth {
                    println!("{name} {step:+}: {worth} to {now}");
                    (best, worth, better) = (tried, now, true);
                }
            }
        }
    }
    fs::write("data/frames/weights.txt", best.written()).expect("the weights are written");
}

fn by_frames(said: &Utterance<'_>) -> Reading {
    super::super::plan(said).unwrap_or_else(|| Reading::NotUnderstood {
        text: String::new(),
        near: Vec::new(),
        trace: Vec::new(),
    })
}

fn files() -> Vec<PathBuf> {
    let entries = fs::read_dir("tests/gold").expect("the tables");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "txt"))
        .collect();
    files.sort();
    files
}

#[expect(
    clippy::disallowed_methods,
    reason = "WRONG=1 shows what is read wrongly"
)]
fn count(text: &str, read: impl Fn(&Utterance<'_>) -> Reading) -> Counts {
    let show = std::env::var_os("WRONG").is_some();
    let mut around = MessageContext::new();
    let mut counts = Counts::default();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(directive) = line.strip_prefix('@') {
            around.directive(directive);
            continue;
        }
        let Some(request) = line.strip_prefix("> ") else {
            continue;
        };
        let mut plans = vec![Vec::new()];
        while let Some(step) = lines.next_if(|line| line.starts_with("  ")) {
            match step.trim() {
                "or" => plans.push(Vec::new()),
                step => plans.last_mut().expect("a plan").push(same(step)),
            }
        }
        let request = request.replace("\\n", "\n");
        let said = around.utterance(&request);
        let read = read(&said);
        // A search that may be about something else says so, and refuses if it finds nothing.
        let reading = match asks_whether(&read) || is_unsure(&read) {
            true => "!".to_owned(),
            false => rendered(&read),
        };
        let found: Vec<String> = reading.lines().map(|line| same(line.trim())).collect();
        let one = |which: &mut u32| *which += 1;
        if plans.contains(&found) || plans.iter().any(|plan| recalls(plan, &found)) {
            one(&mut counts.right);
        } else if found.iter().any(|step| step == "!") {
            one(&mut counts.refused);
        } else {
            one(&mut counts.wrong);
            if show {
                println!("> {request}\n{reading}  not {plans:?}");
            }
        }
    }
    counts
}

/// Whether a plan begins with "Did you mean …?": nothing is done then, and nothing was surely read.
fn asks_whether(reading: &Reading) -> bool {
    let Reading::Plan { plan, .. } = reading else {
        return false;
    };
    let first = plan.steps.first().and_then(|step| step.question.as_ref());
    first.is_some_and(|question| question.choices.len() == 1)
}

/// Whether a plan looks everywhere for what the right one looks for in memory and notes.
fn recalls(right: &[String], found: &[String]) -> bool {
    let looked = |step: &String| {
        let (tool, args) = step.split_once(' ')?;
        let args: Value = serde_json::from_str(args).ok()?;
        let text = args["text"].as_str()?.to_owned();
        matches!(tool, "memory.search" | "note.list" | "recall.search").then_some(text)
    };
    let [step] = found else { return false };
    let Some(text) = looked(step).filter(|_| step.starts_with("recall.search")) else {
        return false;
    };
    let words = adjutant_text::words(&text);
    let within = |step: &String| {
        looked(step).is_some_and(|text| {
            let mut telling = adjutant_text::words(&text).into_iter();
            telling.all(|word| words.contains(&word) || adjutant_text::says_nothing(&word))
        })
    };
    !right.is_empty() && right.iter().all(within)
}

/// A step without what makes no difference: a surname, capitals, a default that is said.
fn same(step: &str) -> String {
    if let Some(kind) = step.chars().next().filter(|first| "!=".contains(*first)) {
        return kind.to_string();
    }
    let Some((tool, rest)) = step.split_once(' ') else {
        return step.to_owned();
    };
    let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
    let Some(Ok(mut args)) = stream.next() else {
        return step.to_owned();
    };
    let behind = rest.get(stream.byte_offset()..).unwrap_or("");
    plain(&mut args, "");
    format!("{tool} {args}{behind}")
}

/// Leaves out what the README of the tables says makes no difference.
fn plain(value: &mut Value, field: &str) {
    const PEOPLE: &[&str] = &[
        "people",
        "person",
        "from",
        "to",
        "cc",
        "bcc",
        "name",
        "who",
        "add_people",
        "remove_people",
    ];
    match value {
        Value::Object(fields) => {
            let text = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
            let (body, due) = (text("body"), text("due"));
            fields.retain(|name, inner| {
                let word = inner.as_str().unwrap_or("");
                let repeats =
                    |body: &String| body.starts_with(word.trim_end_matches(['.', '?', '!']));
                let rings =
                    |due: &String| word.starts_with(due.as_str()) && word.contains("T09:00");
                !(inner.is_null()
                    || name == "starts_from"
                    || name == "until" && word.starts_with(NOW)
                    || name == "ask" && matches!(word, "list" | "slots" | "text")
                    || matches!(name.as_str(), "items" | "adds")
                    || name == "status" && word == "open"
                    || name == "subject" && body.as_ref().is_some_and(repeats)
                    || name == "remind_at" && due.as_ref().is_some_and(rings))
            });
            if let Some(date) = fields.remove("date") {
                fields.insert("start".to_owned(), date);
            }
            for (name, inner) in fields {
                plain(inner, name);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|inner| plain(inner, field)),
        Value::String(text) if PEOPLE.contains(&field) && !text.contains(':') => {
            let bare = text.trim_start_matches("Dr ").trim_start_matches("my ");
            *text = bare.split(' ').next().unwrap_or(bare).to_lowercase();
        }
        Value::String(text) => *text = text.to_lowercase(),
        _ => {}
    }
}

/// Reports whether a reading is nothing but searches for what may be something else.
fn is_unsure(read: &Reading) -> bool {
    let Reading::Plan { plan, .. } = read else {
        return false;
    };
    plan.steps
        .iter()
        .all(|step| step.args.get("unsure").is_some())
}
