//! Words for numbers.

/// Words for numbers below one hundred that add up ("twenty" and "five"), with a common slip.
const CARDINALS: &[(&str, u8)] = &[
    ("zero", 0),
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("dozen", 12),
    ("thirteen", 13),
    ("fourteen", 14),
    ("fifteen", 15),
    ("sixteen", 16),
    ("seventeen", 17),
    ("eighteen", 18),
    ("nineteen", 19),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fourty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
];

/// Words that multiply what stands before them.
const SCALES: &[(&str, u64)] = &[
    ("hundred", 100),
    ("thousand", 1_000),
    ("million", 1_000_000),
    ("billion", 1_000_000_000),
    ("trillion", 1_000_000_000_000),
];

/// Words for places in an order.
const ORDINALS: &[(&str, u8)] = &[
    ("first", 1),
    ("second", 2),
    ("third", 3),
    ("fourth", 4),
    ("fifth", 5),
    ("sixth", 6),
    ("seventh", 7),
    ("eighth", 8),
    ("ninth", 9),
    ("tenth", 10),
    ("eleventh", 11),
    ("twelfth", 12),
    ("thirteenth", 13),
    ("fourteenth", 14),
    ("fifteenth", 15),
    ("sixteenth", 16),
    ("seventeenth", 17),
    ("eighteenth", 18),
    ("nineteenth", 19),
    ("twentieth", 20),
    ("thirtieth", 30),
];

/// Every word for a number below one hundred, folded, with its value.
pub fn cardinals() -> impl Iterator<Item = (&'static str, u8)> {
    CARDINALS.iter().copied()
}

/// Every word that multiplies, folded, with its factor.
pub fn scales() -> impl Iterator<Item = (&'static str, u64)> {
    SCALES.iter().copied()
}

/// Every word for a place in an order, folded, with the place counted from 1.
pub fn ordinals() -> impl Iterator<Item = (&'static str, u8)> {
    ORDINALS.iter().copied()
}

/// The value of a folded word for a number below one hundred.
#[must_use]
pub fn cardinal(word: &str) -> Option<u8> {
    value(CARDINALS, word)
}

/// The factor of a folded word that multiplies.
#[must_use]
pub fn scale(word: &str) -> Option<u64> {
    value(SCALES, word)
}

/// The place that a folded word names, counted from 1.
#[must_use]
pub fn ordinal(word: &str) -> Option<u8> {
    value(ORDINALS, word)
}

fn value<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    table
        .iter()
        .find(|(name, _)| *name == word)
        .map(|(_, value)| *value)
}
