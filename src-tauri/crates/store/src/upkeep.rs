//! What the app needs besides records and turns: settings, counts, export, the ledger, maintenance of the file.

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

/// Largest file, in pages of 4 KiB, that is rewritten to free unused space: 256 MiB. Nothing else is written
/// meanwhile.
const VACUUM_PAGES_MAX: i64 = 65_536;

/// The numbers shown in the tray.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// Number of actions that wait for the person.
    pub approvals: usize,
    /// The next or current event, if any.
    pub next_event: Option<Occurrence>,
}

/// One page of the records of a kind, in the order in which they were first written.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// Records of this page.
    pub records: Vec<Record>,
    /// Position to pass on for the next page; `None` on the last one.
    pub next: Option<i64>,
}

/// Settings: keys with JSON values.
impl Store {
    /// Returns the value of a setting, or `None` if it is not set.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn setting(&self, key: &str) -> Stored<Option<Value>> {
        let key = key.to_owned();
        self.read(move |connection| settings::get(connection, &key))
            .await
    }

    /// Returns all settings, by key.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn settings(&self) -> Stored<Vec<(String, Value)>> {
        self.read(settings::list).await
    }

    /// Stores a setting.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn set_setting(&self, key: &str, value: &Value) -> Stored<()> {
        let (key, value) = (key.to_owned(), value.clone());
        self.write("set_setting", move |tx| settings::set(tx, &key, &value))
            .await
    }

    /// Removes a setting and returns whether it was set.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn remove_setting(&self, key: &str) -> Stored<bool> {
        let key = key.to_owned();
        self.write("remove_setting", move |tx| settings::remove(tx, &key))
            .await
    }
}

/// Counts for the tray.
impl Store {
    /// Returns the numbers shown in the tray.
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
    /// Applies a change that nobody has just asked for, such as sending a held mail whose time has come, without an
    /// entry in the activity log. Returns the rows as read back.
    ///
    /// # Errors
    /// [`StoreFault::Conflict`] if a row is not in the expected state; otherwise when storage fails. Nothing is
    /// written then.
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

    /// Adds an entry to the ledger of what left this computer and returns its number.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn note_egress(&self, entry: Egress) -> Stored<i64> {
        self.write_light("note_egress", move |tx| egress::add(tx, &entry))
            .await
    }

    /// Completes the entry `number`, which was added with the time `at`, with the bytes sent and received. `None`
    /// removes it, because nothing left after all. An entry erased meanwhile stays erased.
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

    /// Stores a comparison of a candidate model with the live one.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn note_comparison(&self, one: Comparison) -> Stored<()> {
        self.write("note_comparison", move |tx| compared::add(tx, &one))
            .await
    }

    /// Returns how often candidates agreed with the live model, and the latest differences, newest first.
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

    /// Returns the ledger, latest entry first.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn egress(&self, limit: Option<usize>) -> Stored<Vec<Egress>> {
        self.read(move |connection| egress::list(connection, limit))
            .await
    }
}

/// Export, erasing and maintenance of the file.
impl Store {
    /// Returns a page of all records of a kind for export, including trash and past memories. Start with `None` and
    /// continue with [`Page::next`].
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

    /// Returns the number of records of a kind.
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

    /// Checks the whole file for `adjutant doctor` and returns the defects found; empty if there are none. Takes a
    /// while.
    ///
    /// # Errors
    /// When the file cannot be read at all.
    pub async fn integrity_check(&self) -> Stored<Vec<String>> {
        // A connection that searched words before keeps the structure of their index, and after a write in between SQLite
        // would take the index for damaged.
        self.readers.read_anew(connection::problems).await
    }

    /// Starts updating the full-text index in the background. For idle moments of a long-running process.
    pub fn follow_index(&self) {
        self.search.follow_soon();
    }

    /// Updates the full-text index and waits for it, for example after an import.
    ///
    /// # Errors
    /// [`StoreFault::Other`] with the reason; search works without the index, but less well.
    pub async fn index_now(&self) -> Stored<()> {
        let search = Arc::clone(&self.search);
        tokio::task::spawn_blocking(move || search.follow())
            .await
            .unwrap_or_else(|_| Err("the work broke off".into()))
            .map_err(|reason| {
                StoreFault::Other(format!("the search index cannot be written: {reason}"))
            })
    }

    /// Cleans up in idle moments and before closing: shortens journals, folds the write-ahead log into the file,
    /// frees memory and, if more than a quarter of a file of at most 256 MiB is unused, that space too.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn tidy(&self) -> Stored<()> {
        self.readers.close_idle();
        if let Some(seen) = self.search.seen() {
            self.write("forget_gone", move |tx| changes::forget_gone(tx, seen))
                .await?;
        }
        // One stretch per transaction, so that other writers wait for no more than that.
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
                // Updates the statistics of SQLite's query planner.
                connection.execute_batch("PRAGMA optimize")?;
                checkpoint(connection)?;
                Ok(())
            })
            .await
    }

    /// Erases everything in the profile, settings included, so that nothing of it remains in the file. Returns a
    /// fault if everything was erased but the cleanup after it failed: the file is larger than necessary, or the
    /// search index is still there. Erasing again repeats the cleanup.
    ///
    /// # Errors
    /// When storage fails; then nothing has been erased.
    pub async fn erase(&self) -> Stored<Option<StoreFault>> {
        let shrunk = self
            .writer
            .exclusive(|connection| {
                erase_rows(connection)?;
                // A failure of either step undoes nothing, and each is useful without the other.
                let vacuumed = connection.execute_batch("VACUUM").map_err(Fault::from);
                let folded = checkpoint(connection).and_then(|folded| {
                    let read = "it is being read, so a part of it is still in its log";
                    folded.then_some(()).ok_or_else(|| Fault::other(read))
                });
                Ok(vacuumed.and(folded).map_err(StoreFault::from))
            })
            .await?;
        // Notifies everyone who keeps data in memory.
        self.writer.tell(Topic::all());
        let forgotten = self.search.forget().await;
        let documents = self.documents.forget().await;
        Ok(shrunk.and(forgotten).and(documents).err())
    }

    /// Erases the files of a profile that is not open. Other files in its folder stay.
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

/// Deletes every row and overwrites the space it used.
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
    // The planner's statistics contain pieces of the data.
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
    // With a new name, this database no longer matches the old index.
    tx.execute("UPDATE lineage SET name = lower(hex(randomblob(16)))", [])?;
    Ok(tx.commit()?)
}
