use super::*;
use adjutant_domain::plan::{Plan, Step, StepDraft, StepOrigin, StepResult, StepState};
use adjutant_domain::source::Taint;
use serde_json::json;

const CHAT: Grounds<'_> = Grounds {
    said: "",
    plan: None,
};

fn claims_after(said: &str, text: &str) -> bool {
    claims_effect(text, &Grounds { said, plan: None })
}

#[test]
fn detects_claims_in_every_tense_and_person() {
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
        "Kim wurde benachrichtigt.",
    ] {
        assert!(claims_effect(text, &CHAT), "{text}");
    }
}

#[test]
fn detects_claims_about_people_and_in_the_passive() {
    for text in [
        "Bob has been notified.",
        "Bob's been notified.",
        "Bob is now informed.",
        "Bob and Kim have just been invited.",
        "Everyone has been informed about the change.",
        "Bob is being notified as we speak.",
        "Bob will be notified shortly.",
        "Bob has received your message.",
        "The invitation for the long meeting on Friday at three in the red room has been sent.",
        "Your mail is going to be sent in a moment.",
        "An invitation will be sent to Bob.",
        "I let Bob know.",
        "I'll let Bob know that you are late.",
        "Email sent!",
        "Your meeting moved to Friday.",
        "Successfully sent the email.",
        "Sure thing! Here you go. Sent it to Bob.",
        "I checked your calendar and moved the meeting.",
        "I looked at it, and cancelled the call.",
        "I had the meeting moved.",
        "I'll have it moved.",
        "I had Bob notified.",
        "I've sent it before lunch.",
        "I've sent it so you have nothing to do.",
        "I can confirm that the mail has been sent.",
        "I've sent it, anything else?",
        "I'll add it to your calendar.",
        "I'll set a reminder for nine.",
        "The mail went out to Bob.",
        "Bob knows now.",
        "Your reservation is confirmed.",
        "The payment went through.",
        "Your email is off to Bob.",
        "The mail has gone out.",
    ] {
        assert!(claims_effect(text, &CHAT), "{text}");
    }
}

#[test]
fn a_claim_is_about_what_the_person_asked_for() {
    for (said, text) in [
        ("tell Bob I am late", "Bob was told that you are late."),
        ("cancel Netflix", "Netflix has been cancelled."),
        (
            "can you remove Pluto from the planets",
            "Pluto was removed.",
        ),
        ("water the roses at six", "Roses scheduled for six."),
    ] {
        assert!(claims_after(said, text), "{said}: {text}");
    }
    for (said, text) in [
        (
            "when was Python created?",
            "Python was created in the early nineties.",
        ),
        (
            "who is Pluto?",
            "Pluto was removed from the list of planets.",
        ),
    ] {
        assert!(!claims_after(said, text), "{said}: {text}");
    }
}

#[test]
fn leaves_plain_conversation_unchanged() {
    for text in [
        "Hello! How can I help you today?",
        "I have not sent anything.",
        "I have sent nothing.",
        "I can't send mails from here.",
        "If you like, I can send it.",
        "Once the mail has been sent you can undo it.",
        "You can undo once it has been sent.",
        "Nothing was sent.",
        "Bob has not been notified.",
        "Bob could have been notified.",
        "Bob wants to be notified.",
        "Shall I send it to Bob?",
        "Has the mail been sent?",
        "Python was created by Guido van Rossum in 1991.",
        "The first email was sent in 1971.",
        "The Berlin Wall was opened in 1989.",
        "The law has been changed several times.",
        "An email client moves, sends and deletes messages.",
        "Set a timer for ten minutes and let the dough rest.",
        "You could forward it to Ana.",
        "I'll explain: a verb has several forms.",
        "I'll put it simply.",
        "I have found three mails sent by Ana.",
        "I've received your message.",
        "As I told you, there are two.",
        "Make sure that your form is set up as shown.",
        "Once it is saved, your page is updated by itself.",
        "The novel is set in Spain, and it is noted for its humour.",
        "Here are the fields we changed above.",
        "She has received three awards.",
        "I'll add that nobody knows.",
        "I'll let you know what I think.",
        "Stored properly, it keeps a week.",
        "Your next meeting is at three.",
        "Bob's updated plan looks good.",
        "The mail says that your meeting was moved.",
        "According to Ana, your order has been delivered.",
        "```\nI've sent it.\n```",
        "> I've sent it.",
        "Ich habe die E-Mail nicht gesendet.",
    ] {
        assert!(!claims_effect(text, &CHAT), "{text}");
    }
}

/// Returns the plan of a turn that has read one mail.
fn reading(mail: &str) -> Plan {
    Plan {
        id: "plan".into(),
        request: String::new(),
        asked: None,
        asked_tools: Default::default(),
        steps: vec![Step {
            draft: StepDraft::default(),
            state: StepState::Done,
            result: Some(StepResult {
                output: json!({ "mails": [{ "text": mail }] }),
                ..StepResult::default()
            }),
            asked: adjutant_domain::gate::AskedBefore::No,
            origin: StepOrigin::Plan,
        }],
        taint: Taint::Tainted,
        planner: Taint::Clean,
    }
}

#[test]
fn permits_reporting_only_what_a_mail_says() {
    let plan = reading("Hi, we had to move your dentist appointment. Everybody was notified.");
    let grounds = Grounds {
        said: "what does the dentist want",
        plan: Some(&plan),
    };
    for text in [
        "Your dentist appointment was moved.",
        "Your appointment has been moved, and everybody has been notified.",
    ] {
        assert!(!claims_effect(text, &grounds), "{text}");
    }
    for text in [
        "I have moved your appointment.",
        "Your appointment has been cancelled.",
        "Bob has been invited.",
        "I'll move your appointment.",
    ] {
        assert!(claims_effect(text, &grounds), "{text}");
    }
}

#[test]
fn corrects_a_claim_once_and_at_the_beginning() {
    let line = |text: &str| correction(text, Happened::Nothing, &CHAT);
    assert_eq!(line("Done! Sent."), Some(NOTHING_DONE));
    assert_eq!(line(&with_line(NOTHING_DONE, "Done! Sent.")), None);
    assert_eq!(line("Hello."), None);
}

#[test]
fn no_wording_claims_success_if_nothing_was_done() {
    let asked = [
        "Please pay the bill for me",
        "Can you email Bob that I'm late?",
        "I'd like you to book a table",
        "look it up and send it to Kim",
        "let Bob know that I am late",
        "tell Kim I said hi",
    ];
    for said in asked {
        let grounds = Grounds { said, plan: None };
        for text in ["It is as you wish.", "Bob smiles already.", "C'est fait."] {
            assert_eq!(
                correction(text, Happened::Nothing, &grounds),
                Some(NOTHING_DONE),
                "{said}: {text}"
            );
            assert_eq!(
                correction_at_end(text, 2, Happened::Nothing, &grounds),
                Some(NOTHING_DONE)
            );
            assert_eq!(correction(text, Happened::Elsewhere, &grounds), None);
        }
    }
    for said in [
        "Write an email to Bob",
        "How do I send a mail?",
        "Tell me a story",
        "book recommendations?",
        "Can you explain how to transfer money?",
        "What did Ana send?",
        "I like to text of course",
        "who should I invite?",
    ] {
        let grounds = Grounds { said, plan: None };
        assert_eq!(
            correction("Here it is.", Happened::Nothing, &grounds),
            None,
            "{said}"
        );
    }
}

#[test]
fn a_local_change_does_not_support_a_claim_of_sending() {
    for text in [
        "I added the task and sent Bob an email.",
        "Bob has been notified.",
        "The bill was paid.",
    ] {
        assert_eq!(
            correction(text, Happened::Here, &CHAT),
            Some(NOTHING_LEFT),
            "{text}"
        );
    }
    for text in [
        "I added the task.",
        "Your note is saved.",
        "It's been moved.",
    ] {
        assert_eq!(correction(text, Happened::Here, &CHAT), None, "{text}");
    }
}

#[test]
fn detects_states_that_only_an_effect_leaves() {
    for text in [
        "The reservation went through without a hitch.",
        "You're good to go: the transfer is complete.",
        "The invitation is out.",
        "Both bookings are confirmed.",
        "The order is placed.",
        "The meeting is now on Friday.",
        "Transfer successful.",
        "Success! The payment was made.",
        "Your appointment on Monday no longer exists.",
        "Consider the matter settled.",
        "As requested, the report is with Ana now.",
        "Bob now has all he needs from you.",
        "I just finished moving your meeting.",
        "I managed to cancel the subscription.",
        "I've gone ahead and done it.",
        "I already handled that.",
        "The task is off your list.",
        "Ana has been looped in.",
        "Die Mail ist raus.",
        "La reserva está hecha.",
    ] {
        assert!(claims_effect(text, &CHAT), "{text}");
    }
    for text in [
        "Magellan managed to sail to the Pacific.",
        "The list of planets is long.",
        "A meeting without an agenda is out of the question.",
        "I have not managed to find it.",
        "The calendar is complete with holidays and birthdays.",
        "If the transfer is complete, you will see it.",
        "That is now a museum.",
        "As requested, here is a story about a dragon.",
        "The film was made in Spain.",
        "Consider the weather before you book.",
        "The water is gone by noon.",
    ] {
        assert!(!claims_effect(text, &CHAT), "{text}");
    }
}
