//! Turns what the person has set up into models that can be asked.

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant_domain::model::{ChatModel, Embedder, ModelFault, Tier, TimeLimits};
use adjutant_net::NetClient;

use crate::choice::ModelChoice;
use crate::connection::{Connection, Keys};
use crate::embed::Vectors;
use crate::file;
use crate::providers::dialect;
use crate::wire::Dialect;
use crate::wire::call::ProviderModel;
use crate::wire::target::{Access, Target};

/// Returns the model of a connection that serves a tier. Sends nothing.
///
/// # Errors
/// When the key is missing, a header cannot be sent, or the connection names no model.
pub fn connect(
    connection: &Connection,
    tier: Tier,
    net: &NetClient,
    keys: &dyn Keys,
) -> Result<Arc<dyn ChatModel>, ModelFault> {
    Door::of(connection, net, keys)?
        .model(connection, tier)
        .map(|model| model.chat)
}

/// Returns the embedding model of a connection, or `None` if it has none.
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

/// A model of a connection, and its target if it is on a server.
struct Model {
    chat: Arc<dyn ChatModel>,
    /// The target, if the model is on a server. What it has learned there is passed on to its successor.
    target: Option<Arc<Target>>,
}

/// How a connection is reached.
enum Door {
    /// A server, and the dialect it speaks.
    Server(Box<Access>, Arc<dyn Dialect>),
    /// A model file.
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

    fn model(&self, connection: &Connection, tier: Tier) -> Result<Model, ModelFault> {
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
                let target = Arc::new(target);
                Ok(Model {
                    chat: Arc::new(ProviderModel(Arc::clone(&target))),
                    target: Some(target),
                })
            }
            Self::File => Ok(Model {
                chat: file::open(connection, profile)?,
                target: None,
            }),
        }
    }
}

/// Everything that is connected, in the person's order of preference. A model exists once, whichever tiers it serves.
#[derive(Clone, Default)]
pub struct Providers {
    chains: BTreeMap<Tier, Vec<Arc<dyn ChatModel>>>,
    targets: Vec<(Connection, ModelChoice, Arc<Target>)>,
    /// The person's time limits, by name of the connection.
    limits: BTreeMap<String, TimeLimits>,
    embedder: Option<Arc<dyn Embedder>>,
}

impl Providers {
    /// Connects all connections. Returns those that fail by name, with the reason. `before` is what was connected
    /// until now: if a model's connection and choice are unchanged, what was learned about its missing features is
    /// kept.
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
        let door = Door::of(connection, net, keys)?;
        let limits = connection.own_limits();
        self.limits.insert(connection.name.clone(), limits);
        let mut made: Vec<(&ModelChoice, Arc<dyn ChatModel>)> = Vec::new();
        for tier in Tier::ALL {
            let choice = connection.choice(tier).ok_or(ModelFault::None)?;
            let same = made.iter().find(|(other, _)| *other == choice);
            let one = match same {
                Some((_, model)) => Arc::clone(model),
                None => {
                    let Model { chat, target } = door.model(connection, tier)?;
                    if let Some(target) = target {
                        if let Some(known) = before.target(connection, choice) {
                            target.learn_from(known);
                        }
                        self.targets
                            .push((connection.clone(), choice.clone(), target));
                    }
                    made.push((choice, Arc::clone(&chat)));
                    chat
                }
            };
            self.chains.entry(tier).or_default().push(one);
        }
        if self.embedder.is_none()
            && let Some(model) = &connection.embedding
            && let Door::Server(access, _) = door
        {
            self.embedder = Some(Arc::new(Vectors::new(connection, model, *access)));
        }
        Ok(())
    }

    /// Returns the models of a tier, first choice first. Empty if nothing is connected.
    #[must_use]
    pub fn chain(&self, tier: Tier) -> &[Arc<dyn ChatModel>] {
        self.chains.get(&tier).map_or(&[], Vec::as_slice)
    }

    /// Returns the person's time limits for a model, by its identifier; limits that the connection does not set are
    /// `None`.
    #[must_use]
    pub fn own_limits(&self, id: &str) -> TimeLimits {
        // Names of connections contain no slash.
        let connection = id.split_once('/').map_or(id, |(connection, _)| connection);
        self.limits.get(connection).copied().unwrap_or_default()
    }

    /// Returns the embedding model of the first connection that has one.
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

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Duration;

    use adjutant_domain::ports::{EgressLog, Exchange};
    use adjutant_net::NetSettings;

    use super::*;
    use crate::connection::Key;

    #[derive(Default)]
    struct Noted(Mutex<Vec<Exchange>>);

    impl EgressLog for Noted {
        fn note(&self, exchange: Exchange) {
            self.0.lock().expect("the record").push(exchange);
        }
    }

    #[test]
    fn what_the_person_said_of_how_long_to_wait_holds_for_servers_and_for_files() {
        let noted = Arc::new(Noted::default());
        let net = NetClient::new(NetSettings::default(), noted.clone());
        let mut server = Connection::quick("http://127.0.0.1:1", "maker/model", None).unwrap();
        server.first_piece_seconds = Some(600);
        let mut file = server.clone();
        file.name = "own".into();
        file.kind = crate::ProviderKind::File;
        file.between_pieces_seconds = Some(90);
        let keys: BTreeMap<String, Key> = BTreeMap::new();
        let both = [server, file];
        let (providers, _) = Providers::connect(&both, &net, &keys, &Providers::default());
        let said = |id: &str| {
            let limits = providers.own_limits(id);
            (limits.begin, limits.between)
        };
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(said("quick/maker/model"), (seconds(600), None));
        assert_eq!(said("own/maker/model"), (seconds(600), seconds(90)));
        assert_eq!(said("other/maker/model"), (None, None));
        assert!(noted.0.lock().expect("the record").is_empty());
    }
}
