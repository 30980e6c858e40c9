//! Which tools and which specialist a model sees: only those that fit the message. An index over names, descriptions
//! and phrases, vectors beside it where there are some, and a page that stays under its budget however many tools
//! connected servers bring.

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
