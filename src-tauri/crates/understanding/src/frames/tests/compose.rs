//! Several requests in one message: conditions, references to what stands before, times said once for all.

use adjutant_domain::focus::Focus;
use adjutant_domain::mentioned_name::MentionedName;
use adjutant_domain::plan::StepDraft;
use adjutant_domain::reading::{Reading, Utterance};
use adjutant_domain::record::Kind;
use adjutant_domain::settings::Settings;
use adjutant_domain::tool::ToolSpec;
use serde_json::{Map, Value, json};

use super::super::decide::plan;
use crate::fixture::named;

/// Tools by name, each with its arguments: texts, or a type behind a colon. `target:E` takes the filters of events.
const TOOLS: &[&str] = &[
    "calendar.list ask text summary_is from:Moment to:Moment starts_from:yes person:People order pick ids:Ids location min_minutes:number max_minutes:number starts_before starts_after except:Texts",
    "contact.find ask name birthday_from:Moment birthday_to:Moment",
    "calendar.free ask from:Moment to:Moment duration_minutes:number pick hours part_of_day starts_after ends_before",
    "calendar.create summary start:Moment end:Moment people:People duration_minutes:number location",
    "calendar.update id:Ids ids:Ids target:E changes:C",
    "calendar.delete id:Ids ids:Ids target:E",
    "task.create title due:Moment remind_at:Moment notes",
    "task.list ask text status order pick due_from:Moment due_to:Moment",
    "task.delete id:Ids ids:Ids target:T",
    "email.search ask text subject subject_is from:People to:People since:Moment until:Moment unread:yes folder:Place order pick ids:Ids",
    "email.read id:Ids target:M",
    "email.send to:People subject body",
    "email.reply id:Ids target:M body",
    "email.forward id:Ids target:M to:People note",
    "email.archive id:Ids ids:Ids target:M into",
    "email.mark id:Ids ids:Ids target:M starred:yes read:yes",
];

fn properties(words: &str) -> Map<String, Value> {
    let arguments = words.split(' ').map(|word| {
        let (name, kind) = word.split_once(':').unwrap_or((word, "text"));
        let schema = match kind {
            "text" => json!({"type": "string"}),
            "number" => json!({"type": "integer"}),
            "yes" => json!({"type": "boolean"}),
            named => json!({"$ref": format!("#/$defs/{named}")}),
        };
        (name.to_owned(), schema)
    });
    arguments.collect()
}

fn tools() -> Vec<ToolSpec> {
    let filter = |tool: &str| {
        let line = TOOLS.iter().find_map(|line| line.strip_prefix(tool));
        json!({"type": "object", "properties": properties(line.expect("a tool").trim())})
    };
    let specs = TOOLS.iter().map(|line| {
        let (name, arguments) = line.split_once(' ').expect("arguments");
        let spec = json!({
            "name": name, "domain": "email", "description": "", "risk": "read", "phrases": [], "participle": "done",
            "schema": {"type": "object", "properties": properties(arguments), "$defs": {
                "People": {"type": "array", "items": {"type": "string"}},
                "Moment": {"type": "string"}, "Texts": {"type": "array", "items": {"type": "object"}}, "Ids": {"type": "string"},
                "Place": {"oneOf": [{"const": "sent", "type": "string"}, {"const": "inbox", "type": "string"}]},
                "E": filter("calendar.list"), "T": filter("task.list"), "M": filter("email.search"),
                "C": {"type": "object", "properties": properties("start:Moment shift_minutes:number duration_minutes:number time location add_people:People remove_people:People")},
            }},
        });
        serde_json::from_value(spec).expect("a tool")
    });
    specs.collect()
}

/// The steps of a message, where frames read it.
fn steps(text: &str) -> Vec<StepDraft> {
    let now: jiff::Zoned = "2026-05-06T10:00:00+02:00[Europe/Paris]"
        .parse()
        .expect("a time");
    let people = ["Ana Ruiz", "Will Kent", "Kim Soto", "Petra Lang"];
    let people: Vec<_> = people
        .iter()
        .map(|name| ((*name).to_owned(), Vec::new()))
        .collect();
    let names = ["Regatta briefing", "Sail check", "Lunch with Petra"]
        .iter()
        .enumerate();
    let names: Vec<MentionedName> = names
        .filter(|(_, label)| {
            let word = label.split(' ').next().unwrap_or(label).to_lowercase();
            text.to_lowercase().contains(&word)
        })
        .map(|(number, label)| named(Kind::Event, &format!("event_{number}"), label))
        .collect();
    let said = Utterance {
        text,
        now: &now,
        settings: &Settings::default(),
        focus: &Focus::default(),
        history: &[],
        people: &people,
        roles: &[],
        names: &names,
        tools: &tools(),
    };
    match plan(&said) {
        Some(Reading::Plan { plan, .. }) => plan.steps,
        _ => Vec::new(),
    }
}

/// A step as the tables write it: its condition, its tool, its arguments.
fn told(step: &StepDraft) -> String {
    let when = step.when.as_ref().map_or(String::new(), |when| {
        let when = serde_json::to_value(when).expect("a condition");
        let args = when["args"].as_array().expect("operands");
        let operand = |arg: &Value| match arg.get("$from").and_then(Value::as_str) {
            Some(key) => format!("{key}{}", arg["path"].as_str().unwrap_or("")),
            None => arg.to_string(),
        };
        let operands: Vec<String> = args.iter().map(operand).collect();
        format!(
            "({} {}) ",
            when["$op"].as_str().unwrap_or(""),
            operands.join(" ")
        )
    });
    let args = step.args.to_string().replace(":00+02:00[Europe/Paris]", "");
    let each = step.each.as_ref();
    let each = each.map_or(String::new(), |each| {
        format!(" each {}{}", each.from.0, each.path)
    });
    let asks = if step.question.is_some() { " ?" } else { "" };
    format!("{when}{} {args}{each}{asks}", step.tool)
}

/// Checks that each message becomes the steps behind it, separated by " + "; nothing where frames do not read it.
fn check(table: &str) {
    let mut wrong = Vec::new();
    for line in table.trim().lines() {
        let (text, wanted) = line
            .split_once(" | ")
            .unwrap_or((line.trim_end_matches(" |"), ""));
        let made: Vec<String> = steps(text).iter().map(told).collect();
        let made = made.join(" + ");
        if made != wanted {
            wrong.push(format!("{text} | {made}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn conditions_are_read_first_and_decide() {
    check(
        r#"
if Ana has not written since Monday, remind me tomorrow at 9 to call her | email.search {"ask":"any","from":["Ana"],"since":"2026-05-04"} + (empty s1/ids) task.create {"due":"2026-05-07T09:00","title":"Call Ana"}
if Kim emailed me today, add a task to answer her | email.search {"ask":"any","from":["Kim"],"since":"2026-05-06","until":"2026-05-07"} + (not_empty s1/ids) task.create {"title":"Answer Kim"}
unless I am busy then, add rowing on friday from 5pm to 6pm | calendar.free {"ask":"free","from":"2026-05-08T17:00","hours":"any","to":"2026-05-08T18:00"} + (ne s1/is_free false) calendar.create {"end":"2026-05-08T18:00","start":"2026-05-08T17:00","summary":"Rowing"}
add rowing on friday at 5pm unless I already have something | calendar.free {"ask":"free","from":"2026-05-08T17:00","hours":"any","to":"2026-05-08T17:30"} + (ne s2/is_free false) calendar.create {"start":"2026-05-08T17:00","summary":"Rowing"}
only if I'm free on friday at 3pm, book a call with Will at that time | calendar.free {"ask":"free","from":"2026-05-08T15:00","hours":"any","to":"2026-05-08T15:30"} + (eq s1/is_free true) calendar.create {"people":["Will"],"start":"2026-05-08T15:00","summary":"Call with Will"}
if I've got nothing on saturday at 10 schedule a swim | calendar.free {"ask":"free","from":"2026-05-09T10:00","hours":"any","to":"2026-05-09T10:30"} + (eq s1/is_free true) calendar.create {"start":"2026-05-09T10:00","summary":"Swim"}
if I don't have a meeting with Ana this week, schedule one on friday at 11 | calendar.list {"ask":"any","from":"2026-05-04","person":["Ana"],"to":"2026-05-11"} + (empty s1/ids) calendar.create {"people":["Ana"],"start":"2026-05-08T11:00","summary":"Meeting with Ana"}
if there is a meeting with Kim tomorrow, remind me at 8 to print the charts | calendar.list {"ask":"any","from":"2026-05-07","person":["Kim"],"to":"2026-05-08"} + (not_empty s1/ids) task.create {"due":"2026-05-07T08:00","title":"Print the charts"}
if I have more than 3 meetings tomorrow, remind me at 7 to pack lunch | calendar.list {"ask":"count","from":"2026-05-07","to":"2026-05-08"} + (gt s1/total 3) task.create {"due":"2026-05-07T07:00","title":"Pack lunch"}
remind me to call Will tomorrow at 9 if he hasn't replied since Friday | email.search {"ask":"any","from":["Will"],"since":"2026-05-01"} + (empty s2/ids) task.create {"due":"2026-05-07T09:00","title":"Call Will"}
if I haven't met with Petra in the past 5 days, email her saying 'Lunch soon?' | calendar.list {"ask":"any","from":"2026-05-01","person":["Petra"],"to":"2026-05-06T10:00"} + (empty s1/ids) email.send {"body":"Lunch soon?","to":["Petra"]}
if there's any unread mail from Will, star it | email.search {"ask":"any","from":["Will"],"unread":true} + (not_empty s1/ids) email.mark {"starred":true,"target":{"from":["Will"],"pick":"one","unread":true}}
if I haven't heard from Kim in 3 days, email her that I still need the charts | email.search {"ask":"any","from":["Kim"],"since":"2026-05-03T10:00"} + (empty s1/ids) email.send {"body":"I still need the charts.","to":["Kim"]}
"#,
    );
}

#[test]
fn a_question_may_decide_too() {
    check(
        r#"
am I free tomorrow at 3pm? if so, book a call with Kim then | calendar.free {"ask":"free","from":"2026-05-07T15:00","hours":"any","to":"2026-05-07T15:30"} + (eq s1/is_free true) calendar.create {"people":["Kim"],"start":"2026-05-07T15:00","summary":"Call with Kim"}
do I have anything on friday at 2pm? if not, schedule a sail repair | calendar.list {"ask":"any","from":"2026-05-08T14:00","to":"2026-05-08T14:01"} + (empty s1/ids) calendar.create {"start":"2026-05-08T14:00","summary":"Sail repair"}
did Petra email me today? if not, remind me at 4pm to chase her | email.search {"ask":"any","from":["Petra"],"since":"2026-05-06","until":"2026-05-07"} + (empty s1/ids) task.create {"due":"2026-05-06T16:00","title":"Chase Petra"}
check if I'm free on monday at 10 and if so add a call with Petra | calendar.free {"ask":"free","from":"2026-05-11T10:00","hours":"any","to":"2026-05-11T10:30"} + (eq s1/is_free true) calendar.create {"people":["Petra"],"start":"2026-05-11T10:00","summary":"Call with Petra"}
have I met with Will this month? if not, email him that we should talk | calendar.list {"ask":"any","from":"2026-05-01","person":["Will"],"to":"2026-05-06T10:00"} + (empty s1/ids) email.send {"body":"We should talk.","to":["Will"]}
did Ana write to me today? if so, remind me at 5pm to answer her. Otherwise remind me at 6pm to call her | email.search {"ask":"any","from":["Ana"],"since":"2026-05-06","until":"2026-05-07"} + (not_empty s1/ids) task.create {"due":"2026-05-06T17:00","title":"Answer Ana"} + (empty s1/ids) task.create {"due":"2026-05-06T18:00","title":"Call Ana"}
let me know if I'm free at 3pm | calendar.free {"ask":"free","from":"2026-05-06T15:00","hours":"any","to":"2026-05-06T15:30"}
tell me whether Kim has replied | email.search {"ask":"any","from":["Kim"]}
"#,
    );
}

#[test]
fn what_cannot_be_known_is_not_read() {
    check(
        r#"
if Kim hasn't answered by friday, email her again |
if Kim replies, remind me at 5pm to call her |
if I have a fever, remind me tomorrow to call the doctor |
if the sun shines, book a sail on friday at 3pm |
if Will is late, tell Kim |
"#,
    );
}

#[test]
fn later_requests_speak_of_earlier_ones() {
    check(
        r#"
find Ana's email about the mast and add a task to check it by Monday | email.search {"ask":"list","from":["Ana"],"text":"mast"} + task.create {"due":"2026-05-11","title":"Check Ana's email about the mast"}
find the chart Will sent and forward it to Kim | email.search {"ask":"list","from":["Will"],"text":"chart"} + email.forward {"target":{"ids":{"$from":"s1","path":"/ids"},"pick":"one"},"to":["Kim"]}
look for the mail about the mast and reply to it saying thanks | email.search {"ask":"list","text":"mast"} + email.reply {"body":"Thanks.","target":{"ids":{"$from":"s1","path":"/ids"},"pick":"one"}}
show me the latest mail from Kim and archive it | email.read {"target":{"from":["Kim"],"order":"-date","pick":"first"}} + email.archive {"target":{"ids":{"$from":"s1","path":"/id"},"pick":"one"}}
archive the mail from Petra and star it | email.archive {"target":{"from":["Petra"],"pick":"one"}} + email.mark {"ids":{"$from":"s1","path":"/ids"},"starred":true}
find my next meeting with Petra and move it to 4pm | calendar.list {"ask":"list","from":"2026-05-06T10:00","order":"start","person":["Petra"],"pick":"first","starts_from":true} + calendar.update {"changes":{"time":"16:00"},"ids":{"$from":"s1","path":"/ids"}}
move lunch with Petra to friday 12:30 and email her about it | calendar.update {"changes":{"start":"2026-05-08T12:30"},"target":{"pick":"one","summary_is":"Lunch with Petra"}} + email.send {"body":"I am moving lunch with Petra to friday 12:30.","subject":"Lunch with Petra","to":["Petra"]}
move the regatta briefing to friday at 10 and let Kim know | calendar.update {"changes":{"start":"2026-05-08T10:00"},"target":{"pick":"one","summary_is":"Regatta briefing"}} + email.send {"body":"I am moving the regatta briefing to friday at 10.","subject":"Regatta briefing","to":["Kim"]}
move the sail check to friday at 9 and tell the attendees it is earlier | calendar.update {"changes":{"start":"2026-05-08T09:00"},"target":{"pick":"one","summary_is":"Sail check"}} + calendar.list {"ids":[{"$from":"s1","path":"/ids/0"}]} + email.send {"body":"It is earlier.","to":[{"$from":"s2","path":"/people"}]}
cancel all my meetings on monday and tell the guests I'm ill | calendar.list {"from":"2026-05-11","to":"2026-05-12"} + calendar.delete {"target":{"from":"2026-05-11","pick":"all","to":"2026-05-12"}} + email.send {"body":"I'm ill.","to":[{"$from":"s2","path":"/people"}]}
cancel the sail check and let everyone know I'm ill | calendar.delete {"target":{"pick":"one","summary_is":"Sail check"}} + email.send {"body":"I'm ill.","to":[{"$from":"s1","path":"/items/0/people"}]}
tell the participants of the regatta briefing that we start late | calendar.list {"from":"2026-05-06T10:00","order":"start","pick":"first","summary_is":"Regatta briefing"} + email.send {"body":"We start late.","to":[{"$from":"s1","path":"/people"}]}
delete all done tasks and tell me what's left | task.delete {"target":{"pick":"all","status":"done"}} + task.list {"ask":"list"}
cancel my meetings tomorrow and show me what's left | calendar.delete {"target":{"from":"2026-05-07","pick":"all","to":"2026-05-08"}} + calendar.list {"ask":"list","from":"2026-05-07","to":"2026-05-08"}
find a free hour tomorrow afternoon and book a call with Kim | calendar.free {"ask":"slots","duration_minutes":60,"from":"2026-05-07T12:00","hours":"any","to":"2026-05-07T18:00"} + calendar.create {"duration_minutes":60,"people":["Kim"],"start":{"$from":"s1","path":"/first/start"},"summary":"Call with Kim"}
find me 30 minutes on friday and schedule a call with Will | calendar.free {"ask":"slots","duration_minutes":30,"from":"2026-05-08","to":"2026-05-09"} + calendar.create {"duration_minutes":30,"people":["Will"],"start":{"$from":"s1","path":"/first/start"},"summary":"Call with Will"}
reply to Ana that the sailmaker comes on Friday at 10 and put it in my calendar | email.reply {"body":"The sailmaker comes on Friday at 10.","target":{"from":["Ana"],"order":"-date","pick":"first"}} + calendar.create {"start":"2026-05-08T10:00","summary":"Sailmaker comes"}
tell Will I'm at the gate and remind me at 6pm to call him back | email.send {"body":"I'm at the gate.","to":["Will"]} + task.create {"due":"2026-05-06T18:00","title":"Call Will back"}
"#,
    );
}

#[test]
fn a_day_said_once_is_for_all() {
    check(
        r#"
coffee with Kim at 10 and lunch with Will at 12 tomorrow | calendar.create {"people":["Kim"],"start":"2026-05-07T10:00","summary":"Coffee with Kim"} + calendar.create {"people":["Will"],"start":"2026-05-07T12:00","summary":"Lunch with Will"}
tomorrow coffee with Kim at 10 and lunch with Will at 12 | calendar.create {"people":["Kim"],"start":"2026-05-07T10:00","summary":"Coffee with Kim"} + calendar.create {"people":["Will"],"start":"2026-05-07T12:00","summary":"Lunch with Will"}
add a swim at 7am, rowing at 9am and dinner with Petra at 7pm on friday | calendar.create {"start":"2026-05-08T07:00","summary":"Swim"} + calendar.create {"start":"2026-05-08T09:00","summary":"Rowing"} + calendar.create {"people":["Petra"],"start":"2026-05-08T19:00","summary":"Dinner with Petra"}
remind me at 5pm to feed the cat and book lunch with Kim tomorrow at 1pm | task.create {"due":"2026-05-06T17:00","title":"Feed the cat"} + calendar.create {"people":["Kim"],"start":"2026-05-07T13:00","summary":"Lunch with Kim"}
remind me on thursday to call Ana and on friday to call Will | task.create {"due":"2026-05-07","remind_at":"2026-05-07T09:00","title":"Call Ana"} + task.create {"due":"2026-05-08","remind_at":"2026-05-08T09:00","title":"Call Will"}
"#,
    );
}

/// "But keep today's" and the second of two exceptions were read as further requests: what was to stay would have gone.
#[test]
fn what_is_to_stay_is_no_further_request() {
    check(
        r#"
archive everything from Ana but keep today's | email.archive {"target":{"except":[{"since":"2026-05-06","until":"2026-05-07"}],"from":["Ana"],"pick":"all"}}
delete all mails from Kim but leave the one about the mast |
archive all mails from Will but not the unread ones, please | email.archive {"target":{"except":[{"unread":true}],"from":["Will"],"pick":"all"}}
cancel everything tomorrow except the sail check and the regatta briefing |
cancel all my meetings on friday apart from lunch and the regatta briefing |
"#,
    );
}

#[test]
fn what_counts_and_how_long_it_has_been_decide() {
    check(
        r#"
if I have at least 4 meetings on friday, cancel the first one | calendar.list {"ask":"count","from":"2026-05-08","to":"2026-05-09"} + (ge s1/total 4) calendar.delete {"target":{"from":"2026-05-08","order":"start","pick":"first","to":"2026-05-09"}}
do I have more than two meetings on friday? if not, book a swim on friday at 5pm | calendar.list {"ask":"count","from":"2026-05-08","to":"2026-05-09"} + (le s1/total 2) calendar.create {"start":"2026-05-08T17:00","summary":"Swim"}
if it's been more than two weeks since I met Will, set up a call with him on friday at 3pm | calendar.list {"ask":"any","from":"2026-04-22T10:00","person":["Will"],"to":"2026-05-06T10:00"} + (empty s1/ids) calendar.create {"people":["Will"],"start":"2026-05-08T15:00","summary":"Call with Will"}
I haven't met with Kim in a while. If it's been longer than 3 days can you send them an email titled 'Lunch?' saying 'Are you free?' | calendar.list {"ask":"any","from":"2026-05-03T10:00","person":["Kim"],"to":"2026-05-06T10:00"} + (empty s1/ids) email.send {"body":"Are you free?","subject":"Lunch?","to":["Kim"]}
can't remember the last time I met with Ana. Can you check if it's been over 2 days? If so, email her saying 'Coffee?' | calendar.list {"ask":"any","from":"2026-05-04T10:00","person":["Ana"],"to":"2026-05-06T10:00"} + (empty s1/ids) email.send {"body":"Coffee?","to":["Ana"]}
if Petra and I have no meetings next week, book a call with her on monday at 9am | calendar.list {"ask":"any","from":"2026-05-11","person":["Petra"],"to":"2026-05-18"} + (empty s1/ids) calendar.create {"people":["Petra"],"start":"2026-05-11T09:00","summary":"Call with Petra"}
if it's been longer than a week, email them |
"#,
    );
}

#[test]
fn what_one_thing_is_decides() {
    check(
        r#"
if my first meeting on friday is before 9, move it to 9:30 | calendar.list {"from":"2026-05-08","order":"start","pick":"first","to":"2026-05-09"} + calendar.list {"ask":"any","ids":{"$from":"s1","path":"/ids"},"starts_before":"09:00"} + (not_empty s2/ids) calendar.update {"changes":{"time":"09:30"},"target":{"ids":{"$from":"s2","path":"/ids"},"pick":"one"}}
if the sail check is longer than an hour, shorten it to 45 minutes | calendar.list {"from":"2026-05-06T10:00","summary_is":"Sail check"} + calendar.list {"ask":"any","ids":{"$from":"s1","path":"/ids"},"min_minutes":61} + (not_empty s2/ids) calendar.update {"changes":{"duration_minutes":45},"target":{"ids":{"$from":"s2","path":"/ids"},"pick":"one"}}
if my 4pm tomorrow is with Kim, cancel it | calendar.list {"from":"2026-05-07T16:00","starts_from":true,"to":"2026-05-07T16:01"} + calendar.list {"ask":"any","ids":{"$from":"s1","path":"/ids"},"person":["Kim"]} + (not_empty s2/ids) calendar.delete {"target":{"ids":{"$from":"s2","path":"/ids"},"pick":"one"}}
if the email from Ana about the mast is unread, forward it to Will | email.search {"from":["Ana"],"text":"mast"} + email.search {"ask":"any","ids":{"$from":"s1","path":"/ids"},"unread":true} + (not_empty s2/ids) email.forward {"target":{"ids":{"$from":"s2","path":"/ids"},"pick":"one"},"to":["Will"]}
if the sea is calm, book a sail on friday at 3pm |
"#,
    );
}

#[test]
fn a_plan_is_called_by_what_was_asked() {
    for (text, title) in [
        (
            "what's on Friday and what's on Monday?",
            "What's on Friday; what's on Monday",
        ),
        ("do I have anything tomorrow", "Do I have anything tomorrow"),
        (
            "cancel the tasting tomorrow and show me my meetings on Friday",
            "Delete the tasting tomorrow; show me my meetings on Friday",
        ),
    ] {
        let around = crate::fixture::MessageContext::new();
        let read = super::super::decide::plan(&around.utterance(text));
        let Some(adjutant_domain::reading::Reading::Plan { plan, .. }) = read else {
            panic!("{text} is not read");
        };
        assert_eq!(plan.request, title);
    }
}

#[test]
fn several_things_are_one_request_each() {
    check(
        r#"
cancel the regatta briefing and the sail check tomorrow | calendar.delete {"target":{"from":"2026-05-07","pick":"one","summary_is":"Regatta briefing","to":"2026-05-08"}} + calendar.delete {"target":{"from":"2026-05-07","pick":"one","summary_is":"Sail check","to":"2026-05-08"}}
move the regatta briefing and the sail check to friday at 3pm | calendar.update {"changes":{"start":"2026-05-08T15:00"},"target":{"pick":"one","summary_is":"Regatta briefing"}} + calendar.update {"changes":{"start":"2026-05-08T15:00"},"target":{"pick":"one","summary_is":"Sail check"}}
swap my 10am and my 2pm tomorrow | calendar.list {"from":"2026-05-07T10:00","order":"start","pick":"one","starts_from":true,"to":"2026-05-07T10:01"} + calendar.list {"from":"2026-05-07T14:00","order":"start","pick":"one","starts_from":true,"to":"2026-05-07T14:01"} + calendar.update {"changes":{"start":{"$from":"s2","path":"/items/0/start"}},"id":{"$from":"s1","path":"/ids/0"}} + calendar.update {"changes":{"start":{"$from":"s1","path":"/items/0/start"}},"id":{"$from":"s2","path":"/ids/0"}}
move the sail check to my first free slot on friday | calendar.list {"from":"2026-05-06T10:00","order":"start","pick":"one","summary_is":"Sail check"} + calendar.free {"ask":"slots","duration_minutes":{"$from":"s1","path":"/items/0/minutes"},"from":"2026-05-08","pick":"first","to":"2026-05-09"} + calendar.update {"changes":{"start":{"$from":"s2","path":"/first/start"}},"id":{"$from":"s1","path":"/ids/0"}}
add Ana to the sail check and remove Will | calendar.update {"changes":{"add_people":["Ana"]},"target":{"pick":"one","summary_is":"Sail check"}} + calendar.update {"changes":{"remove_people":["Will"]},"ids":{"$from":"s1","path":"/ids"}}
"#,
    );
}

#[test]
fn one_is_made_for_each() {
    check(
        r#"
set a reminder an hour before each of my meetings on friday | calendar.list {"from":"2026-05-08","order":"start","to":"2026-05-09"} + task.create {"due":{"$item":"/start","shift_minutes":-60},"title":{"$item":"/summary"}} each s1/items
remind me the day before every birthday this month | contact.find {"ask":"birthday","birthday_from":"2026-05-06","birthday_to":"2026-06-01"} + task.create {"due":{"$item":"/next_birthday/start","shift_minutes":-1440},"title":{"$item":"/next_birthday/summary"}} each s1/items
remind me two days before Petra's birthday to buy flowers | contact.find {"ask":"birthday","name":"Petra"} + task.create {"due":{"$from":"s1","path":"/items/0/next_birthday/start","shift_minutes":-2880},"title":"Buy flowers"}
create a task for every unread email from Kim | email.search {"from":["Kim"],"unread":true} + task.create {"title":{"$item":"/subject"}} each s1/items
turn the last email from Will into a task | email.search {"from":["Will"],"order":"-date","pick":"first"} + task.create {"title":{"$from":"s1","path":"/items/0/subject"}}
"#,
    );
}

#[test]
fn it_and_one_are_what_was_spoken_of() {
    check(
        r#"
if I'm free on friday at noon, schedule lunch with Kim; otherwise schedule it for monday at noon | calendar.free {"ask":"free","from":"2026-05-08T12:00","hours":"any","to":"2026-05-08T12:30"} + (eq s1/is_free true) calendar.create {"people":["Kim"],"start":"2026-05-08T12:00","summary":"Lunch with Kim"} + (ne s1/is_free true) calendar.create {"people":["Kim"],"start":"2026-05-11T12:00","summary":"Lunch with Kim"}
unless I have a meeting with Ana this week, set one up for friday at 2pm | calendar.list {"ask":"any","from":"2026-05-04","person":["Ana"],"to":"2026-05-11"} + (empty s1/ids) calendar.create {"people":["Ana"],"start":"2026-05-08T14:00","summary":"Meeting with Ana"}
if I haven't seen Will in over two weeks, set up a coffee with him on thursday at 9am | calendar.list {"ask":"any","from":"2026-04-22T10:00","person":["Will"],"to":"2026-05-06T10:00"} + (empty s1/ids) calendar.create {"people":["Will"],"start":"2026-05-07T09:00","summary":"Coffee with Will"}
if I haven't got any meetings on may 19, schedule an event called 'Focus' at 1pm that day | calendar.list {"ask":"any","from":"2026-05-19","to":"2026-05-20"} + (empty s1/ids) calendar.create {"start":"2026-05-19T13:00","summary":"Focus"}
find me an hour tomorrow for a run and book it | calendar.free {"ask":"slots","duration_minutes":60,"from":"2026-05-07","pick":"first","to":"2026-05-08"} + calendar.create {"duration_minutes":60,"start":{"$from":"s1","path":"/first/start"},"summary":"Run"}
put it in my calendar for friday at 3pm |
"#,
    );
}
