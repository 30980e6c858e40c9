//! Compares the series that Adjutant reads, and the days of their instances, with the results of the library
//! `recurring-ical-events` for the same file.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod rules;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use adjutant_domain::moment::Moment;
use adjutant_domain::ports::Entropy;
use adjutant_domain::record::{Event, Record};
use adjutant_interchange::{Seed, read};
use adjutant_recurrence::{Work, instances_of};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::json;

use rules::{Dice, Series, ZONES, cut, series};

/// Number of series compared.
const SERIES: usize = 1_000;

/// Number of series cut in two.
const CUTS: usize = 300;

struct Counter(AtomicU64);

impl Entropy for Counter {
    fn bits(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

/// Returns the Python interpreter for which `scripts/setup` installed the library.
#[expect(clippy::disallowed_methods, reason = "where scripts/setup puts tools")]
fn python() -> PathBuf {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")));
    let python = cache.unwrap().join("adjutant/tools/calendars/bin/python");
    assert!(
        python.exists(),
        "recurring-ical-events is not installed: run scripts/setup test"
    );
    python
}

/// Returns start and end of each instance according to the library, for each calendar.
fn of_the_library(all: &[&str]) -> Vec<Vec<(String, String)>> {
    let mut child = Command::new(python())
        .arg("tests/recurrence/expand.py")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let lines: Vec<String> = all
        .iter()
        .map(|one| {
            let asked = json!({"calendar": one, "from": [2024, 12, 1], "to": [2027, 2, 1]});
            format!("{asked}\n")
        })
        .collect();
    let typing = std::thread::Builder::new().spawn(move || {
        for line in lines {
            input.write_all(line.as_bytes()).unwrap();
        }
    });
    let said = BufReader::new(child.stdout.take().unwrap());
    let told = said.lines().map(|line| {
        let found: Vec<(String, String, String)> = serde_json::from_str(&line.unwrap()).unwrap();
        found
            .into_iter()
            .map(|(start, end, _)| (start, end))
            .filter(|(start, _)| in_range(start))
            .collect()
    });
    let told = told.collect();
    typing.unwrap().join().unwrap();
    assert!(child.wait().unwrap().success());
    told
}

/// Returns whether an instance is away from the ends of the range given to the library, where it counts whole days
/// differently.
fn in_range(start: &str) -> bool {
    ("2025-01-01".."2027-01-01").contains(&start)
}

fn text(moment: &Moment) -> String {
    match moment {
        Moment::Day(day) => day.to_string(),
        Moment::At(at) => at.timestamp().to_string(),
    }
}

/// Drops the end of an instance near a clock change. There, the library keeps the duration by wall clock; Adjutant
/// keeps the exact duration, as RFC 5545 (3.8.5.3) requires of a series with an end.
fn settled((start, end): (String, String), zone: &TimeZone) -> (String, String) {
    let Ok(at) = start.parse::<Timestamp>() else {
        return (start, end);
    };
    let offset = |hours| zone.to_offset(at + jiff::SignedDuration::from_hours(hours));
    if offset(-2) == offset(6) {
        (start, end)
    } else {
        (start, String::new())
    }
}

fn own(one: &Series) -> Vec<(String, String)> {
    let seed = Seed {
        now: "2026-01-12T09:00:00+01:00[Europe/Paris]".parse().unwrap(),
        entropy: Arc::new(Counter(AtomicU64::new(1))),
        own: Vec::new(),
    };
    let read: Vec<Event> = read::calendar(&one.calendar, "a.ics", &seed)
        .map(|item| match item.unwrap().record {
            Record::Event(event) => event,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(read.len(), one.changed + 1, "{}", one.calendar);
    let at = |text: &str| text.parse::<Timestamp>().unwrap();
    let mut found = Vec::new();
    for row in read.iter().filter(|row| !row.cancelled) {
        if row.recurrence_id.is_some() && !row.following {
            found.push((text(&row.start), text(&row.end)));
            continue;
        }
        let all = instances_of(
            row,
            &read,
            at("2024-12-01T00:00:00Z"),
            at("2027-02-01T00:00:00Z"),
            &TimeZone::UTC,
            &mut Work::default(),
        );
        assert_eq!(all.unexpanded, None, "{}", one.rule);
        let times = all
            .found
            .iter()
            .map(|one| (text(&one.start), text(&one.end)));
        found.extend(times);
    }
    found.retain(|(start, _)| in_range(start));
    found.sort();
    found
}

#[test]
fn a_thousand_series_match_another_library() {
    let mut dice = Dice(20_261_123);
    let all: Vec<Series> = (0..SERIES)
        .map(|number| series(number, &mut dice))
        .collect();
    let texts: Vec<&str> = all.iter().map(|one| one.calendar.as_str()).collect();
    let told = of_the_library(&texts);
    assert_eq!(told.len(), SERIES);
    let changed: usize = all.iter().map(|one| one.changed).sum();
    assert!(changed > 500, "only {changed} instances were changed");
    let later = texts.iter().filter(|one| one.contains("THISANDFUTURE"));
    let later = later.count();
    assert!(
        later > 100,
        "only {later} series were changed from one instance on"
    );
    let (mut different, mut compared) = (Vec::new(), 0);
    for (one, told) in all.iter().zip(&told) {
        let own = own(one);
        compared += told.len();
        let zone = TimeZone::get(one.zone).unwrap();
        let own: Vec<_> = own.into_iter().map(|one| settled(one, &zone)).collect();
        let told: Vec<_> = told
            .iter()
            .cloned()
            .map(|one| settled(one, &zone))
            .collect();
        if own != told {
            let odd = |these: &[(String, String)], those: &[(String, String)]| {
                let odd = these.iter().filter(|one| !those.contains(one)).take(3);
                format!("{:?}", odd.collect::<Vec<_>>())
            };
            different.push(format!(
                "{} in {}: only here {}, only there {}\n{}",
                one.rule,
                one.zone,
                odd(&own, &told),
                odd(&told, &own),
                one.calendar
            ));
        }
    }
    assert!(compared > 20_000, "only {compared} instances were compared");
    assert!(
        different.is_empty(),
        "{} of {SERIES} differ in {} zones:\n{}",
        different.len(),
        ZONES.len(),
        different.join("\n")
    );
}

#[test]
fn a_series_cut_in_two_keeps_its_instances() {
    let mut dice = Dice(5_545);
    let all: Vec<_> = (0..CUTS)
        .filter_map(|number| cut(number, &mut dice))
        .collect();
    let texts = all
        .iter()
        .flat_map(|(whole, [before, rest])| [whole, before, rest]);
    let texts: Vec<&str> = texts.map(String::as_str).collect();
    let told = of_the_library(&texts);
    let mut compared = 0;
    for ((whole, [before, rest]), told) in all.iter().zip(told.chunks(3)) {
        let [once, first, second] = told else {
            panic!("{told:?}")
        };
        let mut parts = [first.clone(), second.clone()].concat();
        parts.sort();
        assert_eq!(once, &parts, "{whole}\n{before}\n{rest}");
        compared += once.len();
    }
    assert!(compared > 5_000, "only {compared} instances were compared");
}
