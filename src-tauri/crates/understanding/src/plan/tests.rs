//! Any text at all is read in bounded time and without a panic, and a plan is always one that the engine can check.

use adjutant_domain::focus::Focus;
use adjutant_domain::plan::STEPS_MAX;
use adjutant_domain::reading::{Reading, Router, Utterance};
use adjutant_domain::settings::Settings;
use proptest::prelude::*;

use crate::{Embedded, plan};

fn reading(text: &str) -> Reading {
    let now: jiff::Zoned = "2026-03-29T01:30:00+01:00[Europe/Paris]"
        .parse()
        .expect("a time");
    let settings = Settings::default();
    let focus = Focus::default();
    let people = vec![
        ("Ana Ruiz".to_owned(), vec!["ana@example.org".to_owned()]),
        ("Will May".to_owned(), vec!["will@example.org".to_owned()]),
        ("Zoë O'Hara-Łuk".to_owned(), Vec::new()),
    ];
    let said = Utterance {
        text,
        now: &now,
        settings: &settings,
        focus: &focus,
        history: &[],
        people: &people,
        names: &[],
        tools: &[],
    };
    plan::plan(&said, &Embedded.route(&said))
}

/// What every plan keeps: keys in order, needs that stand before, spans that fit the message.
fn check(text: &str) {
    if let Reading::Plan { plan, trace } = reading(text) {
        assert!(
            !plan.steps.is_empty() && plan.steps.len() <= STEPS_MAX,
            "{text}"
        );
        for (at, step) in plan.steps.iter().enumerate() {
            assert_eq!(step.key.0, format!("s{}", at + 1), "{text}");
            assert!(!step.say.is_empty(), "{text}");
            assert!(
                step.needs
                    .iter()
                    .all(|need| plan.steps[..at].iter().any(|before| before.key == *need)),
                "{text}"
            );
        }
        for line in trace {
            if let Some((start, end)) = line.span {
                assert!(text.get(start..end).is_some(), "{text} {start}..{end}");
            }
        }
    }
}

/// Words that requests are made of, so that chance makes many half-right ones.
const WORDS: &[&str] = &[
    "delete",
    "cancel",
    "move",
    "all",
    "my",
    "the",
    "meeting",
    "meetings",
    "emails",
    "email",
    "task",
    "from",
    "with",
    "to",
    "Ana",
    "Will",
    "and",
    "then",
    "if",
    "I",
    "haven't",
    "met",
    "in",
    "last",
    "first",
    "3",
    "days",
    "tomorrow",
    "at",
    "4pm",
    "by",
    "an",
    "hour",
    "except",
    "one",
    "about",
    "'budget'",
    "\"x y\"",
    "saying",
    "that",
    "it",
    "them",
    "reply",
    "forward",
    "send",
    "schedule",
    "a",
    "free",
    "slot",
    "called",
    "remind",
    "me",
    "not",
    "unless",
    "so",
    ",",
    ".",
    "?",
    "’",
    "“",
    "”",
    "🙂",
    "é",
    "’s",
    "'s",
    "every",
    "Monday",
    "next",
    "second",
    "both",
    "due",
    "done",
    "mark",
    "as",
    "read",
    "note",
    "what",
    "is",
    "on",
    "how",
    "many",
    "otherwise",
    "title",
    "body",
    "everyone",
    "of",
    "for",
    "30",
    "minutes",
    "before",
    "11",
    "remember",
    "list",
    "report.pdf",
    "bob@example.org",
    "call",
    "off",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(text in "\\PC{0,300}") {
        check(&text);
    }

    #[test]
    fn any_bytes_that_are_text_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        check(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_mixture_of_request_words_is_read(words in proptest::collection::vec(0..WORDS.len(), 0..40)) {
        let text: Vec<&str> = words.into_iter().map(|at| WORDS[at]).collect();
        check(&text.join(" "));
    }
}

#[test]
fn a_text_as_long_as_messages_get_is_read() {
    for part in [
        "delete all emails from Ana and ",
        "a ",
        "\"",
        "'",
        "if ",
        "tomorrow at 3 ",
        "🙂",
        "(",
        "the the ",
        "Ana's ",
        "\n",
        "to to ",
        "cancel it. ",
        "и ",
        "except ",
    ] {
        let text = part.repeat(64 * 1024 / part.len());
        check(&text);
        check(
            &text[..text
                .char_indices()
                .nth(2000)
                .map_or(text.len(), |(at, _)| at)],
        );
    }
}
