//! Questions whose kind of thing nobody said: everything that is the person's own is looked through.

mod passage;
mod search;
mod sources;

#[cfg(test)]
mod contract;

use std::sync::Arc;

use adjutant_domain::tool::AnyTool;

use crate::registry::{Reads, any};

/// The tools of this family.
pub fn tools() -> Vec<Arc<dyn AnyTool>> {
    vec![any(Reads(search::Search))]
}
