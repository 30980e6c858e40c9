//! Answers questions that do not say what kind of thing they are about: searches everything the person has.

mod common;
mod document;
mod passage;
mod rank;
mod search;
mod shape;
mod sought;
mod sources;
mod table;

#[cfg(test)]
mod contract;

use std::sync::Arc;

use adjutant_domain::tool::AnyTool;

use crate::registry::{Reads, any};

pub(crate) use search::closest;

/// Returns the tools of this family.
pub fn tools() -> Vec<Arc<dyn AnyTool>> {
    vec![any(Reads(search::Search))]
}
