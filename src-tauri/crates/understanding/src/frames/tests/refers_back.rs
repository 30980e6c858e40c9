//! Requests whose second part refers back to the first, and wordings that hide a request behind politeness.

use adjutant_domain::mentioned_name::MentionedName;
use adjutant_domain::reading::{Planner as _, Reading, Router as _, Utterance};
use adjutant_domain::record::Kind;

use crate::Embedded;
use crate::fixture::{MessageContext, named, rendered};

/// Reads a message of somebody who has an event, two tasks and a mail.
fn read(text: &str) -> Reading {
    let mut around = MessageContext::new();
    for name in ["Ana Ruiz", "Ben Ode"] {
        around.directive(&format!("person {name}"));
    }
    let names: Vec<MentionedName> = [
        (Kind::Event, "Parent evening"),
        (Kind::Event, "Review with Ana"),
        (Kind::Task, "Cancel gym membership"),
        (Kind::Task, "Return library books"),
    ]
    .iter()
    .map(|(kind, label)| named(*kind, label, label))
    .collect();
    let names = names.as_slice();
    let said = Utterance {
        names,
        ..around.utterance(text)
    };
    Embedded.plan(&said, &Embedded.route(&said))
}

/// Checks that each message becomes its steps, " + " between them.
fn check(table: &str) {
    let mut wrong = Vec::new();
    for row in table.trim().lines() {
        let (text, wanted) = row.split_once(" | ").expect("a row");
        let got = rendered(&read(text));
        let got: Vec<&str> = got.lines().map(str::trim).collect();
        let got = got.join(" + ");
        if got != wanted {
            wrong.push(format!("{text} | {got}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn the_second_part_means_the_thing_of_the_first() {
    check(
        r#"
cancel the review with Ana and add it next Tuesday same time | calendar.update {"changes":{"start":"2026-03-17"},"target":{"pick":"one","summary_is":"Review with Ana"}}
cancel the review with Ana and schedule a new one for Friday at 10 | calendar.delete {"target":{"pick":"one","summary_is":"Review with Ana"}} + calendar.create {"people":["Ana"],"start":"2026-03-13T10:00:00","summary":"Review with Ana"}
drop the review with Ana and put a new one on Friday at 10 | calendar.delete {"target":{"pick":"one","summary_is":"Review with Ana"}} + calendar.create {"people":["Ana"],"start":"2026-03-13T10:00:00","summary":"Review with Ana"}
delete the gym task and the library one | task.delete {"target":{"pick":"one","text":"gym"}} + task.delete {"target":{"pick":"one","text":"library"}}
find Ana's mail about the lease, star it and remind me tomorrow to answer it | email.search {"ask":"list","from":["Ana"],"text":"lease"} + email.mark {"starred":true,"target":{"ids":{"$from":"s1","path":"/ids"},"pick":"one"}} + task.create {"due":"2026-03-12","remind_at":"2026-03-12T09:00:00","title":"Answer Ana's mail about the lease"}
move the parent evening to Saturday 11 and set a reminder an hour before | calendar.update {"changes":{"start":"2026-03-14T11:00:00"},"target":{"pick":"one","summary_is":"Parent evening"}} + task.create {"due":{"$from":"s1","path":"/items/0/start","shift_minutes":-60},"title":{"$from":"s1","path":"/items/0/summary"}}
add Ben to the review with Ana and set the location to Room 7 | calendar.update {"changes":{"add_people":["Ben"]},"target":{"pick":"one","summary_is":"Review with Ana"}} + calendar.update {"changes":{"location":"Room 7"},"ids":{"$from":"s1","path":"/ids"}}
take Ana off the parent evening and put Ben on it instead | calendar.update {"changes":{"add_people":["Ben"],"remove_people":["Ana"]},"target":{"pick":"one","summary_is":"Parent evening"}}
find me 90 minutes on Friday morning and block them for board prep | calendar.free {"ask":"slots","duration_minutes":90,"from":"2026-03-13T06:00:00","pick":"first","to":"2026-03-13T12:00:00"} + calendar.create {"duration_minutes":90,"start":{"$from":"s1","path":"/first/start"},"summary":"Board prep"}
"#,
    );
}

/// "Put the parent evening at 7" may move it, and a note that contains a request for a reminder may be two requests.
#[test]
fn what_may_be_another_request_is_a_guess() {
    for (text, guessed) in [
        ("put the parent evening at 7pm", true),
        ("put a parent evening at 7pm", false),
        (
            "make a note of the wifi password and remind me about it tonight",
            true,
        ),
        ("make a note of the wifi password and the door code", false),
    ] {
        let Reading::Plan { plan, .. } = read(text) else {
            panic!("{text} is not read");
        };
        assert_eq!(plan.steps[0].guessed, guessed, "{text}");
    }
}

#[test]
fn polite_and_formal_wordings_are_read() {
    check(
        r#"
I should like to be reminded on the 30th to ring the restaurant | task.create {"due":"2026-03-30","remind_at":"2026-03-30T09:00:00","title":"Ring the restaurant"}
should I have nothing planned on Sunday, enter a swim at eleven | calendar.free {"ask":"free","from":"2026-03-15","hours":"any","to":"2026-03-16"} + calendar.create {"start":"2026-03-15T11:00:00","summary":"Swim"} when eq(s1/is_free, true)
what's Ana's email, and when do I speak with her next? | contact.find {"ask":"email","name":"Ana"} + calendar.list {"ask":"when","from":"2026-03-11T09:30:00","order":"start","person":["Ana"],"pick":"first","starts_from":true}
how many of my open tasks have high priority? | task.list {"ask":"count","priority":"high","status":"open"}
which of my unread mails is the oldest? | email.search {"ask":"list","order":"date","pick":"first","unread":true}
I don't suppose you could ring me a taxi for six? | ! I can't book, order or buy anything outside this computer. I can
perhaps you'd be kind enough to drop the mail from Ana into the bin | email.delete {"target":{"from":["Ana"],"pick":"one"}}
kindly let me know at which address my lunch with Ana takes place | calendar.list {"ask":"where","person":["Ana"],"pick":"first","text":"lunch"}
please compose a draft to Ana stating that I shall be late | email.draft {"body":"I shall be late.","to":["Ana"]}
on which weekday does the fifteenth of June fall this year? | calc.evaluate {"text":"on which weekday does the fifteenth of June fall this year?"}
"#,
    );
}
