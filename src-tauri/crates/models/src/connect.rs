//! From what a person set up to models that can be asked.

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant_domain::model::{ChatModel, Embedder, ModelFault, Tier, TimeLimits};
use adjutant_net::NetClient;

use crate::connection::{Connection, Keys, ModelChoice};
use crate::embed::Vectors;
use crate::providers::dialect;
use crate::wire::call::ProviderModel;
use crate::wire::target::{Access, Target};

/// The model of a connection that serves a tier. Nothing is sent yet.
///
/// # Errors
/// When the key is missing, a header cannot be sent, or the connection names no model.
pub fn connect(
    connection: &Connection,
    tier: Tier,
    net: &NetClient,
    keys: &dyn Keys,
) -> Result<Arc<dyn ChatModel>, ModelFault> {
    let access = Access::of(connection, net, keys)?;
    Ok(model(connection, tier, access)?)
}

/// The model of a connection that makes vectors, if it has one.
///
/// # Errors
/// When the key is missing or a header cannot be sent.
pub fn embedder(
    connection: &Connection,
    net: &NetClient,
    keys: &dyn Keys,
) -> Result<Option<Arc<dyn Embedder>>, ModelFault> {
    let Some(model) = &connection.embedding else {
        return Ok(None);
    };
    let access = Access::of(connection, net, keys)?;
    Ok(Some(Arc::new(Vectors::new(connection, model, access))))
}

fn model(
    connection: &Connection,
    tier: Tier,
    access: Access,
) -> Result<Arc<ProviderModel>, ModelFault> {
    let (Some(choice), Some(profile)) = (connection.choice(tier), connection.profile(tier)) else {
        return Err(ModelFault::None);
    };
    let target = Target::new(
        access,
        connection,
        profile,
        choice.id.clone(),
        dialect(connection.kind),
    );
    Ok(Arc::new(ProviderModel(Arc::new(target))))
}

/// Everything that is connected, in the order the person prefers. A model is there once, whichever tiers it serves.
#[derive(Clone, Default)]
pub struct Providers {
    chains: BTreeMap<Tier, Vec<Arc<dyn ChatModel>>>,
    targets: Vec<(Connection, ModelChoice, Arc<Target>)>,
    embedder: Option<Arc<dyn Embedder>>,
}

impl Providers {
    /// Connects all. What cannot be connected is left out and told, by its name, with the reason. `before` was connected
    /// until now: what its models turned out not to take is still known of those whose connection is the same.
    #[must_use]
    pub fn connect(
        connections: &[Connection],
        net: &NetClient,
        keys: &dyn Keys,
        before: &Self,
    ) -> (Self, Vec<(String, ModelFault)>) {
        let mut providers = Self::default();
        let mut problems = Vec::new();
        for connection in connections {
            if let Err(fault) = providers.add(connection, net, keys, before) {
                problems.push((connection.name.clone(), fault));
            }
        }
        (providers, problems)
    }

    fn add(
        &mut self,
        connection: &Connection,
        net: &NetClient,
        keys: &dyn Keys,
        before: &Self,
    ) -> Result<(), ModelFault> {
        let access = Access::of(connection, net, keys)?;
        let mut made: Vec<(&ModelChoice, Arc<ProviderModel>)> = Vec::new();
        for tier in Tier::ALL {
            let choice = connection.choice(tier).ok_or(ModelFault::None)?;
            let same = made.iter().find(|(other, _)| *other == choice);
            let one = match same {
                Some((_, model)) => Arc::clone(model),
                None => {
                    let model = model(connection, tier, access.clone())?;
                    if let Some(known) = before.target(connection, choice) {
                        model.0.learn_from(known);
                    }
                    made.push((choice, Arc::clone(&model)));
                    let target = Arc::clone(&model.0);
                    self.targets
                        .push((connection.clone(), choice.clone(), target));
                    model
                }
            };
            self.chains.entry(tier).or_default().push(one);
        }
        if self.embedder.is_none()
            && let Some(model) = &connection.embedding
        {
            self.embedder = Some(Arc::new(Vectors::new(connection, model, access)));
        }
        Ok(())
    }

    /// The models of a tier, first choice first. Empty when nothing is connected.
    #[must_use]
    pub fn chain(&self, tier: Tier) -> &[Arc<dyn ChatModel>] {
        self.chains.get(&tier).map_or(&[], Vec::as_slice)
    }

    /// How long the person said to wait for a model, by its identifier, where its connection says so.
    #[must_use]
    pub fn own_limits(&self, id: &str) -> TimeLimits {
        let found = self.targets.iter().find(|(.., target)| target.id() == id);
        found.map_or_else(TimeLimits::default, |(connection, ..)| {
            connection.own_limits()
        })
    }

    /// What makes vectors: the first connection that has a model for it.
    #[must_use]
    pub fn embedder(&self) -> Option<Arc<dyn Embedder>> {
        self.embedder.clone()
    }

    /// Whether nothing is connected.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.chains.is_empty()
    }

    fn target(&self, connection: &Connection, choice: &ModelChoice) -> Option<&Target> {
        let same = |(of, with, _): &&(Connection, ModelChoice, Arc<Target>)| {
            of == connection && with == choice
        };
        self.targets.iter().find(same).map(|(.., target)| &**target)
    }
}
