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
        // An obligation behind a reminder is what it is about; one to know something asks for an answer.
        (
            "ping me at 4:30, I must ring the plumber",
            r#""title":"Ring the plumber""#,
        ),
        // Somebody's series is a name and a repetition.
        (
            "Leo has judo every Thursday from 4 to 5 pm",
            r#""summary":"Leo: judo""#,
        ),
        // A time that says again when it is, and one that says from when.
        (
            "block tomorrow from 9:45 to 11:45, right after the standup, for board comments",
            r#""start":"2026-03-12T09:45:00"#,
        ),
        (
            "block two hours on Friday for the board deck, from 9:45 on",
            r#""start":"2026-03-13T09:45:00"#,
        ),
        // What repeated so far is no sender and no new task.
        (
            "change the yoga class from weekly to every two weeks",
            "calendar.update",
        ),
        // What is dictated may hold a "no".
        (
            "reply to Ana: well, no, Friday is better",
            "Friday is better",
        ),
        // With a time of day, what is to be done is an event; without one, a task.
        ("add pick up the parcel on Friday at 5pm", "calendar.create"),
        ("add renew the passport for friday", "task.create"),
        (
            "draft a mail to bob@example.org, but don't send it yet. Say that I am in Rome in July",
            r#"email.draft {"body":"I am in Rome in July.""#,
        ),
        (
            "write a note called Shed that says to oil the hinges",
            r#""body":"Oil the hinges","title":"Shed""#,
        ),
        ("finally finished the expense report", "task.complete"),
        ("move the gym on friday to 4 pls", r#""time":"16:00""#),
        // "A coffee" is new, "the coffee" is there.
        (
            "invite Priya to a coffee on Tuesday at 3",
            r#"calendar.create {"people":["Priya"]"#,
        ),
        (
            "invite Priya to a meeting called Retro on Tuesday at 3",
            r#""summary":"Retro""#,
        ),
        ("invite Priya to the coffee on Tuesday", "calendar.update"),
        ("note that down", "! I did not understand"),
        ("clashes on monday?", "\"overlapping\":true"),
        (
            "which tasks have passed their due date?",
            "\"overdue\":true",
        ),
        ("how many mails have I not read yet?", "\"unread\":true"),
        (
            "would tomorrow at 2 pm be free for a call with the school?",
            "calendar.free",
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
