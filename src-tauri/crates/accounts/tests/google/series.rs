//! Tests of repeating events, and of the parts of an event that must not change.

use adjutant_domain::account::{CollectionKind, Cursor};
use adjutant_domain::moment::Moment;
use adjutant_domain::operation::{CalendarOp, Ended, Key, RemoteId, RemoteOp};
use adjutant_domain::ports::{Pulled, PulledWhat, RemoteExecutor as _};
use adjutant_domain::record::{Event, Record};
use adjutant_testkit::make;
use serde_json::{Value, json};

use crate::events::day;
use crate::rig::{GoogleRig, event};
use crate::stub::{PERSON, lock};

const START: &str = "2026-03-27T09:00:00Z";
const CALENDAR: CollectionKind = CollectionKind::Calendar;

fn daily(name: &str) -> Event {
    let mut row = make::event(
        name,
        name,
        "2026-03-27T10:00:00+01:00[Europe/Paris]",
        "2026-03-27T11:00:00+01:00[Europe/Paris]",
        &["bob@work.example"],
    );
    row.rrule = Some("FREQ=DAILY;COUNT=10".to_owned());
    row
}

/// Adds a daily meeting across the change to summer time, with one instance moved and one removed.
fn plant(rig: &GoogleRig) {
    let mut state = lock(&rig.stub.state);
    let mut master = event(&daily("standup"));
    master["conferenceData"] = json!({"conferenceId": "abc-defg"});
    master["attendees"][0]["comment"] = json!("may be late");
    state.events.put(PERSON, "standup", master.clone());
    let original =
        |number| json!({"dateTime": day(START, number).to_string(), "timeZone": "Europe/Paris"});
    let mut moved = master.clone();
    moved.as_object_mut().unwrap().remove("recurrence");
    moved["summary"] = json!("moved");
    moved["recurringEventId"] = json!("standup");
    moved["originalStartTime"] = original(1);
    state
        .events
        .put(PERSON, "standup_20260328T090000Z", moved.clone());
    moved["originalStartTime"] = original(2);
    state.events.put(PERSON, "standup_20260329T090000Z", moved);
    state.events.cancel(PERSON, "standup_20260329T090000Z");
}

fn rows(pulled: &[Pulled], id: &str) -> (Vec<Event>, Option<String>) {
    let found = pulled.iter().find(|one| one.remote_id.0 == id).unwrap();
    let PulledWhat::There { rows, source, .. } = &found.what else {
        panic!("it is gone");
    };
    let rows = rows.iter().map(|row| match row {
        Record::Event(event) => event.clone(),
        other => panic!("{other:?}"),
    });
    let source = source
        .clone()
        .map(|bytes| String::from_utf8(bytes).unwrap());
    (rows.collect(), source)
}

async fn read(rig: &GoogleRig, cursor: Option<Cursor>) -> (Vec<Pulled>, Cursor) {
    let (pulled, cursor) = rig.pull(CALENDAR, cursor).await;
    (pulled, cursor.unwrap())
}

#[tokio::test]
async fn reads_a_series_with_its_changed_and_cancelled_instances() {
    let rig = GoogleRig::new().await;
    plant(&rig);
    let (pulled, cursor) = read(&rig, None).await;
    let (all, _) = rows(&pulled, "standup");
    assert_eq!(all.len(), 2, "{all:#?}");
    assert_eq!(all[0].rrule.as_deref(), Some("FREQ=DAILY;COUNT=10"));
    let at = |text: &str| Moment::At(text.parse().unwrap());
    assert_eq!(
        all[0].exdates,
        [at("2026-03-29T11:00:00+02:00[Europe/Paris]")]
    );
    assert_eq!(
        all[1].recurrence_id,
        Some(at("2026-03-28T10:00:00+01:00[Europe/Paris]"))
    );
    assert_eq!(all[1].summary, "moved");
    // Another instance is removed. Google reports only that instance, and the whole series is delivered.
    lock(&rig.stub.state)
        .events
        .cancel(PERSON, "standup_20260328T090000Z");
    let (pulled, cursor) = read(&rig, Some(cursor)).await;
    let (all, _) = rows(&pulled, "standup");
    assert_eq!((all.len(), all[0].exdates.len()), (1, 2), "{all:#?}");
    lock(&rig.stub.state).events.cancel(PERSON, "standup");
    let (pulled, _) = read(&rig, Some(cursor)).await;
    assert_eq!(pulled.len(), 1);
    assert_eq!(pulled[0].what, PulledWhat::Gone);
}

#[tokio::test]
async fn an_invitation_to_one_instance_becomes_an_event() {
    let rig = GoogleRig::new().await;
    let mut alone = event(&daily("theirs"));
    alone.as_object_mut().unwrap().remove("recurrence");
    alone["recurringEventId"] = json!("not-mine");
    alone["originalStartTime"] = alone["start"].clone();
    lock(&rig.stub.state)
        .events
        .put(PERSON, "not-mine_20260327T090000Z", alone);
    let (pulled, _) = read(&rig, None).await;
    let (all, _) = rows(&pulled, "not-mine_20260327T090000Z");
    assert_eq!(all.len(), 1);
}

fn update(rig: &GoogleRig, pulled: &[Pulled], rows: Vec<Event>, reverted: Vec<Moment>) -> RemoteOp {
    let found = pulled
        .iter()
        .find(|one| one.remote_id.0 == "standup")
        .unwrap();
    let PulledWhat::There { etag, source, .. } = &found.what else {
        panic!("it is gone");
    };
    RemoteOp::Calendar(CalendarOp::Update {
        collection: rig.place(CALENDAR),
        moves_to: None,
        remote_id: RemoteId("standup".into()),
        etag: etag.clone(),
        uid: "standup".into(),
        sequence: 0,
        rows,
        reverted,
        source: source
            .clone()
            .map(|bytes| String::from_utf8(bytes).unwrap()),
        notify: true,
    })
}

fn stored(rig: &GoogleRig, id: &str) -> Value {
    lock(&rig.stub.state)
        .events
        .get(PERSON, id)
        .cloned()
        .unwrap()
}

fn is_done(ended: &Ended) -> bool {
    matches!(ended, Ended::Done { .. })
}

#[tokio::test]
async fn sends_only_changed_fields_and_informs_guests() {
    let rig = GoogleRig::new().await;
    plant(&rig);
    let (pulled, _) = read(&rig, None).await;
    let (all, _) = rows(&pulled, "standup");
    let mut master = all[0].clone();
    master.location = "Room 5".to_owned();
    let op = update(&rig, &pulled, vec![master], Vec::new());
    let ended = rig.backends.apply(&op, &Key("k1".into())).await;
    assert!(is_done(&ended), "{ended:?}");
    let sent = lock(&rig.stub.state).log.last().unwrap().clone();
    let sent_fields: Vec<String> = sent.json().as_object().unwrap().keys().cloned().collect();
    assert_eq!(sent_fields, ["extendedProperties", "location"]);
    assert_eq!(sent.value("sendUpdates").as_deref(), Some("all"));
    let event = stored(&rig, "standup");
    assert_eq!(event["conferenceData"]["conferenceId"], "abc-defg");
    assert_eq!(event["attendees"][0]["comment"], "may be late");
}

#[tokio::test]
async fn keeps_unknown_fields_of_guests() {
    let rig = GoogleRig::new().await;
    plant(&rig);
    let (pulled, _) = read(&rig, None).await;
    let (all, _) = rows(&pulled, "standup");
    let mut master = all[0].clone();
    master.attendees.push(adjutant_domain::record::Attendee {
        name: "Ana".into(),
        email: "ana@work.example".into(),
        status: String::new(),
    });
    let op = update(&rig, &pulled, vec![master.clone()], Vec::new());
    let ended = rig.backends.apply(&op, &Key("k1".into())).await;
    assert!(is_done(&ended), "{ended:?}");
    let guests = stored(&rig, "standup")["attendees"].clone();
    assert_eq!(guests.as_array().unwrap().len(), 2);
    assert_eq!(guests[0]["comment"], "may be late");
    // It changes once more before it is read again.
    master.attendees.pop();
    let mut op = update(&rig, &pulled, vec![master], Vec::new());
    if let RemoteOp::Calendar(CalendarOp::Update { etag, source, .. }) = &mut op {
        let now = stored(&rig, "standup")["etag"].clone();
        *etag = serde_json::from_value(now).unwrap();
        *source = None;
    }
    let ended = rig.backends.apply(&op, &Key("k2".into())).await;
    assert!(is_done(&ended), "{ended:?}");
    let guests = stored(&rig, "standup")["attendees"].clone();
    assert_eq!(guests.as_array().unwrap().len(), 1);
    assert_eq!(guests[0]["comment"], "may be late");
}

#[tokio::test]
async fn changes_removes_and_restores_one_instance() {
    let rig = GoogleRig::new().await;
    plant(&rig);
    let (pulled, _) = read(&rig, None).await;
    let (all, _) = rows(&pulled, "standup");
    let fourth: Moment = Moment::At("2026-03-30T11:00:00+02:00[Europe/Paris]".parse().unwrap());
    let mut instance = all[0].clone();
    instance.recurrence_id = Some(Moment::At(
        "2026-03-31T11:00:00+02:00[Europe/Paris]".parse().unwrap(),
    ));
    instance.start = Moment::At("2026-03-31T15:00:00+02:00[Europe/Paris]".parse().unwrap());
    instance.end = Moment::At("2026-03-31T16:00:00+02:00[Europe/Paris]".parse().unwrap());
    (instance.rrule, instance.exdates) = (None, Vec::new());
    let mut master = all[0].clone();
    master.exdates.push(fourth);
    let moved = all[1].recurrence_id.clone().unwrap();
    let op = update(&rig, &pulled, vec![master, instance], vec![moved]);
    let key = Key("k1".into());
    for _ in 0..2 {
        let ended = rig.backends.apply(&op, &key).await;
        assert!(is_done(&ended), "{ended:?}");
        assert_eq!(
            lock(&rig.stub.state).carried_out,
            3,
            "once: the series, one instance, one given back"
        );
    }
    let lines = stored(&rig, "standup")["recurrence"].to_string();
    assert!(
        lines.contains("EXDATE;TZID=Europe/Paris:20260330T110000"),
        "{lines}"
    );
    let changed = stored(&rig, "standup_20260331T090000Z");
    assert_eq!(changed["start"]["dateTime"], "2026-03-31T15:00:00+02:00");
    assert_eq!(
        stored(&rig, "standup_20260328T090000Z")["summary"],
        "standup"
    );
}

#[tokio::test]
async fn restores_a_deleted_event_under_its_own_id() {
    let rig = GoogleRig::new().await;
    let id = "0123456789abcdef0123456789abcdef";
    let op = RemoteOp::Calendar(CalendarOp::Create {
        collection: rig.place(CALENDAR),
        remote_id: RemoteId(id.into()),
        rows: vec![daily("dinner")],
        notify: false,
        source: None,
    });
    assert!(is_done(&rig.backends.apply(&op, &Key("k1".into())).await));
    lock(&rig.stub.state).events.cancel(PERSON, id);
    assert!(is_done(&rig.backends.apply(&op, &Key("k2".into())).await));
    assert_eq!(stored(&rig, id)["status"], "confirmed");
}

#[tokio::test]
async fn reads_everything_each_time_without_sync_tokens() {
    let rig = GoogleRig::new().await;
    plant(&rig);
    lock(&rig.stub.state).events.gives_no_tokens = true;
    let (_, cursor) = read(&rig, None).await;
    let (_, again) = rig.pull(CALENDAR, Some(cursor)).await;
    assert_eq!(again, Err(adjutant_domain::ports::PullFault::CursorRefused));
}

/// Malformed events do not block the others.
#[tokio::test]
async fn skips_malformed_events() {
    let rig = GoogleRig::new().await;
    {
        let mut state = lock(&rig.stub.state);
        state.is_odd = true;
        state.events.put(PERSON, "good", event(&daily("good")));
        for (id, wrong) in [
            ("a", json!({"start": {"dateTime": "yesterday"}, "end": {}})),
            ("b", json!({"start": 7})),
            ("c", json!({"start": {"date": "2026-13-45"}})),
            (
                "d",
                json!({"recurrence": ["RRULE:FREQ=DAILY\r\nUID:evil", "\u{0}"], "start": {"date": "2026-01-01"}, "end": {"date": "2025-01-01"}}),
            ),
            (
                "e",
                json!({"start": {"dateTime": "2026-01-01T10:00:00", "timeZone": "Nowhere/Land"}, "end": {"dateTime": "2020-01-01T10:00:00Z"}}),
            ),
        ] {
            state.events.put(PERSON, id, wrong);
        }
    }
    let (pulled, _) = read(&rig, None).await;
    let there = pulled
        .iter()
        .filter(|one| matches!(one.what, PulledWhat::There { .. }));
    let names: Vec<&str> = there.map(|one| one.remote_id.0.as_str()).collect();
    assert!(
        names.contains(&"good") && !names.contains(&"a") && !names.contains(&"b"),
        "{names:?}"
    );
    for one in &pulled {
        if let PulledWhat::There { rows, .. } = &one.what {
            for row in rows {
                let Record::Event(event) = row else { continue };
                assert!(event.uid != "evil");
                match (&event.start, &event.end) {
                    (Moment::At(start), Moment::At(end)) => assert!(start <= end),
                    (Moment::Day(start), Moment::Day(end)) => assert!(start < end),
                    mixed => panic!("{mixed:?}"),
                }
            }
        }
    }
}
