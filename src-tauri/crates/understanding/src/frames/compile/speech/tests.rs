//! What is told, asked and thanked for, as a mail says it.

use super::{Addressee, letter};

#[test]
fn what_is_told_reads_as_a_person_writes_it() {
    for (how, said, letter_said) in [
        (
            "said",
            "I can't make it to the theatre",
            "I can't make it to the theatre.",
        ),
        (
            "said",
            "im running late, dont wait",
            "I'm running late, don't wait.",
        ),
        ("said", "thanks but no thanks", "Thanks but no thanks."),
        ("said", "she should call me", "Please call me."),
        ("said", "he is invited", "You are invited."),
        ("said", "yes please", "Yes please."),
        ("said", "two tickets please", "Two tickets please."),
        ("said", "I'm late please", "I'm late."),
        (
            "said",
            "I need the slides please",
            "I need the slides please.",
        ),
        ("said", "I'll pick her up at 8", "I'll pick you up at 8."),
        (
            "said",
            "the landlord said he agrees",
            "The landlord said he agrees.",
        ),
        (
            "said",
            "Kim is ill and that I'll call her",
            "Kim is ill and I'll call her.",
        ),
        ("said", "I got it. Thanks!", "I got it. Thanks!"),
        ("said", "when are you free?", "When are you free?"),
        ("said", "I'm late?", "I'm late."),
        (
            "said",
            "to send me the report please",
            "Please send me the report.",
        ),
        ("said", "she plays well", "You play well."),
        (
            "said",
            "she has until Friday to send her slides",
            "You have until Friday to send your slides.",
        ),
        ("ask", "to bring her charger", "Please bring your charger."),
        (
            "ask",
            "if he is coming on Friday",
            "Are you coming on Friday?",
        ),
        ("ask", "whether she has seen it", "Have you seen it?"),
        ("ask", "if she has the tickets", "Do you have the tickets?"),
        ("ask", "if he wants to join", "Do you want to join?"),
        ("ask", "if he needs the receipt", "Do you need the receipt?"),
        (
            "ask",
            "if Tom sent her the file",
            "Could you tell me if Tom sent her the file?",
        ),
        (
            "ask",
            "about the quote",
            "Could you tell me about the quote?",
        ),
        ("ask", "for the slides", "Could you send me the slides?"),
        (
            "ask",
            "when the meeting is",
            "Could you tell me when the meeting is?",
        ),
        (
            "ask",
            "how her trip was",
            "Could you tell me how your trip was?",
        ),
        ("thank", "the cookies", "Thank you for the cookies."),
        (
            "thank",
            "his help with the move",
            "Thank you for your help with the move.",
        ),
        (
            "congratulate",
            "her new job",
            "Congratulations on your new job!",
        ),
        (
            "remember",
            "bring the keys",
            "Please remember to bring the keys.",
        ),
        ("bid", "call me back", "Please call me back."),
    ] {
        assert_eq!(
            letter(how, said, Addressee::One).as_deref(),
            Some(letter_said),
            "{how}: {said}"
        );
    }
}

#[test]
fn whoever_was_spoken_of_as_him_or_her_is_meant_by_no_other_pronoun() {
    for (to, said, letter_said) in [
        (Addressee::Him, "to call her", "Please call her."),
        (Addressee::Her, "to call her back", "Please call you back."),
        (Addressee::Her, "if he is in", "Is he in?"),
        (Addressee::Him, "if they are in", "Are they in?"),
        (Addressee::Him, "if he is in", "Are you in?"),
    ] {
        let how = if said.starts_with("to ") {
            "said"
        } else {
            "ask"
        };
        assert_eq!(
            letter(how, said, to).as_deref(),
            Some(letter_said),
            "{said}"
        );
    }
}

#[test]
fn every_clause_turns_by_itself() {
    for (said, letter_said) in [
        (
            "lunch is off and that I'll call her",
            "Lunch is off and I'll call you.",
        ),
        (
            "I'll bring bread and that he should bring jam",
            "I'll bring bread and you should bring jam.",
        ),
        ("shall we meet at 8?", "Shall we meet at 8?"),
    ] {
        assert_eq!(
            letter("said", said, Addressee::One).as_deref(),
            Some(letter_said),
            "{said}"
        );
    }
}

#[test]
fn several_are_addressed_together_and_single_persons_stay() {
    assert_eq!(
        letter("said", "they should call me", Addressee::Several).as_deref(),
        Some("Please call me.")
    );
    assert_eq!(
        letter("said", "he is ill", Addressee::Several).as_deref(),
        Some("He is ill.")
    );
    assert_eq!(
        letter("ask", "if they can come", Addressee::Several).as_deref(),
        Some("Can you come?")
    );
}

#[test]
fn what_cannot_be_said_so_is_not_said() {
    assert_eq!(letter("said", " ... ", Addressee::One), None);
    assert_eq!(letter("ask", "nicely", Addressee::One), None);
    assert_eq!(letter("thank", "", Addressee::One), None);
}
