//! Tests of full-text search with and without its index.

use adjutant_domain::change::Change;
use adjutant_domain::ports::{Incoming, Records as _};
use adjutant_domain::record::{Folder, Kind, Record};

use super::{contact, event, fresh, mail, memory, note, open, task, who};
use crate::Store;

async fn ids(store: &Store, text: &str, kinds: &[Kind]) -> Vec<String> {
    let hits = store.search(text, kinds, 10).await.expect("searched");
    hits.into_iter().map(|hit| hit.id.0).collect()
}

async fn fill(store: &Store) {
    let mut binned = mail(
        "m2",
        who("Ana", "ana@example.org"),
        "Budget",
        "budget budget",
    );
    binned.folder = Folder::Trash;
    let records = [
        Record::Note(note(
            "n1",
            "Shopping",
            "Milk, bread and the running shoes for Sunday",
        )),
        Record::Note(note("n2", "Budget", "The plan of the year")),
        Record::Mail(mail(
            "m1",
            who("Zoë Quill", "zoe@example.org"),
            "Re: numbers",
            "Here is the budget we spoke of",
        )),
        Record::Mail(binned),
        Record::Event(event(
            "e1",
            "Budget meeting",
            "2026-01-12T12:00:00Z",
            "2026-01-12T13:00:00Z",
        )),
        Record::Memory(memory("k1", "shoe size", "44")),
    ];
    let change = records.into_iter().fold(Change::default(), Change::and_add);
    store.apply(change).await.expect("stored");
}

async fn expect_all(store: &Store) {
    let found = ids(store, "budget", &[]).await;
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(
        found.last().map(String::as_str),
        Some("m1"),
        "titles come first: {found:?}"
    );
    assert_eq!(ids(store, "budget", &[Kind::Mail]).await, ["m1"]);
    assert_eq!(ids(store, "shoes", &[]).await, ["k1", "n1"]);
    assert_eq!(ids(store, "zoe numbers", &[]).await, ["m1"]);
    assert_eq!(ids(store, "plan of the year budget", &[]).await[0], "n2");
    assert_eq!(ids(store, "nothinglikeit", &[]).await, Vec::<String>::new());
}

#[tokio::test]
async fn search_works_with_and_without_the_index() {
    let (folder, store) = fresh();
    fill(&store).await;
    assert!(
        !folder.path().join("index").exists(),
        "nothing is opened before it is needed"
    );
    expect_all(&store).await;
    store.index_now().await.expect("indexed");
    expect_all(&store).await;
    // Only the index matches stems.
    assert_eq!(ids(&store, "run", &[]).await, ["n1"]);
    let hits = store.search("bread", &[], 1).await.expect("searched");
    assert_eq!(hits[0].title, "Shopping");
    assert!(hits[0].snippet.contains("bread"), "{}", hits[0].snippet);
    drop(store);
    let store = open(folder.path());
    expect_all(&store).await;
}

#[tokio::test]
async fn sees_own_writes_at_once() {
    let (_folder, store) = fresh();
    fill(&store).await;
    store.index_now().await.expect("indexed");
    store
        .apply(Change::add(Record::Task(task(
            "t1",
            "Ask about the budget",
        ))))
        .await
        .expect("stored");
    assert!(ids(&store, "budget", &[]).await.contains(&"t1".to_owned()));
    let mut changed = note("n2", "Renamed", "Something else");
    changed.version = 1;
    store
        .apply(Change::replace(Record::Note(changed)))
        .await
        .expect("changed");
    let found = ids(&store, "budget", &[]).await;
    assert!(!found.contains(&"n2".to_owned()), "{found:?}");
    assert_eq!(ids(&store, "renamed", &[]).await, ["n2"]);
    let gone = store
        .get(Kind::Event, &"e1".into())
        .await
        .expect("read")
        .expect("there");
    store.apply(Change::remove(&gone)).await.expect("removed");
    assert!(!ids(&store, "budget", &[]).await.contains(&"e1".to_owned()));
    store.index_now().await.expect("indexed");
    let found = ids(&store, "budget", &[]).await;
    assert_eq!(found, ["t1", "m1"]);
    store.tidy().await.expect("tidy");
    assert_eq!(ids(&store, "budget", &[]).await, found);
}

#[tokio::test]
async fn rebuilds_a_damaged_index() {
    let (folder, store) = fresh();
    fill(&store).await;
    store.index_now().await.expect("indexed");
    drop(store);
    let index = folder.path().join("index");
    for entry in std::fs::read_dir(&index).expect("an index").flatten() {
        std::fs::write(entry.path(), "nonsense").expect("damaged");
    }
    let store = open(folder.path());
    expect_all(&store).await;
    store.index_now().await.expect("made anew");
    assert_eq!(ids(&store, "run", &[]).await, ["n1"]);
}

#[tokio::test]
async fn damaged_segments_do_not_stop_a_search() {
    let (folder, store) = fresh();
    fill(&store).await;
    store.index_now().await.expect("indexed");
    drop(store);
    for entry in std::fs::read_dir(folder.path().join("index"))
        .expect("an index")
        .flatten()
    {
        let path = entry.path();
        if path.extension().is_some_and(|kind| kind != "json") {
            let mut bytes = std::fs::read(&path).expect("bytes");
            bytes.iter_mut().step_by(3).for_each(|byte| *byte ^= 0x5a);
            std::fs::write(&path, bytes).expect("damaged");
        }
    }
    let store = open(folder.path());
    expect_all(&store).await;
    store.index_now().await.expect("made anew");
    expect_all(&store).await;
}

#[tokio::test]
async fn ignores_an_index_of_another_database() {
    let (folder, store) = fresh();
    fill(&store).await;
    store.index_now().await.expect("indexed");
    drop(store);
    for name in ["adjutant.db", "adjutant.db-wal", "adjutant.db-shm"] {
        let _ = std::fs::remove_file(folder.path().join(name));
    }
    let store = open(folder.path());
    assert_eq!(ids(&store, "budget", &[]).await, Vec::<String>::new());
    store.index_now().await.expect("made anew");
    fill(&store).await;
    expect_all(&store).await;
}

#[tokio::test]
async fn an_outdated_index_is_not_used_and_catches_up() {
    let (_folder, store) = fresh();
    fill(&store).await;
    store.index_now().await.expect("indexed");
    let batch = (0..5_100).map(|number| Incoming {
        record: Record::Task(task(
            &format!("t{number}"),
            &format!("Chore number{number}"),
        )),
        raw: None,
        provenance: None,
    });
    store
        .import("file", batch.collect())
        .await
        .expect("imported");
    assert_eq!(ids(&store, "number4711", &[]).await, ["t4711"]);
    expect_all(&store).await;
    store.index_now().await.expect("caught up");
    assert_eq!(ids(&store, "number4711", &[]).await, ["t4711"]);
}

#[tokio::test]
async fn finds_people_then_titles_by_their_beginnings() {
    let (_folder, store) = fresh();
    fill(&store).await;
    let ana = contact("c1", "Budge Okafor", "budge@example.org");
    store
        .apply(Change::add(Record::Contact(ana)))
        .await
        .expect("stored");
    let found = |text: &'static str| {
        let store = &store;
        async move {
            let hits = store.beginnings(text, 5).await.expect("searched");
            hits.into_iter().map(|hit| hit.id.0).collect::<Vec<_>>()
        }
    };
    // Neither the mail that only mentions it nor the one in the trash.
    assert_eq!(found("budg").await, ["c1", "e1", "n2"]);
    assert_eq!(
        found("qui num").await,
        ["m1"],
        "a person and a word of the title"
    );
    assert_eq!(found("qui budg").await, Vec::<String>::new());
    assert_eq!(found("zo").await, ["m1"]);
    assert_eq!(found("  ").await, Vec::<String>::new());
    assert_eq!(
        store.beginnings("budg", 0).await.expect("searched").len(),
        0
    );
}
