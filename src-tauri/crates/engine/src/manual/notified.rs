//! Who hears of a command.

use std::collections::BTreeMap;

use adjutant_domain::account::Origins;
use adjutant_domain::change::RowOp;
use adjutant_domain::gate::{CardNote, NoteKind, Risk, escape};
use adjutant_domain::operation::{CalendarOp, Operation, RemoteOp};
use adjutant_domain::record::{Attendee, Record};

use super::facts::person;

/// Maximum number of people named.
const NAMED_MAX: usize = 3;

/// Returns the note about the people whom the rows of a command concern; `None` if it concerns nobody else.
pub(super) fn note(
    operations: &[Operation],
    origins: &Origins,
    rows: &[Option<Record>],
) -> Option<CardNote> {
    let (silent, telling): (Vec<&Operation>, Vec<&Operation>) = operations
        .iter()
        .filter(|one| one.risk() == Risk::ReachesPeople)
        .partition(|one| origins.is_silent(&one.account()));
    let guests = |operations: &[&Operation]| names(operations, origins, rows);
    let text = match (guests(&telling).as_slice(), guests(&silent).as_slice()) {
        ([], []) if telling.is_empty() && silent.is_empty() => {
            let all: Vec<&Operation> = operations.iter().collect();
            if guests(&all).is_empty() {
                return None;
            }
            "Nobody is told: this calendar is only on this computer.".into()
        }
        ([], []) => "The people invited are told.".into(),
        ([], unsent) => not_told(unsent),
        (told, []) => are_told(told),
        (told, unsent) => format!("{} {}", are_told(told), not_told(unsent)),
    };
    Some(CardNote {
        kind: NoteKind::Info,
        text: escape::visible(&text),
    })
}

fn are_told(names: &[String]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb} told.", joined(names))
}

fn not_told(names: &[String]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!(
        "{} {verb} not told: the server of this calendar sends no invitations. Write to them.",
        joined(names)
    )
}

/// Returns the people other than the account's own whom the events of operations name, before and after.
fn names(operations: &[&Operation], origins: &Origins, rows: &[Option<Record>]) -> Vec<String> {
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for operation in operations {
        let account = operation.account();
        let account = origins.account(&account);
        for op in operation
            .change()
            .into_iter()
            .flat_map(|change| &change.ops)
        {
            let before = rows.iter().flatten().find(|row| row.id() == op.id());
            let after = match op {
                RowOp::Put { record, .. } => Some(record.as_ref()),
                RowOp::Delete { .. } | RowOp::Mark { .. } => None,
            };
            let records = [before, after].into_iter().flatten();
            for guest in records.flat_map(|record| told_of(operation, record)) {
                if !account.is_some_and(|account| account.owns(&guest.email)) {
                    found.insert(guest.email.to_lowercase(), person(guest));
                }
            }
        }
    }
    found.into_values().collect()
}

/// Returns whom an operation on an event tells: of an answer to an invitation the organizer, otherwise the guests.
fn told_of<'a>(operation: &Operation, record: &'a Record) -> &'a [Attendee] {
    let Record::Event(event) = record else {
        return &[];
    };
    match operation {
        Operation::Remote { op, .. }
            if matches!(**op, RemoteOp::Calendar(CalendarOp::Respond { .. })) =>
        {
            event.organizer.as_slice()
        }
        _ => &event.attendees,
    }
}

fn joined(names: &[String]) -> String {
    let shown = names.len().min(NAMED_MAX);
    match (&names[..shown], names.len() - shown) {
        ([only], 0) => only.clone(),
        ([first @ .., last], 0) => format!("{} and {last}", first.join(", ")),
        (some, rest) => format!("{} and {rest} more", some.join(", ")),
    }
}
