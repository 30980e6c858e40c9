//! Sums, units, percentages, currencies, dates and time zones, answered exactly or not at all.
//!
//! A text is a calculation only when a small grammar covers it to the last word; what the grammar
//! builds is computed by fend, without randomness, files or network and within a step budget. A
//! currency is never converted without a rate that the person gave.

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

/// Bytes of a text that can be a calculation; longer texts are something else.
pub const CALC_BYTES_MAX: usize = 400;

/// What kind of calculation it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Numbers and percentages.
    Sum,
    /// From one unit to another.
    Conversion,
    /// Money, with a rate that was given.
    Currency,
    /// Days and dates.
    Date,
    /// Clock times around the world.
    Zone,
}

/// A result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Calculated {
    /// What kind it was.
    pub kind: Kind,
    /// What was computed, so that the person can see how the request was read.
    pub expression: String,
    /// The result as text.
    pub value: String,
    /// What else is worth saying: a total beside a tip, "rounded", the other date.
    pub note: Option<String>,
}

/// Why there is no result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum NoResult {
    /// The text does not ask for a calculation.
    NotACalculation,
    /// Two currencies and no rate; rates are never invented.
    MissingRate {
        /// ISO code of what is given.
        from: String,
        /// ISO code of what is wanted.
        to: String,
    },
    /// The result is too large, or takes too many steps.
    TooLarge,
    /// Something is divided by zero.
    DivisionByZero,
    /// A place whose time zone is not known.
    UnknownPlace {
        /// The place as written.
        place: String,
    },
    /// It asks for a calculation that has no answer (a mass in meters, a root of a negative number).
    Impossible {
        /// What was tried.
        expression: String,
    },
}

impl NoResult {
    /// What to tell the person: what happened, then what to do next.
    #[must_use]
    pub fn say(&self) -> String {
        match self {
            Self::NotACalculation => {
                "This is not a calculation. Write it with numbers, for example 15% of 240."
                    .to_owned()
            }
            Self::MissingRate { from, to } => {
                format!(
                    "The rate from {from} to {to} is missing. Add it, for example: 100 {from} in {to} at 1.08."
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

/// Computes what a text asks for. `now` gives the date and the zone for dates and clock times.
///
/// # Errors
///
/// A typed reason when there is no result; [`NoResult::NotACalculation`] when none is asked for.
pub fn calculate(text: &str, now: &Zoned, policy: &Policy) -> Result<Calculated, NoResult> {
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

/// Whether a text asks for a calculation at all, by itself, without computing it.
#[must_use]
pub fn is_calculation(text: &str, now: &Zoned, policy: &Policy) -> bool {
    !matches!(calculate(text, now, policy), Err(NoResult::NotACalculation))
}

fn finish(sum: grammar::Sum) -> Result<Calculated, NoResult> {
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
                Kind::Conversion
            } else {
                Kind::Sum
            };
            Ok(Calculated {
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
