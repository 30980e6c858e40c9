//! Benchmarks of expanding rules: usual ones, old ones, and ones built to cost as much as possible.

#![expect(clippy::expect_used, reason = "a benchmark that cannot run has failed")]
#![expect(missing_docs, reason = "criterion makes a function of its own")]

use std::hint::black_box;

use adjutant_recurrence::{Rule, Work};
use criterion::{Criterion, criterion_group, criterion_main};
use jiff::civil::{DateTime, date};

const RULES: &[(&str, &str)] = &[
    ("daily", "FREQ=DAILY"),
    ("weekly", "FREQ=WEEKLY;BYDAY=MO,WE,FR"),
    ("monthly", "FREQ=MONTHLY;BYDAY=-1FR"),
    ("yearly", "FREQ=YEARLY"),
    ("counted", "FREQ=WEEKLY;BYDAY=TU;COUNT=5000"),
    ("secondly", "FREQ=SECONDLY;COUNT=4294967295"),
    (
        "hostile_empty",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=1",
    ),
    (
        "hostile_counted",
        "FREQ=HOURLY;BYMINUTE=0,15,30,45;COUNT=4294967295",
    ),
];

fn expansion(criterion: &mut Criterion) {
    let start: DateTime = date(1970, 1, 1).at(9, 0, 0, 0);
    let ranges = [
        ("day", date(2026, 1, 13)..date(2026, 1, 14)),
        ("year", date(2026, 1, 1)..date(2027, 1, 1)),
    ];
    for (name, text) in RULES {
        let rule = Rule::parse(text).expect("a rule");
        for (length, range) in &ranges {
            let range = range.start.at(0, 0, 0, 0)..range.end.at(0, 0, 0, 0);
            criterion.bench_function(&format!("expand/{name}/{length}"), |b| {
                b.iter(|| black_box(rule.expand(start, None, range.clone(), &mut Work::default())));
            });
        }
    }
}

criterion_group!(benches, expansion);
criterion_main!(benches);
