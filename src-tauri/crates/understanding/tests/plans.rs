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

#[path = "../src/frames/tests/table.rs"]
mod table;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use adjutant_domain::reading::{Planner, Reading, Resume, Resumer, Router};
use adjutant_domain::record::Kind;
use adjutant_understanding::Embedded;

use table::{Around, rendered, short};

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
    let mut around = Around::new(Vec::new());
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

#[test]
fn every_kind_of_record_can_be_named_in_a_table() {
    for kind in Kind::ALL {
        assert!(serde_json::to_value(kind).is_ok());
    }
}
