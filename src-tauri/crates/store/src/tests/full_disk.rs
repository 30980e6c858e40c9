//! Tests with a disk that fills up while an account is being read.

use adjutant_domain::faults::StoreFault;
use adjutant_domain::filter::Filter;
use adjutant_domain::ports::{NotRead, PullFault, Records as _};
use adjutant_domain::record::{Event, Kind, Record};

use super::accounts::{at, connect, meeting, name, sync};
use super::open;
use crate::{Store, StoreOptions};

const EVENTS: usize = 1_000;

#[tokio::test]
async fn keeps_what_was_read_and_continues_once_there_is_room() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = StoreOptions {
        pages_max: Some(400),
        ..StoreOptions::default()
    };
    let store = Store::open(folder.path(), options).expect("opened");
    let remote = connect(&store, "work").await;
    for number in 0..EVENTS {
        let event = Event {
            uid: format!("uid{number}"),
            description: "word ".repeat(400),
            ..meeting(&format!("Meeting {number}"))
        };
        let id = format!("e{number:04}");
        remote.put(&at("calendar"), &name(&id), vec![Record::Event(event)]);
    }
    let read = store
        .sync(&"work".into(), &remote.backends(), &|_| ())
        .await;
    let full = matches!(
        read,
        Err(NotRead::Store(StoreFault::DiskFull)
            | NotRead::Collection(_, PullFault::Store(StoreFault::DiskFull)))
    );
    assert!(full, "{read:?}");
    assert_eq!(store.integrity_check().await, Ok(Vec::new()));
    let before = store.count(Kind::Event).await.expect("a count");
    assert!((1..EVENTS as u64).contains(&before), "{before}");
    drop(store);

    let store = open(folder.path());
    assert_eq!(
        store.count(Kind::Event).await,
        Ok(before),
        "nothing is lost"
    );
    sync(&store, "work", &remote).await;
    let rows = store.list(Kind::Event, &Filter::all()).await.expect("rows");
    let mut titles: Vec<String> = rows.iter().map(|row| row.label().to_owned()).collect();
    titles.sort();
    titles.dedup();
    assert_eq!((rows.len(), titles.len()), (EVENTS, EVENTS));
    assert_eq!(store.integrity_check().await, Ok(Vec::new()));
}
