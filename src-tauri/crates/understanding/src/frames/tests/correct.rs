//! Messages that correct themselves, what asks for nothing, and what is taken back.

use adjutant_domain::plan::AnswerKind;
use adjutant_domain::reading::{Planner as _, Reading, Router as _};

use crate::Embedded;
use crate::fixture::{MessageContext, rendered};

/// What comes of a message, a line a step.
fn read(text: &str) -> String {
    let mut around = MessageContext::new();
    for person in ["Ana Ruiz", "Will Kent", "Kim Soto", "Petra Lang"] {
        around.directive(&format!("person {person}"));
    }
    let said = around.utterance(text);
    rendered(&Embedded.plan(&said, &Embedded.route(&said)))
}

/// Checks that what comes of each request is or holds what the row says, part by part.
fn check(table: &[(&str, &[&str])]) {
    let mut wrong = Vec::new();
    for (request, parts) in table {
        let got = read(request);
        if !parts.iter().all(|part| got.contains(part)) {
            wrong.push(format!("{request}\n  wanted {parts:?}\n  got    {got}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_message_may_correct_itself() {
    check(&[
        (
            "Book coffee with Ana on Monday at 9, no wait, make that Tuesday",
            &["calendar.create", "2026-03-17T09:00", "Coffee with Ana"],
        ),
        (
            "Add a review tomorrow at 2. Actually 3.",
            &["2026-03-12T15:00", "Review"],
        ),
        (
            "Move the 1pm today to 2. Scratch that, 4.",
            &["\"time\":\"16:00\"", "2026-03-11T13:00"],
        ),
        (
            "Plan dinner on Friday, sorry, Saturday, with Kim at 7pm",
            &["2026-03-14T19:00", "Kim"],
        ),
        (
            "remind me to phone Ana, I mean Will, tomorrow at 8",
            &["\"title\":\"Phone Will\"", "2026-03-12T08:00"],
        ),
        (
            "email Kim that the draft is ready, sorry, email Petra",
            &["email.send", "Petra", "The draft is ready."],
        ),
        (
            "what is on Monday, oops, Tuesday",
            &["calendar.list", "2026-03-17"],
        ),
        (
            "Email Ana saying \"no wait, stay there\"",
            &["no wait, stay there"],
        ),
        ("remind me to buy nails on Friday, sorry, screws", &["! "]),
        (
            "Add a call with Ana tomorrow at 3, no wait, the blue one",
            &["! "],
        ),
    ]);
}

#[test]
fn what_is_told_stays_as_it_was_said() {
    let wrong = ["at 6 at 7", "\"I'm sorry.\""];
    for request in [
        "Tell Ana I'll be there at 6, no wait, at 7",
        "email Ana that I'm sorry, I can't make it on Friday",
    ] {
        let got = read(request);
        assert!(!wrong.iter().any(|words| got.contains(words)), "{got}");
    }
}

#[test]
fn what_is_taken_back_is_not_done() {
    check(&[
        (
            "Book coffee with Ana tomorrow at noon. Actually never mind.",
            &["= All right. I did nothing."],
        ),
        (
            "move the lunch meeting to 1. Actually no, cancel it.",
            &["calendar.delete", "lunch"],
        ),
        (
            "archive the mail from Ana, scratch that, delete it",
            &["email.delete", "Ana"],
        ),
        (
            "remind me to call Ana at 5 and show me my tasks. Scratch that.",
            &["= All right. I did nothing."],
        ),
        (
            "I don't want to cancel the standup meeting, just move it to 10",
            &["calendar.update", "10:00", "standup"],
        ),
        ("don't move the workshop", &["= All right."]),
        (
            "should I cancel the workshop?",
            &["= That is for you to decide"],
        ),
    ]);
}

#[test]
fn the_last_effect_is_taken_back() {
    for request in [
        "undo",
        "Undo that, please.",
        "oops, undo it",
        "I didn't mean that, undo it",
        "can you take that back?",
        "put it back",
    ] {
        assert_eq!(read(request), "  undo\n", "{request}");
    }
    for request in [
        "undo that and email Ana",
        "put the chair back",
        "undo the third one",
    ] {
        assert_ne!(read(request), "  undo\n", "{request}");
    }
}

#[test]
fn talk_is_answered_in_a_line() {
    check(&[
        ("good evening", &["= Good evening, Sam."]),
        ("Hi! What's on tomorrow?", &["calendar.list", "2026-03-12"]),
        ("who are you", &["= I am Adjutant"]),
        ("what can you do?", &["calendar", "mail", "= "]),
        ("yes", &["= There is nothing waiting"]),
        ("¡¿…?!", &["= I am here."]),
        (
            "hol bitte die Post und lösche alle Termine",
            &["= I understand only English"],
        ),
    ]);
}

#[test]
fn whether_others_are_free_is_looked_for() {
    let asked = r#"calendar.free {"ask":"others""#;
    check(&[
        (
            "is Petra free on Friday?",
            &[asked, r#""from":"2026-03-13""#, r#""people":["Petra"]"#],
        ),
        (
            "is Petra busy on Friday at 3pm",
            &[asked, "T15:00", "T15:30", r#""people":["Petra"]"#],
        ),
        (
            "what is Petra doing on Friday",
            &[asked, r#""people":["Petra"]"#],
        ),
    ]);
}

#[test]
fn what_is_out_of_reach_is_named() {
    check(&[
        (
            "what's the weather like in Oslo tomorrow",
            &["! I can't tell the weather"],
        ),
        ("order two tickets to Oslo", &["! "]),
        (
            "turn off the lights",
            &["! I can't play anything or control devices"],
        ),
        ("call Will", &["! I can't make phone calls"]),
        ("delete that", &["! Nothing was shown or made here"]),
        ("cancel", &["! Nothing was shown or made here"]),
        ("archive them", &["! Nothing was shown or made here"]),
        ("remind me to call Will at 5", &["task.create"]),
        ("who invented the zip", &["! I don't know that"]),
        ("grommel the fipsy", &["! I did not understand that"]),
        (
            "remind me to stretch three times a week",
            &["! That says how often"],
        ),
        ("add \"lunch tomorrow", &["! A quotation mark is missing"]),
        (&"show my tasks and ".repeat(400), &["! That is too long"]),
    ]);
}

#[test]
fn what_is_not_sure_is_asked_about() {
    let mut around = MessageContext::new();
    around.directive("person Ana Ruiz");
    let asked = |text: &str| {
        let said = around.utterance(text);
        match Embedded.plan(&said, &Embedded.route(&said)) {
            Reading::Plan { plan, .. } => plan.steps.first().and_then(|step| step.question.clone()),
            _ => None,
        }
    };
    // Nothing tells whether that is an event or a task.
    let question = asked("move the wash to Friday").expect("a question");
    assert!(
        question.text.starts_with("Did you mean: Move "),
        "{}",
        question.text
    );
    assert!(question.text.contains("Friday"), "{}", question.text);
    assert_eq!(question.answer, AnswerKind::Choice);
    let labels: Vec<_> = question
        .choices
        .iter()
        .map(|choice| choice.label.as_str())
        .collect();
    assert_eq!(labels, ["Yes"]);
    for text in [
        "move the meeting with Ana to Friday",
        "grommel the fipsy",
        "add \"lunch",
    ] {
        assert_eq!(asked(text), None, "{text}");
    }
}
