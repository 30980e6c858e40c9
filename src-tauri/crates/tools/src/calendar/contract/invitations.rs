//! Invitations in mails: what they do to the calendar, and how the organizer hears of the answer.

use adjutant_domain::account::{Account, AccountState, Collection, CollectionKind};
use adjutant_domain::gate::Risk;
use adjutant_domain::operation::{Operation, RemoteOp};
use adjutant_domain::ports::Records as _;
use adjutant_domain::record::{Attachment, Attendee, Event, OutboxItem, Record};
use adjutant_domain::source::Taint;
use adjutant_testkit::{World, make};
use serde_json::json;

use super::berlin;
use crate::calendar::{invited, rows_of_uid};
use crate::testing::{fault, observe, question, run, say};

/// One row of a calendar that a mail carries.
pub(crate) struct Row<'a> {
    method: &'a str,
    sequence: u32,
    at: &'a str,
    organizer: &'a str,
    status: &'a str,
}

pub(crate) const INVITED: Row<'static> = Row {
    method: "REQUEST",
    sequence: 1,
    at: "20260115T120000",
    organizer: "ana@work.example",
    status: "NEEDS-ACTION",
};

/// Adds a mail of Ana that carries this row.
pub(crate) fn add(world: &World, id: &str, row: &Row<'_>) {
    let from = "Ana Lopez <ana@work.example>";
    let mut mail = make::mail(id, from, "Team lunch", "2026-01-13T10:00:00Z", "Come.");
    mail.attachments = vec![Attachment {
        name: "invite.ics".into(),
        media_type: "text/calendar".into(),
        size: 1,
        sha256: String::new(),
    }];
    world.records.put(Record::Mail(mail));
    let source = format!(
        "From: {from}\r\nSubject: Team lunch\r\nMIME-Version: 1.0\r\nContent-Type: text/calendar; method={method}\r\n\r\nBEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:{method}\r\nBEGIN:VEVENT\r\nUID:lunch@work\r\nDTSTART;TZID=Europe/Berlin:{at}\r\nDURATION:PT1H\r\nSUMMARY:Team lunch\r\nORGANIZER;CN=Ana Lopez:mailto:{organizer}\r\nATTENDEE;PARTSTAT={status}:mailto:{guest}\r\nSEQUENCE:{sequence}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
        method = row.method,
        at = row.at,
        organizer = row.organizer,
        status = row.status,
        guest = match row.method {
            "REPLY" => "ana@work.example",
            _ => "me@home.example",
        },
        sequence = row.sequence,
    );
    world.records.put_source(&id.into(), source.into_bytes());
}

fn world() -> World {
    let world = World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]").with(make::contact(
        "who_ana",
        "Ana Lopez",
        &["ana@work.example"],
    ));
    add(&world, "mail_i", &INVITED);
    world
}

/// Connects an account that sends mail and has no calendar.
fn with_mail_account(world: &World) {
    let account = Account {
        id: "post".into(),
        kind: "imap".into(),
        label: "Post".into(),
        addresses: vec!["me@home.example".into()],
        state: AccountState::Ready,
    };
    let mailbox = Collection {
        id: "col_inbox".into(),
        account: "post".into(),
        kind: CollectionKind::Mailbox,
        remote_id: None,
        name: "INBOX".into(),
        colour: None,
        writable: true,
        preferred: false,
        cursor: None,
    };
    world.records.connect(account, [mailbox]);
}

async fn rows(world: &World) -> Vec<Event> {
    rows_of_uid("lunch@work", &world.cx).await.unwrap()
}

async fn own_answer(world: &World) -> Option<String> {
    let rows = rows(world).await;
    let own = rows.first()?.attendees.first()?;
    Some(own.status.clone())
}

/// The mail that a call puts into the outbox.
fn mail_of(operations: &[Operation]) -> Option<OutboxItem> {
    let changes = operations.iter().filter_map(Operation::change);
    let mut records = changes
        .flat_map(|change| &change.ops)
        .filter_map(|op| match op {
            adjutant_domain::change::RowOp::Put { record, .. } => Some(record.as_ref()),
            _ => None,
        });
    records.find_map(|record| match record {
        Record::Outbox(item) => Some(item.clone()),
        _ => None,
    })
}

#[tokio::test]
async fn an_invitation_is_entered_with_the_answer() {
    let world = world();
    let args = json!({"mail": "mail_i", "response": "accepted"});
    let ran = run(&world, "calendar.respond", args).await.unwrap();
    assert!(ran.asked, "an answer is always asked about");
    assert_eq!(ran.answer.taint, Taint::Tainted);
    assert_eq!(
        ran.answer.say,
        "Accepted: Team lunch, Thu 15 Jan, 12:00–13:00 · with Ana Lopez. The organizer is not told: this calendar is only on this computer."
            .replace(" · with Ana Lopez", "")
    );
    assert_eq!(own_answer(&world).await.as_deref(), Some("accepted"));

    let again = json!({"mail": "mail_i", "response": "declined"});
    run(&world, "calendar.respond", again).await.unwrap();
    assert_eq!(rows(&world).await.len(), 1, "the event is there once");
    assert_eq!(own_answer(&world).await.as_deref(), Some("declined"));
}

#[tokio::test]
async fn the_organizer_hears_by_mail_where_no_provider_tells_them() {
    let world = world();
    with_mail_account(&world);
    let args = json!({"mail": "mail_i", "response": "tentative"});
    let observed = observe(&world, "calendar.respond", args).await.unwrap();
    assert_eq!(observed.assessment.risk, Risk::ReachesPeople);
    let frozen = observed.before.frozen.as_ref().unwrap();
    assert_eq!(frozen.hold_seconds, 20);
    let mail = mail_of(&frozen.operations).expect("a mail to the organizer");
    assert_eq!(mail.subject, "Tentatively accepted: Team lunch");
    assert_eq!(mail.to[0].email, "ana@work.example");
    let mime = mail.mime.unwrap().replace("\r\n ", "");
    for part in [
        "Content-Type: text/calendar; method=\"REPLY\"",
        "PARTSTAT=TENTATIVE:mailto:me@home.example",
        "UID:lunch@work",
    ] {
        assert!(mime.contains(part), "{part} in\n{mime}");
    }
    let notes: Vec<&str> = observed
        .card
        .notes
        .iter()
        .map(|note| note.text.as_str())
        .collect();
    assert_eq!(notes, ["The organizer is told by mail."]);
    assert_eq!(observed.card.verb, "Answer “maybe”");
    let sends = frozen.operations.iter().any(|one| {
        matches!(one, Operation::Remote { op, .. } if matches!(op.as_ref(), RemoteOp::Mail(_)))
    });
    assert!(sends, "{:?}", frozen.operations);
}

#[tokio::test]
async fn words_find_the_invitation_in_a_mail() {
    let world = world();
    let by_ana = json!({"target": {"person": ["Ana"], "pick": "one"}, "response": "accepted"});
    run(&world, "calendar.respond", by_ana.clone())
        .await
        .unwrap();
    assert_eq!(own_answer(&world).await.as_deref(), Some("accepted"));

    let world = self::world();
    // Whom no address book knows is only words.
    let by_words = json!({"target": {"text": "Lopez", "pick": "one"}, "response": "accepted"});
    run(&world, "calendar.respond", by_words).await.unwrap();
    assert_eq!(own_answer(&world).await.as_deref(), Some("accepted"));

    let nothing = json!({"target": {"text": "budget", "pick": "one"}, "response": "accepted"});
    fault(&world, "calendar.respond", nothing).await;
}

#[tokio::test]
async fn two_invitations_that_fit_are_asked_about() {
    let world = world();
    let other = "20260116T150000";
    add(
        &world,
        "mail_2",
        &Row {
            at: other,
            ..INVITED
        },
    );
    let source = world
        .records
        .mail_source(&"mail_2".into())
        .await
        .unwrap()
        .unwrap();
    let source = String::from_utf8(source)
        .unwrap()
        .replace("lunch@work", "call@work");
    world
        .records
        .put_source(&"mail_2".into(), source.into_bytes());
    let args = json!({"target": {"person": ["Ana"], "pick": "one"}, "response": "accepted"});
    let asked = question(&world, "calendar.respond", args).await;
    assert_eq!((asked.slot.as_str(), asked.choices.len()), ("/mail", 2));
}

#[tokio::test]
async fn a_later_revision_changes_and_an_older_one_does_not() {
    let world = world();
    let enter = |id: &str| json!({"id": id});
    run(&world, "calendar.enter", enter("mail_i"))
        .await
        .unwrap();
    add(
        &world,
        "mail_moved",
        &Row {
            sequence: 2,
            at: "20260115T140000",
            ..INVITED
        },
    );
    let ran = run(&world, "calendar.enter", enter("mail_moved"))
        .await
        .unwrap();
    assert!(ran.asked, "a change of what is there is asked about");
    let when = ran
        .observed
        .card
        .facts
        .iter()
        .find(|fact| fact.label == "When");
    let when = when.expect("the card shows the new time");
    assert_eq!(when.before.as_deref(), Some("Thu 15 Jan, 12:00–13:00"));
    assert_eq!(
        rows(&world).await[0].start.to_string(),
        berlin("15", "14:00")
    );

    let older = fault(&world, "calendar.enter", enter("mail_i")).await;
    assert_eq!(
        older.to_string(),
        "Your calendar has a later version of that event."
    );
    let same = fault(&world, "calendar.enter", enter("mail_moved")).await;
    assert_eq!(same.to_string(), "Your calendar has that already.");
}

#[tokio::test]
async fn a_cancellation_takes_the_event_off_and_answers_are_noted() {
    let world = world();
    let cancel = Row {
        method: "CANCEL",
        sequence: 2,
        ..INVITED
    };
    add(&world, "mail_c", &cancel);
    let unknown = fault(&world, "calendar.enter", json!({"id": "mail_c"})).await;
    assert_eq!(
        unknown.to_string(),
        "Your calendar does not show that event."
    );
    run(&world, "calendar.enter", json!({"id": "mail_i"}))
        .await
        .unwrap();
    let said = say(&world, "calendar.enter", json!({"id": "mail_c"})).await;
    assert!(
        said.starts_with("Marked as cancelled: Team lunch"),
        "{said}"
    );
    assert!(rows(&world).await[0].cancelled);

    let mut own = make::event(
        "ev_own",
        "Team lunch",
        &berlin("15", "12:00"),
        &berlin("15", "13:00"),
        &["Ana Lopez <ana@work.example>"],
    );
    own.uid = "lunch@work".into();
    let world = World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]").with(own);
    let reply = Row {
        method: "REPLY",
        status: "DECLINED",
        organizer: "me@home.example",
        ..INVITED
    };
    add(&world, "mail_r", &reply);
    let said = say(&world, "calendar.enter", json!({"id": "mail_r"})).await;
    assert!(
        said.starts_with("Noted that ana@work.example has answered “declined”"),
        "{said}"
    );
    assert_eq!(own_answer(&world).await.as_deref(), Some("declined"));
}

#[tokio::test]
async fn a_sender_who_is_not_the_organizer_is_named() {
    let world = world();
    add(
        &world,
        "mail_x",
        &Row {
            organizer: "boss@work.example",
            ..INVITED
        },
    );
    let args = json!({"mail": "mail_x", "response": "accepted"});
    let observed = observe(&world, "calendar.respond", args).await.unwrap();
    let warned = observed.card.notes.iter().any(|note| {
        note.text == "The mail comes from ana@work.example, the invitation names boss@work.example as its organizer."
    });
    assert!(warned, "{:?}", observed.card.notes);
}

#[tokio::test]
async fn ones_own_event_is_not_answered() {
    let world = world();
    add(
        &world,
        "mail_own",
        &Row {
            organizer: "me@home.example",
            ..INVITED
        },
    );
    let args = json!({"mail": "mail_own", "response": "accepted"});
    let refused = fault(&world, "calendar.respond", args).await;
    assert_eq!(
        refused.to_string(),
        "“Team lunch” is your own event, so there is nobody to answer."
    );
}

/// Anybody who knows the UID of an event can send a later revision of it.
#[tokio::test]
async fn an_organizer_other_than_the_calendars_is_named() {
    let world = world();
    run(&world, "calendar.enter", json!({"id": "mail_i"}))
        .await
        .unwrap();
    let taken_over = Row {
        sequence: 9,
        organizer: "eve@else.example",
        ..INVITED
    };
    add(&world, "mail_e", &taken_over);
    let mut mail = invited::mail("mail_e", &world.cx).await.unwrap().unwrap();
    mail.from.email = "eve@else.example".into();
    world.records.put(Record::Mail(mail));
    let observed = observe(&world, "calendar.enter", json!({"id": "mail_e"}))
        .await
        .unwrap();
    let warned = observed.card.notes.iter().any(|note| {
        note.text == "In your calendar, ana@work.example organizes this event. The mail comes from eve@else.example and names eve@else.example."
    });
    assert!(warned, "{:?}", observed.card.notes);
}

/// A weekly lunch, of which one instance was moved.
fn weekly(world: &World) {
    let mut series = make::event(
        "ev_week",
        "Team lunch",
        &berlin("15", "12:00"),
        &berlin("15", "13:00"),
        &["me@home.example"],
    );
    series.uid = "lunch@work".into();
    series.rrule = Some("FREQ=WEEKLY".into());
    series.organizer = Some(Attendee {
        email: "ana@work.example".into(),
        ..Attendee::default()
    });
    let mut moved = series.clone();
    moved.id = "ev_moved".into();
    moved.rrule = None;
    moved.recurrence_id = Some(series.start.clone());
    moved.sequence = 1;
    for row in [series, moved] {
        world.records.put(Record::Event(row));
    }
}

#[tokio::test]
async fn a_cancelled_series_goes_with_its_moved_instances() {
    let world = world();
    weekly(&world);
    let cancel = Row {
        method: "CANCEL",
        sequence: 2,
        ..INVITED
    };
    add(&world, "mail_c", &cancel);
    run(&world, "calendar.enter", json!({"id": "mail_c"}))
        .await
        .unwrap();
    let rows = rows(&world).await;
    assert_eq!(rows.len(), 2);
    assert!(rows.iter().all(|row| row.cancelled), "{rows:?}");
}

#[tokio::test]
async fn an_answer_to_one_instance_leaves_the_others_alone() {
    let world = world();
    weekly(&world);
    add(&world, "mail_one", &INVITED);
    let source = world
        .records
        .mail_source(&"mail_one".into())
        .await
        .unwrap()
        .unwrap();
    let source = String::from_utf8(source).unwrap().replace(
        "SUMMARY:",
        "RECURRENCE-ID;TZID=Europe/Berlin:20260115T120000\r\nSUMMARY:",
    );
    world
        .records
        .put_source(&"mail_one".into(), source.into_bytes());
    let args = json!({"mail": "mail_one", "response": "declined"});
    run(&world, "calendar.respond", args).await.unwrap();
    let rows = rows(&world).await;
    let of = |id: &str| {
        let row = rows.iter().find(|row| row.id.0 == id).unwrap();
        row.attendees[0].status.clone()
    };
    assert_eq!(
        (of("ev_moved").as_str(), of("ev_week") == "declined"),
        ("declined", false)
    );
}

#[tokio::test]
async fn the_card_shows_every_mail_that_an_answer_sends() {
    let world = world();
    with_mail_account(&world);
    for (id, title, organizer) in [
        ("ev_a", "Review", "ana@work.example"),
        ("ev_b", "Budget", "bob@work.example"),
    ] {
        let mut event = make::event(
            id,
            title,
            &berlin("16", "09:00"),
            &berlin("16", "10:00"),
            &["me@home.example"],
        );
        event.organizer = Some(Attendee {
            email: organizer.into(),
            ..Attendee::default()
        });
        world.records.put(Record::Event(event));
    }
    let args = json!({"ids": ["ev_a", "ev_b"], "response": "declined"});
    let observed = observe(&world, "calendar.respond", args).await.unwrap();
    let body = observed.card.body.unwrap();
    let facts = &observed.card.facts;
    let named = |label: &str, part: &str| {
        let mut all = facts.iter().filter(|fact| fact.label == label);
        all.any(|fact| fact.value.contains(part))
    };
    for (title, organizer) in [
        ("Review", "ana@work.example"),
        ("Budget", "bob@work.example"),
    ] {
        assert!(body.contains(title), "{title} in {body}");
        assert!(
            named("To", organizer) && named("Subject", title),
            "{facts:?}"
        );
    }
}
