//! People by their roles in the address book.

use adjutant_domain::reading::{Planner as _, Router as _};

use crate::Embedded;
use crate::fixture::{MessageContext, rendered};

fn read(text: &str) -> String {
    let mut around = MessageContext::new();
    for line in [
        "role Paintworks, Sales Director",
        "role VP Colours",
        "role Harbour Ltd",
        "person Ana Ruiz",
    ] {
        around.directive(line);
    }
    let said = around.utterance(text);
    rendered(&Embedded.plan(&said, &Embedded.route(&said)))
}

#[test]
fn a_title_of_the_address_book_is_a_person() {
    for (text, person) in [
        ("when do I meet our sales director next?", "sales director"),
        ("when do I meet the director next?", "director"),
        (
            "when do I meet Paintworks's sales director next?",
            "paintworks sales director",
        ),
        (
            "when do I meet the sales director of Paintworks next?",
            "paintworks sales director",
        ),
        ("when do I meet our VP next?", "vp"),
    ] {
        let read = read(text);
        assert!(
            read.contains(&format!(r#""person":["{person}"]"#)),
            "{text}: {read}"
        );
    }
    // An organisation and the first word of a title are no people.
    for text in [
        "when do I meet the harbour next?",
        "when do I meet our sales next?",
    ] {
        let read = read(text);
        assert!(!read.contains(r#""person""#), "{text}: {read}");
    }
}
