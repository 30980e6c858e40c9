//! Tests of signing in with the browser, and of what happens to the tokens.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use adjutant_accounts::google::Google;
use adjutant_accounts::{Access, Attempted, Keeper, Problem, Provider as _, SetUpFault};
use adjutant_domain::account::CollectionKind;
use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::RemoteFault;
use adjutant_testkit::remote::listed;
use async_trait::async_trait;
use secrecy::{ExposeSecret as _, SecretString};

use crate::rig::{GoogleRig, NOW, access};
use crate::stub::{ACCESS, PERSON, REFRESH, SECRET, Stub, get, lock};

fn problem(fault: &SetUpFault) -> Problem {
    adjutant_accounts::problem(fault, Attempted::SigningIn(&"acc_1".into()))
}

/// Signs in as the person would, and returns the access with which the account is set up.
async fn signed_in(stub: &Stub, typed: Access) -> Result<Access, SetUpFault> {
    let sign_in = Google.begin_sign_in(typed.clone()).await?;
    let (given, page) = tokio::join!(sign_in.done, stub.browse(&sign_in.address, true));
    assert!(page.contains("You can close this page"), "{page}");
    let given = given?;
    let mut access = typed;
    access.settings.extend(given.settings);
    access.secrets.extend(given.secrets);
    Ok(access)
}

#[tokio::test]
async fn a_person_signs_in_and_out() {
    let stub = Stub::start().await;
    let access = signed_in(&stub, access(&stub.base, NOW)).await.unwrap();
    assert_eq!(access.secrets["refresh_token"].expose_secret(), REFRESH);
    let found = Google.set_up(access.clone()).await.unwrap();
    assert_eq!(
        (found.label.as_str(), found.addresses.as_slice()),
        (PERSON, &[PERSON.to_owned()][..])
    );
    assert!(
        !found.settings.contains_key("missing"),
        "{:?}",
        found.settings
    );
    assert!(
        !found.settings.contains_key("google.endpoint"),
        "a setting of the app stays there"
    );
    let backends = Google.connect(access.clone()).unwrap();
    let kinds: Vec<CollectionKind> = listed(&backends)
        .await
        .unwrap()
        .into_iter()
        .map(|one| one.kind)
        .collect();
    assert!(kinds.contains(&CollectionKind::Calendar) && kinds.contains(&CollectionKind::TaskList));
    Google.sign_out(access).await.unwrap();
    assert_eq!(lock(&stub.state).revoked, [REFRESH]);
}

#[tokio::test]
async fn accepts_fewer_scopes_than_requested() {
    let stub = Stub::start().await;
    lock(&stub.state).grants =
        Some("openid https://www.googleapis.com/auth/calendar.readonly".to_owned());
    let access = signed_in(&stub, access(&stub.base, NOW)).await.unwrap();
    let found = Google.set_up(access.clone()).await.unwrap();
    assert_eq!(found.settings["missing"], "calendar, tasks");
    let backends = Google.connect(access).unwrap();
    assert!(backends.tasks.is_none());
    let listed = listed(&backends).await.unwrap();
    assert!(
        listed.iter().all(|one| !one.writable),
        "changing was not allowed"
    );
}

#[tokio::test]
async fn granting_no_scope_connects_nothing() {
    let stub = Stub::start().await;
    lock(&stub.state).grants = Some("openid email".to_owned());
    let access = signed_in(&stub, access(&stub.base, NOW)).await.unwrap();
    let fault = Google.set_up(access).await.unwrap_err();
    assert!(problem(&fault).what.contains("allowed nothing"), "{fault}");
}

#[tokio::test]
async fn refuses_a_sign_in_as_another_person() {
    let stub = Stub::start().await;
    let mut typed = access(&stub.base, NOW);
    typed
        .settings
        .insert("subject".to_owned(), "another".to_owned());
    let access = signed_in(&stub, typed).await.unwrap();
    let fault = Google.set_up(access).await.unwrap_err();
    assert!(
        problem(&fault).what.contains("a different account"),
        "{fault}"
    );
}

#[tokio::test]
async fn denying_access_in_the_browser_ends_the_sign_in() {
    let stub = Stub::start().await;
    let sign_in = Google.begin_sign_in(access(&stub.base, NOW)).await.unwrap();
    let (given, _) = tokio::join!(sign_in.done, stub.browse(&sign_in.address, false));
    let told = problem(&given.unwrap_err());
    assert_eq!(told.what, "You did not allow it in the browser.");
    assert_eq!(
        lock(&stub.state)
            .log
            .iter()
            .filter(|asked| asked.url.path() == "/token")
            .count(),
        0
    );
}

/// A code injected by somebody else is not exchanged, and the person can still finish.
#[tokio::test]
async fn ignores_redirects_without_our_state() {
    let stub = Stub::start().await;
    let sign_in = Google.begin_sign_in(access(&stub.base, NOW)).await.unwrap();
    let pairs: BTreeMap<String, String> = sign_in.address.query_pairs().into_owned().collect();
    let back = adjutant_net::Url::parse(&pairs["redirect_uri"]).unwrap();
    let browser = async {
        let page = get(&back, "/?code=evil&state=guessed").await;
        assert!(page.starts_with("HTTP/1.1 400"), "{page}");
        assert!(
            !lock(&stub.state)
                .log
                .iter()
                .any(|asked| asked.url.path() == "/token")
        );
        stub.browse(&sign_in.address, true).await
    };
    let (given, _) = tokio::join!(sign_in.done, browser);
    assert!(given.is_ok());
}

#[tokio::test]
async fn renews_an_expired_token_once_for_all_requests() {
    let rig = GoogleRig::new().await;
    listed(&rig.backends).await.unwrap();
    lock(&rig.stub.state).end_tokens();
    let mut many = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let backends = rig.backends.clone();
        many.spawn(async move { listed(&backends).await });
    }
    for read in many.join_all().await {
        assert!(read.is_ok(), "{read:?}");
    }
    let renewed = |rig: &GoogleRig| {
        let state = lock(&rig.stub.state);
        state
            .log
            .iter()
            .filter(|asked| asked.url.path() == "/token")
            .count()
    };
    assert_eq!(renewed(&rig), 2, "the first, and one for all eight");
}

/// A clock that is ten minutes fast or slow changes nothing.
#[tokio::test]
async fn a_wrong_clock_does_not_sign_anybody_out() {
    for now in [
        "2026-01-12T12:10:00+01:00[Europe/Paris]",
        "2026-01-12T11:50:00+01:00[Europe/Paris]",
    ] {
        let rig = GoogleRig::at(now).await;
        for kind in [CollectionKind::Calendar, CollectionKind::TaskList] {
            let (_, cursor) = rig.pull(kind, None).await;
            assert!(cursor.is_ok(), "{now} {kind:?}: {cursor:?}");
            let (changes, again) = rig.pull(kind, cursor.ok()).await;
            assert!(
                changes.is_empty() && again.is_ok(),
                "{now} {kind:?}: {again:?}"
            );
        }
        let asked = lock(&rig.stub.state)
            .log
            .iter()
            .filter(|asked| asked.url.path() == "/token")
            .count();
        assert_eq!(asked, 1, "{now}");
    }
}

/// Whatever a server repeats, no token appears in a fault.
#[tokio::test]
async fn faults_contain_no_tokens() {
    let stub = Stub::start().await;
    let mut wrong = access(&stub.base, NOW);
    wrong
        .secrets
        .insert("refresh_token".to_owned(), format!("{REFRESH}-old").into());
    let mut said = vec![
        format!("{:?}", Google.set_up(wrong.clone()).await),
        format!("{}", Google.set_up(wrong).await.unwrap_err()),
    ];
    let rig = GoogleRig::new().await;
    listed(&rig.backends).await.unwrap();
    let token = lock(&rig.stub.state).log.last().unwrap().headers["authorization"].clone();
    let token = token.trim_start_matches("Bearer ").to_owned();
    for status in [400, 403, 409, 500] {
        let answer = crate::stub::refusal(status, &format!("echo {token}"));
        lock(&rig.stub.state).scripted.push_back(answer);
        said.push(format!("{:?}", listed(&rig.backends).await.unwrap_err()));
    }
    for text in said {
        for planted in [REFRESH, SECRET, ACCESS] {
            assert!(!text.contains(planted), "{text}");
        }
    }
    let state = lock(&rig.stub.state);
    for asked in &state.log {
        assert!(!asked.url.as_str().contains("planted"), "{}", asked.url);
    }
}

#[tokio::test]
async fn a_revoked_sign_in_asks_for_a_new_one() {
    let stub = Stub::start().await;
    let mut access = access(&stub.base, NOW);
    access
        .secrets
        .insert("refresh_token".to_owned(), "taken back".to_owned().into());
    let fault = Google.set_up(access).await.unwrap_err();
    assert!(
        matches!(fault, SetUpFault::Remote(RemoteFault::NotSignedIn { .. })),
        "{fault:?}"
    );
    let told = problem(&fault);
    assert!(told.what.contains("expired or was withdrawn"), "{told:?}");
    assert!(told.next.contains("adjutant accounts sign-in"), "{told:?}");
}

#[tokio::test]
async fn says_why_a_sign_in_is_over() {
    for (error, description, what, next) in [
        (
            "invalid_grant",
            "Token has been expired or revoked.",
            "expired or was withdrawn",
            "Sign in again",
        ),
        (
            "invalid_grant",
            "Account has been deleted",
            "disabled or deleted",
            "the provider's own page",
        ),
        (
            "admin_policy_enforced",
            "",
            "administrator",
            "Ask the administrator",
        ),
        ("disabled_client", "", "client ID was disabled", ""),
    ] {
        let stub = Stub::start().await;
        lock(&stub.state).refuses_with = Some((error.to_owned(), description.to_owned()));
        let mut access = access(&stub.base, NOW);
        access
            .secrets
            .insert("refresh_token".to_owned(), REFRESH.to_owned().into());
        let told = problem(&Google.set_up(access).await.unwrap_err());
        assert!(told.what.contains(what), "{error}: {told:?}");
        assert!(told.next.contains(next), "{error}: {told:?}");
    }
}

/// A keyring that stores what it is given once it is unlocked.
#[derive(Default)]
struct Ring {
    kept: Mutex<Vec<[String; 3]>>,
    locked: AtomicBool,
}

#[async_trait]
impl Keeper for Ring {
    async fn replace(
        &self,
        account: &AccountId,
        field: &str,
        old: &SecretString,
        new: &SecretString,
    ) -> Result<(), String> {
        assert_eq!((account.as_str(), field), ("acc_google", "refresh_token"));
        if self.locked.load(Ordering::SeqCst) {
            return Err("it is locked".into());
        }
        let [old, new] = [old, new].map(|secret| secret.expose_secret().to_owned());
        self.kept.lock().unwrap().push([field.to_owned(), old, new]);
        Ok(())
    }
}

#[tokio::test]
async fn uses_and_stores_the_newest_refresh_token() {
    let stub = Stub::start().await;
    lock(&stub.state).rotates = true;
    let ring = Arc::new(Ring::default());
    let mut access = access(&stub.base, NOW);
    access.settings.insert("email".into(), PERSON.into());
    access
        .secrets
        .insert("refresh_token".into(), REFRESH.to_owned().into());
    access.keeper = Some(ring.clone());
    let backends = Google.connect(access).unwrap();
    let kept = || ring.kept.lock().unwrap().clone();
    let moved = |from: &str, to: &str| {
        ["refresh_token", from, to].map(|text| match text.is_empty() {
            true => REFRESH.to_owned(),
            false => text.to_owned(),
        })
    };
    let named = |number: u32| format!("{REFRESH}-{number}");
    listed(&backends).await.unwrap();
    assert_eq!(kept(), [moved("", &named(1))]);
    // A locked keyring gets the newest token later; until then it holds the first one.
    ring.locked.store(true, Ordering::SeqCst);
    lock(&stub.state).end_tokens();
    listed(&backends).await.unwrap();
    assert_eq!(kept().len(), 1);
    ring.locked.store(false, Ordering::SeqCst);
    lock(&stub.state).end_tokens();
    listed(&backends).await.unwrap();
    let expected = [moved("", &named(1)), moved(&named(1), &named(3))];
    assert_eq!(kept(), expected);
}
