//! Any text is read or left alone, whatever words of the rules it is made of.

use adjutant_domain::focus::Focus;
use adjutant_domain::reading::{Reading, Utterance};
use adjutant_domain::settings::Settings;
use adjutant_domain::tool::ToolSpec;
use proptest::prelude::*;
use serde_json::json;

use super::super::decide::{plan, plan_own};
use super::super::grammar::GRAMMAR;
use super::super::lattice::TOKENS_MAX;

/// Names of tools with arguments that anything may fill.
const TOOLS: [&str; 4] = ["task.create", "calendar.create", "email.send", "kite.fly"];

fn tools() -> Vec<ToolSpec> {
    let text = json!({"type": "string"});
    let tool = |name: &&str| {
        let spec = json!({
            "name": name, "domain": "task", "description": "", "risk": "read", "participle": "done",
            "phrases": ["fly the kite to {body} [for {title}]"],
            "schema": {"type": "object", "properties": {
                "title": text, "summary": text, "body": text, "subject": text, "due": text, "start": text,
            }},
        });
        serde_json::from_value(spec).expect("a tool")
    };
    TOOLS.iter().map(tool).collect()
}

fn read(text: &str) -> [Option<Reading>; 2] {
    let now = "2026-03-29T01:59:00+01:00[Europe/Paris]"
        .parse()
        .expect("a time");
    let (settings, focus) = (Settings::default(), Focus::default());
    let people = [("Ana Ruiz".to_owned(), vec!["ana@example.org".to_owned()])];
    let said = Utterance {
        text,
        now: &now,
        settings: &settings,
        focus: &focus,
        history: &[],
        people: &people,
        roles: &[],
        names: &[],
        tools: &tools(),
    };
    [plan(&said), plan_own(&said)]
}

/// A word of the rules, a mark, or any characters.
fn word() -> impl Strategy<Value = String> {
    let words: Vec<&'static str> = GRAMMAR.words().map(|(word, _)| word).collect();
    let marks = vec![
        ",", ".", "and", "\"", "'", ":", "Ana", "3", "tomorrow", "fly", "kite",
    ];
    prop_oneof![
        6 => prop::sample::select(words).prop_map(str::to_owned),
        3 => prop::sample::select(marks).prop_map(str::to_owned),
        1 => any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_words_of_the_rules_are_read_or_left_alone(words in prop::collection::vec(word(), 0..120)) {
        for reading in read(&words.join(" ")).into_iter().flatten() {
            match reading {
                Reading::Plan { plan, .. } => prop_assert!(!plan.steps.is_empty()),
                // What is out of reach is said.
                Reading::Say { text, .. } => prop_assert!(!text.is_empty()),
                other => prop_assert!(false, "{other:?}"),
            }
        }
    }
}

#[test]
fn what_is_too_long_or_too_ambiguous_is_left_alone() {
    let joined = "and remind me to move the meeting with Ana and Bo to Friday at 3 ".repeat(20);
    let long = "add milk ".repeat(TOKENS_MAX);
    let longest = "fly the kite to \u{0301}\u{200d}x, ".repeat(4_000);
    for text in [joined.as_str(), &long, &longest] {
        assert_eq!(read(text), [None, None], "{}", &text[..30]);
    }
}
