//! Lists what is on its way out: approved actions that wait, and the rows of the outbox.

use adjutant_domain::filter::{Field, Filter, Test, Time};
use adjutant_domain::gate::PendingAction;
use adjutant_domain::ids::RecordId;
use adjutant_domain::record::{Address, Kind, OutboxItem, Record};
use adjutant_text::all_words;
use rusqlite::Connection;

use crate::fault::Result;
use crate::tables::actions;
use crate::{filter, rows};

/// Returns a draft, an outgoing mail, or an approved action that waits.
pub(crate) fn get(connection: &Connection, id: &RecordId) -> Result<Option<Record>> {
    match actions::outbox_entry(connection, id)? {
        Some(entry) => Ok(Some(Record::Outbox(entry))),
        None => rows::get_record(connection, Kind::Outbox, id),
    }
}

/// Returns approved actions that wait, latest first, then drafts and outgoing mails in the order of the filter.
pub(crate) fn list(connection: &Connection, wanted: &Filter) -> Result<Vec<OutboxItem>> {
    let entries = entries(connection, wanted)?;
    let before = entries.len();
    let mut all = wanted.part(entries);
    let rest = Filter {
        offset: wanted.offset.saturating_sub(before),
        limit: wanted.limit.map(|limit| limit.saturating_sub(all.len())),
        ..wanted.clone()
    };
    all.extend(filter::list::<OutboxItem>(connection, &rest)?);
    Ok(all)
}

/// Counts the entries, ignoring offset and limit.
pub(crate) fn total(connection: &Connection, wanted: &Filter) -> Result<u64> {
    let entries = entries(connection, wanted)?.len() as u64;
    Ok(entries + filter::total::<OutboxItem>(connection, wanted)?)
}

fn entries(connection: &Connection, wanted: &Filter) -> Result<Vec<OutboxItem>> {
    let waiting = actions::waiting(connection)?;
    let entries = waiting.iter().filter_map(PendingAction::outbox_entry);
    let fitting = entries.filter(|entry| wanted.tests.iter().all(|test| passes(entry, test)));
    Ok(fitting.collect())
}

/// Whether an entry passes a test. A test the outbox does not know is refused where its rows are read.
fn passes(entry: &OutboxItem, test: &Test) -> bool {
    match test {
        Test::Ids(ids) => ids.contains(&entry.id),
        Test::Words { text, .. } if text.trim().is_empty() => true,
        Test::Words { field, text, .. } => {
            let words = match field {
                Field::Title => entry.subject.clone(),
                _ => format!("{} {}", entry.subject, entry.body),
            };
            all_words(text, &words)
        }
        Test::With(_, who) => {
            let mut people = entry.to.iter().chain(&entry.cc).chain(&entry.bcc);
            people.any(|one| who.iter().any(|name| is_called(one, name)))
        }
        Test::Within(Time::Changed, window) => window.holds(entry.updated),
        Test::States(states) => states.contains(&entry.state),
        _ => false,
    }
}

fn is_called(who: &Address, name: &str) -> bool {
    all_words(name, &who.name) || name.eq_ignore_ascii_case(&who.email)
}
