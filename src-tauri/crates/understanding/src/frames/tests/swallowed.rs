//! What belongs to no title, place or list: reasons, times that will do, further requests, misspelled requests.

use adjutant_domain::reading::{Planner as _, Reading, Router as _};

use crate::Embedded;
use crate::fixture::{MessageContext, rendered};

fn read(text: &str) -> String {
    let mut around = MessageContext::new();
    for person in ["Ana Ruiz", "Ben Ode", "Kim Soto"] {
        around.directive(&format!("person {person}"));
    }
    let said = around.utterance(text);
    rendered(&Embedded.plan(&said, &Embedded.route(&said)))
}

#[test]
fn what_is_said_beside_a_new_event_is_no_part_of_it() {
    for (message, request) in [
        (
            "Book the fitting for Thursday at 2, Kim only has the one hour",
            "Book the fitting for Thursday at 2",
        ),
        (
            "Schedule an hour with Ben on Friday at 3, we have to sort out the budget",
            "Schedule an hour with Ben on Friday at 3",
        ),
        (
            "Put a haircut on Friday at 4 and send the invite to her",
            "Put a haircut on Friday at 4",
        ),
    ] {
        let wanted = read(request);
        assert!(wanted.contains("calendar.create"), "{wanted}");
        assert_eq!(read(message), wanted, "{message}");
    }
    let room = read("Set up half an hour with Ana and Ben on Friday at 2 in Room 7");
    assert!(room.contains("\"location\":\"Room 7\""), "{room}");
    assert!(
        room.contains("\"summary\":\"Meeting with Ana and Ben\""),
        "{room}"
    );
}

#[test]
fn a_day_that_will_do_is_when_a_task_is_due() {
    for message in [
        "gotta ring the piano tuner, thursday sometime is fine",
        "I need to ring the piano tuner, Thursday is early enough",
    ] {
        let got = read(message);
        assert_eq!(got.lines().count(), 1, "{message}: {got}");
        assert!(got.contains("\"due\":\"2026-03-12\""), "{message}: {got}");
        assert!(got.contains("iano tuner\""), "{message}: {got}");
    }
}

#[test]
fn a_misspelled_request_names_nothing_new() {
    let got = read("cna you mvoe tomorows dinner wiht Ana to 8pm");
    assert!(got.contains("calendar.update"), "{got}");
    assert!(got.contains("\"changes\":{\"time\":\"20:00\"}"), "{got}");
    for message in [
        "plz delte the swim on Friday at 3 thansk",
        "tomorow mvoe swim ot 3pm",
    ] {
        let got = read(message);
        assert!(!got.contains(".create"), "{message}: {got}");
    }
}

#[test]
fn a_question_is_no_entry_of_a_list() {
    let got = read("I'd like to see what is on my packing list");
    assert!(got.contains("note.read"), "{got}");
    // A remark takes in no request behind its colon.
    let got = read("I'm baking on Sunday: add brown sugar, flour and butter to the shopping list");
    assert!(!got.contains("[\"flour\",\"butter\"]"), "{got}");
}

#[test]
fn a_note_is_told_its_title() {
    for message in [
        "Open a new note, title Garden plan: rake the lawn, prune the roses",
        "Start a new note, title Garden plan, and in it: rake the lawn, prune the roses",
    ] {
        let got = read(message);
        assert!(got.contains("note.create"), "{message}: {got}");
        assert!(
            got.contains("\"title\":\"Garden plan\""),
            "{message}: {got}"
        );
        assert!(
            got.contains("rake the lawn") || got.contains("Rake the lawn"),
            "{got}"
        );
        assert_eq!(got.lines().count(), 1, "{message}: {got}");
    }
}

#[test]
fn what_the_person_has_to_do_behind_a_request_is_neither_lost_nor_done_unasked() {
    let around = MessageContext::new();
    let said =
        around.utterance("Add milk to the packing list, I need to call the plumber tomorrow");
    let Reading::Plan { plan, .. } = Embedded.plan(&said, &Embedded.route(&said)) else {
        panic!("no plan");
    };
    let steps: Vec<(&str, bool)> = plan
        .steps
        .iter()
        .map(|step| (step.tool.as_str(), step.guessed))
        .collect();
    assert_eq!(steps, [("note.append", false), ("task.create", true)]);
}
