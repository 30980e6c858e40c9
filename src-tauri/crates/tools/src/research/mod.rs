//! Research: the questions before it begins, and the tool that begins it.

mod brief;
mod start;
mod wishes;

#[cfg(test)]
mod contract;

use std::sync::Arc;

use adjutant_domain::tool::AnyTool;

pub use brief::{Ask, Deeper, ResearchBrief, Sources};

use crate::registry::any;

/// Returns the tools of this family.
pub fn tools() -> Vec<Arc<dyn AnyTool>> {
    vec![any(start::Start)]
}
