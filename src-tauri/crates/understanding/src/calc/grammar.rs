//! The grammar of calculations, in words and in signs. A calculation must cover all of its text.

use super::convert::{conversion, rate};
use super::money::Money;
use super::parser::Parser;
use super::phrases::phrase;
use super::symbols::Symbol;

/// A calculation as the grammar understands it.
#[derive(Debug, PartialEq)]
pub(super) enum Sum {
    /// An expression for fend, and a second one with a label if it is worth showing.
    Plain {
        expression: String,
        extra: Option<(&'static str, String)>,
    },
    /// A sum of money or a conversion between currencies.
    Money(Money),
}

/// Parses all of `symbols` as one calculation, or returns `None`.
pub(super) fn parse(symbols: &[Symbol]) -> Option<Sum> {
    let symbols = strip_question(symbols);
    if symbols.is_empty() {
        return None;
    }
    let attempts: [fn(&mut Parser<'_>) -> Option<Sum>; 4] = [conversion, phrase, rate, plain];
    attempts.iter().find_map(|attempt| {
        let mut parser = Parser::new(symbols);
        let sum = attempt(&mut parser)?;
        parser.skip_tail();
        (parser.at == symbols.len() && parser.worthwhile).then_some(sum)
    })
}

/// Words before a calculation that only ask for it.
const ASKING: &[&[&str]] = &[
    &["what", "is"],
    &["what", "are"],
    &["what", "does"],
    &["what", "would"],
    &["what", "do"],
    &["how", "much", "is"],
    &["how", "much", "are"],
    &["how", "much", "would"],
    &["how", "much", "does"],
    &["if", "i", "work"],
    &["if", "i", "worked"],
    &["calculate"],
    &["compute"],
    &["evaluate"],
    &["solve"],
    &["work", "out"],
    &["figure", "out"],
    &["find"],
    &["tell", "me"],
    &["give", "me"],
    &["show", "me"],
    &["know"],
    &["the", "answer", "to"],
    &["the", "result", "of"],
    &["the", "value", "of"],
    &["what"],
    &["for"],
    &["please"],
];

fn strip_question(mut symbols: &[Symbol]) -> &[Symbol] {
    'again: loop {
        for asking in ASKING {
            let fits = asking.len() < symbols.len()
                && asking
                    .iter()
                    .zip(symbols)
                    .all(|(word, symbol)| matches!(symbol, Symbol::Word(w) if w == word));
            // Keep "what" unless "is" follows: "what percent of …" needs it.
            let keeps =
                asking == &["what"] && matches!(symbols.get(1), Some(Symbol::Word(w)) if w != "is");
            if fits && !keeps {
                symbols = &symbols[asking.len()..];
                continue 'again;
            }
        }
        return symbols;
    }
}

fn plain(parser: &mut Parser<'_>) -> Option<Sum> {
    let expression = parser.sum()?;
    if parser.word("in") || parser.word("to") || parser.word("as") {
        let base = if parser.any(&[&["hex"], &["hexadecimal"]]) {
            "hex"
        } else if parser.word("binary") {
            "binary"
        } else if parser.word("octal") {
            "octal"
        } else if parser.any(&[&["decimal"], &["base", "ten"]]) {
            "decimal"
        } else {
            return None;
        };
        parser.worthwhile = true;
        return Some(Sum::Plain {
            expression: format!("({expression}) to {base}"),
            extra: None,
        });
    }
    if parser.mixed_money {
        return None;
    }
    Some(match parser.currency {
        Some(currency) => Sum::Money(Money::Sum {
            currency,
            expression,
            extra: None,
        }),
        None => Sum::Plain {
            expression,
            extra: None,
        },
    })
}
