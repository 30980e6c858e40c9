//! Arithmetic, units, dates and zones: what `calc.evaluate` asks the embedded engine for.

use jiff::Zoned;
use serde::{Deserialize, Serialize};

use crate::faults::ToolFault;
use crate::settings::Settings;

/// A computed value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calculated {
    /// What was computed, as it was read ("18 % of 240").
    pub text: String,
    /// The result as shown ("43.2", "9.3 mi", "Wed 3 June 2026").
    pub result: String,
    /// The result as a plain number, where it is one.
    pub number: Option<f64>,
    /// A sentence that says it.
    pub say: String,
}

/// Computes what a person wrote.
pub trait Calculator: Send + Sync {
    /// Evaluates `text`.
    ///
    /// # Errors
    /// When it is no arithmetic, or a value is missing (a rate, for example), in plain words.
    fn evaluate(
        &self,
        text: &str,
        now: &Zoned,
        settings: &Settings,
    ) -> Result<Calculated, ToolFault>;
}
