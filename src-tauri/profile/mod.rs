//! Profiles on disk: where they lie, who holds one, and how one is opened.

mod lock;
mod options;
pub mod place;

pub use lock::{Hold, hold};
pub use options::Options;
pub use place::{Place, PlaceFault};
