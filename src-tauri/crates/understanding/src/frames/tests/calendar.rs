//! Requests about the calendar, tasks and sums, each with the call it becomes.

use adjutant_domain::focus::Focus;
use adjutant_domain::mentioned_name::MentionedName;
use adjutant_domain::moment::Moment;
use adjutant_domain::plan::StepDraft;
use adjutant_domain::reading::{Reading, Utterance};
use adjutant_domain::record::Kind;
use adjutant_domain::settings::Settings;
use adjutant_domain::tool::ToolSpec;
use serde_json::{Map, Value, json};

use super::super::decide::plan;
use crate::fixture::named;

/// What narrows events.
const EVENTS: &str = "all_day:yes ask:text except:list from:moment ids:list limit:number max_minutes:number min_minutes:number to:moment location:text order:text overlapping:yes person:people \
    pick:text recurring:yes starts_after:text starts_before:text starts_from:yes summary_is:text text:text weekdays:list";
/// What narrows tasks.
const TASKS: &str = "ask:text limit:number completed_from:moment completed_to:moment due_from:moment due_to:moment has_due:yes order:text \
    overdue:yes pick:text priority:text status:text text:text title_is:text";

/// The fields of a schema, each said as `name:type`.
fn fields(list: &str) -> Map<String, Value> {
    let field = |field: &str| {
        let (name, kind) = field.split_once(':').expect("a field with its type");
        let schema = match kind {
            "moment" => json!({"$ref": "#/$defs/Moment"}),
            "people" => json!({"$ref": "#/$defs/People"}),
            "events" => json!({"type": "object", "properties": fields(EVENTS)}),
            "tasks" => json!({"type": "object", "properties": fields(TASKS)}),
            "event" => json!({"type": "object", "properties": fields(
                "summary:text start:moment end:moment time:text shift_minutes:number shift_days:number duration_minutes:number \
                 extend_minutes:number location:text description:text add_people:people remove_people:people rrule:text")}),
            "task" => json!({"type": "object", "properties": fields(
                "title:text due:moment due_time:text shift_days:number shift_minutes:number priority:text reopen:yes")}),
            "number" => json!({"type": "integer"}),
            "yes" => json!({"type": "boolean"}),
            "list" => json!({"type": "array"}),
            _ => json!({"type": "string"}),
        };
        (name.to_owned(), schema)
    };
    list.split_whitespace().map(field).collect()
}

fn tools() -> Vec<ToolSpec> {
    let tool = |(name, list): &(&str, &str)| {
        let spec = json!({
            "name": name, "domain": "calendar", "description": "", "risk": "read", "phrases": [], "participle": "done",
            "schema": {"type": "object", "properties": fields(list), "$defs": {
                "People": {"type": "array", "items": {"type": "string"}}, "Moment": {"type": "string"},
            }},
        });
        serde_json::from_value(spec).expect("a tool")
    };
    [
        ("calendar.list", EVENTS),
        (
            "calendar.create",
            "summary:text start:moment end:moment duration_minutes:number people:people location:text all_day:yes rrule:text calendar:text",
        ),
        ("calendar.update", "id:text target:events changes:event"),
        ("calendar.delete", "id:text target:events"),
        (
            "calendar.free",
            "from:moment to:moment duration_minutes:number part_of_day:text pick:text hours:text ask:text",
        ),
        ("task.list", TASKS),
        (
            "task.create",
            "title:text due:moment remind_at:moment priority:text rrule:text",
        ),
        ("task.update", "id:text target:tasks changes:task"),
        ("task.complete", "id:text target:tasks"),
        ("task.delete", "id:text target:tasks"),
        ("calc.evaluate", "text:text from:moment to:moment unit:text"),
    ]
    .iter()
    .map(tool)
    .collect()
}

/// How a message is read on a Wednesday at half past nine, with three events and a task that have names.
pub(super) fn read(text: &str) -> Option<Reading> {
    let now: jiff::Zoned = "2026-05-06T09:30:00+02:00[Europe/Paris]"
        .parse()
        .expect("a time");
    let people: Vec<(String, Vec<String>)> = ["Ana Ruiz", "Will Kent", "Kim Soto", "Petra Lang"]
        .iter()
        .map(|name| ((*name).to_owned(), Vec::new()))
        .collect();
    let names = [
        (Kind::Event, "Harbour tour"),
        (Kind::Event, "Sail repair"),
        (Kind::Event, "Quarterly crew review"),
        (Kind::Task, "Paint the fence"),
    ];
    let names = names.map(|(kind, label)| MentionedName {
        when: Some(Moment::Day("2026-05-08".parse().expect("a day"))),
        ..named(kind, label, label)
    });
    let mentioned: Vec<MentionedName> = names
        .into_iter()
        .filter(|name| {
            let first = name.label.split(' ').next_back().unwrap_or("");
            text.to_lowercase().contains(first)
        })
        .collect();
    plan(&Utterance {
        text,
        now: &now,
        settings: &Settings::default(),
        focus: &Focus::default(),
        history: &[],
        people: &people,
        roles: &[],
        names: &mentioned,
        tools: &tools(),
    })
}

pub(super) fn steps(text: &str) -> Vec<StepDraft> {
    match read(text) {
        Some(Reading::Plan { plan, .. }) => plan.steps,
        _ => Vec::new(),
    }
}

/// Checks that each line's message becomes the call behind it; its last step, where something is looked up first.
pub(super) fn check(table: &str) {
    let mut wrong = Vec::new();
    for line in table.trim().lines() {
        let [text, tool, args] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("no row: {line}");
        };
        let args = args.replace(":00Z", ":00+02:00[Europe/Paris]");
        let args: Value = serde_json::from_str(&args).expect("arguments");
        let made = steps(text);
        let does = made.last().map(|step| (step.tool.as_str(), &step.args));
        if does != Some((tool, &args)) {
            wrong.push(format!("{text}\n  wanted {tool} {args}\n  got    {does:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn events_that_are_new() {
    check(
        r#"
create a 40 minute event called Knots on May 12 at 10am with Kim | calendar.create | {"summary": "Knots", "people": ["Kim"], "duration_minutes": 40, "start": "2026-05-12T10:00:00Z"}
schedule a crew meeting on Friday at 3 with the subject Ropes and invite Will | calendar.create | {"summary": "Ropes", "people": ["Will"], "start": "2026-05-08T15:00:00Z"}
plan tea with Ana on Friday at 4pm and invite Kim too | calendar.create | {"summary": "Tea with Ana", "people": ["Ana", "Kim"], "start": "2026-05-08T16:00:00Z"}
pencil me in for a haircut tomorrow at noon | calendar.create | {"summary": "Haircut", "start": "2026-05-07T12:00:00Z"}
get the roofer on my calendar for Monday at 9am | calendar.create | {"summary": "Roofer", "start": "2026-05-11T09:00:00Z"}
add dentist tomorrow at 9 to my kim@example.com calendar | calendar.create | {"summary": "Dentist", "start": "2026-05-07T09:00:00Z", "calendar": "kim@example.com"}
put choir practice on the Village Hall calendar on Friday at 4pm | calendar.create | {"summary": "Choir practice", "start": "2026-05-08T16:00:00Z", "calendar": "Village Hall"}
add me a rowing lesson tomorrow 6pm | calendar.create | {"summary": "Rowing lesson", "start": "2026-05-07T18:00:00Z"}
schedule a monthly boat check on the 9th at 10am | calendar.create | {"summary": "Boat check", "rrule": "FREQ=MONTHLY", "start": "2026-05-09T10:00:00Z"}
game night on saturday from 8pm till 11pm | calendar.create | {"summary": "Game night", "start": "2026-05-09T20:00:00Z", "end": "2026-05-09T23:00:00Z"}
regatta from June 3 to June 5 | calendar.create | {"summary": "Regatta", "start": "2026-06-03", "end": "2026-06-05"}
set up a call with my boss about the mast tomorrow at 4pm | calendar.create | {"summary": "Call about the mast with my boss", "people": ["boss"], "start": "2026-05-07T16:00:00Z"}
block 9 to 11 for knots | calendar.create | {"summary": "Knots", "start": "2026-05-07T09:00:00Z", "end": "2026-05-07T11:00:00Z"}
block 1 to 3 for knots | calendar.create | {"summary": "Knots", "start": "2026-05-06T13:00:00Z", "end": "2026-05-06T15:00:00Z"}
block out 9am to 11am tomorrow | calendar.create | {"summary": "Busy", "start": "2026-05-07T09:00:00Z", "end": "2026-05-07T11:00:00Z"}
I haven't seen Petra in ages. Schedule a coffee on Friday at 10am | calendar.create | {"summary": "Coffee", "people": ["Petra"], "start": "2026-05-08T10:00:00Z"}
"#,
    );
}

#[test]
fn a_time_that_is_looked_for_is_taken_from_what_is_found() {
    for (text, free) in [
        (
            "book an hour for sums on the first free afternoon next week",
            json!({"duration_minutes": 60, "part_of_day": "afternoon", "pick": "first", "ask": "slots", "from": "2026-05-11", "to": "2026-05-18"}),
        ),
        (
            "book the first free half hour tomorrow for sums",
            json!({"duration_minutes": 30, "pick": "first", "ask": "slots", "from": "2026-05-07", "to": "2026-05-08"}),
        ),
    ] {
        let made = steps(text);
        let [found, made] = made.as_slice() else {
            panic!("{text}: {made:?}");
        };
        assert_eq!((found.tool.as_str(), &found.args), ("calendar.free", &free));
        assert_eq!(
            made.args["start"],
            json!({"$from": found.key.0, "path": "/first/start"})
        );
        assert_eq!(made.args["summary"], "Sums", "{text}");
        assert_eq!(made.needs, std::slice::from_ref(&found.key));
    }
    let made = steps("find a free hour tomorrow and schedule a call with Will");
    assert_eq!(made[1].args["start"]["path"], "/first/start");
    assert_eq!(made[1].args["summary"], "Call with Will");
}

#[test]
fn events_that_change() {
    check(
        r#"
make the harbour tour an hour earlier | calendar.update | {"target": {"summary_is": "Harbour tour", "pick": "one"}, "changes": {"shift_minutes": -60}}
bring the harbour tour forward by 20 minutes | calendar.update | {"target": {"summary_is": "Harbour tour", "pick": "one"}, "changes": {"shift_minutes": -20}}
bring forward the sail repair by 20 minutes | calendar.update | {"target": {"summary_is": "Sail repair", "pick": "one"}, "changes": {"shift_minutes": -20}}
push back the sail repair by 20 minutes | calendar.update | {"target": {"summary_is": "Sail repair", "pick": "one"}, "changes": {"shift_minutes": 20}}
bring my meeting with Will on Monday forward to 9 | calendar.update | {"target": {"person": ["Will"], "from": "2026-05-11", "to": "2026-05-12", "pick": "one"}, "changes": {"time": "09:00"}}
move my call with Will from Thursday to Friday | calendar.update | {"target": {"person": ["Will"], "from": "2026-05-07", "to": "2026-05-08", "pick": "one"}, "changes": {"start": "2026-05-08"}}
move the sail repair to the same time on Friday | calendar.update | {"target": {"summary_is": "Sail repair", "pick": "one"}, "changes": {"start": "2026-05-08"}}
the sail repair is now at 4 instead of 1 | calendar.update | {"target": {"summary_is": "Sail repair", "pick": "one"}, "changes": {"time": "16:00"}}
move the harbour tour to the same time next week | calendar.update | {"target": {"summary_is": "Harbour tour", "pick": "one"}, "changes": {"start": "2026-05-15"}}
change the sail repair's room to Dock 7 | calendar.update | {"target": {"summary_is": "Sail repair", "pick": "one"}, "changes": {"location": "Dock 7"}}
I'm sick today, cancel all my meetings | calendar.delete | {"target": {"from": "2026-05-06", "to": "2026-05-07", "pick": "all"}}
the sail repair has moved to 1pm | calendar.update | {"target": {"summary_is": "Sail repair", "pick": "one"}, "changes": {"time": "13:00"}}
move tomorrow's 3pm to 4 | calendar.update | {"target": {"from": "2026-05-07T15:00:00Z", "to": "2026-05-07T15:01:00Z", "starts_from": true, "pick": "one"}, "changes": {"time": "16:00"}}
move everything I have friday afternoon to monday | calendar.update | {"target": {"from": "2026-05-08T12:00:00Z", "to": "2026-05-08T18:00:00Z", "pick": "all"}, "changes": {"start": "2026-05-11"}}
rename my longest meeting on Friday to Marathon | calendar.update | {"target": {"from": "2026-05-08", "to": "2026-05-09", "order": "-duration", "pick": "first"}, "changes": {"summary": "Marathon"}}
the harbour tour should be called Boat trip | calendar.update | {"target": {"summary_is": "Harbour tour", "pick": "one"}, "changes": {"summary": "Boat trip"}}
make the harbour tour 15 minutes shorter | calendar.update | {"target": {"summary_is": "Harbour tour", "pick": "one"}, "changes": {"extend_minutes": -15}}
set the length of the harbour tour to 50 minutes | calendar.update | {"target": {"summary_is": "Harbour tour", "pick": "one"}, "changes": {"duration_minutes": 50}}
the harbour tour tomorrow should end at 4pm | calendar.update | {"target": {"summary_is": "Harbour tour", "from": "2026-05-07", "to": "2026-05-08", "pick": "one"}, "changes": {"end": "2026-05-07T16:00:00Z"}}
make the sail repair weekly | calendar.update | {"target": {"summary_is": "Sail repair", "pick": "one"}, "changes": {"rrule": "FREQ=WEEKLY"}}
take Will off the sail repair | calendar.update | {"target": {"summary_is": "Sail repair", "pick": "one"}, "changes": {"remove_people": ["Will"]}}
add Kim and Ana to the harbour tour | calendar.update | {"target": {"summary_is": "Harbour tour", "pick": "one"}, "changes": {"add_people": ["Kim", "Ana"]}}
set the place of the sail repair to Dock 5 | calendar.update | {"target": {"summary_is": "Sail repair", "pick": "one"}, "changes": {"location": "Dock 5"}}
delete all the future quarterly crew review meetings | calendar.delete | {"target": {"summary_is": "Quarterly crew review", "from": "2026-05-06T09:30:00Z", "starts_from": true, "pick": "all"}}
cancel all future meetings with Petra | calendar.delete | {"target": {"person": ["Petra"], "from": "2026-05-06T09:30:00Z", "starts_from": true, "pick": "all"}}
delete all past meetings | calendar.delete | {"target": {"to": "2026-05-06T09:30:00Z", "pick": "all"}}
cancel my 2pm with Will | calendar.delete | {"target": {"person": ["Will"], "from": "2026-05-06T14:00:00Z", "to": "2026-05-06T14:01:00Z", "starts_from": true, "pick": "one"}}
get rid of all events after 6pm on weekdays | calendar.delete | {"target": {"from": "2026-05-06T09:30:00Z", "starts_from": true, "starts_after": "18:00", "weekdays": ["monday", "tuesday", "wednesday", "thursday", "friday"], "pick": "all"}}
cancel all meetings before lunch tomorrow | calendar.delete | {"target": {"from": "2026-05-07", "to": "2026-05-07T12:00:00Z", "pick": "all"}}
clear my friday | calendar.delete | {"target": {"from": "2026-05-08", "to": "2026-05-09", "pick": "all"}}
"#,
    );
}

#[test]
fn what_is_asked_of_the_calendar() {
    check(
        r#"
which meetings did I have on March 2? | calendar.list | {"ask": "list", "from": "2026-03-02", "to": "2026-03-03"}
did I have a meeting with Will on March 3? | calendar.list | {"ask": "any", "person": ["Will"], "from": "2026-03-03", "to": "2026-03-04"}
when's the next time I'm seeing Will | calendar.list | {"ask": "when", "person": ["Will"], "from": "2026-05-06T09:30:00Z", "starts_from": true, "order": "start", "pick": "first"}
when did I last meet Will, and when is the next time | calendar.list | {"ask": "when", "person": ["Will"], "from": "2026-05-06T09:30:00Z", "starts_from": true, "order": "start", "pick": "first"}
how many hours am I in meetings on Thursday? | calendar.list | {"ask": "total", "from": "2026-05-07", "to": "2026-05-08"}
do I have any all-day events in June | calendar.list | {"ask": "any", "all_day": true, "from": "2026-06-01", "to": "2026-07-01"}
do I have any conflicts this week | calendar.list | {"ask": "any", "overlapping": true, "from": "2026-05-04", "to": "2026-05-11"}
when do I finish on Friday? | calendar.list | {"ask": "when", "from": "2026-05-08", "to": "2026-05-09", "order": "-start", "pick": "first"}
when could I meet Will | calendar.free | {"ask": "slots", "from": "2026-05-06T09:30:00Z", "to": "2026-05-13T09:30:00Z"}
do I have time for a 2 hour swim on Friday evening | calendar.free | {"ask": "slots", "duration_minutes": 120, "hours": "any", "from": "2026-05-08T18:00:00Z", "to": "2026-05-08T22:00:00Z"}
"#,
    );
}

#[test]
fn tasks_and_reminders() {
    check(
        r#"
wake me at 7 | task.create | {"title": "Wake up", "due": "2026-05-07T07:00:00Z"}
remind me in the morning to call Will | task.create | {"title": "Call Will", "due": "2026-05-07T09:00:00Z"}
remind me every 3 days to feed the fish | task.create | {"title": "Feed the fish", "due": "2026-05-07", "remind_at": "2026-05-07T09:00:00Z", "rrule": "FREQ=DAILY;INTERVAL=3"}
remind me 2 pay rent on the 1st | task.create | {"title": "Pay rent", "due": "2026-06-01", "remind_at": "2026-06-01T09:00:00Z"}
remind me to call Will before next week | task.create | {"title": "Call Will", "due": "2026-05-10", "remind_at": "2026-05-10T09:00:00Z"}
I mustn't forget to book the kennel before the 20th | task.create | {"title": "Book the kennel", "due": "2026-05-19"}
create a task called "Wax" with due date June 3rd | task.create | {"title": "Wax", "due": "2026-06-03"}
mark everything due today as done | task.complete | {"target": {"due_from": "2026-05-06", "due_to": "2026-05-07", "pick": "all"}}
move the deadline of paint the fence by 3 days | task.update | {"target": {"title_is": "Paint the fence", "pick": "one"}, "changes": {"shift_days": 3}}
make painting the big fence high priority | task.update | {"target": {"text": "paint big fence", "pick": "one"}, "changes": {"priority": "high"}}
reopen the task paint the fence | task.update | {"target": {"title_is": "Paint the fence", "pick": "one"}, "changes": {"reopen": true}}
what tasks are due this week | task.list | {"ask": "list", "due_from": "2026-05-04", "due_to": "2026-05-11"}
what did I get done this week | task.list | {"ask": "list", "status": "done", "completed_from": "2026-05-04", "completed_to": "2026-05-11"}
"#,
    );
}

#[test]
fn sums_dates_and_clocks_are_the_calculators() {
    for text in [
        "what time is it in Tokyo",
        "what's the time in Berlin right now",
        "15% of 84.50",
        "convert 5 kg to pounds",
        "what day is christmas",
        "what's the date next friday",
        "how many days until June 3",
        "what time is it in Tokyo when it's 5pm here?",
    ] {
        let made = steps(text);
        assert_eq!(made.len(), 1, "{text}");
        assert_eq!(made[0].args, json!({ "text": text }), "{text}");
    }
}

#[test]
fn how_long_it_is_between_events() {
    for (text, args) in [
        (
            "how many weeks until the harbour tour starts",
            json!({"to": {"$from": "s1", "path": "/items/0"}, "unit": "weeks"}),
        ),
        (
            "how long until my next meeting",
            json!({"to": {"$from": "s1", "path": "/items/0"}}),
        ),
        (
            "how many days since my last meeting with Will",
            json!({"from": {"$from": "s1", "path": "/items/0"}, "unit": "days"}),
        ),
        (
            "how long do I have between the harbour tour and the sail repair",
            json!({"from": {"$from": "s1", "path": "/items/0"}, "to": {"$from": "s2", "path": "/items/0"}}),
        ),
    ] {
        let made = steps(text);
        let last = made.last().expect(text);
        assert_eq!((last.tool.as_str(), &last.args), ("calc.evaluate", &args));
        assert_eq!(last.needs.len(), made.len() - 1, "{text}");
    }
}

#[test]
fn a_day_that_does_not_exist_is_asked_for() {
    for (text, question) in [
        (
            "lunch with Will on the 31st of april at noon",
            "There is no 31 April. When should “lunch” be?",
        ),
        (
            "remind me to call Will on february 30",
            "There is no 30 February. When should “call Will” be?",
        ),
    ] {
        let made = steps(text);
        let asked = made.last().and_then(|step| step.question.as_ref());
        assert_eq!(asked.map(|asked| asked.text.as_str()), Some(question));
    }
    // What has no verb is an event where it names company and a day; only the hour is asked for.
    let made = steps("supper with Olga next Tuesday");
    let asked = made.last().and_then(|step| step.question.as_ref());
    assert_eq!(
        asked.map(|asked| asked.text.as_str()),
        Some("At what time on Tuesday, 12 May should “supper” be?")
    );
    let made = steps("move the harbour tour to next week");
    assert!(made[0].question.is_some(), "{made:?}");
}

#[test]
fn what_only_the_world_outside_can_do_is_said_so() {
    for text in [
        "book me a flight to Denver",
        "order me a pizza",
        "call me a taxi",
    ] {
        let read = read(text);
        assert!(
            matches!(&read, Some(Reading::NotUnderstood { text, .. }) if text.contains("can't")),
            "{text}: {read:?}"
        );
    }
}

#[test]
fn what_is_no_request_is_left_alone() {
    for text in [
        "dinner was great",
        "standup sucks",
        "weather tomorrow 3pm",
        "delete everything",
        "cancel everything",
        "swap them",
        "how long",
        "24",
    ] {
        // Talk is answered, but nothing is planned.
        let planned = matches!(read(text), Some(Reading::Plan { .. }));
        assert!(!planned, "{text}: {:?}", read(text));
    }
}
