//! Questions about the calendar, free time and lists of tasks, each with the call it becomes.

use adjutant_domain::reading::Reading;

use super::calendar::{check, read, steps};

#[test]
fn events_are_told_by_what_is_said_of_them() {
    check(
        r#"
what's the earliest call I have next week | calendar.list | {"ask":"list","from":"2026-05-11","order":"start","pick":"first","to":"2026-05-18"}
which appointments did I attend last week | calendar.list | {"ask":"list","from":"2026-04-27","to":"2026-05-04"}
which of my calls this week are longer than 45 minutes | calendar.list | {"ask":"list","from":"2026-05-04","min_minutes":46,"to":"2026-05-11"}
show meetings under half an hour tomorrow | calendar.list | {"ask":"list","from":"2026-05-07","max_minutes":29,"to":"2026-05-08"}
show me Friday's calls without Ana | calendar.list | {"ask":"list","except":[{"person":["Ana"]}],"from":"2026-05-08","to":"2026-05-09"}
is there anything on Sunday that isn't the regatta | calendar.list | {"ask":"any","except":[{"text":"regatta"}],"from":"2026-05-10","to":"2026-05-11"}
do any of my meetings overlap tomorrow | calendar.list | {"ask":"any","from":"2026-05-07","overlapping":true,"to":"2026-05-08"}
what is my third appointment on Monday | calendar.list | {"ask":"list","from":"2026-05-11","order":"start","pick":{"nth":3},"to":"2026-05-12"}
show my next two calls | calendar.list | {"ask":"list","from":"2026-05-06T09:30:00Z","limit":2,"order":"start","pick":"all","starts_from":true}
what is the longest meeting tomorrow | calendar.list | {"ask":"longest","from":"2026-05-07","order":"-duration","pick":"first","to":"2026-05-08"}
do I have more than four calls on Friday | calendar.list | {"ask":"count","from":"2026-05-08","to":"2026-05-09"}
what's the total length of my meetings tomorrow | calendar.list | {"ask":"total","from":"2026-05-07","to":"2026-05-08"}
when's my next thing with Petra | calendar.list | {"ask":"when","from":"2026-05-06T09:30:00Z","order":"start","person":["Petra"],"pick":"first","starts_from":true}
is Will coming to the harvest dinner | calendar.list | {"ask":"any","person":["Will"],"pick":"first","text":"harvest dinner"}
who am I having breakfast with tomorrow | calendar.list | {"ask":"who","from":"2026-05-07","pick":"first","text":"breakfast","to":"2026-05-08"}
when was the last time Kim and I met | calendar.list | {"ask":"when","order":"-start","person":["Kim"],"pick":"first","to":"2026-05-06T09:30:00Z"}
calls with Ana or Petra tomorrow | calendar.list | {"ask":"list","from":"2026-05-07","person":["Ana","Petra"],"to":"2026-05-08"}
tomorrow's appointments | calendar.list | {"ask":"list","from":"2026-05-07","to":"2026-05-08"}
next appt? | calendar.list | {"ask":"list","from":"2026-05-06T09:30:00Z","order":"start","pick":"first","starts_from":true}
when will I be done on Friday | calendar.list | {"ask":"when","from":"2026-05-08","order":"-start","pick":"first","to":"2026-05-09"}
when does my day start | calendar.list | {"ask":"when","from":"2026-05-06","order":"start","pick":"first","to":"2026-05-07"}
"#,
    );
}

#[test]
fn times_of_a_question_are_put_together() {
    check(
        r#"
what's on from Monday to Wednesday | calendar.list | {"ask":"list","from":"2026-05-11","to":"2026-05-14"}
do I have calls on Monday or Tuesday | calendar.list | {"ask":"any","from":"2026-05-11","to":"2026-05-13"}
show my meetings on Monday and Thursday | calendar.list | {"ask":"list","from":"2026-05-07","to":"2026-05-12","weekdays":["thursday","monday"]}
show my meetings in May and June | calendar.list | {"ask":"list","from":"2026-05-01","to":"2026-07-01"}
how many meetings do I have in March and May | calendar.list | {"ask":"count","from":"2026-05-01","to":"2026-06-01"}
show my meetings in June and July | calendar.list | {"ask":"list","from":"2026-06-01","to":"2026-08-01"}
what do I have after lunch tomorrow | calendar.list | {"ask":"list","from":"2026-05-07T14:00:00Z","to":"2026-05-08"}
cancel the rehearsal on Monday and Wednesday | calendar.delete | {"target":{"from":"2026-05-11","pick":"all","text":"rehearsal","to":"2026-05-14","weekdays":["monday","wednesday"]}}
delete my second call tomorrow | calendar.delete | {"target":{"from":"2026-05-07","order":"start","pick":{"nth":2},"to":"2026-05-08"}}
"#,
    );
}

#[test]
fn a_question_may_be_asked_indirectly() {
    check(
        r#"
I'm free on Friday, right? | calendar.free | {"ask":"free","from":"2026-05-08","hours":"any","to":"2026-05-09"}
I have a meeting with Will tomorrow, right? | calendar.list | {"ask":"any","from":"2026-05-07","person":["Will"],"to":"2026-05-08"}
I'd like to know when the regatta ends | calendar.list | {"ask":"when","pick":"first","text":"regatta"}
could you find out what time my call with Kim starts tomorrow | calendar.list | {"ask":"when","from":"2026-05-07","person":["Kim"],"pick":"first","to":"2026-05-08"}
Good evening. Can you tell me what I have on Friday morning? | calendar.list | {"ask":"list","from":"2026-05-08T06:00:00Z","to":"2026-05-08T12:00:00Z"}
tell me if I have anything with Petra this week | calendar.list | {"ask":"any","from":"2026-05-04","person":["Petra"],"to":"2026-05-11"}
"#,
    );
    let both = steps("when's the regatta and who is coming");
    assert_eq!(both.len(), 2, "{both:?}");
    assert_eq!(both[1].args["ids"]["$from"], "s1");
    assert_eq!(both[1].args["ask"], "who");
}

#[test]
fn free_time_is_looked_for_as_it_is_called() {
    check(
        r#"
is there a free hour on Friday morning | calendar.free | {"ask":"slots","duration_minutes":60,"from":"2026-05-08T06:00:00Z","hours":"any","to":"2026-05-08T12:00:00Z"}
when's my first free half hour tomorrow | calendar.free | {"ask":"slots","duration_minutes":30,"from":"2026-05-07","pick":"first","to":"2026-05-08"}
is there a gap of at least two hours in my day tomorrow | calendar.free | {"ask":"slots","duration_minutes":120,"from":"2026-05-07","to":"2026-05-08"}
are there any gaps between my calls on Friday | calendar.free | {"ask":"slots","from":"2026-05-08","to":"2026-05-09"}
what's the earliest I could meet tomorrow | calendar.free | {"ask":"slots","from":"2026-05-07","pick":"first","to":"2026-05-08"}
free tomorrow? | calendar.free | {"ask":"free","from":"2026-05-07","hours":"any","to":"2026-05-08"}
when is my next free afternoon | calendar.free | {"ask":"slots","from":"2026-05-06T09:30:00Z","part_of_day":"afternoon","pick":"first","to":"2026-05-13T09:30:00Z"}
is my calendar empty on Sunday | calendar.free | {"ask":"free","from":"2026-05-10","hours":"any","to":"2026-05-11"}
"#,
    );
}

#[test]
fn lists_of_tasks_are_narrowed_and_ordered() {
    check(
        r#"
which of my tasks are urgent and due before Friday | task.list | {"ask":"list","due_from":"2026-05-06","due_to":"2026-05-08","priority":"high"}
what did I have to do on Monday | task.list | {"ask":"list","due_from":"2026-05-04","due_to":"2026-05-05"}
what is my most urgent task | task.list | {"ask":"list","order":"-priority","pick":"first"}
what are my top five tasks | task.list | {"ask":"list","limit":5,"order":"-priority","pick":"all"}
list my tasks sorted by priority | task.list | {"ask":"list","order":"-priority"}
which of my tasks are overdue and high priority | task.list | {"ask":"list","overdue":true,"priority":"high"}
show tasks without a deadline that are urgent | task.list | {"ask":"list","has_due":false,"priority":"high"}
show me tasks with the word gutter | task.list | {"ask":"list","text":"gutter"}
list everything on my to-do list | task.list | {"ask":"list"}
show everything I have to do before Friday | task.list | {"ask":"list","due_from":"2026-05-06","due_to":"2026-05-08"}
show completed tasks from yesterday | task.list | {"ask":"list","completed_from":"2026-05-05","completed_to":"2026-05-06","status":"done"}
how many tasks do I have left this week | task.list | {"ask":"count","due_from":"2026-05-04","due_to":"2026-05-11"}
"#,
    );
}

#[test]
fn what_nobody_here_knows_is_said_so() {
    for (text, told) in [
        (
            "do I have back-to-back calls tomorrow",
            "follow each other directly",
        ),
        (
            "are any of my calls tomorrow back to back",
            "follow each other directly",
        ),
    ] {
        let read = read(text);
        assert!(
            matches!(&read, Some(Reading::NotUnderstood { text, .. }) if text.contains(told)),
            "{text}: {read:?}"
        );
    }
}

#[test]
fn words_of_the_grammar_are_no_names() {
    for text in [
        "cancel two meetings tomorrow",
        "what is 3pm in Tokyo here",
        "what is the second appointment",
        "where is Bruno from?",
        "is the regatta on the 19th of",
        "delete everything in the cellar",
        "show my meetings on Monday and in June",
    ] {
        let planned = matches!(read(text), Some(Reading::Plan { .. }));
        assert!(!planned, "{text}: {:?}", read(text));
    }
}
