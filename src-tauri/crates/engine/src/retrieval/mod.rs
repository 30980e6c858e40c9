//! Selects the tools and the specialist that fit a message. It uses an index over names, descriptions and phrases,
//! vectors where available, and a page that stays within its budget however many tools the connected servers bring.

pub(crate) mod contested;
mod index;
mod near;
mod page;
mod select;
mod signature;
mod specialist;
mod usage;
mod words;

pub(crate) use near::{Meant, Near, Rows};
pub use page::ToolPage;
pub use select::{Retriever, Selection, ToolVectors, query};
pub use specialist::specialist;
pub use usage::{Habits, TURNS_MAX, tool_use};

#[cfg(test)]
mod tests;
