//! Changes to records: what a local effect does, and its inverse.

use serde::{Deserialize, Serialize};
use serde_json::Value;

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

/// How deep a change may lie inside what was fixed when an action was proposed.
const FIXED_DEPTH_MAX: usize = 4;

impl Change {
    /// The change inside what was fixed when an action was proposed, whatever the tool put around it; none where nothing
    /// of the kind was fixed.
    ///
    /// # Errors
    /// When there is one and it cannot be read any more.
    pub fn fixed_in(frozen: &Value) -> Result<Option<Self>, serde_json::Error> {
        fixed_in(frozen, 0)
    }

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

fn fixed_in(value: &Value, depth: usize) -> Result<Option<Change>, serde_json::Error> {
    let Some(fields) = value.as_object().filter(|_| depth < FIXED_DEPTH_MAX) else {
        return Ok(None);
    };
    if fields.contains_key("ops") {
        return Change::deserialize(value).map(Some);
    }
    for inner in fields.values() {
        if let Some(found) = fixed_in(inner, depth + 1)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}
