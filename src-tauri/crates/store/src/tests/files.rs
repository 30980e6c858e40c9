//! Tests of the database file: opening, formats, refusals, limits.

use adjutant_domain::change::Change;
use adjutant_domain::faults::StoreFault;
use adjutant_domain::filter::Filter;
use adjutant_domain::ports::{Records as _, TurnLog as _};
use adjutant_domain::record::{Kind, Record};
use rusqlite::Connection;

use super::{at, effect, fresh, memory, noon, note, open, task, turn};
use crate::{Egress, Store, StoreOptions, migrations};

/// Digests of the SQL of every released format. Entries are only added, never changed.
const FORMATS: &[&str] = &[
    "887f80bd", "ce9fb7f5", "08ba6e57", "309de486", "4dbd2088", "605773e2", "76eae77f", "89e039db",
    "fa331d6f", "51e12c37", "56b8f661", "26652776", "0b462e41", "f4f6f4e9", "f478e6a5", "f98c323c",
    "7929ddea", "bd288745", "ea8b5098", "599c0254", "6b58f15e", "b0a4a13c", "3540f85b", "1c781ae3",
    "4aef6752", "47312630",
];

fn refused(folder: &std::path::Path, options: StoreOptions) -> StoreFault {
    match Store::open(folder, options) {
        Ok(_) => panic!("it was opened"),
        Err(fault) => fault,
    }
}

fn schema_of(connection: &Connection) -> Vec<String> {
    connection
        .prepare("SELECT coalesce(sql, name) FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY name")
        .and_then(|mut statement| statement.query_map([], |row| row.get(0))?.collect())
        .expect("the schema")
}

#[test]
fn released_formats_never_change() {
    let digests: Vec<String> = (1..=migrations::FORMAT)
        .map(|format| {
            let text = migrations::sql_of(format);
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            adjutant_domain::canonical::sha256(words.as_bytes()).0[..8].to_owned()
        })
        .collect();
    assert_eq!(
        digests, FORMATS,
        "a released format changed: add a new one instead"
    );
}

#[test]
fn migrates_every_older_format() {
    let mut direct = Connection::open_in_memory().expect("memory");
    migrations::run(&mut direct).expect("all at once");
    for format in 0..migrations::FORMAT {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("adjutant.db");
        let mut old = Connection::open(&file).expect("a file");
        if format > 0 {
            old.pragma_update(None, "application_id", 0x4164_6a75)
                .expect("ours");
            migrations::run_to(&mut old, format).expect("an old profile");
        }
        drop(old);
        drop(open(folder.path()));
        let now = Connection::open(&file).expect("a file");
        assert_eq!(schema_of(&now), schema_of(&direct), "from format {format}");
    }
}

#[test]
fn refuses_a_newer_profile_unchanged() {
    let (folder, store) = fresh();
    drop(store);
    let file = folder.path().join("adjutant.db");
    let newer = Connection::open(&file).expect("a file");
    newer
        .pragma_update(None, "user_version", 99)
        .expect("a version");
    drop(newer);
    let before = std::fs::read(&file).expect("bytes");
    let fault = refused(folder.path(), StoreOptions::default());
    assert_eq!(
        fault,
        StoreFault::Newer {
            found: 99,
            known: migrations::FORMAT as i64
        }
    );
    assert_eq!(std::fs::read(&file).expect("bytes"), before);
}

#[test]
fn refuses_another_programs_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let other = Connection::open(folder.path().join("adjutant.db")).expect("a file");
    other
        .execute_batch("CREATE TABLE theirs (a)")
        .expect("a table");
    drop(other);
    let fault = refused(folder.path(), StoreOptions::default());
    assert!(fault.to_string().contains("another program"), "{fault}");
}

#[test]
fn identifies_a_damaged_file() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("adjutant.db"), vec![b'x'; 9000]).expect("bytes");
    let fault = refused(folder.path(), StoreOptions::default());
    assert!(matches!(fault, StoreFault::Damaged(_)), "{fault:?}");
}

#[test]
fn reports_a_folder_that_cannot_be_created() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "x").expect("a file");
    let fault = refused(&file.join("profile"), StoreOptions::default());
    assert!(fault.to_string().contains("profile folder"), "{fault}");
}

#[test]
fn restarts_a_profile_that_was_never_completed() {
    let folder = tempfile::tempdir().expect("a folder");
    let half = folder.path().join("adjutant.db.new");
    std::fs::write(&half, "half").expect("bytes");
    drop(open(folder.path()));
    assert!(!half.exists());
    // A crash at the very beginning leaves an empty file.
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("adjutant.db"), "").expect("bytes");
    drop(open(folder.path()));
}

#[tokio::test]
async fn a_read_only_profile_reads_and_refuses_to_write() {
    let (folder, store) = fresh();
    store
        .apply(Change::add(Record::Task(task("t1", "Milk"))))
        .await
        .expect("stored");
    drop(store);
    let options = StoreOptions {
        read_only: true,
        ..StoreOptions::default()
    };
    let store = Store::open(folder.path(), options).expect("opened");
    assert!(
        store
            .get(Kind::Task, &"t1".into())
            .await
            .expect("read")
            .is_some()
    );
    assert_eq!(
        store.open_turn(&turn("a", "hi")).await,
        Err(StoreFault::ReadOnly)
    );
    let missing = tempfile::tempdir().expect("a folder");
    let options = StoreOptions {
        read_only: true,
        ..StoreOptions::default()
    };
    refused(missing.path(), options);
}

#[tokio::test]
async fn reads_a_log_without_a_checkpoint() {
    let (folder, store) = fresh();
    store
        .apply(Change::add(Record::Task(task("t1", "Milk"))))
        .await
        .expect("stored");
    // A copy of database and log, as on a medium removed before anybody could checkpoint the log.
    let medium = tempfile::tempdir().expect("a folder");
    let names = ["adjutant.db", "adjutant.db-wal"];
    for name in names {
        let from = folder.path().join(name);
        std::fs::copy(from, medium.path().join(name)).expect("copied");
    }
    let before = names.map(|name| std::fs::read(medium.path().join(name)).expect("bytes"));
    assert!(!before[1].is_empty(), "the log holds what was written");
    let mut opener = crate::connection::Opener {
        file: medium.path().join("adjutant.db"),
        read_only: true,
        immutable: false,
        zone: std::sync::Arc::new(std::sync::RwLock::new(jiff::tz::TimeZone::UTC)),
    };
    let copy = opener.copy().expect("readable");
    let tasks: i64 = opener
        .reader()
        .expect("opened")
        .query_row("SELECT count(*) FROM tasks", [], |row| row.get(0))
        .expect("read");
    assert_eq!(tasks, 1);
    let after = names.map(|name| std::fs::read(medium.path().join(name)).expect("bytes"));
    assert!(before == after, "nothing on the medium changed");
    drop(copy);
}

#[tokio::test]
async fn reports_a_full_disk_and_writes_nothing_in_part() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = StoreOptions {
        pages_max: Some(260),
        ..StoreOptions::default()
    };
    let store = Store::open(folder.path(), options).expect("opened");
    let body = "word ".repeat(20_000);
    let mut stored = 0_u64;
    let fault = loop {
        let id = format!("n{stored}");
        let change =
            Change::add(Record::Note(note(&id, &id, &body))).and_add(Record::Task(task(&id, &id)));
        match store.apply(change).await {
            Ok(_) => stored += 1,
            Err(fault) => break fault,
        }
        assert!(stored < 100, "the disk is never full");
    };
    assert_eq!(fault, StoreFault::DiskFull);
    assert!(stored > 0);
    assert_eq!(store.count(Kind::Note).await, Ok(stored));
    assert_eq!(store.count(Kind::Task).await, Ok(stored));
    assert_eq!(store.integrity_check().await, Ok(Vec::new()));
    // Writes that still fit succeed.
    store
        .set_setting("a", &1.into())
        .await
        .expect("a small write");
}

#[tokio::test]
async fn everything_is_still_there_after_opening_again() {
    let (folder, store) = fresh();
    store
        .open_turn(&turn("a", "Add milk"))
        .await
        .expect("opened");
    let change = Change::add(Record::Task(task("t1", "Milk")));
    store
        .commit_effect(&effect("e1", "a", change))
        .await
        .expect("done");
    store
        .set_setting("time_zone", &"UTC".into())
        .await
        .expect("set");
    drop(store);
    assert!(
        !folder.path().join("adjutant.db-wal").exists(),
        "the log is folded in"
    );
    let store = open(folder.path());
    assert!(
        store
            .get(Kind::Task, &"t1".into())
            .await
            .expect("read")
            .is_some()
    );
    assert_eq!(store.setting("time_zone").await, Ok(Some("UTC".into())));
    assert_eq!(store.unfinished().await.expect("read").len(), 1);
}

#[cfg(unix)]
#[test]
fn nobody_else_can_read_the_profile() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let profile = folder.path().join("profile");
    let _store = open(&profile);
    let mode =
        |path: &std::path::Path| std::fs::metadata(path).expect("there").permissions().mode();
    assert_eq!(mode(&profile) & 0o777, 0o700);
    for name in ["adjutant.db", "adjutant.db-wal"] {
        assert_eq!(mode(&profile.join(name)) & 0o777, 0o600, "{name}");
    }
}

#[tokio::test]
async fn erasing_leaves_nothing_in_the_files() {
    let (folder, store) = fresh();
    store
        .apply(
            Change::add(Record::Note(note("n1", "Secret", "xyzzyplugh")))
                .and_add(Record::Memory(memory("m1", "safe", "xyzzyplugh"))),
        )
        .await
        .expect("stored");
    store.set_setting("a", &1.into()).await.expect("set");
    store.index_now().await.expect("indexed");
    let mut changes = store.subscribe();
    assert_eq!(store.erase().await, Ok(None));
    let touched = changes.recv().await.expect("a change");
    assert!(touched.contains(&crate::Topic::Records(Kind::Memory)));
    assert_eq!(store.notes(&Filter::all()).await, Ok(Vec::new()));
    assert_eq!(store.settings().await, Ok(Vec::new()));
    assert_eq!(store.search("xyzzyplugh", &[], 5).await, Ok(Vec::new()));
    drop(store);
    for entry in std::fs::read_dir(folder.path())
        .expect("a folder")
        .flatten()
    {
        if entry.path().is_file() {
            let bytes = std::fs::read(entry.path()).expect("bytes");
            let found = bytes.windows(10).any(|window| window == b"xyzzyplugh");
            assert!(!found, "{:?} still has it", entry.path());
        }
    }
    Store::erase_files(folder.path()).expect("erased");
    assert!(!folder.path().join("adjutant.db").exists());
}

#[tokio::test]
async fn erases_even_if_the_file_cannot_shrink() {
    let (folder, store) = fresh();
    let secret = Change::add(Record::Note(note("n1", "Secret", "xyzzyplugh")));
    store.apply(secret).await.expect("stored");
    store.index_now().await.expect("indexed");
    let allow = async |attached: i32| {
        let limit = rusqlite::limits::Limit::SQLITE_LIMIT_ATTACHED;
        let set = store
            .writer
            .exclusive(move |writer| Ok(writer.set_limit(limit, attached)?));
        set.await.expect("set")
    };
    // VACUUM attaches the copy it makes.
    let usual = allow(0).await;
    let mut changes = store.subscribe();
    let rest = store.erase().await.expect("erased");
    assert!(rest.is_some(), "what is left to do is told");
    let touched = changes.recv().await.expect("a change");
    assert!(touched.contains(&crate::Topic::Records(Kind::Note)));
    assert_eq!(store.notes(&Filter::all()).await, Ok(Vec::new()));
    assert!(!folder.path().join(crate::search::FOLDER).exists());
    allow(usual).await;
    // An open read transaction prevents the checkpoint of the log.
    let reader = rusqlite::Connection::open(folder.path().join("adjutant.db")).expect("opened");
    reader
        .execute_batch("BEGIN; SELECT name FROM lineage")
        .expect("read");
    let impatient = store
        .writer
        .exclusive(|writer| Ok(writer.busy_timeout(std::time::Duration::ZERO)?));
    impatient.await.expect("set");
    let rest = store.erase().await.expect("erased");
    assert!(rest.is_some_and(|rest| rest.to_string().contains("being read")));
    reader.execute_batch("COMMIT").expect("read");
    assert_eq!(store.erase().await, Ok(None), "erasing again does the rest");
}

#[tokio::test]
async fn the_ledger_counts_egress() {
    let (_folder, store) = fresh();
    for bytes in [1, 2] {
        let noted = store.note_egress(left(noon(), bytes)).await;
        noted.expect("noted");
    }
    let ledger = store.egress(Some(1)).await.expect("read");
    assert_eq!((ledger[0].id, ledger[0].bytes_out), (2, 2));
}

#[tokio::test]
async fn the_end_of_an_erased_exchange_affects_no_other() {
    let (_folder, store) = fresh();
    let (early, late) = (at("2026-01-12T11:00:00Z"), at("2026-01-12T13:00:00Z"));
    let erased = store.note_egress(left(early, 1)).await.expect("noted");
    store.erase().await.expect("erased");
    let new = store.note_egress(left(late, 2)).await.expect("noted");
    assert_eq!(new, erased, "numbers are given anew");
    for bytes in [None, Some((2, 7))] {
        let ended = store.end_egress(erased, early, bytes).await;
        ended.expect("passed over");
        let ledger = store.egress(None).await.expect("read");
        assert_eq!((ledger[0].bytes_out, ledger[0].bytes_in), (2, 0));
    }
    let ended = store.end_egress(new, late, Some((40, 7))).await;
    ended.expect("ended");
    let ledger = store.egress(None).await.expect("read");
    // A stream continues to send after it was recorded.
    assert_eq!((ledger[0].bytes_out, ledger[0].bytes_in), (40, 7));
    store.end_egress(new, late, None).await.expect("ended");
    assert_eq!(store.egress(None).await, Ok(Vec::new()));
}

fn left(at: jiff::Timestamp, bytes_out: u64) -> Egress {
    Egress {
        id: 0,
        at,
        who: "example.org".into(),
        why: "test".into(),
        bytes_out,
        bytes_in: 0,
    }
}

#[tokio::test]
async fn listeners_learn_which_topics_a_commit_changed() {
    let (_folder, store) = fresh();
    let mut changes = store.subscribe();
    store
        .apply(Change::add(Record::Task(task("t1", "Milk"))))
        .await
        .expect("stored");
    let touched = changes.recv().await.expect("a change");
    assert!(touched.contains(&crate::Topic::Records(Kind::Task)));
}

#[tokio::test]
async fn pages_return_every_record_once() {
    let (_folder, store) = fresh();
    for number in 0..7 {
        let change = Change::add(Record::Task(task(&format!("t{number}"), "x")));
        store.apply(change).await.expect("stored");
    }
    let (mut after, mut ids) = (None, Vec::new());
    loop {
        let page = store.page(Kind::Task, after, 3).await.expect("a page");
        ids.extend(page.records.iter().map(|record| record.id().0.clone()));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(ids, ["t0", "t1", "t2", "t3", "t4", "t5", "t6"]);
    store.tidy().await.expect("tidy");
}
