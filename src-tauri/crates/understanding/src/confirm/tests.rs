use super::*;
use proptest::prelude::*;

#[test]
fn tables_have_no_errors() {
    assert_eq!(builder().build().1, Vec::<String>::new());
}

const SEND: Option<&str> = Some("Send this mail to Ana at 3 pm?");

#[test]
fn a_clear_yes_is_a_yes() {
    for reply in [
        "yes",
        "Yes!",
        "yep, go ahead",
        "sure",
        "ok",
        "Okay, thanks",
        "please do",
        "do it",
        "yes please send it",
        "send it",
        "Yes, send this mail to Ana",
        "yes, to Ana",
        "sounds good",
        "that's right",
        "looks great to me",
        "absolutely, go for it",
        "that works for me",
        "correct",
        "exactly",
        "perfect, thank you",
        "👍",
        "👍🏽",
        "yes, that is what I want",
        "I agree",
        "yup yup",
        "fine by me",
        "go ahead and send it",
        "yes. please go ahead",
        "of course",
        "confirmed",
        "let's do it",
        "everything looks correct",
        "yes, at 3 pm",
        "Yeah that's correct thanks",
        "go for it",
        "sounds good to me, send it",
        "please send",
        "you can send it",
        "just send it",
        "sure, why not",
        "no objections from me",
        "ok... perfect",
        "spot on, go ahead",
        "send it as it is",
    ] {
        assert_eq!(answer(reply, SEND), Confirmation::Affirmative, "{reply}");
    }
}

#[test]
fn nothing_else_is_a_yes() {
    for reply in [
        // conditions
        "yes if Bo agrees",
        "yes, but only tomorrow",
        "sure, once Ana has answered",
        "ok when I am back",
        "yes unless it rains",
        "yes, provided that it is free",
        // changes
        "yes but at 4",
        "yes, at 4",
        "yes, to Bob",
        "yes, and also to Bob",
        "yes but cc Bo",
        "yes, but make it shorter",
        "ok, change it to 5",
        "yes, 3 am",
        "send it tomorrow",
        "yes to Ana and Bob",
        "go ahead and delete it",
        "yes, cancel it",
        "yes, without the attachment",
        "yes instead at 3 pm",
        // retractions and hesitation
        "yes. wait, no",
        "yes, no, wait",
        "yes... not yet",
        "yes, but hold on",
        "ok hmm",
        "yes I think, not sure",
        "maybe yes",
        "yes?",
        "sure?",
        "I guess",
        "yes... I think",
        "well",
        "probably",
        "yes later",
        "not yet",
        "ok, I will think about it",
        "let me check first",
        // quoted, forwarded, told
        "he said \"yes\"",
        "\"yes\"",
        "> yes",
        "[tool result] yes",
        "Ana: yes",
        "user says: go ahead",
        "she told me yes",
        "the mail says yes, go ahead",
        "should I say yes",
        "type yes to confirm",
        "'yes'",
        // sarcasm
        "yeah right",
        "yeah, right",
        "oh sure",
        "oh great",
        "yeah yeah",
        "sure, whatever",
        "sure 🙄",
        "yes, because that worked so well last time",
        // thanks and praise alone
        "thanks",
        "thank you so much",
        "you are great",
        "great job",
        "well done",
        "no problem",
        "hello",
        "please",
        "👏",
        "🙏",
        // questions
        "is it ready?",
        "yes, but how long will it take?",
        "ok?",
        "what does it say",
        "which Ana",
        "can you read it to me first",
        // something else
        "",
        " ",
        "3 pm",
        "Ana",
        "the mail",
        "read it",
        "show it to me",
        "yes and remind me to call",
        "yes for the other one",
        "the first one",
        "both",
        "yes to the second",
        "do it for Bob too",
        "don't do it",
        "do not send it",
        "yes, do not send it",
        "si",
        "oui",
        "да",
        "はい",
        "ｙｅｓ no",
        "y\u{200B}es no",
        "yes\u{202E}on",
        "👎",
        "👍👎",
        "yes if",
        "if yes",
        "not ok",
        "not sure",
        "no",
        "nope",
        "never mind",
        "stop",
        "cancel it",
        "whatever is fine",
        "either is fine",
        "any of them is ok",
        "I don't mind",
        "you decide",
        "for now it's fine",
        "ok for now",
    ] {
        assert_ne!(answer(reply, SEND), Confirmation::Affirmative, "{reply:?}");
        assert_ne!(
            answer(reply, None),
            Confirmation::Affirmative,
            "{reply:?} without a question"
        );
    }
}

#[test]
fn approval_needs_a_question() {
    for reply in ["perfect", "sounds good", "send it", "that's fine", "great"] {
        assert_eq!(answer(reply, SEND), Confirmation::Affirmative, "{reply}");
        assert_eq!(answer(reply, None), Confirmation::Neither, "{reply}");
    }
}

#[test]
fn a_choice_between_two_is_no_yes_by_repeating_one() {
    let asked = Some("Send it to Ana or to Bob?");
    assert_eq!(answer("yes, to Ana", asked), Confirmation::Neither);
    assert_eq!(
        answer("yes, without subtitles", Some("Play it with subtitles?")),
        Confirmation::Neither
    );
    assert_eq!(
        answer("yes, with subtitles", Some("Play it without subtitles?")),
        Confirmation::Neither
    );
}

#[test]
fn a_clear_no_is_a_no() {
    for reply in [
        "no",
        "No!",
        "nope",
        "no thanks",
        "don't",
        "do not send it",
        "cancel it",
        "stop",
        "not now",
        "never mind",
        "please don't",
        "nah, leave it",
        "no, that's wrong",
        "forget it",
        "not yet",
        "hold on",
        "wait",
        "that is not what I asked for",
        "I changed my mind",
        "no. what time is it?",
        "👎",
        "please cancel",
        "that's incorrect",
        "abort",
    ] {
        assert_eq!(answer(reply, SEND), Confirmation::Negative, "{reply}");
    }
    for reply in [
        "is it not ready?",
        "he said \"no\"",
        "what time is it?",
        "Ana",
    ] {
        assert_eq!(answer(reply, SEND), Confirmation::Neither, "{reply}");
    }
}

proptest! {
    #[test]
    fn any_reply_gets_an_answer(reply in "\\PC{0,200}", prompt in "\\PC{0,100}") {
        let _ = answer(&reply, Some(&prompt));
        let _ = answer(&reply, None);
    }

    /// Whatever stands behind "if", "but", "unless" or "not", a yes before it is no yes.
    #[test]
    fn a_condition_is_never_a_yes(
        yes in prop::sample::select(vec!["yes", "sure", "ok", "go ahead", "do it", "perfect", "yes please"]),
        turn in prop::sample::select(vec!["if", "but", "unless", "only", "except", "not", "once", "when", "after", "maybe", "instead", "later", "wait", "hold on", "first", "or"]),
        tail in "[a-z]{0,8}( [a-z]{1,8}){0,3}",
    ) {
        let reply = format!("{yes} {turn} {tail}");
        prop_assert_ne!(answer(&reply, SEND), Confirmation::Affirmative, "{}", reply);
    }
}
