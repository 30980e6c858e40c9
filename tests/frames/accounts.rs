//! The day's accounts: a subscribed calendar, and a sign-in in the browser.

use std::collections::BTreeMap;

use adjutant_api::rows::CollectionKind;
use adjutant_api::{Reply, Request, Topic};

use crate::holder::Profile;
use crate::requests::rows;
use crate::server::CALENDAR;

/// Adds an account that does not work and one that does, then reads, changes and removes the latter.
pub async fn live(profile: &mut Profile, server: &str) {
    profile.ask(Request::AccountKinds {}).await;
    let add = |address: String| Request::AddAccount {
        kind: "ics".into(),
        label: None,
        settings: BTreeMap::from([("address".to_owned(), address)]),
        secrets: BTreeMap::new(),
        sign_in: None,
    };
    profile.ask(add("nowhere".into())).await;
    let address = format!("http://{server}{CALENDAR}");
    profile.ask(add(address)).await;
    let (id, glance) = (None, false);
    let mut reading = profile.begin(Request::SyncAccounts { id, glance }).await;
    reading.until(|_| false).await;
    // The account may already be being read in the background; then this request hears nothing of its progress.
    reading.events.clear();
    profile.end(reading);
    let rows = rows(profile, Topic::Accounts).await;
    let id = rows.iter().find(|row| row["kind"] == "ics");
    let id = id.and_then(|row| row["id"].as_str()).expect("an account");
    let id = id.to_owned();
    profile
        .ask(Request::ChangeAccount {
            id: id.clone(),
            label: Some("Town hall".into()),
            settings: BTreeMap::new(),
            secrets: BTreeMap::new(),
            on: Some(false),
            sign_in: None,
        })
        .await;
    sign_in(profile).await;
    let kind = CollectionKind::TaskList;
    let here = Request::PreferCollection { kind, id: None };
    profile.ask(here).await;
    profile
        .ask(Request::RemoveAccount { id, keep: false })
        .await;
}

/// Starts a sign-in in the browser and cancels it.
async fn sign_in(profile: &mut Profile) {
    let begin = |client: &str| Request::BeginSignIn {
        kind: Some("google".into()),
        account: None,
        settings: BTreeMap::from([("client_id".to_owned(), client.to_owned())]),
        secrets: BTreeMap::new(),
    };
    profile.ask(begin("")).await;
    let begun = profile.ask(begin("mine.apps.googleusercontent.com")).await;
    let Ok(Reply::SignIn { id, .. }) = begun.reply else {
        panic!("no sign-in has begun");
    };
    profile.ask(Request::CancelSignIn { id }).await;
}
