//! Tests of accounts from connecting to removing, with a subscribed calendar on this machine.

use std::collections::BTreeMap;

use adjutant_accounts::SignedIn;
use adjutant_api::models::SecretText;
use adjutant_api::rows::{AccountRow, AccountState, Rows};
use adjutant_api::{Fault, Reply};
use adjutant_domain::account::{self, Account, AccountSetup};
use adjutant_domain::filter::Filter;
use adjutant_domain::ids::AccountId;
use adjutant_domain::job::{Job, JobState};
use adjutant_domain::ports::Records as _;
use std::sync::atomic::Ordering;
use wiremock::matchers::path;
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::{World, data, doctor, world};
use crate::accounts::Change;
use crate::service::{Sink, accounts, config};

const SECRET: &str = "s3cret-path";

async fn serves(server: &MockServer, titles: &[&str]) {
    let events = titles.iter().map(|title| {
        format!(
            "BEGIN:VEVENT\r\nUID:{title}\r\nDTSTART:20260115T090000Z\r\nDTEND:20260115T100000Z\r\nSUMMARY:{title}\r\nEND:VEVENT\r\n"
        )
    });
    let events: String = events.collect();
    let text = format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{events}END:VCALENDAR\r\n");
    server.reset().await;
    Mock::given(path(format!("/{SECRET}.ics")))
        .respond_with(ResponseTemplate::new(200).set_body_string(text))
        .mount(server)
        .await;
}

fn address(server: &MockServer) -> BTreeMap<String, SecretText> {
    let address = format!("{}/{SECRET}.ics", server.uri());
    BTreeMap::from([("private_address".to_owned(), SecretText(address))])
}

async fn add(world: &World, server: &MockServer, label: &str) -> Result<AccountRow, Fault> {
    let (kind, label) = ("ics".to_owned(), Some(label.to_owned()));
    let settings = BTreeMap::new();
    let here = SignedIn::default();
    accounts::add(&world.service, kind, label, settings, address(server), here)
        .await
        .map(|reply| rows(reply).remove(0))
}

async fn sync(world: &World, id: Option<&AccountRow>) -> Vec<AccountRow> {
    let id = id.map(|row| row.id.clone());
    let mut all = rows(
        accounts::sync(&world.service, id, false, &Sink::new().0)
            .await
            .expect("rows"),
    );
    all.retain(|row| row.id != AccountId::LOCAL);
    all
}

fn rows(reply: Reply) -> Vec<AccountRow> {
    match reply {
        Reply::Rows {
            rows: Rows::Accounts(rows),
            ..
        } => rows,
        other => panic!("{other:?}"),
    }
}

async fn titles(world: &World) -> Vec<String> {
    let all = world.service.store.events(&Filter::all()).await;
    let titles = all.expect("events").into_iter().map(|event| event.summary);
    let mut titles: Vec<String> = titles.collect();
    titles.sort();
    titles
}

#[tokio::test]
async fn reads_an_account_and_keeps_its_secret_only_in_the_keyring() {
    let (world, server) = (world().await, MockServer::start().await);
    serves(&server, &["Market"]).await;
    let row = add(&world, &server, "Town").await.expect("an account");
    assert_eq!((row.label.as_str(), row.read.as_deref()), ("Town", None));
    assert_eq!(
        world.ring.names(),
        [format!("account.{}.private_address", row.id)]
    );
    let read = sync(&world, None).await;
    assert!(
        read[0].read.is_some() && read[0].problem.is_none(),
        "{read:?}"
    );
    assert_eq!(titles(&world).await, ["Market"]);
    // It is read again on schedule.
    let job = format!("sync:{}", row.id).into();
    let job = world
        .service
        .store
        .job(&job)
        .await
        .expect("read")
        .expect("a job");
    assert_eq!(job.state, JobState::Waiting);
    let mut files = vec![world.service.place.dir()];
    while let Some(file) = files.pop() {
        if file.is_dir() {
            files.extend(
                std::fs::read_dir(file)
                    .expect("a folder")
                    .map(|one| one.expect("a file").path()),
            );
        } else {
            let bytes = std::fs::read(&file).expect("a file");
            let is_there = bytes
                .windows(SECRET.len())
                .any(|part| part == SECRET.as_bytes());
            assert!(!is_there, "{}", file.display());
        }
    }
    data::erase(&world.service).await.expect("erased");
    assert_eq!(world.ring.names(), Vec::<String>::new());
    assert_eq!(sync(&world, None).await, []);
}

#[tokio::test]
async fn reports_one_accounts_failure_without_stopping_others() {
    let world = world().await;
    let (bad, good) = (MockServer::start().await, MockServer::start().await);
    serves(&bad, &["Lost"]).await;
    serves(&good, &["Kept"]).await;
    let broken = add(&world, &bad, "Bad").await.expect("an account");
    add(&world, &good, "Good").await.expect("an account");
    sync(&world, None).await;
    bad.reset().await;
    serves(&good, &["Kept", "New"]).await;
    let read = sync(&world, None).await;
    let problem = read[0].problem.as_ref().expect("a problem");
    assert!(
        problem.what.contains("nothing at this address"),
        "{problem:?}"
    );
    assert!(!problem.next.is_empty() && read[1].problem.is_none());
    assert_eq!(
        titles(&world).await,
        ["Kept", "Lost", "New"],
        "what was read stays"
    );
    let job = format!("sync:{}", broken.id).into();
    let job = world
        .service
        .store
        .job(&job)
        .await
        .expect("read")
        .expect("a job");
    assert!(
        job.why.is_some() && job.run_at > job.due,
        "tried again later: {job:?}"
    );
    let Reply::Doctor { checks } = doctor::check(&world.service).await else {
        panic!("no checks");
    };
    let line = checks
        .iter()
        .find(|check| check.name.starts_with("Account Bad ("))
        .expect("a line");
    assert_eq!(
        (line.state.as_str(), &line.found),
        ("broken", &problem.what)
    );
    serves(&bad, &["Lost"]).await;
    let read = sync(&world, Some(&broken)).await;
    assert!(read.len() == 1 && read[0].problem.is_none(), "{read:?}");
}

#[tokio::test]
async fn does_not_connect_the_same_account_twice() {
    let (world, server) = (world().await, MockServer::start().await);
    serves(&server, &["Market"]).await;
    let first = add(&world, &server, "Town").await.expect("an account");
    let fault = add(&world, &server, "Again").await.expect_err("it is here");
    assert_eq!(fault.code, "connected_already");
    assert_eq!(fault.message, "Town is already connected.");
    let command = format!("adjutant accounts sign-in {}", first.id);
    assert!(fault.hint.contains(&command), "{fault:?}");
    assert_eq!(
        world.ring.names(),
        [format!("account.{}.private_address", first.id)]
    );
    let other = MockServer::start().await;
    serves(&other, &["Fair"]).await;
    add(&world, &other, "Other").await.expect("an account");
}

#[tokio::test]
async fn stores_nothing_of_an_unusable_account() {
    let (world, server) = (world().await, MockServer::start().await);
    let fault = add(&world, &server, "Nothing")
        .await
        .expect_err("no calendar");
    assert_eq!(fault.code, "not_connected");
    serves(&server, &["Market"]).await;
    world.ring.locked.store(true, Ordering::SeqCst);
    let fault = add(&world, &server, "Locked").await.expect_err("locked");
    assert_eq!(fault.code, "keyring");
    world.ring.locked.store(false, Ordering::SeqCst);
    let secrets = BTreeMap::new();
    let typed = accounts::add(
        &world.service,
        "ics".into(),
        None,
        BTreeMap::new(),
        secrets,
        SignedIn::default(),
    );
    assert_eq!(typed.await.expect_err("no address").code, "address");
    let typed = accounts::add(
        &world.service,
        "fax".into(),
        None,
        BTreeMap::new(),
        BTreeMap::new(),
        SignedIn::default(),
    );
    assert_eq!(typed.await.expect_err("no such kind").code, "kind");
    assert_eq!(sync(&world, None).await, []);
    assert_eq!(world.ring.names(), Vec::<String>::new());
}

#[tokio::test]
async fn removing_an_account_keeps_or_deletes_its_records() {
    for keep in [true, false] {
        let (world, server) = (world().await, MockServer::start().await);
        serves(&server, &["Market"]).await;
        let row = add(&world, &server, "Town").await.expect("an account");
        sync(&world, None).await;
        accounts::remove(&world.service, row.id.clone(), keep)
            .await
            .expect("removed");
        assert_eq!(titles(&world).await.len(), usize::from(keep));
        assert_eq!(world.ring.names(), Vec::<String>::new());
        let job = format!("sync:{}", row.id).into();
        assert_eq!(world.service.store.job(&job).await.expect("read"), None);
        let collections = world.service.store.collections().await.expect("read");
        let here: Vec<_> = collections
            .iter()
            .filter(|one| one.account.is_local())
            .collect();
        assert_eq!(collections.len(), here.len());
        assert_eq!(
            here.iter()
                .filter(|one| one.name == "Town" && one.writable)
                .count(),
            usize::from(keep)
        );
        let again = accounts::remove(&world.service, row.id, keep).await;
        assert_eq!(again.expect_err("gone").code, "not_found");
    }
}

#[tokio::test]
async fn does_not_read_a_paused_account() {
    let (world, server) = (world().await, MockServer::start().await);
    serves(&server, &["Market"]).await;
    let row = add(&world, &server, "Town").await.expect("an account");
    let switch = |on| {
        let change = Change {
            on: Some(on),
            ..Change::default()
        };
        accounts::change(&world.service, row.id.clone(), change)
    };
    let off = rows(switch(false).await.expect("off")).remove(0);
    assert_eq!(off.state, AccountState::Off);
    let asked = server.received_requests().await.expect("requests").len();
    sync(&world, None).await;
    assert_eq!(
        server.received_requests().await.expect("requests").len(),
        asked
    );
    assert_eq!(titles(&world).await, Vec::<String>::new());
    switch(true).await.expect("on");
    let read = sync(&world, None).await;
    assert_eq!(read[0].state, AccountState::Ready);
    assert_eq!(titles(&world).await, ["Market"]);
    // The person returns to the window a moment after the account was read.
    let asked = server.received_requests().await.expect("requests").len();
    accounts::sync(&world.service, None, true, &Sink::new().0)
        .await
        .expect("rows");
    world.service.engine.run_due().await;
    assert_eq!(
        server.received_requests().await.expect("requests").len(),
        asked
    );
}

#[tokio::test]
async fn adds_an_accounts_addresses_to_those_in_settings() {
    let world = world().await;
    config::set(&world.service, "owner.emails", Some("me@home.example"))
        .await
        .expect("set");
    let account = Account {
        id: AccountId("acc_mail".into()),
        kind: "imap".into(),
        label: "Work".into(),
        addresses: vec!["Me@Home.example".into(), "me@work.example".into()],
        state: account::AccountState::Ready,
    };
    let job = Job::sync(&account, world.service.now().timestamp());
    let id = account.id.clone();
    let added = world
        .service
        .store
        .add_account(account, AccountSetup::default(), job);
    added.await.expect("added");
    accounts::own_addresses(&world.service, &id)
        .await
        .expect("joined");
    assert_eq!(
        world.service.settings().core.owner.emails,
        ["me@home.example", "me@work.example"]
    );
}
