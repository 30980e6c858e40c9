//! Stores the records a backend delivers: as the rows shown, or beside what another place says of the same record.

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

/// Highest number of rows one delivered record may have: a repeating event with that many changed instances.
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
    // If nothing was read of this record since its provider confirmed our own change, its rows have no source yet.
    // From now on the source read here identifies its state.
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
        let read = DeliveredRow {
            record,
            origin: &origin,
            source: source.as_deref(),
            is_confirmed,
        };
        let placed = place(tx, collection, read, before)?;
        origins::put(tx, &placed, round)?;
        left.retain(|one| one.record != placed.record);
        // All rows together have one source, which is kept with the first.
        origin.source = None;
    }
    // Instances that had a row of their own and no longer do.
    left.iter().try_for_each(|placed| leave(tx, placed))
}

/// Returns the source if it is text. A mail's bytes are kept with the mail instead.
fn text_of(source: Option<&[u8]>) -> Option<String> {
    let bytes = source.filter(|bytes| bytes.len() <= SOURCE_BYTES_MAX)?;
    std::str::from_utf8(bytes).ok().map(str::to_owned)
}

/// One row as it was read from a delivered record.
struct DeliveredRow<'a> {
    record: Record,
    origin: &'a Origin,
    source: Option<&'a [u8]>,
    /// Whether nothing has been read at this place since our own change was confirmed.
    is_confirmed: bool,
}

/// Stores a row as the one shown, or beside what another place says of the same record.
fn place(
    tx: &Tx<'_>,
    collection: &Collection,
    read: DeliveredRow<'_>,
    before: Option<Record>,
) -> Result<Placed> {
    let DeliveredRow {
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
    // In the state that was confirmed to us, the provider only words the record in its own way: nobody has changed
    // it, so the row keeps its version and the effect can still be undone. That applies once: if the provider later
    // describes the same state differently, a card that shows the row is out of date.
    let version = before.version() + i64::from(!is_our_state);
    let pk = rows::put_record(tx, &record, version)?;
    keep_source(tx, kind, pk, source)?;
    // Whoever wrote it first, somebody else may have written its present content.
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

/// Returns the record a provider already has under this remote id, for records without an id of their own (tasks) and
/// for events whose UID has changed.
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

/// Returns the rows of an event whose UID its provider has changed, by instance. Google assigns its own UID to every
/// event it is asked to add.
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

/// Keeps the text already fetched of a mail when only its beginning is delivered again.
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

/// Handles a record that is no longer at its place. A mail may have moved, so it is only marked as lost; whether it
/// is gone is decided once all mailboxes have been read.
pub(crate) fn leave(tx: &Tx<'_>, placed: &Placed) -> Result<()> {
    if placed.kind == Kind::Mail {
        return origins::set_lost(tx, placed);
    }
    gone(tx, placed)
}
