//! Tests of connections' secrets, from the draft to the export, with a keyring that works, one that fails, and none.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::Ordering;

use adjutant_api::Reply;
use adjutant_api::models::{ConnectionDraft, SecretText};

use super::{
    HEADER, KEY, PASSWORD, config, connect, data, doctor, draft, guarded, models, secret, view,
    world,
};

#[tokio::test]
async fn a_connections_secrets_are_only_in_the_keyring() {
    let world = world().await;
    let shown = connect(&world, guarded(), Some(KEY)).await.expect("kept");
    let one = &shown.connections[0];
    assert_eq!(one.headers, ["x-gateway"]);
    assert_eq!(one.proxy.as_deref(), Some("http://me@proxy.example:3128/"));
    assert_eq!((one.has_key, one.proxy_password), (true, Some(true)));
    assert_eq!(
        world.ring.names(),
        [
            "models/far/header/x-gateway@https://models.example#2",
            "models/far/proxy@http://me@proxy.example:3128/#3",
            "models/far@https://models.example#1",
        ]
    );
    let out = world.home.path().join("export");
    data::export(&world.service, &out.to_string_lossy())
        .await
        .expect("exported");
    let Reply::Doctor { checks } = doctor::check(&world.service).await else {
        panic!("a check");
    };
    world.service.close().await;
    // Database, journal, index and export are all in this folder.
    let all = bytes(world.home.path());
    assert!(holds(&all, "x-gateway") && holds(&all, "proxy.example"));
    let told = format!("{shown:?}{checks:?}");
    for secret in [KEY, HEADER, PASSWORD] {
        assert!(!holds(&all, secret), "{secret} is on the disk");
        assert!(!told.contains(secret), "{secret} is shown");
    }
}

#[tokio::test]
async fn a_search_engines_key_is_never_returned_as_a_setting() {
    let world = world().await;
    for key in adjutant_settings::SECRETS {
        let refused = config::set(&world.service, key, Some(KEY)).await;
        assert_eq!(refused.expect_err("a value").code, "usage", "{key}");
        let given = Some(SecretText(format!(" {KEY} ")));
        let kept = config::set_secret(&world.service, key, given).await;
        let told = format!("{:?}", kept.expect("kept"));
        assert!(
            told.contains("in the keyring") && !told.contains(KEY),
            "{told}"
        );
    }
    assert_eq!(world.ring.names(), ["web/brave@", "web/tavily@"]);
    for (key, wrong) in [
        ("web.brave.key", ""),
        ("web.brave.key", "two words"),
        ("web.searxng.key", KEY),
    ] {
        let given = Some(SecretText(wrong.into()));
        let refused = config::set_secret(&world.service, key, given).await;
        assert_eq!(refused.expect_err("no key").code, "usage", "{key}: {wrong}");
    }
    for key in adjutant_settings::SECRETS {
        let gone = config::set_secret(&world.service, key, None).await;
        gone.expect("forgotten");
    }
    assert_eq!(world.ring.names(), [""; 0]);
}

#[tokio::test]
async fn a_draft_keeps_omitted_secrets_and_removes_replaced_ones() {
    let world = world().await;
    connect(&world, guarded(), Some(KEY)).await.expect("kept");
    // As a form sends it back: the address without its password, and the headers without values.
    let same = ConnectionDraft {
        proxy: "http://me@proxy.example:3128/".into(),
        ..draft("far")
    };
    connect(&world, same, None).await.expect("kept");
    assert_eq!(world.ring.names().len(), 3);
    // A header with an empty value stays, and another one is added.
    let more = ConnectionDraft {
        headers: [
            ("x-gateway".to_owned(), secret(" ")),
            ("X-Team".to_owned(), secret("red")),
        ]
        .into(),
        proxy: "http://me@proxy.example:3128/".into(),
        ..draft("far")
    };
    let shown = connect(&world, more, None).await.expect("kept");
    assert_eq!(shown.connections[0].headers, ["x-gateway", "x-team"]);
    assert_eq!(world.ring.names().len(), 4);
    // The password is not sent to another proxy.
    let moved = ConnectionDraft {
        proxy: "http://me@other.example:3128".into(),
        no_headers: Some(true),
        ..draft("far")
    };
    let shown = connect(&world, moved, Some("")).await.expect("kept");
    assert_eq!(shown.connections[0].proxy_password, Some(false));
    assert!(!shown.connections[0].has_key);
    assert!(world.ring.names().is_empty(), "{:?}", world.ring.names());
}

#[tokio::test]
async fn sends_a_secret_only_to_the_place_it_was_given_for() {
    let world = world().await;
    connect(&world, guarded(), Some(KEY)).await.expect("kept");
    // Another path at the same place.
    let near = ConnectionDraft {
        base_url: "https://models.example/v2".into(),
        ..draft("far")
    };
    let shown = connect(&world, near, None).await.expect("kept");
    let one = &shown.connections[0];
    assert_eq!((one.has_key, one.headers.len()), (true, 1));
    assert_eq!(shown.note, None);
    for elsewhere in [
        "http://models.example/v1",
        "https://models.example:8080/v1",
        "https://other.example/v1",
    ] {
        connect(&world, guarded(), Some(KEY)).await.expect("kept");
        let moved = ConnectionDraft {
            base_url: elsewhere.into(),
            ..draft("far")
        };
        let shown = connect(&world, moved, None).await.expect("kept");
        let one = &shown.connections[0];
        assert_eq!((one.has_key, one.headers.len()), (false, 0), "{elsewhere}");
        let note = shown.note.expect("it is said");
        assert!(note.contains("new address"), "{note}");
        assert!(world.ring.names().is_empty(), "{:?}", world.ring.names());
    }
    // A header of the old place has no value for the new one.
    connect(&world, guarded(), Some(KEY)).await.expect("kept");
    let moved = ConnectionDraft {
        base_url: "https://other.example/v1".into(),
        headers: [("x-gateway".to_owned(), secret(""))].into(),
        ..draft("far")
    };
    let fault = connect(&world, moved, None).await.expect_err("no value");
    assert_eq!(fault.code, "headers");
}

#[tokio::test]
async fn refuses_invalid_drafts_and_leaves_nothing() {
    let world = world().await;
    let header = |name: &str, value: &str| ConnectionDraft {
        headers: [(name.to_owned(), secret(value))].into(),
        ..draft("far")
    };
    let file = ConnectionDraft {
        kind: "telepathy".into(),
        ..draft("far")
    };
    let nameless = ConnectionDraft {
        models: BTreeMap::new(),
        ..draft("far")
    };
    for (field, wrong) in [
        ("name", draft("quick")),
        ("name", draft("a/b")),
        ("kind", file),
        ("model", nameless),
        ("headers", header("x gateway", "v")),
        ("headers", header("Host", "elsewhere.example")),
        ("headers", header("x-gateway", "")),
        ("headers", header("x-gateway", "two\nlines")),
        ("headers", header("x-gateway", &"a".repeat(5_000))),
        (
            "address",
            ConnectionDraft {
                base_url: format!("https://me:{PASSWORD}@gate.example/v1"),
                ..draft("far")
            },
        ),
        (
            "proxy",
            ConnectionDraft {
                proxy: "proxy.example:3128".into(),
                ..draft("far")
            },
        ),
    ] {
        let told = format!("{wrong:?}");
        let fault = connect(&world, wrong, None).await.expect_err(&told);
        assert_eq!(fault.code, field, "{told}");
        assert!(!fault.message.contains(PASSWORD), "{fault:?}");
    }
    assert!(world.ring.names().is_empty());
    assert!(world.service.models.all().is_empty());
}

#[tokio::test]
async fn a_missing_keyring_stores_nothing_and_delays_nothing() {
    let world = world().await;
    world.ring.locked.store(true, Ordering::SeqCst);
    let fault = connect(&world, guarded(), Some(KEY))
        .await
        .expect_err("locked");
    assert_eq!(fault.code, "keyring");
    assert!(world.service.models.all().is_empty());
    // Without secrets, no keyring is needed.
    connect(&world, draft("near"), None).await.expect("kept");

    world.ring.locked.store(false, Ordering::SeqCst);
    connect(&world, guarded(), Some(KEY)).await.expect("kept");
    world.ring.locked.store(true, Ordering::SeqCst);
    let Reply::Doctor { checks } = doctor::check(&world.service).await else {
        panic!("a check");
    };
    let keyring = checks.iter().find(|check| check.name == "Keyring");
    let keyring = keyring.expect("it is spoken of");
    assert_eq!(keyring.state, "broken", "{keyring:?}");
    assert!(!keyring.hint.is_empty());
    let shown = view(models::disconnect(&world.service.models, "far").await).expect("gone");
    assert!(
        shown
            .note
            .is_some_and(|note| note.contains("may still be in it"))
    );
    let names: Vec<_> = shown
        .connections
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, ["near"]);
    let shown = view(models::disconnect(&world.service.models, "near").await).expect("gone");
    assert_eq!(shown.note, None, "nothing of it was in the keyring");
}

#[tokio::test]
async fn erasing_a_profile_removes_its_keys() {
    let world = world().await;
    connect(&world, guarded(), Some(KEY)).await.expect("kept");
    data::erase(&world.service).await.expect("erased");
    assert!(world.ring.names().is_empty());
    assert!(world.service.models.all().is_empty());
    let Reply::Doctor { checks } = doctor::check(&world.service).await else {
        panic!("a check");
    };
    let models = checks.iter().find(|check| check.name == "Models");
    assert_eq!(models.expect("it is spoken of").state, "optional");
}

#[tokio::test]
async fn a_tests_result_does_not_revert_a_concurrent_change() {
    let world = world().await;
    connect(&world, draft("work"), None).await.expect("kept");
    let room = &world.service.models;
    let tested = room.all()[0].connection.clone();
    let mut learned = tested.clone();
    for choice in learned.models.values_mut() {
        choice.tools = false;
    }
    // By the end of the test, the connection has moved and has a new key.
    let mut moved = draft("work");
    moved.base_url = "https://other.example/v1".into();
    connect(&world, moved, Some(KEY)).await.expect("kept");
    let now = room.all()[0].connection.clone();
    room.learn(&tested, learned).await.expect("passed over");
    assert_eq!(room.all()[0].connection, now);
    let mut learned = now.clone();
    for choice in learned.models.values_mut() {
        choice.tools = false;
    }
    room.learn(&now, learned.clone()).await.expect("kept");
    assert_eq!(room.all()[0].connection, learned);
}

/// Returns every byte of every file under a folder.
fn bytes(dir: &Path) -> Vec<u8> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(dir).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            all.extend(bytes(&path));
        } else {
            all.extend(std::fs::read(&path).unwrap_or_default());
        }
    }
    all
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|part| part == text.as_bytes())
}

#[tokio::test]
async fn sends_a_key_unencrypted_only_with_permission() {
    let world = world().await;
    let room = &world.service.models;
    let plain = |unencrypted| ConnectionDraft {
        base_url: "http://models.example/v1".into(),
        unencrypted,
        ..draft("far")
    };
    let key = || Some(secret("s3cret"));
    let refused = models::connect(room, plain(None), key()).await;
    assert_eq!(refused.expect_err("refused").code, "unencrypted");
    let refused = models::list(room, plain(None), key()).await;
    assert_eq!(refused.expect_err("refused").code, "unencrypted");
    assert!(world.ring.names().is_empty(), "nothing was kept");
    view(models::connect(room, plain(Some(true)), key()).await).expect("allowed");
    // It stays allowed for this place, and for no other.
    view(models::connect(room, plain(None), None).await).expect("still allowed");
    let mut moved = plain(None);
    moved.base_url = "http://other.example/v1".into();
    let refused = models::connect(room, moved, key()).await;
    assert_eq!(refused.expect_err("refused").code, "unencrypted");
}
