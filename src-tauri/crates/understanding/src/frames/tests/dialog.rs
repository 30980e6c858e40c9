//! Messages that are said of what came before: follow-ups, corrections, changes to what was just made, small talk.

use adjutant_domain::conversation::{Message, Role};
use adjutant_domain::focus::{Focus, Referent, Shown};
use adjutant_domain::ids::RecordId;
use adjutant_domain::reading::{Reading, Utterance};
use adjutant_domain::record::Kind;
use adjutant_domain::settings::Settings;
use adjutant_domain::tool::ToolSpec;
use serde_json::{Map, Value, json};

/// A tool whose arguments are `fields`, with filters or changes where it takes them.
fn tool(name: &str, risk: &str, fields: &[&str]) -> ToolSpec {
    let properties: Map<String, Value> = fields
        .iter()
        .map(|field| ((*field).to_owned(), schema(name, field)))
        .collect();
    let inner = |fields: &[&str]| -> Map<String, Value> {
        let fields = fields.iter();
        fields
            .map(|field| ((*field).to_owned(), schema(name, field)))
            .collect()
    };
    let spec = json!({
        "name": name, "domain": "calendar", "description": "", "risk": risk, "phrases": [], "participle": "done",
        "schema": {"type": "object", "properties": properties, "$defs": {
            "People": {"type": "array", "items": {"type": "string"}},
            "Moment": {"type": "string"},
            "Filter": {"type": "object", "properties": inner(FILTERS)},
            "Changes": {"type": "object", "properties": inner(CHANGES)},
        }},
    });
    serde_json::from_value(spec).expect("a tool")
}

const FILTERS: &[&str] = &[
    "from",
    "to",
    "since",
    "until",
    "due_from",
    "due_to",
    "changed_from",
    "changed_to",
    "person",
    "ids",
    "order",
    "pick",
    "text",
    "title",
    "subject",
    "summary_is",
    "title_is",
    "subject_is",
    "unread",
    "overdue",
    "starts_from",
    "location",
];
const CHANGES: &[&str] = &[
    "summary",
    "title",
    "location",
    "start",
    "end",
    "time",
    "due",
    "due_time",
    "add_people",
    "add_notes",
    "priority",
    "duration_minutes",
];

/// What an argument takes, by its name.
fn schema(tool: &str, field: &str) -> Value {
    match field {
        // Of events these are the ends of a range, of mails people.
        "to" | "from" if tool.starts_with("calendar.") => json!({"$ref": "#/$defs/Moment"}),
        "to" | "from" | "cc" | "bcc" | "person" | "people" | "add_people" => {
            json!({"$ref": "#/$defs/People"})
        }
        "start" | "end" | "due" | "since" | "until" | "due_from" | "due_to" | "changed_from"
        | "changed_to" | "remind_at" | "first" | "last" => json!({"$ref": "#/$defs/Moment"}),
        "ids" => json!({"type": "array", "items": {"type": "string"}}),
        "unread" | "overdue" | "starts_from" => json!({"type": "boolean"}),
        "duration_minutes" => json!({"type": "integer"}),
        "target" => json!({"$ref": "#/$defs/Filter"}),
        "changes" => json!({"$ref": "#/$defs/Changes"}),
        "priority" => json!({"enum": ["low", "medium", "high"]}),
        _ => json!({"type": "string"}),
    }
}

fn tools() -> Vec<ToolSpec> {
    let change = ["id", "target", "changes"];
    let events = [
        "ask",
        "person",
        "order",
        "pick",
        "text",
        "summary_is",
        "starts_from",
        "location",
        "ids",
    ];
    let mails = [
        "ask", "from", "since", "until", "order", "pick", "text", "subject", "unread", "ids",
    ];
    let times = |fields: &[&'static str]| [fields, &["from", "to"][..]].concat();
    vec![
        tool("calendar.list", "read", &times(&events)),
        tool(
            "calendar.free",
            "read",
            &["ask", "from", "to", "duration_minutes", "hours"],
        ),
        tool(
            "calendar.create",
            "local_reversible",
            &[
                "summary",
                "start",
                "end",
                "duration_minutes",
                "location",
                "people",
            ],
        ),
        tool("calendar.update", "local_reversible", &change),
        tool("calendar.delete", "local_reversible", &["id", "target"]),
        tool("task.delete", "local_reversible", &["id", "target"]),
        tool(
            "task.list",
            "read",
            &[
                "ask", "due_from", "due_to", "order", "text", "title_is", "overdue", "ids",
            ],
        ),
        tool(
            "task.create",
            "local_reversible",
            &["title", "due", "remind_at", "priority"],
        ),
        tool("task.update", "local_reversible", &change),
        tool(
            "task.complete",
            "local_reversible",
            &["id", "ids", "target"],
        ),
        tool("note.append", "local_reversible", &["id", "target", "text"]),
        tool("note.update", "local_reversible", &change),
        tool("email.search", "read", &mails),
        tool("email.read", "read", &["id", "target"]),
        tool(
            "email.send",
            "reaches_people",
            &["to", "cc", "bcc", "subject", "body"],
        ),
        tool("contact.find", "read", &["ask", "name", "ids"]),
    ]
}

/// What the conversation has shown: ids, and whether the latest was made or changed.
fn shown(kind: Kind, ids: &[&str], acted: bool) -> Focus {
    let items = ids.iter().map(|id| Referent {
        kind,
        id: RecordId((*id).to_owned()),
        instance: None,
        label: (*id).to_owned(),
        people: vec![("Ana Ruiz".to_owned(), "ana@example.org".to_owned())],
    });
    let mut focus = Focus {
        acted,
        ..Focus::default()
    };
    focus.push(Shown {
        items: items.collect(),
        acted,
    });
    focus
}

/// Reads the last of several messages of one conversation.
fn with<T>(turns: &str, focus: &Focus, read: impl FnOnce(&Utterance<'_>, &str) -> T) -> T {
    let now: jiff::Zoned = "2026-05-06T10:00:00+02:00[Europe/Paris]"
        .parse()
        .expect("a time");
    let people: Vec<(String, Vec<String>)> = ["Ana Ruiz", "Will Kent", "Kim Soto", "Petra Lang"]
        .iter()
        .map(|name| ((*name).to_owned(), Vec::new()))
        .collect();
    let (earlier, text) = turns.rsplit_once(" // ").unwrap_or(("", turns));
    let history: Vec<Message> = earlier
        .split(" // ")
        .filter(|text| !text.is_empty())
        .map(|text| Message {
            turn: "turn_1".into(),
            role: Role::User,
            text: text.to_owned(),
            at: now.timestamp(),
        })
        .collect();
    let before = history
        .last()
        .map_or(String::new(), |message| message.text.clone());
    let said = Utterance {
        text,
        now: &now,
        settings: &Settings::default(),
        focus,
        history: &history,
        people: &people,
        roles: &[],
        names: &[],
        tools: &tools(),
    };
    read(&said, &before)
}

/// Checks the last call of each row: its tool, and the arguments that the row names. `-`: it is not read.
fn check(table: &str, focus: &Focus) {
    let mut wrong = Vec::new();
    for line in table.trim().lines() {
        let (turns, wanted) = line.split_once(" | ").expect("a row");
        let reading = with(turns, focus, |said, _| super::super::plan(said));
        let step = match reading {
            Some(Reading::Plan { plan, .. }) => plan.steps.last().cloned(),
            _ => None,
        };
        let got = step.map(|step| (step.tool, step.args));
        let fits = match (wanted.split_once(' '), &got) {
            (Some((tool, args)), Some((called, given))) => {
                let args: Map<String, Value> = serde_json::from_str(args).expect("arguments");
                tool == called
                    && args
                        .iter()
                        .all(|(name, value)| given.get(name) == Some(value))
            }
            (None, None) => wanted == "-",
            _ => false,
        };
        if !fits {
            wrong.push(format!("{turns}\n  wanted {wanted}\n  got    {got:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_question_is_put_again_with_another_part() {
    check(
        r#"
what do I have on thursday // and the day after? | calendar.list {"from": "2026-05-08", "to": "2026-05-09"}
what do I have on thursday // and the day after? // and on monday? | calendar.list {"from": "2026-05-11"}
what's on this week // and the week after? | calendar.list {"from": "2026-05-11", "to": "2026-05-18"}
what's on tomorrow // what about next week | calendar.list {"from": "2026-05-11"}
what's on tomorrow // how about the weekend? | calendar.list {"from": "2026-05-09", "to": "2026-05-11"}
what's on friday // saturday? | calendar.list {"from": "2026-05-09"}
what's on friday // thanks // and saturday? | calendar.list {"from": "2026-05-09"}
am I free tomorrow at 3 // how about at 5? | calendar.free {"from": "2026-05-07T17:00:00+02:00[Europe/Paris]"}
am I free tomorrow at 3 // and on friday? | calendar.free {"from": "2026-05-08T15:00:00+02:00[Europe/Paris]"}
when do I next meet Ana // and Will? | calendar.list {"person": ["Will"], "pick": "first"}
show me mails from Ana // only the unread ones | email.search {"from": ["Ana"], "unread": true}
show me mails from Ana // and from Kim? | email.search {"from": ["Kim"]}
what has Ana sent me lately? // and Petra? | email.search {"from": ["Petra"]}
show my tasks // just the overdue ones | task.list {"overdue": true}
what's Ana's phone number // and Kim's? | contact.find {"name": "Kim", "ask": "phone"}
who is Ana // and Petra? | contact.find {"name": "Petra"}
"#,
        &Focus::default(),
    );
}

#[test]
fn what_changes_no_question_is_not_read_as_one() {
    check(
        "
what do I have tomorrow // and butter | -
what do I have tomorrow // thanks | -
what do I have tomorrow // what about the dentist | -
remind me to call Ana tomorrow // and on friday? | -
add lunch with Ana on friday at 12 // and on saturday? | -
and on saturday? | -
with Kim too | -
no, I meant thursday | -
make it 10 instead | -
",
        &Focus::default(),
    );
}

#[test]
fn another_thing_of_a_list_gets_the_same() {
    check(
        r#"
mark the first one as done // and the second one | task.complete {"id": "task_2"}
mark the first one as done // and the last one | task.complete {"id": "task_3"}
"#,
        &shown(Kind::Task, &["task_1", "task_2", "task_3"], false),
    );
    check(
        r#"
read the second one | email.read {"id": "mail_2"}
read the latest one | email.read {"target": {"ids": ["mail_1", "mail_2"], "order": "-date", "pick": "first"}}
read the one from Kim | email.read {"target": {"ids": ["mail_1", "mail_2"], "from": ["Kim"], "pick": "one"}}
"#,
        &shown(Kind::Mail, &["mail_1", "mail_2"], false),
    );
}

#[test]
fn what_was_just_made_is_changed() {
    check(
        r#"
remind me tomorrow at 9 to call Ana // make it 10 instead | task.update {"id": "task_1", "changes": {"due_time": "10:00"}}
remind me tomorrow at 9 to call Ana // no, 11 | task.update {"id": "task_1", "changes": {"due_time": "11:00"}}
remind me tonight at 8 to call Ana // make it 9 | task.update {"id": "task_1", "changes": {"due_time": "21:00"}}
remind me tomorrow at 9 to call Ana // actually on friday | task.update {"id": "task_1", "changes": {"due": "2026-05-08"}}
add a task to call the bank // and due on monday | task.update {"id": "task_1", "changes": {"due": "2026-05-11"}}
add a task to call the bank // make it high priority | task.update {"id": "task_1", "changes": {"priority": "high"}}
add a task to call the bank // it's urgent | task.update {"id": "task_1", "changes": {"priority": "high"}}
add a task to call the bank // call it ring the bank | task.update {"id": "task_1", "changes": {"title": "ring the bank"}}
"#,
        &shown(Kind::Task, &["task_1"], true),
    );
    check(
        r#"
add lunch with Ana on friday at 12 // with Kim too | calendar.update {"id": "ev_1", "changes": {"add_people": ["Kim"]}}
add lunch with Ana on friday at 12 // it's at Blue Door | calendar.update {"id": "ev_1", "changes": {"location": "Blue Door"}}
add lunch with Ana on friday at 12 // make it 1 | calendar.update {"id": "ev_1", "changes": {"time": "13:00"}}
add lunch with Ana on friday at 12 // no, I meant saturday | calendar.update {"id": "ev_1", "changes": {"start": "2026-05-09"}}
add lunch with Ana on friday at 12 // for two hours | calendar.update {"id": "ev_1", "changes": {"duration_minutes": 120}}
add lunch with Ana on friday at 12 // call it team lunch | calendar.update {"id": "ev_1", "changes": {"summary": "team lunch"}}
"#,
        &shown(Kind::Event, &["ev_1"], true),
    );
    check(
        r#"
note: pack socks // and butter | note.append {"id": "note_1", "text": "butter"}
note: pack socks // add a scarf to it | note.append {"id": "note_1", "text": "a scarf"}
note: pack socks // call it packing | note.update {"id": "note_1", "changes": {"title": "packing"}}
"#,
        &shown(Kind::Note, &["note_1"], true),
    );
}

#[test]
fn a_pronoun_means_whom_the_message_names_before_it() {
    check(
        r#"
add coffee with Kim on tuesday at 4pm and invite her | calendar.create {"people": ["Kim"]}
add coffee with Sofia on tuesday at 4pm and invite her | calendar.create {"people": ["Sofia"]}
add coffee on tuesday at 4pm and invite her | calendar.create {"people": ["ana@example.org"]}
"#,
        &shown(Kind::Mail, &["mail_1"], false),
    );
}

#[test]
fn what_was_only_shown_is_not_changed_by_a_bare_part() {
    check(
        "
when is the dentist // with Kim too | -
when is the dentist // no, at 4pm | -
when is the dentist // for two hours | -
",
        &shown(Kind::Event, &["ev_1"], false),
    );
}

#[test]
fn a_request_that_waits_is_corrected() {
    let table = "
remind me tomorrow at 9 to call Ana // make it 10 instead | remind me tomorrow at 10:00 to call Ana
put dinner with Ana on friday at 7 // no, I meant saturday | put dinner with Ana on saturday at 7
put dinner with Ana on friday at 7 // no, sorry, at 8 | put dinner with Ana on friday at 8
put dinner with Ana on friday at 7 // with Kim too | put dinner with Ana and Kim on friday at 7
move my meeting with Ana to 4pm // actually make that 4:30pm | move my meeting with Ana to 4:30pm
put dinner with Ana on friday at 7 // hmm, that's the parent evening, make it monday | put dinner with Ana on monday at 7
email Ana that I'm sick // add that I'll be back next week | email Ana that I'm sick and I'll be back next week
email Ana that I'm sick // no, say that I come alone | email Ana that I come alone
email Ana that I'm sick // change the text to: I come later | email Ana that I come later
email Ana that I'm sick // make it shorter: not today | email Ana that not today
email Ana that I'm sick // also cc Kim | email Ana that I'm sick cc Kim
email Ana that I'm sick // no, to Kim | email Kim that I'm sick
email Ana that I'm sick // make the subject Sick day | email Ana that I'm sick with the subject \"Sick day\"
email Ana that I'm sick // what's on tomorrow | -
email Ana that I'm sick // thanks | -
email Ana that I'm sick // remind me to call her | -
";
    check_restated(table, super::super::restated);
}

#[test]
fn what_waits_is_kept_and_changed_instead() {
    let table = "
cancel the design review // no wait, keep it, just move it a week later | move the design review a week later
delete the rent task // no, keep it, but make it due on monday | make the rent task due on monday
cancel the design review // keep it | -
cancel the design review // no | -
cancel the design review // change it to that one | -
cancel the design review // add it to my list | -
";
    check_restated(table, super::super::kept);
}

/// Checks the text that comes of a message about a request that waits. `-`: there is none.
fn check_restated(table: &str, restated: fn(&str, &Utterance<'_>) -> Option<String>) {
    let mut wrong = Vec::new();
    for line in table.trim().lines() {
        let (turns, wanted) = line.split_once(" | ").expect("a row");
        let restated = with(turns, &Focus::default(), |said, before| {
            restated(before, said)
        });
        if restated.as_deref().unwrap_or("-") != wanted {
            wrong.push(format!("{turns}\n  wanted {wanted}\n  got    {restated:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn small_talk_is_answered_and_nothing_is_done() {
    for text in [
        "thanks, you're great",
        "hi Adjutant, how are you?",
        "good morning",
        "what can you do?",
        "what time is it",
        "forget it",
        "yes",
        "cheers for that",
        "standup sucks",
        "I might have lunch with Ana on friday, not sure yet",
        "maybe dinner with Kim on friday, not sure",
        "don't email Will",
        "please don't call Ana tomorrow",
        "do not delete the dentist",
        "email Ana I quit, just kidding",
    ] {
        let reading = with(text, &Focus::default(), |said, _| super::super::plan(said));
        assert!(
            matches!(reading, Some(Reading::Say { .. })),
            "{text}: {reading:?}"
        );
    }
    for text in [
        "don't delete anything, just show me mails from Ana",
        "note that the dinner with Ana was great",
        "tell Kim the trip was good",
    ] {
        let reading = with(text, &Focus::default(), |said, _| super::super::plan(said));
        assert!(
            !matches!(reading, Some(Reading::Say { .. })),
            "{text}: {reading:?}"
        );
    }
    check(
        r#"
don't forget to remind me to call Ana tomorrow at 9 | task.create {"title": "Call Ana"}
don't let me forget to water the plants tomorrow at 9 | task.create {"title": "Water the plants"}
"#,
        &Focus::default(),
    );
}
