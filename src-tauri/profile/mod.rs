//! Profiles on disk: where they are, who holds one, and the options for opening one.

mod lock;
mod options;
pub mod place;

pub use lock::{Hold, hold};
pub use options::Options;
pub use place::{ProfileLocation, ProfileLocationFault};
