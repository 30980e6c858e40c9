//! Which entries this service may have put into the keyring, beside those of models, accounts and servers, which keep their
//! own books. A name is written down before the entry is made; an erasure takes out what stands here, and asks no keyring
//! where nothing does.

use std::collections::BTreeSet;

use adjutant_api::Fault;
use adjutant_domain::ports::SecretFault;
use serde_json::json;

use super::{Service, store_fault};

/// The row of the settings table with the names.
const ROW: &str = "service.in_keyring";

/// Notes that an entry of this name may be in the keyring from now on.
pub(super) async fn note(service: &Service, name: &str) -> Result<(), Fault> {
    let mut names = noted(service).await?;
    if !names.insert(name.to_owned()) {
        return Ok(());
    }
    let row = json!(names);
    let stored = service.store.set_setting(ROW, &row).await;
    stored.map_err(store_fault)
}

/// The names noted so far.
pub(super) async fn noted(service: &Service) -> Result<BTreeSet<String>, Fault> {
    let rows = service.store.settings().await.map_err(store_fault)?;
    let row = rows.into_iter().find(|(key, _)| key == ROW);
    let names = row.and_then(|(_, value)| serde_json::from_value(value).ok());
    Ok(names.unwrap_or_default())
}

/// Takes the entries of these names out of the keyring; tells why some may still be there.
pub(super) async fn remove(service: &Service, names: BTreeSet<String>) -> Option<SecretFault> {
    service
        .credentials
        .forget(names.into_iter().collect())
        .await
}
