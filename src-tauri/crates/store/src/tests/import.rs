//! Tests of import: no duplicates, and the person's changes stay.

use adjutant_domain::change::Change;
use adjutant_domain::filter::{Filter, Test};
use adjutant_domain::ports::{ImportCounts, Incoming, Records as _};
use adjutant_domain::record::{Folder, Kind, Record, Writer};

use super::{at, contact, event, fresh, mail, memory, moment, note, task, who};
use crate::{IMPORT_ROWS_MAX, Imported};

fn all() -> Vec<Incoming> {
    let mut exception = event(
        "e2",
        "Lunch moved",
        "2026-01-13T13:00:00Z",
        "2026-01-13T14:00:00Z",
    );
    exception.uid = "e1@test".into();
    exception.recurrence_id = Some(moment("2026-01-13T12:00:00Z"));
    let records = [
        Record::Event(event(
            "e1",
            "Lunch",
            "2026-01-12T12:00:00Z",
            "2026-01-12T13:00:00Z",
        )),
        Record::Event(exception),
        Record::Mail(mail("m1", who("Ana", "ana@example.org"), "Hi", "text")),
        Record::Contact(contact("c1", "Zoë", "zoe@example.org")),
        Record::Task(task("t1", "Milk")),
        Record::Note(note("n1", "Title", "Body")),
        Record::Memory(memory("k1", "wifi", "secret")),
    ];
    records
        .into_iter()
        .map(|record| Incoming {
            raw: (record.kind() == Kind::Mail).then(|| b"raw source".to_vec()),
            provenance: None,
            record,
        })
        .collect()
}

/// Returns the same items, with identifiers as a second run would create them.
fn again() -> Vec<Incoming> {
    let mut batch = all();
    for (number, incoming) in batch.iter_mut().enumerate() {
        crate::rows::with_inner!(&mut incoming.record, row => row.id = format!("other{number}").into());
        crate::rows::with_inner!(&mut incoming.record, row => row.updated = super::at("2026-02-01T00:00:00Z"));
    }
    batch
}

fn counts(added: u64, changed: u64, same: u64) -> ImportCounts {
    ImportCounts {
        added,
        changed,
        same,
    }
}

#[tokio::test]
async fn the_second_import_changes_nothing() {
    let (_folder, store) = fresh();
    assert_eq!(store.import("file", all()).await, Ok(counts(7, 0, 0)));
    assert_eq!(store.import("file", again()).await, Ok(counts(0, 0, 7)));
    for kind in Kind::ALL {
        let page = store.page(kind, None, 100).await.expect("a page");
        assert!(page.records.iter().all(|record| record.version() == 1));
    }
    let source = store.mail_source(&"m1".into()).await.expect("read");
    assert_eq!(source.as_deref(), Some(&b"raw source"[..]));
}

#[tokio::test]
async fn duplicates_within_a_batch_become_one() {
    let (_folder, store) = fresh();
    let twice = all().into_iter().chain(again()).collect();
    assert_eq!(store.import("file", twice).await, Ok(counts(7, 0, 7)));
}

#[tokio::test]
async fn keeps_the_persons_changes_and_takes_the_files() {
    let (_folder, store) = fresh();
    store.import("file", all()).await.expect("imported");
    let mut moved = event(
        "e1",
        "Lunch",
        "2026-01-12T15:00:00Z",
        "2026-01-12T16:00:00Z",
    );
    moved.version = 1;
    let mut binned = mail("m1", who("Ana", "ana@example.org"), "Hi", "text");
    binned.folder = Folder::Trash;
    binned.version = 1;
    let change = Change::replace(Record::Event(moved)).and_replace(Record::Mail(binned));
    store.apply(change).await.expect("changed");
    assert_eq!(store.import("file", again()).await, Ok(counts(0, 0, 7)));
    let Ok(Some(Record::Event(kept))) = store.get(Kind::Event, &"e1".into()).await else {
        panic!("gone");
    };
    assert_eq!(kept.start, moment("2026-01-12T15:00:00Z"));
    assert_eq!(store.mails(&Filter::all()).await, Ok(Vec::new()));

    let mut newer = event(
        "x",
        "Lunch at noon",
        "2026-01-12T12:00:00Z",
        "2026-01-12T13:00:00Z",
    );
    (newer.uid, newer.sequence) = ("e1@test".into(), 2);
    let file = |record| {
        vec![Incoming {
            record: Record::Event(record),
            raw: None,
            provenance: None,
        }]
    };
    assert_eq!(
        store.import("file", file(newer.clone())).await,
        Ok(counts(0, 1, 0))
    );
    let mut older = newer.clone();
    (older.sequence, older.summary) = (1, "Old".into());
    assert_eq!(store.import("file", file(older)).await, Ok(counts(0, 0, 1)));
    let Ok(Some(Record::Event(kept))) = store.get(Kind::Event, &"e1".into()).await else {
        panic!("gone");
    };
    assert_eq!((kept.summary.as_str(), kept.version), ("Lunch at noon", 3));
}

#[tokio::test]
async fn replaces_a_taken_identifier() {
    let (_folder, store) = fresh();
    store
        .apply(Change::add(Record::Task(task("t1", "Mine"))))
        .await
        .expect("stored");
    let batch = vec![
        Incoming {
            record: Record::Task(task("t1", "Theirs")),
            raw: None,
            provenance: None,
        },
        Incoming {
            record: Record::Task(task("", "Nameless")),
            raw: None,
            provenance: None,
        },
    ];
    assert_eq!(store.import("file", batch).await, Ok(counts(2, 0, 0)));
    let page = store.page(Kind::Task, None, 10).await.expect("a page");
    let titles: Vec<&str> = page.records.iter().map(Record::label).collect();
    assert_eq!(titles, ["Mine", "Theirs", "Nameless"]);
    assert!(page.records[1].id().as_str().starts_with("task_"));
}

#[tokio::test]
async fn recognises_a_local_task_in_its_export() {
    let (_folder, store) = fresh();
    store
        .apply(Change::add(Record::Task(task("t1", "Mine"))))
        .await
        .expect("stored");
    let batch = vec![Incoming {
        record: Record::Task(task("t9", "Mine")),
        raw: None,
        provenance: None,
    }];
    assert_eq!(store.import("file", batch).await, Ok(counts(0, 0, 1)));
}

#[tokio::test]
async fn a_file_does_not_replace_local_records() {
    let (_folder, store) = fresh();
    let mine = contact("c1", "Mum", "mum@home.example");
    let added = Change::add(Record::Contact(mine.clone()));
    store.apply(added).await.expect("stored");
    // A stranger knows the UID, because the card was once sent to somebody.
    let mut theirs = contact("x", "Mum", "evil@x.example");
    theirs.uid = mine.uid;
    let batch = vec![Incoming {
        record: Record::Contact(theirs),
        raw: None,
        provenance: None,
    }];
    assert_eq!(store.import("file", batch).await, Ok(counts(0, 0, 1)));
    let Ok(Some(Record::Contact(kept))) = store.get(Kind::Contact, &"c1".into()).await else {
        panic!("gone");
    };
    assert_eq!(kept.emails, ["mum@home.example"]);
}

#[tokio::test]
async fn another_files_card_does_not_change_a_contacts_addresses() {
    let (_folder, store) = fresh();
    let card = |id: &str, email: &str| {
        let mut card = contact(id, "Mum", email);
        card.uid = "mum".into();
        vec![Incoming {
            record: Record::Contact(card),
            raw: None,
            provenance: None,
        }]
    };
    let import = async |file: &str, batch| store.import(file, batch).await.unwrap();
    let mine = import("contacts.vcf", card("c1", "mum@home.example")).await;
    assert_eq!(mine, counts(1, 0, 0));
    for expected in [counts(1, 0, 0), counts(0, 0, 1)] {
        let theirs = import("card.vcf", card("c2", "mum@elsewhere.example")).await;
        assert_eq!(theirs, expected);
    }
    let emails = async || {
        let all = store.contacts(&Filter::all()).await.unwrap();
        let mut all: Vec<_> = all.into_iter().flat_map(|one| one.emails).collect();
        all.sort();
        all
    };
    assert_eq!(
        emails().await,
        ["mum@elsewhere.example", "mum@home.example"]
    );
    // The address book that the card came from may change it.
    let moved = import("contacts.vcf", card("c3", "mum@new.example")).await;
    assert_eq!(moved, counts(0, 1, 0));
    assert_eq!(emails().await, ["mum@elsewhere.example", "mum@new.example"]);
}

#[tokio::test]
async fn stores_a_mails_sender_kind_with_its_source() {
    let (_folder, store) = fresh();
    let incoming = |id: &str, head: &str| Incoming {
        record: Record::Mail(mail(id, who("Ana", "ana@example.org"), id, "text")),
        raw: Some(format!("{head}\r\n\r\ntext").into_bytes()),
        provenance: None,
    };
    let batch = vec![
        incoming("m1", "From: ana@example.org"),
        incoming("m2", "List-Id: <x>"),
        incoming("m3", "From: no-reply@example.org"),
    ];
    store.import("file", batch).await.expect("imported");
    for (writer, expected) in [
        (Writer::Person, vec!["m1"]),
        (Writer::List, vec!["m2"]),
        (Writer::Notice, vec!["m3"]),
        (Writer::Group, vec![]),
    ] {
        let filter = Filter::all().and(Test::WrittenBy(writer));
        let mails = store.mails(&filter).await.expect("mails");
        let ids: Vec<&str> = mails.iter().map(|mail| mail.id.as_str()).collect();
        assert_eq!(ids, expected, "{writer:?}");
    }
}

#[tokio::test]
async fn records_imports_with_counts_and_erases_them() {
    let (_folder, store) = fresh();
    let counts = ImportCounts {
        added: 59,
        changed: 2,
        same: 1,
    };
    let read = |file: &str| Imported {
        id: 0,
        at: at("2026-01-12T09:00:00Z"),
        file: file.into(),
        counts: [(Kind::Event, counts)].into(),
        refused: 3,
    };
    for file in ["calendar.ics", "mail.mbox"] {
        store.note_import(read(file)).await.expect("noted");
    }
    let kept = store.imports(None).await.expect("read");
    let expected = Imported {
        id: 2,
        ..read("mail.mbox")
    };
    assert_eq!(kept[0], expected, "the latest comes first");
    assert_eq!(store.imports(Some(1)).await.expect("read").len(), 1);
    store.erase().await.expect("erased");
    assert_eq!(store.imports(None).await, Ok(Vec::new()));
}

#[tokio::test]
async fn limits_the_number_of_recorded_imports() {
    let (_folder, store) = fresh();
    store
        .writer
        .exclusive(|writer| {
            writer.execute(
                "INSERT INTO imports (n, at, file, counts, refused) VALUES (?1, 0, 'old', '{}', 0), (?1 + 1, 0, 'newer', '{}', 0)",
                [1],
            )?;
            Ok(writer.execute(
                "INSERT INTO imports (n, at, file, counts, refused) VALUES (?1, 0, 'last', '{}', 0)",
                [IMPORT_ROWS_MAX],
            )?)
        })
        .await
        .expect("filled");
    let next = Imported {
        id: 0,
        at: at("2026-01-12T09:00:00Z"),
        file: "next".into(),
        counts: std::collections::BTreeMap::new(),
        refused: 0,
    };
    store.note_import(next).await.expect("noted");
    let kept = store.imports(None).await.expect("read");
    let files: Vec<_> = kept.iter().map(|one| one.file.as_str()).collect();
    assert_eq!(files, ["next", "last", "newer"]);
}
