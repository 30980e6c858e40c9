//! Reads the secrets of connections from the keyring when needed.

use std::collections::BTreeMap;

use adjutant_models::{Connection, Key, Keys};
use secrecy::{ExposeSecret, SecretString};

use super::Models;
use super::quick::QUICK_KEY;

/// Secrets that were looked up, by name.
#[derive(Default)]
pub(crate) struct KeyRing(BTreeMap<String, Result<Option<Key>, String>>);

impl KeyRing {
    /// Creates a key ring from secrets that are already known.
    pub(crate) fn of(known: BTreeMap<String, Option<Key>>) -> Self {
        Self(
            known
                .into_iter()
                .map(|(name, key)| (name, Ok(key)))
                .collect(),
        )
    }

    /// Returns the names of secrets that could not be read.
    pub(crate) fn unread(&self) -> Vec<String> {
        let unread = self.0.iter().filter(|(_, key)| key.is_err());
        unread.map(|(name, _)| name.clone()).collect()
    }
}

impl Keys for KeyRing {
    fn key(&self, name: &str) -> Result<Option<Key>, String> {
        self.0.get(name).cloned().unwrap_or(Ok(None))
    }
}

impl Models {
    /// Returns the secrets of some connections from the keyring; those in `given` take precedence.
    pub(crate) async fn keys(
        &self,
        connections: &[Connection],
        given: &BTreeMap<String, SecretString>,
    ) -> KeyRing {
        let names = {
            let entries = &self.state().entries;
            let of = |connection: &Connection| {
                let mut entries = entries.of(connection);
                let named = |name: String| {
                    let entry = entries.remove(&name).map(|entry| entry.name);
                    (name, entry)
                };
                connection.secrets().into_iter().map(named).collect()
            };
            let names: Vec<Vec<_>> = connections.iter().map(of).collect();
            names.concat()
        };
        let mut known: BTreeMap<String, Option<Key>> = given
            .iter()
            .map(|(name, secret)| (name.clone(), Key::new(secret.expose_secret())))
            .collect();
        known.extend(self.known_keys());
        self.read_keys(names, known).await
    }

    /// Returns the keys that do not come from the keyring.
    pub(super) fn known_keys(&self) -> BTreeMap<String, Option<Key>> {
        let quick = self.0.quick.connection();
        let key = quick.map(|_| (QUICK_KEY.to_owned(), self.0.quick.key()));
        key.into_iter().collect()
    }

    /// Reads secrets by their names and entry names. Takes `known` ones without asking; those without an entry do not
    /// exist.
    async fn read_keys(
        &self,
        names: Vec<(String, Option<String>)>,
        known: BTreeMap<String, Option<Key>>,
    ) -> KeyRing {
        let mut ring = KeyRing::default();
        let mut silent: Option<String> = None;
        for (name, entry) in names {
            if ring.0.contains_key(&name) {
                continue;
            }
            let key = match (known.get(&name), entry, &silent) {
                (Some(known), ..) => Ok(known.clone()),
                (None, None, _) => Ok(None),
                // If the keyring failed once, do not wait for it again.
                (None, Some(_), Some(why)) => Err(why.clone()),
                (None, Some(entry), None) => self.credential(&entry).await,
            };
            if let Err(why) = &key {
                silent = Some(why.clone());
            }
            ring.0.insert(name, key);
        }
        ring
    }

    async fn credential(&self, entry: &str) -> Result<Option<Key>, String> {
        let found = self.0.credentials.get(entry).await?;
        Ok(found.and_then(|secret| Key::new(secret.expose_secret())))
    }
}
