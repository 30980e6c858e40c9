//! Requests in the passive, and statements behind a request that are left out.

use adjutant_domain::reading::{Planner as _, Reading, Router as _};

use crate::Embedded;
use crate::fixture::{MessageContext, rendered};

fn around() -> MessageContext {
    let mut around = MessageContext::new();
    for person in ["Ana Ruiz", "Will Kent", "Kim Soto"] {
        around.directive(&format!("person {person}"));
    }
    around
}

fn read(text: &str) -> Reading {
    let around = around();
    let said = around.utterance(text);
    Embedded.plan(&said, &Embedded.route(&said))
}

#[test]
fn a_request_also_reads_in_the_passive() {
    for (passive, active) in [
        (
            "Can Kim be added to the budget review?",
            "Add Kim to the budget review",
        ),
        (
            "I want the budget review moved to Friday at 2",
            "Move the budget review to Friday at 2",
        ),
        (
            "The mails from Ana can be tagged as travel",
            "Tag the mails from Ana as travel",
        ),
        (
            "The budget review needs to be cancelled",
            "Cancel the budget review",
        ),
    ] {
        let calls = |text: &str| match read(text) {
            Reading::Plan { plan, .. } => {
                let steps = plan.steps.into_iter();
                steps.map(|step| (step.tool, step.args)).collect()
            }
            _ => Vec::new(),
        };
        let wanted = calls(active);
        assert!(!wanted.is_empty(), "{active}");
        assert_eq!(calls(passive), wanted, "{passive}");
    }
}

#[test]
fn what_is_due_is_not_done() {
    let got = rendered(&read("The report should be completed"));
    assert!(!got.contains("task.complete"), "{got}");
}

#[test]
fn a_statement_behind_a_request_is_left_out() {
    for (message, request) in [
        (
            "Move the budget review to Friday at 2, Kim is stuck in traffic all morning",
            "Move the budget review to Friday at 2",
        ),
        (
            "Star the mail from Will, he was waiting for weeks",
            "Star the mail from Will",
        ),
    ] {
        let wanted = rendered(&read(request));
        assert!(
            wanted.starts_with("  calendar.") || wanted.starts_with("  email."),
            "{wanted}"
        );
        assert_eq!(rendered(&read(message)), wanted, "{message}");
    }
}

#[test]
fn a_statement_that_limits_a_request_is_not_left_out() {
    for message in [
        "Delete the mails from Will, I want to keep the one about the flat",
        "Cancel the budget review, we should only move it",
        "Archive the mails from Ana, the last two must stay where they are",
        "Archive the mails from Ana, I do not mean the last two",
        "Cancel the budget review, it is not the one on Friday",
    ] {
        let got = rendered(&read(message));
        let acts = ["email.archive", "email.delete", "calendar.delete"];
        assert!(
            !acts.iter().any(|tool| got.contains(tool)),
            "{message}: {got}"
        );
    }
}
