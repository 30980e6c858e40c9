//! Changes that apply to an instance and all later ones.

use adjutant_domain::record::Event;
use jiff::tz::TimeZone;

use super::{at, moment, series};
use crate::{Work, instance_at, instances_of, next_of};

/// A weekly event at nine, from Monday, 2 March 2026.
fn weekly() -> Event {
    series(
        "2026-03-02T09:00:00+01:00[Europe/Berlin]",
        "2026-03-02T10:00:00+01:00[Europe/Berlin]",
        "FREQ=WEEKLY",
    )
}

/// A row for the instance of `weekly` at `original`.
fn change(title: &str, original: &str, start: &str, end: &str) -> Event {
    Event {
        recurrence_id: Some(moment(original)),
        summary: title.into(),
        start: moment(start),
        end: moment(end),
        rrule: None,
        ..weekly()
    }
}

fn later(title: &str, original: &str, start: &str, end: &str) -> Event {
    Event {
        following: true,
        ..change(title, original, start, end)
    }
}

/// Returns what a calendar shows of these rows, by start.
fn shown(rows: &[Event], from: &str, to: &str) -> Vec<String> {
    let mut all = Vec::new();
    for row in rows {
        let (from, to) = (at(from), at(to));
        if row.recurrence_id.is_some() && !row.following {
            all.push((row.start.clone(), row.end.clone(), &row.summary));
            continue;
        }
        let found = instances_of(row, rows, from, to, &TimeZone::UTC, &mut Work::default());
        let found = found.found.into_iter();
        all.extend(found.map(|one| (one.start, one.end, &row.summary)));
    }
    all.sort_by_key(|(start, ..)| start.starts(&TimeZone::UTC));
    all.iter()
        .map(|(start, end, title)| format!("{title} {} {}", start.rfc3339(), end.rfc3339()))
        .collect()
}

const SPRING: (&str, &str) = ("2026-03-01T00:00:00Z", "2026-04-07T00:00:00Z");

#[test]
fn later_instances_move_with_the_change_on_the_wall_clock() {
    let rows = [
        weekly(),
        later(
            "Late",
            "2026-03-16T09:00:00+01:00[Europe/Berlin]",
            "2026-03-17T10:30:00+01:00[Europe/Berlin]",
            "2026-03-17T12:00:00+01:00[Europe/Berlin]",
        ),
    ];
    assert_eq!(
        shown(&rows, SPRING.0, SPRING.1),
        [
            "Series 2026-03-02T09:00:00+01:00 2026-03-02T10:00:00+01:00",
            "Series 2026-03-09T09:00:00+01:00 2026-03-09T10:00:00+01:00",
            "Late 2026-03-17T10:30:00+01:00 2026-03-17T12:00:00+01:00",
            "Late 2026-03-24T10:30:00+01:00 2026-03-24T12:00:00+01:00",
            "Late 2026-03-31T10:30:00+02:00 2026-03-31T12:00:00+02:00",
        ]
    );
    // Years later, in a narrow range that no original start lies in.
    let narrow = shown(&rows, "2030-01-08T09:45:00Z", "2030-01-08T10:00:00Z");
    assert_eq!(
        narrow,
        ["Late 2030-01-08T10:30:00+01:00 2030-01-08T12:00:00+01:00"]
    );
}

#[test]
fn a_change_lasts_until_the_next_one_and_leaves_single_instances_alone() {
    let mut cancelled = change(
        "Off",
        "2026-03-23T08:00:00Z",
        "2026-03-23T09:00:00+01:00[Europe/Berlin]",
        "2026-03-23T10:00:00+01:00[Europe/Berlin]",
    );
    cancelled.cancelled = true;
    let mut master = weekly();
    master.exdates = vec![moment("2026-03-30T09:00:00+02:00[Europe/Berlin]")];
    let rows = [
        later(
            "Third",
            "2026-04-06T07:00:00Z",
            "2026-04-06T05:00:00Z",
            "2026-04-06T06:00:00Z",
        ),
        master,
        cancelled,
        later(
            "Second",
            "2026-03-09T09:00:00+01:00[Europe/Berlin]",
            "2026-03-09T08:00:00+01:00[Europe/Berlin]",
            "2026-03-09T08:30:00+01:00[Europe/Berlin]",
        ),
    ];
    assert_eq!(
        shown(&rows, SPRING.0, "2026-04-14T00:00:00Z"),
        [
            "Series 2026-03-02T09:00:00+01:00 2026-03-02T10:00:00+01:00",
            "Second 2026-03-09T08:00:00+01:00 2026-03-09T08:30:00+01:00",
            "Second 2026-03-16T08:00:00+01:00 2026-03-16T08:30:00+01:00",
            "Off 2026-03-23T09:00:00+01:00 2026-03-23T10:00:00+01:00",
            "Third 2026-04-06T05:00:00Z 2026-04-06T06:00:00Z",
            "Third 2026-04-13T05:00:00Z 2026-04-13T06:00:00Z",
        ]
    );
}

#[test]
fn a_change_may_turn_times_into_days_and_days_into_times() {
    let days = [
        weekly(),
        later("Day", "2026-03-16T08:00:00Z", "2026-03-18", "2026-03-20"),
    ];
    let whole = instances_of(
        &days[1],
        &days,
        at("2026-03-24T00:00:00Z"),
        at("2026-03-30T00:00:00Z"),
        &TimeZone::UTC,
        &mut Work::default(),
    );
    assert_eq!(whole.found.len(), 1);
    assert_eq!(whole.found[0].start, moment("2026-03-25"));
    assert_eq!(whole.found[0].end, moment("2026-03-27"));
    let timed = [
        series("2026-03-02", "2026-03-03", "FREQ=WEEKLY"),
        later(
            "Timed",
            "2026-03-09",
            "2026-03-10T08:00:00Z",
            "2026-03-10T09:00:00Z",
        ),
    ];
    assert_eq!(
        shown(&timed[1..], SPRING.0, SPRING.1).len(),
        1,
        "without its series, a change is one event"
    );
    let rows = shown(&timed, SPRING.0, "2026-03-20T00:00:00Z");
    assert_eq!(rows[2], "Timed 2026-03-17T08:00:00Z 2026-03-17T09:00:00Z");
}

#[test]
fn hostile_changes_end() {
    let mut endless = weekly();
    endless.rrule = Some("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30".into());
    let far = later(
        "Far",
        "2026-03-16T08:00:00Z",
        "9999-12-30T08:00:00Z",
        "9999-12-30T09:00:00Z",
    );
    let long = later(
        "Long",
        "2026-03-23T08:00:00Z",
        "0001-01-01T08:00:00Z",
        "9999-12-30T09:00:00Z",
    );
    let rows = [endless, far, long];
    for row in &rows {
        let found = instances_of(
            row,
            &rows,
            at(SPRING.0),
            at(SPRING.1),
            &TimeZone::UTC,
            &mut Work::default(),
        );
        assert!(found.found.len() < 10, "{found:?}");
        let _ = next_of(row, &rows, &TimeZone::UTC);
    }
}

#[test]
fn finds_the_next_instance_and_the_row_of_any() {
    let mut master = weekly();
    master.exdates = vec![moment("2026-03-23T09:00:00+01:00[Europe/Berlin]")];
    let rows = [
        master,
        later(
            "Late",
            "2026-03-16T09:00:00+01:00[Europe/Berlin]",
            "2026-03-16T10:00:00+01:00[Europe/Berlin]",
            "2026-03-16T11:00:00+01:00[Europe/Berlin]",
        ),
    ];
    let next = next_of(&rows[1], &rows, &TimeZone::UTC).expect("the next one");
    assert_eq!(
        next.original,
        moment("2026-03-30T09:00:00+02:00[Europe/Berlin]")
    );
    assert_eq!(
        next.start,
        moment("2026-03-30T10:00:00+02:00[Europe/Berlin]")
    );
    let of = |original: &str| {
        let (row, times) = instance_at(&moment(original), &rows, &TimeZone::UTC)?;
        Some(format!("{} {}", row.summary, times.start.rfc3339()))
    };
    for (original, expected) in [
        (
            "2026-03-09T09:00:00+01:00[Europe/Berlin]",
            "Series 2026-03-09T09:00:00+01:00",
        ),
        ("2026-03-16T08:00:00Z", "Late 2026-03-16T10:00:00+01:00"),
        ("2026-03-30T07:00:00Z", "Late 2026-03-30T10:00:00+02:00"),
    ] {
        assert_eq!(of(original).as_deref(), Some(expected));
    }
    assert_eq!(of("2026-03-09"), None);
}
