//! How people type: asides, words in the middle of a phrase, missing apostrophes, what an alarm is for.

use adjutant_domain::reading::{Planner as _, Router as _};

use crate::Embedded;
use crate::fixture::{MessageContext, rendered};

#[test]
fn what_is_typed_casually_is_read() {
    let table = [
        ("mark the expense report as done, finally", "task.complete"),
        (
            "oh and i also have to call the landlord about the tap",
            "\"title\":\"Call the landlord about the tap\"",
        ),
        (
            "Hi, hope you're well! Could you please check if I have something on April 2nd?",
            "calendar.free",
        ),
        ("whats anas number", "contact.find"),
        ("did I ever answer Ana?", "\"answered\":true"),
        (
            "set an alarm for 6:15 tomorrow, i have to catch an early train",
            "\"title\":\"Alarm\"",
        ),
        (
            "add a recurring task: back up the laptop every sunday",
            "\"title\":\"Back up the laptop\"",
        ),
        (
            "theres a fire drill on monday from 11 to 11:20, put that in",
            "\"summary\":\"Fire drill\"",
        ),
        ("bump the insurance thing to tomorrow", "insurance\""),
        (
            "i owe Ana 45 dollars, dont let me forget",
            "\"title\":\"I owe Ana 45 dollars\"",
        ),
        (
            "everything due this week should be high priority",
            "\"priority\":\"high\"",
        ),
        (
            "schedule a call with Ana thursday 9pm my time",
            "\"summary\":\"Call with Ana\"",
        ),
    ];
    check(&table);
}

#[test]
fn what_is_said_beside_a_request_changes_nothing() {
    check(&[
        (
            "reopen the printer ink task I never actually ordered it",
            "task.update {\"changes\":{\"reopen\":true},\"target\":{\"pick\":\"one\",\"text\":\"printer ink\"}}",
        ),
        (
            "i got study group this sunday from 10 til noon at the library can u put it in",
            "\"summary\":\"Study group\"",
        ),
        (
            "i got study group this sunday from 10 til noon at the library can u put it in",
            "T12:00:00",
        ),
        (
            "gotta hand in my essay by friday put that on my list",
            "\"title\":\"Hand in my essay\"",
        ),
        (
            "bins out every sunday 8pm, remind me",
            "\"title\":\"Bins out\"",
        ),
        (
            "no piano on the 31st, Ana is away. take it off",
            "calendar.delete",
        ),
        (
            "No sprint planning on the 30th. Remove it.",
            "calendar.delete",
        ),
        (
            "Please change my calendar: the dinner will be held at Trattoria Nove instead of Osteria Luna.",
            "\"location\":\"Trattoria Nove\"",
        ),
        (
            "the farewell isn't in the studio anymore it's at the Anchor now can you change that",
            "\"location\":\"the Anchor\"",
        ),
        (
            "Would you save my neighbour's details? Her name is Margaret Hale and her number is 845 555 0164.",
            "\"name\":\"Margaret Hale\"",
        ),
        (
            "remember that I bill Fjordline 165 dollars an hour",
            "\"key\":\"I bill Fjordline\"",
        ),
        ("how much is 14.5 hours at 165 an hour", "calc.evaluate"),
        ("forward the hotel booking to Ana", "email.forward"),
    ]);
}

#[test]
fn what_only_looks_alike_is_not_taken_for_it() {
    let mut around = MessageContext::new();
    around.directive("person Ana Ruiz");
    for (request, wrong) in [
        // Hours of a day, no series from a day on.
        ("Cancel everything I have Thursday from 2pm on", "following"),
        // Things to do, no statements.
        ("remember Call Ana back tomorrow", "memory.store"),
        ("Remember Buy milk on the way", "memory.store"),
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
