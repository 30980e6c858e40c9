//! Builds the models of a profile from its connections: the model that answers, the one only compared, and the
//! embedder.

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::model::{Embedder, ModelProfile, Purpose, Tier};
use adjutant_engine::stages::{Deadlines, ModelPreferences};
use adjutant_models::govern::GovernedEmbedder;
use adjutant_models::{Connection, Providers};

use super::locked::{self, KeyringState};
use super::vectors::{Makers, Missing};
use super::{Built, KeyRing, Models, shadow, stack, unavailable};

impl Models {
    /// Builds the models. If they need keys from the keyring, these are read when a model is first used.
    pub(super) fn build(&self) {
        let connections: Vec<Connection> =
            self.all().into_iter().map(|one| one.connection).collect();
        let read = if connections.iter().any(locked::is_locked) {
            KeyringState::Never
        } else {
            KeyringState::But(Vec::new())
        };
        self.assemble(connections, &KeyRing::of(self.known_keys()), read);
    }

    pub(super) fn assemble(
        &self,
        connections: Vec<Connection>,
        keys: &KeyRing,
        read: KeyringState,
    ) {
        let (net, settings, before) = {
            let state = self.state();
            let settings = state.settings.models.clone();
            (self.net(), settings, state.built.clone())
        };
        // At startup nothing was built before, and the history of earlier processes is still valid.
        for name in stack::changed(&before.connections, &connections) {
            self.0.shared.gauges.forget(name);
        }
        let (candidates, live) = shadow::split(connections.iter().cloned(), &settings.shadow);
        let usable = |all: &[Connection]| -> Vec<Connection> {
            let usable = |one: &&Connection| read != KeyringState::Never || !locked::is_locked(one);
            all.iter().filter(usable).cloned().collect()
        };
        let (providers, mut problems) =
            Providers::connect(&usable(&live), &net, keys, &before.live);
        let (candidate, more) =
            Providers::connect(&usable(&candidates), &net, keys, &before.candidate);
        problems.extend(more);
        let compared = stack::stack(&candidate, &settings, &self.0.shared);
        self.0
            .engine
            .set_shadow(shadow::shadow(compared, &settings, self.0.store.clone()));
        let model = stack::stack(&providers, &settings, &self.0.shared);
        // If the configured models are unusable, put a model in their place that reports why.
        let asked = model
            .clone()
            .or_else(|| unavailable::in_place(self.0.quick.problem(), &problems));
        let late = self.late(&live, &read, model.clone());
        let said = late.clone().or_else(|| asked.clone());
        self.0
            .engine
            .set_models(said.map(|chat| adjutant_engine::Models {
                chat,
                manner: manner(&settings),
            }));
        self.0.vectors.set(self.makers(&providers, &live));
        let mut state = self.state_mut();
        state.problems = problems;
        state.answering = model.or_else(|| late.filter(|_| read == KeyringState::Never));
        state.asked = asked;
        state.built = match read {
            // The quirks learned about the other models still apply.
            KeyringState::Never => Built {
                connections,
                ..before
            },
            KeyringState::But(_) => Built {
                connections,
                live: providers,
                candidate,
            },
        };
        state.read = read;
    }

    /// Uses this computer's own embedder for tools from now on: free, and nothing leaves the computer.
    pub(crate) fn make_vectors_here(&self, embedder: Arc<dyn Embedder>) {
        if self.0.local.set(embedder).is_ok() && self.state().answering.is_some() {
            self.0.vectors.set(self.local_makers());
        }
    }

    fn local_makers(&self) -> Option<Makers> {
        let embedder = self.0.local.get()?;
        Some(Makers {
            background: embedder.clone(),
            foreground: embedder.clone(),
        })
    }

    /// Returns the missing tool vectors and the price of the embedding model if this connection were added. `None` if
    /// this computer or another connection makes the vectors.
    pub(crate) async fn vectors_with(
        &self,
        connection: &Connection,
    ) -> Option<(ModelProfile, Missing)> {
        if self.0.local.get().is_some() {
            return None;
        }
        let shadow = self.state().settings.models.shadow.clone();
        let mut all = self.all();
        all.retain(|one| one.problem.is_none() || one.connection.name == connection.name);
        let mut all: Vec<Connection> = all.into_iter().map(|one| one.connection).collect();
        match all.iter_mut().find(|one| one.name == connection.name) {
            Some(one) => one.clone_from(connection),
            None => all.push(connection.clone()),
        }
        let (_, live) = shadow::split(all.into_iter(), &shadow);
        let first = live.iter().find(|one| one.embedding.is_some())?;
        if first.name != connection.name {
            return None;
        }
        let profile = maker(connection)?;
        let missing = self.0.vectors.missing(&profile.id).await;
        Some((profile, missing))
    }

    /// Returns the embedder for tools: this computer's own, or else the first connection with an embedding model, which
    /// costs money like any other request.
    fn makers(&self, providers: &Providers, live: &[Connection]) -> Option<Makers> {
        if !live.is_empty()
            && let Some(local) = self.local_makers()
        {
            return Some(local);
        }
        let embedder = providers.embedder()?;
        let id = embedder.id();
        let of = |one: &&Connection| {
            let model = one.embedding.as_ref();
            model.is_some_and(|model| format!("{}/{model}", one.name) == id)
        };
        let profile = maker(live.iter().find(of)?)?;
        let paid = |purpose| -> Arc<dyn Embedder> {
            Arc::new(GovernedEmbedder::new(
                embedder.clone(),
                profile.clone(),
                purpose,
                self.0.shared.costs.clone(),
            ))
        };
        Some(Makers {
            background: paid(Purpose::Background),
            foreground: paid(Purpose::Foreground),
        })
    }
}

/// Returns the profile of a connection's embedding model. Connections give no price for embeddings, so the cheapest
/// chat model's price is used, which is always higher.
fn maker(connection: &Connection) -> Option<ModelProfile> {
    let model = connection.embedding.as_ref()?;
    let price = connection.profile(Tier::Fast)?;
    Some(ModelProfile {
        id: format!("{}/{model}", connection.name),
        ..price
    })
}

fn manner(wanted: &adjutant_settings::Models) -> ModelPreferences {
    let whole = Duration::from_secs(u64::from(wanted.deadline_seconds));
    ModelPreferences {
        tone: wanted.tone.clone(),
        no_critique: !wanted.critique,
        deadlines: Deadlines::of_whole(whole),
    }
}
