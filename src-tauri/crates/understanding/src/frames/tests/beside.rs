//! What is said beside a request, and words that refer to it.

use adjutant_domain::reading::{Planner as _, Router as _};

use crate::Embedded;
use crate::fixture::{MessageContext, rendered};

/// Checks that a message, after the directives before it, is read as steps that contain the words behind `=>`.
fn check(directives: &[&str], table: &[(&str, &str)]) {
    for (message, part) in table {
        let mut around = MessageContext::new();
        for directive in ["person Ana Ruiz", "person Ben Hale"]
            .iter()
            .chain(directives)
        {
            around.directive(directive);
        }
        let said = around.utterance(message);
        let words = rendered(&Embedded.plan(&said, &Embedded.route(&said)));
        assert!(words.contains(part), "{message}\n{words}");
    }
}

#[test]
fn a_statement_beside_a_request_is_passed_over() {
    check(
        &[],
        &[
            (
                "we sold the car, cancel the car inspection",
                r#"calendar.delete {"target":{"pick":"one","text":"car inspection"}}"#,
            ),
            (
                "archive the mails from Ana so I don't lose them",
                r#"email.archive {"target":{"from":["Ana"],"pick":"all"}}"#,
            ),
            ("undo that, I still need it", "undo"),
        ],
    );
}

#[test]
fn a_statement_says_on_which_day_or_with_whom() {
    check(
        &[],
        &[
            (
                "I'm in Rome on Friday so cancel my tennis that day",
                r#"{"target":{"from":"2026-03-13","pick":"one","text":"tennis","to":"2026-03-14"}}"#,
            ),
            (
                "I just talked to Ana, so you can remove our call tomorrow",
                r#"{"target":{"from":"2026-03-12","person":["Ana"],"pick":"one","to":"2026-03-13"}}"#,
            ),
            (
                "I can't do the workshops. Cancel the ones next week",
                r#"{"target":{"from":"2026-03-16","pick":"all","text":"workshops","to":"2026-03-23"}}"#,
            ),
        ],
    );
}

#[test]
fn a_length_of_time_before_an_event_is_more_than_a_statement() {
    check(
        &[],
        &[
            (
                "remind me on Friday at 2 an hour before the dentist",
                r#""shift_minutes":-60"#,
            ),
            (
                "block Friday at 2, an hour before the dentist, for packing",
                r#""shift_minutes":-60"#,
            ),
        ],
    );
}

#[test]
fn a_request_is_not_passed_over_as_a_statement() {
    check(
        &[],
        &[("remember that Ben is off on Fridays", "memory.store")],
    );
}

#[test]
fn both_are_two() {
    check(
        &[],
        &[
            (
                "cancel both calls with Ana tomorrow",
                r#""pick":{"exactly":2}"#,
            ),
            ("star the three mails from Ben", r#""pick":{"exactly":3}"#),
        ],
    );
}

#[test]
fn a_detail_is_looked_up_and_not_written_down() {
    check(
        &[],
        &[
            (
                "send Ana Ben's phone number",
                r#"contact.find {"name":"Ben","pick":"one"}"#,
            ),
            (
                "send Ana Ben's phone number",
                r#""body":{"$from":"s1","path":"/items/0/phones/0"},"subject":"Ben's phone number""#,
            ),
        ],
    );
}

#[test]
fn two_mails_in_two_sentences_stay_two() {
    check(
        &[],
        &[(
            "email Ben that I got the box. Email Ben that the keys are in it",
            r#"email.send {"body":"The keys are in it.","to":["Ben"]}"#,
        )],
    );
}

#[test]
fn two_mails_to_one_person_become_one() {
    check(
        &[],
        &[(
            "email Ben that I got the box, and ask him to call me",
            r#"email.send {"body":"I got the box. Please call me.","to":["Ben"]}"#,
        )],
    );
}

#[test]
fn a_time_told_by_the_event_before() {
    check(
        &["shown event evt_1 Dentist", "list"],
        &[
            (
                "remind me ten minutes before it",
                r#"task.create {"due":{"$from":"s1","path":"/items/0/start","shift_minutes":-10}"#,
            ),
            (
                "remind me the day before at six to look for the papers",
                r#""at":"18:00""#,
            ),
        ],
    );
    check(
        &[],
        &[(
            "book lunch with Ana tomorrow at 1 and remind me an hour before",
            r#"task.create {"due":{"$from":"s1","path":"/items/0/start","shift_minutes":-60}"#,
        )],
    );
}

#[test]
fn then_is_the_time_of_the_message_before() {
    check(
        &["said am I free on Friday at 4?"],
        &[
            (
                "book a call with Ana then",
                r#""start":"2026-03-13T16:00:00""#,
            ),
            (
                "good, please reserve an hour at that time for the contract",
                r#""start":"2026-03-13T16:00:00""#,
            ),
        ],
    );
}

#[test]
fn a_block_before_an_event_ends_when_it_begins() {
    check(
        &[],
        &[
            (
                "block 30 minutes of prep before the kickoff",
                r#""shift_minutes":-30"#,
            ),
            (
                "block an hour before the kickoff for prep",
                r#""duration_minutes":60"#,
            ),
        ],
    );
}

#[test]
fn a_free_slot_is_found_and_booked() {
    check(
        &[],
        &[(
            "find half an hour with Ana on Friday and book it",
            r#"calendar.create {"duration_minutes":30,"people":["Ana"],"start":{"$from":"s1","path":"/first/start"}"#,
        )],
    );
}
