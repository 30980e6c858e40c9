//! Tests of `adjutant run --once` killed at every step it stores: a reminder is shown once or not at all, and an
//! expired action is closed.

use std::os::unix::process::ExitStatusExt as _;
use std::process::Output;

use super::{Profile, SIGKILL, TIMES_MAX};

/// Half an hour after [`super::NOW`]: the reminder is due, and the approval has expired.
const LATER: &str = "2026-01-12T09:30:00+01:00[Europe/Paris]";

fn prepared() -> Profile {
    let profile = Profile::new();
    for text in [
        "add a task to stretch",
        "remind me to call mom in 10 minutes",
        "delete the task stretch",
    ] {
        profile.run(&["ask", text]);
    }
    assert_eq!(profile.show("approvals").len(), 1, "it waits");
    profile.at(LATER)
}

fn told(output: &Output, what: &str) -> usize {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().filter(|line| line.contains(what)).count()
}

#[test]
fn survives_kills_while_running_due_jobs() {
    let mut kills = 0;
    for place in prepared().places(&["run", "--once"]) {
        for nth in 1..=TIMES_MAX {
            let profile = prepared();
            let at = format!("{place}:{nth}");
            let mut first = profile.command(&["run", "--once"]);
            let first = first.env("ADJUTANT_CRASH_AT", &at).output();
            let first = first.expect("it runs");
            if first.status.signal() != Some(SIGKILL) {
                break;
            }
            kills += 1;
            let runs = [
                first,
                profile.run(&["run", "--once"]),
                profile.run(&["run", "--once"]),
            ];
            let reminders: usize = runs.iter().map(|run| told(run, "Call mom")).sum();
            assert!(reminders <= 1, "{at}: told {reminders} times");
            let lost = reminders == 0;
            assert!(
                !lost || place == "settle_jobs.after",
                "{at}: only a kill between storing and telling may lose a notification"
            );
            let jobs = profile.show("jobs");
            for job in jobs.iter().filter(|job| job["repeats"].is_null()) {
                assert_eq!(job["state"], "done", "{at}: {job}");
            }
            assert_eq!(profile.show("approvals")[0]["state"], "expired", "{at}");
            assert_eq!(profile.show("tasks").len(), 2, "{at}");
        }
    }
    assert!(kills >= 6, "only {kills} places came by");
}
