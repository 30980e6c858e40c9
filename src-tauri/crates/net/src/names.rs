//! Names that came from outside, looked up so that only public addresses come of them. What is looked up is what is
//! connected to: a name whose answer changes between two questions (DNS rebinding) gains nothing.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use futures::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::addresses::is_public;

/// Looks a name up.
pub(crate) type Lookup =
    Arc<dyn Fn(String) -> BoxFuture<'static, std::io::Result<Vec<IpAddr>>> + Send + Sync>;

/// Names of the public internet and no others.
#[derive(Clone)]
pub(crate) struct PublicNames {
    lookup: Lookup,
    allowed: fn(IpAddr) -> bool,
}

/// No address of a name is public.
#[derive(Debug)]
pub(crate) struct NotPublic;

impl fmt::Display for NotPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is not on the public internet")
    }
}

impl std::error::Error for NotPublic {}

impl PublicNames {
    /// Names as the system looks them up.
    pub(crate) fn of_system() -> Self {
        Self {
            lookup: Arc::new(|name| Box::pin(async move { look_up(&name).await })),
            allowed: is_public,
        }
    }

    /// Other answers, and other addresses in the place of public ones: no test reaches the internet.
    #[cfg(test)]
    pub(crate) fn of(lookup: Lookup, allowed: fn(IpAddr) -> bool) -> Self {
        Self { lookup, allowed }
    }

    /// Whether an address may be connected to.
    pub(crate) fn allows(&self, address: IpAddr) -> bool {
        (self.allowed)(address)
    }

    /// The public addresses of a name.
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

/// The addresses of a name as the system knows them.
pub(crate) async fn look_up(name: &str) -> std::io::Result<Vec<IpAddr>> {
    let found = tokio::net::lookup_host((name, 0)).await?;
    Ok(found.map(|address| address.ip()).collect())
}

/// Whether a failure comes of an address that is not public.
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
