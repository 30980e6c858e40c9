//! Units and currencies, by the words that people use for them.

use std::collections::HashMap;
use std::sync::LazyLock;

/// A unit that fend knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MeasureUnit {
    /// Its name in fend.
    pub name: &'static str,
    /// What it measures, such as "volume".
    pub dimension: &'static str,
}

/// A currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Currency {
    /// ISO 4217 code (or the usual ticker).
    pub code: &'static str,
    /// Sign before an amount, or the code if the currency has no sign.
    pub symbol: &'static str,
}

/// Number of words in the longest name ("british pound sterling").
pub(super) const NAME_WORDS_MAX: usize = 3;

struct Tables {
    units: HashMap<&'static str, MeasureUnit>,
    currencies: HashMap<&'static str, Currency>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables {
    units: rows(include_str!("../../data/calc/units.txt"))
        .filter_map(|row| {
            let [name, dimension, _shown, words] = row[..] else {
                return None;
            };
            Some((words, MeasureUnit { name, dimension }))
        })
        .flat_map(|(words, unit)| words.split(',').map(move |word| (word.trim(), unit)))
        .collect(),
    currencies: rows(include_str!("../../data/calc/currencies.txt"))
        .filter_map(|row| {
            let [code, symbol, words] = row[..] else {
                return None;
            };
            Some((words, Currency { code, symbol }))
        })
        .flat_map(|(words, currency)| words.split(',').map(move |word| (word.trim(), currency)))
        .collect(),
});

fn rows(file: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    file.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split('|').map(str::trim).collect())
}

/// Returns the unit that a phrase names, in the singular or plural.
pub(super) fn unit(phrase: &str) -> Option<MeasureUnit> {
    lookup(&TABLES.units, phrase)
}

/// Returns the currency that a phrase names, in the singular or plural.
pub(super) fn currency(phrase: &str) -> Option<Currency> {
    lookup(&TABLES.currencies, phrase)
}

/// Returns the currency that a sign stands for.
pub(super) fn sign(mark: &str) -> Option<Currency> {
    let code = match mark {
        "$" => "usd",
        "€" => "eur",
        "£" => "gbp",
        "¥" => "jpy",
        "₹" => "inr",
        "₿" => "btc",
        "₩" => "krw",
        "₽" => "rub",
        _ => return None,
    };
    currency(code)
}

fn lookup<T: Copy>(table: &HashMap<&'static str, T>, phrase: &str) -> Option<T> {
    table
        .get(phrase)
        .or_else(|| table.get(phrase.strip_suffix('s')?))
        .copied()
}

#[cfg(test)]
pub(super) fn all_units() -> Vec<MeasureUnit> {
    TABLES.units.values().copied().collect()
}
