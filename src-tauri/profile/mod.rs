//! Profiles on disk: where they lie, who holds one, and the socket on which the holder serves the others.

mod lock;
pub mod place;
pub mod socket;

pub use lock::{Hold, hold};
pub use place::{Place, PlaceFault};
