//! Reads messages, one a line, and prints how they are planned: `cargo run --example read < messages.txt`.

use std::io::BufRead;

use adjutant_domain::focus::Focus;
use adjutant_domain::mentioned_name::{MentionedName, NameOf};
use adjutant_domain::reading::{Planner, Reading, Router, Utterance};
use adjutant_domain::settings::Settings;
use adjutant_domain::source::Taint;
use adjutant_text::{stem, words};
use adjutant_understanding::Embedded;

/// How often a line is planned with `--repeat`.
const REPEATS: usize = 1000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let now: jiff::Zoned = "2026-03-11T09:30:00+01:00[Europe/Paris]".parse()?;
    let settings = Settings::default();
    let focus = Focus::default();
    let mut people: Vec<(String, Vec<String>)> = Vec::new();
    let mut known: Vec<MentionedName> = Vec::new();
    let tools: Vec<_> = adjutant_tools::all(
        std::sync::Arc::new(Embedded),
        std::sync::Arc::new(adjutant_tools::providers::NoAccounts),
    )
    .iter()
    .map(|tool| tool.spec().clone())
    .collect();
    for line in std::io::stdin().lock().lines() {
        let text = line?;
        // "@Ana Ruiz" adds a person to the address book.
        if let Some(name) = text.strip_prefix('@') {
            people.push((
                name.to_owned(),
                vec![format!(
                    "{}@example.org",
                    name.to_lowercase().replace(' ', ".")
                )],
            ));
            continue;
        }
        // "=event Lunch with Ana" adds a record of that kind and name.
        if let Some(record) = text.strip_prefix('=') {
            known.extend(named(record));
            continue;
        }
        let names: Vec<MentionedName> = known
            .iter()
            .filter(|name| is_mentioned(&name.label, &text))
            .cloned()
            .collect();
        let utterance = Utterance {
            text: &text,
            now: &now,
            settings: &settings,
            focus: &focus,
            history: &[],
            people: &people,
            roles: &[],
            names: &names,
            tools: &tools,
        };
        let route = Embedded.route(&utterance);
        // "--repeat" plans each line a thousand times, for a profiler or a clock around the program.
        if std::env::args().any(|arg| arg == "--repeat") {
            for _ in 0..REPEATS {
                std::hint::black_box(Embedded.plan(std::hint::black_box(&utterance), &route));
            }
            continue;
        }
        println!("> {text}");
        match Embedded.plan(&utterance, &route) {
            Reading::Plan { plan, trace } => {
                if std::env::args().any(|arg| arg == "--trace") {
                    for line in trace {
                        println!("  # {:?} {} {}", line.span, line.what, line.value);
                    }
                }
                println!("  = {}", plan.request);
                for step in plan.steps {
                    let when = step.when.map_or_else(String::new, |when| {
                        format!(" when {}", serde_json::to_string(&when).unwrap_or_default())
                    });
                    let each = step.each.map_or_else(String::new, |each| {
                        format!(" each {}{}", each.from, each.path)
                    });
                    let question = step.question.map_or_else(String::new, |question| {
                        format!(" ? {} {}", question.slot, question.text)
                    });
                    println!(
                        "  {} {} {}{when}{each}{question}",
                        step.key, step.tool, step.args
                    );
                }
            }
            Reading::Undo { .. } => println!("  UNDO"),
            Reading::Say { text, .. } => println!("  SAY {text}"),
            Reading::NotUnderstood { text, .. } => println!("  NOT {text}"),
        }
    }
    Ok(())
}

/// Returns the record that a line like "event Lunch with Ana" describes.
fn named(line: &str) -> Option<MentionedName> {
    let (kind, label) = line.split_once(' ')?;
    Some(MentionedName {
        of: NameOf::Record {
            kind: serde_json::from_value(kind.into()).ok()?,
            id: label.into(),
        },
        label: label.to_owned(),
        when: None,
        taint: Taint::Clean,
    })
}

/// Reports whether a message has a word of a name.
fn is_mentioned(label: &str, text: &str) -> bool {
    let said: Vec<String> = words(text).iter().map(|word| stem(word)).collect();
    let mut label = words(label).into_iter();
    label.any(|word| word.len() > 2 && said.contains(&stem(&word)))
}
