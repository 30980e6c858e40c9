//! A provider in memory that misbehaves on demand, and the contract tests for every provider's backend.

mod rows;
pub mod scripted;
mod server;
pub mod suite;

pub use scripted::{ScriptedRemote, Trouble};
pub use server::Sent;
pub use suite::Rig;

use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::{Backends, RemoteCollection};

/// Returns every collection of an account.
///
/// # Errors
///
/// Returns the fault of the first family that cannot be listed.
pub async fn listed(backends: &Backends) -> Result<Vec<RemoteCollection>, RemoteFault> {
    let listing = backends.list().await?;
    match listing.unlisted.into_iter().next() {
        Some((_, fault)) => Err(fault),
        None => Ok(listing.collections),
    }
}
