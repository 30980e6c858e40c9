//! Events.

use super::super::{NotPossible, operations};
use super::{AT, asked, event, guest, instance, lives, moment, only, origins, place};
use crate::change::Change;
use crate::operation::{CalendarOp, Etag, Participation, RemoteId, RemoteOp};
use crate::record::{Event, Record};

#[test]
fn creates_a_new_event_in_its_remote_calendar() {
    let origins = origins(Vec::new());
    let new = event("ev", "work-cal");
    let change = Change::add(Record::Event(new.clone()));
    let (account, op) = only(&change, &origins);
    assert_eq!(account, "work");
    let RemoteOp::Calendar(CalendarOp::Create {
        collection,
        remote_id,
        rows,
        notify,
        ..
    }) = op
    else {
        panic!("{op:?}");
    };
    assert_eq!((collection.id.as_str(), notify), ("work-cal", false));
    assert_eq!(rows, vec![new.clone()]);
    // The same event gets the same identifier again, made of letters that every provider accepts.
    let again = only(&change, &origins).1;
    assert!(
        matches!(again, RemoteOp::Calendar(CalendarOp::Create { remote_id: same, .. }) if same == remote_id)
    );
    assert!(remote_id.0.len() == 32 && remote_id.0.bytes().all(|digit| digit.is_ascii_hexdigit()));
    for (who, told) in [("me@work", false), ("ME@Work", false), ("ana@x", true)] {
        let mut invited = new.clone();
        invited.attendees = vec![guest(who, "needs-action")];
        let op = only(&Change::add(Record::Event(invited)), &origins).1;
        assert!(
            matches!(op, RemoteOp::Calendar(CalendarOp::Create { notify, .. }) if notify == told),
            "{who}"
        );
    }
}

#[test]
fn changes_and_deletes_an_event_in_its_account() {
    let old = event("ev", "work-cal");
    let origins = origins(vec![lives(Record::Event(old.clone()), "work", "work-cal")]);
    let mut new = old.clone();
    new.summary = "Other".into();
    new.sequence = 4;
    let (account, op) = only(&Change::replace(Record::Event(new.clone())), &origins);
    assert_eq!(account, "work");
    assert_eq!(
        op,
        RemoteOp::Calendar(CalendarOp::Update {
            collection: place("work-cal"),
            moves_to: None,
            remote_id: RemoteId("r-ev".into()),
            etag: Some(Etag("\"1\"".into())),
            uid: "ev@x".into(),
            sequence: 3,
            rows: vec![new],
            reverted: Vec::new(),
            source: Some("SOURCE".into()),
            notify: false,
        })
    );
    let (_, op) = only(&Change::remove(&Record::Event(old)), &origins);
    assert_eq!(
        op,
        RemoteOp::Calendar(CalendarOp::Delete {
            collection: place("work-cal"),
            remote_id: RemoteId("r-ev".into()),
            etag: Some(Etag("\"1\"".into())),
            uid: "ev@x".into(),
            sequence: 3,
            notify: false,
        })
    );
}

#[test]
fn informs_guests_who_are_removed() {
    let mut old = event("ev", "work-cal");
    old.attendees = vec![guest("ana@x", "accepted")];
    let origins = origins(vec![lives(Record::Event(old.clone()), "work", "work-cal")]);
    let mut alone = old.clone();
    alone.attendees.clear();
    for change in [
        Change::replace(Record::Event(alone)),
        Change::remove(&Record::Event(old)),
    ] {
        let told = match only(&change, &origins).1 {
            RemoteOp::Calendar(
                CalendarOp::Update { notify, .. } | CalendarOp::Delete { notify, .. },
            ) => notify,
            other => panic!("{other:?}"),
        };
        assert!(told);
    }
}

#[test]
fn rows_of_one_series_become_one_operation() {
    let mut master = event("ev", "work-cal");
    master.rrule = Some("FREQ=DAILY".into());
    let moved = instance(&master, "moved", "2026-01-16T10:00:00Z");
    let other = instance(&master, "other", "2026-01-17T10:00:00Z");
    let origins = origins(vec![
        lives(Record::Event(moved.clone()), "work", "work-cal"),
        lives(Record::Event(master.clone()), "work", "work-cal"),
    ]);
    // A new row for an instance: only that row is sent, under the name of the series.
    let change = Change::add(Record::Event(other.clone()));
    let RemoteOp::Calendar(CalendarOp::Update {
        remote_id, rows, ..
    }) = only(&change, &origins).1
    else {
        panic!();
    };
    assert_eq!((remote_id.0.as_str(), rows), ("r-ev", vec![other.clone()]));
    // An instance with a row of its own is removed.
    let mut without = master.clone();
    without.exdates = vec![moment("2026-01-16T10:00:00Z")];
    let change = Change::remove(&Record::Event(moved.clone()))
        .and_replace(Record::Event(without.clone()))
        .and_add(Record::Event(other.clone()));
    let RemoteOp::Calendar(CalendarOp::Update { rows, reverted, .. }) = only(&change, &origins).1
    else {
        panic!();
    };
    assert_eq!(rows, vec![without, other], "the master comes first");
    assert_eq!(reverted, vec![moment("2026-01-16T10:00:00Z")]);
    // The whole series is removed.
    let change = Change::remove(&Record::Event(moved)).and_remove(&Record::Event(master));
    let op = only(&change, &origins).1;
    assert!(matches!(op, RemoteOp::Calendar(CalendarOp::Delete { .. })));
}

#[test]
fn splitting_a_series_creates_the_other_before_it_ends_the_first() {
    let mut master = event("ev", "work-cal");
    master.rrule = Some("FREQ=DAILY".into());
    let origins = origins(vec![lives(
        Record::Event(master.clone()),
        "work",
        "work-cal",
    )]);
    let mut ended = master;
    ended.rrule = Some("FREQ=DAILY;UNTIL=20260120".into());
    let rest = event("rest", "work-cal");
    let change = Change::replace(Record::Event(ended)).and_add(Record::Event(rest));
    let all = operations(&change, &origins).expect("possible");
    let ops: Vec<&RemoteOp> = all.iter().map(|one| asked(one).1).collect();
    assert!(matches!(
        ops.as_slice(),
        [
            RemoteOp::Calendar(CalendarOp::Create { .. }),
            RemoteOp::Calendar(CalendarOp::Update { .. })
        ]
    ));
}

#[test]
fn events_move_only_within_their_account() {
    let old = event("ev", "work-cal");
    let at_work = origins(vec![lives(Record::Event(old.clone()), "work", "work-cal")]);
    let to = |calendar: &str| {
        let mut moved = old.clone();
        moved.calendar = calendar.into();
        Change::replace(Record::Event(moved))
    };
    let op = only(&to("work-cal2"), &at_work).1;
    assert!(
        matches!(op, RemoteOp::Calendar(CalendarOp::Update { moves_to: Some(there), .. }) if there == place("work-cal2"))
    );
    let refused = NotPossible::AcrossAccounts { what: "ev".into() };
    assert_eq!(operations(&to("home-cal"), &at_work), Err(refused.clone()));
    assert_eq!(operations(&to("Private"), &at_work), Err(refused));
    let read_only = NotPossible::ReadOnly {
        name: "work-cal-read".into(),
    };
    assert_eq!(operations(&to("work-cal-read"), &at_work), Err(read_only));
    // An event moves from this computer to an account by being created there.
    let (account, op) = only(&to("home-cal"), &origins(Vec::new()));
    assert_eq!(account, "home");
    assert!(matches!(op, RemoteOp::Calendar(CalendarOp::Create { .. })));
}

#[test]
fn answers_an_invitation_without_changing_it() {
    let mut master = event("ev", "work-cal-read");
    master.rrule = Some("FREQ=DAILY".into());
    master.organizer = Some(guest("boss@x", ""));
    master.attendees = vec![guest("me@work", "needs-action"), guest("ana@x", "accepted")];
    let origins = origins(vec![lives(
        Record::Event(master.clone()),
        "work",
        "work-cal-read",
    )]);
    let answered = |row: &Event, status: &str| {
        let mut row = row.clone();
        row.attendees[0].status = status.into();
        row.sequence += 1;
        row.updated = AT + jiff::SignedDuration::from_secs(9);
        row
    };
    for (status, participation) in [
        ("accepted", Participation::Accepted),
        ("tentative", Participation::Tentative),
        ("declined", Participation::Declined),
    ] {
        // This also works in a read-only calendar, because the reply goes to the organizer.
        let change = Change::replace(Record::Event(answered(&master, status)));
        assert_eq!(
            only(&change, &origins).1,
            RemoteOp::Calendar(CalendarOp::Respond {
                collection: place("work-cal-read"),
                remote_id: RemoteId("r-ev".into()),
                etag: Some(Etag("\"1\"".into())),
                uid: "ev@x".into(),
                sequence: 3,
                instance: None,
                participation,
                notify: true,
            })
        );
    }
    // Replying for one instance gives it a row of its own.
    let one = instance(&master, "one", "2026-01-16T10:00:00Z");
    let change = Change::add(Record::Event(answered(&one, "declined")));
    let op = only(&change, &origins).1;
    assert!(
        matches!(op, RemoteOp::Calendar(CalendarOp::Respond { instance: Some(at), .. }) if at == moment("2026-01-16T10:00:00Z"))
    );
    // Any other change makes it an ordinary change, which a read-only calendar refuses.
    let mut other = answered(&master, "accepted");
    other.location = "Room 5".into();
    let refused = operations(&Change::replace(Record::Event(other)), &origins);
    assert!(matches!(refused, Err(NotPossible::ReadOnly { .. })));
    let mut others_answer = master.clone();
    others_answer.attendees[1].status = "declined".into();
    let refused = operations(&Change::replace(Record::Event(others_answer)), &origins);
    assert!(matches!(refused, Err(NotPossible::ReadOnly { .. })));
}

#[test]
fn nobody_answers_their_own_invitation() {
    let mut own = event("ev", "work-cal");
    own.organizer = Some(guest("me@work", ""));
    own.attendees = vec![guest("me@work", "needs-action"), guest("ana@x", "accepted")];
    let origins = origins(vec![lives(Record::Event(own.clone()), "work", "work-cal")]);
    own.attendees[0].status = "accepted".into();
    let op = only(&Change::replace(Record::Event(own)), &origins).1;
    assert!(matches!(op, RemoteOp::Calendar(CalendarOp::Update { .. })));
}
