//! Model files on demand: lists the known ones, asks a server about a file, and fetches it.
//!
//! Nothing is fetched that was not offered first ([`offer`]): the person sees size, licence, host, and what the file
//! can be checked against, and agrees. [`load`] continues where it stopped, checks the whole file, and only then
//! gives it its final name. Sizes and checksums come from the server or the person and are never built in, where they
//! could be out of date.

mod catalogue;
mod fault;
mod load;
mod offer;
mod sum;
#[cfg(test)]
mod tests;

pub use catalogue::{Download, Entry, catalogue};
pub use fault::{FetchFault, size_text};
pub use load::{Loaded, load};
pub use offer::{Offer, offer};
pub use sum::{Sha256Sum, SumFrom, WrongSum};
