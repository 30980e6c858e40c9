//! A request behind sentences that nothing reads.

use adjutant_domain::reading::{Planner as _, Reading, Router as _};

use crate::Embedded;
use crate::fixture::{MessageContext, rendered};

fn read(text: &str) -> Reading {
    let mut around = MessageContext::new();
    around.directive("person Ana Ruiz");
    let said = around.utterance(text);
    Embedded.plan(&said, &Embedded.route(&said))
}

#[test]
fn the_last_sentences_are_read_alone_and_decided_on_their_card() {
    for (text, alone) in [
        (
            "Hm, three slots at the garage... Friday looks best I think. So put oil change in on Friday at 8, half an hour should do.",
            "put oil change in on Friday at 8, half an hour should do",
        ),
        (
            "Hm, what was left in the garden... the gutter, I think. The task about the gutter is done, tick it off.",
            "The task about the gutter is done, tick it off",
        ),
    ] {
        let whole = read(text);
        assert_eq!(rendered(&whole), rendered(&read(alone)), "{text}");
        let Reading::Plan { plan, .. } = whole else {
            panic!("no plan: {text}");
        };
        assert!(plan.steps.iter().all(|step| step.guessed), "{text}");
    }
}

#[test]
fn a_question_behind_talk_is_answered_without_a_card() {
    let Reading::Plan { plan, .. } =
        read("Phew, what an hour... coffee first. Anyhow. What is on my calendar tomorrow?")
    else {
        panic!("no plan");
    };
    assert_eq!(plan.steps[0].tool, "calendar.list");
    assert!(!plan.steps[0].guessed);
}

#[test]
fn nothing_is_left_unsaid_that_may_be_a_request_or_limits_one() {
    for text in [
        "Messy as ever, so archive what is zorbed. Add milk to the shopping list.",
        "Hm, whether that was the frobnicated one... Archive the mail from Ana.",
        "Only if the zorbs are frobnicated. Archive the mail from Ana.",
    ] {
        let read = read(text);
        assert!(
            matches!(read, Reading::NotUnderstood { .. }),
            "{text}\n{}",
            rendered(&read)
        );
    }
}
