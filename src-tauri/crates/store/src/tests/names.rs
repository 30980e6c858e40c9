//! Tests of finding the names that a message mentions, whoever wrote them.

use std::sync::Arc;

use adjutant_domain::account::{Account, AccountState, CollectionKind};
use adjutant_domain::change::{Change, Expect, RowOp};
use adjutant_domain::ids::RecordId;
use adjutant_domain::mentioned_name::{MentionedName, NameOf};
use adjutant_domain::moment::Moment;
use adjutant_domain::operation::RemoteId;
use adjutant_domain::ports::{Incoming, Records as _, TurnLog as _};
use adjutant_domain::record::{Event, Folder, Kind, Record, TaskStatus};
use adjutant_domain::source::Taint;
use adjutant_testkit::remote::ScriptedRemote;

use super::{
    at, contact, draft, effect, event, fresh, mail, memory, moment, noon, note, open, task, turn,
    who,
};
use crate::Store;

async fn named(store: &Store, message: &str) -> Vec<MentionedName> {
    store.named(message, noon(), 64).await.expect("read")
}

async fn labels(store: &Store, message: &str) -> Vec<String> {
    let found = named(store, message).await;
    found.into_iter().map(|one| one.label).collect()
}

async fn apply(store: &Store, change: Change) {
    store.apply(change).await.expect("applied");
}

async fn put(store: &Store, record: Record) {
    apply(store, Change::add(record)).await;
}

fn on(id: &str, summary: &str, day: &str) -> Event {
    let at = |time: &str| format!("{day}T{time}:00Z[UTC]");
    event(id, summary, &at("10:00"), &at("11:00"))
}

#[tokio::test]
async fn finds_records_of_every_kind_by_name_only() {
    let (_folder, store) = fresh();
    put(&store, Record::Task(task("t1", "Water the Orchids"))).await;
    put(&store, Record::Event(on("e1", "Orchid show", "2026-01-20"))).await;
    put(
        &store,
        Record::Note(note("n1", "Orchids", "of the balcony")),
    )
    .await;
    put(
        &store,
        Record::Contact(contact("c1", "Orchid Lee", "balcony@example.org")),
    )
    .await;
    put(
        &store,
        Record::Mail(mail(
            "m1",
            who("Bo", "bo@example.org"),
            "Re: orchids",
            "balcony",
        )),
    )
    .await;
    put(
        &store,
        Record::Outbox(draft("o1", "bo@example.org", "orchids?")),
    )
    .await;
    put(
        &store,
        Record::Memory(memory("k1", "orchid food", "once a week")),
    )
    .await;
    let found = named(&store, "where are the orchids").await;
    let mut kinds: Vec<Kind> = found
        .iter()
        .filter_map(|one| Some(one.record()?.0))
        .collect();
    kinds.sort();
    assert_eq!(
        kinds,
        [
            Kind::Task,
            Kind::Event,
            Kind::Note,
            Kind::Contact,
            Kind::Mail,
            Kind::Outbox
        ]
    );
    assert_eq!(labels(&store, "the balcony, bo and food").await, [""; 0]);
    // An event makes the name of its calendar known.
    let home = named(&store, "what is on my home calendar").await;
    let is_home = |one: &MentionedName| {
        matches!(
            one.of,
            NameOf::Collection {
                kind: CollectionKind::Calendar,
                ..
            }
        )
    };
    assert!(home.iter().any(is_home), "{home:?}");
}

#[tokio::test]
async fn a_found_name_has_the_records_time_and_taint() {
    let (_folder, store) = fresh();
    let incoming = |record| Incoming {
        record,
        raw: None,
        provenance: None,
    };
    let invited = on("e1", "Quarterly offsite", "2026-02-01");
    let mut letter = mail("m1", who("Bo", "bo@example.org"), "Quarterly offsite", "x");
    letter.date = at("2026-01-10T12:00:00Z");
    let batch = vec![
        incoming(Record::Event(invited.clone())),
        incoming(Record::Mail(letter)),
    ];
    store.import("work.ics", batch).await.expect("imported");
    let mut due = task("t1", "Quarterly offsite");
    due.due = Some(moment("2026-01-30"));
    store
        .open_turn(&turn("turn_1", "note it"))
        .await
        .expect("opened");
    let change = Change::add(Record::Task(due));
    store
        .commit_effect(&effect("eff_1", "turn_1", change))
        .await
        .expect("stored");
    let found = named(&store, "prepare the quarterly offsite").await;
    let got: Vec<_> = found
        .iter()
        .map(|one| {
            (
                one.record().map(|(kind, _)| kind),
                one.when.clone(),
                one.taint,
            )
        })
        .collect();
    let received = Moment::At(at("2026-01-10T12:00:00Z").to_zoned(jiff::tz::TimeZone::UTC));
    assert_eq!(
        got,
        [
            // Future ones first, soonest at the top, then past ones.
            (Some(Kind::Task), Some(moment("2026-01-30")), Taint::Clean),
            (Some(Kind::Event), Some(invited.start), Taint::Tainted),
            (Some(Kind::Mail), Some(received), Taint::Tainted),
        ]
    );
}

#[tokio::test]
async fn past_records_come_last_and_series_continue() {
    let (_folder, store) = fresh();
    let mut series = on("e0", "Piano lesson", "2020-01-06");
    series.rrule = Some("FREQ=WEEKLY".into());
    let rows = [
        Record::Event(on("e1", "Piano lesson", "2026-01-05")),
        Record::Event(on("e2", "Piano lesson", "2026-01-13")),
        Record::Event(on("e3", "Piano lesson", "2026-02-13")),
        Record::Event(series),
    ];
    for row in rows {
        put(&store, row).await;
    }
    let mut done = task("t1", "Piano lesson");
    done.status = TaskStatus::Done;
    done.completed_at = Some(at("2026-01-11T12:00:00Z"));
    put(&store, Record::Task(done)).await;
    let found = named(&store, "piano lesson").await;
    let ids: Vec<&str> = found
        .iter()
        .filter_map(|one| Some(one.record()?.1.as_str()))
        .collect();
    assert_eq!(ids, ["e0", "e2", "e3", "t1", "e1"]);
}

/// Returns everything found by the names in these tests, after checking that the updated index and a newly built one
/// agree.
async fn both(folder: &std::path::Path, store: &Store) -> Vec<String> {
    let mut followed = labels(store, "zanzibar").await;
    let mut anew = labels(&open(folder), "zanzibar").await;
    followed.sort();
    anew.sort();
    assert_eq!(followed, anew);
    followed
}

#[tokio::test]
async fn the_index_follows_every_way_in_which_rows_change() {
    let (folder, store) = fresh();
    let folder = folder.path();
    assert_eq!(both(folder, &store).await, [""; 0]);
    let first = Record::Event(on("e1", "Zanzibar flight", "2026-03-01"));
    put(&store, first.clone()).await;
    assert_eq!(both(folder, &store).await, ["Zanzibar flight"]);
    // Renamed, and renamed back.
    let renamed = Record::Event(on("e1", "Flight to Malindi", "2026-03-01"));
    let change = |record: &Record, version| Change {
        ops: vec![RowOp::Put {
            record: Box::new(record.clone()),
            expect: Expect::Version(version),
        }],
        ..Change::default()
    };
    apply(&store, change(&renamed, 1)).await;
    assert_eq!(both(folder, &store).await, [""; 0]);
    assert_eq!(labels(&store, "malindi").await, ["Flight to Malindi"]);
    apply(&store, change(&first, 2)).await;
    assert_eq!(both(folder, &store).await, ["Zanzibar flight"]);
    // Cancelled, and restored.
    let mut cancelled = on("e1", "Zanzibar flight", "2026-03-01");
    cancelled.cancelled = true;
    apply(&store, change(&Record::Event(cancelled), 3)).await;
    assert_eq!(both(folder, &store).await, [""; 0]);
    apply(&store, change(&first, 4)).await;
    // Moved to the trash, so that no search finds it.
    let mut letter = mail("m1", who("Bo", "bo@example.org"), "Zanzibar hotel", "x");
    put(&store, Record::Mail(letter.clone())).await;
    assert_eq!(
        both(folder, &store).await,
        ["Zanzibar flight", "Zanzibar hotel"]
    );
    letter.folder = Folder::Trash;
    apply(&store, change(&Record::Mail(letter), 1)).await;
    assert_eq!(both(folder, &store).await, ["Zanzibar flight"]);
    // Deleted; another row gets its number.
    let delete = RowOp::Delete {
        kind: Kind::Event,
        id: RecordId::from("e1"),
        expect: Expect::Version(5),
    };
    apply(
        &store,
        Change {
            ops: vec![delete],
            ..Change::default()
        },
    )
    .await;
    assert_eq!(both(folder, &store).await, [""; 0]);
    put(
        &store,
        Record::Event(on("e2", "Zanzibar ferry", "2026-03-01")),
    )
    .await;
    assert_eq!(both(folder, &store).await, ["Zanzibar ferry"]);
    // Another process writes.
    put(&open(folder), Record::Task(task("t1", "Zanzibar visa"))).await;
    assert_eq!(
        both(folder, &store).await,
        ["Zanzibar ferry", "Zanzibar visa"]
    );
    // An import adds more rows at once than the index updates one by one.
    let many = (0..5_100).map(|number| Incoming {
        record: Record::Task(task(&format!("x{number}"), &format!("Number {number}"))),
        raw: None,
        provenance: None,
    });
    store
        .import("many", many.collect())
        .await
        .expect("imported");
    assert_eq!(
        both(folder, &store).await,
        ["Zanzibar ferry", "Zanzibar visa"]
    );
    assert_eq!(labels(&store, "what about 5050").await, ["Number 5050"]);
    store.erase().await.expect("erased");
    assert_eq!(both(folder, &store).await, [""; 0]);
    assert_eq!(labels(&store, "number 5050, my home").await, [""; 0]);
}

#[tokio::test]
async fn finds_account_rows_and_calendars_until_removed() {
    let (folder, store) = fresh();
    let remote = ScriptedRemote::new("work");
    let account = Account {
        id: "work".into(),
        kind: "scripted".into(),
        label: "work".into(),
        addresses: vec!["me@work.example".into()],
        state: AccountState::Ready,
    };
    store.put_account(account).await.expect("an account");
    let listed = remote.backends().list().await.expect("a list");
    let calendar = listed
        .collections
        .iter()
        .find(|one| one.kind == CollectionKind::Calendar);
    let calendar = calendar.expect("a calendar").name.clone();
    store
        .put_collections("work".into(), listed)
        .await
        .expect("collections");
    assert!(labels(&store, &calendar).await.contains(&calendar));
    let name = RemoteId("z.ics".into());
    let row = Record::Event(on("e1", "Zanzibar summit", "2026-03-01"));
    remote.put(&RemoteId("/calendar".into()), &name, vec![row]);
    let sync = async |store: &Arc<Store>| {
        let synced = store
            .sync(&"work".into(), &remote.backends(), &|_| ())
            .await;
        synced.expect("read");
    };
    sync(&store).await;
    assert_eq!(both(folder.path(), &store).await, ["Zanzibar summit"]);
    remote.delete(&RemoteId("/calendar".into()), &name);
    sync(&store).await;
    assert_eq!(both(folder.path(), &store).await, [""; 0]);
    store.remove_account("work".into()).await.expect("gone");
    assert!(!labels(&store, &calendar).await.contains(&calendar));
}
