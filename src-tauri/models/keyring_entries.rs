//! Which entries of the keyring hold what is secret of connections. An entry belongs to one connection and to the place
//! it was given for, is never given another content, and its name is never used again. So a change makes new entries
//! beside the old ones, the row of the connections says from one moment to the next which of them count, and then the
//! others go. Whatever fails on the way, and wherever a process is killed: nothing is sent to another place than it was
//! given for, and the connection in force has its own.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_domain::faults::StoreFault;
use adjutant_domain::ports::SecretFault;
use adjutant_models::Connection;
use adjutant_store::Store;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Models;

/// Name of the row with the names of entries that may be in the keyring although no connection needs them. They are
/// written down before they are made.
const UNNEEDED_ROW: &str = "models.left_in_keyring";
/// Names in that row after which no more are added: those of twenty connections with all headers there can be.
const UNNEEDED_MAX: usize = 400;
/// Characters of a place that are a part of an entry's name, which keyrings show; some take only short names.
const PLACE_CHARS_MAX: usize = 120;

/// An entry of the keyring.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KeyringEntry {
    /// Its name there.
    pub(super) name: String,
    /// What it holds was given for this place ([`place`]).
    pub(super) place: String,
}

/// Where something secret of a connection is sent: the origin of its server, or the whole address of its proxy.
pub(super) fn place(connection: &Connection, secret: &str) -> String {
    if secret == connection.proxy_name() {
        connection.proxy.clone().unwrap_or_default()
    } else {
        connection.base_url.origin().ascii_serialization()
    }
}

/// The entries of all connections.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyringEntries {
    /// By the name a connection gives to what is secret of it.
    of: BTreeMap<String, KeyringEntry>,
    /// Names of entries that may be there although nobody needs them.
    unneeded: BTreeSet<String>,
    /// The number in the newest name.
    last: u64,
}

impl KeyringEntries {
    /// Those that the row of the connections names, and what was left over before.
    pub(super) fn new(of: BTreeMap<String, KeyringEntry>, stored: &[(String, Value)]) -> Self {
        let row = stored.iter().find(|(key, _)| key == UNNEEDED_ROW);
        let unneeded: BTreeSet<String> = row
            .and_then(|(_, value)| serde_json::from_value(value.clone()).ok())
            .unwrap_or_default();
        let names = of.values().map(|entry| &entry.name).chain(&unneeded);
        let last = names.filter_map(|name| number(name)).max().unwrap_or(0);
        Self { of, unneeded, last }
    }

    /// Those of a connection, by the names it gives.
    pub(super) fn of(&self, connection: &Connection) -> BTreeMap<String, KeyringEntry> {
        let found = |name: String| {
            let entry = self.of.get(&name)?.clone();
            (entry.place == place(connection, &name)).then_some((name, entry))
        };
        connection.secrets().into_iter().filter_map(found).collect()
    }

    /// A new entry for something secret of a connection.
    pub(super) fn make(&mut self, connection: &Connection, secret: &str) -> KeyringEntry {
        self.last = self.last.saturating_add(1);
        let place = place(connection, secret);
        let shown: String = place.chars().take(PLACE_CHARS_MAX).collect();
        KeyringEntry {
            name: format!("{secret}@{shown}#{}", self.last),
            place,
        }
    }

    /// The same with other entries for a connection that is changed from `before` to what needs `of`.
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

    /// Nothing of it counts any more. Gives the names of all that may be in the keyring.
    pub(super) fn end(&mut self) -> BTreeSet<String> {
        let gone = std::mem::take(&mut self.of).into_values();
        self.unneeded.extend(gone.map(|entry| entry.name));
        self.unneeded.clone()
    }

    /// Takes over which of them count from now on.
    pub(super) fn take(&mut self, other: Self) {
        self.of = other.of;
    }

    fn used(&self) -> BTreeSet<String> {
        self.of.values().map(|entry| entry.name.clone()).collect()
    }
}

/// The number at the end of an entry's name; none in names of earlier versions, which hold no place.
fn number(name: &str) -> Option<u64> {
    let (_, place) = name.split_once('@')?;
    place.rsplit_once('#')?.1.parse().ok()
}

impl Models {
    /// Writes down that these entries may soon be in the keyring, or still are, without being needed.
    pub(super) async fn note_unneeded(&self, names: BTreeSet<String>) -> Result<(), StoreFault> {
        let before = self.state().entries.unneeded.clone();
        let mut unneeded = before.clone();
        // A keyring that gives nothing back is no reason to remember ever more.
        if before.len() < UNNEEDED_MAX {
            unneeded.extend(names);
        }
        if unneeded != before {
            write(&self.0.store, &unneeded).await?;
            self.state_mut().entries.unneeded = unneeded;
        }
        Ok(())
    }

    /// Of these entries it is known that they are needed, or not there.
    pub(super) async fn clear_unneeded(&self, names: &BTreeSet<String>) {
        let before = self.state().entries.unneeded.clone();
        let unneeded: BTreeSet<String> = before.difference(names).cloned().collect();
        if unneeded == before {
            return;
        }
        self.state_mut().entries.unneeded.clone_from(&unneeded);
        // The row then names too many, and they are looked for once more at the next change.
        if let Err(fault) = write(&self.0.store, &unneeded).await {
            tracing::warn!(%fault, "what was taken out of the keyring could not be written down");
        }
    }

    /// Takes out of the keyring what no connection needs, `also` these. Tells why something may have stayed there.
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

    /// The same beside something else, where the keyring was seen to answer.
    pub(super) async fn remove_unneeded_beside(&self) {
        if self.0.read_only || self.state().entries.unneeded.is_empty() {
            return;
        }
        if let Some(fault) = self.remove_unneeded(&BTreeSet::new()).await {
            tracing::info!(%fault, "something that no connection needs may still be in the keyring");
        }
    }
}

async fn write(store: &Store, unneeded: &BTreeSet<String>) -> Result<(), StoreFault> {
    if unneeded.is_empty() {
        return store.remove_setting(UNNEEDED_ROW).await.map(drop);
    }
    store.set_setting(UNNEEDED_ROW, &json!(unneeded)).await
}

/// What the rows said is gone with them: also what a change wrote while everything was erased.
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
