//! Changes to records: what a local effect does, and its inverse.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::RecordId;
use crate::record::{Folder, Kind, Mail, Record};

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
    /// Moves or marks a mail; its text, which may be long, is not part of the change.
    Mark {
        /// Which mail.
        id: RecordId,
        /// What must be there before.
        expect: Expect,
        /// What becomes different.
        marks: MailMarks,
    },
}

/// Where a mail lies and how it is marked, as far as that changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MailMarks {
    /// The folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<Folder>,
    /// All labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<String>>,
    /// Read or unread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<bool>,
    /// Starred or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starred: Option<bool>,
    /// When this was decided.
    pub updated: Timestamp,
}

impl MailMarks {
    /// Writes them into a mail.
    pub fn apply(&self, mail: &mut Mail) {
        if let Some(folder) = self.folder {
            mail.folder = folder;
        }
        if let Some(labels) = &self.labels {
            mail.labels.clone_from(labels);
        }
        mail.read = self.read.unwrap_or(mail.read);
        mail.starred = self.starred.unwrap_or(mail.starred);
        mail.updated = mail.updated.max(self.updated);
    }
}

impl RowOp {
    /// Kind of the row.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Put { record, .. } => record.kind(),
            Self::Delete { kind, .. } => *kind,
            Self::Mark { .. } => Kind::Mail,
        }
    }

    /// Which row.
    #[must_use]
    pub fn id(&self) -> &RecordId {
        match self {
            Self::Put { record, .. } => record.id(),
            Self::Delete { id, .. } | Self::Mark { id, .. } => id,
        }
    }

    /// What must be there before.
    #[must_use]
    pub fn expect(&self) -> Expect {
        match self {
            Self::Put { expect, .. } | Self::Delete { expect, .. } | Self::Mark { expect, .. } => {
                *expect
            }
        }
    }
}

impl From<Option<i64>> for Expect {
    /// What holds for a row with this version, or for none.
    fn from(version: Option<i64>) -> Self {
        version.map_or(Self::Absent, Self::Version)
    }
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

    /// The same change with one more mail moved or marked.
    #[must_use]
    pub fn and_mark(mut self, mail: &Mail, marks: MailMarks) -> Self {
        self.ops.push(RowOp::Mark {
            id: mail.id.clone(),
            expect: Expect::Version(mail.version),
            marks,
        });
        self
    }
}
