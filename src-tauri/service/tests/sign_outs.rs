//! Tests of accounts removed while their provider is unreachable.

use std::collections::BTreeMap;

use adjutant_api::Reply;
use adjutant_domain::account::{Account, AccountSetup, AccountState};
use adjutant_domain::ids::AccountId;
use adjutant_domain::job::{Job, JobState};
use adjutant_domain::ports::Secrets as _;
use serde_json::json;
use wiremock::matchers::{body_string_contains, method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::{World, config, data, doctor, world};
use crate::service::{Sink, accounts};

const TOKEN: &str = "r3fresh-s3cret";
const ENTRY: &str = "account.acc_g.refresh_token";

fn account() -> Account {
    Account {
        id: AccountId("acc_g".into()),
        kind: "google".into(),
        label: "Kim".into(),
        addresses: vec!["kim@gmail.example".into()],
        state: AccountState::Ready,
    }
}

/// Returns a world with a Google account that it cannot reach.
async fn signed_in() -> World {
    let world = world().await;
    let account = account();
    let setup = AccountSetup {
        settings: BTreeMap::from([("email".to_owned(), "kim@gmail.example".to_owned())]),
        secrets: vec!["refresh_token".into()],
    };
    world
        .ring
        .set(ENTRY, &TOKEN.to_owned().into())
        .expect("kept");
    let job = Job::sync(&account, world.service.now().timestamp());
    let store = &world.service.store;
    store.add_account(account, setup, job).await.expect("added");
    // Pending sign-outs are read at startup.
    let World {
        home,
        ring,
        service,
    } = world;
    drop(service);
    let service = super::open(home.path(), true, ring.clone()).await;
    World {
        home,
        ring,
        service,
    }
}

async fn found(world: &World) -> Option<String> {
    let Reply::Doctor { checks } = doctor::check(&world.service).await else {
        panic!("no checks");
    };
    let line = checks.into_iter().find(|check| check.name == "Account Kim");
    line.map(|line| line.found)
}

async fn google(status: u16) -> MockServer {
    google_says(status, json!({})).await
}

async fn google_says(status: u16, body: serde_json::Value) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .and(path("/revoke"))
        .and(body_string_contains(TOKEN))
        .respond_with(ResponseTemplate::new(status).set_body_json(body))
        .mount(&server)
        .await;
    server
}

async fn revocations(server: &MockServer) -> usize {
    let all = server.received_requests().await.expect("requests");
    all.iter().filter(|one| one.url.path() == "/revoke").count()
}

async fn reach(world: &World, server: &MockServer) {
    let address = server.uri();
    let set = config::set(&world.service, "google.endpoint", Some(&address));
    set.await.expect("set");
}

async fn sync(world: &World) {
    let (out, _) = Sink::new();
    let read = accounts::sync(&world.service, None, false, &out);
    read.await.expect("rows");
}

#[tokio::test]
async fn revokes_a_sign_in_later_if_revoking_failed() {
    let world = signed_in().await;
    let fault = accounts::remove(&world.service, "acc_g".into(), false).await;
    let fault = fault.expect_err("out of reach");
    assert_eq!(fault.code, "removed_in_part");
    assert!(fault.hint.contains("by itself"), "{}", fault.hint);
    assert_eq!(world.ring.names(), [ENTRY], "needed to take it back");
    assert!(
        found(&world)
            .await
            .expect("a line")
            .contains("still in the keyring")
    );
    let job = world.service.store.job(&"sync:acc_g".into()).await;
    let job = job.expect("read").expect("a job");
    assert_eq!((job.state, job.schedule), (JobState::Waiting, None));

    // Still unreachable after another start.
    let World {
        home,
        ring,
        service,
    } = world;
    drop(service);
    let service = super::open(home.path(), true, ring.clone()).await;
    let world = World {
        home,
        ring,
        service,
    };
    sync(&world).await;
    assert_eq!(world.ring.names(), [ENTRY]);
    let job = world.service.store.job(&"sync:acc_g".into()).await;
    let job = job.expect("read").expect("a job");
    assert!(
        job.state == JobState::Waiting && job.run_at > job.due,
        "{job:?}"
    );

    let server = google(200).await;
    reach(&world, &server).await;
    sync(&world).await;
    assert_eq!(revocations(&server).await, 1);
    assert_eq!(world.ring.names(), Vec::<String>::new());
    assert!(found(&world).await.is_none());
    sync(&world).await;
    assert_eq!(revocations(&server).await, 1, "once");
}

#[tokio::test]
async fn retries_after_a_locked_keyring_but_not_after_a_refusal() {
    let world = signed_in().await;
    let server = google(403).await;
    reach(&world, &server).await;
    let fault = accounts::remove(&world.service, "acc_g".into(), false).await;
    let fault = fault.expect_err("refused");
    assert!(
        fault.message.contains("is removed here")
            && fault
                .message
                .contains("did not withdraw the access, and still lists it"),
        "{}",
        fault.message
    );
    assert!(
        fault
            .hint
            .contains("https://myaccount.google.com/connections")
            && !fault.hint.contains("by itself"),
        "{}",
        fault.hint
    );
    assert_eq!(world.ring.names(), Vec::<String>::new());

    let world = signed_in().await;
    let server = google(200).await;
    reach(&world, &server).await;
    world
        .ring
        .locked
        .store(true, std::sync::atomic::Ordering::SeqCst);
    let removed = accounts::remove(&world.service, "acc_g".into(), false).await;
    assert!(removed.is_err());
    world
        .ring
        .locked
        .store(false, std::sync::atomic::Ordering::SeqCst);
    sync(&world).await;
    assert_eq!(revocations(&server).await, 1);
    assert_eq!(world.ring.names(), Vec::<String>::new());
}

#[tokio::test]
async fn an_erased_profile_revokes_remaining_sign_ins() {
    let world = signed_in().await;
    let removed = accounts::remove(&world.service, "acc_g".into(), false).await;
    assert!(removed.is_err());
    let server = google(200).await;
    reach(&world, &server).await;
    // Erasing resets the settings, including Google's address, only after signing out.
    data::erase(&world.service).await.expect("erased");
    assert_eq!(revocations(&server).await, 1);
    assert_eq!(world.ring.names(), Vec::<String>::new());
}

#[tokio::test]
async fn keeps_the_sign_in_of_a_reconnected_account() {
    let world = signed_in().await;
    let removed = accounts::remove(&world.service, "acc_g".into(), false).await;
    assert!(removed.is_err());
    let again = Account {
        id: AccountId("acc_h".into()),
        state: AccountState::Off,
        ..account()
    };
    let job = Job::sync(&again, world.service.now().timestamp());
    let store = &world.service.store;
    let added = store.add_account(again, AccountSetup::default(), job);
    added.await.expect("added");
    let server = google(200).await;
    reach(&world, &server).await;
    sync(&world).await;
    assert_eq!(revocations(&server).await, 0, "it would end both");
    assert_eq!(world.ring.names(), Vec::<String>::new());
}

#[tokio::test]
async fn doctor_keeps_saying_that_a_later_revocation_was_refused() {
    let world = signed_in().await;
    let removed = accounts::remove(&world.service, "acc_g".into(), false).await;
    assert!(removed.is_err());
    let server = google(403).await;
    reach(&world, &server).await;
    sync(&world).await;
    assert_eq!(world.ring.names(), Vec::<String>::new());
    let line = found(&world).await.expect("a line");
    assert!(line.contains("still lists it"), "{line}");
    sync(&world).await;
    assert_eq!(revocations(&server).await, 1, "asked once");
    let again = Account {
        id: AccountId("acc_h".into()),
        label: "Kim again".into(),
        state: AccountState::Off,
        ..account()
    };
    let job = Job::sync(&again, world.service.now().timestamp());
    let added = world
        .service
        .store
        .add_account(again, AccountSetup::default(), job);
    added.await.expect("added");
    assert!(found(&world).await.is_none(), "the access is in use again");
}

#[tokio::test]
async fn only_an_invalid_token_counts_as_revoked_already() {
    for (said, is_revoked) in [
        ("invalid_token", true),
        ("unsupported_token_type", false),
        ("invalid_request", false),
    ] {
        let world = signed_in().await;
        let server = google_says(400, json!({"error": said})).await;
        reach(&world, &server).await;
        let removed = accounts::remove(&world.service, "acc_g".into(), false).await;
        assert_eq!(removed.is_ok(), is_revoked, "{said}: {removed:?}");
    }
}
