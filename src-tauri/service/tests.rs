//! Tests of requests to a profile, with a keyring in memory. One file per subject.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use adjutant_api::models::{ConnectionDraft, ModelView, ModelsView, SecretText};
use adjutant_api::{EventBody, Fault, Reply};
use adjutant_domain::ports::{SecretFault, Secrets};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::json;

use super::{Service, config, data, doctor, estimate, import, models};
use crate::compose::compose_with;
use crate::profile::Options;
use crate::profile::ProfileLocation;

mod accounts;
mod entries;
mod estimates;
mod families;
mod keyring;
mod mail;
mod programs;
mod questions;
mod reading;
mod sample;
mod secrets;
mod server_sign_in;
mod servers;
mod sign_outs;
mod tasks;
mod vectors;
mod whole;

const KEY: &str = "sk-0123456789abcdef";
const HEADER: &str = "gateway-s3cret";
const PASSWORD: &str = "pr0xy-s3cret";

/// A keyring in memory that can be locked.
#[derive(Default)]
struct Ring {
    kept: Mutex<BTreeMap<String, String>>,
    locked: AtomicBool,
    /// Names of the requested entries.
    asked: Mutex<Vec<String>>,
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
        self.asked.lock().expect("no panic").push(name.to_owned());
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

/// Returns a new profile.
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
    let place = ProfileLocation::find(Some(home), None).expect("a place");
    place.make().expect("a folder");
    let composed = compose_with(&place.dir(), &options, ring).await;
    Service::open_with(&place, &options, None, composed.expect("the parts"))
        .await
        .expect("a profile")
}

fn draft(name: &str) -> ConnectionDraft {
    let model: ModelView = serde_json::from_value(json!({"id": "m"})).expect("a model");
    ConnectionDraft {
        name: name.into(),
        kind: "compatible".into(),
        base_url: "https://models.example/v1".into(),
        models: [("standard".to_owned(), model)].into(),
        embedding: None,
        headers: BTreeMap::new(),
        no_headers: None,
        unencrypted: None,
        proxy: String::new(),
    }
}

fn secret(text: &str) -> SecretText {
    SecretText(text.into())
}

/// Returns a connection with every kind of secret.
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

#[tokio::test]
async fn erasing_resets_the_zone() {
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
async fn a_lagging_listener_is_told_to_read_everything_again() {
    let (_home, service) = profile().await;
    let mut changes = service.changes();
    for done in 0..1_000 {
        service.broadcast.tell(EventBody::Progress {
            what: "large.gguf".into(),
            done,
            total: Some(1_000),
            ended: None,
        });
    }
    assert_eq!(changes.next().await, Some(super::everything_changed()));
}
