//! Reads what version 0.1 froze for an approval: it stored a `deed` where this version stores operations. An action
//! that waited during an update can thus be answered afterwards. It does what was shown, and its digest still covers
//! the original bytes.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Before, Frozen, Target};
use crate::answer::Answer;
use crate::change::{Change, Expect, MailMarks, RowOp};
use crate::ids::{AccountId, RecordId};
use crate::operation::Operation;
use crate::record::Folder;

/// Stored form of [`Before`].
#[derive(Serialize, Deserialize)]
pub(super) struct Stored {
    targets: Vec<Target>,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    frozen: Value,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    data: Value,
}

impl From<Stored> for Before {
    fn from(stored: Stored) -> Self {
        let (frozen, written) = match Frozen::deserialize(&stored.frozen) {
            Ok(frozen) => (Some(frozen), Value::Null),
            // An unreadable value counts as absent: the digest then no longer matches, and the gate refuses the action.
            Err(_) => match Earlier::deserialize(&stored.frozen) {
                Ok(earlier) => (Some(earlier.into()), stored.frozen),
                Err(_) => (None, Value::Null),
            },
        };
        Self {
            account: AccountId::local(),
            targets: stored.targets,
            frozen,
            written,
            data: stored.data,
        }
    }
}

impl From<Before> for Stored {
    fn from(before: Before) -> Self {
        Self {
            frozen: before.digested(),
            targets: before.targets,
            data: before.data,
        }
    }
}

/// What version 0.1 froze.
#[derive(Deserialize)]
struct Earlier {
    deed: EarlierEffect,
    answer: Answer,
}

#[derive(Deserialize)]
#[serde(tag = "deed", rename_all = "snake_case")]
enum EarlierEffect {
    Rows {
        change: Change,
    },
    Mails {
        mails: Vec<(RecordId, i64)>,
        edit: Edit,
        #[serde(default)]
        rows: Change,
    },
}

/// An edit of mails. Label edits cannot be read: they were relative to labels that were not frozen.
#[derive(Deserialize)]
#[serde(tag = "edit", rename_all = "snake_case")]
enum Edit {
    Move {
        folder: Folder,
    },
    Mark {
        read: Option<bool>,
        starred: Option<bool>,
    },
}

impl From<Earlier> for Frozen {
    fn from(earlier: Earlier) -> Self {
        let change = match earlier.deed {
            EarlierEffect::Rows { change } => change,
            EarlierEffect::Mails { mails, edit, rows } => {
                let marks = edit.into_marks();
                let marked = mails.into_iter().map(|(id, version)| RowOp::Mark {
                    id,
                    expect: Expect::Version(version),
                    marks: marks.clone(),
                });
                Change {
                    ops: marked.chain(rows.ops).collect(),
                    ..Change::default()
                }
            }
        };
        Self {
            operations: vec![Operation::Local { change }],
            answer: earlier.answer,
            undoes: None,
            hold_seconds: 0,
            not_before: None,
        }
    }
}

impl Edit {
    fn into_marks(self) -> MailMarks {
        let (folder, read, starred) = match self {
            Self::Move { folder } => (Some(folder), None, None),
            Self::Mark { read, starred } => (None, read, starred),
        };
        MailMarks {
            folder,
            labels: None,
            mailbox: None,
            read,
            starred,
            // Version 0.1 did not freeze a time. A mail keeps the later of its own time and this one.
            updated: Timestamp::UNIX_EPOCH,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_was_fixed_before_is_read_and_written_as_it_was() {
        let moved = json!({
            "deed": {"deed": "mails", "mails": [["mail_1", 3]], "edit": {"edit": "move", "folder": "trash"}, "rows": {"ops": []}},
            "answer": {"output": null, "say": "Deleted.", "referents": [], "taint": "clean", "used_memories": []},
        });
        let stored = json!({"targets": [], "frozen": moved, "data": null});
        let before = Before::deserialize(&stored).expect("readable");
        assert_eq!(before.digested(), moved);
        let frozen = before.frozen.clone().expect("a deed");
        let [Operation::Local { change }] = &frozen.operations[..] else {
            panic!("{frozen:?}");
        };
        assert!(
            matches!(&change.ops[..], [RowOp::Mark { marks, .. }] if marks.folder == Some(Folder::Trash))
        );
        assert_eq!(
            serde_json::to_value(&before).expect("json")["frozen"],
            moved
        );
    }

    #[test]
    fn what_cannot_be_read_is_nothing() {
        let stored = json!({"targets": [], "frozen": {"deed": {"deed": "other"}}});
        let before = Before::deserialize(&stored).expect("readable");
        assert_eq!(
            (before.frozen.is_none(), before.digested()),
            (true, Value::Null)
        );
    }
}
