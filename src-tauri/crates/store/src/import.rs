//! Imports files and recognises what is already stored, so that importing a file twice changes nothing.
//!
//! Each imported row keeps a hash of what it was imported from. A file that brings the same content again leaves the
//! row alone, even if the person has changed it since; a file that brings something newer replaces it.

use adjutant_domain::account::CollectionKind;
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::RecordId;
use adjutant_domain::ports::{ImportCounts, Incoming};
use adjutant_domain::provenance::{Author, Provenance};
use adjutant_domain::record::{Kind, Record};
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::cells::json;
use crate::fault::Result;
use crate::row::{Row, content_hash};
use crate::rows::{self, with_inner};
use crate::store::Store;
use crate::tables::imports::{self, Imported};
use crate::tables::{collections, events, mail, provenance};
use crate::tx::Tx;

impl Store {
    /// Imports one batch of a file, a few hundred records, in one transaction.
    ///
    /// Natural keys decide what is new: UID and RECURRENCE-ID for events, Message-ID for mail, UID for contacts, the
    /// content for tasks, notes, memories and drafts. Mail that is already stored keeps its folder and labels; only a
    /// missing source is added.
    ///
    /// # Errors
    /// When storage fails; then nothing of the batch is stored.
    pub async fn import(
        &self,
        file: &str,
        batch: Vec<Incoming>,
    ) -> std::result::Result<ImportCounts, StoreFault> {
        let file = file.to_owned();
        self.write("import", move |tx| {
            let mut counts = ImportCounts::default();
            for incoming in batch {
                match one(tx, &file, incoming)? {
                    Fate::Added => counts.added += 1,
                    Fate::Changed => counts.changed += 1,
                    Fate::Same => counts.same += 1,
                }
            }
            Ok(counts)
        })
        .await
    }

    /// Records for Activity that a file was imported.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn note_import(&self, entry: Imported) -> std::result::Result<(), StoreFault> {
        self.write("note_import", move |tx| imports::add(tx, &entry))
            .await
    }

    /// Returns the recorded imports, latest first.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn imports(
        &self,
        limit: Option<usize>,
    ) -> std::result::Result<Vec<Imported>, StoreFault> {
        self.read(move |connection| imports::list(connection, limit))
            .await
    }
}

/// Conditions that find an already stored row. The indexes leave out empty names, and SQLite uses them only if the
/// condition does so too.
const BY_INSTANCE: &str = "uid = ?1 AND uid <> '' AND recurrence_key = ?2";
const BY_MESSAGE_ID: &str = "message_id = ?1 AND message_id <> '' AND ?2 = ''";
const BY_UID: &str = "uid = ?1 AND uid <> '' AND ?2 = ''";
const BY_CONTENT: &str = "content_key = ?1 OR import_key = ?2";

/// Renames the calendar of an imported event if it shares its name with an account's calendar: imported events stay
/// on this computer.
fn stay_here(tx: &Tx<'_>, record: &mut Record) -> Result<()> {
    let Record::Event(event) = record else {
        return Ok(());
    };
    let named = collections::named(tx, CollectionKind::Calendar, &event.calendar)?;
    if named.is_some_and(|calendar| !calendar.account.is_local()) {
        event.calendar.push_str(" (imported)");
    }
    Ok(())
}

enum Fate {
    Added,
    Changed,
    Same,
}

/// A row that is already stored.
struct Present {
    pk: i64,
    id: RecordId,
    import_key: Option<String>,
}

fn one(tx: &Tx<'_>, file: &str, incoming: Incoming) -> Result<Fate> {
    let Incoming {
        record,
        raw,
        provenance: claims,
    } = incoming;
    let written = Provenance::imported(file, record.kind(), claims.as_ref());
    let mut record = without_approval(record);
    stay_here(tx, &mut record)?;
    let key = import_key(&record)?;
    let Some(present) = present(tx, &record, &key)? else {
        return add(tx, record, raw.as_deref(), &written, &key);
    };
    keep_source(tx, present.pk, raw.as_deref())?;
    // A row without an import key was made here: a file that knows its UID must not change it.
    let Some(known) = &present.import_key else {
        return Ok(Fate::Same);
    };
    let same = *known == key || former_key(&record)?.as_ref() == Some(known);
    if same || !may_replace(record.kind()) {
        return Ok(Fate::Same);
    }
    let Some(before) = rows::get_record(tx, record.kind(), &present.id)? else {
        return Ok(Fate::Same);
    };
    if !may_say_where(tx, file, &record, &before)? {
        return another(tx, record, raw.as_deref(), &written, &key);
    }
    take_over(&mut record, &before);
    if is_older(&record, &before) || import_key(&before)? == import_key(&record)? {
        return Ok(Fate::Same);
    }
    rows::put_record(tx, &record, before.version() + 1)?;
    remember(tx, record.kind(), present.pk, &key)?;
    provenance::note(tx, &present.id, &written)?;
    Ok(Fate::Changed)
}

fn add(
    tx: &Tx<'_>,
    mut record: Record,
    raw: Option<&[u8]>,
    written: &Provenance,
    key: &str,
) -> Result<Fate> {
    fresh_id(tx, &mut record)?;
    let pk = rows::put_record(tx, &record, 1)?;
    provenance::came(tx, record.id(), written)?;
    remember(tx, record.kind(), pk, key)?;
    keep_source(tx, pk, raw)?;
    Ok(Fate::Added)
}

/// Adds a contact that claims the UID of a stored one as a new contact without that UID. Importing it again adds
/// nothing.
fn another(
    tx: &Tx<'_>,
    mut record: Record,
    raw: Option<&[u8]>,
    written: &Provenance,
    key: &str,
) -> Result<Fate> {
    with_inner!(&mut record, row => row.id = RecordId(String::new()));
    if let Record::Contact(contact) = &mut record {
        contact.uid.clear();
    }
    match present(tx, &record, key)? {
        Some(_) => Ok(Fate::Same),
        None => add(tx, record, raw, written, key),
    }
}

/// Whether a file may change how a contact is reached: only the file that brought the contact may. A UID can be
/// guessed, and somebody else's card must not replace Mum's address with their own.
fn may_say_where(tx: &Tx<'_>, file: &str, record: &Record, before: &Record) -> Result<bool> {
    let (Record::Contact(new), Record::Contact(old)) = (record, before) else {
        return Ok(true);
    };
    let known =
        |one: &String, all: &[String]| all.iter().any(|other| other.eq_ignore_ascii_case(one));
    let brings_none = new.emails.iter().all(|one| known(one, &old.emails))
        && new.phones.iter().all(|one| known(one, &old.phones));
    if brings_none {
        return Ok(true);
    }
    let of = provenance::of(tx, std::slice::from_ref(before.id()))?;
    Ok(match of.get(before.id()).map(|of| &of.author) {
        Some(Author::Import { file: from }) => from.is_empty() || from == file,
        // Imported before the file name was recorded.
        None => true,
        Some(_) => false,
    })
}

/// Turns an imported mail that claims to be approved into a draft: a file cannot approve anything.
fn without_approval(record: Record) -> Record {
    match record {
        Record::Outbox(item) if item.state.says_approved() => Record::Outbox(item.into_draft()),
        other => other,
    }
}

/// Whether a newer file replaces rows of this kind. Mail does not change, and for the others the content is the key.
fn may_replace(kind: Kind) -> bool {
    matches!(kind, Kind::Event | Kind::Contact)
}

fn present(tx: &Connection, record: &Record, key: &str) -> Result<Option<Present>> {
    match record {
        Record::Event(event) if !event.uid.is_empty() => {
            let instance = events::recurrence_key(event.recurrence_id.as_ref());
            find(tx, "events", BY_INSTANCE, &event.uid, &instance)
        }
        Record::Mail(mail) => find(tx, "mails", BY_MESSAGE_ID, &mail.message_id, ""),
        Record::Contact(contact) if !contact.uid.is_empty() => {
            find(tx, "contacts", BY_UID, &contact.uid, "")
        }
        _ => {
            let (table, content) = with_inner!(record, row => (table_of(row), row.content_key()));
            let content = content.unwrap_or_default();
            find(tx, table, BY_CONTENT, &content, key)
        }
    }
}

/// Returns the stored record with the same global identity: UID and instance, or Message-ID.
pub(crate) fn same_as(connection: &Connection, record: &Record) -> Result<Option<Record>> {
    let named = match record {
        Record::Event(event) => &event.uid,
        Record::Mail(mail) => &mail.message_id,
        Record::Contact(contact) => &contact.uid,
        _ => return Ok(None),
    };
    if named.is_empty() {
        return Ok(None);
    }
    match present(connection, record, "")? {
        Some(found) => rows::get_record(connection, record.kind(), &found.id),
        None => Ok(None),
    }
}

/// Whether two records have the same content, ignoring the fields that storage adds.
pub(crate) fn says_the_same(one: &Record, other: &Record) -> Result<bool> {
    Ok(said(one)? == said(other)?)
}

fn table_of<R: Row>(_row: &R) -> &'static str {
    R::TABLE
}

fn find(
    connection: &Connection,
    table: &str,
    condition: &str,
    first: &str,
    second: &str,
) -> Result<Option<Present>> {
    Ok(connection
        .prepare_cached(&format!(
            "SELECT pk, id, import_key FROM {table} WHERE {condition} LIMIT 1"
        ))?
        .query_row([first, second], |row| {
            Ok(Present {
                pk: row.get(0)?,
                id: RecordId(row.get(1)?),
                import_key: row.get(2)?,
            })
        })
        .optional()?)
}

/// Replaces a missing or taken identifier by a new random one.
pub(crate) fn fresh_id(tx: &Tx<'_>, record: &mut Record) -> Result<()> {
    let kind = record.kind();
    if !record.id().as_str().is_empty() && rows::version(tx, kind, record.id())?.is_none() {
        return Ok(());
    }
    let bits: i64 = tx.query_row("SELECT random()", [], |row| row.get(0))?;
    let id = RecordId(adjutant_domain::ids::render(
        kind.prefix(),
        bits.cast_unsigned(),
    ));
    with_inner!(record, row => row.id = id);
    Ok(())
}

fn remember(tx: &Tx<'_>, kind: Kind, pk: i64, key: &str) -> Result<()> {
    if kind == Kind::Mail {
        return Ok(());
    }
    let table = {
        use crate::rows::with_row;
        use adjutant_domain::record::{Contact, Event, Mail, Memory, Note, OutboxItem, Task};
        with_row!(kind, R => R::TABLE)
    };
    tx.prepare_cached(&format!("UPDATE {table} SET import_key = ?2 WHERE pk = ?1"))?
        .execute(params![pk, key])?;
    Ok(())
}

fn keep_source(tx: &Tx<'_>, pk: i64, raw: Option<&[u8]>) -> Result<()> {
    match raw {
        Some(source) => mail::keep_source(tx, pk, source),
        None => Ok(()),
    }
}

/// Takes over from the old row what belongs to the row rather than the file: its identifier, creation time and the
/// like.
pub(crate) fn take_over(record: &mut Record, before: &Record) {
    let id = before.id().clone();
    with_inner!(record, row => row.id = id);
    match (record, before) {
        (Record::Event(new), Record::Event(old)) => {
            new.created = old.created;
            // Files get renamed; which calendar an event is in is decided here.
            new.calendar.clone_from(&old.calendar);
        }
        (Record::Contact(new), Record::Contact(old)) => new.created = old.created,
        (Record::Task(new), Record::Task(old)) => {
            new.created = old.created;
            // The order of a day is the person's own; no file contains it.
            new.place = old.place;
        }
        _ => {}
    }
}

/// Whether a file has an earlier revision of an event than the calendar.
fn is_older(record: &Record, before: &Record) -> bool {
    matches!((record, before), (Record::Event(new), Record::Event(old)) if new.sequence < old.sequence)
}

/// Fields that storage adds to a record.
const OWN_FIELDS: [&str; 6] = ["id", "version", "created", "updated", "uses", "last_used"];

/// Hashes everything the file says, leaving out the fields that storage adds and the calendar, which may be the
/// file's name.
fn import_key(record: &Record) -> Result<String> {
    match record {
        Record::Mail(mail) => Ok(mail.message_id.clone()),
        Record::Event(_) => hash_without(record, &[&OWN_FIELDS[..], &["calendar"]].concat()),
        _ => hash_without(record, &OWN_FIELDS),
    }
}

/// Returns the key as versions before format 9 stored it, so that rows they imported are recognised: with an event's
/// calendar, and without the birthday of a contact that has none.
fn former_key(record: &Record) -> Result<Option<String>> {
    Ok(match record {
        Record::Event(_) => Some(hash_without(record, &OWN_FIELDS)?),
        Record::Contact(contact) if contact.birthday.is_empty() => {
            let fields = [&OWN_FIELDS[..], &["birthday"]].concat();
            Some(hash_without(record, &fields)?)
        }
        _ => None,
    })
}

fn hash_without(record: &Record, left_out: &[&str]) -> Result<String> {
    Ok(content_hash(&[&json(&without(record, left_out)?)?]))
}

/// Returns a record's content without the fields that storage adds.
fn said(record: &Record) -> Result<serde_json::Value> {
    without(record, &OWN_FIELDS)
}

fn without(record: &Record, left_out: &[&str]) -> Result<serde_json::Value> {
    let mut value = serde_json::to_value(record)?;
    if let Some(fields) = value.as_object_mut() {
        for field in left_out {
            fields.remove(*field);
        }
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::{BY_CONTENT, BY_INSTANCE, BY_MESSAGE_ID, BY_UID};
    use crate::migrations;

    #[test]
    fn what_is_there_already_is_found_by_an_index() {
        let mut connection = rusqlite::Connection::open_in_memory().expect("memory");
        migrations::run(&mut connection).expect("a profile");
        let by_content = ["tasks", "notes", "memories", "outbox", "events", "contacts"];
        let by_content = by_content.map(|table| (table, BY_CONTENT));
        let natural = [
            ("events", BY_INSTANCE),
            ("mails", BY_MESSAGE_ID),
            ("contacts", BY_UID),
        ];
        for (table, condition) in natural.into_iter().chain(by_content) {
            let sql = format!("EXPLAIN QUERY PLAN SELECT pk FROM {table} WHERE {condition}");
            let plan: Vec<String> = connection
                .prepare(&sql)
                .and_then(|mut plan| plan.query_map(["a", "b"], |row| row.get(3))?.collect())
                .expect("a plan");
            assert!(
                plan.iter().all(|step| !step.starts_with("SCAN")),
                "{table}, {condition}: {plan:?}"
            );
        }
    }
}
