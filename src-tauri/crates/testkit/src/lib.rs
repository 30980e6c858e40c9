//! Test doubles: ports in memory and builders of records. The ports behave as the traits in `adjutant_domain::ports`
//! specify, without files, clocks or randomness.

mod fit;
pub mod make;
pub mod model;
pub mod name_server;
mod named;
pub mod ports;
pub mod records;
pub mod remote;
mod text;
pub mod world;

pub use model::{ScriptedAct, ScriptedModel};
pub use ports::{FixedClock, SeededEntropy};
pub use records::MemoryRecords;
pub use world::World;
