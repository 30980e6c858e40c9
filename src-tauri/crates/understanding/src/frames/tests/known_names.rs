//! Requests that depend on the names of the person's things.

use adjutant_domain::mentioned_name::MentionedName;
use adjutant_domain::moment::Moment;
use adjutant_domain::reading::{Planner as _, Reading, Router as _, Utterance};
use adjutant_domain::record::Kind;

use crate::Embedded;
use crate::fixture::{MessageContext, named, rendered};

fn read(text: &str) -> Reading {
    let over = MentionedName {
        when: "2026-03-02".parse().ok().map(Moment::Day),
        ..named(Kind::Event, "evt_3", "Fencing")
    };
    let names = [
        over,
        named(Kind::Event, "evt_1", "Rowing club"),
        named(Kind::Event, "evt_2", "Lisbon trip"),
        named(Kind::Note, "nte_1", "Lisbon trip"),
        named(Kind::Mail, "eml_1", "Your code"),
    ];
    let around = MessageContext::new();
    let said = Utterance {
        names: &names,
        ..around.utterance(text)
    };
    Embedded.plan(&said, &Embedded.route(&said))
}

#[test]
fn a_new_time_for_an_event_moves_it() {
    for text in [
        "rowing club to 5 pm tomorrow",
        "rowing club -> 5 pm tomorrow",
        "rowing club tomorrow at 5 pm instead",
        "rowing club to 5 pm tomorrow instead",
    ] {
        let words = rendered(&read(text));
        assert!(words.starts_with("  calendar.update"), "{text}\n{words}");
        assert!(words.contains("Rowing club"), "{text}\n{words}");
    }
    // Nothing is called that, so it is something new.
    let words = rendered(&read("pottery from 4 to 5 pm tomorrow"));
    assert!(words.starts_with("  calendar.create"), "{words}");
    let words = rendered(&read("reading 5 to 6 pm tomorrow"));
    assert!(!words.contains("calendar.update"), "{words}");
}

#[test]
fn an_old_hour_without_a_day_does_not_choose_among_days() {
    for text in [
        "rowing club is at 1 now, not 12:30",
        "can we do rowing club at 5 instead of 6?",
    ] {
        let words = rendered(&read(text));
        assert!(
            words.contains(r#""target":{"pick":"one","summary_is":"Rowing club"}"#),
            "{text}\n{words}"
        );
    }
}

#[test]
fn a_new_event_with_the_name_of_another_one_is_a_guess() {
    for (text, guessed) in [
        ("rowing club friday 4pm", true),
        ("add rowing club on friday at 4pm", false),
        ("pottery friday 4pm", false),
        // It was last week, so there is nothing to move.
        ("fencing friday 4pm", false),
    ] {
        let Reading::Plan { plan, .. } = read(text) else {
            panic!("no plan: {text}");
        };
        assert_eq!(plan.steps[0].tool, "calendar.create", "{text}");
        assert_eq!(plan.steps[0].guessed, guessed, "{text}");
    }
}

#[test]
fn a_guess_is_of_the_kind_that_the_message_names() {
    let read = read("Get the code out of that mail and do add it to my note about the Lisbon trip");
    let words = rendered(&read);
    assert!(!words.contains("calendar."), "{words}");
}

#[test]
fn a_repetition_may_belong_to_a_name() {
    for (text, part) in [
        (
            "archive the mails from Kitchen Weekly",
            r#""from":["Kitchen Weekly"]"#,
        ),
        (
            "delete everything from daily bargains",
            r#""from":["daily bargains"]"#,
        ),
        ("archive the Kitchen Weekly mails", "Kitchen Weekly"),
    ] {
        let words = rendered(&read(text));
        assert!(words.contains(part), "{text}\n{words}");
    }
}
