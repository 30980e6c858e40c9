//! Tests of collections: their names, imports into them, and where new records go.

use adjutant_domain::account::CollectionKind;
use adjutant_domain::change::Change;
use adjutant_domain::filter::Filter;
use adjutant_domain::operation::{Operation, operations};
use adjutant_domain::ports::{ImportCounts, Incoming, Listing, Records as _, RemoteCollection};
use adjutant_domain::record::{Event, Priority, Record};

use super::accounts::{at, connect, events, meeting, name, names, sync};
use super::{fresh, task};

#[tokio::test]
async fn collections_have_unique_names() {
    let (_folder, store) = fresh();
    let own = Change::add(Record::Event({
        let mut own = meeting("Own");
        own.calendar = "Calendar".into();
        own
    }));
    store.apply(own).await.expect("stored");
    let remote = connect(&store, "work").await;
    connect(&store, "home").await;
    let of = |all: Vec<(String, String)>| -> Vec<String> {
        let calendars = all
            .into_iter()
            .filter(|(_, name)| name.to_lowercase().contains("calendar"));
        calendars.map(|(_, name)| name).collect()
    };
    let expected = ["Calendar", "calendar (home)", "calendar (work)"];
    assert_eq!(of(names(&store).await), expected);
    // Renaming the calendar at the provider renames it for its events; removing it removes them.
    remote.put(
        &at("calendar"),
        &name("e"),
        vec![Record::Event({
            let mut theirs = meeting("Theirs");
            theirs.uid = "theirs@work".into();
            theirs
        })],
    );
    sync(&store, "work", &remote).await;
    let listed = |name: &str| {
        let calendar = RemoteCollection {
            remote_id: at("calendar"),
            kind: CollectionKind::Calendar,
            name: name.into(),
            colour: None,
            writable: false,
        };
        Listing {
            collections: vec![calendar],
            ..Listing::default()
        }
    };
    store
        .put_collections("work".into(), listed("Team"))
        .await
        .expect("renamed");
    let theirs = |all: Vec<Event>| -> Vec<String> {
        let theirs = all.into_iter().filter(|event| event.summary == "Theirs");
        theirs.map(|event| event.calendar).collect()
    };
    assert_eq!(theirs(events(&store).await), ["Team"]);
    store
        .put_collections("work".into(), Listing::default())
        .await
        .expect("gone");
    assert_eq!(theirs(events(&store).await), Vec::<String>::new());
    assert_eq!(events(&store).await.len(), 1, "what is here stays");
}

#[tokio::test]
async fn an_imported_calendar_with_a_taken_name_stays_local() {
    let (_folder, store) = fresh();
    connect(&store, "work").await;
    let mut imported = meeting("From a file");
    imported.calendar = "calendar".into();
    let incoming = || Incoming {
        record: Record::Event(imported.clone()),
        raw: None,
        provenance: None,
    };
    let added = store
        .import("file", vec![incoming()])
        .await
        .expect("imported");
    assert_eq!(added.added, 1);
    let again = store
        .import("file", vec![incoming()])
        .await
        .expect("imported");
    let same = ImportCounts {
        same: 1,
        ..ImportCounts::default()
    };
    assert_eq!(again, same);
    assert_eq!(events(&store).await[0].calendar, "calendar (imported)");
}

#[tokio::test]
async fn new_records_go_to_the_preferred_collection() {
    let (_folder, store) = fresh();
    connect(&store, "work").await;
    let all = store.collections().await.expect("collections");
    let lists = all.iter().find(|one| one.kind == CollectionKind::TaskList);
    let list = lists.expect("a list").id.clone();
    let asked_of = async || {
        let change = Change::add(Record::Task(task("t", "Milk")));
        let origins = store.origins(&change).await.expect("origins");
        operations(&change, &origins).expect("possible")
    };
    let tasks = CollectionKind::TaskList;
    let preferred = store.prefer_collection(tasks, Some(list.clone())).await;
    preferred.expect("preferred");
    let all = asked_of().await;
    assert!(matches!(&all[..], [Operation::Remote { .. }]), "{all:?}");
    let events = CollectionKind::Calendar;
    let refused = store.prefer_collection(events, Some(list)).await;
    assert!(refused.is_err(), "it is no calendar");
    store.prefer_collection(tasks, None).await.expect("here");
    let all = asked_of().await;
    assert!(matches!(&all[..], [Operation::Local { .. }]), "{all:?}");
}

#[tokio::test]
async fn an_event_with_a_new_uid_stays_the_same_row() {
    let (_folder, store) = fresh();
    let remote = connect(&store, "work").await;
    let named = |uid: &str, summary: &str| {
        let mut event = meeting(summary);
        event.uid = uid.into();
        vec![Record::Event(event)]
    };
    remote.put(&at("calendar"), &name("e"), named("ours@here", "Budget"));
    sync(&store, "work", &remote).await;
    let before = events(&store).await;
    remote.put(
        &at("calendar"),
        &name("e"),
        named("theirs@google.example", "Budget"),
    );
    sync(&store, "work", &remote).await;
    let after = events(&store).await;
    assert_eq!(after.len(), 1);
    assert_eq!(after[0].id, before[0].id, "so that it can still be undone");
    assert_eq!(after[0].uid, "theirs@google.example");
}

#[tokio::test]
async fn keeps_fields_a_provider_lacks() {
    let (_folder, store) = fresh();
    let remote = connect(&store, "work").await;
    let put = |title: &str| {
        let row = Record::Task(task("t", title));
        remote.put(&at("task_list"), &name("t"), vec![row])
    };
    put("Milk");
    sync(&store, "work", &remote).await;
    let all = async || store.tasks(&Filter::all()).await.expect("tasks");
    let mut urgent = all().await.remove(0);
    urgent.priority = Priority::High;
    let change = Change::replace(Record::Task(urgent));
    store.apply(change).await.expect("changed");
    remote.know_no_urgency();
    put("Milk and bread");
    sync(&store, "work", &remote).await;
    let read = all().await.remove(0);
    assert_eq!(read.title, "Milk and bread");
    assert_eq!(read.priority, Priority::High);
}
