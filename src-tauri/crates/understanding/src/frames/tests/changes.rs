//! Requests that change, delete and answer events, by words of the person's own, each with the call it becomes.

use super::super::decide::plan;
use crate::fixture::{MessageContext, rendered};

/// The steps of a message, said on a Wednesday at half past nine; empty where nothing is planned.
fn steps(text: &str) -> Vec<String> {
    let mut around = MessageContext::new();
    for name in ["Ines Roth", "Paul Weiss", "Mira Sand", "Hugo Stern"] {
        around.directive(&format!("person {name}"));
    }
    let read = plan(&around.utterance(text));
    let lines = read.as_ref().map_or_else(String::new, rendered);
    lines.lines().map(|line| line.trim().to_owned()).collect()
}

/// Checks that each line's message becomes the call behind it.
fn check(table: &str) {
    let mut wrong = Vec::new();
    for line in table.trim().lines() {
        let (text, wanted) = line.split_once(" | ").expect("a row");
        let made = steps(text);
        if made != [wanted] {
            wrong.push(format!("{text}\n  wanted {wanted}\n  got    {made:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn events_that_are_moved_and_resized() {
    check(
        r#"
push back my first call with Mira on March 20 by 40 minutes | calendar.update {"changes":{"shift_minutes":40},"target":{"from":"2026-03-20","order":"start","person":["Mira"],"pick":"first","to":"2026-03-21"}}
my 2pm has to start a quarter of an hour later | calendar.update {"changes":{"shift_minutes":15},"target":{"from":"2026-03-11T14:00:00","pick":"one","starts_from":true,"to":"2026-03-11T14:01:00"}}
could my 11am be pushed back by 20 minutes? | calendar.update {"changes":{"shift_minutes":20},"target":{"from":"2026-03-11T11:00:00","pick":"one","starts_from":true,"to":"2026-03-11T11:01:00"}}
reschedule my meeting with Paul from 2pm to 5pm on Friday | calendar.update {"changes":{"start":"2026-03-13T17:00:00"},"target":{"from":"2026-03-13T14:00:00","person":["Paul"],"pick":"one","starts_from":true,"to":"2026-03-13T14:01:00"}}
move the tasting from Monday to Thursday | calendar.update {"changes":{"start":"2026-03-12"},"target":{"from":"2026-03-16","pick":"one","text":"tasting","to":"2026-03-17"}}
change my next meeting with Ines to be 25 minutes | calendar.update {"changes":{"duration_minutes":25},"target":{"from":"2026-03-11T09:30:00","order":"start","person":["Ines"],"pick":"first","starts_from":true}}
change my next meeting with Ines to 25 minutes | calendar.update {"changes":{"duration_minutes":25},"target":{"from":"2026-03-11T09:30:00","order":"start","person":["Ines"],"pick":"first","starts_from":true}}
trim the tasting to 50 minutes | calendar.update {"changes":{"duration_minutes":50},"target":{"pick":"one","text":"tasting"}}
end the tasting 10 minutes earlier | calendar.update {"changes":{"extend_minutes":-10},"target":{"pick":"one","text":"tasting"}}
change the name of the last event on March 20 to Harvest | calendar.update {"changes":{"summary":"Harvest"},"target":{"from":"2026-03-20","order":"-start","pick":"first","to":"2026-03-21"}}
change the subject of my 2pm meeting to 'Harvest' | calendar.update {"changes":{"summary":"Harvest"},"target":{"from":"2026-03-11T14:00:00","pick":"one","starts_from":true,"to":"2026-03-11T14:01:00"}}
replace Paul with Hugo in the tasting | calendar.update {"changes":{"add_people":["Hugo"],"remove_people":["Paul"]},"target":{"pick":"one","text":"tasting"}}
take Paul off the tasting invite | calendar.update {"changes":{"remove_people":["Paul"]},"target":{"pick":"one","text":"tasting"}}
"#,
    );
}

#[test]
fn events_that_are_cancelled() {
    check(
        r#"
cancel future Tasting meetings | calendar.delete {"target":{"from":"2026-03-11T09:30:00","pick":"all","starts_from":true,"text":"Tasting"}}
cancel my next two meetings with Hugo | calendar.delete {"target":{"from":"2026-03-11T09:30:00","limit":2,"order":"start","person":["Hugo"],"pick":"all","starts_from":true}}
cancel both calls with Mira tomorrow | calendar.delete {"target":{"from":"2026-03-12","person":["Mira"],"pick":{"exactly":2},"to":"2026-03-13"}}
cancel the rest of my meetings today | calendar.delete {"target":{"from":"2026-03-11T09:30:00","pick":"all","starts_from":true,"to":"2026-03-12"}}
delete the third event on Tuesday | calendar.delete {"target":{"from":"2026-03-17","order":"start","pick":{"nth":3},"to":"2026-03-18"}}
delete the event Tasting | calendar.delete {"target":{"pick":"one","text":"Tasting"}}
delete the sync with Ines | calendar.delete {"target":{"person":["Ines"],"pick":"one","text":"sync"}}
cancel everything on Friday except the one with Paul | calendar.delete {"target":{"except":[{"person":["Paul"]}],"from":"2026-03-13","pick":"all","to":"2026-03-14"}}
cancel meetings from 1pm to 4pm tomorrow | calendar.delete {"target":{"from":"2026-03-12T13:00:00","pick":"all","to":"2026-03-12T16:00:00"}}
delete my events on March 20 that start after 2pm | calendar.delete {"target":{"from":"2026-03-20T14:00:00","pick":"all","starts_from":true,"to":"2026-03-21"}}
cancel meetings with Ines or Paul | calendar.delete {"target":{"from":"2026-03-11T09:30:00","person":["Ines","Paul"],"pick":"all","starts_from":true}}
Paul can't make it on Friday, cancel our meeting | calendar.delete {"target":{"from":"2026-03-13","person":["Paul"],"pick":"one","to":"2026-03-14"}}
"#,
    );
    let both = steps("cancel the tasting and the tour tomorrow");
    assert_eq!(both.len(), 2, "{both:?}");
    assert!(
        both.iter().all(|one| one.contains("2026-03-12")),
        "{both:?}"
    );
}

#[test]
fn invitations_that_are_answered() {
    check(
        r#"
accept the invitation from Mira | calendar.respond {"response":"accepted","target":{"person":["Mira"],"pick":"one"}}
decline Hugo's invitation | calendar.respond {"response":"declined","target":{"person":["Hugo"],"pick":"one"}}
say maybe to the tasting | calendar.respond {"response":"tentative","target":{"pick":"one","text":"tasting"}}
accept everything from Ines | calendar.respond {"response":"accepted","target":{"from":"2026-03-11T09:30:00","person":["Ines"],"pick":"all","starts_from":true}}
accept all invitations for next week but the one on Friday | calendar.respond {"response":"accepted","target":{"except":[{"from":"2026-03-13","to":"2026-03-14"}],"from":"2026-03-16","pick":"all","to":"2026-03-23"}}
"#,
    );
}

/// Words that were not understood became words to look for, and the wrong event would have been changed by them.
#[test]
fn nothing_is_changed_by_words_that_were_not_understood() {
    for text in [
        "cancel two meetings tomorrow",
        "cancel one of my meetings tomorrow",
        "cancel the tasting on Thursday, cold feet",
        "cancel whichever meeting overlaps with the tour",
        "cancel the meeting that overlaps with the tour",
        "delete the file with the plan",
        "move all my meetings with Mira to the afternoon",
    ] {
        let made = steps(text);
        let changes = made.iter().any(|step| step.starts_with("calendar."));
        assert!(!changes, "{text}: {made:?}");
    }
}

#[test]
fn a_time_said_with_a_change_means_what_people_mean() {
    check(
        r#"
i handed in the expense report this morning | task.complete {"target":{"pick":"one","text":"expense report"}}
the standup is at 6:30am from now on, change it | calendar.update {"changes":{"time":"06:30"},"scope":"following","target":{"from":"2026-03-11T09:30:00","pick":"one","starts_from":true,"text":"standup"}}
block Friday | calendar.create {"start":"2026-03-13","summary":"Busy"}
block Friday from 2 to 4 | calendar.create {"end":"2026-03-13T16:00:00","start":"2026-03-13T14:00:00","summary":"Busy"}
move my meeting with Ines | calendar.update {"changes":{"start":null},"target":{"person":["Ines"],"pick":"one"}} ? /changes/start
"#,
    );
}

#[test]
fn both_counts_two_named_things() {
    let made = steps("drop both the spin class and the Dublin sync on Friday");
    assert_eq!(made.len(), 2, "{made:?}");
    for (step, name) in made.iter().zip(["spin class", "Dublin sync"]) {
        assert!(step.starts_with("calendar.delete"), "{made:?}");
        assert!(step.contains(name) && !step.contains("exactly"), "{made:?}");
    }
}

#[test]
fn a_request_or_a_report_is_no_target() {
    let made = steps("bin that flyer, and the two club invoices can be archived");
    let archived = |step: &String| step.starts_with("email.archive") && step.contains("flyer");
    assert!(!made.iter().any(archived), "{made:?}");
    let made = steps("dropped the keys off yesterday evening");
    assert!(
        !made.iter().any(|step| step.contains(".delete")),
        "{made:?}"
    );
}
