//! Reads bytes as a file of a format, as `adjutant import` does, and expands what a calendar would show of it.

use std::sync::Arc;

use adjutant_domain::ports::Entropy;
use adjutant_domain::record::{Event, Record};
use adjutant_interchange::{Seed, open};
use adjutant_recurrence::{INSTANCES_MAX, Work, in_words, instances, last_end};
use jiff::tz::TimeZone;

struct Same;

impl Entropy for Same {
    fn bits(&self) -> u64 {
        7
    }
}

pub fn read(ending: &str, data: &[u8]) {
    let path = std::env::temp_dir().join(format!("adjutant-fuzz-{}.{ending}", std::process::id()));
    std::fs::write(&path, data).expect("the folder for temporary files can be written");
    let now = "2026-01-12T09:00:00+01:00[Europe/Paris]"
        .parse()
        .expect("a time");
    let seed = Seed {
        now,
        entropy: Arc::new(Same),
        own: vec!["me@example.org".into()],
    };
    if let Ok(items) = open(&path, &seed) {
        for item in items {
            if let Ok(incoming) = item {
                assert!(!incoming.record.id().as_str().is_empty());
                if let Record::Event(event) = &incoming.record {
                    expand(event);
                }
            }
        }
    }
}

/// Expands over a week, a year and all of time: whatever the rule, this returns, and the result stays small.
fn expand(event: &Event) {
    let at = |text: &str| text.parse().expect("an instant");
    for (from, to) in [
        ("2026-01-12T00:00:00Z", "2026-01-19T00:00:00Z"),
        ("2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"),
        ("0001-01-01T00:00:00Z", "9999-12-30T00:00:00Z"),
    ] {
        let (from, to) = (at(from), at(to));
        let series = instances(event, from, to, &TimeZone::UTC, &mut Work::default());
        assert!(series.found.len() <= INSTANCES_MAX + event.rdates.len());
        assert!(series.found.iter().all(|one| one.start.starts(&TimeZone::UTC) < to));
    }
    let _ = last_end(event);
    if let Some(rule) = &event.rrule {
        let _ = in_words(rule);
    }
}
