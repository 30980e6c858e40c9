//! Choices in words.

use adjutant_domain::focus::Focus;
use adjutant_domain::plan::{AnswerKind, Choice};
use adjutant_domain::reading::Utterance;
use adjutant_domain::settings::Settings;
use serde_json::{Value, json};

fn answered(text: &str, kind: AnswerKind, choices: &[Choice]) -> Option<Value> {
    let now: jiff::Zoned = "2026-03-11T09:30:00+01:00[Europe/Paris]"
        .parse()
        .expect("a time");
    let settings = Settings::default();
    let focus = Focus::default();
    let people = vec![("Ana Ruiz".to_owned(), vec!["ana@example.org".to_owned()])];
    let said = Utterance {
        text,
        now: &now,
        settings: &settings,
        focus: &focus,
        history: &[],
        people: &people,
        tools: &[],
    };
    super::answer(&said, kind, choices)
}

fn choices(labels: &[(&str, Value)]) -> Vec<Choice> {
    labels
        .iter()
        .map(|(label, value)| Choice {
            label: (*label).to_owned(),
            value: value.clone(),
        })
        .collect()
}

#[test]
fn a_choice_is_found_by_number_place_and_words() {
    let list = choices(&[
        ("Standup, Wed 11 Mar, 10:00", json!("ev_1")),
        ("Budget review, Thu 12 Mar, 15:00", json!("ev_2")),
        ("Budget planning, Fri 13 Mar, 9:00", json!("ev_3")),
    ]);
    for (text, expect) in [
        ("1", Some("ev_1")),
        ("the second one", Some("ev_2")),
        ("last", Some("ev_3")),
        ("the standup", Some("ev_1")),
        ("budget review please", Some("ev_2")),
        ("the one on Friday", None),
        ("the one on fri", Some("ev_3")),
        ("budget", None),
        ("number 3", Some("ev_3")),
        ("4", None),
        ("what?", None),
        ("", None),
    ] {
        assert_eq!(
            answered(text, AnswerKind::Choice, &list),
            expect.map(|id| json!(id)),
            "{text}"
        );
    }
}

#[test]
fn which_instances_of_a_series_is_understood() {
    let list = choices(&[
        ("Only Tue 13 Jan 2026", json!("this")),
        ("This and all later ones", json!("following")),
        ("The whole series", json!("series")),
    ]);
    for (text, expect) in [
        ("only this one", "this"),
        ("just this one", "this"),
        ("this one", "this"),
        ("the series", "series"),
        ("all of them", "series"),
        ("the whole thing", "series"),
        ("this and later", "following"),
        ("all future ones", "following"),
        ("2", "following"),
        ("first", "this"),
    ] {
        assert_eq!(
            answered(text, AnswerKind::Choice, &list),
            Some(json!(expect)),
            "{text}"
        );
    }
}

#[test]
fn other_answers_are_read_by_their_kind() {
    for (text, kind, expect) in [
        ("half an hour", AnswerKind::Minutes, Some(json!(30))),
        ("45", AnswerKind::Minutes, Some(json!(45))),
        ("long", AnswerKind::Minutes, None),
        (
            "tomorrow at 3pm",
            AnswerKind::Moment,
            Some(json!("2026-03-12T15:00:00+01:00[Europe/Paris]")),
        ),
        ("Friday", AnswerKind::Moment, Some(json!("2026-03-13"))),
        ("soon", AnswerKind::Moment, None),
        (
            "to Ana and kim@example.com",
            AnswerKind::People,
            Some(json!(["Ana Ruiz", "kim@example.com"])),
        ),
        (
            "“Hello there”",
            AnswerKind::Text,
            Some(json!("Hello there")),
        ),
        (
            "He said \"no\"",
            AnswerKind::Text,
            Some(json!("He said \"no\"")),
        ),
        ("  ", AnswerKind::Text, None),
    ] {
        assert_eq!(answered(text, kind, &[]), expect, "{text}");
    }
}
