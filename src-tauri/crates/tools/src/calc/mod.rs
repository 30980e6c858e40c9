//! The calculator. What it computes with is the embedded engine's.

mod elapsed;
mod evaluate;

#[cfg(test)]
mod contract;

use std::sync::Arc;

use adjutant_domain::ports::Calculator;
use adjutant_domain::tool::AnyTool;

use crate::registry::{Reads, any};

/// The tools of this family.
pub fn tools(calculator: Arc<dyn Calculator>) -> Vec<Arc<dyn AnyTool>> {
    vec![any(Reads(evaluate::Evaluate { calculator }))]
}
