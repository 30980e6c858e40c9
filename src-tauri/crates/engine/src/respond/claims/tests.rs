use super::*;

#[test]
fn claims_of_every_tense_and_person_are_seen() {
    for text in [
        "Done! The email has been sent to Bob.",
        "I've sent it.",
        "I have just booked the table for two.",
        "I went ahead and deleted the old drafts.",
        "We've moved your meeting to Friday.",
        "It's booked.",
        "Done, moved to Friday.",
        "Sent.",
        "All set: your reminder is scheduled for 9.",
        "Your meeting with Ana is now cancelled.",
        "The invitation was successfully sent to everybody.",
        "The mail got sent a minute ago.",
        "I'll send it right away.",
        "I am sending it now.",
        "I’m going to cancel the appointment.",
        "Adjutant has added the task.",
        "No problem, I've added milk to your list.",
        "Once again, I've emailed Kim.",
        "You're all set.",
        "That's been taken care of.",
        "Your reply is on its way.",
        "You now have a meeting with Dana on Friday.",
        "Ich habe die E-Mail gesendet.",
        "J'ai envoyé le message.",
        "He enviado el correo.",
    ] {
        assert!(claims_effect(text), "{text}");
    }
}

#[test]
fn plain_conversation_is_left_alone() {
    for text in [
        "Hello! How can I help you today?",
        "I have not sent anything.",
        "I can't send mails from here.",
        "If you like, I can send it.",
        "Once the mail has been sent you can undo it.",
        "Nothing was sent.",
        "Shall I send it to Bob?",
        "Python was created by Guido van Rossum in 1991.",
        "The Berlin Wall was opened in 1989.",
        "An email client moves, sends and deletes messages.",
        "Set a timer for ten minutes and let the dough rest.",
        "You could forward it to Ana.",
        "I'll explain: a verb has several forms.",
        "Your next meeting is at three.",
        "```\nI've sent it.\n```",
        "> I've sent it.",
        "Ich habe die E-Mail nicht gesendet.",
    ] {
        assert!(!claims_effect(text), "{text}");
    }
}

#[test]
fn a_claim_is_corrected_once_and_first() {
    let shown = corrected("Done! Sent.");
    assert_eq!(shown, format!("{NOTHING_DONE}\n\nDone! Sent."));
    assert_eq!(corrected(&shown), shown);
    assert_eq!(corrected("Hello."), "Hello.");
}
