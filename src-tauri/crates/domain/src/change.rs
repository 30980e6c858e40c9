//! Changes to records: what a local effect does, and its inverse.

use serde::{Deserialize, Serialize};

use crate::ids::RecordId;
use crate::record::{Kind, Record};

/// A set of row operations that happen together or not at all.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Operations, in order.
    pub ops: Vec<RowOp>,
}

/// One row operation. Storage refuses the whole change when an expectation does not hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum RowOp {
    /// Writes a row.
    Put {
        /// The row as it shall be; its version is set by storage.
        record: Box<Record>,
        /// What must be there before.
        expect: Expect,
    },
    /// Removes a row.
    Delete {
        /// Kind of the row.
        kind: Kind,
        /// Which row.
        id: RecordId,
        /// What must be there before.
        expect: Expect,
    },
}

/// What a row operation counts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expect {
    /// No such row yet.
    Absent,
    /// The row has exactly this version.
    Version(i64),
}

impl Change {
    /// A change that adds one new record.
    #[must_use]
    pub fn add(record: Record) -> Self {
        Self {
            ops: vec![RowOp::Put {
                record: Box::new(record),
                expect: Expect::Absent,
            }],
        }
    }

    /// A change that replaces one record (its `version` field says which version is replaced).
    #[must_use]
    pub fn replace(record: Record) -> Self {
        Self::default().and_replace(record)
    }

    /// A change that removes one record.
    #[must_use]
    pub fn remove(record: &Record) -> Self {
        Self::default().and_remove(record)
    }

    /// The same change with one more new record.
    #[must_use]
    pub fn and_add(mut self, record: Record) -> Self {
        self.ops.push(RowOp::Put {
            record: Box::new(record),
            expect: Expect::Absent,
        });
        self
    }

    /// The same change with one more replacement.
    #[must_use]
    pub fn and_replace(mut self, record: Record) -> Self {
        let expect = Expect::Version(record.version());
        self.ops.push(RowOp::Put {
            record: Box::new(record),
            expect,
        });
        self
    }

    /// The same change with one more removal.
    #[must_use]
    pub fn and_remove(mut self, record: &Record) -> Self {
        self.ops.push(RowOp::Delete {
            kind: record.kind(),
            id: record.id().clone(),
            expect: Expect::Version(record.version()),
        });
        self
    }
}
