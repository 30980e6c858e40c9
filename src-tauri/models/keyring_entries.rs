//! Tracks which keyring entries hold the secrets of connections. An entry belongs to one connection and to the address
//! it was given for. Its content never changes, and its name is never reused. A change creates new entries beside the
//! old ones, the row of connections then switches to them in one step, and finally the old ones are deleted. So
//! whatever fails, and whenever a process is killed, a secret is never sent to another address than it was given for,
//! and the connection in force has its own secrets.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_domain::faults::StoreFault;
use adjutant_domain::ports::SecretFault;
use adjutant_models::Connection;
use adjutant_store::Store;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Models;

/// Name of the settings row with entries that may be in the keyring although no connection needs them. Names are
/// recorded there before the entries are created.
const UNNEEDED_ROW: &str = "models.left_in_keyring";
/// Maximum number of names in that row: enough for twenty connections with all possible headers.
const UNNEEDED_MAX: usize = 400;
/// Maximum number of characters of the address in an entry's name. Keyrings show the name, and some limit its length.
const PLACE_CHARS_MAX: usize = 120;

/// A keyring entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KeyringEntry {
    /// Name of the entry.
    pub(super) name: String,
    /// The address for which the secret was given ([`place`]).
    pub(super) place: String,
}

/// Returns where a connection sends a secret: the origin of its server, or the full address of its proxy.
pub(super) fn place(connection: &Connection, secret: &str) -> String {
    if secret == connection.proxy_name() {
        connection.proxy.clone().unwrap_or_default()
    } else {
        connection.base_url.origin().ascii_serialization()
    }
}

/// The keyring entries of all connections.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyringEntries {
    /// Entries by the name that a connection uses for the secret.
    of: BTreeMap<String, KeyringEntry>,
    /// Names of entries that may exist although no connection needs them.
    unneeded: BTreeSet<String>,
    /// The number in the newest entry's name.
    last: u64,
}

impl KeyringEntries {
    /// Combines the entries named in the row of connections with the recorded unneeded ones.
    pub(super) fn new(of: BTreeMap<String, KeyringEntry>, stored: &[(String, Value)]) -> Self {
        let row = stored.iter().find(|(key, _)| key == UNNEEDED_ROW);
        let unneeded: BTreeSet<String> = row
            .and_then(|(_, value)| serde_json::from_value(value.clone()).ok())
            .unwrap_or_default();
        let names = of.values().map(|entry| &entry.name).chain(&unneeded);
        let last = names.filter_map(|name| number(name)).max().unwrap_or(0);
        Self { of, unneeded, last }
    }

    /// Returns the entries of a connection, by its names for the secrets.
    pub(super) fn of(&self, connection: &Connection) -> BTreeMap<String, KeyringEntry> {
        let found = |name: String| {
            let entry = self.of.get(&name)?.clone();
            (entry.place == place(connection, &name)).then_some((name, entry))
        };
        connection.secrets().into_iter().filter_map(found).collect()
    }

    /// Creates a new entry for a secret of a connection.
    pub(super) fn make(&mut self, connection: &Connection, secret: &str) -> KeyringEntry {
        self.last = self.last.saturating_add(1);
        let place = place(connection, secret);
        let shown: String = place.chars().take(PLACE_CHARS_MAX).collect();
        KeyringEntry {
            name: format!("{secret}@{shown}#{}", self.last),
            place,
        }
    }

    /// Returns the entries after a connection changes from `before` to one with the entries `of`, and the names to
    /// delete.
    pub(super) fn changed(
        &self,
        before: Option<&Connection>,
        of: BTreeMap<String, KeyringEntry>,
    ) -> (Self, BTreeSet<String>) {
        let mut entries = self.clone();
        let before = before.map(Connection::secrets).unwrap_or_default();
        let gone: Vec<KeyringEntry> = before
            .iter()
            .filter_map(|name| entries.of.remove(name))
            .collect();
        entries.of.extend(of);
        let used = entries.used();
        let stale = gone.into_iter().map(|entry| entry.name);
        let stale = stale.filter(|name| !used.contains(name)).collect();
        (entries, stale)
    }

    /// Drops all entries. Returns the names of all that may be in the keyring.
    pub(super) fn end(&mut self) -> BTreeSet<String> {
        let gone = std::mem::take(&mut self.of).into_values();
        self.unneeded.extend(gone.map(|entry| entry.name));
        self.unneeded.clone()
    }

    /// Takes over which entries are in force.
    pub(super) fn take(&mut self, other: Self) {
        self.of = other.of;
    }

    fn used(&self) -> BTreeSet<String> {
        self.of.values().map(|entry| entry.name.clone()).collect()
    }
}

/// Returns the number at the end of an entry's name; `None` for names from earlier versions.
fn number(name: &str) -> Option<u64> {
    let (_, place) = name.split_once('@')?;
    place.rsplit_once('#')?.1.parse().ok()
}

impl Models {
    /// Records that these entries may be or remain in the keyring without being needed.
    pub(super) async fn note_unneeded(&self, names: BTreeSet<String>) -> Result<(), StoreFault> {
        let before = self.state().entries.unneeded.clone();
        let mut unneeded = before.clone();
        // Limit the record, so that a broken keyring does not make it grow without end.
        if before.len() < UNNEEDED_MAX {
            unneeded.extend(names);
        }
        if unneeded != before {
            write(&self.0.store, &unneeded).await?;
            self.state_mut().entries.unneeded = unneeded;
        }
        Ok(())
    }

    /// Removes entries from the record that are needed or known to be gone.
    pub(super) async fn clear_unneeded(&self, names: &BTreeSet<String>) {
        let before = self.state().entries.unneeded.clone();
        let unneeded: BTreeSet<String> = before.difference(names).cloned().collect();
        if unneeded == before {
            return;
        }
        self.state_mut().entries.unneeded.clone_from(&unneeded);
        // On failure the row names too many entries, and the next change checks them again.
        if let Err(fault) = write(&self.0.store, &unneeded).await {
            tracing::warn!(%fault, "the removal of a keyring entry could not be recorded");
        }
    }

    /// Deletes unneeded entries and those in `also` that are not needed. Returns why some may remain.
    pub(super) async fn remove_unneeded(&self, also: &BTreeSet<String>) -> Option<SecretFault> {
        let (noted, used) = {
            let entries = &self.state().entries;
            (&entries.unneeded | also, entries.used())
        };
        let unneeded: Vec<String> = noted.difference(&used).cloned().collect();
        let fault = self.0.credentials.forget(unneeded).await;
        let settled = if fault.is_none() { &noted } else { &used };
        self.clear_unneeded(settled).await;
        fault
    }

    /// Like [`Self::remove_unneeded`], but only logs problems. Called when the keyring is known to work.
    pub(super) async fn remove_unneeded_beside(&self) {
        if self.0.read_only || self.state().entries.unneeded.is_empty() {
            return;
        }
        if let Some(fault) = self.remove_unneeded(&BTreeSet::new()).await {
            tracing::info!(%fault, "a keyring entry that no connection needs may still exist");
        }
    }
}

async fn write(store: &Store, unneeded: &BTreeSet<String>) -> Result<(), StoreFault> {
    if unneeded.is_empty() {
        return store.remove_setting(UNNEEDED_ROW).await.map(drop);
    }
    store.set_setting(UNNEEDED_ROW, &json!(unneeded)).await
}

/// Removes the row once more, in case a change wrote it while everything was erased.
pub(super) async fn erase_row(store: &Store) -> Result<(), StoreFault> {
    store.remove_setting(UNNEEDED_ROW).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_never_used_again() {
        let one = Connection::quick("https://a.example/v1", "m", None).expect("one");
        let entry = |name: &str| KeyringEntry {
            name: name.into(),
            place: String::new(),
        };
        let of = [
            ("k", "models/a@https://a.example#7"),
            // As earlier versions named them; a header's name may hold a number sign.
            ("h", "models/a/header/x#900"),
        ];
        let of = of.map(|(of, name)| (of.to_owned(), entry(name))).into();
        let unneeded = (
            UNNEEDED_ROW.to_owned(),
            json!(["models/b@https://b.example#12"]),
        );
        let mut entries = KeyringEntries::new(of, &[unneeded]);
        let made = entries.make(&one, "models/quick");
        assert_eq!(made.name, "models/quick@https://a.example#13");
        let next = entries.make(&one, "models/quick");
        assert_eq!(next.name, "models/quick@https://a.example#14");
        assert_eq!(next.place, "https://a.example");
    }
}
