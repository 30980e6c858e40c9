//! Contains panics of code that a turn calls: they end that piece of work and are logged.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a pure function of another crate. Logs a panic and returns `None` for it.
pub(crate) fn contained<T>(stage: &'static str, work: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => Some(done),
        Err(panic) => {
            tracing::error!(stage, panic = text(&*panic), "a stage panicked");
            None
        }
    }
}

/// Returns the message of a panic, for the log.
pub(crate) fn text(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}
