//! The inverse of a change, and the receipt read back after it.

use adjutant_domain::canonical;
use adjutant_domain::change::{Change, Expect, RowOp};
use adjutant_domain::ids::RecordId;
use adjutant_domain::operation::ReceiptRow;
use adjutant_domain::record::{Kind, Record};

use super::MemoryLog;

impl MemoryLog {
    fn row(&self, kind: Kind, id: &RecordId) -> Option<Record> {
        let mut rows = self.records.all().into_iter();
        rows.find(|row| row.kind() == kind && row.id() == id)
    }

    /// Returns the inverse in reverse order, with the row versions that follow the change.
    pub(super) fn inverse(&self, change: &Change) -> Change {
        let mut ops = Vec::new();
        for op in change.ops.iter().rev() {
            let (kind, id) = (op.kind(), op.id().clone());
            let before = self.row(kind, &id);
            let after = before.as_ref().map_or(0, Record::version) + 1;
            ops.push(match (op, before) {
                (RowOp::Put { .. }, None) => RowOp::Delete {
                    kind,
                    id,
                    expect: Expect::Version(after),
                },
                (RowOp::Mark { .. }, None) => continue,
                (RowOp::Put { .. } | RowOp::Mark { .. }, Some(before)) => RowOp::Put {
                    record: Box::new(before),
                    expect: Expect::Version(after),
                },
                (RowOp::Delete { .. }, Some(before)) => RowOp::Put {
                    record: Box::new(before),
                    expect: Expect::Absent,
                },
                (RowOp::Delete { .. }, None) => continue,
            });
        }
        Change {
            ops,
            ..Change::default()
        }
    }

    pub(super) fn read_back(&self, change: &Change) -> Vec<ReceiptRow> {
        let touched = change.ops.iter().map(|op| (op.kind(), op.id().clone()));
        touched
            .map(|(kind, id)| {
                let row = self.row(kind, &id);
                ReceiptRow {
                    kind,
                    label: row.as_ref().map_or(String::new(), |row| row.label().into()),
                    version: row.as_ref().map(Record::version),
                    digest: row
                        .as_ref()
                        .and_then(|row| canonical::digest(row).ok())
                        .map(|digest| digest.0),
                    id: id.0,
                }
            })
            .collect()
    }
}
