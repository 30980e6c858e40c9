//! Tests of accounts: reading them, events that live in several, and what stays when one is removed.

use std::sync::Arc;

use adjutant_domain::account::{Account, AccountState, CollectionKind};
use adjutant_domain::change::Change;
use adjutant_domain::filter::Filter;
use adjutant_domain::operation::{
    CalendarOp, Etag, Operation, Receipt, RemoteFault, RemoteId, RemoteOp, operations,
};
use adjutant_domain::ports::{
    NotRead, PullFault, Pulled, PulledWhat, Records as _, RemoteCollection,
};
use adjutant_domain::record::{Event, Folder, Kind, Mail, Record};
use adjutant_testkit::remote::{ScriptedRemote, Trouble};

use super::{event, fresh, mail, noon, task, who};
use crate::Store;
use crate::places::confirmed;

pub(super) fn account(id: &str, address: &str) -> Account {
    Account {
        id: id.into(),
        kind: "scripted".into(),
        label: id.into(),
        addresses: vec![address.into()],
        state: AccountState::Ready,
    }
}

/// Connects an account and reads it for the first time.
pub(super) async fn connect(store: &Arc<Store>, id: &str) -> ScriptedRemote {
    let remote = ScriptedRemote::new(id);
    store
        .put_account(account(id, &format!("me@{id}.example")))
        .await
        .expect("an account");
    list(store, id, &remote).await;
    remote
}

pub(super) async fn list(store: &Arc<Store>, id: &str, remote: &ScriptedRemote) {
    let listed = remote.backends().list().await.expect("a list");
    store
        .put_collections(id.into(), listed)
        .await
        .expect("collections");
}

pub(super) async fn sync(store: &Arc<Store>, id: &str, remote: &ScriptedRemote) {
    store
        .sync(&id.into(), &remote.backends(), &|_| ())
        .await
        .expect("read");
}

pub(super) fn at(kind: &str) -> RemoteId {
    RemoteId(format!("/{kind}"))
}

pub(super) fn name(text: &str) -> RemoteId {
    RemoteId(text.into())
}

pub(super) fn meeting(summary: &str) -> Event {
    event(
        "theirs",
        summary,
        "2026-01-15T10:00:00+01:00[Europe/Paris]",
        "2026-01-15T11:00:00+01:00[Europe/Paris]",
    )
}

pub(super) fn letter(id: &str) -> Mail {
    mail(id, who("Nadia", "nadia@work.example"), "Lunch?", "Friday?")
}

pub(super) async fn events(store: &Store) -> Vec<Event> {
    store.events(&Filter::all()).await.expect("events")
}

pub(super) async fn mails(store: &Store) -> Vec<Mail> {
    store.mails(&Filter::all()).await.expect("mails")
}

pub(super) async fn names(store: &Store) -> Vec<(String, String)> {
    let all = store.collections().await.expect("collections");
    all.into_iter()
        .map(|one| (one.account.0, one.name))
        .collect()
}

#[tokio::test]
async fn local_calendars_are_rows() {
    let (_folder, store) = fresh();
    let accounts = store.accounts().await.expect("accounts");
    assert_eq!(accounts.len(), 1);
    assert!(accounts[0].id.is_local());
    assert_eq!(names(&store).await, Vec::new());
    for (id, calendar) in [("a", "Home"), ("b", "home"), ("c", "Work"), ("d", "")] {
        let mut event = meeting("Lunch");
        (event.id, event.uid) = (id.into(), format!("{id}@x"));
        event.calendar = calendar.into();
        let stored = store.apply(Change::add(Record::Event(event))).await;
        stored.expect("stored");
    }
    let local = |name: &str| ("local".to_owned(), name.to_owned());
    assert_eq!(names(&store).await, [local("Home"), local("Work")]);
}

#[tokio::test]
async fn reads_and_follows_an_account() {
    let (_folder, store) = fresh();
    let remote = connect(&store, "work").await;
    let put = |kind: &str, id: &str, row: Record| remote.put(&at(kind), &name(id), vec![row]);
    put("calendar", "e", Record::Event(meeting("Budget")));
    put("mailbox", "m", Record::Mail(letter("m")));
    put("task_list", "t", Record::Task(task("t", "Milk")));
    sync(&store, "work", &remote).await;
    let [budget] = &events(&store).await[..] else {
        panic!("one event");
    };
    assert_eq!(
        (
            budget.summary.as_str(),
            budget.calendar.as_str(),
            budget.version
        ),
        ("Budget", "calendar", 1)
    );
    let source = store.mail_source(&mails(&store).await[0].id).await;
    assert_eq!(source.expect("read"), Some(b"Lunch?".to_vec()));
    let ids = [budget.id.clone()];
    let foreign = store.foreign(Kind::Event, &ids).await.expect("read");
    assert!(foreign.contains(&budget.id), "others may have written it");
    // Reading again writes nothing if nothing has changed.
    sync(&store, "work", &remote).await;
    assert_eq!(events(&store).await, std::slice::from_ref(budget));
    // The row keeps its identifier when it changes at the provider, and is removed when it is removed there.
    put("calendar", "e", Record::Event(meeting("Budget, moved")));
    put("task_list", "t", Record::Task(task("t", "Oat milk")));
    remote.delete(&at("mailbox"), &name("m"));
    sync(&store, "work", &remote).await;
    let now = &events(&store).await[0];
    assert_eq!((now.summary.as_str(), now.version), ("Budget, moved", 2));
    assert_eq!(now.id, budget.id);
    let tasks = store.tasks(&Filter::all()).await.expect("tasks");
    let titles: Vec<&str> = tasks.iter().map(|task| task.title.as_str()).collect();
    assert_eq!(titles, ["Oat milk"]);
    assert_eq!(mails(&store).await, Vec::new());
}

#[tokio::test]
async fn a_refused_cursor_restarts_the_reading() {
    let (_folder, store) = fresh();
    let remote = connect(&store, "work").await;
    for id in ["a", "b"] {
        let row = Record::Task(task(id, id));
        remote.put(&at("task_list"), &name(id), vec![row]);
    }
    sync(&store, "work", &remote).await;
    remote.delete(&at("task_list"), &name("a"));
    remote.forget_cursors();
    sync(&store, "work", &remote).await;
    let tasks = store.tasks(&Filter::all()).await.expect("tasks");
    let titles: Vec<&str> = tasks.iter().map(|task| task.title.as_str()).collect();
    assert_eq!(titles, ["b"], "what was not delivered again is gone");
}

#[tokio::test]
async fn keeps_what_was_read_before_a_fault() {
    let (_folder, store) = fresh();
    let remote = connect(&store, "work").await;
    for at_ in 0..250 {
        let id = format!("t{at_}");
        let row = Record::Task(task(&id, &id));
        remote.put(&at("task_list"), &name(&id), vec![row]);
    }
    let count = || async { store.count(Kind::Task).await.expect("a number") };
    // Each collection is read once; only the list has a second page before which reading can stop.
    for _ in 0..4 {
        remote.meet(Trouble::BreaksOff);
    }
    let read = store
        .sync(&"work".into(), &remote.backends(), &|_| ())
        .await;
    let broke_off = PullFault::Remote(RemoteFault::Unreachable);
    assert_eq!(
        read,
        Err(NotRead::Collection(CollectionKind::TaskList, broke_off))
    );
    assert_eq!(count().await, 200);
    sync(&store, "work", &remote).await;
    assert_eq!(count().await, 250);
}

#[tokio::test]
async fn a_family_that_cannot_be_listed_delays_no_other() {
    let (_folder, store) = fresh();
    let remote = connect(&store, "work").await;
    let put = |kind: &str, id: &str, row: Record| remote.put(&at(kind), &name(id), vec![row]);
    put("calendar", "e", Record::Event(meeting("Budget")));
    put("mailbox", "m", Record::Mail(letter("m")));
    put("task_list", "t", Record::Task(task("t", "Milk")));
    sync(&store, "work", &remote).await;
    put("calendar", "f", {
        let mut later = meeting("Review");
        later.uid = "later".into();
        Record::Event(later)
    });
    remote.delete(&at("mailbox"), &name("m"));
    // Calendars and mail fit into one page each, so their reading cannot stop half-way; the task list is refused.
    remote.meet(Trouble::BreaksOff);
    remote.meet(Trouble::BreaksOff);
    remote.meet(Trouble::Fault(RemoteFault::Gone));
    let backends = remote.backends();
    let listing = backends.list().await.expect("a list");
    let unlisted = vec![(CollectionKind::TaskList, RemoteFault::Gone)];
    assert_eq!(listing.unlisted, unlisted);
    let readable = backends.covered_by(&listing);
    let put = store.put_collections("work".into(), listing).await;
    put.expect("collections");
    let asked = remote.requests();
    let read = store.sync(&"work".into(), &readable, &|_| ()).await;
    assert_eq!(read, Ok(()));
    assert_eq!(remote.requests() - asked, 3, "tasks are not asked for");
    let counts = async |kind| store.count(kind).await.expect("a number");
    assert_eq!(counts(Kind::Event).await, 2, "calendars are read");
    assert_eq!(
        counts(Kind::Task).await,
        1,
        "nobody said that they are gone"
    );
    assert_eq!(
        counts(Kind::Mail).await,
        0,
        "what is gone goes all the same"
    );
    remote.meet(Trouble::Fault(RemoteFault::not_signed_in("work".into())));
    let asked = remote.requests();
    backends.list().await.expect_err("nobody is signed in");
    assert_eq!(
        remote.requests() - asked,
        1,
        "a password is not tried again"
    );
}

#[tokio::test]
async fn pauses_requests_to_a_provider_that_limits_them() {
    let (_folder, store) = fresh();
    let remote = connect(&store, "work").await;
    for number in 0..9 {
        remote.put_collection(RemoteCollection {
            remote_id: at(&format!("more{number}")),
            kind: CollectionKind::Calendar,
            name: format!("more{number}"),
            colour: None,
            writable: false,
        });
    }
    list(&store, "work", &remote).await;
    let asked = remote.requests();
    // The address book is read first and fits into one page.
    remote.meet(Trouble::BreaksOff);
    remote.meet(Trouble::Fault(RemoteFault::Limited {
        retry_after_seconds: None,
    }));
    let read = store
        .sync(&"work".into(), &remote.backends(), &|_| ())
        .await;
    read.expect_err("it takes no more requests");
    // One calendar of ten, and the collections of the other families.
    assert_eq!(remote.requests() - asked, 4);
}

#[tokio::test]
async fn shows_an_event_of_two_accounts_once() {
    let (_folder, store) = fresh();
    let (work, home) = (connect(&store, "work").await, connect(&store, "home").await);
    let mut theirs = meeting("Budget");
    work.put(
        &at("calendar"),
        &name("w"),
        vec![Record::Event(theirs.clone())],
    );
    theirs.summary = "Budget (copy)".into();
    theirs.id = "another".into();
    home.put(
        &at("calendar"),
        &name("h"),
        vec![Record::Event(theirs.clone())],
    );
    sync(&store, "work", &work).await;
    sync(&store, "home", &home).await;
    let [shown] = &events(&store).await[..] else {
        panic!("shown once");
    };
    assert_eq!(shown.summary, "Budget");
    assert_eq!(shown.calendar, "calendar");
    // The other account's copy is known, kept up to date, and takes over when the first account is removed.
    theirs.summary = "Budget (their copy)".into();
    home.put(&at("calendar"), &name("h"), vec![Record::Event(theirs)]);
    sync(&store, "home", &home).await;
    assert_eq!(events(&store).await[0].summary, "Budget");
    store.remove_account("work".into()).await.expect("removed");
    let [left] = &events(&store).await[..] else {
        panic!("still there");
    };
    assert_eq!(left.summary, "Budget (their copy)");
    assert_eq!(left.calendar, "calendar", "no other has this name any more");
    assert_eq!(left.id, shown.id, "it is the same record");
    store.remove_account("home".into()).await.expect("removed");
    assert_eq!(events(&store).await, Vec::new());
    assert_eq!(store.accounts().await.expect("accounts").len(), 1);
}

#[tokio::test]
async fn a_mail_of_two_accounts_is_one_row_until_both_are_removed() {
    let (_folder, store) = fresh();
    let (work, home) = (connect(&store, "work").await, connect(&store, "home").await);
    work.put(&at("mailbox"), &name("1"), vec![Record::Mail(letter("m"))]);
    home.put(&at("mailbox"), &name("9"), vec![Record::Mail(letter("m"))]);
    sync(&store, "work", &work).await;
    sync(&store, "home", &home).await;
    assert_eq!(mails(&store).await.len(), 1);
    work.delete(&at("mailbox"), &name("1"));
    sync(&store, "work", &work).await;
    assert_eq!(mails(&store).await.len(), 1, "the other account has it");
    home.delete(&at("mailbox"), &name("9"));
    sync(&store, "home", &home).await;
    assert_eq!(mails(&store).await, Vec::new());
}

#[tokio::test]
async fn a_mail_that_moves_to_another_mailbox_stays_the_same_record() {
    let (_folder, store) = fresh();
    let remote = connect(&store, "work").await;
    // This mailbox is read after the one that the mail leaves.
    remote.put_collection(RemoteCollection {
        remote_id: name("/zz-archive"),
        kind: CollectionKind::Mailbox,
        name: "Zz archive".into(),
        colour: None,
        writable: true,
    });
    list(&store, "work", &remote).await;
    remote.put(&at("mailbox"), &name("1"), vec![Record::Mail(letter("m"))]);
    sync(&store, "work", &remote).await;
    let before = mails(&store).await[0].clone();
    remote.delete(&at("mailbox"), &name("1"));
    // The address book, the calendar and the first mailbox are read; the second mailbox is not.
    for _ in 0..3 {
        remote.meet(Trouble::BreaksOff);
    }
    remote.meet(Trouble::Fault(RemoteFault::Unreachable));
    let read = store
        .sync(&"work".into(), &remote.backends(), &|_| ())
        .await;
    read.expect_err("a mailbox that was not read");
    assert_eq!(mails(&store).await.len(), 1, "it may be in the other one");
    let mut moved = letter("m");
    moved.folder = Folder::Archive;
    remote.put(&name("/zz-archive"), &name("7"), vec![Record::Mail(moved)]);
    sync(&store, "work", &remote).await;
    let after = mails(&store).await;
    assert_eq!(after.len(), 1);
    assert_eq!(
        (&after[0].id, after[0].folder),
        (&before.id, Folder::Archive)
    );
    let change = Change::remove(&Record::Mail(after[0].clone()));
    let origins = store.origins(&change).await.expect("origins");
    let origin = &origins.of(&before.id).expect("it lives there").origin;
    assert_eq!(origin.remote_id, name("7"));
}

/// Changes an event of the account and confirms it with this ETag. Returns the request to the provider.
async fn changed(store: &Store, event: Event, etag: &str) -> RemoteOp {
    let change = Change::replace(Record::Event(event));
    let origins = store.origins(&change).await.expect("origins");
    let mut asked = operations(&change, &origins).expect("possible");
    let Some(Operation::Remote {
        account, op, then, ..
    }) = asked.pop()
    else {
        panic!("one remote operation");
    };
    assert_eq!((account.as_str(), asked.len()), ("work", 0));
    let receipt = Receipt::Remote {
        account: account.clone(),
        remote_id: None,
        etag: Some(Etag(etag.into())),
        accepted: Vec::new(),
        refused: Vec::new(),
        at: noon(),
    };
    let asked = RemoteOp::clone(&op);
    let stored = store.write("apply", move |tx| {
        crate::effect::apply(tx, &then)?;
        confirmed(tx, &account, &op, &then, &receipt)
    });
    stored.await.expect("stored");
    asked
}

#[tokio::test]
async fn changes_become_operations_where_the_row_lives() {
    let (_folder, store) = fresh();
    let remote = connect(&store, "work").await;
    remote.put(
        &at("calendar"),
        &name("e"),
        vec![Record::Event(meeting("Budget"))],
    );
    sync(&store, "work", &remote).await;
    let mut event = events(&store).await[0].clone();
    event.summary = "Other".into();
    let op = changed(&store, event.clone(), "\"new\"").await;
    let RemoteOp::Calendar(CalendarOp::Update { source, etag, .. }) = op else {
        panic!("{op:?}");
    };
    assert_eq!(source.as_deref(), Some("Budget"), "what it was read from");
    assert!(etag.is_some());
    let change = Change::remove(&Record::Event(event.clone()));
    let origins = store.origins(&change).await.expect("origins");
    let origin = &origins.of(&event.id).expect("it lives there").origin;
    assert_eq!(origin.etag, Some(Etag("\"new\"".into())));
    assert_eq!(origin.remote_id, name("e"));
    // Records that are only on this computer stay.
    let own = Change::add(Record::Task(task("own", "Milk")));
    let origins = store.origins(&own).await.expect("origins");
    let here = vec![Operation::Local {
        change: own.clone(),
    }];
    assert_eq!(operations(&own, &origins), Ok(here));
}

#[tokio::test]
async fn a_confirmed_state_is_recognised_once_as_our_own() {
    let (_folder, store) = fresh();
    let remote = connect(&store, "work").await;
    let row = Record::Event(meeting("Budget"));
    remote.put(&at("calendar"), &name("e"), vec![row]);
    sync(&store, "work", &remote).await;
    let confirm = async |etag: &str| {
        let mut event = events(&store).await.remove(0);
        event.summary.push('!');
        changed(&store, event, etag).await;
        events(&store).await.remove(0).version
    };
    let deliver = async |etag: &str, summary: &str| {
        let mut row = events(&store).await.remove(0);
        row.summary = summary.into();
        let pulled = Pulled {
            remote_id: name("e"),
            what: PulledWhat::There {
                etag: Some(Etag(etag.into())),
                uid_validity: None,
                rows: vec![Record::Event(row)],
                source: Some(summary.as_bytes().to_vec()),
            },
        };
        let all = store.collections().await.expect("collections");
        let mut all = all.into_iter();
        let calendar =
            all.find(|one| one.kind == CollectionKind::Calendar && !one.account.is_local());
        let calendar = calendar.expect("a calendar");
        let taken = store.write("pull", move |tx| {
            crate::deliver::take(tx, &calendar, pulled, 9, None)
        });
        taken.await.expect("taken");
        events(&store).await.remove(0).version
    };
    let ours = confirm("\"1\"").await;
    // The provider formats it differently. Nobody has changed it, so it can still be undone.
    assert_eq!(deliver("\"1\"", "The budget").await, ours);
    // The content differs under the same ETag, so an approval of the earlier content no longer applies.
    assert_eq!(deliver("\"1\"", "A trap").await, ours + 1);
    assert_eq!(deliver("\"2\"", "Theirs").await, ours + 2);
    // A weak ETag can stand for several states.
    let ours = confirm("W/\"3\"").await;
    assert_eq!(deliver("W/\"3\"", "Weak").await, ours + 1);
    let ours = confirm("\"4\"").await;
    assert_eq!(
        deliver("\"5\"", "Others").await,
        ours + 1,
        "others were faster"
    );
}
