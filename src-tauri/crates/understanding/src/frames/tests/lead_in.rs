//! A statement before a request, and what the request takes from it.

use adjutant_domain::reading::{Planner as _, Router as _};

use crate::Embedded;
use crate::fixture::{MessageContext, rendered};

fn read(message: &str) -> String {
    let mut around = MessageContext::new();
    for directive in ["person Ana Ruiz", "person Ben Hale"] {
        around.directive(directive);
    }
    let said = around.utterance(message);
    rendered(&Embedded.plan(&said, &Embedded.route(&said)))
}

/// Checks that a message is read like another one that says everything in one sentence.
fn check(table: &[(&str, &str)]) {
    for (message, meant) in table {
        let meant = read(meant);
        assert!(!meant.contains("not understood"), "{meant}");
        assert_eq!(read(message), meant, "{message}");
    }
}

#[test]
fn a_request_refers_to_the_thing_before_it() {
    check(&[
        (
            "I keep forgetting my vitamins. Could you remind me tomorrow at 7:30 to take them?",
            "remind me tomorrow at 7:30 to take my vitamins",
        ),
        (
            "The board review is a bit early. Could you move it to 1 pm, please?",
            "move the board review to 1 pm",
        ),
        (
            "The studio won't be free for the farewell, so please change the place to the canteen.",
            "change the place of the farewell to the canteen",
        ),
    ]);
}

#[test]
fn a_request_refers_to_the_person_before_it() {
    check(&[
        (
            "I forgot to reply to Ana. What did she write?",
            "What did Ana write?",
        ),
        (
            "I had Ben on the phone. Put lunch with him on Friday at noon in my calendar.",
            "Put lunch with Ben on Friday at noon in my calendar.",
        ),
    ]);
}

#[test]
fn what_somebody_is_told_stays_as_it_was_said() {
    check(&[(
        "Ana called about the report. Tell her that she will get it tomorrow.",
        "Tell Ana that she will get it tomorrow.",
    )]);
}

#[test]
fn all_of_a_statement_is_remembered() {
    check(&[
        (
            "Ana told me she's vegetarian. Remember that about her.",
            "remember that Ana told me she's vegetarian",
        ),
        (
            "I can't have shellfish, so please remember that for when we pick restaurants.",
            "remember that I can't have shellfish",
        ),
    ]);
}

#[test]
fn a_request_refers_to_the_time_before_it() {
    check(&[
        (
            "Ana is asking about the evening of the 19th. Am I free then?",
            "Am I free the evening of the 19th?",
        ),
        (
            "The kids have no school on Friday. Am I free that day?",
            "Am I free on Friday?",
        ),
        (
            "I'd like to leave early on Friday, so remind me at half past four to pack up",
            "remind me at half past four to pack up on Friday",
        ),
        (
            "I'm away from the 24th to the 26th. Take the standups on those days out of my calendar.",
            "Take the standups from the 24th to the 26th out of my calendar.",
        ),
        (
            "My flight lands at 6. Remind me to call a cab half an hour before.",
            "Remind me to call a cab on 2026-03-11 at 17:30.",
        ),
        (
            "I need to leave by 5 today. Do I have anything after that?",
            "Do I have anything after 5 today?",
        ),
    ]);
}

#[test]
fn a_reminder_is_for_what_the_statement_promises() {
    check(&[(
        "I promised to ring Ben about the cookies. Could you remind me tonight at half past seven?",
        "remind me tonight at half past seven to ring Ben about the cookies",
    )]);
}

#[test]
fn an_intention_before_a_question_is_no_task() {
    check(&[(
        "I need to write to Ana Ruiz. What's her email address?",
        "What's Ana Ruiz's email address?",
    )]);
}

#[test]
fn what_only_the_statement_dates_is_not_done_on_another_day() {
    let read = read("The kids have no school on Friday. Schedule lunch with Ana at noon.");
    assert!(!read.contains("2026-03-11"), "{read}");
    assert!(read.contains("2026-03-13T12:00"), "{read}");
}

#[test]
fn what_only_the_statement_dates_does_not_stand_alone() {
    let read = read("We are in Rome on Friday. Cancel the gym class.");
    assert!(!read.contains("calendar.delete"), "{read}");
}

#[test]
fn what_somebody_did_to_other_things_is_not_done_to_their_mails() {
    for message in [
        "Ben messed up my notes. Archive all of them",
        "Ben finished the slides. Delete all of those",
    ] {
        let read = read(message);
        assert!(!read.contains("email."), "{message}: {read}");
    }
}

#[test]
fn our_things_are_not_the_others() {
    check(&[(
        "Ben called. Put our team lunch on Friday at noon in my calendar.",
        "Put our team lunch on Friday at noon in my calendar.",
    )]);
}
