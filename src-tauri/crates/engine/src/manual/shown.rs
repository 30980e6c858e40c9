//! The card of a command, and the row versions the command depends on.

use adjutant_domain::account::Origins;
use adjutant_domain::change::{Change, Expect, RowOp};
use adjutant_domain::faults::{UserFault, sentence};
use adjutant_domain::gate::{Card, Item, escape};
use adjutant_domain::operation::Operation;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Records;
use adjutant_domain::record::Record;
use adjutant_domain::tool::Target;

use super::facts::View;
use super::{notified, refused};
use crate::prepared::Prepared;

/// The current versions of the rows that a change touches.
pub(super) struct Touched {
    rows: Vec<Option<Record>>,
}

impl Touched {
    /// Reads the rows. Refuses if any has changed since the command was recorded, rather than overwrite it.
    pub(super) async fn read(change: &Change, records: &dyn Records) -> Result<Self, Stop> {
        let mut rows = Vec::with_capacity(change.ops.len());
        for op in &change.ops {
            let found = records.get(op.kind(), op.id()).await;
            let found = found.map_err(|fault| Stop::Fault(fault.into()))?;
            if Expect::from(found.as_ref().map(Record::version)) != op.expect() {
                return Err(changed(op, found.as_ref()));
            }
            rows.push(found);
        }
        Ok(Self { rows })
    }

    /// Returns the rows with the versions that the command depends on.
    pub(super) fn targets(&self) -> Vec<Target> {
        let there = self.rows.iter().flatten();
        there
            .map(|row| Target {
                kind: row.kind(),
                id: row.id().clone(),
                version: row.version(),
                label: row.label().to_owned(),
            })
            .collect()
    }

    /// Returns the card: every row with what happens to it, the accounts concerned, and who is told.
    pub(super) fn card(
        &self,
        prepared: &Prepared,
        operations: &[Operation],
        origins: &Origins,
        view: View<'_>,
    ) -> Card {
        let mut accounts: Vec<&str> = operations
            .iter()
            .filter_map(|one| origins.account(&one.account()))
            .map(|account| account.label.as_str())
            .collect();
        accounts.dedup();
        let ops = prepared.change.ops.iter().zip(&self.rows);
        Card {
            title: escape::visible(&prepared.title),
            verb: prepared.verb.into(),
            account: (!accounts.is_empty()).then(|| escape::visible(&accounts.join(", "))),
            notes: notified::note(operations, origins, &self.rows)
                .into_iter()
                .collect(),
            items: ops
                .map(|(op, now)| item(op, now.as_ref(), prepared.undoes.is_some(), view))
                .collect(),
            undo: if operations.iter().all(Operation::is_reversible) {
                "Can be undone: then it is done again.".into()
            } else {
                "Cannot be undone.".into()
            },
            digest_line: "What you see is exactly what is done.".into(),
            ..Card::default()
        }
    }
}

fn changed(op: &RowOp, now: Option<&Record>) -> Stop {
    let (kind, id) = (op.kind().word(), op.id());
    let then = match op {
        RowOp::Put { record, .. } => Some(record.as_ref()),
        RowOp::Delete { .. } | RowOp::Mark { .. } => None,
    };
    let what = match now.or(then).map(Record::label) {
        Some(label) if !label.is_empty() => format!("the {kind} “{label}”"),
        _ => format!("the {kind} {id}"),
    };
    let became = if now.is_some() { "changed" } else { "deleted" };
    refused(UserFault::new(
        "conflict",
        sentence(&format!(
            "{what} was {became} afterwards; undoing this now would overwrite that. Nothing was done"
        )),
        "Change it by hand, or undo the later change first.",
    ))
}

/// Returns a row with what happens to it. What an undo adds was there before.
fn item(op: &RowOp, now: Option<&Record>, undoes: bool, view: View<'_>) -> Item {
    let after = match op {
        RowOp::Put { record, .. } => Some(record.as_ref()),
        RowOp::Delete { .. } | RowOp::Mark { .. } => None,
    };
    let label = after.or(now).map(Record::label).unwrap_or_default();
    let becomes = match (op, now) {
        (RowOp::Delete { .. }, _) => "is removed",
        (RowOp::Put { .. }, None) if undoes => "comes back",
        (RowOp::Put { .. }, None) => "is added",
        (RowOp::Put { .. } | RowOp::Mark { .. }, _) => "is changed",
    };
    Item {
        id: op.id().0.clone(),
        label: escape::visible(label),
        detail: Some(format!("{} {becomes}", op.kind().word())),
        facts: view.facts(op, now),
        ..Item::default()
    }
}
