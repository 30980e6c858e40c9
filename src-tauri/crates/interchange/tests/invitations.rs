//! Invitations in mails, and the answers to them.
#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use adjutant_domain::ports::Entropy;
use adjutant_domain::record::Attendee;
use adjutant_interchange::read::parse_mail;
use adjutant_interchange::write::answer;
use adjutant_interchange::{Carried, Method, Seed, carried};

struct Counter(AtomicU64);

impl Entropy for Counter {
    fn bits(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

fn seed() -> Seed {
    Seed {
        now: "2026-01-12T09:00:00+01:00[Europe/Paris]"
            .parse()
            .expect("a time"),
        entropy: Arc::new(Counter(AtomicU64::new(1))),
        own: vec!["me@example.org".into()],
    }
}

const EVENT: &str = "BEGIN:VEVENT\r\nUID:lunch@x\r\nDTSTAMP:20260110T080000Z\r\nDTSTART;TZID=Europe/Berlin:20260115T120000\r\nDTEND;TZID=Europe/Berlin:20260115T130000\r\nSUMMARY:Team lunch\r\nORGANIZER;CN=Ana:mailto:ana@work.example\r\nATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:me@example.org\r\nSEQUENCE:2\r\nEND:VEVENT\r\n";

fn calendar(method: &str, events: &str) -> String {
    format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{method}{events}END:VCALENDAR\r\n")
}

/// A mail as most calendars send it: a text, the same for calendar programs, and once more as a file.
fn mail(calendar: &str) -> Vec<u8> {
    format!(
        "From: Ana <ana@work.example>\r\nSubject: Invitation: Team lunch\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nCome.\r\n--b\r\nContent-Type: text/calendar; charset=utf-8; method=REQUEST\r\n\r\n{calendar}\r\n--b--\r\n"
    )
    .into_bytes()
}

fn read(source: &[u8]) -> Option<Carried> {
    carried(source, &seed())
}

#[test]
fn an_invitation_is_read_with_its_method() {
    for (line, method) in [
        ("METHOD:REQUEST\r\n", Method::Request),
        ("method:Cancel\r\n", Method::Cancel),
        ("METHOD:REPLY\r\n", Method::Reply),
        ("METHOD:PUBLISH\r\n", Method::Publish),
        ("", Method::Publish),
    ] {
        let found = read(&mail(&calendar(line, EVENT))).expect("an invitation");
        assert_eq!(found.method, method, "{line}");
        let [event] = found.events.as_slice() else {
            panic!("one event: {found:?}")
        };
        assert_eq!((event.uid.as_str(), event.sequence), ("lunch@x", 2));
        let organizer = event.organizer.as_ref().expect("an organizer");
        assert_eq!(organizer.email, "ana@work.example");
    }
}

#[test]
fn a_mail_lists_its_calendar_among_the_files() {
    let alone = calendar("METHOD:REQUEST\r\n", EVENT);
    let alone = format!(
        "From: ana@work.example\r\nSubject: Lunch\r\nMIME-Version: 1.0\r\nContent-Type: text/calendar; method=REQUEST\r\n\r\n{alone}"
    );
    for source in [
        mail(&calendar("METHOD:REQUEST\r\n", EVENT)),
        alone.into_bytes(),
    ] {
        let mail = parse_mail(&source, &seed()).expect("a mail");
        let types: Vec<&str> = mail
            .attachments
            .iter()
            .map(|one| one.media_type.as_str())
            .collect();
        assert_eq!(types, ["text/calendar"]);
        assert!(read(&source).is_some());
    }
}

#[test]
fn a_file_alone_is_an_event_to_enter() {
    let source = format!(
        "From: shop@example.org\r\nSubject: Ticket\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nTicket.\r\n--b\r\nContent-Type: application/octet-stream; name=\"train.ICS\"\r\nContent-Disposition: attachment; filename=\"train.ICS\"\r\n\r\n{}\r\n--b--\r\n",
        calendar("", EVENT)
    );
    let found = read(source.as_bytes()).expect("an event");
    assert_eq!((found.method, found.events.len()), (Method::Publish, 1));
}

#[test]
fn what_cannot_be_read_is_no_invitation() {
    let broken = calendar(
        "METHOD:REQUEST\r\n",
        "BEGIN:VEVENT\r\nSUMMARY:x\r\nEND:VEVENT\r\n",
    );
    for source in [
        mail(&broken),
        mail(&calendar("METHOD:COUNTER\r\n", EVENT)),
        mail("nonsense"),
        b"From: a@b.example\r\n\r\nNo calendar here.".to_vec(),
        Vec::new(),
    ] {
        assert_eq!(read(&source), None, "{}", String::from_utf8_lossy(&source));
    }
}

#[test]
fn a_huge_series_of_events_is_cut() {
    let many: String = (0..500)
        .map(|n| EVENT.replace("lunch@x", &format!("n{n}@x")))
        .collect();
    let found = read(&mail(&calendar("", &many))).expect("events");
    assert_eq!(found.events.len(), 50);
}

#[test]
fn an_answer_names_the_event_and_the_guest_alone() {
    let found = read(&mail(&calendar("METHOD:REQUEST\r\n", EVENT))).expect("an invitation");
    let guest = Attendee {
        name: "Lea; Kim".into(),
        email: "me@example.org".into(),
        status: "accepted".into(),
    };
    let text = answer(&found.events[0], &guest);
    for line in [
        "METHOD:REPLY",
        "UID:lunch@x",
        "DTSTART:20260115T110000Z",
        "ORGANIZER;CN=\"Ana\":mailto:ana@work.example",
        "ATTENDEE;CN=\"Lea; Kim\";PARTSTAT=ACCEPTED:mailto:me@example.org",
        "SEQUENCE:2",
    ] {
        assert!(text.lines().any(|one| one == line), "{line} in\n{text}");
    }
    assert_eq!(text.matches("ATTENDEE").count(), 1, "{text}");
    let again = carried(&mail(&text), &seed()).expect("it reads back");
    assert_eq!(again.method, Method::Reply);
    assert_eq!(again.events[0].attendees, [guest]);
}
