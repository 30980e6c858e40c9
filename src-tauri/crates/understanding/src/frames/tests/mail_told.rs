//! What somebody is told without a quotation or a colon, and the mail that is answered by its sender and topic.

use adjutant_domain::focus::Focus;

use super::mail_tools::{check, steps};

#[test]
fn words_behind_a_person_are_what_they_are_told() {
    check(
        r#"
email ana cant make lunch on the 20th, sorry | email.send | {"body": "Can't make lunch on the 20th, sorry.", "to": ["ana"]}
text Kim running late | email.send | {"body": "Running late.", "to": ["Kim"]}
text mom running 10 minutes late | email.send | {"body": "Running 10 minutes late.", "to": ["mom"]}
message Will on my way | email.send | {"body": "On my way.", "to": ["Will"]}
email Petra the dock is closed tomorrow | email.send | {"body": "The dock is closed tomorrow.", "to": ["Petra"]}
text Ana sorry, stuck in traffic | email.send | {"body": "Sorry, stuck in traffic.", "to": ["Ana"]}
email Kim won't be there friday | email.send | {"body": "Won't be there friday.", "to": ["Kim"]}
let Will know the rope is wet | email.send | {"body": "The rope is wet.", "to": ["Will"]}
tell Petra still waiting for the charts | email.send | {"body": "Still waiting for the charts.", "to": ["Petra"]}
text Ana happy birthday! | email.send | {"body": "Happy birthday!", "to": ["Ana"]}
mail Kim got the oars, thanks | email.send | {"body": "Got the oars, thanks.", "to": ["Kim"]}
reply to Kim re saturday's tides: 2pm works, bring a coat too | email.reply | {"body": "2pm works, bring a coat too.", "target": {"from": ["Kim"], "pick": "one", "subject": "tides", "text": "saturday"}}
reply to Will re the mast: looks good | email.reply | {"body": "Looks good.", "target": {"from": ["Will"], "pick": "one", "subject": "mast"}}
reply to Kim's mail about Saturday's tides: 2pm works for me. | email.reply | {"body": "2pm works for me.", "target": {"from": ["Kim"], "pick": "one", "text": "Saturday's tides"}}
answer Will's email about the mast: looks good | email.reply | {"body": "Looks good.", "target": {"from": ["Will"], "pick": "one", "subject": "mast"}}
reply to Petra about the lock: it is open | email.reply | {"body": "It is open.", "target": {"from": ["Petra"], "pick": "one", "subject": "lock"}}
respond to Ana's message about tomorrow's race: count me in | email.reply | {"body": "Count me in.", "target": {"from": ["Ana"], "pick": "one", "text": "tomorrow's race"}}
get back to Ana re the race with I'm in | email.reply | {"body": "I'm in.", "target": {"from": ["Ana"], "pick": "one", "subject": "race"}}
"#,
        &Focus::default(),
    );
}

#[test]
fn things_and_times_are_not_what_somebody_is_told() {
    for text in [
        "email Ana the report",
        "text Will when the review is done",
        "email Kim after lunch is over",
        "email Kim Will's notes",
    ] {
        assert_eq!(steps(text, &Focus::default()), None, "{text}");
    }
}
