//! The context of a message in tests, and plans as text with one line for each step.

use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

use adjutant_domain::conversation::{Message, Role};
use adjutant_domain::focus::{Focus, Referent, Shown};
use adjutant_domain::mentioned_name::{MentionedName, NameOf};
use adjutant_domain::plan::condition::{Op, Operand};
use adjutant_domain::plan::{Condition, StepDraft};
use adjutant_domain::reading::{Reading, Utterance};
use adjutant_domain::record::Kind;
use adjutant_domain::settings::{Owner, Settings};
use adjutant_domain::source::Taint;
use adjutant_domain::tool::ToolSpec;
use serde_json::Value;

/// The built-in tools.
pub(crate) fn tools() -> &'static [ToolSpec] {
    static TOOLS: LazyLock<Vec<ToolSpec>> = LazyLock::new(|| {
        let tools = adjutant_tools::all(
            Arc::new(crate::Embedded),
            Arc::new(adjutant_tools::providers::NoAccounts),
        );
        tools.iter().map(|tool| tool.spec().clone()).collect()
    });
    &TOOLS
}

/// The context of a request.
pub(crate) struct MessageContext {
    pub now: jiff::Zoned,
    settings: Settings,
    people: Vec<(String, Vec<String>)>,
    roles: Vec<String>,
    focus: Focus,
    shown: Vec<Referent>,
    history: Vec<Message>,
}

impl MessageContext {
    /// Returns a context in which nothing was said or shown yet.
    pub fn new() -> Self {
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
            roles: Vec::new(),
            focus: Focus::default(),
            shown: Vec::new(),
            history: Vec::new(),
        }
    }

    /// Returns a request as the planner gets it.
    pub fn utterance<'a>(&'a self, text: &'a str) -> Utterance<'a> {
        Utterance {
            text,
            now: &self.now,
            settings: &self.settings,
            focus: &self.focus,
            history: &self.history,
            people: &self.people,
            roles: &self.roles,
            names: &[],
            tools: tools(),
        }
    }

    /// Applies a line that begins with `@`; `tests/gold/README.md` explains them.
    pub fn directive(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "now" => self.now = rest.parse().expect("a time"),
            "role" => self.roles.push(rest.to_owned()),
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
            "list" | "acted" | "made" => {
                self.focus.push(Shown {
                    items: std::mem::take(&mut self.shown),
                    acted: word != "list",
                });
                self.focus.acted = word == "made";
            }
            "said" | "answered" => self.history.push(Message {
                turn: "turn_1".into(),
                role: match word {
                    "said" => Role::User,
                    _ => Role::Assistant,
                },
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

/// Returns a record of the person's that a message mentions.
pub(crate) fn named(kind: Kind, id: &str, label: &str) -> MentionedName {
    MentionedName {
        of: NameOf::Record {
            kind,
            id: id.into(),
        },
        label: label.into(),
        when: None,
        taint: Taint::Clean,
    }
}

/// Renders a reading with one line for each step, each indented by two spaces.
pub(crate) fn rendered(reading: &Reading) -> String {
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

/// Removes offset and zone from times, because they are the same in all tests.
pub(crate) fn short(text: &str) -> String {
    text.replace("+01:00[Europe/Paris]", "")
        .replace("+02:00[Europe/Paris]", "")
}
