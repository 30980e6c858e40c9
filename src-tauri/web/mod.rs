//! The search engines, web pages and local documents of a profile.

mod documents;
mod keys;

use std::sync::Arc;

use adjutant_domain::ports::Clock;
use adjutant_settings::All;
use adjutant_store::Store;
use adjutant_web::own::OwnPages;
use adjutant_web::{EngineKind, Parts, SearchTools, Settings, Web};

use crate::credentials::CredentialStore;
use crate::network::Network;

pub(crate) use documents::DocumentReader;
pub(crate) use keys::EngineKeys;

/// The sources a profile can search.
#[derive(Clone)]
pub(crate) struct Sources {
    /// Engines and pages.
    pub(crate) web: Arc<Web>,
    /// Documents, notes, mail and memory.
    pub(crate) own: OwnPages,
    /// Keys of search engines.
    pub(crate) keys: Arc<EngineKeys>,
}

impl Sources {
    /// Creates the sources from the settings.
    pub(crate) fn new(
        store: Arc<Store>,
        network: Arc<Network>,
        credentials: Arc<CredentialStore>,
        clock: Arc<dyn Clock>,
        (all, tools): (&All, Arc<dyn SearchTools>),
    ) -> Self {
        let own = OwnPages::new(store.clone(), store, clock.clone());
        let keys = Arc::new(EngineKeys::new(credentials));
        keys.set_endpoint(&all.web.search.endpoint);
        let parts = Parts {
            net: Arc::new(move || network.client()),
            clock,
            keys: keys.clone(),
            own: own.clone(),
            tools,
        };
        Self {
            web: Arc::new(Web::new(parts, settings(all))),
            own,
            keys,
        }
    }

    /// Applies changed settings.
    pub(crate) fn set_settings(&self, all: &All) {
        self.keys.set_endpoint(&all.web.search.endpoint);
        self.web.set_settings(settings(all));
    }
}

fn settings(all: &All) -> Settings {
    let mut engines = EngineKind::ALL.into_iter();
    Settings {
        engine: engines.find(|one| one.word() == all.web.search.engine),
        searxng_url: all.web.searxng.url.clone(),
        endpoint: all.web.search.endpoint.clone(),
        tool: all.web.search.tool.clone(),
        language: all.web.wikipedia.language.clone(),
        allow_hosts: all.web.allow_hosts.clone(),
        folders: all.core.folders.clone(),
    }
}
