//! The card of a command, and the row versions the command depends on.

use adjutant_domain::account::Origins;
use adjutant_domain::change::{Change, Expect, RowOp};
use adjutant_domain::faults::{UserFault, sentence};
use adjutant_domain::gate::{Card, CardNote, Fact, Item, NoteKind, Risk, escape};
use adjutant_domain::moment::Moment;
use adjutant_domain::operation::Operation;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Records;
use adjutant_domain::record::{Event, Record};
use adjutant_domain::settings::Settings;
use adjutant_domain::tool::Target;

use super::refused;
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

    /// Returns the card: every row with what happens to it, the accounts concerned, and whether people are notified.
    pub(super) fn card(
        &self,
        prepared: &Prepared,
        operations: &[Operation],
        origins: &Origins,
        settings: &Settings,
    ) -> Card {
        let mut accounts: Vec<&str> = operations
            .iter()
            .filter_map(|one| origins.account(&one.account()))
            .map(|account| account.label.as_str())
            .collect();
        accounts.dedup();
        let reaches = operations
            .iter()
            .any(|one| one.risk() == Risk::ReachesPeople);
        let ops = prepared.change.ops.iter().zip(&self.rows);
        Card {
            title: escape::visible(&prepared.title),
            verb: prepared.verb.into(),
            account: (!accounts.is_empty()).then(|| escape::visible(&accounts.join(", "))),
            notes: reaches
                .then(|| CardNote {
                    kind: NoteKind::Info,
                    text: "The people invited are told.".into(),
                })
                .into_iter()
                .collect(),
            items: ops
                .map(|(op, now)| item(op, now.as_ref(), settings))
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
    let what = match now.map(Record::label) {
        Some(label) if !label.is_empty() => format!("the {kind} “{label}”"),
        _ => format!("the {kind} {id}"),
    };
    refused(UserFault::new(
        "conflict",
        sentence(&format!(
            "{what} was changed afterwards; undoing this now would overwrite that. Nothing was done"
        )),
        "Change it by hand, or undo the later change first.",
    ))
}

fn item(op: &RowOp, now: Option<&Record>, settings: &Settings) -> Item {
    let after = match op {
        RowOp::Put { record, .. } => Some(record.as_ref()),
        RowOp::Delete { .. } | RowOp::Mark { .. } => None,
    };
    let label = after.or(now).map(Record::label).unwrap_or_default();
    let becomes = match (op, now) {
        (RowOp::Delete { .. }, _) => "is removed",
        (RowOp::Put { .. }, None) => "is added",
        (RowOp::Put { .. } | RowOp::Mark { .. }, _) => "is changed",
    };
    let facts = match (after, now) {
        (Some(Record::Event(after)), now) => times(after, now, settings),
        _ => Vec::new(),
    };
    Item {
        id: op.id().0.clone(),
        label: escape::visible(label),
        detail: Some(format!("{} {becomes}", op.kind().word())),
        facts,
        ..Item::default()
    }
}

/// Returns the time of an event after the change, with the present time if it differs.
fn times(after: &Event, now: Option<&Record>, settings: &Settings) -> Vec<Fact> {
    let span = |event: &Event| {
        let (start, end) = (&event.start, &event.end);
        format!("{} – {}", words(start, settings), words(end, settings))
    };
    let value = span(after);
    let fact = match now {
        Some(Record::Event(now)) if span(now) != value => {
            Fact::changed("When", &span(now), &value, None)
        }
        _ => Fact::new("When", &value, None),
    };
    vec![fact]
}

fn words(moment: &Moment, settings: &Settings) -> String {
    let order = settings.date_order();
    match moment {
        Moment::Day(day) => order.show_with_year(*day),
        Moment::At(at) => format!(
            "{}, {}",
            order.show_with_year(at.date()),
            settings.clock.show(at.time())
        ),
    }
}
