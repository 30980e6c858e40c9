//! Tests of when imported tasks were completed.

#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::sync::Arc;

use adjutant_domain::ports::Entropy;
use adjutant_domain::record::{Record, TaskStatus};
use adjutant_interchange::{Item, Seed, open};

struct Always;

impl Entropy for Always {
    fn bits(&self) -> u64 {
        7
    }
}

/// Reads a file with this name and content, as a person in Paris.
fn read(name: &str, content: impl AsRef<[u8]>) -> Vec<Item> {
    let now = "2026-01-12T09:00:00+01:00[Europe/Paris]";
    let seed = Seed {
        now: now.parse().expect("a time"),
        entropy: Arc::new(Always),
        own: Vec::new(),
    };
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join(name);
    std::fs::write(&path, content).expect("a file");
    open(&path, &seed).expect("it opens").collect()
}

/// Returns when each of the tasks was completed.
fn completed(items: Vec<Item>) -> Vec<Option<String>> {
    let of = |record| match record {
        Record::Task(task) => {
            assert_eq!(task.status, TaskStatus::Done);
            task.completed_at.map(|at| at.to_string())
        }
        other => panic!("{other:?}"),
    };
    let records = items
        .into_iter()
        .map(|item| item.expect("no refusal").record);
    records.map(of).collect()
}

#[test]
fn a_done_task_has_only_the_time_that_the_file_gives() {
    let todo = |line: &str| {
        read(
            "a.ics",
            format!(
                "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nUID:a\r\nSUMMARY:a\r\nSTATUS:COMPLETED\r\n{line}END:VTODO\r\nEND:VCALENDAR\r\n"
            ),
        )
    };
    // A day counts from its beginning in the person's zone, Paris.
    let midnight = "2026-01-04T23:00:00Z".to_owned();
    for (line, at) in [
        ("", None),
        (
            "COMPLETED:20260105T083000Z\r\n",
            Some("2026-01-05T08:30:00Z".to_owned()),
        ),
        ("COMPLETED;VALUE=DATE:20260105\r\n", Some(midnight.clone())),
    ] {
        assert_eq!(completed(todo(line)), [at], "{line}");
    }
    assert_eq!(
        completed(read(
            "a.csv",
            "title,status,completed_at\na,done,\nb,done,2026-01-05T08:30:00Z\nc,done,2026-01-05\n",
        )),
        [
            None,
            Some("2026-01-05T08:30:00Z".to_owned()),
            Some(midnight)
        ]
    );
    assert_eq!(completed(read("a.csv", "title,status\na,done\n")), [None]);
}
