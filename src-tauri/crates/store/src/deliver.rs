//! What a backend delivers becomes rows: shown, or beside what another place says of them.

use std::collections::BTreeMap;

use adjutant_domain::account::{Collection, CollectionKind, Origin, SOURCE_BYTES_MAX};
use adjutant_domain::operation::Etag;
use adjutant_domain::ports::{Pulled, PulledWhat, TaskBackend};
use adjutant_domain::provenance::{Author, Provenance, is_others};
use adjutant_domain::record::{Kind, Record};
use adjutant_domain::source::Taint;

use crate::fault::Result;
use crate::import;
use crate::places::gone;
use crate::rows;
use crate::tables::origins::{self, Placed};
use crate::tables::{events, mail, provenance};
use crate::tx::Tx;

/// Rows one delivered record may have: a repeating event with as many changed instances.
pub const PULLED_ROWS_MAX: usize = 1_000;

/// Stores one delivered record.
pub(crate) fn take(
    tx: &Tx<'_>,
    collection: &Collection,
    pulled: Pulled,
    round: i64,
    tasks: Option<&dyn TaskBackend>,
) -> Result<()> {
    let known = origins::at(tx, &collection.id, &pulled.remote_id)?;
    let PulledWhat::There {
        etag,
        uid_validity,
        rows,
        source,
    } = pulled.what
    else {
        return known.iter().try_for_each(|placed| leave(tx, placed));
    };
    let mut origin = Origin {
        account: collection.account.clone(),
        collection: collection.id.clone(),
        remote_id: pulled.remote_id,
        etag,
        uid_validity,
        source: text_of(source.as_deref()),
    };
    // Nothing was read of it since its provider confirmed our own change. What is read now is known by its source.
    let is_confirmed = origin.source.is_some()
        && !known.is_empty()
        && known.iter().all(|one| one.origin.source.is_none());
    let mut left = known;
    let instances = renamed(tx, &rows, &left)?;
    for record in rows.into_iter().take(PULLED_ROWS_MAX) {
        if CollectionKind::of(record.kind()) != Some(collection.kind) {
            tracing::warn!(kind = ?record.kind(), "a record that does not belong into its collection is left out");
            continue;
        }
        let before = match import::same_as(tx, &record)? {
            Some(before) => Some(before),
            None => alone_at(tx, &record, &left, &instances)?,
        };
        let mut record = record;
        if let (Some(tasks), Record::Task(new), Some(Record::Task(old))) =
            (tasks, &mut record, &before)
        {
            tasks.keep_here(new, old);
        }
        let read = Read {
            record,
            origin: &origin,
            source: source.as_deref(),
            is_confirmed,
        };
        let placed = place(tx, collection, read, before)?;
        origins::put(tx, &placed, round)?;
        left.retain(|one| one.record != placed.record);
        // The source is that of all rows together, and is kept with the first.
        origin.source = None;
    }
    // Instances that had a row of their own and have none any more.
    left.iter().try_for_each(|placed| leave(tx, placed))
}

/// The source of what is text; a mail's bytes are kept with the mail.
fn text_of(source: Option<&[u8]>) -> Option<String> {
    let bytes = source.filter(|bytes| bytes.len() <= SOURCE_BYTES_MAX)?;
    std::str::from_utf8(bytes).ok().map(str::to_owned)
}

/// One row as it was read.
struct Read<'a> {
    record: Record,
    origin: &'a Origin,
    source: Option<&'a [u8]>,
    /// Nothing else was read there since our own change was confirmed.
    is_confirmed: bool,
}

/// Stores a row as what is shown, or beside what another place says of it.
fn place(
    tx: &Tx<'_>,
    collection: &Collection,
    read: Read<'_>,
    before: Option<Record>,
) -> Result<Placed> {
    let Read {
        mut record,
        origin,
        source,
        is_confirmed,
    } = read;
    if let Record::Event(event) = &mut record {
        event.calendar.clone_from(&collection.name);
    }
    let kind = record.kind();
    let mut placed = Placed {
        record: record.id().clone(),
        kind,
        origin: origin.clone(),
        other: None,
    };
    if kind == Kind::Mail {
        placed.origin.source = None;
    }
    let Some(before) = before else {
        import::fresh_id(tx, &mut record)?;
        placed.record = record.id().clone();
        let pk = rows::put_record(tx, &record, 1)?;
        keep_source(tx, kind, pk, source)?;
        provenance::note(tx, &placed.record, &written_there(origin, Taint::Clean))?;
        return Ok(placed);
    };
    import::take_over(&mut record, &before);
    if source.is_none() {
        keep_longer_text(&mut record, &before);
    }
    placed.record = record.id().clone();
    let shown = origins::of_record(tx, &placed.record)?
        .into_iter()
        .find(|one| one.other.is_none());
    let is_strong = origin.etag.as_ref().is_some_and(Etag::is_strong);
    let is_our_state = shown.as_ref().is_some_and(|shown| {
        is_confirmed && is_strong && same_place(shown, &placed) && shown.origin.etag == origin.etag
    });
    if let Some(shown) = shown.filter(|shown| !same_place(shown, &placed)) {
        if !origins::is_lost(tx, &shown)? {
            placed.other = Some(record);
            return Ok(placed);
        }
        let there = &shown.origin;
        origins::remove(tx, &there.collection, &there.remote_id, &shown.record)?;
    }
    if import::says_the_same(&record, &before)? {
        return Ok(placed);
    }
    // In the state that was confirmed to us, the provider only says it in its own way: nobody has changed it, and what was
    // done can still be undone. That holds once: should it say something else of the same state later, a card that shows
    // the row is about another one.
    let version = before.version() + i64::from(!is_our_state);
    let pk = rows::put_record(tx, &record, version)?;
    keep_source(tx, kind, pk, source)?;
    // Whoever wrote it first, somebody else may have written what it says now.
    let taint = match is_others(kind) && !is_our_state {
        true => Taint::Tainted,
        false => Taint::Clean,
    };
    provenance::note(tx, &placed.record, &written_there(origin, taint))?;
    Ok(placed)
}

fn written_there(origin: &Origin, taint: Taint) -> Provenance {
    Provenance {
        author: Author::Account {
            id: origin.account.0.clone(),
        },
        taint,
    }
}

fn same_place(one: &Placed, other: &Placed) -> bool {
    one.origin.collection == other.origin.collection
        && one.origin.remote_id == other.origin.remote_id
}

/// The record that a provider has under this name, where records have no name of their own (tasks), or another one now.
fn alone_at(
    tx: &Tx<'_>,
    record: &Record,
    known: &[Placed],
    instances: &BTreeMap<String, Record>,
) -> Result<Option<Record>> {
    match (record, known) {
        (Record::Event(event), _) => {
            let instance = events::recurrence_key(event.recurrence_id.as_ref());
            Ok(instances.get(&instance).cloned())
        }
        (_, [only]) => rows::get_record(tx, only.kind, &only.record),
        _ => Ok(None),
    }
}

/// Rows of an event whose UID its provider has changed, by instance: Google gives each event it is asked to add one of its
/// own.
fn renamed(tx: &Tx<'_>, rows: &[Record], known: &[Placed]) -> Result<BTreeMap<String, Record>> {
    let mut instances = BTreeMap::new();
    let (Some(Record::Event(now)), Some(first)) = (rows.first(), known.first()) else {
        return Ok(instances);
    };
    let first = rows::get_record(tx, first.kind, &first.record)?;
    if matches!(&first, Some(Record::Event(before)) if before.uid == now.uid) {
        return Ok(instances);
    }
    for placed in known {
        if let Some(Record::Event(event)) = rows::get_record(tx, placed.kind, &placed.record)? {
            let instance = events::recurrence_key(event.recurrence_id.as_ref());
            instances.insert(instance, Record::Event(event));
        }
    }
    Ok(instances)
}

/// Of a mail whose beginning was delivered again, what was fetched of it stays.
fn keep_longer_text(record: &mut Record, before: &Record) {
    if let (Record::Mail(new), Record::Mail(old)) = (record, before)
        && old.text.len() >= new.text.len()
    {
        new.text.clone_from(&old.text);
        new.attachments.clone_from(&old.attachments);
    }
}

fn keep_source(tx: &Tx<'_>, kind: Kind, pk: i64, source: Option<&[u8]>) -> Result<()> {
    match source {
        Some(bytes) if kind == Kind::Mail => mail::keep_source(tx, pk, bytes),
        _ => Ok(()),
    }
}

/// A record is not at its place any more. A mail may have moved: whether it goes is decided when all mailboxes were read.
pub(crate) fn leave(tx: &Tx<'_>, placed: &Placed) -> Result<()> {
    if placed.kind == Kind::Mail {
        return origins::set_lost(tx, placed);
    }
    gone(tx, placed)
}
