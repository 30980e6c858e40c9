//! Changes to records: the rows a local effect writes, and their inverse.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::account::Origin;
use crate::ids::RecordId;
use crate::record::{Folder, Kind, Mail, Record};

/// A set of row operations that storage applies atomically.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Operations, in the order they are applied.
    pub ops: Vec<RowOp>,
    /// Where the rows that come back lived before they were removed, so that they come back there. Rows of one event
    /// share a place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub homes: Vec<Home>,
}

/// Where a removed row lived at its provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Home {
    /// The row.
    pub record: RecordId,
    /// Its last place, with the source last read.
    pub origin: Origin,
}

/// One row operation. If its expectation does not hold, storage refuses the whole change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum RowOp {
    /// Writes a row.
    Put {
        /// The row to write. Storage sets its version.
        record: Box<Record>,
        /// State the row must be in beforehand.
        expect: Expect,
    },
    /// Removes a row.
    Delete {
        /// Kind of the row.
        kind: Kind,
        /// Id of the row.
        id: RecordId,
        /// State the row must be in beforehand.
        expect: Expect,
    },
    /// Moves or marks a mail without carrying its possibly long text.
    Mark {
        /// Id of the mail.
        id: RecordId,
        /// State the row must be in beforehand.
        expect: Expect,
        /// The fields to change.
        marks: MailMarks,
    },
}

/// Changes to a mail's folder, labels and flags. `None` leaves a field unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MailMarks {
    /// New folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<Folder>,
    /// New labels, replacing all existing ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<String>>,
    /// The mailbox of the person's own that the mail moves to: one of the new labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mailbox: Option<String>,
    /// New read flag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<bool>,
    /// New star flag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starred: Option<bool>,
    /// When this was decided. The mail's `updated` never moves back.
    pub updated: Timestamp,
}

impl MailMarks {
    /// Applies the changes to `mail`.
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
    /// Returns the kind of the row.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Put { record, .. } => record.kind(),
            Self::Delete { kind, .. } => *kind,
            Self::Mark { .. } => Kind::Mail,
        }
    }

    /// Returns the id of the row.
    #[must_use]
    pub fn id(&self) -> &RecordId {
        match self {
            Self::Put { record, .. } => record.id(),
            Self::Delete { id, .. } | Self::Mark { id, .. } => id,
        }
    }

    /// Returns the state the row must be in beforehand.
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
    /// Returns `Version` for an existing row's version and `Absent` for `None`.
    fn from(version: Option<i64>) -> Self {
        version.map_or(Self::Absent, Self::Version)
    }
}

/// State in which a row operation expects to find its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expect {
    /// The row does not exist.
    Absent,
    /// The row exists with exactly this version.
    Version(i64),
}

impl Change {
    /// Creates a change that adds one new record.
    #[must_use]
    pub fn add(record: Record) -> Self {
        Self {
            ops: vec![RowOp::Put {
                record: Box::new(record),
                expect: Expect::Absent,
            }],
            homes: Vec::new(),
        }
    }

    /// Returns where a row lived before it was removed, if the change brings it back.
    #[must_use]
    pub fn home(&self, record: &RecordId) -> Option<&Origin> {
        let home = self.homes.iter().find(|home| home.record == *record);
        home.map(|home| &home.origin)
    }

    /// Creates a change that replaces the version of a record named by its `version` field.
    #[must_use]
    pub fn replace(record: Record) -> Self {
        Self::default().and_replace(record)
    }

    /// Creates a change that removes one record.
    #[must_use]
    pub fn remove(record: &Record) -> Self {
        Self::default().and_remove(record)
    }

    /// Appends the addition of a new record.
    #[must_use]
    pub fn and_add(mut self, record: Record) -> Self {
        self.ops.push(RowOp::Put {
            record: Box::new(record),
            expect: Expect::Absent,
        });
        self
    }

    /// Appends the replacement of a record.
    #[must_use]
    pub fn and_replace(mut self, record: Record) -> Self {
        let expect = Expect::Version(record.version());
        self.ops.push(RowOp::Put {
            record: Box::new(record),
            expect,
        });
        self
    }

    /// Appends the removal of a record.
    #[must_use]
    pub fn and_remove(mut self, record: &Record) -> Self {
        self.ops.push(RowOp::Delete {
            kind: record.kind(),
            id: record.id().clone(),
            expect: Expect::Version(record.version()),
        });
        self
    }

    /// Appends moving or marking a mail.
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
