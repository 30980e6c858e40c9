//! Tests of an account with several families, with a Google stub on this machine.

use std::collections::BTreeMap;

use adjutant_accounts::SignedIn;
use adjutant_api::rows::{AccountRow, Rows};
use adjutant_api::{Fault, Reply};
use adjutant_domain::job::JobState;
use adjutant_domain::record::Kind;
use secrecy::SecretString;
use serde_json::{Value, json};
use wiremock::matchers::path;
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::{World, config, data, world};
use crate::service::{Sink, accounts};

const REFRESH: &str = "refresh-s3cret";

async fn answers(server: &MockServer, at: &str, status: u16, body: Value) {
    Mock::given(path(at))
        .respond_with(ResponseTemplate::new(status).set_body_json(body))
        .mount(server)
        .await;
}

/// Starts a Google with a calendar that holds one event. Its tasks API is disabled.
async fn google() -> MockServer {
    let server = MockServer::start().await;
    plays_google(&server).await;
    server
}

async fn plays_google(server: &MockServer) {
    server.reset().await;
    let token =
        json!({"access_token": "access-s3cret", "token_type": "Bearer", "expires_in": 3599});
    answers(server, "/token", 200, token).await;
    let person = json!({"email": "kim@home.example", "id": "1"});
    answers(server, "/oauth2/v2/userinfo", 200, person).await;
    let calendars = json!({"kind": "calendar#calendarList", "items": [
        {"id": "kim@home.example", "summary": "Kim", "accessRole": "owner"},
    ]});
    let list = "/calendar/v3/users/me/calendarList";
    answers(server, list, 200, calendars).await;
    let events = json!({"kind": "calendar#events", "nextSyncToken": "s1", "items": [{
        "id": "e1", "iCalUID": "e1@google.example", "summary": "Market", "status": "confirmed", "etag": "\"1\"",
        "start": {"dateTime": "2026-01-15T09:00:00Z"}, "end": {"dateTime": "2026-01-15T10:00:00Z"},
    }]});
    let of_kim = "/calendar/v3/calendars/kim@home.example/events";
    answers(server, of_kim, 200, events).await;
    let off = json!({"error": {"code": 403, "message": "Tasks API has not been used.", "status": "PERMISSION_DENIED",
        "errors": [{"reason": "accessNotConfigured"}]}});
    answers(server, "/tasks/v1/users/@me/lists", 403, off).await;
}

async fn add(world: &World, server: &MockServer) -> Result<AccountRow, Fault> {
    let set = config::set(&world.service, "google.endpoint", Some(&server.uri())).await;
    set.expect("a setting");
    let chosen = [
        ("client_id", "mine"),
        ("calendar", "read"),
        ("tasks", "read"),
        ("mail", "no"),
        ("contacts", "no"),
    ];
    let settings = chosen.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let signed_in = SignedIn {
        settings: BTreeMap::new(),
        secrets: [("refresh_token".to_owned(), SecretString::from(REFRESH))].into(),
    };
    let added = accounts::add(
        &world.service,
        "google".into(),
        None,
        settings.into(),
        BTreeMap::new(),
        signed_in,
    );
    added.await.map(|reply| rows(reply).remove(0))
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

#[tokio::test]
async fn names_a_disabled_family_without_delaying_others() {
    let (world, server) = (world().await, google().await);
    let row = add(&world, &server).await.expect("an account");
    let id = Some(row.id.clone());
    let read = accounts::sync(&world.service, id, false, &Sink::new().0).await;
    let read = rows(read.expect("rows")).remove(0);
    let problem = read.problem.expect("a problem");
    assert!(
        problem.what.starts_with(
            "Adjutant could not read tasks. This service of Google is not switched on"
        ),
        "{problem:?}"
    );
    let events = world.service.store.count(Kind::Event).await;
    assert_eq!(events.expect("a number"), 1, "the calendar is read");
    let job = format!("sync:{}", row.id).into();
    let job = world.service.store.job(&job).await.expect("read");
    let job = job.expect("a job");
    // The other families are read on schedule.
    assert_eq!(
        (job.state, job.why, job.attempts),
        (JobState::Waiting, None, 0)
    );
}

fn kept(world: &World, row: &AccountRow) -> Option<String> {
    let name = format!("account.{}.refresh_token", row.id);
    let kept = world.ring.kept.lock().expect("no panic");
    kept.get(&name).cloned()
}

/// Makes each renewal issue a new refresh token from now on.
async fn renews_with(server: &MockServer, refresh: &str) {
    let token = json!({"access_token": "access-s3cret", "token_type": "Bearer", "expires_in": 3599,
        "refresh_token": refresh});
    Mock::given(path("/token"))
        .respond_with(ResponseTemplate::new(200).set_body_json(token))
        .with_priority(1)
        .mount(server)
        .await;
}

#[tokio::test]
async fn keeps_the_newest_token_until_the_account_is_removed() {
    let (world, server) = (world().await, google().await);
    renews_with(&server, "refresh-2").await;
    let row = add(&world, &server).await.expect("an account");
    assert_eq!(kept(&world, &row).as_deref(), Some("refresh-2"));
    plays_google(&server).await;
    renews_with(&server, "refresh-3").await;
    let read = accounts::sync(&world.service, None, false, &Sink::new().0).await;
    read.expect("rows");
    assert_eq!(kept(&world, &row).as_deref(), Some("refresh-3"));
    answers(&server, "/revoke", 200, json!({})).await;
    let removed = accounts::remove(&world.service, row.id.clone(), false).await;
    removed.expect("removed");
    assert_eq!(kept(&world, &row), None);
    let asked = server.received_requests().await.expect("requests");
    let last = asked.last().expect("a request");
    let body = String::from_utf8_lossy(&last.body);
    assert_eq!(
        (last.url.path(), body.as_ref()),
        ("/revoke", "token=refresh-3")
    );
}

#[tokio::test]
async fn erasing_revokes_sign_ins_or_says_it_did_not() {
    for status in [200, 503] {
        let (world, server) = (world().await, google().await);
        let row = add(&world, &server).await.expect("an account");
        answers(&server, "/revoke", status, json!({})).await;
        let erased = data::erase(&world.service).await;
        let asked = server.received_requests().await.expect("requests");
        let last = asked.last().expect("a request");
        let body = String::from_utf8_lossy(&last.body);
        let token = format!("token={REFRESH}");
        assert_eq!(
            (last.url.path(), body.as_ref()),
            ("/revoke", token.as_str())
        );
        assert_eq!(kept(&world, &row), None);
        if status == 200 {
            erased.expect("erased");
            continue;
        }
        let fault = erased.expect_err("not taken back");
        assert_eq!(fault.code, "erased_in_part");
        assert!(
            fault
                .message
                .contains("the sign-in of kim@home.example was not revoked")
                && fault.hint.contains("connected apps"),
            "{fault:?}"
        );
    }
}
