//! Reads and changes settings.

use std::sync::PoisonError;

use adjutant_api::models::SecretText;
use adjutant_api::reply::SettingView;
use adjutant_api::{Fault, Reply};
use adjutant_domain::faults::{StoreFault, io_reason};
use adjutant_settings::{BadSetting, Layers};
use serde_json::Value;

use crate::models;

use super::search;
use super::servers::RiskKey;
use super::{Service, store_fault};

/// Settings that refer to something outside of them, a connection or a folder. Only the format of all others is
/// checked.
const SHADOW: &str = "models.shadow";
const SHADOW_PROMPTS: &str = "models.shadow_prompts";
const FOLDERS: &str = "folders";

pub(super) async fn show(service: &Service, key: Option<&str>) -> Result<Reply, Fault> {
    if let Some((key, risk)) = key.and_then(|key| Some((key, RiskKey::of(key)?))) {
        return risk.show(service, key);
    }
    if let Some(of) = key.and_then(search::KeySetting::of) {
        return Ok(of.show(service).await);
    }
    let layers = service
        .layers
        .read()
        .unwrap_or_else(PoisonError::into_inner);
    let settings = layers
        .show(key)
        .map_err(|bad| bad_setting(&bad))?
        .into_iter()
        .map(|shown| SettingView {
            key: shown.key.name.into(),
            value: shown.value,
            default: shown.default,
            help: shown.key.help.into(),
            origin: shown.origin.word().into(),
            choices: shown
                .key
                .form
                .choices()
                .into_iter()
                .map(str::to_owned)
                .collect(),
        })
        .collect();
    Ok(Reply::Config { settings })
}

pub(super) async fn set(service: &Service, key: &str, value: Option<&str>) -> Result<Reply, Fault> {
    if let Some(risk) = RiskKey::of(key) {
        return risk.set(service, key, value).await;
    }
    if search::KeySetting::of(key).is_some() {
        return Err(Fault {
            code: "usage".into(),
            message: "A key cannot be given as a value, because others could read it.".into(),
            hint: format!(
                "Enter it in Settings, Web and research (`adjutant config set {key}` asks for it)."
            ),
        });
    }
    // Checked on a copy and applied before it is stored, so that anyone notified of the change reads the new value.
    let before = service.layers();
    let mut layers = before.clone();
    layers.set(key, value).map_err(|bad| bad_setting(&bad))?;
    if key == SHADOW {
        let wanted = layers.all().models.shadow;
        service.models.may_be_shadow(&wanted).map_err(no_shadow)?;
    }
    if key == SHADOW_PROMPTS {
        let folder = layers.all().models.shadow_prompts;
        models::are_wordings(&folder).map_err(no_wordings)?;
    }
    if key == FOLDERS {
        for folder in &layers.all().core.folders {
            std::fs::read_dir(folder).map_err(|error| no_folder(folder, &error))?;
        }
    }
    service.take_layers(layers);
    if let Err(fault) = store(service, key, value).await {
        service.take_layers(before);
        return Err(store_fault(fault));
    }
    service.models.set_settings(service.settings()).await;
    if key == FOLDERS {
        service.plan_documents().await;
    }
    show(service, Some(key)).await
}

/// Stores a secret setting, or deletes it if `value` is `None`.
pub(super) async fn set_secret(
    service: &Service,
    key: &str,
    value: Option<SecretText>,
) -> Result<Reply, Fault> {
    let of = search::KeySetting::of(key).ok_or_else(|| Fault {
        code: "usage".into(),
        message: format!("There is no secret setting “{key}”."),
        hint: format!(
            "The secret settings are: {}.",
            adjutant_settings::SECRETS.join(", ")
        ),
    })?;
    of.set(service, value.as_ref()).await
}

fn bad_setting(bad: &BadSetting) -> Fault {
    Fault {
        code: "usage".into(),
        message: adjutant_domain::faults::sentence(&bad.to_string()),
        hint: match bad {
            BadSetting::Unknown { .. } => {
                "See the list in Settings (`adjutant config get`).".into()
            }
            BadSetting::Unfit { .. } | BadSetting::HoldsPassword { .. } => String::new(),
        },
    }
}

fn no_shadow(message: String) -> Fault {
    Fault {
        code: "usage".into(),
        message,
        hint: "Connect another model in Settings, Models (`adjutant models add`), then give the name of its connection (`adjutant models list`).".into(),
    }
}

fn no_folder(folder: &str, error: &std::io::Error) -> Fault {
    Fault {
        code: "usage".into(),
        message: format!("Adjutant cannot search “{folder}”: {}.", io_reason(error)),
        hint: "Give absolute paths of existing, readable folders, separated by commas.".into(),
    }
}

fn no_wordings(message: String) -> Fault {
    Fault {
        code: "usage".into(),
        message,
        hint: "Give a folder with files such as route/route.v1.md, named and written like those in prompts/ of Adjutant's sources.".into(),
    }
}

async fn store(service: &Service, key: &str, value: Option<&str>) -> Result<(), StoreFault> {
    match value {
        Some(value) => {
            service
                .store
                .set_setting(key, &Value::String(value.trim().to_owned()))
                .await
        }
        None => service.store.remove_setting(key).await.map(drop),
    }
}

impl Service {
    fn layers(&self) -> Layers {
        self.layers
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Applies changed settings at once.
    pub(super) fn take_layers(&self, layers: Layers) {
        // A zone given as a flag stays. One from the settings applies at once to the clock and to all-day records.
        let zone = self.options.zone(&layers.all().core.time_zone);
        self.system.set_zone(zone.clone());
        self.store.set_zone(zone);
        self.network.set_settings(&layers.all().network);
        let configuration = crate::accounts::configuration(&layers.all().google);
        let own = layers.all().core.owner.emails.clone();
        self.accounts
            .set_settings(layers.all().accounts, configuration, own);
        self.sources.set_settings(&layers.all());
        self.engine.set_settings(layers.all().core);
        self.research.set_settings(layers.all().research);
        *self.layers.write().unwrap_or_else(PoisonError::into_inner) = layers;
    }
}
