//! Reading and changing settings.

use std::sync::PoisonError;

use adjutant_api::reply::SettingView;
use adjutant_api::{Fault, Reply};
use adjutant_settings::BadSetting;
use serde_json::Value;

use super::{Service, store_fault};

pub(super) fn show(service: &Service, key: Option<&str>) -> Result<Reply, Fault> {
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
    // Checked on a copy, stored, and only then taken over: what is in force is what is stored.
    let mut layers = service
        .layers
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    layers.set(key, value).map_err(|bad| bad_setting(&bad))?;
    match value {
        Some(value) => {
            let text = Value::String(value.trim().to_owned());
            service
                .store
                .set_setting(key, &text)
                .await
                .map_err(store_fault)?;
        }
        None => drop(
            service
                .store
                .remove_setting(key)
                .await
                .map_err(store_fault)?,
        ),
    }
    service.engine.set_settings(layers.all().core);
    *service
        .layers
        .write()
        .unwrap_or_else(PoisonError::into_inner) = layers;
    show(service, Some(key))
}

fn bad_setting(bad: &BadSetting) -> Fault {
    Fault {
        code: "usage".into(),
        message: adjutant_domain::faults::sentence(&bad.to_string()),
        hint: match bad {
            BadSetting::Unknown { .. } => "Run `adjutant config get` for the list.".into(),
            BadSetting::Unfit { .. } => String::new(),
        },
    }
}
