//! Readings that leave words out, where no rule reads every word.

use adjutant_domain::reading::{Planner as _, Reading, Router as _};

use crate::Embedded;
use crate::fixture::{MessageContext, rendered};

fn read(request: &str) -> (Reading, String) {
    let mut around = MessageContext::new();
    around.directive("person Ana Ruiz");
    let said = around.utterance(request);
    let reading = Embedded.plan(&said, &Embedded.route(&said));
    let words = rendered(&reading);
    (reading, words)
}

#[test]
fn a_question_is_answered_and_the_words_left_out_are_named() {
    let table = [(
        "honestly what meetings do I have tomorrow",
        "honestly",
        "calendar.list",
    )];
    for (request, left_out, part) in table {
        let (reading, words) = read(request);
        assert!(words.contains(part), "{request}: {words}");
        let Reading::Plan { trace, .. } = reading else {
            panic!("{request} is no plan");
        };
        let named = trace
            .iter()
            .any(|line| line.what == "not understood" && line.value == left_out);
        assert!(named, "{request}: {trace:?}");
    }
}

#[test]
fn a_word_that_changes_the_meaning_is_never_left_out() {
    for request in [
        "which meetings tomorrow do I never attend",
        "what did I instead have tomorrow",
    ] {
        let (reading, words) = read(request);
        let guessed = matches!(&reading, Reading::Plan { trace, .. }
            if trace.iter().any(|line| line.what == "not understood"));
        // A search that says that it is unsure is no reading.
        let guessed = guessed && !words.contains("unsure");
        assert!(!guessed, "{request}: {words}");
    }
}

#[test]
fn a_change_is_asked_about_first() {
    let (reading, words) = read("move my dentist appointment over to Friday at 3 honestly");
    let asks = matches!(&reading, Reading::Plan { plan, .. }
        if plan.steps.iter().all(|step| step.question.is_some()));
    assert!(asks || words.contains("calendar.update"), "{words}");
}
