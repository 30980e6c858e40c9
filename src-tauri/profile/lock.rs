//! Who holds a profile: the process that has its lock file locked. The system lets go when the process ends,
//! however it ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

/// Name of the lock file in a profile.
pub const LOCK_FILE: &str = "lock";

/// Holds a profile as long as it lives.
#[derive(Debug)]
pub struct Hold {
    // Unlocked by the system when it is closed.
    _file: File,
}

/// Takes hold of a profile. `None`: another process holds it.
///
/// # Errors
/// When the lock file cannot be opened or locked.
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
