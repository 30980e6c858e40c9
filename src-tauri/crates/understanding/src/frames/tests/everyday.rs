//! Everyday wordings, one row for each class: what comes after a reason, what is changed without saying "move", and what
//! must not be taken for a name.

use adjutant_domain::reading::{Planner as _, Router as _};

use crate::Embedded;
use crate::fixture::{MessageContext, rendered};

#[test]
fn everyday_wordings_are_read() {
    check(&[
        // Earlier, in Indian English.
        (
            "prepone the board review by one hour",
            "\"shift_minutes\":-60",
        ),
        (
            "can you prepone the board review to 12:30",
            "\"time\":\"12:30\"",
        ),
        // A day that says which one is shifted.
        (
            "push the design critique back an hour today",
            "\"shift_minutes\":60",
        ),
        (
            "push the design critique back an hour today",
            "\"from\":\"2026-03-11\"",
        ),
        // What it was is said to be wrong.
        ("the training should be at 4 not 3", "\"time\":\"16:00\""),
        (
            "the hiring sync on monday should be 45 minutes, not 30",
            "\"duration_minutes\":45",
        ),
        // Obligations are to-dos, unless they change something in the calendar.
        (
            "need to move my dentist to next monday, same time",
            "calendar.update",
        ),
        ("need to return the books by friday", "task.create"),
        // When it is over.
        (
            "flight to Denver on the 2nd of April at 6:40 in the morning, lands at 9",
            "\"end\":\"2026-04-02T09:00:00",
        ),
        // Who or what made it necessary.
        (
            "Ana cancelled the budget review, take it out",
            "calendar.delete",
        ),
        (
            "can't make the farmers market on saturday, take it off my calendar",
            "calendar.delete",
        ),
        (
            "that 'You won' mail is obviously spam, bin it",
            "\"subject\":\"You won\"",
        ),
        // Without a verb, or with two.
        (
            "oat milk and lemons on the shopping list",
            "\"items\":[\"oat milk\",\"lemons\"]",
        ),
        ("day off on april 17", "\"summary\":\"Day off\""),
        (
            "put in an hour with Ana on friday at 11 to go over the icons",
            "\"duration_minutes\":60",
        ),
        ("reminder tmrw 7:30am gym bag", "\"title\":\"Gym bag\""),
        // Before a month.
        (
            "remind me to renew the permit before april",
            "\"due\":\"2026-03-31",
        ),
        // Time for what takes nobody knows how long.
        (
            "is there time for a call on friday afternoon",
            "\"ask\":\"slots\"",
        ),
        ("am i free for lunch on friday", "T12:00:00"),
    ]);
}

#[test]
fn sentences_are_no_names() {
    let mut around = MessageContext::new();
    around.directive("person Ana Ruiz");
    for (request, wrong) in [
        ("Ana wants to do coffee on monday at 4, add it", "wants"),
        (
            "I promised Ana to send her the numbers by friday, put it on my list",
            "I promised",
        ),
        (
            "remind me tomorrow at noon and again at 3 to take my pills",
            "\"Again",
        ),
        (
            "I can't make it on Thursday, tell Ana and cancel lunch",
            "And cancel",
        ),
        (
            "my flight lands at 9 so push the standup to 9:45",
            "calendar.create",
        ),
    ] {
        let said = around.utterance(request);
        let got = rendered(&Embedded.plan(&said, &Embedded.route(&said)));
        assert!(!got.contains(wrong), "{request}: {got}");
    }
}

/// Checks that each request is read as one step that contains a text.
fn check(table: &[(&str, &str)]) {
    let mut around = MessageContext::new();
    around.directive("person Ana Ruiz");
    let mut wrong = Vec::new();
    for (request, part) in table {
        let said = around.utterance(request);
        let got = rendered(&Embedded.plan(&said, &Embedded.route(&said)));
        if !got.contains(part) || got.lines().count() > 1 {
            wrong.push(format!("{request}\n  wanted {part}\n  got    {got}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
