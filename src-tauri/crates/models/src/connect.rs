//! From what a person set up to models that can be asked.

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant_domain::model::{ChatModel, Embedder, ModelFault, Tier};
use adjutant_net::NetClient;

use crate::connection::{Connection, Keys};
use crate::embed::Vectors;
use crate::file;
use crate::providers::dialect;
use crate::wire::Dialect;
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
    Door::of(connection, net, keys)?.model(connection, tier)
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

/// The way into a connection.
enum Door {
    /// A server, and how to speak to it.
    Server(Box<Access>, Arc<dyn Dialect>),
    /// A file.
    File,
}

impl Door {
    fn of(connection: &Connection, net: &NetClient, keys: &dyn Keys) -> Result<Self, ModelFault> {
        match dialect(connection.kind) {
            Some(dialect) => {
                let access = Access::of(connection, net, keys)?;
                Ok(Self::Server(Box::new(access), dialect))
            }
            None => Ok(Self::File),
        }
    }

    fn model(&self, connection: &Connection, tier: Tier) -> Result<Arc<dyn ChatModel>, ModelFault> {
        let (Some(choice), Some(profile)) = (connection.choice(tier), connection.profile(tier))
        else {
            return Err(ModelFault::None);
        };
        match self {
            Self::Server(access, dialect) => {
                let id = choice.id.clone();
                let target = Target::new(
                    Access::clone(access),
                    connection,
                    profile,
                    id,
                    dialect.clone(),
                );
                Ok(Arc::new(ProviderModel(Arc::new(target))))
            }
            Self::File => file::open(connection, profile),
        }
    }
}

/// Everything that is connected, in the order the person prefers.
#[derive(Clone, Default)]
pub struct Providers {
    chains: BTreeMap<Tier, Vec<Arc<dyn ChatModel>>>,
    embedder: Option<Arc<dyn Embedder>>,
}

impl Providers {
    /// Connects all. What cannot be connected is left out and told, by its name, with the reason.
    #[must_use]
    pub fn connect(
        connections: &[Connection],
        net: &NetClient,
        keys: &dyn Keys,
    ) -> (Self, Vec<(String, ModelFault)>) {
        let mut providers = Self::default();
        let mut problems = Vec::new();
        for connection in connections {
            if let Err(fault) = providers.add(connection, net, keys) {
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
    ) -> Result<(), ModelFault> {
        let door = Door::of(connection, net, keys)?;
        for tier in Tier::ALL {
            let model = door.model(connection, tier)?;
            self.chains.entry(tier).or_default().push(model);
        }
        if self.embedder.is_none()
            && let Some(model) = &connection.embedding
            && let Door::Server(access, _) = door
        {
            self.embedder = Some(Arc::new(Vectors::new(connection, model, *access)));
        }
        Ok(())
    }

    /// The models of a tier, first choice first. Empty when nothing is connected.
    #[must_use]
    pub fn chain(&self, tier: Tier) -> &[Arc<dyn ChatModel>] {
        self.chains.get(&tier).map_or(&[], Vec::as_slice)
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
}
