//! A profile's network access: one client for all requests, built from the settings, and the egress ledger.

mod egress;

use std::sync::{Arc, PoisonError, RwLock};

use adjutant_domain::ports::Clock;
use adjutant_net::{NetClient, NetSettings, ProxyChoice, read_certificates};
use adjutant_store::Store;

/// Network access of a profile.
pub(crate) struct Network {
    offline: bool,
    egress: Arc<egress::Ledger>,
    state: RwLock<State>,
}

struct State {
    settings: adjutant_settings::Network,
    client: NetClient,
}

impl Network {
    /// Creates the network access. With `offline`, only loopback can be reached. Egress is recorded in `store`.
    pub(crate) fn new(
        store: Arc<Store>,
        clock: Arc<dyn Clock>,
        offline: bool,
        settings: adjutant_settings::Network,
    ) -> Self {
        let egress = Arc::new(egress::Ledger::new(store, clock));
        let client = client(&egress, offline, &settings);
        Self {
            offline,
            egress,
            state: RwLock::new(State { settings, client }),
        }
    }

    /// Whether only this computer may be reached.
    pub(crate) fn is_offline(&self) -> bool {
        self.offline
    }

    /// Returns a client with the current settings.
    pub(crate) fn client(&self) -> NetClient {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        state.client.clone()
    }

    /// Applies changed settings: later calls of [`Network::client`] return a client that uses them.
    pub(crate) fn set_settings(&self, settings: &adjutant_settings::Network) {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        if state.settings != *settings {
            state.client = client(&self.egress, self.offline, settings);
            state.settings = settings.clone();
        }
    }

    /// Waits until the egress of finished exchanges is recorded, for a bounded time.
    pub(crate) async fn settled(&self) {
        self.egress.settled().await;
    }
}

fn client(
    log: &Arc<egress::Ledger>,
    offline: bool,
    settings: &adjutant_settings::Network,
) -> NetClient {
    let proxy = ProxyChoice::parse(&settings.proxy, &settings.no_proxy).unwrap_or_else(|wrong| {
        tracing::warn!(%wrong, "the proxy of the settings is passed over");
        ProxyChoice::default()
    });
    let roots = read_certificates(&settings.certificates).unwrap_or_else(|wrong| {
        tracing::warn!(%wrong, "the certificates of the settings are passed over");
        Vec::new()
    });
    let settings = NetSettings {
        offline,
        proxy,
        roots,
    };
    NetClient::new(settings, log.clone())
}
