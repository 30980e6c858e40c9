//! Faults inside the store, and their conversion to the fault that callers see.

use adjutant_domain::faults::StoreFault;
use rusqlite::ErrorCode;

/// The error of a job on a connection.
#[derive(Debug)]
pub(crate) enum Fault {
    /// Already expressed as a fault of the ports.
    Store(StoreFault),
    /// As the database reported it.
    Sql(rusqlite::Error),
}

pub(crate) type Result<T> = std::result::Result<T, Fault>;

impl Fault {
    /// Builds the fault for a lost compare-and-set.
    pub(crate) fn conflict(what: impl Into<String>) -> Self {
        Self::Store(StoreFault::Conflict { what: what.into() })
    }

    /// Builds the fault for a missing row.
    pub(crate) fn missing(what: impl Into<String>) -> Self {
        Self::Store(StoreFault::Missing { what: what.into() })
    }

    /// Builds any other fault from its message.
    pub(crate) fn other(what: impl std::fmt::Display) -> Self {
        Self::Store(StoreFault::Other(what.to_string()))
    }
}

impl From<StoreFault> for Fault {
    fn from(fault: StoreFault) -> Self {
        Self::Store(fault)
    }
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<serde_json::Error> for Fault {
    fn from(error: serde_json::Error) -> Self {
        Self::other(format!("a stored value cannot be read or written: {error}"))
    }
}

impl From<Fault> for StoreFault {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Store(fault) => fault,
            Fault::Sql(error) => from_sql(&error),
        }
    }
}

/// Maps a database error to one of the faults the person is told about.
pub(crate) fn from_sql(error: &rusqlite::Error) -> StoreFault {
    let rusqlite::Error::SqliteFailure(failure, message) = error else {
        return StoreFault::Other(error.to_string());
    };
    match failure.code {
        ErrorCode::DiskFull => StoreFault::DiskFull,
        ErrorCode::ReadOnly | ErrorCode::PermissionDenied => StoreFault::ReadOnly,
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => {
            StoreFault::Damaged(message.clone().unwrap_or_else(|| failure.to_string()))
        }
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            StoreFault::Other("another process is writing to the profile".into())
        }
        ErrorCode::CannotOpen => StoreFault::Other(
            "the profile cannot be opened; is the folder there and may you read it?".into(),
        ),
        ErrorCode::ConstraintViolation => StoreFault::Conflict {
            what: message
                .as_deref()
                .and_then(|text| text.split(": ").nth(1))
                .map_or_else(
                    || "a row".to_owned(),
                    |columns| format!("a row ({columns})"),
                ),
        },
        _ => StoreFault::Other(error.to_string()),
    }
}

/// Whether the error is a violated unique constraint.
pub(crate) fn is_unique_violation(error: &rusqlite::Error) -> bool {
    matches!(
        error,
        rusqlite::Error::SqliteFailure(failure, _)
            if failure.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE
    )
}
