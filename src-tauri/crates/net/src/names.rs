//! Resolves host names from outside to public addresses only. The connection uses exactly the addresses that were
//! checked, so that a name whose answer changes between two queries (DNS rebinding) gains nothing.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use futures::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::addresses::is_public;

/// Function that resolves a host name.
pub(crate) type Lookup =
    Arc<dyn Fn(String) -> BoxFuture<'static, std::io::Result<Vec<IpAddr>>> + Send + Sync>;

/// Resolver that returns only addresses on the public internet.
#[derive(Clone)]
pub(crate) struct PublicNames {
    lookup: Lookup,
    allowed: fn(IpAddr) -> bool,
}

/// Error: none of the addresses is public.
#[derive(Debug)]
pub(crate) struct NotPublic;

impl fmt::Display for NotPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is not on the public internet")
    }
}

impl std::error::Error for NotPublic {}

impl PublicNames {
    /// Creates a resolver that asks the system.
    pub(crate) fn of_system() -> Self {
        Self {
            lookup: Arc::new(|name| Box::pin(async move { look_up(&name).await })),
            allowed: is_public,
        }
    }

    /// Creates a resolver with other answers and another notion of public addresses, for tests, none of which reaches
    /// the internet.
    #[cfg(test)]
    pub(crate) fn of(lookup: Lookup, allowed: fn(IpAddr) -> bool) -> Self {
        Self { lookup, allowed }
    }

    /// Returns whether an address may be connected to.
    pub(crate) fn allows(&self, address: IpAddr) -> bool {
        (self.allowed)(address)
    }

    /// Returns the public addresses of a name, or [`NotPublic`] if it has none.
    pub(crate) async fn addresses(
        &self,
        name: &str,
    ) -> Result<Vec<IpAddr>, Box<dyn std::error::Error + Send + Sync>> {
        let mut found = (self.lookup)(name.to_owned()).await?;
        found.retain(|address| self.allows(*address));
        if found.is_empty() {
            return Err(Box::new(NotPublic));
        }
        Ok(found)
    }
}

impl Resolve for PublicNames {
    fn resolve(&self, name: Name) -> Resolving {
        let names = self.clone();
        Box::pin(async move {
            let found = names.addresses(name.as_str()).await?;
            let addresses: Addrs = Box::new(
                found
                    .into_iter()
                    .map(|address| SocketAddr::from((address, 0))),
            );
            Ok(addresses)
        })
    }
}

/// Resolves a name with the system's resolver.
pub(crate) async fn look_up(name: &str) -> std::io::Result<Vec<IpAddr>> {
    let found = tokio::net::lookup_host((name, 0)).await?;
    Ok(found.map(|address| address.ip()).collect())
}

/// Returns whether an error was caused by [`NotPublic`].
pub(crate) fn is_not_public(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if error.is::<NotPublic>() {
            return true;
        }
        cause = error.source();
    }
    false
}
