//! Mail to those who come to an event, mail to many, and what stands in which part of a mail.

use adjutant_domain::focus::Focus;

use super::mail_tools::{check, shown, steps};

/// All steps of a message, a line each: the tool, its arguments, and over which list it runs.
fn plan(text: &str) -> Vec<String> {
    let steps = steps(text, &Focus::default()).unwrap_or_default();
    let line = |step: &adjutant_domain::plan::StepDraft| {
        let each = step.each.as_ref();
        let each = each.map_or(String::new(), |list| {
            format!(" each {}{}", list.from.0, list.path)
        });
        format!("{} {}{each}", step.tool, step.args)
    };
    steps.iter().map(line).collect()
}

#[test]
fn mail_to_those_who_come_to_an_event() {
    for (text, wanted) in [
        (
            "email everyone in tomorrow's regatta briefing that the gate is locked",
            [
                r#"calendar.list {"from":"2026-05-07","order":"start","pick":"first","text":"regatta briefing","to":"2026-05-08"}"#,
                r#"email.send {"body":"The gate is locked.","to":[{"$from":"s1","path":"/people"}]}"#,
            ],
        ),
        (
            "let the people at the boat christening know we start at six",
            [
                r#"calendar.list {"from":"2026-05-06T10:00:00+02:00[Europe/Paris]","order":"start","pick":"first","text":"boat christening"}"#,
                r#"email.send {"body":"We start at six.","to":[{"$from":"s1","path":"/people"}]}"#,
            ],
        ),
        (
            "send everybody I'm meeting on Friday a note saying 'Bring boots'",
            [
                r#"calendar.list {"from":"2026-05-08","to":"2026-05-09"}"#,
                r#"email.send {"body":"Bring boots","to":[{"$from":"s1","path":"/people"}]}"#,
            ],
        ),
        (
            "send an email to the guests of the first event on May 20 named after the event name, saying 'I come by bike'",
            [
                r#"calendar.list {"from":"2026-05-20","order":"start","pick":"first","to":"2026-05-21"}"#,
                r#"email.send {"body":"I come by bike","subject":{"$from":"s1","path":"/items/0/summary"},"to":[{"$from":"s1","path":"/people"}]}"#,
            ],
        ),
        (
            "forward Will's last mail about the tides to the participants of tomorrow's training",
            [
                r#"calendar.list {"from":"2026-05-07","order":"start","pick":"first","text":"training","to":"2026-05-08"}"#,
                r#"email.forward {"target":{"from":["Will"],"order":"-date","pick":"first","subject":"tides"},"to":[{"$from":"s1","path":"/people"}]}"#,
            ],
        ),
    ] {
        assert_eq!(plan(text), wanted, "{text}");
    }
}

#[test]
fn each_of_many_is_passed_on_and_answered() {
    for (text, wanted) in [
        (
            "forward all of Kim's emails from last week about the mast to Ana and Will",
            [
                r#"email.search {"from":["Kim"],"since":"2026-04-27","subject":"mast","until":"2026-05-04"}"#,
                r#"email.forward {"id":{"$item":"/id"},"to":["Ana","Will"]} each s1/items"#,
            ],
        ),
        (
            "pass the last two mails from Petra on to Kim with the comment 'your turn'",
            [
                r#"email.search {"from":["Petra"],"limit":2,"order":"-date"}"#,
                r#"email.forward {"id":{"$item":"/id"},"note":"your turn","to":["Kim"]} each s1/items"#,
            ],
        ),
        (
            "answer every unread mail from Will with \"Aye\"",
            [
                r#"email.search {"from":["Will"],"unread":true}"#,
                r#"email.reply {"body":"Aye","id":{"$item":"/id"}} each s1/items"#,
            ],
        ),
    ] {
        assert_eq!(plan(text), wanted, "{text}");
    }
}

#[test]
fn every_part_of_a_mail_stays_its_own() {
    check(
        r#"
mail Kim, subject 'Oars', body 'Two are missing.' | email.send | {"to": ["Kim"], "subject": "Oars", "body": "Two are missing."}
write Ana an email titled "Oars" that says they're under the bench | email.send | {"to": ["Ana"], "subject": "Oars", "body": "They're under the bench."}
send Kim an email. The subject should be "Oars" and the text should be "Two are missing." | email.send | {"to": ["Kim"], "subject": "Oars", "body": "Two are missing."}
send an email to Petra with subject Oars and body they are too short | email.send | {"to": ["Petra"], "subject": "Oars", "body": "They are too short."}
reply to Will's mail about the lock with 'Closed today' | email.reply | {"target": {"from": ["Will"], "subject": "lock", "pick": "one"}, "body": "Closed today"}
reply to the email with the subject 'Lock 4' saying it leaks | email.reply | {"target": {"subject": "Lock 4", "pick": "one"}, "body": "It leaks."}
answer Petra's question about the lock with "Tuesday" | email.reply | {"target": {"from": ["Petra"], "subject": "lock", "pick": "one"}, "body": "Tuesday"}
get back to Kim about the lock and tell her it's open | email.reply | {"target": {"from": ["Kim"], "subject": "lock", "pick": "one"}, "body": "It's open."}
reply all to the lock thread: I'll come | email.reply | {"target": {"subject": "lock", "pick": "one"}, "all": true, "body": "I'll come."}
answer Kim: no, that's too late | email.reply | {"target": {"from": ["Kim"], "order": "-date", "pick": "first"}, "body": "No, that's too late."}
reply to Ana with a yes | email.reply | {"target": {"from": ["Ana"], "order": "-date", "pick": "first"}, "body": "Yes."}
write back to Petra that the buoy is red | email.reply | {"target": {"from": ["Petra"], "order": "-date", "pick": "first"}, "body": "The buoy is red."}
Will needs the latest mail about the buoy, please forward it to him | email.forward | {"target": {"subject": "buoy", "order": "-date", "pick": "first"}, "to": ["Will"]}
make sure Petra gets Kim's mail about the buoy | email.forward | {"target": {"from": ["Kim"], "subject": "buoy", "pick": "one"}, "to": ["Petra"]}
share the mail about the buoy with Ana | email.forward | {"target": {"subject": "buoy", "pick": "one"}, "to": ["Ana"]}
send Kim a copy of Ana's mail about the buoy | email.forward | {"target": {"from": ["Ana"], "subject": "buoy", "pick": "one"}, "to": ["Kim"]}
tell my coach Petra that I'm hoarse | email.send | {"to": ["Petra"], "body": "I'm hoarse."}
ask both Ana and Will if they can row | email.send | {"to": ["Ana", "Will"], "body": "Can you row?"}
write to Ana thanking her for the rope and asking what we owe her | email.send | {"to": ["Ana"], "body": "Thank you for the rope. Could you tell me what we owe you?"}
tell Will the rope is wet and ask when he can come | email.send | {"to": ["Will"], "body": "The rope is wet. Could you tell me when you can come?"}
tell Kim by mail: the dock is dry | email.send | {"to": ["Kim"], "body": "The dock is dry."}
thank Kim | email.send | {"to": ["Kim"], "body": "Thank you."}
let the team know I'm out at sea | email.send | {"to": null, "body": "I'm out at sea."}
remind Ana to bring the flags | email.send | {"to": ["Ana"], "body": "Please remember to bring the flags."}
"#,
        &Focus::default(),
    );
    check(
        r#"
reply to this: thanks, noted | email.reply | {"id": "m1", "body": "Thanks, noted."}
reply to her saying I'll look at two | email.reply | {"id": "m1", "body": "I'll look at two."}
forward this to Will and tell him to call her | email.forward | {"id": "m1", "to": ["Will"], "note": "Please call her."}
"#,
        &shown(&["m1"]),
    );
}

#[test]
fn what_belongs_to_somebody_else_is_not_swallowed() {
    for text in [
        "send a mail to Ana saying \"Hi\" and to Will saying \"Bye\"",
        "forward Ana's mail to Will and Kim's to Petra",
        "send Ana an email at 5pm saying hi",
        "forward her last mail to Petra",
        "forward the invoice to Ana or Kim",
        "reply to Ana with a polite no",
        "send Kim an email with the notes from the regatta",
    ] {
        assert_eq!(steps(text, &Focus::default()), None, "{text}");
    }
}
