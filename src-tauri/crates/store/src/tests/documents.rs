//! Tests of the index of documents.

use adjutant_domain::ports::{Document, Documents, FileState};

use super::*;

fn document(path: &str, sha256: &str, passages: &[&str]) -> Document {
    Document {
        path: path.into(),
        state: FileState {
            size: 7,
            modified: 9,
            sha256: sha256.into(),
        },
        title: path.trim_start_matches('/').into(),
        passages: passages.iter().map(|&passage| passage.to_owned()).collect(),
        unread: passages.is_empty().then(|| "it is damaged".to_owned()),
    }
}

async fn paths(store: &Store, words: &str) -> Vec<String> {
    let hits = Documents::search(store, words, 9).await;
    hits.expect("searched")
        .into_iter()
        .map(|hit| hit.path)
        .collect()
}

#[tokio::test]
async fn adds_changes_and_removes_documents() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path(), StoreOptions::default()).expect("opened");
    let tower = ["The tower was built in 1874.", "It stands in Kiel."];
    for one in [
        document("/tower", "a", &tower),
        document("/lamp", "b", &["Lamps of towers were lit by hand. Towers!"]),
        document("/scan", "c", &[]),
    ] {
        store.put(one).await.expect("put");
    }
    assert_eq!(
        paths(&store, "When was the tower built?").await,
        ["/tower", "/lamp"]
    );
    assert_eq!(paths(&store, "\"OR) NEAR( *").await, [""; 0]);
    assert_eq!(
        paths(&store, "the of").await.len(),
        2,
        "all that there is to go by"
    );
    let counts = Documents::counts(&*store).await.expect("counted");
    assert_eq!((counts.read, counts.unread), (2, 1));
    store
        .put(document("/tower", "d", &["It fell."]))
        .await
        .expect("put");
    assert_eq!(paths(&store, "built").await, [""; 0]);
    assert_eq!(paths(&store, "fell").await, ["/tower"]);
    assert_eq!(paths(&store, "lit").await, ["/lamp"]);
    let state = FileState {
        size: 8,
        modified: 10,
        sha256: "d".into(),
    };
    store.touch("/tower", state.clone()).await.expect("touched");
    assert_eq!(store.known().await.expect("known")["/tower"], state);
    store
        .remove(vec!["/tower".into(), "/gone".into()])
        .await
        .expect("removed");
    assert_eq!(paths(&store, "fell").await, [""; 0]);
    store.erase().await.expect("erased");
    assert_eq!(store.known().await.expect("known").len(), 0);
}

#[tokio::test]
async fn rebuilds_a_damaged_index() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("documents.db");
    std::fs::write(&file, b"this is no database at all, whoever put it here").expect("written");
    let store = Store::open(folder.path(), StoreOptions::default()).expect("opened");
    store
        .put(document("/a", "a", &["A word."]))
        .await
        .expect("put");
    assert_eq!(paths(&store, "word").await, ["/a"]);
}
