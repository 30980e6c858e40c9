//! Calculations with numbers, units, percentages, currencies, dates and time zones, answered exactly or not at all.
//!
//! A text is a calculation only if a small grammar covers it to the last word, or if it is a `story` in which every
//! number has a part. fend computes what the grammar builds, without randomness, files or network and within a step
//! budget. A currency is converted only at a rate that the person gave.

mod convert;
mod dates;
mod engine;
mod grammar;
mod money;
mod numbers;
mod parser;
mod phrases;
mod places;
pub(crate) mod port;
mod story;
mod symbols;
mod units;
mod written;
mod zones;

use adjutant_text::message::{Text, truncate};
use jiff::Zoned;
use serde::Serialize;

use crate::time::Policy;

/// Longest text that can be a calculation, in bytes.
pub const CALC_BYTES_MAX: usize = 400;

/// The kind of a calculation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CalculationKind {
    /// Numbers and percentages.
    Sum,
    /// A conversion between units.
    Conversion,
    /// A conversion between currencies, at a rate that the person gave.
    Currency,
    /// Days and dates.
    Date,
    /// Clock times around the world.
    Zone,
}

/// The result of a calculation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Calculation {
    /// Kind of the calculation.
    pub kind: CalculationKind,
    /// The expression that was computed, which shows the person how the request was read.
    pub expression: String,
    /// The result as text.
    pub value: String,
    /// More to tell: a total beside a tip, "rounded", how far away a date is.
    pub note: Option<String>,
}

/// The reason why there is no result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum NoResult {
    /// The text does not ask for a calculation.
    NotACalculation,
    /// A conversion between two currencies without a rate; rates are never invented.
    MissingRate {
        /// ISO code of the currency that is given.
        from: String,
        /// ISO code of the currency that is wanted.
        to: String,
    },
    /// The result is too large, or takes too many steps.
    TooLarge,
    /// A division by zero.
    DivisionByZero,
    /// A place whose time zone is unknown.
    UnknownPlace {
        /// The place as written.
        place: String,
    },
    /// A calculation without an answer (a mass in meters, a root of a negative number).
    Impossible {
        /// The expression that has no answer.
        expression: String,
    },
}

impl NoResult {
    /// Returns what to tell the person: first what happened, then what to do next.
    #[must_use]
    pub fn say(&self) -> String {
        match self {
            Self::NotACalculation => {
                "This is not a calculation. Write it with numbers, for example 15% of 240."
                    .to_owned()
            }
            Self::MissingRate { from, to } => {
                format!(
                    "I don't know the rate from {from} to {to}. Add it, for example: 100 {from} in {to} at 1.08."
                )
            }
            Self::TooLarge => "The result is too large to compute. Try smaller numbers.".to_owned(),
            Self::DivisionByZero => {
                "A division by zero has no result. Check the numbers.".to_owned()
            }
            Self::UnknownPlace { place } => {
                format!("The time zone of {place} is not known here. Name a larger city nearby.")
            }
            Self::Impossible { expression } => {
                format!("{expression} has no result. Check the numbers and units.")
            }
        }
    }
}

/// Computes what a text asks for. `now` provides the date and the time zone for dates and clock times.
///
/// # Errors
///
/// Returns the reason if there is no result: [`NoResult::NotACalculation`] if the text asks for none.
pub fn calculate(text: &str, now: &Zoned, policy: &Policy) -> Result<Calculation, NoResult> {
    let (kept, cut) = truncate(text, CALC_BYTES_MAX);
    if cut {
        return Err(NoResult::NotACalculation);
    }
    let text = Text::read(kept);
    let symbols = symbols::read(&text);
    if let Some(sum) = grammar::parse(&symbols) {
        return finish(sum);
    }
    if let Some(result) = zones::calculate(&text, now, policy) {
        return result;
    }
    if let Some(result) = dates::calculate(&text, now, policy) {
        return result;
    }
    story::story(&symbols).map_or(Err(NoResult::NotACalculation), finish)
}

/// Returns whether a text asks for a calculation, even if that has no result.
#[must_use]
pub fn is_calculation(text: &str, now: &Zoned, policy: &Policy) -> bool {
    !matches!(calculate(text, now, policy), Err(NoResult::NotACalculation))
}

fn finish(sum: grammar::Sum) -> Result<Calculation, NoResult> {
    match sum {
        grammar::Sum::Plain { expression, extra } => {
            let value = engine::evaluate(&expression)?;
            let note = match extra {
                Some((label, expression)) => {
                    Some(format!("{label}: {}", engine::evaluate(&expression)?.text))
                }
                None => value.rounded.then(|| "rounded".to_owned()),
            };
            let kind = if value.has_unit {
                CalculationKind::Conversion
            } else {
                CalculationKind::Sum
            };
            Ok(Calculation {
                kind,
                expression,
                value: value.text,
                note,
            })
        }
        grammar::Sum::Money(money) => money::finish(money),
    }
}

#[cfg(test)]
mod tests;
