//! The tables in `tests/time`: what English texts mean, line by line.

#![expect(clippy::expect_used, reason = "a broken table must stop the test")]

use adjutant_understanding::time::{Policy, Value, find};
use jiff::Zoned;
use std::fmt::Write;

/// Where the tables stand.
const NOW: &str = "2026-01-14T10:20:00[America/New_York]";

fn now() -> Zoned {
    NOW.parse().expect("a valid instant")
}

/// A line of a table: the text without marks, the marked expressions and the values they stand for.
struct Line<'t> {
    marked: &'t str,
    text: String,
    spans: Vec<(std::ops::Range<usize>, Option<std::ops::Range<usize>>)>,
    values: Vec<&'t str>,
}

fn lines(table: &str) -> Vec<Line<'_>> {
    let rows = table
        .lines()
        .filter(|l| !l.starts_with('#') && !l.trim().is_empty());
    rows.map(|row| {
        let (marked, values) = row.rsplit_once('|').expect("a line has a |");
        let (marked, mut text, mut spans) = (marked.trim(), String::new(), Vec::new());
        let (mut open, mut lead) = (0, None);
        for c in marked.chars() {
            match c {
                '[' | '{' => open = text.len(),
                '}' => lead = Some(open..text.len()),
                ']' => spans.push((open..text.len(), lead.take())),
                c => text.push(c),
            }
        }
        let values = values.split(';').map(str::trim);
        let values = if values.clone().any(|v| v.contains('=')) {
            vec![row.rsplit_once('|').expect("a line has a |").1.trim()]
        } else {
            values.collect()
        };
        Line {
            marked,
            text,
            spans,
            values,
        }
    })
    .collect()
}

fn shown(value: &Value) -> String {
    let at = |z: &Zoned| match (z.second(), z.time() == jiff::civil::Time::midnight()) {
        (_, true) => z.strftime("%Y-%m-%d").to_string(),
        (0, _) => z.strftime("%Y-%m-%d %H:%M").to_string(),
        _ => z.strftime("%Y-%m-%d %H:%M:%S").to_string(),
    };
    match value {
        Value::Instant(z) if z.second() == 0 => z.strftime("%Y-%m-%d %H:%M").to_string(),
        Value::Instant(z) => at(z),
        Value::Date(day) => day.to_string(),
        Value::Interval { start, end } => format!("{} .. {}", at(start), at(end)),
        Value::Duration(length) => format!("{}s", length.seconds),
        Value::Set { rrule, .. } => rrule.clone(),
    }
}

fn check(table: &str, at_least: usize) {
    let (now, policy) = (now(), Policy::default());
    let lines = lines(table);
    assert!(lines.len() >= at_least, "only {} lines", lines.len());
    let mut wrong = String::new();
    for line in &lines {
        let found = find(&line.text, &now, &policy);
        let nothing = line.values == ["-"];
        let values: Vec<String> = found.iter().map(|f| shown(&f.value)).collect();
        let spans: Vec<_> = found
            .iter()
            .map(|f| (f.span.clone(), f.lead.clone()))
            .collect();
        let good = if nothing {
            // The brackets of such a line mark what must not be found as a whole.
            spans
                .iter()
                .all(|s| line.spans.iter().all(|want| want.0 != s.0))
        } else {
            values == line.values && spans == line.spans
        };
        if !good {
            let said: Vec<&str> = found.iter().map(|f| &line.text[f.span.clone()]).collect();
            let lead: Vec<&str> = found
                .iter()
                .filter_map(|f| Some(&line.text[f.lead.clone()?]))
                .collect();
            writeln!(
                wrong,
                "{} | want {:?} | got {values:?} {said:?} lead {lead:?}",
                line.marked, line.values
            )
            .expect("memory");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn time_instants_and_dates() {
    check(include_str!("time/instants.txt"), 150);
}

#[test]
fn time_stretches_lengths_and_repetitions() {
    check(include_str!("time/stretches.txt"), 100);
}

#[test]
fn time_is_not_seen_where_there_is_none() {
    let (now, policy) = (now(), Policy::default());
    let mut wrong = String::new();
    for text in include_str!("time/never.txt")
        .lines()
        .filter(|l| !l.starts_with('#') && !l.is_empty())
    {
        if let Some(found) = find(text, &now, &policy).first() {
            writeln!(
                wrong,
                "{text}: {:?} as {}",
                &text[found.span.clone()],
                shown(&found.value)
            )
            .expect("memory");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
