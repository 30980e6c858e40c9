//! Tests that data written by others survives: only what was requested changes.

use std::collections::BTreeSet;
use std::sync::Arc;

use adjutant_domain::account::CollectionKind;
use adjutant_domain::moment::Moment;
use adjutant_domain::operation::{
    CalendarOp, ContactOp, Ended, Participation, Receipt, RemoteId, RemoteOp, TaskOp,
};
use adjutant_domain::record::{Attendee, Contact, Event, Record, TaskStatus};
use jiff::Timestamp;

use crate::radicale::Radicale;
use crate::rig::{DavRig, PulledRecord, etag_of};

pub fn contact(name: &str) -> Contact {
    Contact {
        id: "who".into(),
        uid: "who-uid".into(),
        name: name.into(),
        nicknames: vec!["Annie".into()],
        emails: vec!["ann@work.example".into()],
        phones: vec!["+43 1 234".into()],
        birthday: "--04-15".into(),
        organisation: "Acme, Vienna".into(),
        relation: "sister".into(),
        notes: "First line\nSecond; line, with \\ marks".into(),
        created: Timestamp::UNIX_EPOCH,
        updated: Timestamp::UNIX_EPOCH,
        version: 1,
    }
}

/// Returns the unfolded lines of a resource.
fn lines(text: &str) -> BTreeSet<String> {
    let text = text.replace("\r\n", "\n").replace("\n ", "");
    text.lines().map(str::to_owned).collect()
}

/// Returns the names of properties whose lines are in only one of two texts.
fn different(before: &str, after: &str) -> BTreeSet<String> {
    let (before, after) = (lines(before), lines(after));
    let name = |line: &String| line.split([':', ';']).next().unwrap_or_default().to_owned();
    before.symmetric_difference(&after).map(name).collect()
}

fn names(all: &[&str]) -> BTreeSet<String> {
    all.iter().map(|one| (*one).to_owned()).collect()
}

const SERIES: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Other//EN\r\nX-WR-CALNAME:Theirs\r\nBEGIN:VTIMEZONE\r\nTZID:/example.org/Europe/Paris\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:s1\r\nDTSTAMP:20260101T000000Z\r\nDTSTART;TZID=/example.org/Europe/Paris:20260105T090000\r\nDURATION:PT1H\r\nRRULE:FREQ=WEEKLY;COUNT=10\r\nSUMMARY:Stand-up\r\nX-THEIR-OWN;X-PARAM=\"a;b:c\":kept\\, exactly\r\nATTACH;FMTTYPE=text/plain:https://files.example/a.txt\r\nATTENDEE;CN=Me;CUTYPE=INDIVIDUAL;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:me@home.example\r\nATTENDEE;CN=Bob;X-NUM=7;PARTSTAT=ACCEPTED:mailto:bob@work.example\r\nORGANIZER;CN=Boss:mailto:boss@work.example\r\nSEQUENCE:2\r\nBEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nDESCRIPTION:Soon\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

/// Returns the series as read, and its source on the server.
async fn series(server: &Arc<Radicale>) -> (DavRig, PulledRecord, Vec<Event>, String) {
    let rig = DavRig::new(server).await;
    let path = format!("{}s1.ics", rig.calendar);
    rig.other.put(&path, SERIES);
    let before = rig.other.get(&path).unwrap();
    let seen = rig.only(CollectionKind::Calendar, &rig.calendar).await;
    let rows = events(&seen);
    (rig, seen, rows, before)
}

fn events(seen: &PulledRecord) -> Vec<Event> {
    let rows = seen.rows.iter().map(|row| match row {
        Record::Event(event) => event.clone(),
        _ => panic!("no event"),
    });
    rows.collect()
}

/// Returns who should have been informed and was not, and why.
fn untold(ended: &Ended) -> Vec<(&str, &str)> {
    let Ended::Done {
        receipt: Receipt::Remote { refused, .. },
    } = ended
    else {
        panic!("not done: {ended:?}");
    };
    refused
        .iter()
        .map(|one| (one.address.email.as_str(), one.reason.as_str()))
        .collect()
}

async fn update(
    rig: &DavRig,
    seen: &PulledRecord,
    rows: Vec<Event>,
    reverted: Vec<Moment>,
) -> Ended {
    rig.apply(RemoteOp::Calendar(CalendarOp::Update {
        collection: rig.place(&rig.calendar),
        moves_to: None,
        remote_id: seen.remote_id.clone(),
        etag: seen.etag.clone(),
        uid: "s1".into(),
        sequence: 2,
        rows,
        reverted,
        source: seen.source.clone(),
        notify: true,
    }))
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn renaming_an_event_changes_only_its_title() {
    let server = Arc::new(Radicale::start());
    let (rig, seen, rows, before) = series(&server).await;
    let mut row = rows[0].clone();
    row.summary =
        "Daily; with, marks \\ and\u{a0}more than seventy-five bytes of title, so that it folds"
            .into();
    row.sequence += 1;
    let ended = update(&rig, &seen, vec![row.clone()], Vec::new()).await;
    let after = rig.other.get(&seen.remote_id.0).unwrap();
    let changed = different(&before, &after);
    assert_eq!(
        changed,
        names(&["SUMMARY", "SEQUENCE", "DTSTAMP"]),
        "{after}"
    );
    let again = rig.only(CollectionKind::Calendar, &rig.calendar).await;
    assert_eq!(events(&again)[0].summary, row.summary);
    assert_eq!(
        again.etag,
        etag_of(&ended),
        "the receipt names the state it is in"
    );
    // Undoing it creates a further revision, not an earlier one.
    etag_of(&update(&rig, &again, rows, Vec::new()).await);
    let back = events(&rig.only(CollectionKind::Calendar, &rig.calendar).await);
    assert_eq!(
        (back[0].summary.as_str(), back[0].sequence),
        ("Stand-up", 4)
    );
    // Radicale sends no invitations, so the outcome names everyone who should be informed.
    assert_eq!(
        untold(&ended),
        [("bob@work.example", "this server sends no invitations")]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changing_one_instance_adds_a_row_and_undoing_it_removes_the_row() {
    let server = Arc::new(Radicale::start());
    let (rig, seen, rows, before) = series(&server).await;
    let instance: Moment = "2026-01-12T09:00:00+01:00[Europe/Paris]".parse().unwrap();
    let mut one = rows[0].clone();
    one.recurrence_id = Some(instance.clone());
    one.rrule = None;
    one.start = "2026-01-12T15:00:00+01:00[Europe/Paris]".parse().unwrap();
    one.end = "2026-01-12T16:00:00+01:00[Europe/Paris]".parse().unwrap();
    one.summary = "Later today".into();
    etag_of(&update(&rig, &seen, vec![one.clone()], Vec::new()).await);
    let seen = rig.only(CollectionKind::Calendar, &rig.calendar).await;
    let after = events(&seen);
    assert_eq!(after.len(), 2, "{:?}", seen.source);
    assert_eq!(after[0].summary, "Stand-up", "the master is as it was");
    assert_eq!(after[1].recurrence_id, Some(instance.clone()));
    assert_eq!(
        (&after[1].start, &after[1].summary),
        (&one.start, &one.summary)
    );
    let text = seen.source.clone().unwrap();
    assert_eq!(
        text.matches("TRIGGER").count(),
        2,
        "it reminds as the others do: {text}"
    );
    assert!(
        text.contains("TZID:Europe/Paris\n") && text.contains("TZID:/example.org/"),
        "{text}"
    );
    // Undoes the change of a single instance.
    etag_of(&update(&rig, &seen, Vec::new(), vec![instance]).await);
    let last = rig.other.get(&seen.remote_id.0).unwrap();
    let zone = [
        "BEGIN",
        "END",
        "TZID",
        "DTSTART",
        "RRULE",
        "TZOFFSETFROM",
        "TZOFFSETTO",
        "DTSTAMP",
    ];
    assert!(different(&before, &last).is_subset(&names(&zone)), "{last}");
    assert_eq!(
        events(&rig.only(CollectionKind::Calendar, &rig.calendar).await).len(),
        1
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reply_changes_only_the_persons_status_for_one_or_all_instances() {
    let server = Arc::new(Radicale::start());
    for instance in [None, Some("2026-01-19T09:00:00+01:00[Europe/Paris]")] {
        let (rig, seen, _, before) = series(&server).await;
        let instance: Option<Moment> = instance.map(|at| at.parse().unwrap());
        let ended = rig
            .apply(RemoteOp::Calendar(CalendarOp::Respond {
                collection: rig.place(&rig.calendar),
                remote_id: seen.remote_id.clone(),
                etag: seen.etag.clone(),
                uid: "s1".into(),
                sequence: 2,
                instance: instance.clone(),
                participation: Participation::Tentative,
                notify: true,
            }))
            .await;
        assert_eq!(
            untold(&ended),
            [("boss@work.example", "this server sends no answers")]
        );
        let rows = events(&rig.only(CollectionKind::Calendar, &rig.calendar).await);
        let status = |event: &Event, who: &str| {
            let guest = event.attendees.iter().find(|one| one.email == who);
            guest.map(|guest| guest.status.clone()).unwrap_or_default()
        };
        let answered = rows
            .iter()
            .find(|row| row.recurrence_id == instance)
            .unwrap();
        assert_eq!(status(answered, "me@home.example"), "tentative");
        assert_eq!(status(answered, "bob@work.example"), "accepted");
        if instance.is_some() {
            assert_eq!(status(&rows[0], "me@home.example"), "needs-action");
        } else {
            let after = rig.other.get(&seen.remote_id.0).unwrap();
            assert_eq!(
                different(&before, &after),
                names(&["ATTENDEE", "DTSTAMP"]),
                "{after}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_event_keeps_its_time_zone() {
    let server = Arc::new(Radicale::start());
    let rig = DavRig::new(&server).await;
    let zones = [
        "Europe/Paris",
        "America/New_York",
        "Asia/Kolkata",
        "Africa/Casablanca",
        "Asia/Jerusalem",
        "Australia/Lord_Howe",
    ];
    for (at, zone) in zones.into_iter().enumerate() {
        let mut event = adjutant_testkit::make::event(
            "ev",
            "Dinner; with, marks",
            &format!("2026-03-20T19:00:00[{zone}]"),
            &format!("2026-03-20T20:30:00[{zone}]"),
            &["ann@work.example"],
        );
        event.uid = format!("zone-{at}");
        event.rrule = Some("FREQ=WEEKLY;COUNT=40".into());
        event.attendees[0] = Attendee {
            name: "Ann".into(),
            email: "ann@work.example".into(),
            status: String::new(),
        };
        let remote_id = RemoteId(format!("{at:032x}"));
        let ended = rig
            .apply(RemoteOp::Calendar(CalendarOp::Create {
                collection: rig.place(&rig.calendar),
                remote_id,
                rows: vec![event.clone()],
                notify: false,
                source: None,
            }))
            .await;
        etag_of(&ended);
        let path = format!("{}{at:032x}.ics", rig.calendar);
        let text = rig.other.get(&path).unwrap();
        assert!(text.contains(&format!("TZID:{zone}")), "{text}");
        assert!(text.contains("ORGANIZER:mailto:me@home.example"), "{text}");
        assert!(text.contains("RSVP=TRUE"), "{text}");
        let (pulled, _) = rig
            .pull(CollectionKind::Calendar, &rig.calendar, None)
            .await;
        let found = pulled.iter().find(|one| one.remote_id.0 == path).unwrap();
        let read = events(&crate::rig::seen(found)).remove(0);
        assert_eq!(
            (&read.start, &read.end),
            (&event.start, &event.end),
            "{zone}"
        );
        assert_eq!(
            (&read.summary, &read.rrule),
            (&event.summary, &event.rrule),
            "{zone}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn completing_a_task_keeps_foreign_properties() {
    let server = Arc::new(Radicale::start());
    let rig = DavRig::new(&server).await;
    let path = format!("{}t1.ics", rig.tasks);
    rig.other.put(&path, "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Other//EN\r\nBEGIN:VTODO\r\nUID:t1\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:Taxes\r\nDUE:20260120T170000Z\r\nCATEGORIES:Home,Money\r\nX-APPLE-SORT-ORDER:42\r\nRELATED-TO:parent\r\nSTATUS:IN-PROCESS\r\nBEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER;VALUE=DATE-TIME:20260120T150000Z\r\nDESCRIPTION:x\r\nEND:VALARM\r\nEND:VTODO\r\nEND:VCALENDAR\r\n");
    let before = rig.other.get(&path).unwrap();
    let seen = rig.only(CollectionKind::TaskList, &rig.tasks).await;
    let Record::Task(mut task) = seen.rows[0].clone() else {
        panic!("no task");
    };
    assert_eq!(task.tags, ["Home", "Money"]);
    assert_eq!(task.remind_at, "2026-01-20T15:00:00Z".parse().ok());
    task.status = TaskStatus::Done;
    task.completed_at = "2026-01-12T10:00:00Z".parse().ok();
    etag_of(
        &rig.apply(RemoteOp::Task(TaskOp::Update {
            collection: rig.place(&rig.tasks),
            remote_id: seen.remote_id,
            etag: seen.etag,
            source: seen.source,
            task: Box::new(task.clone()),
        }))
        .await,
    );
    let after = rig.other.get(&path).unwrap();
    let changed = names(&["STATUS", "COMPLETED", "PERCENT-COMPLETE", "DTSTAMP"]);
    assert_eq!(different(&before, &after), changed, "{after}");
    let again = rig.only(CollectionKind::TaskList, &rig.tasks).await;
    let Record::Task(done) = &again.rows[0] else {
        panic!("no task");
    };
    assert_eq!(
        (done.status, done.completed_at),
        (TaskStatus::Done, task.completed_at)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writing_a_contact_keeps_foreign_properties() {
    let server = Arc::new(Radicale::start());
    let rig = DavRig::new(&server).await;
    let new = contact("Ann Lee");
    etag_of(
        &rig.apply(RemoteOp::Contact(ContactOp::Create {
            collection: rig.place(&rig.book),
            remote_id: RemoteId("new".into()),
            contact: Box::new(new.clone()),
            source: None,
        }))
        .await,
    );
    let seen = rig.only(CollectionKind::AddressBook, &rig.book).await;
    let Record::Contact(read) = &seen.rows[0] else {
        panic!("no contact");
    };
    let plain = |one: &Contact| Contact {
        id: "".into(),
        created: Timestamp::UNIX_EPOCH,
        updated: Timestamp::UNIX_EPOCH,
        version: 0,
        ..one.clone()
    };
    assert_eq!(plain(read), plain(&new), "{:?}", seen.source);
    // A card written by another client.
    let path = format!("{}new.vcf", rig.book);
    rig.other.put(&path, "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:who-uid\r\nFN:Ann Lee\r\nN:Lee;Ann;;Dr.;\r\nitem1.EMAIL;TYPE=INTERNET,HOME:ann@home.example\r\nitem1.X-ABLABEL:private\r\nEMAIL;TYPE=WORK:ann@work.example\r\nX-SOCIALPROFILE;TYPE=x:https://x.example/ann\r\nPHOTO;ENCODING=b;TYPE=JPEG:AAAA\r\nADR;TYPE=HOME:;;Main 1;Vienna;;1010;Austria\r\nEND:VCARD\r\n");
    let before = rig.other.get(&path).unwrap();
    let seen = rig.only(CollectionKind::AddressBook, &rig.book).await;
    let Record::Contact(mut card) = seen.rows[0].clone() else {
        panic!("no contact");
    };
    card.emails.retain(|one| one == "ann@work.example");
    card.emails.push("ann@new.example".into());
    card.notes = "Met in Graz".into();
    etag_of(
        &rig.apply(RemoteOp::Contact(ContactOp::Update {
            collection: rig.place(&rig.book),
            remote_id: seen.remote_id,
            etag: seen.etag,
            source: seen.source,
            contact: Box::new(card.clone()),
        }))
        .await,
    );
    let after = rig.other.get(&path).unwrap();
    let changed = different(&before.to_uppercase(), &after.to_uppercase());
    let expected = names(&["ITEM1.EMAIL", "ITEM1.X-ABLABEL", "EMAIL", "NOTE", "REV"]);
    assert_eq!(changed, expected, "{after}");
    let again = rig.only(CollectionKind::AddressBook, &rig.book).await;
    let Record::Contact(read) = &again.rows[0] else {
        panic!("no contact");
    };
    assert_eq!((&read.emails, &read.notes), (&card.emails, &card.notes));
}
