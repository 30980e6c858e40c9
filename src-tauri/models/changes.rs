//! Changes connections, one change at a time. Stores each in the profile and applies it at once.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_domain::faults::StoreFault;
use adjutant_domain::ports::SecretFault;
use adjutant_models::Connection;
use adjutant_settings::All;
use secrecy::{ExposeSecret, SecretString};

use super::keyring_entries::{self, KeyringEntries};
use super::{CONNECTIONS_MAX, Models, stored};
use crate::credentials::NotSet;

impl Models {
    /// Stores a connection, new or replacing the one with the same name. `key` is a new key, an empty one to delete the
    /// key, or `None` to keep the current one. `given` holds other new secrets under the names that the connection
    /// uses. Returns why unneeded secrets may remain in the keyring.
    pub(crate) async fn connect(
        &self,
        mut connection: Connection,
        key: Option<SecretString>,
        mut given: BTreeMap<String, SecretString>,
    ) -> Result<Option<SecretFault>, NotKept> {
        let _alone = self.0.changing.lock().await;
        let place = self.place(&connection.name);
        if place.is_none() && self.state().connections.len() >= CONNECTIONS_MAX {
            return Err(NotKept::TooMany);
        }
        let before = place.map(|n| self.state().connections[n].clone());
        connection.key = match key {
            Some(key) if key.expose_secret().trim().is_empty() => None,
            Some(key) => {
                let name = Connection::key_name(&connection.name);
                given.insert(name.clone(), key);
                Some(name)
            }
            None => connection.key,
        };
        // Secrets given for another address are not included, so they are never sent to this one.
        let (mut needed, mut new) = (self.state().entries.of(&connection), BTreeMap::new());
        for name in connection.secrets() {
            if let Some(secret) = given.remove(&name) {
                let entry = self.state_mut().entries.make(&connection, &name);
                new.insert(entry.name.clone(), secret);
                needed.insert(name, entry);
            }
        }
        let (entries, stale) = self.state().entries.changed(before.as_ref(), needed);
        let made: BTreeSet<String> = new.keys().cloned().collect();
        self.note_unneeded(&made | &stale).await?;
        let set = tokio::select! {
            set = self.0.credentials.keep(new) => set,
            // A locked keyring may take forever. Entries it still stores afterwards are already recorded as unneeded.
            () = self.0.stop.cancelled() => return Err(SecretFault::NoKeyring.into()),
        };
        if let Err(NotSet { fault, set }) = set {
            self.clear_unneeded(&(&made - &set)).await;
            self.give_back(&set).await;
            return Err(fault.into());
        }
        let mut connections = self.state().connections.clone();
        match place {
            Some(n) => connections[n] = connection,
            None => connections.push(connection),
        }
        if let Err(fault) = self.keep(connections, Some(entries)).await {
            self.give_back(&made).await;
            return Err(fault);
        }
        if made.is_empty() && stale.is_empty() {
            return Ok(None);
        }
        let stayed = self.remove_unneeded(&stale).await;
        Ok(stayed.filter(|_| !stale.is_empty()))
    }

    /// Removes a connection, then its secrets. An unavailable keyring does not prevent this. Returns why secrets may
    /// remain.
    pub(crate) async fn disconnect(&self, name: &str) -> Result<Option<SecretFault>, NotKept> {
        let _alone = self.0.changing.lock().await;
        let Some(n) = self.place(name) else {
            return Ok(None);
        };
        let mut connections = self.state().connections.clone();
        let gone = connections.remove(n);
        let none = BTreeMap::new();
        let (entries, stale) = self.state().entries.changed(Some(&gone), none);
        self.note_unneeded(stale.clone()).await?;
        self.keep(connections, Some(entries)).await?;
        if stale.is_empty() {
            return Ok(None);
        }
        Ok(self.remove_unneeded(&stale).await)
    }

    /// Drops all connections after the profile was erased, and deletes their secrets.
    pub(crate) async fn erased(&self, settings: All) -> Option<SecretFault> {
        let names = {
            let _alone = self.0.changing.lock().await;
            let names = {
                let mut state = self.state_mut();
                state.connections.clear();
                state.entries.end()
            };
            // A change in progress may have written the rows once more.
            let rows = stored::erase(&self.0.store).await;
            if let Err(fault) = rows.and(keyring_entries::erase_row(&self.0.store).await) {
                tracing::warn!(%fault, "connections from erased settings may have come back");
            }
            self.build();
            self.0.vectors.erase();
            names
        };
        self.set_settings(settings).await;
        let fault = self
            .0
            .credentials
            .forget(names.iter().cloned().collect())
            .await;
        if fault.is_none() {
            let _alone = self.0.changing.lock().await;
            self.clear_unneeded(&names).await;
        }
        fault
    }

    /// Deletes the keyring entries that a failed change created.
    async fn give_back(&self, made: &BTreeSet<String>) {
        if !made.is_empty()
            && let Some(fault) = self.remove_unneeded(made).await
        {
            tracing::warn!(%fault, "a keyring entry that no connection needs may still exist");
        }
    }

    /// Moves a connection to the front. Returns `false` if there is none with that name.
    pub(crate) async fn prefer(&self, name: &str) -> Result<bool, NotKept> {
        let _alone = self.0.changing.lock().await;
        let Some(n) = self.place(name) else {
            return Ok(false);
        };
        let mut connections = self.state().connections.clone();
        connections[..=n].rotate_right(1);
        self.keep(connections, None).await?;
        Ok(true)
    }

    /// Stores what a test learned about the connection `tested`, unless that was changed or removed in the meantime.
    pub(crate) async fn learn(
        &self,
        tested: &Connection,
        learned: Connection,
    ) -> Result<(), NotKept> {
        let _alone = self.0.changing.lock().await;
        let mut connections = self.state().connections.clone();
        let same = connections.iter_mut().find(|one| *one == tested);
        let Some(one) = same.filter(|_| *tested != learned) else {
            return Ok(());
        };
        *one = learned;
        self.keep(connections, None).await
    }

    /// Stores the connections and, if given, their keyring entries. They take effect at this point.
    async fn keep(
        &self,
        connections: Vec<Connection>,
        entries: Option<KeyringEntries>,
    ) -> Result<(), NotKept> {
        let entries = entries.unwrap_or_else(|| self.state().entries.clone());
        stored::write(&self.0.store, &connections, &entries).await?;
        {
            let mut state = self.state_mut();
            state.connections = connections;
            state.entries.take(entries);
        }
        self.build();
        Ok(())
    }

    fn place(&self, name: &str) -> Option<usize> {
        let state = self.state();
        state.connections.iter().position(|one| one.name == name)
    }
}

/// Why a change of the connections was not stored.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotKept {
    /// The keyring failed.
    #[error(transparent)]
    Key(#[from] SecretFault),
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreFault),
    /// There are already [`CONNECTIONS_MAX`] connections.
    #[error("you already have {CONNECTIONS_MAX} connections, the maximum")]
    TooMany,
}
