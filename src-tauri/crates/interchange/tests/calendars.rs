//! Calendars as other programs write them: without a VCALENDAR, with zones of their own, with dates as periods.
#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::sync::Arc;

use adjutant_domain::ports::Entropy;
use adjutant_domain::record::{Event, Record};
use adjutant_interchange::read::calendar;
use adjutant_interchange::{Item, Seed, revise};

struct Zero;

impl Entropy for Zero {
    fn bits(&self) -> u64 {
        0
    }
}

fn seed() -> Seed {
    Seed {
        now: "2026-01-12T09:00:00+01:00[Europe/Paris]"
            .parse()
            .expect("a time"),
        entropy: Arc::new(Zero),
        own: Vec::new(),
    }
}

fn read(text: &str) -> Vec<Item> {
    calendar(text, "a.ics", &seed()).collect()
}

fn records(items: Vec<Item>) -> Vec<Record> {
    let records = items.into_iter();
    records
        .map(|item| item.expect("no refusal").record)
        .collect()
}

/// An event without a calendar around it.
const BARE: &str = "BEGIN:VEVENT\nUID:a\nDTSTART:20260112T090000Z\nSUMMARY:Bare\nBEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT5M\nEND:VALARM\nEND:VEVENT\n";

#[test]
fn reads_events_without_a_calendar_around_them() {
    assert_eq!(records(read(BARE)).len(), 1);
    assert_eq!(records(read(&BARE.repeat(2))).len(), 2);
    let trailing = format!("BEGIN:VCALENDAR\n{BARE}END:VCALENDAR\nX-COMMENT:made today\n");
    assert!(read(&trailing).iter().any(Result::is_ok));
    for cut in ["END:VEVENT", "END:VALARM"] {
        let items = read(&BARE[..BARE.find(cut).expect("a line") + 8]);
        assert!(items.iter().all(Result::is_err), "{items:?}");
    }
}

/// A calendar with a zone of its own, called Ours, and an event in it.
fn in_own_zone(parts: &str, start: &str) -> String {
    format!(
        "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:Ours\n{parts}END:VTIMEZONE\nBEGIN:VEVENT\nUID:a\nSUMMARY:A\nDTSTART;TZID=Ours:{start}\nEND:VEVENT\nEND:VCALENDAR\n"
    )
}

/// A part of a zone.
fn part(start: &str, from: &str, to: &str, rule: &str) -> String {
    format!(
        "BEGIN:STANDARD\nDTSTART:{start}\nTZOFFSETFROM:{from}\nTZOFFSETTO:{to}\n{rule}END:STANDARD\n"
    )
}

#[test]
fn finds_the_zone_that_a_calendar_describes() {
    let rule = |day: &str, month: u8| format!("RRULE:FREQ=YEARLY;BYDAY={day};BYMONTH={month}\n");
    // As Outlook writes the east of America, Notes central Europe, and others the south of Australia.
    let east = part("16010101T020000", "-0400", "-0500", &rule("1SU", 11))
        + &part("16010101T020000", "-0500", "-0400", &rule("2SU", 3));
    let europe = part("19501029T020000", "+0200", "+0100", &rule("-1SU", 10))
        + &part("19500326T020000", "+0100", "+0200", &rule("-1SU", 3));
    let days = "RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=SU;BYMONTHDAY=1,2,3,4,5,6,7\n";
    let south = part("20080406T030000", "+1030", "+0930", days)
        + &part("20081005T020000", "+0930", "+1030", &rule("1SU", 10));
    let fixed = part("16010101T000000", "-0741", "-0741", "");
    let given_up = part("19700101T000000", "+0400", "+0300", "")
        + &part("20110327T020000", "+0300", "+0400", "")
        + &part("20141026T020000", "+0400", "+0300", "");
    for (parts, start, expect) in [
        (
            &east,
            "20200825T103500",
            "2020-08-25T10:35:00-04:00[America/New_York]",
        ),
        // The zone of the person goes first.
        (
            &europe,
            "20211101T160000",
            "2021-11-01T16:00:00+01:00[Europe/Paris]",
        ),
        (
            &south,
            "20260101T120000",
            "2026-01-01T12:00:00+10:30[Australia/Adelaide]",
        ),
        (
            &fixed,
            "20230306T134200",
            "2023-03-06T13:42:00-07:41[-07:41]",
        ),
        (
            &given_up,
            "20260101T120000",
            "2026-01-01T12:00:00+03:00[+03:00]",
        ),
    ] {
        let all = records(read(&in_own_zone(parts, start)));
        let [Record::Event(event)] = all.as_slice() else {
            panic!("one event: {all:?}")
        };
        assert_eq!(event.start.to_string(), expect);
    }
    // No place changes its clocks like that, and a fixed offset would be wrong for half of the year.
    let invented = part("20000101T000000", "+0500", "+0300", &rule("1MO", 5))
        + &part("20000701T000000", "+0300", "+0500", &rule("1TU", 7));
    let other = part("20000101T000000", "+0100", "+0200", "RRULE:FREQ=WEEKLY\n")
        + &part("20000701T000000", "+0200", "+0100", &rule("-1SU", 10));
    for parts in [
        invented,
        other,
        String::new(),
        "BEGIN:STANDARD\nEND:STANDARD\n".into(),
    ] {
        let items = read(&in_own_zone(&parts, "20260101T120000"));
        let [Err(refused)] = items.as_slice() else {
            panic!("a refusal: {items:?}")
        };
        assert!(refused.reason.contains("“Ours” is not known"), "{refused}");
    }
}

#[test]
fn reads_additional_dates_given_as_periods() {
    let text = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nSUMMARY:A\nDTSTART:20260112T090000Z\nDTEND:20260112T100000Z\nRDATE;VALUE=PERIOD:20260114T090000Z/20260114T110000Z,20260116T090000Z/PT1H\nEND:VEVENT\nEND:VCALENDAR\n";
    let all = records(read(text));
    let [Record::Event(event)] = all.as_slice() else {
        panic!("one event: {all:?}")
    };
    let dates: Vec<String> = event.rdates.iter().map(ToString::to_string).collect();
    assert_eq!(
        dates,
        [
            "2026-01-14T09:00:00+00:00[UTC]",
            "2026-01-16T09:00:00+00:00[UTC]"
        ]
    );
}

/// A weekly event which from its third instance on begins an hour later, lasts two hours and has another title.
const LATER: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTAMP:20260101T000000Z\r\nDTSTART;TZID=Europe/Paris:20260105T090000\r\nDTEND;TZID=Europe/Paris:20260105T100000\r\nRRULE:FREQ=WEEKLY\r\nSUMMARY:Rounds\r\nSEQUENCE:0\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTAMP:20260101T000000Z\r\nRECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Paris:20260119T090000\r\nDTSTART;TZID=Europe/Paris:20260119T100000\r\nDTEND;TZID=Europe/Paris:20260119T120000\r\nSUMMARY:Long rounds\r\nSEQUENCE:0\r\nX-ROOM:4\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

fn events(text: &str) -> Vec<Event> {
    let rows = records(read(text)).into_iter().map(|record| match record {
        Record::Event(event) => event,
        other => panic!("{other:?}"),
    });
    rows.collect()
}

#[test]
fn reads_and_writes_a_change_of_all_later_instances() {
    let rows = events(LATER);
    let later: Vec<bool> = rows.iter().map(|row| row.following).collect();
    assert_eq!(later, [false, true]);
    // RFC 5545 dropped the other range of RFC 2445.
    let prior = events(&LATER.replace("THISANDFUTURE", "THISANDPRIOR"));
    assert!(prior.iter().all(|row| !row.following));
    let written = revise::events(None, &rows, &[], &seed())
        .expect("written")
        .text;
    assert_eq!(
        events(&written)[1].recurrence_id,
        rows[1].recurrence_id,
        "{written}"
    );
    assert!(events(&written)[1].following, "{written}");
}

#[test]
fn another_change_keeps_that_it_is_of_all_later_instances() {
    let mut row = events(LATER)[1].clone();
    row.location = "Ward 2".into();
    let revised = revise::events(Some(LATER), &[row], &[], &seed()).expect("revised");
    let text = revised.text;
    assert!(text.contains("RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Paris:20260119T090000"));
    assert!(
        text.contains("X-ROOM:4") && text.contains("LOCATION:Ward 2"),
        "{text}"
    );
}

#[test]
fn one_later_instance_becomes_a_copy_of_the_change_that_applied_to_it() {
    let rows = events(LATER);
    let mut one = rows[1].clone();
    one.following = false;
    one.recurrence_id = Some(
        "2026-02-02T09:00:00+01:00[Europe/Paris]"
            .parse()
            .expect("a time"),
    );
    one.start = "2026-02-02T10:00:00+01:00[Europe/Paris]"
        .parse()
        .expect("a time");
    one.end = "2026-02-02T12:00:00+01:00[Europe/Paris]"
        .parse()
        .expect("a time");
    one.summary = "Short rounds".into();
    let text = revise::events(Some(LATER), &[one.clone()], &[], &seed())
        .expect("revised")
        .text;
    assert_eq!(text.matches("X-ROOM:4").count(), 2, "{text}");
    let read = events(&text);
    assert_eq!(
        (read.len(), &read[2].start, &read[2].end),
        (3, &one.start, &one.end)
    );
    assert_eq!(
        (read[2].following, read[2].summary.as_str()),
        (false, "Short rounds")
    );
}
