//! Reads keys when a model is first used, not before: the embedded engine and mere display never touch the keyring. A
//! locked keyring asks the person and may not answer for a long time.

use std::collections::BTreeMap;
use std::sync::{Arc, MutexGuard, PoisonError, Weak};

use adjutant_domain::ids::TurnId;
use adjutant_domain::model::{
    ChatModel, ModelEvent, ModelFault, ModelProfile, ModelRequest, Tier, Usage,
};
use adjutant_models::Connection;
use futures::StreamExt as _;
use futures::stream::{self, BoxStream};
use tokio::task::JoinSet;

use super::quick::QUICK_KEY;
use super::{Inner, Models};

/// How much is known about the keys of the connections.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum KeyringState {
    /// The keys have not been read yet.
    #[default]
    Never,
    /// The keys have been read, except those with these names.
    But(Vec<String>),
}

impl KeyringState {
    fn all(&self) -> bool {
        matches!(self, Self::But(names) if names.is_empty())
    }
}

/// Tells whether a connection needs secrets from the keyring.
pub(super) fn is_locked(connection: &Connection) -> bool {
    connection.secrets().iter().any(|name| name != QUICK_KEY)
}

impl Models {
    /// Reads the keys that have not been read yet, if any, and rebuilds the models with them.
    pub(crate) async fn unlocked(&self) {
        let _alone = self.0.changing.lock().await;
        let before = self.state().read.clone();
        if before.all() {
            return;
        }
        let connections: Vec<Connection> =
            self.all().into_iter().map(|one| one.connection).collect();
        let keys = self.keys(&connections, &BTreeMap::new()).await;
        if keys.unread().is_empty() && connections.iter().any(is_locked) {
            self.remove_unneeded_beside().await;
        }
        // Rebuild only if more keys are available than before.
        if before != KeyringState::But(keys.unread()) {
            let read = KeyringState::But(keys.unread());
            self.assemble(connections, &keys, read);
        }
    }

    /// Returns a model that reads missing keys when used; `None` if no key is missing.
    pub(super) fn late(
        &self,
        live: &[Connection],
        read: &KeyringState,
        meanwhile: Option<Arc<dyn ChatModel>>,
    ) -> Option<Arc<dyn ChatModel>> {
        let unread = |one: &Connection| match read {
            KeyringState::Never => is_locked(one),
            KeyringState::But(names) => one.secrets().iter().any(|name| names.contains(name)),
        };
        if !live.iter().any(unread) {
            return None;
        }
        let first = live.first()?;
        let profile = first.profile(Tier::Standard)?;
        Some(Arc::new(LockedModel {
            room: Arc::downgrade(&self.0),
            at_once: meanwhile.clone().filter(|_| !unread(first)),
            profile: meanwhile.map_or(profile, |model| model.profile()),
        }))
    }

    /// Stops reading keys, so that closing the profile does not wait for the keyring.
    pub(super) fn end_unlocking(&self) {
        self.opening().abort_all();
    }

    /// Runs [`Self::unlocked`] in the background, at most once at a time.
    fn unlock_beside(&self) {
        let mut opening = self.opening();
        while opening.try_join_next().is_some() {}
        if opening.is_empty() {
            let room = self.clone();
            opening.spawn(async move { room.unlocked().await });
        }
    }

    fn opening(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.0
            .opening
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stands in for the models until their keys are read.
struct LockedModel {
    room: Weak<Inner>,
    /// Answers at once if the first model needs no key; the other keys are read meanwhile.
    at_once: Option<Arc<dyn ChatModel>>,
    profile: ModelProfile,
}

impl ChatModel for LockedModel {
    fn profile(&self) -> ModelProfile {
        self.profile.clone()
    }

    fn stream(
        &self,
        request: Arc<ModelRequest>,
    ) -> BoxStream<'static, Result<ModelEvent, ModelFault>> {
        let (room, at_once) = (self.room.upgrade().map(Models), self.at_once.clone());
        stream::once(async move {
            let Some(room) = room else {
                return stream::iter([Err(ModelFault::None)]).boxed();
            };
            let model = match at_once {
                Some(model) => {
                    room.unlock_beside();
                    Some(model)
                }
                None => {
                    room.unlocked().await;
                    room.state().asked.clone()
                }
            };
            match model {
                Some(model) => model.stream(request),
                None => stream::iter([Err(ModelFault::None)]).boxed(),
            }
        })
        .flatten()
        .boxed()
    }

    fn used_by(&self, turn: &TurnId) -> Option<Usage> {
        let room = self.room.upgrade()?;
        room.shared.costs.used_by(turn)
    }
}
