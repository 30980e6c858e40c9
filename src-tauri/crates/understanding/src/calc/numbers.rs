//! Reads numbers in words: "two hundred and five", "three point five", "two thirds", "a dozen".

use adjutant_text::number;

use super::symbols::Symbol;

/// Returns the factor of a word that multiplies the number before it, such as "k" and "hundreds".
fn scale(word: &str) -> Option<u64> {
    match word {
        "hundreds" => Some(100),
        "k" => Some(1_000),
        word => number::scale(word),
    }
}

/// Returns how many parts of a name make a whole: 3 for "third", 4 for "quarters".
pub(super) fn part(word: &str) -> Option<u64> {
    Some(match word.strip_suffix('s').unwrap_or(word) {
        "half" | "halve" => 2,
        "quarter" => 4,
        "hundredth" => 100,
        word => number::ordinal(word)
            .filter(|place| (3..=10).contains(place))?
            .into(),
    })
}

/// Reads a number at the beginning of `symbols`. Returns it as an expression, and how many symbols it takes.
pub(super) fn number(symbols: &[Symbol]) -> Option<(String, usize)> {
    let (text, used) = digits(symbols).or_else(|| words(symbols))?;
    // "2 and a half", "two thirds"
    if let [Symbol::Word(and), Symbol::Word(a), Symbol::Word(half), ..] = &symbols[used..]
        && and == "and"
        && (a == "a" || a == "one")
        && let Some(part) = part(half)
    {
        return Some((format!("({text}+1/{part})"), used + 3));
    }
    if let Some(Symbol::Word(word)) = symbols.get(used)
        && !matches!(word.as_str(), "second" | "seconds")
        && let Some(part) = part(word)
        && !text.contains('.')
    {
        return Some((format!("({text}/{part})"), used + 1));
    }
    Some((text, used))
}

fn digits(symbols: &[Symbol]) -> Option<(String, usize)> {
    let Symbol::Number(number) = symbols.first()? else {
        return None;
    };
    match symbols.get(1) {
        Some(Symbol::Word(word)) if scale(word).is_some() => {
            Some((format!("({number}*{})", scale(word)?), 2))
        }
        _ => Some((number.clone(), 1)),
    }
}

fn words(symbols: &[Symbol]) -> Option<(String, usize)> {
    let mut total: u64 = 0;
    let mut group: u64 = 0;
    let mut used = 0;
    let mut seen = false;
    while let Some(Symbol::Word(word)) = symbols.get(used) {
        if let Some(value) = number::cardinal(word).map(u64::from) {
            group = group.checked_add(value)?;
            seen = true;
        } else if let Some(value) = scale(word) {
            let times = if group == 0 { 1 } else { group };
            if value == 100 {
                group = times.checked_mul(100)?;
            } else {
                total = total.checked_add(times.checked_mul(value)?)?;
                group = 0;
            }
            seen = true;
        } else if (word == "a" || word == "an")
            && !seen
            && follows(symbols, used, |w| scale(w).is_some() || w == "dozen")
        {
            // "a hundred"
        } else if word == "and"
            && seen
            && follows(symbols, used, |w| number::cardinal(w).is_some())
            && (total > 0 || group >= 100)
        {
            // "two hundred and five"
        } else {
            break;
        }
        used += 1;
    }
    if !seen {
        return None;
    }
    let mut text = total.checked_add(group)?.to_string();
    if follows(symbols, used.checked_sub(1)?, |w| w == "point") {
        let mut decimals = String::new();
        let mut at = used + 1;
        while let Some(Symbol::Word(word)) = symbols.get(at) {
            let Some(value) = number::cardinal(word).map(u64::from).filter(|v| *v < 10) else {
                break;
            };
            decimals.push_str(&value.to_string());
            at += 1;
        }
        if !decimals.is_empty() {
            text = format!("{text}.{decimals}");
            used = at;
        }
    }
    Some((text, used))
}

fn follows(symbols: &[Symbol], at: usize, test: impl Fn(&str) -> bool) -> bool {
    matches!(symbols.get(at + 1), Some(Symbol::Word(word)) if test(word))
}
