//! Tests of stepping through and cutting series.

use jiff::tz::TimeZone;

use super::{at, moment, series};
use crate::{Work, check, first, instances, next, rest_from, until_before};

#[test]
fn the_next_instance_keeps_its_hour_over_a_clock_change() {
    let zone = TimeZone::get("Europe/Berlin").expect("a zone");
    let start = moment("2026-03-28T09:00:00+01:00[Europe/Berlin]");
    let (next, _) = next("FREQ=DAILY", &start, start.starts(&zone), &zone).expect("a next one");
    assert_eq!(next, moment("2026-03-29T09:00:00+02:00[Europe/Berlin]"));
}

#[test]
fn counts_decrease_and_end() {
    let zone = TimeZone::UTC;
    let start = moment("2026-01-05");
    let monday = start.starts(&zone);
    let (second, rule) = next("FREQ=WEEKLY;COUNT=3", &start, monday, &zone).expect("second");
    assert_eq!(
        (second.clone(), rule.as_str()),
        (moment("2026-01-12"), "FREQ=WEEKLY;COUNT=2")
    );
    let (third, rule) = next(&rule, &second, second.starts(&zone), &zone).expect("third");
    assert_eq!(rule, "FREQ=WEEKLY;COUNT=1");
    assert_eq!(next(&rule, &third, third.starts(&zone), &zone), None);
}

#[test]
fn an_overdue_instance_moves_past_now() {
    let zone = TimeZone::UTC;
    let now = moment("2026-01-20").starts(&zone);
    for (start, rule) in [
        ("2026-01-05", "FREQ=WEEKLY"),
        ("1825-01-03", "FREQ=WEEKLY"),
        ("2026-01-05", "FREQ=WEEKLY;BYDAY=MO"),
    ] {
        let (next, _) = next(rule, &moment(start), now, &zone).expect("next");
        assert_eq!(next, moment("2026-01-26"), "{rule} from {start}");
    }
}

#[test]
fn finds_the_first_date_of_a_rule() {
    let first = |rule: &str, start: &str| first(rule, &moment(start)).map(|at| at.to_string());
    for (rule, start, expected) in [
        (
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH",
            "2026-01-13",
            Some("2026-01-15"),
        ),
        ("FREQ=WEEKLY;BYDAY=TU", "2026-01-13", Some("2026-01-13")),
        (
            "FREQ=MONTHLY;BYMONTHDAY=1",
            "2026-01-13",
            Some("2026-02-01"),
        ),
        ("FREQ=DAILY;UNTIL=20260101", "2026-01-13", None),
        ("sometimes", "2026-01-13", None),
    ] {
        assert_eq!(first(rule, start).as_deref(), expected, "{rule}");
    }
}

#[test]
fn cuts_rules_before_an_instance() {
    assert_eq!(
        until_before(
            "FREQ=DAILY;COUNT=9",
            &moment("2026-01-12T09:00:00-05:00[America/New_York]")
        ),
        "FREQ=DAILY;UNTIL=20260112T020000Z"
    );
    assert_eq!(
        until_before("FREQ=DAILY", &moment("2026-03-01")),
        "FREQ=DAILY;UNTIL=20260228"
    );
    assert_eq!(
        rest_from(
            "FREQ=DAILY;COUNT=9",
            &moment("2026-01-01"),
            &moment("2026-01-04"),
            &TimeZone::UTC
        ),
        "FREQ=DAILY;COUNT=6"
    );
    let cut = series(
        "2026-01-01",
        "2026-01-02",
        &until_before("FREQ=DAILY", &moment("2026-01-04")),
    );
    let left = instances(
        &cut,
        at("2025-01-01T00:00:00Z"),
        at("2027-01-01T00:00:00Z"),
        &TimeZone::UTC,
        &mut Work::default(),
    );
    assert_eq!(left.found.len(), 3);
}

#[test]
fn refuses_bad_rules() {
    let start = moment("2026-01-05");
    for rule in [
        "",
        "every day",
        "FREQ=SECONDLY",
        "FREQ=WEEKLY;BYDAY=XX",
        "FREQ=DAILY;INTERVAL=-1",
        "FREQ=DAILY;UNTIL=20200101",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
    ] {
        assert!(check(rule, &start).is_err(), "{rule}");
    }
    assert_eq!(
        check("RRULE:freq=weekly;byday=mo;", &start).as_deref(),
        Ok("FREQ=WEEKLY;BYDAY=MO")
    );
}
