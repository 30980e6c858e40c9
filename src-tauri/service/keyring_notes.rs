//! Tracks keyring entries made by this service, besides those of models, accounts and servers, which keep their own
//! records. A name is recorded before its entry is created. An erasure deletes the recorded entries and does not access
//! the keyring if there are none.

use std::collections::BTreeSet;

use adjutant_api::Fault;
use adjutant_domain::ports::SecretFault;
use serde_json::json;

use super::{Service, store_fault};

/// Name of the settings row with the names.
const ROW: &str = "service.in_keyring";

/// Records that an entry with this name may be in the keyring from now on.
pub(super) async fn note(service: &Service, name: &str) -> Result<(), Fault> {
    let mut names = noted(service).await?;
    if !names.insert(name.to_owned()) {
        return Ok(());
    }
    let row = json!(names);
    let stored = service.store.set_setting(ROW, &row).await;
    stored.map_err(store_fault)
}

/// Returns the recorded names.
pub(super) async fn noted(service: &Service) -> Result<BTreeSet<String>, Fault> {
    let rows = service.store.settings().await.map_err(store_fault)?;
    let row = rows.into_iter().find(|(key, _)| key == ROW);
    let names = row.and_then(|(_, value)| serde_json::from_value(value).ok());
    Ok(names.unwrap_or_default())
}

/// Deletes entries from the keyring. Returns why some may remain.
pub(super) async fn remove(service: &Service, names: BTreeSet<String>) -> Option<SecretFault> {
    service
        .credentials
        .forget(names.into_iter().collect())
        .await
}
