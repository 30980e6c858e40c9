//! Secrets of connections, from the draft to the export: with a keyring that works, one that refuses, and none.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use adjutant_api::models::{ConnectionDraft, ModelView, ModelsView, SecretText};
use adjutant_api::{Fault, Reply};
use adjutant_domain::ports::{SecretFault, Secrets};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::json;

use super::{Service, config, data, doctor, models, usage};
use crate::profile::Place;
use crate::session::Options;

mod keyring;
mod reading;
mod vectors;
mod whole;

const KEY: &str = "sk-0123456789abcdef";
const HEADER: &str = "gateway-s3cret";
const PASSWORD: &str = "pr0xy-s3cret";

/// A keyring in memory, which can be locked.
#[derive(Default)]
struct Ring {
    kept: Mutex<BTreeMap<String, String>>,
    locked: AtomicBool,
}

impl Ring {
    fn names(&self) -> Vec<String> {
        self.kept
            .lock()
            .expect("no panic")
            .keys()
            .cloned()
            .collect()
    }

    fn open(&self) -> Result<(), SecretFault> {
        if self.locked.load(Ordering::SeqCst) {
            return Err(SecretFault::Refused);
        }
        Ok(())
    }
}

impl Secrets for Ring {
    fn get(&self, name: &str) -> Result<Option<SecretString>, SecretFault> {
        self.open()?;
        let kept = self.kept.lock().expect("no panic");
        Ok(kept.get(name).map(|text| SecretString::from(text.as_str())))
    }

    fn set(&self, name: &str, secret: &SecretString) -> Result<(), SecretFault> {
        self.open()?;
        let mut kept = self.kept.lock().expect("no panic");
        kept.insert(name.to_owned(), secret.expose_secret().to_owned());
        Ok(())
    }

    fn remove(&self, name: &str) -> Result<(), SecretFault> {
        self.open()?;
        self.kept.lock().expect("no panic").remove(name);
        Ok(())
    }
}

struct World {
    home: tempfile::TempDir,
    ring: Arc<Ring>,
    service: Service,
}

async fn world() -> World {
    world_of(true).await
}

async fn world_of(offline: bool) -> World {
    let home = tempfile::tempdir().expect("a folder");
    let ring = Arc::new(Ring::default());
    let service = open(home.path(), offline, ring.clone()).await;
    World {
        home,
        ring,
        service,
    }
}

/// A profile of its own.
pub(super) async fn profile() -> (tempfile::TempDir, Service) {
    let home = tempfile::tempdir().expect("a folder");
    let service = open(home.path(), true, Arc::new(Ring::default())).await;
    (home, service)
}

async fn open(home: &Path, offline: bool, ring: Arc<Ring>) -> Service {
    open_with(home, offline, ring).await
}

async fn open_with(home: &Path, offline: bool, ring: Arc<dyn Secrets>) -> Service {
    let options = Options {
        home: Some(home.to_path_buf()),
        offline,
        ..Options::default()
    };
    let place = Place::find(Some(home), None).expect("a place");
    place.make().expect("a folder");
    Service::open_with(&place, &options, None, ring)
        .await
        .expect("a profile")
}

fn draft(name: &str) -> ConnectionDraft {
    let model: ModelView = serde_json::from_value(json!({"id": "m"})).expect("a model");
    ConnectionDraft {
        name: name.into(),
        kind: "compatible".into(),
        base_url: "http://models.example/v1".into(),
        models: [("standard".to_owned(), model)].into(),
        embedding: None,
        headers: BTreeMap::new(),
        no_headers: None,
        proxy: String::new(),
    }
}

fn secret(text: &str) -> SecretText {
    SecretText(text.into())
}

/// One with everything secret there is.
fn guarded() -> ConnectionDraft {
    ConnectionDraft {
        headers: [("X-Gateway".to_owned(), secret(HEADER))].into(),
        proxy: format!("http://me:{PASSWORD}@proxy.example:3128"),
        ..draft("far")
    }
}

async fn connect(
    world: &World,
    draft: ConnectionDraft,
    key: Option<&str>,
) -> Result<ModelsView, Fault> {
    view(models::connect(&world.service.models, draft, key.map(secret)).await)
}

fn view(reply: Result<Reply, Fault>) -> Result<ModelsView, Fault> {
    match reply? {
        Reply::Models { models } => Ok(models),
        other => panic!("{other:?}"),
    }
}

/// Every byte under a folder.
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
async fn what_is_secret_of_a_connection_is_in_the_keyring_and_nowhere_else() {
    let world = world().await;
    let shown = connect(&world, guarded(), Some(KEY)).await.expect("kept");
    let one = &shown.connections[0];
    assert_eq!(one.headers, ["x-gateway"]);
    assert_eq!(one.proxy.as_deref(), Some("http://me@proxy.example:3128/"));
    assert_eq!((one.has_key, one.proxy_password), (true, Some(true)));
    assert_eq!(
        world.ring.names(),
        [
            "models/far",
            "models/far/header/x-gateway",
            "models/far/proxy"
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
    // The database, its journal, the index and the export lie in it.
    let all = bytes(world.home.path());
    assert!(holds(&all, "x-gateway") && holds(&all, "proxy.example"));
    let told = format!("{shown:?}{checks:?}");
    for secret in [KEY, HEADER, PASSWORD] {
        assert!(!holds(&all, secret), "{secret} is on the disk");
        assert!(!told.contains(secret), "{secret} is shown");
    }
}

#[tokio::test]
async fn what_a_draft_leaves_out_stays_and_what_it_replaces_goes() {
    let world = world().await;
    connect(&world, guarded(), Some(KEY)).await.expect("kept");
    // As a form sends it back: the address without its password, no values.
    let same = ConnectionDraft {
        proxy: "http://me@proxy.example:3128/".into(),
        ..draft("far")
    };
    connect(&world, same, None).await.expect("kept");
    assert_eq!(world.ring.names().len(), 3);
    // A value that is left empty stays, another header is new.
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
    // A password goes to no other proxy.
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
async fn what_was_given_for_a_place_is_sent_to_no_other() {
    let world = world().await;
    connect(&world, guarded(), Some(KEY)).await.expect("kept");
    // Another path of the same place.
    let near = ConnectionDraft {
        base_url: "http://models.example/v2".into(),
        ..draft("far")
    };
    let shown = connect(&world, near, None).await.expect("kept");
    let one = &shown.connections[0];
    assert_eq!((one.has_key, one.headers.len()), (true, 1));
    assert_eq!(shown.note, None);
    for elsewhere in [
        "https://models.example/v1",
        "http://models.example:8080/v1",
        "http://other.example/v1",
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
        assert!(note.contains("somewhere else"), "{note}");
        assert!(world.ring.names().is_empty(), "{:?}", world.ring.names());
    }
    // A header of the old place has no value for the new one.
    connect(&world, guarded(), Some(KEY)).await.expect("kept");
    let moved = ConnectionDraft {
        base_url: "http://other.example/v1".into(),
        headers: [("x-gateway".to_owned(), secret(""))].into(),
        ..draft("far")
    };
    let fault = connect(&world, moved, None).await.expect_err("no value");
    assert_eq!(fault.code, "usage");
}

#[tokio::test]
async fn drafts_that_cannot_be_kept_are_refused_and_leave_nothing() {
    let world = world().await;
    let header = |name: &str, value: &str| ConnectionDraft {
        headers: [(name.to_owned(), secret(value))].into(),
        ..draft("far")
    };
    for wrong in [
        draft("quick"),
        draft("a/b"),
        header("x gateway", "v"),
        header("Host", "elsewhere.example"),
        header("x-gateway", ""),
        header("x-gateway", "two\nlines"),
        header("x-gateway", &"a".repeat(5_000)),
        ConnectionDraft {
            base_url: format!("https://me:{PASSWORD}@gate.example/v1"),
            ..draft("far")
        },
        ConnectionDraft {
            proxy: "proxy.example:3128".into(),
            ..draft("far")
        },
    ] {
        let told = format!("{wrong:?}");
        let fault = connect(&world, wrong, None).await.expect_err(&told);
        assert_eq!(fault.code, "usage", "{told}");
        assert!(!fault.message.contains(PASSWORD), "{fault:?}");
    }
    assert!(world.ring.names().is_empty());
    assert!(world.service.models.all().is_empty());
}

#[tokio::test]
async fn a_keyring_that_is_not_there_keeps_nothing_and_holds_up_nothing() {
    let world = world().await;
    world.ring.locked.store(true, Ordering::SeqCst);
    let fault = connect(&world, guarded(), Some(KEY))
        .await
        .expect_err("locked");
    assert_eq!(fault.code, "keyring");
    assert!(world.service.models.all().is_empty());
    // Without anything secret there is no need of it.
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
async fn erasing_a_profile_takes_its_keys_along() {
    let world = world().await;
    connect(&world, guarded(), Some(KEY)).await.expect("kept");
    data::erase(&world.service).await.expect("erased");
    assert!(world.ring.names().is_empty());
    assert!(world.service.models.all().is_empty());
    let Reply::Doctor { checks } = doctor::check(&world.service).await else {
        panic!("a check");
    };
    let models = checks.iter().find(|check| check.name == "Models");
    assert_eq!(models.expect("it is spoken of").state, "missing");
}

#[tokio::test]
async fn the_zone_of_erased_settings_is_not_in_force_any_longer() {
    let world = world().await;
    let usual = world.service.zone();
    let other = if usual.iana_name() == Some("Asia/Tokyo") {
        "America/Lima"
    } else {
        "Asia/Tokyo"
    };
    config::set(&world.service, "time_zone", Some(other))
        .await
        .expect("set");
    assert_eq!(world.service.zone().iana_name(), Some(other));
    data::erase(&world.service).await.expect("erased");
    assert_eq!(world.service.zone(), usual);
}

#[tokio::test]
async fn what_a_test_learned_does_not_undo_a_change_made_meanwhile() {
    let world = world().await;
    connect(&world, draft("work"), None).await.expect("kept");
    let room = &world.service.models;
    let tested = room.all()[0].connection.clone();
    let mut learned = tested.clone();
    for choice in learned.models.values_mut() {
        choice.tools = false;
    }
    // Somewhere else by the time the test ends, with a key of its own.
    let mut moved = draft("work");
    moved.base_url = "http://other.example/v1".into();
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

#[tokio::test]
async fn one_price_does_not_make_the_other_direction_free_and_free_is_said() {
    const CHAT: &str = "Tell me a story about a dragon";
    let world = world_of(false).await;
    let put = async |input, free: Option<bool>| {
        let mut draft = draft("far");
        for model in draft.models.values_mut() {
            model.input_micros_per_million = input;
            model.free = free;
        }
        connect(&world, draft, None).await.expect("kept");
        let told = usage::estimate(&world.service, "main", CHAT).await;
        told.expect("told").expect("connected")
    };
    let half = put(1_000_000, None).await;
    let output = half.requests[0].output;
    assert!(half.at_most_micros > output * 20, "{half:?}");
    let note = half.unpriced.expect("one price is not known");
    assert!(note.contains("--free"), "{note}");
    assert!(note.contains("1.00 for a million input"), "{note}");
    let unknown = put(0, None).await;
    assert!(unknown.unpriced.is_some() && unknown.at_most_micros > half.at_most_micros);
    let free = put(0, Some(true)).await;
    assert_eq!((free.at_most_micros, free.unpriced), (0, None));
    let Reply::Models { models } = models::show(&world.service.models).await else {
        panic!("models");
    };
    assert_eq!(models.note, None);
    assert_eq!(models.connections[0].models["standard"].free, Some(true));
}

#[tokio::test]
async fn what_a_request_could_cost_is_told_with_the_dearest_model_that_may_answer() {
    const CHAT: &str = "Tell me a story about a dragon";
    let world = world_of(false).await;
    let estimate = |text: &'static str| usage::estimate(&world.service, "main", text);
    assert_eq!(estimate(CHAT).await, Ok(None), "no model, no cost");
    let priced = |name: &str, input, output| {
        let mut draft = draft(name);
        for model in draft.models.values_mut() {
            model.context_tokens = 100_000;
            model.input_micros_per_million = input;
            model.output_micros_per_million = output;
        }
        draft
    };
    connect(&world, priced("cheap", 1_000_000, 2_000_000), None)
        .await
        .expect("kept");
    let cheap = estimate(CHAT).await.expect("told").expect("connected");
    // One answer: 2000 tokens out at 2, and its budget in at 1, in millionths.
    let [answer] = cheap.requests.as_slice() else {
        panic!("{cheap:?}");
    };
    assert_eq!((answer.stage.as_str(), answer.times), ("respond", 1));
    assert_eq!(answer.model, "cheap/m");
    assert_eq!(cheap.at_most_micros, answer.input + answer.output * 2);
    assert!((8_000..8_100).contains(&answer.input), "{answer:?}");
    assert_eq!(
        (cheap.currency.as_str(), cheap.over_call_limit),
        ("USD", false)
    );
    connect(&world, priced("dear", 100_000_000, 2_000_000), None)
        .await
        .expect("kept");
    let dear = estimate(CHAT).await.expect("told").expect("connected");
    assert!(dear.at_most_micros > 50 * cheap.at_most_micros, "{dear:?}");
    assert!(dear.over_call_limit);
    let sure = "Add a task to call mom tomorrow at 5pm";
    let none = estimate(sure).await.expect("told").expect("connected");
    assert_eq!((none.requests.len(), none.at_most.as_str()), (0, "0.00"));
}
