//! Locks a profile for one process, its holder. The operating system releases the lock when the process ends, however
//! it ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

/// Name of the lock file in a profile folder.
pub const LOCK_FILE: &str = "lock";

/// The lock on a profile; held until dropped.
#[derive(Debug)]
pub struct Hold {
    // The operating system unlocks the file when it is closed.
    _file: File,
}

/// Tries to lock a profile. Returns `None` if another process holds it.
///
/// # Errors
/// Returns an error if the lock file cannot be opened or locked.
pub fn hold(dir: &Path) -> std::io::Result<Option<Hold>> {
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(dir.join(LOCK_FILE))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(Hold { _file: file })),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}
