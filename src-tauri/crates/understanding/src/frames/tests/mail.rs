//! Requests that write and sort mail, each with the call it becomes.

use adjutant_domain::focus::{Focus, Referent, Shown};
use adjutant_domain::ids::RecordId;
use adjutant_domain::plan::StepDraft;
use adjutant_domain::reading::{Reading, Utterance};
use adjutant_domain::record::Kind;
use adjutant_domain::settings::Settings;
use adjutant_domain::tool::ToolSpec;
use serde_json::{Value, json};

use super::super::decide::plan;

/// A tool with these arguments, each with the name of its type.
fn tool(name: &str, arguments: &[(&str, Value)]) -> ToolSpec {
    let properties: serde_json::Map<String, Value> = arguments
        .iter()
        .map(|(name, schema)| ((*name).to_owned(), schema.clone()))
        .collect();
    let spec = json!({
        "name": name, "domain": "email", "description": "", "risk": "reaches_people", "phrases": [],
        "participle": "done",
        "schema": {"type": "object", "properties": properties, "$defs": {
            "People": {"type": "array", "items": {"type": "string"}},
            "Moment": {"type": "string"},
            "Ids": {"type": "string"},
            "Place": {"oneOf": choices(&["inbox", "sent", "archive", "trash", "junk", "drafts", "outbox", "any"])},
            "Into": {"oneOf": choices(&["archive", "inbox", "junk"])},
            "Filter": {"type": "object", "properties": filter()},
        }},
    });
    serde_json::from_value(spec).expect("a tool")
}

fn choices(words: &[&str]) -> Vec<Value> {
    let choices = words
        .iter()
        .map(|word| json!({"const": word, "type": "string"}));
    choices.collect()
}

fn filter() -> Value {
    let (text, yes, people) = (
        json!({"type": "string"}),
        json!({"type": "boolean"}),
        named("People"),
    );
    json!({
        "answered": yes, "folder": named("Place"), "from": people, "has_attachment": yes, "label": text,
        "limit": {"type": "integer"}, "order": text, "person": people, "pick": text, "since": named("Moment"),
        "starred": yes, "subject": text, "text": text, "to": people, "unread": yes, "until": named("Moment"),
    })
}

fn named(name: &str) -> Value {
    json!({"$ref": format!("#/$defs/{name}")})
}

fn tools() -> Vec<ToolSpec> {
    let (text, yes, texts) = (
        json!({"type": "string"}),
        json!({"type": "boolean"}),
        json!({"type": "array", "items": {"type": "string"}}),
    );
    let written = [
        ("to", named("People")),
        ("cc", named("People")),
        ("bcc", named("People")),
        ("subject", text.clone()),
    ];
    let chosen = [
        ("id", named("Ids")),
        ("ids", named("Ids")),
        ("target", named("Filter")),
    ];
    let one = [chosen[0].clone(), chosen[2].clone()];
    let with =
        |base: &[(&'static str, Value)], more: &[(&'static str, Value)]| [base, more].concat();
    let search: Vec<(&str, Value)> = [
        ("from", named("People")),
        ("order", text.clone()),
        ("pick", text.clone()),
        ("subject", text.clone()),
        ("text", text.clone()),
    ]
    .to_vec();
    vec![
        tool("email.search", &search),
        tool(
            "email.send",
            &with(
                &written,
                &[("body", text.clone()), ("attach", texts.clone())],
            ),
        ),
        tool(
            "email.draft",
            &with(
                &written,
                &[("body", text.clone()), ("in_reply_to", named("Ids"))],
            ),
        ),
        tool(
            "email.reply",
            &with(
                &with(&one, &written[1..]),
                &[
                    ("body", text.clone()),
                    ("all", yes.clone()),
                    ("attach", texts.clone()),
                ],
            ),
        ),
        tool(
            "email.forward",
            &with(&with(&one, &written), &[("note", text.clone())]),
        ),
        tool("email.archive", &with(&chosen, &[("into", named("Into"))])),
        tool(
            "email.label",
            &with(&chosen, &[("add", texts.clone()), ("remove", texts)]),
        ),
        tool(
            "email.mark",
            &with(&chosen, &[("read", yes.clone()), ("starred", yes)]),
        ),
        tool("email.delete", &chosen),
        tool(
            "email.attachment",
            &with(&one, &[("folder", text.clone()), ("name", text)]),
        ),
        tool("email.unsubscribe", &one),
    ]
}

fn shown(ids: &[&str]) -> Focus {
    let items = ids.iter().map(|id| Referent {
        kind: Kind::Mail,
        id: RecordId((*id).to_owned()),
        instance: None,
        label: (*id).to_owned(),
        people: vec![("Ana Ruiz".to_owned(), "ana@example.org".to_owned())],
    });
    let mut focus = Focus::default();
    focus.push(Shown {
        items: items.collect(),
        acted: false,
    });
    focus
}

/// The steps of a message, where frames read it.
fn steps(text: &str, focus: &Focus) -> Option<Vec<StepDraft>> {
    let now: jiff::Zoned = "2026-05-06T10:00:00+02:00[Europe/Paris]"
        .parse()
        .expect("a time");
    let people: Vec<(String, Vec<String>)> = ["Ana Ruiz", "Will Kent", "Kim Soto", "Petra Lang"]
        .iter()
        .map(|name| ((*name).to_owned(), Vec::new()))
        .collect();
    let said = Utterance {
        text,
        now: &now,
        settings: &Settings::default(),
        focus,
        history: &[],
        people: &people,
        names: &[],
        tools: &tools(),
    };
    match plan(&said)? {
        Reading::Plan { plan, .. } => Some(plan.steps),
        _ => None,
    }
}

/// Checks that each line's message becomes the call behind it; its last step, where something is looked up first.
fn check(table: &str, focus: &Focus) {
    let mut wrong = Vec::new();
    for line in table.trim().lines() {
        let [text, tool, args] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("no row: {line}");
        };
        let args: Value = serde_json::from_str(args).expect("arguments");
        let made = steps(text, focus).unwrap_or_default();
        let does = made.last().map(|step| (step.tool.as_str(), &step.args));
        if does != Some((tool, &args)) {
            wrong.push(format!("{text}\n  wanted {tool} {args}\n  got    {does:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

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
archive all newsletters | email.archive | {"target": {"subject": "newsletter", "pick": "all"}}
archive everything older than two weeks | email.archive | {"target": {"until": "2026-04-22T10:00:00+02:00[Europe/Paris]", "pick": "all"}}
archive the last three mails from Will | email.archive | {"target": {"from": ["Will"], "limit": 3, "order": "-date", "pick": "all"}}
move the mail from Ana about the fence to the archive | email.archive | {"target": {"from": ["Ana"], "subject": "fence", "pick": "one"}}
move the fence mail back to the inbox | email.archive | {"target": {"subject": "fence", "pick": "one"}, "into": "inbox"}
report the email from Prize Club as spam | email.archive | {"target": {"from": ["Prize Club"], "pick": "one"}, "into": "junk"}
tag the two invoices with "taxes" | email.label | {"target": {"subject": "invoice", "pick": "all"}, "add": ["taxes"]}
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
        "star the first two",
        "reply saying hello",
        "tell me about the regatta",
        "ask me again later",
        "archive all newsletters except the Garden Post",
        "archive everything",
        "email Kim \"are you there",
        "tell them we are late",
        "don't send anything to Will",
        "… ?! ,,",
        "delete the regatta",
        "send Will my regatta notes",
        &long,
    ] {
        assert_eq!(steps(text, &Focus::default()), None, "{text}");
    }
}
