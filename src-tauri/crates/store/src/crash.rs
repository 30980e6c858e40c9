//! Places where a test may kill the process, to prove that nothing is lost, doubled or claimed falsely.
//!
//! In debug builds `ADJUTANT_CRASH_AT=name` (or `name:3` for the third time) makes the process kill itself with
//! SIGKILL when it comes by. In release builds there is nothing.

/// Every place, in the form `ADJUTANT_CRASH_AT` takes: before a transaction begins, inside it after everything is
/// written but not committed, and after the commit before anybody hears of it.
pub const CRASH_POINTS: &[&str] = &[
    "open_turn.before",
    "open_turn.inside",
    "open_turn.after",
    "reopen_turn.before",
    "reopen_turn.inside",
    "reopen_turn.after",
    "save_plan.before",
    "save_plan.inside",
    "save_plan.after",
    "commit_effect.before",
    "commit_effect.inside",
    "commit_effect.after",
    "move_action.before",
    "move_action.inside",
    "move_action.after",
    "close_turn.before",
    "close_turn.inside",
    "close_turn.after",
    "apply.before",
    "apply.inside",
    "apply.after",
    "import.before",
    "import.inside",
    "import.after",
    "mark_reminder.before",
    "mark_reminder.inside",
    "mark_reminder.after",
    "expire_actions.before",
    "expire_actions.inside",
    "expire_actions.after",
];

/// Kills this process here if `ADJUTANT_CRASH_AT` says so (debug builds only).
#[cfg(debug_assertions)]
pub fn crash_point(name: &str) {
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    static TARGET: LazyLock<Option<(String, u64)>> = LazyLock::new(|| {
        #[expect(
            clippy::disallowed_methods,
            reason = "a switch for tests, which must reach the store below everything that reads settings"
        )]
        let text = std::env::var("ADJUTANT_CRASH_AT").ok()?;
        Some(match text.rsplit_once(':') {
            Some((name, nth)) => (name.to_owned(), nth.parse().unwrap_or(1)),
            None => (text, 1),
        })
    });
    static PASSED: AtomicU64 = AtomicU64::new(0);

    if let Some((target, nth)) = &*TARGET
        && target == name
        && PASSED.fetch_add(1, Ordering::SeqCst) + 1 == *nth
    {
        kill();
    }
}

/// Nothing in release builds.
#[cfg(not(debug_assertions))]
pub fn crash_point(_name: &str) {}

#[cfg(all(debug_assertions, unix))]
fn kill() -> ! {
    // SIGKILL cannot be caught, so no destructor and no flush runs: as close to a power cut as a process gets.
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    std::process::abort()
}

#[cfg(all(debug_assertions, not(unix)))]
fn kill() -> ! {
    std::process::abort()
}

/// The three places around the transaction of one job.
pub(crate) fn crash_at(job: &str, phase: &str) {
    if cfg!(debug_assertions) {
        crash_point(&format!("{job}.{phase}"));
    }
}
