//! Calendars as other programs write them: without a VCALENDAR, with zones of their own, with dates as periods.
#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use std::sync::Arc;

use adjutant_domain::ports::Entropy;
use adjutant_domain::record::Record;
use adjutant_interchange::read::calendar;
use adjutant_interchange::{Item, Seed};

struct Zero;

impl Entropy for Zero {
    fn bits(&self) -> u64 {
        0
    }
}

fn read(text: &str) -> Vec<Item> {
    let seed = Seed {
        now: "2026-01-12T09:00:00+01:00[Europe/Paris]"
            .parse()
            .expect("a time"),
        entropy: Arc::new(Zero),
        own: Vec::new(),
    };
    calendar(text, "a.ics", &seed).collect()
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
