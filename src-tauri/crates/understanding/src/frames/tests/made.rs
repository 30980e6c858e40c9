//! What is said of the thing that was just made or listed, and of the request before it in the same message.

use adjutant_domain::reading::{Planner as _, Router as _};

use crate::Embedded;
use crate::fixture::{MessageContext, rendered};

/// Checks what comes of each request, a step a part, after some directives.
pub(super) fn check(directives: &[&str], table: &[(&str, &[&str])]) {
    let mut around = MessageContext::new();
    for line in directives {
        around.directive(line);
    }
    let mut wrong = Vec::new();
    for (request, parts) in table {
        let said = around.utterance(request);
        let got = rendered(&Embedded.plan(&said, &Embedded.route(&said)));
        let steps: Vec<&str> = got.lines().collect();
        let fits = |(step, part): (&&str, &&str)| step.contains(*part);
        if steps.len() != parts.len() || !steps.iter().zip(parts.iter()).all(fits) {
            wrong.push(format!("{request}\n  wanted {parts:?}\n  got    {got}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_event_that_was_just_made_is_corrected() {
    check(
        &[
            "person Ana Ruiz",
            "person Kim Soto",
            "said lunch with ana on the 17th at noon",
            "shown event ev_1 Lunch with ana / Ana Ruiz",
            "made",
        ],
        &[
            (
                "oh wait, with kim",
                &[
                    "\"add_people\":[\"kim\"],\"remove_people\":[\"ana.ruiz@example.org\"],\"summary\":\"Lunch with kim\"},\"id\":\"ev_1\"",
                ],
            ),
            ("at the canteen", &["\"location\":\"the canteen\""]),
            ("tomorrow", &["\"start\":\"2026-03-12\""]),
            ("for an hour", &["\"duration_minutes\":60"]),
            ("and every week", &["FREQ=WEEKLY"]),
        ],
    );
}

#[test]
fn the_oldest_of_a_list_goes_by_its_age() {
    check(
        &[
            "said show mails from Ana",
            "shown mail mail_3 New",
            "shown mail mail_2 Middle",
            "shown mail mail_1 Old",
            "list",
        ],
        &[
            (
                "archive the oldest",
                &[
                    "email.archive {\"target\":{\"ids\":[\"mail_3\",\"mail_2\",\"mail_1\"],\"order\":\"date\",\"pick\":\"first\"}}",
                ],
            ),
            ("archive the newest one", &["\"order\":\"-date\""]),
            ("archive the first one", &["\"mail_3\""]),
        ],
    );
}

#[test]
fn what_is_put_in_the_place_of_something_has_its_day() {
    check(
        &[],
        &[
            (
                "cancel saturday's market and put gym in instead at 9",
                &["calendar.delete", "\"start\":\"2026-03-14T09:00:00\""],
            ),
            // Nobody said on which day.
            ("cancel the market and put gym in instead at 9", &["! "]),
        ],
    );
}

#[test]
fn what_is_said_by_the_way_is_no_request() {
    check(
        &["person Ana Ruiz"],
        &[
            (
                "the kids are sick, move the standup to friday at 10",
                &["calendar.update"],
            ),
            (
                "i can't make the review, cancel and let Ana know",
                &["calendar.delete", "email.send"],
            ),
            // What is written does not end where somebody goes on about it.
            (
                "email Ana: the server is down. I am on it",
                &["The server is down. I am on it."],
            ),
            (
                "note: the code is 12. it is red",
                &["The code is 12. it is red"],
            ),
        ],
    );
}

#[test]
fn to_dos_need_no_word_for_them() {
    check(
        &[],
        &[
            (
                "call the bank, tomorrow morning, important",
                &["\"priority\":\"high\",\"title\":\"Call the bank\""],
            ),
            (
                "pick up the suit friday",
                &["\"title\":\"Pick up the suit\""],
            ),
            ("buy milk", &["\"title\":\"Buy milk\""]),
            ("call all of them tomorrow", &["! "]),
        ],
    );
}

#[test]
fn a_list_that_was_read_goes_on() {
    check(
        &[
            "said what's on my shopping list",
            "shown note note_1 Shopping list",
            "list",
        ],
        &[
            (
                "remove coffee",
                &["note.update {\"changes\":{\"remove_lines\":[\"coffee\"]},\"id\":\"note_1\"}"],
            ),
            (
                "add oat milk and bananas",
                &["note.append {\"id\":\"note_1\""],
            ),
        ],
    );
}
