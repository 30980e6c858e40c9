//! Money: sums in one currency, and conversions at a given rate.

use super::units::{Currency, MeasureUnit};
use super::{Calculation, CalculationKind, NoResult, engine};

/// An amount of a unit, of a currency, or of a word that can be either.
pub(super) enum Quantity {
    Unit {
        unit: MeasureUnit,
        number: String,
    },
    Money {
        currency: Currency,
        number: String,
    },
    Either {
        unit: MeasureUnit,
        currency: Currency,
        number: String,
    },
}

/// A calculation with money.
#[derive(Debug, PartialEq)]
pub(super) enum Money {
    /// A sum in one currency.
    Sum {
        currency: Currency,
        expression: String,
        extra: Option<(&'static str, String)>,
    },
    /// A conversion at a given rate; `to` is `None` if it was not named.
    Rated {
        from: Currency,
        to: Option<Currency>,
        number: String,
        rate: String,
    },
    /// A conversion without a rate.
    Unrated { from: Currency, to: Currency },
}

impl Money {
    pub fn converted(from: Currency, to: Currency, number: String, rate: Option<String>) -> Self {
        match rate {
            Some(rate) => Self::Rated {
                from,
                to: Some(to),
                number,
                rate,
            },
            None => Self::Unrated { from, to },
        }
    }
}

pub(super) fn finish(money: Money) -> Result<Calculation, NoResult> {
    match money {
        Money::Unrated { from, to } => Err(NoResult::MissingRate {
            from: from.code.to_owned(),
            to: to.code.to_owned(),
        }),
        Money::Sum {
            currency,
            expression,
            extra,
        } => {
            if expression.ends_with("to %") {
                let value = engine::evaluate(&expression)?;
                return Ok(done(CalculationKind::Sum, expression, value.text, None));
            }
            let value = amount(&expression, Some(currency))?;
            let note = match extra {
                Some((label, more)) => Some(format!("{label}: {}", amount(&more, Some(currency))?)),
                None => None,
            };
            Ok(done(CalculationKind::Sum, expression, value, note))
        }
        Money::Rated {
            from,
            to,
            number,
            rate,
        } => {
            let expression = format!("{number}*{rate}");
            let value = amount(&expression, to)?;
            let note = match to {
                Some(to) => format!("at {rate} {} for 1 {}", to.code, from.code),
                None => format!("at the rate {rate} that you gave"),
            };
            Ok(done(
                CalculationKind::Currency,
                expression,
                value,
                Some(note),
            ))
        }
    }
}

fn done(
    kind: CalculationKind,
    expression: String,
    value: String,
    note: Option<String>,
) -> Calculation {
    Calculation {
        kind,
        expression,
        value,
        note,
    }
}

/// Formats an amount with two decimals, after the sign or code of its currency.
fn amount(expression: &str, currency: Option<Currency>) -> Result<String, NoResult> {
    let exact = engine::evaluate(&format!("{expression} to 2dp"))?.text;
    let value = match exact.split_once('.') {
        Some((whole, decimals)) if decimals.len() == 1 => format!("{whole}.{decimals}0"),
        _ => exact,
    };
    Ok(match currency {
        Some(currency) if currency.symbol == currency.code => format!("{} {value}", currency.code),
        Some(currency) => match value.strip_prefix('-') {
            Some(value) => format!("-{}{value}", currency.symbol),
            None => format!("{}{value}", currency.symbol),
        },
        None => value,
    })
}
