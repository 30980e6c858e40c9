//! A provider in memory that misbehaves on demand, and the contract that every provider's backend keeps.

mod rows;
pub mod scripted;
mod server;
pub mod suite;

pub use scripted::{ScriptedRemote, Trouble};
pub use server::Sent;
pub use suite::Rig;
