//! What the app needs besides records and turns: settings, counts, export, the ledger, care of the file.

use std::path::Path;
use std::sync::Arc;

use adjutant_domain::change::Change;
use adjutant_domain::faults::StoreFault;
use adjutant_domain::filter::{Filter, Time, Window};
use adjutant_domain::ids::RecordId;
use adjutant_domain::operation::ReceiptRow;
use adjutant_domain::record::{
    Contact, Event, Kind, Mail, Memory, Note, Occurrence, OutboxItem, Record, Task,
};
use jiff::Timestamp;
use serde_json::Value;

use crate::connection::{self, checkpoint, io_fault};
use crate::fault::{Fault, Result};
use crate::row::{self, Row};
use crate::rows::with_row;
use crate::tables::compared::{self, Agreement, Comparison};
use crate::tables::egress::{self, Egress};
use crate::tables::{actions, changes, memories, settings, shortened};
use crate::tx::Topic;
use crate::{Store, document_file, effect, occurrences, search};

type Stored<T> = std::result::Result<T, StoreFault>;

/// Pages of 4 KiB that are written anew to give back room, 256 MiB: nothing else is written meanwhile.
const VACUUM_PAGES_MAX: i64 = 65_536;

/// What the tray shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// Actions that wait for the person.
    pub approvals: usize,
    /// The event that comes next, or is on.
    pub next_event: Option<Occurrence>,
}

/// Some records of a kind, in the order they were first written.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// The records.
    pub records: Vec<Record>,
    /// Where the next page begins; `None` after the last.
    pub next: Option<i64>,
}

/// Settings, by key with a JSON value.
impl Store {
    /// One setting.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn setting(&self, key: &str) -> Stored<Option<Value>> {
        let key = key.to_owned();
        self.read(move |connection| settings::get(connection, &key))
            .await
    }

    /// All settings, by key.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn settings(&self) -> Stored<Vec<(String, Value)>> {
        self.read(settings::list).await
    }

    /// Writes a setting.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn set_setting(&self, key: &str, value: &Value) -> Stored<()> {
        let (key, value) = (key.to_owned(), value.clone());
        self.write("set_setting", move |tx| settings::set(tx, &key, &value))
            .await
    }

    /// Removes a setting; says whether it was there.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn remove_setting(&self, key: &str) -> Stored<bool> {
        let key = key.to_owned();
        self.write("remove_setting", move |tx| settings::remove(tx, &key))
            .await
    }
}

/// What the tray shows.
impl Store {
    /// What the tray shows.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn counts(&self, now: Timestamp) -> Stored<Counts> {
        let zone = self.zone();
        self.read(move |connection| {
            let from_now = Window {
                from: Some(now),
                to: None,
            };
            let coming = Filter::all()
                .within(Time::Happens, from_now)
                .at_most(Some(1));
            let next = occurrences::list(connection, &coming, &zone)?
                .into_iter()
                .next();
            Ok(Counts {
                approvals: actions::pending_count(connection)?,
                next_event: next,
            })
        })
        .await
    }
}

/// Changes outside turns, and the ledger.
impl Store {
    /// Applies a change that no person asked for just now (a held mail whose time has come), without an entry in the
    /// activity log. Gives what was read back.
    ///
    /// # Errors
    /// [`StoreFault::Conflict`] when an expectation does not hold; nothing is written then.
    pub async fn apply(&self, change: Change) -> Stored<Vec<ReceiptRow>> {
        self.write("apply", move |tx| effect::apply(tx, &change)?.receipt(tx))
            .await
    }

    /// Counts memories as used in an answer.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn note_memories_used(&self, ids: &[RecordId], at: Timestamp) -> Stored<()> {
        let ids = ids.to_vec();
        self.write("note_memories_used", move |tx| {
            memories::note_use(tx, &ids, at)
        })
        .await
    }

    /// Adds an entry to the ledger of what left this machine. Gives its number.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn note_egress(&self, entry: Egress) -> Stored<i64> {
        self.write_light("note_egress", move |tx| egress::add(tx, &entry))
            .await
    }

    /// Completes the entry `number` that was added with the time `at`, with the bytes that left and those that came back;
    /// none takes it away: nothing left after all. One that was erased meanwhile stays erased.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn end_egress(
        &self,
        number: i64,
        at: Timestamp,
        bytes: Option<(u64, u64)>,
    ) -> Stored<()> {
        self.write_light("end_egress", move |tx| egress::end(tx, number, at, bytes))
            .await
    }

    /// Keeps what a candidate model would have said.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn note_comparison(&self, one: Comparison) -> Stored<()> {
        self.write("note_comparison", move |tx| compared::add(tx, &one))
            .await
    }

    /// How often candidates agreed with the live model, and the latest differences, newest first.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn comparisons(&self, limit: usize) -> Stored<(Vec<Agreement>, Vec<Value>)> {
        self.read(move |connection| {
            Ok((
                compared::agreement(connection)?,
                compared::differences(connection, limit)?,
            ))
        })
        .await
    }

    /// The ledger, latest first.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn egress(&self, limit: Option<usize>) -> Stored<Vec<Egress>> {
        self.read(move |connection| egress::list(connection, limit))
            .await
    }
}

/// Export, erasing, care of the file.
impl Store {
    /// A page of all records of a kind, trash and past memories included, for export. Begin with `None` and go on with
    /// [`Page::next`].
    ///
    /// # Errors
    /// When storage fails.
    pub async fn page(&self, kind: Kind, after: Option<i64>, limit: usize) -> Stored<Page> {
        self.read(move |connection| {
            with_row!(kind, R => {
                let sql = format!("SELECT pk FROM {} WHERE pk > ?1 ORDER BY pk LIMIT ?2", R::TABLE);
                let mut statement = connection.prepare_cached(&sql)?;
                let limit = crate::tables::limit(Some(limit));
                let numbers = statement
                    .query_map([after.unwrap_or(i64::MIN), limit], |row| row.get(0))?
                    .collect::<rusqlite::Result<Vec<i64>>>()?;
                let full = i64::try_from(numbers.len()).is_ok_and(|found| found == limit);
                let records = row::load::<R>(connection, &numbers)?;
                Ok(Page {
                    records: records.into_iter().map(Row::record).collect(),
                    next: numbers.last().copied().filter(|_| full),
                })
            })
        })
        .await
    }

    /// How many records of a kind there are.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn count(&self, kind: Kind) -> Stored<u64> {
        self.read(move |connection| {
            let table = with_row!(kind, R => R::TABLE);
            let count: i64 =
                connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| {
                    row.get(0)
                })?;
            Ok(u64::try_from(count).unwrap_or_default())
        })
        .await
    }

    /// Looks over the whole file, for `adjutant doctor`: what is wrong, nothing when all is well. Takes a while.
    ///
    /// # Errors
    /// When the file cannot be read at all.
    pub async fn integrity_check(&self) -> Stored<Vec<String>> {
        self.read(connection::problems).await
    }

    /// Lets the full-text index catch up in the background. For quiet moments of a process that stays.
    pub fn follow_index(&self) {
        self.search.follow_soon();
    }

    /// Lets the full-text index catch up and waits for it, for example after an import.
    ///
    /// # Errors
    /// [`StoreFault::Other`] with the reason; search works without the index, less well.
    pub async fn index_now(&self) -> Stored<()> {
        let search = Arc::clone(&self.search);
        tokio::task::spawn_blocking(move || search.follow())
            .await
            .unwrap_or_else(|_| Err("the work broke off".into()))
            .map_err(|reason| {
                StoreFault::Other(format!("the search index cannot be written: {reason}"))
            })
    }

    /// Folds the write-ahead log into the file, gives back memory and, when a good part of a file that is not too large
    /// is empty, its room.
    /// For quiet moments and before closing.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn tidy(&self) -> Stored<()> {
        self.readers.close_idle();
        if let Some(seen) = self.search.seen() {
            self.write("forget_gone", move |tx| changes::forget_gone(tx, seen))
                .await?;
        }
        // One stretch a transaction: whoever writes meanwhile waits for no more than that.
        while self
            .write_light("shorten_journal", shortened::shorten)
            .await?
        {}
        self.writer
            .exclusive(|connection| {
                let pages = |pragma: &str| -> Result<i64> {
                    Ok(connection.query_row(pragma, [], |row| row.get(0))?)
                };
                let (free, all) = (pages("PRAGMA freelist_count")?, pages("PRAGMA page_count")?);
                if free * 4 > all && all <= VACUUM_PAGES_MAX {
                    connection.execute_batch("VACUUM")?;
                }
                // The planner learns from what is in the tables.
                connection.execute_batch("PRAGMA optimize")?;
                checkpoint(connection)?;
                Ok(())
            })
            .await
    }

    /// Erases everything in the profile, so that nothing of it is left in the file. Settings go too. Gives what could not
    /// be done once everything was erased: the file is larger than it has to be, or the search index still lies there.
    /// Erasing again does it.
    ///
    /// # Errors
    /// When storage fails; everything is then still there.
    pub async fn erase(&self) -> Stored<Option<StoreFault>> {
        let shrunk = self
            .writer
            .exclusive(|connection| {
                erase_rows(connection)?;
                // What follows does not undo it, and one is of use without the other.
                let vacuumed = connection.execute_batch("VACUUM").map_err(Fault::from);
                let folded = checkpoint(connection).and_then(|folded| {
                    let read = "it is being read, so a part of it is still in its log";
                    folded.then_some(()).ok_or_else(|| Fault::other(read))
                });
                Ok(vacuumed.and(folded).map_err(StoreFault::from))
            })
            .await?;
        // Whoever keeps something in memory has to know.
        self.writer.tell(Topic::all());
        let forgotten = self.search.forget().await;
        let documents = self.documents.forget().await;
        Ok(shrunk.and(forgotten).and(documents).err())
    }

    /// Erases the files of a profile that is not open. Other files in the folder stay.
    ///
    /// # Errors
    /// When a file cannot be removed.
    pub fn erase_files(folder: &Path) -> Stored<()> {
        for name in [
            "adjutant.db",
            "adjutant.db-wal",
            "adjutant.db-shm",
            "adjutant.db.new",
        ]
        .into_iter()
        .chain(document_file::FILES)
        {
            match std::fs::remove_file(folder.join(name)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(io_fault(&error));
                }
                _ => {}
            }
        }
        match std::fs::remove_dir_all(folder.join(search::FOLDER)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(io_fault(&error)),
            _ => Ok(()),
        }
    }
}

/// Deletes every row, and writes over where it stood.
fn erase_rows(connection: &mut rusqlite::Connection) -> Result<()> {
    connection.execute_batch("PRAGMA secure_delete = ON")?;
    let tables: Vec<String> = connection
        .prepare(
            "SELECT name FROM pragma_table_list
             WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite_%'",
        )?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let tx = connection.transaction()?;
    // What the planner has learned holds pieces of the data.
    tx.execute_batch("ANALYZE lineage; DELETE FROM sqlite_stat1;")?;
    if tx.table_exists(Some("main"), "sqlite_stat4")? {
        tx.execute("DELETE FROM sqlite_stat4", [])?;
    }
    for table in tables.iter().filter(|table| *table != "lineage") {
        if table.ends_with("_words") {
            tx.execute(
                &format!("INSERT INTO {table} ({table}) VALUES ('delete-all')"),
                [],
            )?;
        } else {
            tx.execute(&format!("DELETE FROM {table}"), [])?;
        }
    }
    // The index of before belongs to another database now.
    tx.execute("UPDATE lineage SET name = lower(hex(randomblob(16)))", [])?;
    Ok(tx.commit()?)
}
