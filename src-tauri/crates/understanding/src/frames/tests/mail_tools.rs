//! The tools, the people and the clock that requests over mail are read with.

use adjutant_domain::focus::{Focus, Referent, Shown};
use adjutant_domain::ids::RecordId;
use adjutant_domain::plan::StepDraft;
use adjutant_domain::reading::{Reading, Utterance};
use adjutant_domain::record::Kind;
use adjutant_domain::settings::Settings;
use adjutant_domain::tool::ToolSpec;
use serde_json::{Value, json};

use super::super::decide::plan;

/// A tool with these arguments, each with the name of its type.
fn tool(name: &str, arguments: &[(&str, Value)]) -> ToolSpec {
    let properties: serde_json::Map<String, Value> = arguments
        .iter()
        .map(|(name, schema)| ((*name).to_owned(), schema.clone()))
        .collect();
    let spec = json!({
        "name": name, "domain": "email", "description": "", "risk": "reaches_people", "phrases": [],
        "participle": "done",
        "schema": {"type": "object", "properties": properties, "$defs": {
            "People": {"type": "array", "items": {"type": "string"}},
            "Moment": {"type": "string"},
            "Ids": {"type": "string"},
            "Place": {"oneOf": choices(&["inbox", "sent", "archive", "trash", "junk", "drafts", "outbox", "any"])},
            "Sort": {"oneOf": choices(&["newsletter", "promotion", "notification"])},
            "Into": {"oneOf": choices(&["archive", "inbox", "junk"])},
            "Notes": {"type": "object", "properties": {"title": {"type": "string"}, "pick": {"type": "string"}}},
            "Filter": {"type": "object", "properties": filter()},
        }},
    });
    serde_json::from_value(spec).expect("a tool")
}

fn choices(words: &[&str]) -> Vec<Value> {
    let choices = words
        .iter()
        .map(|word| json!({"const": word, "type": "string"}));
    choices.collect()
}

fn filter() -> Value {
    filter_fields()
        .into_iter()
        .map(|(name, of)| (name.to_owned(), of))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn filter_fields() -> Vec<(&'static str, Value)> {
    let (text, yes, people) = (
        json!({"type": "string"}),
        json!({"type": "boolean"}),
        named("People"),
    );
    let mut fields = vec![
        ("except", json!({"type": "array"})),
        ("folder", named("Place")),
        ("limit", json!({"type": "integer"})),
        ("since", named("Moment")),
        ("sort", named("Sort")),
        ("until", named("Moment")),
    ];
    for name in ["from", "person", "to"] {
        fields.push((name, people.clone()));
    }
    for name in ["label", "order", "pick", "subject", "subject_is", "text"] {
        fields.push((name, text.clone()));
    }
    for name in ["answered", "has_attachment", "starred", "unread"] {
        fields.push((name, yes.clone()));
    }
    fields
}

fn named(name: &str) -> Value {
    json!({"$ref": format!("#/$defs/{name}")})
}

fn tools() -> Vec<ToolSpec> {
    let (text, yes, texts) = (
        json!({"type": "string"}),
        json!({"type": "boolean"}),
        json!({"type": "array", "items": {"type": "string"}}),
    );
    let written = [
        ("to", named("People")),
        ("cc", named("People")),
        ("bcc", named("People")),
        ("subject", text.clone()),
    ];
    let chosen = [
        ("id", named("Ids")),
        ("ids", named("Ids")),
        ("target", named("Filter")),
    ];
    let one = [chosen[0].clone(), chosen[2].clone()];
    let with =
        |base: &[(&'static str, Value)], more: &[(&'static str, Value)]| [base, more].concat();
    let ask = json!({"oneOf": choices(&["list", "count", "any", "when", "who", "total"])});
    let mut search: Vec<(&str, Value)> = vec![("ask", ask)];
    search.extend(filter_fields());
    vec![
        tool("email.search", &search),
        tool("email.read", &one),
        tool(
            "email.send",
            &with(
                &written,
                &[
                    ("body", text.clone()),
                    ("attach", texts.clone()),
                    ("draft", named("Ids")),
                    ("drafted", named("Filter")),
                ],
            ),
        ),
        tool(
            "email.draft",
            &with(
                &written,
                &[("body", text.clone()), ("in_reply_to", named("Ids"))],
            ),
        ),
        tool(
            "email.reply",
            &with(
                &with(&one, &written[1..]),
                &[
                    ("body", text.clone()),
                    ("all", yes.clone()),
                    ("attach", texts.clone()),
                ],
            ),
        ),
        tool(
            "email.forward",
            &with(&with(&one, &written), &[("note", text.clone())]),
        ),
        tool("email.archive", &with(&chosen, &[("into", named("Into"))])),
        tool(
            "email.label",
            &with(&chosen, &[("add", texts.clone()), ("remove", texts)]),
        ),
        tool(
            "email.mark",
            &with(&chosen, &[("read", yes.clone()), ("starred", yes)]),
        ),
        tool("email.delete", &chosen),
        tool(
            "email.attachment",
            &with(&one, &[("folder", text.clone()), ("name", text.clone())]),
        ),
        tool("email.unsubscribe", &one),
        tool(
            "note.read",
            &[chosen[0].clone(), ("target", named("Notes"))],
        ),
        tool(
            "calendar.list",
            &[
                ("from", named("Moment")),
                ("to", named("Moment")),
                ("ask", text.clone()),
                ("text", text.clone()),
                ("order", text.clone()),
                ("pick", text.clone()),
                ("person", named("People")),
                ("starts_from", json!({"type": "boolean"})),
            ],
        ),
        tool(
            "task.list",
            &[
                ("due_from", named("Moment")),
                ("due_to", named("Moment")),
                ("ask", text),
            ],
        ),
    ]
}

pub(super) fn shown(ids: &[&str]) -> Focus {
    shown_of(Kind::Mail, ids)
}

/// What a conversation has shown: rows of a kind with these ids.
pub(super) fn shown_of(kind: Kind, ids: &[&str]) -> Focus {
    let items = ids.iter().map(|id| Referent {
        kind,
        id: RecordId((*id).to_owned()),
        instance: None,
        label: (*id).to_owned(),
        people: vec![("Ana Ruiz".to_owned(), "ana@example.org".to_owned())],
    });
    let mut focus = Focus::default();
    focus.push(Shown {
        items: items.collect(),
        acted: false,
    });
    focus
}

/// The steps of a message, where frames read it.
pub(super) fn steps(text: &str, focus: &Focus) -> Option<Vec<StepDraft>> {
    let now: jiff::Zoned = "2026-05-06T10:00:00+02:00[Europe/Paris]"
        .parse()
        .expect("a time");
    let people: Vec<(String, Vec<String>)> = ["Ana Ruiz", "Will Kent", "Kim Soto", "Petra Lang"]
        .iter()
        .map(|name| ((*name).to_owned(), Vec::new()))
        .collect();
    let said = Utterance {
        text,
        now: &now,
        settings: &Settings::default(),
        focus,
        history: &[],
        people: &people,
        roles: &[],
        names: &[],
        tools: &tools(),
    };
    match plan(&said)? {
        Reading::Plan { plan, .. } => Some(plan.steps),
        _ => None,
    }
}

/// Checks that each line's message becomes the call behind it; its last step, where something is looked up first.
pub(super) fn check(table: &str, focus: &Focus) {
    let mut wrong = Vec::new();
    for line in table.trim().lines() {
        let [text, tool, args] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("no row: {line}");
        };
        let args: Value = serde_json::from_str(args).expect("arguments");
        let made = steps(text, focus).unwrap_or_default();
        let does = made.last().map(|step| (step.tool.as_str(), &step.args));
        if does != Some((tool, &args)) {
            wrong.push(format!("{text}\n  wanted {tool} {args}\n  got    {does:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
