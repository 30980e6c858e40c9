//! Messages whose speaker replaces or withdraws what was just said.

use adjutant_domain::reading::{Planner as _, Router as _};

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

/// Checks that each message reads like the plain one beside it.
fn alike(table: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (repaired, plain) in table {
        let (got, wanted) = (read(repaired), read(plain));
        assert!(!wanted.contains("  ! "), "{plain}: {wanted}");
        if got != wanted {
            wrong.push(format!("{repaired}\n  wanted {wanted}  got    {got}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_value_takes_the_place_of_the_nearest_of_its_type() {
    alike(&[
        (
            "Star Ana's, I mean Kim's mail about the lease",
            "Star Kim's mail about the lease",
        ),
        (
            "Forward the invoice to Will... no, sorry, to Petra",
            "Forward the invoice to Petra",
        ),
        (
            "Book a table for 3 people, no, 5 people on Friday at 7pm",
            "Book a table for 5 people on Friday at 7pm",
        ),
        (
            "Reserve a room for 6, wait, 8 people tomorrow at noon",
            "Reserve a room for 8 people tomorrow at noon",
        ),
        (
            "Schedule a call with Ana on Monday … I mean with Will, at 3pm",
            "Schedule a call with Will on Monday at 3pm",
        ),
        (
            "Add a contact: Ida Moss, ida@moss.example, phone 212 555 0142 - wait, it ends in 0143, so 212 555 0143",
            "Add a contact: Ida Moss, ida@moss.example, phone 212 555 0143",
        ),
        (
            "Add a contact Max Frei, phone 212 555 0177, no, it ends in 78",
            "Add a contact Max Frei, phone 212 555 0178",
        ),
        (
            "Tell Kim I can come... no, I can't come",
            "Tell Kim I can't come",
        ),
        (
            "Mark the mail from Kim as read... no wait, unread",
            "Mark the mail from Kim as unread",
        ),
        (
            "Make the lease task low priority - no, high priority",
            "Make the lease task high priority",
        ),
    ]);
}

#[test]
fn a_request_takes_the_place_of_the_one_before_it() {
    alike(&[
        (
            "How many unread mails, or rather: how many unread ones from Ana?",
            "How many unread mails from Ana?",
        ),
        (
            "Delete the mail from Kim... no wait, archive the mail from Kim",
            "Archive the mail from Kim",
        ),
        (
            "Show me my tasks. Hm, no, show me my notes",
            "Show me my notes",
        ),
        (
            "Archive the mail from Ana and star the one from Will, no, sorry, flag the one from Kim",
            "Archive the mail from Ana and flag the one from Kim",
        ),
    ]);
}

#[test]
fn one_of_several_things_is_left_out() {
    alike(&[
        (
            "Archive the Fastnet invoice and the water one - hm no, only the Fastnet one, and star the mail from Ana",
            "Archive the Fastnet invoice and star the mail from Ana",
        ),
        (
            "Move the planning to 2:30 and the training to... no, leave the training alone, just the planning",
            "Move the planning to 2:30",
        ),
        (
            "Cancel the gym and the sauna, no wait, not the sauna",
            "Cancel the gym",
        ),
        (
            "Add eggs and milk to the shopping list - no, not the milk",
            "Add eggs to the shopping list",
        ),
        (
            "Tick off the tax task and the lease task... sorry, no, just the second",
            "Tick off the lease task",
        ),
        (
            "Move the lunch and the dinner to Friday - no, leave out the dinner",
            "Move the lunch to Friday",
        ),
    ]);
}

#[test]
fn everything_may_be_withdrawn() {
    for text in [
        "Cancel the, hm, the one on Saturday... ah no, never mind, leave everything as it is",
        "Delete the lease note... no, don't, keep it",
        "Move the lunch to... oh wait, no, leave it",
        "Send Ana a mail that - no, sorry, forget it, I will do it myself",
    ] {
        assert!(read(text).contains("= All right. I did nothing."), "{text}");
    }
}

#[test]
fn a_repair_that_nothing_resolves_is_not_acted_on() {
    for text in [
        "Add lunch with Ana on Monday at noon... no, I don't know yet",
        "Remind me to pay the rent tomorrow - wait, no, hm, what was it",
        "Book the sauna on Friday at 8, no, wait, the thing with the towels first",
        "Archive the newsletters… no, wait",
        "Delete the tax task - or rather, hm, the other",
    ] {
        let got = read(text);
        assert!(
            got.contains("! I did not understand what you took back"),
            "{text}: {got}"
        );
    }
}

#[test]
fn what_only_sounds_like_a_repair_is_none() {
    for (text, part) in [
        ("Add a task: call the plumber, no rush", "Call the plumber"),
        (
            "email Ana that I am sorry, I can't come on Friday",
            "I am sorry, I can't come on Friday.",
        ),
        (
            "Tell Kim I'm late, sorry, the train broke down",
            "sorry, the train broke down",
        ),
        (
            "Email Ana saying \"no wait, stay there\"",
            "no wait, stay there",
        ),
        ("what did I mean by the lease task", ""),
    ] {
        let got = read(text);
        assert!(
            got.contains(part) && !got.contains("took back"),
            "{text}: {got}"
        );
    }
}

/// What comes of a message after what the directives say, a line a step.
fn after(before: &[&str], text: &str) -> String {
    let mut around = MessageContext::new();
    before.iter().for_each(|line| around.directive(line));
    let said = around.utterance(text);
    rendered(&Embedded.plan(&said, &Embedded.route(&said)))
}

#[test]
fn what_was_just_made_is_put_right_with_its_old_value() {
    let made = [
        "said remind me to call the bank tomorrow at 6 pm",
        "shown task task_1 Call the bank",
        "made",
    ];
    for text in [
        "Sorry, 7 rather than 6.",
        "I meant at 7, not 6",
        "no, 7pm instead of 6pm",
        "not 6pm but 7pm",
    ] {
        let got = after(&made, text);
        let moved = got.contains("task.update") && (got.contains("19:00") || got.contains("07:00"));
        assert!(moved && got.contains("task_1"), "{text}: {got}");
    }
}

#[test]
fn a_statement_about_what_was_shown_leaves_the_request_to_it() {
    let shown = [
        "said which tasks fall on Friday?",
        "shown task task_1 Review board deck",
        "list",
    ];
    for text in [
        "Mhm, right. I won't manage that before the weekend... push it to Sunday.",
        "Good. Push it to Sunday.",
        "That will not work. Move it to Sunday",
        "Too much for one day. Move it to Sunday.",
        "I can't do that in time. Move it to Sunday.",
    ] {
        let got = after(&shown, text);
        assert!(
            got.contains("task.update") && got.contains("task_1") && got.contains("2026-03-15"),
            "{text}: {got}"
        );
    }
}

#[test]
fn one_that_was_shown_changes_in_two_ways() {
    let shown = ["shown task task_1 Buy a present", "list"];
    for text in [
        "Make that one high priority and due on the 27th.",
        "mark it as urgent and set it due on March 27",
        "Set it to high priority and due on the 27th",
        "Make it due on the 27th and high priority",
    ] {
        let got = after(&shown, text);
        let both = got.contains("\"high\"") && got.contains("2026-03-27");
        assert!(both && got.contains("task_1"), "{text}: {got}");
    }
}

#[test]
fn that_day_is_the_day_of_the_message_before() {
    let asked = ["said what do I have on Monday afternoon?"];
    for text in [
        "Those two overlap. Move the hiring sync to 3:15pm that day.",
        "Add lunch with Ana at 3:15pm on that day",
    ] {
        let got = after(&asked, text);
        assert!(
            got.contains("2026-03-16") && got.contains("15:15"),
            "{text}: {got}"
        );
    }
    let range = ["said what do I have next week?"];
    assert!(!after(&range, "Add lunch with Ana at 3pm that day").contains("2026-03-16"));
}

#[test]
fn what_answers_quoted_goes_into_a_note() {
    let answers = [
        "said what is the premium of the car insurance?",
        "answered “Premium: 612 dollars a year.” (file car.txt)",
        "said and the policy number?",
        "answered “Policy number 77-44” (file car.txt)",
    ];
    for text in [
        "Good. Write both into a new note called Insurance.",
        "put those two in a note named Insurance",
        "Save all of that in a new note titled Insurance, please",
    ] {
        let got = after(&answers, text);
        let whole = got.contains("note.create") && got.contains("612") && got.contains("77-44");
        assert!(whole && got.contains("\"Insurance\""), "{text}: {got}");
    }
    let got = after(&answers, "write that into a note called Policy");
    assert!(got.contains("77-44") && !got.contains("612"), "{got}");
    // An answer that quotes nothing is no text to write down.
    let got = after(
        &["said hello", "answered 3 events."],
        "write both into a note called Plans",
    );
    assert!(!got.contains("events"), "{got}");
}
