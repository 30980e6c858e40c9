//! Points at which a test may kill the process, to prove that nothing is lost, duplicated or falsely claimed.
//!
//! In debug builds, `ADJUTANT_CRASH_AT=name` (or `name:3` for the third time) makes the process kill itself with
//! SIGKILL when it reaches that point. Release builds contain no crash points.

macro_rules! crash_points {
    ($($job:literal),+ $(,)?) => {
        &[$(concat!($job, ".before"), concat!($job, ".inside"), concat!($job, ".after")),+]
    };
}

/// The name of every crash point, in the form `ADJUTANT_CRASH_AT` takes. Each job of the writer has three: `before`
/// its transaction begins, `inside` it when everything is written but not committed, and `after` the commit, before
/// the caller is told.
pub const CRASH_POINTS: &[&str] = crash_points![
    "open_turn",
    "reopen_turn",
    "save_plan",
    "keep_journal",
    "keep_summary",
    "commit_effect",
    "begin_attempt",
    "end_attempt",
    "approve_action",
    "move_action",
    "close_turn",
    "import",
    "apply",
    "expire_actions",
    "keep_jobs",
    "claim_jobs",
    "begin_job",
    "renew_job",
    "hurry_jobs",
    "settle_jobs",
    "release_jobs",
    "stop_job",
    "note_memories_used",
    "note_comparison",
    "note_import",
    "note_egress",
    "end_egress",
    "set_setting",
    "remove_setting",
    "rename_conversation",
    "delete_conversation",
    "place_conversation",
    "restore_conversation",
    "forget_deleted",
    "forget_gone",
    "shorten_journal",
    "reserve_call",
    "settle_call",
    "settle_lost_calls",
    "put_account",
    "add_account",
    "set_account_setup",
    "note_sync",
    "leave_account",
    "plan_job",
    "remove_account",
    "put_collections",
    "prefer_collection",
    "pull",
    "reached",
    "pulled",
    "drop_lost",
    "keep_fetched",
    "link_draft",
    "unlink_draft",
    "take_draft",
    "remove_draft",
    "put_server",
    "remove_server",
    "keep_attached",
    "add_job",
    "put_research",
    "move_research",
    "begin_research_step",
    "take_back_research_step",
    "save_research",
    "add_grant",
    "revoke_grant",
    "restore_grant",
    "note_unasked",
];

/// Kills this process if `ADJUTANT_CRASH_AT` names this point (debug builds only).
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

    note(name);

    if let Some((target, nth)) = &*TARGET
        && target == name
        && PASSED.fetch_add(1, Ordering::SeqCst) + 1 == *nth
    {
        kill();
    }
}

/// Appends the name of a crash point to the file named by `ADJUTANT_CRASH_LOG`. Tests then kill only at the points
/// that a scenario passes.
#[cfg(debug_assertions)]
fn note(name: &str) {
    use std::io::Write as _;

    #[expect(
        clippy::disallowed_methods,
        reason = "a switch for tests, as above; the file is the test's own"
    )]
    let file = std::env::var_os("ADJUTANT_CRASH_LOG").and_then(|path| {
        std::fs::File::options()
            .append(true)
            .create(true)
            .open(path)
            .ok()
    });
    if let Some(mut file) = file {
        let _ = writeln!(file, "{name}");
    }
}

/// Does nothing in release builds.
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

/// Passes the crash point of a job for `phase`, one of the three around its transaction.
pub(crate) fn crash_at(job: &str, phase: &str) {
    if cfg!(debug_assertions) {
        let name = format!("{job}.{phase}");
        debug_assert!(
            CRASH_POINTS.contains(&name.as_str()),
            "{name} is not listed"
        );
        crash_point(&name);
    }
}
