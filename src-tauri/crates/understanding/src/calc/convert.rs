//! Converts between units and between currencies.

use super::grammar::Sum;
use super::money::{Money, Quantity};
use super::numbers;
use super::parser::Parser;
use super::symbols::Symbol;
use super::units::{self, Currency, MeasureUnit};

/// "5 km in miles", "how many ounces in 2 pounds", "convert 3 feet to cm".
pub(super) fn conversion(parser: &mut Parser<'_>) -> Option<Sum> {
    if let Some(sum) = exchange_rate(parser) {
        return Some(sum);
    }
    let _ = parser.any(&[
        &["convert"],
        &["conversion", "of"],
        &["change"],
        &["turn"],
        &["exchange"],
        &["translate"],
    ]);
    if parser.any(&[
        &["how", "many"],
        &["how", "much"],
        &["the", "number", "of"],
        &["what", "number", "of"],
    ]) {
        let target = ConversionTarget::read(parser)?;
        let _ = parser.any(&[
            &["are", "there"],
            &["are"],
            &["is"],
            &["do"],
            &["does"],
            &["will"],
            &["can"],
            &["for"],
            &["would"],
        ]);
        let _ = parser.any(&[
            &["i", "get"],
            &["you", "get"],
            &["we", "get"],
            &["i", "have"],
            &["i", "exchange"],
            &["i", "buy"],
        ]);
        let _ = parser.any(&[
            &["in"],
            &["to"],
            &["per"],
            &["make"],
            &["equal"],
            &["for"],
            &["from"],
            &["with"],
            &["fit", "in"],
            &["go", "into"],
        ]);
        let source = Quantity::read(parser)?;
        let rate = given_rate(parser)?;
        return join(parser, source, target, rate);
    }
    let source = Quantity::read(parser)?;
    let before = given_rate(parser)?;
    let asked = parser.any(&[
        &["is", "how", "many"],
        &["is", "how", "much", "in"],
        &["equals", "how", "many"],
        &["equals", "what", "in"],
        &["in"],
        &["to"],
        &["into"],
        &["as"],
        &["is", "what", "in"],
        &["worth", "in"],
        &["are", "how", "many"],
    ]);
    if !asked {
        return None;
    }
    let target = ConversionTarget::read(parser)?;
    let after = given_rate(parser)?;
    join(parser, source, target, before.or(after))
}

/// "exchange rate between usd and euros", "the current rate from pounds to yen".
fn exchange_rate(p: &mut Parser<'_>) -> Option<Sum> {
    let start = p.at;
    p.skip_article();
    let _ = p.any(&[&["current"], &["latest"], &["today", "'s"], &["present"]]);
    let _ = p.any(&[&["exchange"], &["conversion"], &["currency"]]);
    let said = p.any(&[&["rate"], &["exchange", "rate"], &["rates"]]);
    let joined = said && p.any(&[&["between"], &["from"], &["for"], &["of"]]);
    let mut pair = || -> Option<Sum> {
        joined.then_some(())?;
        let (Quantity::Money { currency: from, .. } | Quantity::Either { currency: from, .. }) =
            Quantity::read(p)?
        else {
            return None;
        };
        let _ = p.any(&[
            &["and"],
            &["to"],
            &["in"],
            &["into"],
            &["against"],
            &["vs"],
            &["versus"],
        ]);
        let (ConversionTarget::Money(to) | ConversionTarget::Both(_, to)) =
            ConversionTarget::read(p)?
        else {
            return None;
        };
        p.worthwhile = true;
        Some(Sum::Money(Money::Unrated { from, to }))
    };
    let found = pair();
    if found.is_none() {
        p.at = start;
    }
    found
}

/// "at 1.08", "at a rate of 1.08", "with rate 1.08". Returns `Some(None)` if no rate is given, and `None` if the rate
/// cannot be read.
fn given_rate(p: &mut Parser<'_>) -> Option<Option<String>> {
    let says = p.any(&[
        &["at", "a", "rate", "of"],
        &["at", "an", "exchange", "rate", "of"],
        &["at", "the", "rate", "of"],
        &["with", "a", "rate", "of"],
        &["with", "rate"],
        &["at", "rate"],
        &["if", "the", "rate", "is"],
        &["using"],
        &["at"],
    ]);
    if !says {
        return Some(None);
    }
    let (rate, used) = numbers::number(p.rest())?;
    p.at += used;
    Some(Some(rate))
}

/// "100 usd at 1.08", without a second currency.
pub(super) fn rate(parser: &mut Parser<'_>) -> Option<Sum> {
    let source = Quantity::read(parser)?;
    let Quantity::Money { currency, number } = source else {
        return None;
    };
    let rate = given_rate(parser)??;
    parser.worthwhile = true;
    Some(Sum::Money(Money::Rated {
        from: currency,
        to: None,
        number,
        rate,
    }))
}

enum ConversionTarget {
    Unit(MeasureUnit),
    Money(Currency),
    /// A word for a unit and a currency, such as "pounds".
    Both(MeasureUnit, Currency),
}

impl ConversionTarget {
    fn read(p: &mut Parser<'_>) -> Option<Self> {
        p.skip_article();
        let unit = p.longest_name(units::unit);
        let money = p.longest_name(units::currency);
        let (target, used) = match (unit, money) {
            (Some((unit, a)), Some((money, b))) if a == b => (Self::Both(unit, money), a),
            (Some((unit, a)), Some((_, b))) if a > b => (Self::Unit(unit), a),
            (_, Some((money, b))) => (Self::Money(money), b),
            (Some((unit, a)), None) => (Self::Unit(unit), a),
            (None, None) => return None,
        };
        p.at += used;
        Some(target)
    }
}

impl Quantity {
    fn read(p: &mut Parser<'_>) -> Option<Self> {
        let sign = match p.rest().first() {
            Some(Symbol::Mark(mark)) => units::sign(&mark.to_string()),
            _ => None,
        };
        p.at += usize::from(sign.is_some());
        let negative = p.mark('-');
        let (number, used) = numbers::number(p.rest())
            .or_else(|| {
                p.any(&[&["a"], &["an"], &["one"]])
                    .then(|| ("1".to_owned(), 0))
            })
            .unwrap_or_else(|| ("1".to_owned(), 0));
        p.at += used;
        let number = if negative {
            format!("(-{number})")
        } else {
            number
        };
        if let Some(currency) = sign {
            let _ = p
                .longest_name(units::currency)
                .map(|(_, used)| p.at += used);
            return Some(Self::Money { currency, number });
        }
        Some(match ConversionTarget::read(p)? {
            ConversionTarget::Unit(unit) => Self::Unit { unit, number },
            ConversionTarget::Money(currency) => Self::Money { currency, number },
            ConversionTarget::Both(unit, currency) => Self::Either {
                unit,
                currency,
                number,
            },
        })
    }
}

fn join(
    parser: &mut Parser<'_>,
    source: Quantity,
    target: ConversionTarget,
    rate: Option<String>,
) -> Option<Sum> {
    parser.worthwhile = true;
    let (from, to, number) = match (source, target) {
        (
            Quantity::Unit { unit, number } | Quantity::Either { unit, number, .. },
            ConversionTarget::Unit(to) | ConversionTarget::Both(to, _),
        ) => {
            return convert(unit, to, &number);
        }
        (
            Quantity::Money { currency, number }
            | Quantity::Either {
                currency, number, ..
            },
            ConversionTarget::Money(to) | ConversionTarget::Both(_, to),
        ) => (currency, to, number),
        _ => return None,
    };
    Some(Sum::Money(Money::converted(from, to, number, rate)))
}

/// Converts between units. An ounce beside a volume is a fluid ounce. Returns `None` if both units are the same, or for
/// degrees of an angle in a conversion of temperatures.
fn convert(from: MeasureUnit, to: MeasureUnit, number: &str) -> Option<Sum> {
    let fluid = |unit: MeasureUnit, other: MeasureUnit| match (unit.name, other.dimension) {
        ("ounce", "volume") => units::unit("fluid ounce").unwrap_or(unit),
        _ => unit,
    };
    let (from, to) = (fluid(from, to), fluid(to, from));
    let angle = from.name == "degree" && to.dimension == "temperature";
    if from.name == to.name || angle {
        return None;
    }
    Some(Sum::Plain {
        expression: format!("{number} {} to {}", from.name, to.name),
        extra: None,
    })
}
