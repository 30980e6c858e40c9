//! A provider in memory that misbehaves on demand, and the contract that every provider's backend keeps.

mod rows;
pub mod scripted;
mod server;
pub mod suite;

pub use scripted::{ScriptedRemote, Trouble};
pub use server::Sent;
pub use suite::Rig;

use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::{Backends, RemoteCollection};

/// Every collection of an account whose families can all be listed.
///
/// # Errors
/// Why the first family that cannot be is not.
pub async fn listed(backends: &Backends) -> Result<Vec<RemoteCollection>, RemoteFault> {
    let listing = backends.list().await?;
    match listing.unlisted.into_iter().next() {
        Some((_, fault)) => Err(fault),
        None => Ok(listing.collections),
    }
}
