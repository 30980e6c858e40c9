//! Changing what is connected: one change after the other, kept in the profile, in force at once.

use std::collections::BTreeMap;

use adjutant_domain::faults::StoreFault;
use adjutant_domain::ports::SecretFault;
use adjutant_models::Connection;
use adjutant_settings::All;
use secrecy::{ExposeSecret, SecretString};

use super::{CONNECTIONS_MAX, ModelRoom, kept};

impl ModelRoom {
    /// Keeps a connection, new or in the place of the one of its name. `key`: a new one, an empty one to forget it, or
    /// none to leave the one the connection names. `given`: what else of it is new and secret, by the name it is kept under. Tells what may
    /// have stayed in the keyring although it is not needed any more.
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
        let (known, needed) = (secrets_of(before.as_ref()), connection.secrets());
        self.0.vault.keep(given, &known).await?;
        let mut connections = self.state().connections.clone();
        match place {
            Some(n) => connections[n] = connection,
            None => connections.push(connection),
        }
        self.keep(connections).await?;
        let stale = known.into_iter().filter(|name| !needed.contains(name));
        Ok(self.0.vault.forget(stale.collect()).await)
    }

    /// Takes a connection away, then what is secret of it: a keyring that is not there does not hold it up. Tells when
    /// something may have stayed there.
    pub(crate) async fn disconnect(&self, name: &str) -> Result<Option<SecretFault>, NotKept> {
        let _alone = self.0.changing.lock().await;
        let Some(n) = self.place(name) else {
            return Ok(None);
        };
        let mut connections = self.state().connections.clone();
        let gone = connections.remove(n);
        self.keep(connections).await?;
        Ok(self.0.vault.forget(gone.secrets()).await)
    }

    /// Everything of the profile was erased: its connections are gone, and what is secret of them goes too.
    pub(crate) async fn erased(&self, settings: All) -> Option<SecretFault> {
        let names = {
            let _alone = self.0.changing.lock().await;
            let gone = std::mem::take(&mut self.state_mut().connections);
            self.build();
            self.0.vectors.erase();
            gone.iter().flat_map(Connection::secrets).collect()
        };
        self.set_settings(settings).await;
        self.0.vault.forget(names).await
    }

    /// Tries a connection before all others. `false` when there is none of that name.
    pub(crate) async fn prefer(&self, name: &str) -> Result<bool, NotKept> {
        let _alone = self.0.changing.lock().await;
        let Some(n) = self.place(name) else {
            return Ok(false);
        };
        let mut connections = self.state().connections.clone();
        connections[..=n].rotate_right(1);
        self.keep(connections).await?;
        Ok(true)
    }

    /// What a test learned about the connection it `tested`. Of one that was changed or taken away meanwhile it says nothing.
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
        self.keep(connections).await
    }

    async fn keep(&self, connections: Vec<Connection>) -> Result<(), NotKept> {
        kept::write(&self.0.store, &connections).await?;
        self.state_mut().connections = connections;
        self.build();
        Ok(())
    }

    fn place(&self, name: &str) -> Option<usize> {
        let state = self.state();
        state.connections.iter().position(|one| one.name == name)
    }
}

/// Why a change of the connections was not kept.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotKept {
    /// The key.
    #[error(transparent)]
    Key(#[from] SecretFault),
    /// The connection.
    #[error(transparent)]
    Store(#[from] StoreFault),
    /// There are [`CONNECTIONS_MAX`] already.
    #[error("there are {CONNECTIONS_MAX} connections already")]
    TooMany,
}

fn secrets_of(connection: Option<&Connection>) -> Vec<String> {
    connection.map(Connection::secrets).unwrap_or_default()
}
