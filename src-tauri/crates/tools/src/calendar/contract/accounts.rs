//! Where an event lives decides who hears of a change, and whether it can be made.

use adjutant_domain::account::{Account, AccountState, Collection, CollectionKind, Origin};
use adjutant_domain::operation::RemoteId;
use adjutant_domain::provenance::{Author, Provenance};
use adjutant_domain::record::{Attendee, Event, Record};
use adjutant_domain::source::Taint;
use adjutant_testkit::{World, make};
use serde_json::{Value, json};

use super::berlin;
use crate::testing::{fault, observe, run};

fn calendar(name: &str, writable: bool) -> Collection {
    Collection {
        id: format!("col_{name}").into(),
        account: "work".into(),
        kind: CollectionKind::Calendar,
        remote_id: Some(RemoteId(format!("/{name}"))),
        name: name.into(),
        colour: None,
        writable,
        preferred: false,
        cursor: None,
    }
}

fn event(id: &str, title: &str, calendar: &str) -> Event {
    let mut event = make::event(
        id,
        title,
        &berlin("15", "10:00"),
        &berlin("15", "11:00"),
        &["ana@work.example", "me@home.example"],
    );
    event.calendar = calendar.into();
    event
}

/// One event of this computer, one of an account's calendar, one invitation in a calendar that can only be read.
fn world() -> World {
    let world = World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]")
        .with(event("ev_here", "Here", "Home"))
        .with(make::contact("who_ana", "Ana Lopez", &["ana@work.example"]));
    let account = Account {
        id: "work".into(),
        kind: "caldav".into(),
        label: "Work".into(),
        addresses: vec!["me@home.example".into()],
        state: AccountState::Ready,
    };
    let calendars = [calendar("Team", true), calendar("Holidays", false)];
    world.records.connect(account, calendars);
    let mut invitation = event("ev_invited", "Invited", "Holidays");
    invitation.organizer = Some(Attendee {
        name: "Ana Lopez".into(),
        email: "ana@work.example".into(),
        status: String::new(),
    });
    for event in [event("ev_there", "There", "Team"), invitation] {
        let origin = Origin {
            account: "work".into(),
            collection: format!("col_{}", event.calendar).into(),
            remote_id: RemoteId(event.id.0.clone()),
            etag: None,
            uid_validity: None,
            source: None,
        };
        world.records.put_at(Record::Event(event), origin);
    }
    world
}

/// The notes of the card.
async fn notes(tool: &str, args: Value) -> Vec<String> {
    let observed = observe(&world(), tool, args.clone()).await;
    let observed = observed.unwrap_or_else(|stop| panic!("{tool} {args}: {stop:?}"));
    let notes = observed.card.notes.into_iter();
    notes.map(|note| note.text).collect()
}

const NOBODY: &str = "Nobody is told: this calendar is only on this computer.";

#[tokio::test]
async fn the_card_says_who_is_told() {
    let create = |calendar: &str| json!({"summary": "Lunch", "start": berlin("16", "12:00"), "people": ["Ana"], "calendar": calendar});
    let cases = [
        ("calendar.create", create("Home"), NOBODY),
        ("calendar.create", create("team"), "The guests are told."),
        (
            "calendar.update",
            json!({"id": "ev_here", "changes": {"location": "Room 5"}}),
            NOBODY,
        ),
        (
            "calendar.update",
            json!({"id": "ev_there", "changes": {"location": "Room 5"}}),
            "The guests are told.",
        ),
        ("calendar.delete", json!({"id": "ev_here"}), NOBODY),
        (
            "calendar.delete",
            json!({"id": "ev_there"}),
            "The guests are told.",
        ),
        (
            "calendar.delete",
            json!({"ids": ["ev_here", "ev_there"]}),
            "Guests are told, except for events in calendars that are only on this computer.",
        ),
        (
            "calendar.respond",
            json!({"id": "ev_invited", "response": "accepted"}),
            "The organizer is told.",
        ),
        (
            "calendar.respond",
            json!({"id": "ev_here", "response": "accepted"}),
            "The organizer is not told: this calendar is only on this computer.",
        ),
    ];
    for (tool, args, note) in cases {
        assert_eq!(notes(tool, args.clone()).await, [note], "{tool} {args}");
    }
}

#[tokio::test]
async fn what_cannot_be_changed_there_is_said_before_anything_is_shown() {
    let cases = [
        (
            json!({"id": "ev_invited", "changes": {"location": "Room 5"}}),
            "“Holidays” can only be read.",
        ),
        (
            json!({"id": "ev_there", "changes": {"calendar": "Home"}}),
            "“There” cannot be moved to another account.",
        ),
    ];
    for (args, what) in cases {
        let fault = fault(&world(), "calendar.update", args.clone()).await;
        assert_eq!(fault.to_string(), what, "{args}");
    }
}

#[tokio::test]
async fn an_event_read_from_an_account_is_named_by_its_calendar_and_stays_foreign() {
    let world = world();
    let read = Provenance::clean(Author::Account { id: "work".into() });
    world.records.written(&"ev_there".into(), read);
    let moved = json!({"id": "ev_there", "changes": {"shift_minutes": 60}});
    let card = observe(&world, "calendar.update", moved)
        .await
        .expect("a card")
        .card;
    let event = card.facts.iter().find(|fact| fact.label == "Event");
    let source = event.and_then(|fact| fact.source.as_ref()).expect("one");
    assert_eq!(source.kind, "found");
    assert_eq!(
        source.detail.as_deref(),
        Some("the calendar “Team”, by you or others")
    );
    let listed = run(&world, "calendar.read", json!({"id": "ev_there"})).await;
    assert_eq!(listed.expect("read").answer.taint, Taint::Tainted);
}
