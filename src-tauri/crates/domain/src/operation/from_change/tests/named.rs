//! Tests of the description of a request: it must name the row in question.

use super::super::operations;
use super::{contact, event, instance, lives, mail, origins, outgoing, task};
use crate::change::Change;
use crate::record::{Folder, OutboxState, Record};

fn words(change: &Change, records: Vec<Record>) -> Vec<String> {
    let there = records.into_iter().map(|record| {
        let at = match &record {
            Record::Event(_) => "work-cal",
            Record::Mail(_) => "work-box",
            Record::Task(_) => "work-list",
            _ => "work-book",
        };
        lives(record, "work", at)
    });
    let all = operations(change, &origins(there.collect())).expect("possible");
    all.iter().map(|one| one.words()).collect()
}

#[test]
fn a_request_names_its_row() {
    let mut lunch = task("t");
    lunch.title = "Buy  the\nmilk".into();
    let all = [
        (
            Change::add(Record::Event(event("Lunch", "work-cal"))),
            vec![],
            "add the event “Lunch”",
        ),
        (
            Change::remove(&Record::Contact(contact("Kim"))),
            vec![Record::Contact(contact("Kim"))],
            "delete the contact “Kim”",
        ),
        (
            Change::remove(&Record::Task(lunch.clone())),
            vec![Record::Task(lunch)],
            "delete the task “Buy the milk”",
        ),
        (
            Change::add(Record::Outbox(outgoing("me@work", OutboxState::Queued))),
            vec![],
            "send the mail “Hi”",
        ),
    ];
    for (change, there, told) in all {
        assert_eq!(words(&change, there), [told]);
    }
}

#[test]
fn a_request_uses_the_present_name_of_its_row() {
    let was = event("Lunch", "work-cal");
    let mut renamed = was.clone();
    renamed.summary = "Dinner".into();
    let change = Change::replace(Record::Event(renamed));
    let told = words(&change, vec![Record::Event(was)]);
    assert_eq!(told, ["change the event “Lunch”"]);
}

#[test]
fn counts_mails_and_counts_a_series_as_one_event() {
    let archived = ["a", "b", "c"]
        .iter()
        .fold(Change::default(), |change, id| {
            let mut moved = mail(id);
            moved.folder = Folder::Archive;
            change.and_replace(Record::Mail(moved))
        });
    let there = ["a", "b", "c"].map(|id| Record::Mail(mail(id)));
    let told = words(&archived, there.into());
    assert_eq!(told, ["move the mail “a” and 2 more"]);

    let master = event("Standup", "work-cal");
    let one = instance(&master, "one", "2026-01-16T10:00:00Z");
    let there = vec![Record::Event(master.clone()), Record::Event(one.clone())];
    let change = Change::remove(&there[0]).and_replace(Record::Event(one));
    let told = words(&change, there);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].ends_with(" the event “Standup”"), "{told:?}");
}

#[test]
fn shortens_foreign_names_and_shows_hidden_characters() {
    let mut long = task("t");
    long.title = format!("a\u{202e}{}", "b".repeat(200));
    let told = words(
        &Change::remove(&Record::Task(long.clone())),
        vec![Record::Task(long)],
    );
    assert!(!told[0].contains('\u{202e}'), "{told:?}");
    assert!(told[0].contains("U+202E") && told[0].chars().count() < 100);
    let mut nameless = task("t");
    nameless.title = " ".into();
    let told = words(
        &Change::remove(&Record::Task(nameless.clone())),
        vec![Record::Task(nameless)],
    );
    assert_eq!(told, ["delete the task"]);
}
