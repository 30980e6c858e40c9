//! Import and export. Readers turn files into records one by one; what cannot be read is refused by name, with a
//! reason, and never stops the rest. Nothing here writes to a profile. What was read from a server is written back with
//! changes by [`revise`].

mod names;
pub mod page;
pub mod read;
pub mod revise;
pub mod write;

pub use read::{Format, Incoming, Item, Items, Refused, Seed, Unreadable, Why, open};
