//! Arithmetic, units, dates and time zones. The tool `calc.evaluate` asks the embedded engine through this port.

use jiff::Zoned;
use serde::{Deserialize, Serialize};

use crate::faults::ToolFault;
use crate::settings::Settings;

/// A computed value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calculated {
    /// The expression as Adjutant read it ("18 % of 240").
    pub text: String,
    /// The result as shown ("43.2", "9.3 mi", "Wed 3 June 2026").
    pub result: String,
    /// The result as a plain number, if it is one.
    pub number: Option<f64>,
    /// A sentence that states the result.
    pub say: String,
}

/// Evaluates expressions the person wrote.
pub trait Calculator: Send + Sync {
    /// Evaluates `text`.
    ///
    /// # Errors
    /// Returns a [`ToolFault`] in plain words if the text is not an expression or a value, such as an exchange rate, is
    /// missing.
    fn evaluate(
        &self,
        text: &str,
        now: &Zoned,
        settings: &Settings,
    ) -> Result<Calculated, ToolFault>;
}
