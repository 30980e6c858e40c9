//! Tests of the cost of hostile rules, and of what is shown of them.

use adjutant_domain::record::Event;
use jiff::tz::TimeZone;

use super::{at, series};
use crate::{INSTANCES_MAX, Instances, Unexpanded, Work, instances, last_end};

fn week(event: &Event) -> Instances {
    instances(
        event,
        at("2026-01-12T00:00:00Z"),
        at("2026-01-19T00:00:00Z"),
        &TimeZone::UTC,
        &mut Work::default(),
    )
}

fn starts(found: &Instances) -> Vec<String> {
    found.found.iter().map(|one| one.start.rfc3339()).collect()
}

fn since_1970(rule: &str) -> Event {
    series("1970-01-01T00:00:00Z", "1970-01-01T00:00:01Z", rule)
}

#[test]
fn collapses_instances_within_the_hour_to_one_line_a_day() {
    for rule in [
        "FREQ=SECONDLY",
        "FREQ=SECONDLY;COUNT=4294967295",
        "FREQ=MINUTELY;INTERVAL=7",
        "FREQ=HOURLY;BYMINUTE=0,5,10,15,20",
        "FREQ=MINUTELY;BYHOUR=9,10",
        "FREQ=DAILY;BYHOUR=0,1,2,3,4;BYMINUTE=0,1,2,3,4;BYSECOND=0,1,2,3",
    ] {
        let found = week(&since_1970(rule));
        assert_eq!(found.found.len(), 7, "{rule}: {:?}", starts(&found));
        assert_eq!(found.unexpanded, None, "{rule}");
    }
    let working = week(&since_1970("FREQ=MINUTELY;BYDAY=TU,TH;BYHOUR=9"));
    assert_eq!(
        starts(&working),
        ["2026-01-13T09:00:00Z", "2026-01-15T09:00:00Z"]
    );
}

#[test]
fn a_daily_line_is_the_first_instance_in_the_range() {
    let every_90_minutes = series(
        "2026-01-12T08:00:00Z",
        "2026-01-12T08:10:00Z",
        "FREQ=MINUTELY;INTERVAL=90",
    );
    let found = instances(
        &every_90_minutes,
        at("2026-01-12T10:00:00Z"),
        at("2026-01-14T00:00:00Z"),
        &TimeZone::UTC,
        &mut Work::default(),
    );
    assert_eq!(
        starts(&found),
        ["2026-01-12T11:00:00Z", "2026-01-13T00:30:00Z"]
    );
}

#[test]
fn days_follow_the_persons_zone_not_the_series() {
    let paris = TimeZone::get("Europe/Paris").expect("a zone");
    for rule in ["FREQ=SECONDLY", "FREQ=MINUTELY"] {
        let found = instances(
            &since_1970(rule),
            at("2026-01-12T23:00:00Z"),
            at("2026-01-13T23:00:00Z"),
            &paris,
            &mut Work::default(),
        );
        assert_eq!(starts(&found), ["2026-01-12T23:00:00Z"], "{rule}");
    }
}

#[test]
fn rare_series_among_frequent_ones_keep_their_days() {
    let weekly = week(&series(
        "2026-01-01T10:00:00Z",
        "2026-01-01T10:05:00Z",
        "FREQ=MINUTELY;INTERVAL=10080",
    ));
    assert_eq!(starts(&weekly), ["2026-01-15T10:00:00Z"]);
    let counted = week(&series(
        "2026-01-12T23:59:00Z",
        "2026-01-12T23:59:01Z",
        "FREQ=SECONDLY;INTERVAL=30;COUNT=3",
    ));
    assert_eq!(
        starts(&counted),
        ["2026-01-12T23:59:00Z", "2026-01-13T00:00:00Z"]
    );
    let hours = week(&series(
        "2026-01-12T09:00:00Z",
        "2026-01-12T09:00:01Z",
        "FREQ=MINUTELY;BYHOUR=9;COUNT=130",
    ));
    assert_eq!(
        hours.found.len(),
        3,
        "60 and 60 and 10: {:?}",
        starts(&hours)
    );
}

#[test]
fn expanding_every_second_of_a_year_ends_soon() {
    let numbers = |to: u32| {
        (0..=to)
            .map(|n| n.to_string())
            .collect::<Vec<_>>()
            .join(",")
    };
    let rule = format!(
        "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR={};BYMINUTE={};BYSECOND={}",
        numbers(23),
        numbers(59),
        numbers(59)
    );
    let found = week(&since_1970(&rule));
    assert_eq!(found.found.len(), 7);
    assert_eq!(found.unexpanded, None);
    let picked = week(&since_1970(&format!("{rule};BYSETPOS=1,-1")));
    assert!(
        matches!(picked.unexpanded, Some(Unexpanded::Invalid(_))),
        "{picked:?}"
    );
}

#[test]
fn cuts_and_reports_expensive_rules() {
    let far = "FREQ=HOURLY;BYMINUTE=0,15,30,45;COUNT=4294967295";
    for rule in [
        far,
        "FREQ=SECONDLY;BYSECOND=0,2,4;COUNT=4294967295",
        "FREQ=YEARLY;BYMONTHDAY=30;BYMONTH=2",
        "FREQ=DAILY;BYMONTHDAY=31;BYMONTH=2;COUNT=9",
        "FREQ=DAILY;BYMONTHDAY=31;BYMONTH=2,4,6,9,11;BYYEARDAY=1;BYWEEKNO=53",
    ] {
        let _ = week(&since_1970(rule));
        let _ = last_end(&since_1970(rule));
    }
    assert_eq!(week(&since_1970(far)).unexpanded, Some(Unexpanded::Cut));
    let hourly = instances(
        &since_1970("FREQ=HOURLY"),
        at("2026-01-01T00:00:00Z"),
        at("2027-01-01T00:00:00Z"),
        &TimeZone::UTC,
        &mut Work::default(),
    );
    // Instances on the day before the range count as well.
    assert!(hourly.found.len() <= INSTANCES_MAX && hourly.found.len() > INSTANCES_MAX - 25);
    assert_eq!(hourly.unexpanded, Some(Unexpanded::Cut));
}

#[test]
fn computes_counted_rules_without_walking_them() {
    let hourly = week(&since_1970("FREQ=HOURLY;COUNT=1000000"));
    assert_eq!(hourly.found.len(), 7 * 24);
    let over = week(&since_1970("FREQ=HOURLY;COUNT=400000"));
    assert_eq!((over.found.len(), over.unexpanded), (0, None));
}

#[test]
fn all_series_of_a_query_share_its_work() {
    let mut work = Work::default();
    let costly = since_1970("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=1");
    let (from, to) = (at("9000-01-01T00:00:00Z"), at("9000-02-01T00:00:00Z"));
    for _ in 0..60 {
        work.next_series();
        let _ = instances(&costly, from, to, &TimeZone::UTC, &mut work);
    }
    work.next_series();
    let plain = series("9000-01-01T00:00:00Z", "9000-01-01T00:00:01Z", "FREQ=DAILY");
    let found = instances(&plain, from, to, &TimeZone::UTC, &mut work);
    assert_eq!(
        found.unexpanded,
        Some(Unexpanded::Cut),
        "nothing is left for it, and it says so"
    );
}
