//! Words for numbers: cardinals, factors and ordinals.

/// Cardinals below one hundred, which add up ("twenty" and "five"), with a common misspelling.
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

/// Words that multiply the number before them.
const SCALES: &[(&str, u64)] = &[
    ("hundred", 100),
    ("thousand", 1_000),
    ("million", 1_000_000),
    ("billion", 1_000_000_000),
    ("trillion", 1_000_000_000_000),
];

/// Ordinals, with their positions counted from 1.
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

/// Returns every folded word for a number below one hundred, with its value.
pub fn cardinals() -> impl Iterator<Item = (&'static str, u8)> {
    CARDINALS.iter().copied()
}

/// Returns every folded word that multiplies, with its factor.
pub fn scales() -> impl Iterator<Item = (&'static str, u64)> {
    SCALES.iter().copied()
}

/// Returns every folded ordinal, with its position counted from 1.
pub fn ordinals() -> impl Iterator<Item = (&'static str, u8)> {
    ORDINALS.iter().copied()
}

/// Returns the value of a folded word for a number below one hundred, or `None` for any other word.
#[must_use]
pub fn cardinal(word: &str) -> Option<u8> {
    value(CARDINALS, word)
}

/// Returns the factor of a folded word that multiplies, or `None` for any other word.
#[must_use]
pub fn scale(word: &str) -> Option<u64> {
    value(SCALES, word)
}

/// Returns the position that a folded ordinal names, counted from 1, or `None` for any other word.
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
