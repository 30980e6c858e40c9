//! Helpers shared by the tests of this crate.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::sync::Arc;

use adjutant_domain::ports::{Clock, EgressLog, Exchange};
use adjutant_net::{NetClient, NetSettings, ProxyChoice};
use adjutant_web::{EngineKind, Keys};
use async_trait::async_trait;
use jiff::Zoned;
use secrecy::SecretString;

/// A clock that stands still.
pub struct FixedClock;

impl Clock for FixedClock {
    fn now(&self) -> Zoned {
        "2026-03-02T12:00:00Z[UTC]".parse().expect("an instant")
    }
}

/// A key store with the same key for every engine.
pub struct OneKey(pub Option<&'static str>);

#[async_trait]
impl Keys for OneKey {
    async fn key(&self, _: EngineKind) -> Result<Option<SecretString>, String> {
        Ok(self.0.map(SecretString::from))
    }
}

struct NoLog;

impl EgressLog for NoLog {
    fn note(&self, _: Exchange) {}
}

/// Creates a network client without a proxy.
pub fn net() -> NetClient {
    let settings = NetSettings {
        proxy: ProxyChoice::None,
        ..NetSettings::default()
    };
    NetClient::new(settings, Arc::new(NoLog))
}
