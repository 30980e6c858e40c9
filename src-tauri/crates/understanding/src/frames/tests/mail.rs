//! Requests that write and sort mail, each with the call it becomes.

use adjutant_domain::focus::Focus;
use adjutant_domain::record::Kind;

use super::mail_tools::{check, shown, shown_of, steps};

#[test]
fn mails_that_are_written() {
    check(
        r#"
email Will that the keys are under the mat | email.send | {"to": ["Will"], "body": "The keys are under the mat."}
mail kim: the van is back, all good | email.send | {"to": ["kim"], "body": "The van is back, all good."}
tell Petra I'm stuck in traffic | email.send | {"to": ["Petra"], "body": "I'm stuck in traffic."}
tell Petra that she should take the early train | email.send | {"to": ["Petra"], "body": "Please take the early train."}
let Will know we found his umbrella | email.send | {"to": ["Will"], "body": "We found your umbrella."}
ask Kim whether she has the spare key | email.send | {"to": ["Kim"], "body": "Do you have the spare key?"}
ask Will to water the ferns please | email.send | {"to": ["Will"], "body": "Please water the ferns."}
ask Kim when the paint will dry | email.send | {"to": ["Kim"], "body": "Could you tell me when the paint will dry?"}
write to Ana to ask about the deposit | email.send | {"to": ["Ana"], "body": "Could you tell me about the deposit?"}
thank Ana for the jam | email.send | {"to": ["Ana"], "body": "Thank you for the jam."}
congratulate Kim on her exam | email.send | {"to": ["Kim"], "body": "Congratulations on your exam!"}
apologize to Will for the noise | email.send | {"to": ["Will"], "body": "I apologize for the noise."}
send Ana an email asking if she's in town | email.send | {"to": ["Ana"], "body": "Could you tell me if you're in town?"}
send an email to lee@example.com saying the crate arrived | email.send | {"to": ["lee@example.com"], "body": "The crate arrived."}
email Will and Kim "Gate 12, bring water" | email.send | {"to": ["Will", "Kim"], "body": "Gate 12, bring water"}
send "Well done!" to Petra | email.send | {"to": ["Petra"], "body": "Well done!"}
email Ana, cc Will, subject Boiler, saying it hums again | email.send | {"to": ["Ana"], "cc": ["Will"], "subject": "Boiler", "body": "It hums again."}
write Kim a short note about the regatta saying I'm in | email.send | {"to": ["Kim"], "subject": "Regatta", "body": "I'm in."}
email Will about the regatta | email.send | {"to": ["Will"], "subject": "Regatta", "body": null}
send an email | email.send | {"to": null}
email Petra plan.pdf | email.send | {"to": ["Petra"], "attach": ["plan.pdf"], "body": null}
send plan.pdf to Kim saying here is the plan | email.send | {"to": ["Kim"], "attach": ["plan.pdf"], "body": "Here is the plan."}
can u email will im at the gate | email.send | {"to": ["will"], "body": "I'm at the gate."}
draft an email to Ana about the fence saying it leans | email.draft | {"to": ["Ana"], "subject": "Fence", "body": "It leans."}
draft an email telling Kim that the sails are dry | email.draft | {"to": ["Kim"], "body": "The sails are dry."}
compose a message to my landlord asking for the receipt | email.draft | {"to": ["landlord"], "body": "Could you send me the receipt?"}
draft a reply to Ana saying it suits us | email.draft | {"in_reply_to": {"$from": "s1", "path": "/ids/0"}, "body": "It suits us."}
send Will and Kim the agenda for the regatta: boats, food, costs | email.send | {"to": ["Will", "Kim"], "subject": "Agenda for the regatta", "body": "Boats, food, costs."}
send the address to Petra: 4 Elm Road | email.send | {"to": ["Petra"], "subject": "Address", "body": "4 Elm Road."}
email Ana with subject "Roof" and body "It leaks." | email.send | {"to": ["Ana"], "subject": "Roof", "body": "It leaks."}
let Kim know about the storm | email.send | {"to": ["Kim"], "subject": "Storm", "body": null}
email the team that the dock is closed | email.send | {"to": null, "body": "The dock is closed."}
send Ana a note of thanks for the jam | email.send | {"to": ["Ana"], "body": "Thank you for the jam."}
send Kim my regatta notes | email.send | {"to": ["Kim"], "subject": {"$from": "s1", "path": "/title"}, "body": {"$from": "s1", "path": "/body"}}
draft "Call me back" to Will | email.draft | {"to": ["Will"], "body": "Call me back"}
find Ana's last mail and email her that it suits us | email.send | {"to": ["Ana"], "body": "It suits us."}
reply to Kim's mail about the sails saying they are dry | email.reply | {"target": {"from": ["Kim"], "subject": "sails", "pick": "one"}, "body": "They are dry."}
invite Kim by email to the regatta | email.send | {"to": ["Kim"], "body": "I would like to invite you to the regatta."}
"#,
        &Focus::default(),
    );
}

#[test]
fn mails_that_are_answered_and_passed_on() {
    check(
        r#"
reply to Ana that I'll bring the tent | email.reply | {"target": {"from": ["Ana"], "order": "-date", "pick": "first"}, "body": "I'll bring the tent."}
reply to Ana's last email saying fine by me | email.reply | {"target": {"from": ["Ana"], "order": "-date", "pick": "first"}, "body": "Fine by me."}
answer the email about the boiler: Tuesday suits us | email.reply | {"target": {"subject": "boiler", "pick": "one"}, "body": "Tuesday suits us."}
respond to Kim with thanks for the photos | email.reply | {"target": {"from": ["Kim"], "order": "-date", "pick": "first"}, "body": "Thank you for the photos."}
reply "works for me" to Will | email.reply | {"target": {"from": ["Will"], "order": "-date", "pick": "first"}, "body": "works for me"}
reply all to the regatta email saying count me in | email.reply | {"target": {"subject": "regatta", "pick": "one"}, "all": true, "body": "Count me in."}
reply to Kim | email.reply | {"target": {"from": ["Kim"], "order": "-date", "pick": "first"}, "body": null}
forward the boiler email to Will | email.forward | {"target": {"subject": "boiler", "pick": "one"}, "to": ["Will"]}
fwd the last mail from Kim to Petra with the note "for you" | email.forward | {"target": {"from": ["Kim"], "order": "-date", "pick": "first"}, "to": ["Petra"], "note": "for you"}
send the fence email to Will and Kim | email.forward | {"target": {"subject": "fence", "pick": "one"}, "to": ["Will", "Kim"]}
forward Kim's email about the sails to Ana | email.forward | {"target": {"from": ["Kim"], "subject": "sails", "pick": "one"}, "to": ["Ana"]}
pass the mail about the fence on to Petra | email.forward | {"target": {"subject": "fence", "pick": "one"}, "to": ["Petra"]}
"#,
        &Focus::default(),
    );
}

#[test]
fn mails_that_are_sorted() {
    check(
        r#"
archive the boiler email | email.archive | {"target": {"subject": "boiler", "pick": "one"}}
archive all newsletters | email.archive | {"target": {"sort": "newsletter", "pick": "all"}}
archive everything older than two weeks | email.archive | {"target": {"until": "2026-04-22T10:00:00+02:00[Europe/Paris]", "pick": "all"}}
archive the last three mails from Will | email.archive | {"target": {"from": ["Will"], "limit": 3, "order": "-date", "pick": "all"}}
move the mail from Ana about the fence to the archive | email.archive | {"target": {"from": ["Ana"], "subject": "fence", "pick": "one"}}
move the fence mail back to the inbox | email.archive | {"target": {"subject": "fence", "pick": "one"}, "into": "inbox"}
report the email from Prize Club as spam | email.archive | {"target": {"from": ["Prize Club"], "pick": "one"}, "into": "junk"}
tag the two invoices with "taxes" | email.label | {"target": {"subject": "invoice", "pick": {"exactly": 2}}, "add": ["taxes"]}
label all emails from Kim as boats | email.label | {"target": {"from": ["Kim"], "pick": "all"}, "add": ["boats"]}
add the label boats to the regatta mail | email.label | {"target": {"subject": "regatta", "pick": "one"}, "add": ["boats"]}
remove the label boats from the regatta mail | email.label | {"target": {"subject": "regatta", "pick": "one"}, "remove": ["boats"]}
mark all mails from Will as read | email.mark | {"target": {"from": ["Will"], "pick": "all"}, "read": true}
mark the last email from Ana as unread | email.mark | {"target": {"from": ["Ana"], "order": "-date", "pick": "first"}, "read": false}
mark everything from Petra as read | email.mark | {"target": {"from": ["Petra"], "pick": "all"}, "read": true}
star the mail about the boiler | email.mark | {"target": {"subject": "boiler", "pick": "one"}, "starred": true}
unstar the email from Kim | email.mark | {"target": {"from": ["Kim"], "pick": "one"}, "starred": false}
delete the prize mail | email.delete | {"target": {"subject": "prize", "pick": "one"}}
delete all emails from Daily Deals | email.delete | {"target": {"from": ["Daily Deals"], "pick": "all"}}
get rid of the mails with attachments from Will | email.delete | {"target": {"from": ["Will"], "has_attachment": true, "pick": "all"}}
put the prize mail in the trash | email.delete | {"target": {"subject": "prize", "pick": "one"}}
delete the draft to Kim | email.delete | {"target": {"folder": "drafts", "to": ["Kim"], "pick": "one"}}
all my emails from Will need to be deleted | email.delete | {"target": {"from": ["Will"], "pick": "all"}}
delete the unanswered emails from Kim | email.delete | {"target": {"answered": false, "from": ["Kim"], "pick": "all"}}
save the attachment from Ana's last mail | email.attachment | {"target": {"from": ["Ana"], "order": "-date", "pick": "first"}}
download the attachment of the boiler email to Documents | email.attachment | {"target": {"subject": "boiler", "pick": "one"}, "folder": "Documents"}
archive all mails from Kim unless they are starred | email.archive | {"target": {"except": [{"starred": true}], "from": ["Kim"], "pick": "all"}}
Will sent me a mail. Delete the most recent one he sent me | email.delete | {"target": {"from": ["Will"], "order": "-date", "pick": "first"}}
email the guy from Tideworks that the keys are here | email.send | {"to": ["Tideworks"], "body": "The keys are here."}
archive all newsletters except the Garden Post | email.archive | {"target": {"sort": "newsletter", "except": [{"text": "Garden Post"}], "pick": "all"}}
mark all mails from Kim as read except the last one | email.mark | {"target": {"from": ["Kim"], "except": [{"order": "-date", "pick": "first"}], "pick": "all"}, "read": true}
delete everything in my inbox except Ana's mails | email.delete | {"target": {"folder": "inbox", "except": [{"from": ["Ana"]}], "pick": "all"}}
delete all promotional mails older than a month | email.delete | {"target": {"sort": "promotion", "until": "2026-04-06T10:00:00+02:00[Europe/Paris]", "pick": "all"}}
delete the oldest newsletter | email.delete | {"target": {"sort": "newsletter", "order": "date", "pick": "first"}}
archive the mail with the floor plan attached | email.archive | {"target": {"has_attachment": true, "text": "floor plan", "pick": "one"}}
forward the email with the deed to Petra | email.forward | {"target": {"text": "deed", "pick": "one"}, "to": ["Petra"]}
unsubscribe from Garden Post | email.unsubscribe | {"target": {"from": ["Garden Post"], "order": "-date", "pick": "first"}}
"#,
        &Focus::default(),
    );
}

#[test]
fn mails_that_were_shown() {
    check(
        r#"
archive it | email.archive | {"id": "m1"}
reply saying see you there | email.reply | {"id": "m1", "body": "See you there."}
forward it to Will | email.forward | {"id": "m1", "to": ["Will"]}
star this email | email.mark | {"id": "m1", "starred": true}
tell her I'll be there | email.send | {"to": ["ana@example.org"], "body": "I'll be there."}
"#,
        &shown(&["m1"]),
    );
    for (shown_ids, both) in [
        (&["m1", "m2"][..], Some(1)),
        (&["m1", "m2", "m3"][..], None),
    ] {
        let made = steps("delete both", &shown(shown_ids));
        assert_eq!(made.map(|made| made.len()), both, "{shown_ids:?}");
    }
    check(
        r#"
archive the second one | email.archive | {"id": "m2"}
delete them | email.delete | {"ids": ["m1", "m2", "m3"]}
star the first two | email.mark | {"ids": ["m1", "m2"], "starred": true}
mark the last one as read | email.mark | {"id": "m3", "read": true}
"#,
        &shown(&["m1", "m2", "m3"]),
    );
}

#[test]
fn what_is_no_mail_or_unclear_is_left_alone() {
    let long = format!("email {}", "Kim ".repeat(300));
    for text in [
        "archive it",
        "delete the last mail from Kim unless it's starred",
        "star the first two",
        "reply saying hello",
        "tell me about the regatta",
        "ask me again later",
        "archive everything",
        "email Kim \"are you there",
        "tell them we are late",
        "don't send anything to Will",
        "… ?! ,,",
        "delete the regatta",
        "summarize the email from Kim",
        "write a newsletter",
        "buy newsletters",
        "sum up 3 and 4",
        "what's the total of 3 and 4",
        "mark the words of the mails",
        &long,
    ] {
        assert_eq!(steps(text, &Focus::default()), None, "{text}");
    }
}

#[test]
fn drafts_that_are_sent() {
    check(
        r#"
send the draft to Kim | email.send | {"drafted": {"to": ["Kim"], "pick": "one"}}
send my draft to Will | email.send | {"drafted": {"to": ["Will"], "pick": "one"}}
send the draft about the regatta | email.send | {"drafted": {"subject": "regatta", "pick": "one"}}
please send the last draft | email.send | {"drafted": {"order": "-date", "pick": "first"}}
send the draft | email.send | {"drafted": {"pick": "one"}}
"#,
        &Focus::default(),
    );
    let focus = shown_of(Kind::Outbox, &["out_1"]);
    for text in [
        "send that draft",
        "send the draft",
        "send it",
        "send it off",
    ] {
        let steps = steps(text, &focus).unwrap_or_default();
        let [step] = &steps[..] else {
            panic!("{text}: {steps:?}")
        };
        let wanted = serde_json::json!({"draft": "out_1"});
        assert_eq!(
            (step.tool.as_str(), &step.args),
            ("email.send", &wanted),
            "{text}"
        );
    }
}
