//! The calculator. The embedded engine does the arithmetic.

mod clock;
mod elapsed;
mod evaluate;

#[cfg(test)]
mod contract;

use std::sync::Arc;

use adjutant_domain::ports::Calculator;
use adjutant_domain::tool::AnyTool;

use crate::registry::{Reads, any};

/// Returns the tools of this family.
pub fn tools(calculator: Arc<dyn Calculator>) -> Vec<Arc<dyn AnyTool>> {
    vec![any(Reads(evaluate::Evaluate { calculator }))]
}
