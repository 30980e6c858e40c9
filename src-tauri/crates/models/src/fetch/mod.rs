//! Model files on demand: what there is, what a server says of a file, and fetching it.
//!
//! Nothing is fetched that was not offered first ([`offer`]): the person sees size, licence, host, and what the file can be
//! checked against, and agrees. [`load`] goes on where it stopped, checks the whole file, and only then gives it its name.
//! Sizes and checksums come from the server or the person, never from us: nobody here could know that they still hold.

mod catalogue;
mod fault;
mod load;
mod offer;
mod sum;
#[cfg(test)]
mod tests;

pub use catalogue::{Entry, Wanted, catalogue};
pub use fault::{FetchFault, size_text};
pub use load::{Loaded, load};
pub use offer::{Offer, offer};
pub use sum::{Sha256Sum, SumFrom, WrongSum};
