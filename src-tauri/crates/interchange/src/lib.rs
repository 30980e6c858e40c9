//! Import and export. Readers turn files into records one by one; an item that cannot be read is refused by name,
//! with a reason, and never stops the rest. Nothing here writes to a profile. [`revise`] applies changes to what was
//! read from a server, so that it can be written back.

mod names;
pub mod page;
pub mod read;
pub mod revise;
pub mod write;

pub use read::{
    Carried, Format, Incoming, Item, Items, Method, Refused, Seed, Unreadable, Why, carried, open,
};
