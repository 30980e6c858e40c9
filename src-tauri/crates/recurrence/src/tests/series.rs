//! Compares rules with the instances that calendars are known to show.

use adjutant_domain::record::Event;
use jiff::tz::TimeZone;

use super::{at, event, moment, series};
use crate::{INSTANCES_MAX, Work, instances, last_end};

fn shown(event: &Event, from: &str, to: &str) -> Vec<String> {
    instances(
        event,
        at(from),
        at(to),
        &TimeZone::UTC,
        &mut Work::default(),
    )
    .found
    .iter()
    .map(|instance| instance.start.rfc3339())
    .collect()
}

const YEAR: (&str, &str) = ("2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z");

#[test]
fn skipped_times_move_on_and_repeated_times_use_the_first() {
    let nightly = series(
        "2026-03-27T02:30:00+01:00[Europe/Berlin]",
        "2026-03-27T03:00:00+01:00[Europe/Berlin]",
        "FREQ=DAILY",
    );
    let spring = shown(&nightly, "2026-03-27T00:00:00Z", "2026-03-31T00:00:00Z");
    assert_eq!(
        spring,
        [
            "2026-03-27T02:30:00+01:00",
            "2026-03-28T02:30:00+01:00",
            "2026-03-29T03:30:00+02:00",
            "2026-03-30T02:30:00+02:00"
        ]
    );
    let autumn = shown(&nightly, "2026-10-24T12:00:00Z", "2026-10-25T12:00:00Z");
    assert_eq!(autumn, ["2026-10-25T02:30:00+02:00"]);
}

#[test]
fn an_instance_over_a_clock_change_keeps_its_length() {
    let shift = series(
        "2026-03-27T22:00:00+01:00[Europe/Berlin]",
        "2026-03-28T06:00:00+01:00[Europe/Berlin]",
        "FREQ=DAILY",
    );
    let found = instances(
        &shift,
        at("2026-03-28T12:00:00Z"),
        at("2026-03-29T12:00:00Z"),
        &TimeZone::UTC,
        &mut Work::default(),
    )
    .found;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].end.rfc3339(), "2026-03-29T07:00:00+02:00");
}

#[test]
fn reads_ends_in_every_form() {
    let start = "2026-01-05T09:00:00-05:00[America/New_York]";
    let count = |rule: &str| shown(&series(start, start, rule), YEAR.0, YEAR.1).len();
    assert_eq!(count("FREQ=DAILY;UNTIL=20260107T140000Z"), 3);
    assert_eq!(count("FREQ=DAILY;UNTIL=20260107T135959Z"), 2);
    assert_eq!(count("FREQ=DAILY;UNTIL=20260107T090000"), 3);
    assert_eq!(count("FREQ=DAILY;UNTIL=20260107"), 3);
    assert_eq!(count("RRULE:FREQ=DAILY;COUNT=4;"), 4);
    assert_eq!(count("freq=weekly;byday=mo,we;count=5"), 5);
    assert_eq!(count("FREQ=DAILY;UNTIL=20250101"), 0);
}

#[test]
fn whole_days_repeat_as_days() {
    let birthday = series("2024-02-29", "2024-03-01", "FREQ=YEARLY");
    let found = instances(
        &birthday,
        at("2024-01-01T00:00:00Z"),
        at("2033-01-01T00:00:00Z"),
        &TimeZone::UTC,
        &mut Work::default(),
    )
    .found;
    let days: Vec<String> = found.iter().map(|one| one.start.to_string()).collect();
    assert_eq!(days, ["2024-02-29", "2028-02-29", "2032-02-29"]);
    assert_eq!(found[1].end, moment("2028-03-01"));
}

#[test]
fn expands_old_series_without_walking_their_years() {
    for (start, rule, expected) in [
        (
            "1985-01-31T08:00:00Z",
            "FREQ=MONTHLY",
            "2026-01-31T08:00:00Z",
        ),
        (
            "1985-01-01T08:00:00Z",
            "FREQ=DAILY;INTERVAL=3",
            "2026-01-02T08:00:00Z",
        ),
        (
            "1985-01-01T08:00:00Z",
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU",
            "2026-01-06T08:00:00Z",
        ),
        (
            "1985-06-03T08:00:00Z",
            "FREQ=MONTHLY;BYDAY=1MO",
            "2026-01-05T08:00:00Z",
        ),
        (
            "1985-11-28T08:00:00Z",
            "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH",
            "2026-11-26T08:00:00Z",
        ),
        (
            "1985-01-31T08:00:00Z",
            "FREQ=MONTHLY;BYMONTHDAY=-1",
            "2026-01-31T08:00:00Z",
        ),
        (
            "1985-01-01T08:00:00Z",
            "FREQ=HOURLY;INTERVAL=5",
            "2026-01-01T03:00:00Z",
        ),
    ] {
        let one = series(start, start, rule);
        let fast = shown(&one, YEAR.0, YEAR.1);
        assert_eq!(
            fast.first().map(String::as_str),
            Some(expected),
            "{rule} from {start}"
        );
        // Expanding from the beginning gives the same instances.
        let all = shown(&one, "1985-01-01T00:00:00Z", YEAR.1);
        if all.len() < INSTANCES_MAX {
            let tail: Vec<_> = all
                .iter()
                .filter(|day| day.as_str() >= "2026")
                .cloned()
                .collect();
            assert_eq!(fast, tail, "{rule} from {start}");
        }
    }
}

#[test]
fn a_broken_rule_leaves_only_the_first_instance() {
    for rule in [
        "",
        "FREQ=SOMETIMES",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=DAILY;UNTIL=tomorrow",
        "FREQ=DAILY;UNTIL=２０２６0101",
        "FREQ=MONTHLY;BYMONTHDAY=99",
        "FREQ=YEARLY;BYDAY=XX",
        "COUNT=3",
        "FREQ=DAILY;COUNT=99999999999999999999",
        &"FREQ=DAILY;".repeat(1_000),
    ] {
        let one = series("2026-01-05T09:00:00Z", "2026-01-05T10:00:00Z", rule);
        assert_eq!(
            shown(&one, YEAR.0, YEAR.1),
            ["2026-01-05T09:00:00Z"],
            "{rule}"
        );
        assert_eq!(last_end(&one), None, "{rule}: nobody knows when it ends");
    }
}

#[test]
fn empty_rules_and_the_end_of_the_calendar_end() {
    let never = series(
        "2026-01-01T00:00:00Z",
        "2026-01-01T00:00:01Z",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
    );
    assert_eq!(shown(&never, YEAR.0, YEAR.1).len(), 0);
    let far = series("9999-12-28T00:00:00Z", "9999-12-28T01:00:00Z", "FREQ=DAILY");
    assert_eq!(shown(&far, YEAR.0, "9999-12-30T22:00:00Z").len(), 3);
}

#[test]
fn matches_removed_and_added_dates_in_every_form() {
    let mut timed = series(
        "2026-01-05T23:30:00-05:00[America/New_York]",
        "2026-01-06T00:30:00-05:00[America/New_York]",
        "FREQ=DAILY;COUNT=4",
    );
    timed.exdates = vec![moment("2026-01-07T04:30:00Z"), moment("2026-01-07")];
    timed.rdates = vec![
        moment("2026-01-20"),
        moment("2026-01-08T23:30:00-05:00[America/New_York]"),
    ];
    assert_eq!(
        shown(&timed, YEAR.0, YEAR.1),
        [
            "2026-01-05T23:30:00-05:00",
            "2026-01-08T23:30:00-05:00",
            "2026-01-20T23:30:00-05:00"
        ]
    );
    let mut days = series("2026-01-05", "2026-01-06", "FREQ=DAILY;COUNT=3");
    days.exdates = vec![moment("2026-01-06"), moment("2026-01-07T00:00:00Z")];
    assert_eq!(shown(&days, YEAR.0, YEAR.1), ["2026-01-05"]);
}

#[test]
fn the_end_of_a_series_is_known_where_it_has_one() {
    let start = "2026-01-05T09:00:00Z";
    let one = |rule: &str| last_end(&series(start, "2026-01-05T10:00:00Z", rule));
    assert_eq!(one("FREQ=DAILY"), None);
    assert_eq!(one("FREQ=DAILY;COUNT=3"), Some(at("2026-01-07T10:00:00Z")));
    assert_eq!(
        one("FREQ=DAILY;UNTIL=20260110T090000Z"),
        Some(at("2026-01-10T10:00:00Z"))
    );
    let mut added = event(start, "2026-01-05T10:00:00Z");
    added.rdates = vec![moment("2026-02-01T09:00:00Z")];
    assert_eq!(last_end(&added), Some(at("2026-02-01T10:00:00Z")));
}

#[test]
fn a_first_week_is_the_same_week_counted_from_the_end() {
    // The first week of 2025 begins on 30 December 2024, and that of 2032 (a year with 53 weeks) on 29 December 2031.
    for (weeks, from, to, first) in [
        (
            52,
            "2024-12-01T00:00:00Z",
            "2025-02-01T00:00:00Z",
            "2024-12-30",
        ),
        (
            53,
            "2031-12-01T00:00:00Z",
            "2032-02-01T00:00:00Z",
            "2031-12-29",
        ),
    ] {
        let of = |number: i16| {
            let rule = format!("FREQ=YEARLY;BYWEEKNO={number}");
            let start = "2020-01-01T09:00:00+00:00[UTC]";
            shown(
                &series(start, "2020-01-01T10:00:00+00:00[UTC]", &rule),
                from,
                to,
            )
        };
        let first_week = of(1);
        assert_eq!(first_week.len(), 7);
        assert!(first_week[0].starts_with(first), "{first_week:?}");
        assert_eq!(of(-weeks), first_week);
    }
}
