//! Adds up the amounts of money in mails; the answer shows where it read each amount.

use std::collections::BTreeMap;

use adjutant_domain::ports::Cx;

use super::MailRow;
use crate::select::Row as _;
use crate::words;

/// Maximum characters of a mail that are searched for amounts.
const TEXT_CHARS_MAX: usize = 20_000;

/// Signs and names of currencies, each with the name under which amounts are added up.
const CURRENCIES: &[(&str, &str)] = &[
    ("$", "$"),
    ("usd", "$"),
    ("us$", "$"),
    ("€", "€"),
    ("eur", "€"),
    ("euro", "€"),
    ("euros", "€"),
    ("£", "£"),
    ("gbp", "£"),
    ("chf", "CHF "),
    ("¥", "¥"),
    ("jpy", "¥"),
];

/// Words that mark, among several amounts, the one to be paid.
const IN_ALL: &[&str] = &[
    "total",
    "amount due",
    "balance due",
    "to pay",
    "amount payable",
];

/// An amount of money, in hundredths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Amount {
    currency: &'static str,
    hundredths: i64,
}

impl std::fmt::Display for Amount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (whole, rest) = (self.hundredths / 100, self.hundredths % 100);
        let digits = whole.to_string();
        write!(f, "{}", self.currency)?;
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place) % 3 == 0 {
                write!(f, ",")?;
            }
            write!(f, "{digit}")?;
        }
        write!(f, ".{rest:02}")
    }
}

/// Returns the sum of the mails in words. `total` is the number of mails found, which may exceed the number of `rows`.
pub(super) fn say(rows: &[MailRow], total: usize, cx: &Cx) -> String {
    let mut sums: BTreeMap<&str, i64> = BTreeMap::new();
    let (mut counted, mut unclear) = (Vec::new(), Vec::new());
    for row in rows {
        match amount_of(row) {
            Some(amount) => {
                let sum = sums.entry(amount.currency).or_default();
                *sum = sum.saturating_add(amount.hundredths);
                counted.push(format!("{amount} – {}", row.line(cx)));
            }
            None => unclear.push(row.line(cx)),
        }
    }
    let mut said = if counted.is_empty() {
        "None of these mails names a single amount.".to_owned()
    } else {
        let sums = sums.into_iter().map(|(currency, hundredths)| {
            Amount {
                currency: name_of(currency),
                hundredths,
            }
            .to_string()
        });
        let sums: Vec<String> = sums.collect();
        let mails = words::plural(counted.len(), "mail");
        format!(
            "{} in {mails}.\n\n{}",
            words::join(&sums),
            words::bullets(&counted, counted.len())
        )
    };
    if !unclear.is_empty() {
        said.push_str(&format!(
            "\n\nNot counted, because they do not name a single amount:\n\n{}",
            words::bullets(&unclear, unclear.len())
        ));
    }
    if total > rows.len() {
        said.push_str(&format!(
            "\n\nThese are the latest {} of {total}; name a time for the others.",
            rows.len()
        ));
    }
    said
}

fn name_of(currency: &str) -> &'static str {
    let mut all = CURRENCIES.iter();
    all.find(|(_, name)| *name == currency)
        .map_or("", |(_, name)| name)
}

/// Returns the amount of a mail: the only one it names, or the only one it calls the total.
fn amount_of(row: &MailRow) -> Option<Amount> {
    let text = match row {
        MailRow::Mail(mail) => format!("{}\n{}", mail.subject, mail.text),
        MailRow::Out(item) => format!("{}\n{}", item.subject, item.body),
    };
    let text: String = text.chars().take(TEXT_CHARS_MAX).collect();
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('>'));
    let (mut all, mut totals) = (Vec::new(), Vec::new());
    for line in lines {
        let found = amounts(line);
        let low = line.to_lowercase();
        let sub = low.contains("subtotal") || low.contains("sub-total");
        if !sub && IN_ALL.iter().any(|word| low.contains(word)) {
            totals.extend_from_slice(&found);
        }
        all.extend(found);
    }
    only(all).or_else(|| only(totals))
}

/// Returns the amount if all are equal.
fn only(mut amounts: Vec<Amount>) -> Option<Amount> {
    amounts.sort_unstable();
    amounts.dedup();
    match amounts.as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}

/// Returns the amounts in a line: numbers with a currency before or after them.
fn amounts(line: &str) -> Vec<Amount> {
    let spaced: String = line.chars().flat_map(apart).collect();
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let currency = |at: Option<usize>| {
        let token = tokens
            .get(at?)?
            .trim_matches(['(', ')', ',', ';', ':', '.']);
        let token = token.to_lowercase();
        let mut all = CURRENCIES.iter();
        all.find(|(sign, _)| *sign == token).map(|(_, name)| *name)
    };
    let digits = |at: usize| {
        let token = tokens.get(at).map(|token| token.trim_start_matches('('));
        token.is_some_and(|token| token.starts_with(|c: char| c.is_ascii_digit()))
    };
    let found = tokens.iter().enumerate().filter_map(|(at, token)| {
        let bare = token.trim_start_matches('(');
        let bare = bare.trim_end_matches(['.', ',', ';', ':', ')', '!', '?']);
        let hundredths = number(bare)?;
        // In "No. 88121: $92.40" the sign belongs to the number after it.
        let behind = || currency(Some(at + 1)).filter(|_| token.ends_with(bare) && !digits(at + 2));
        let currency = currency(at.checked_sub(1)).or_else(behind)?;
        Some(Amount {
            currency,
            hundredths,
        })
    });
    found.collect()
}

/// Returns a character, with spaces around it if it is a currency sign.
fn apart(character: char) -> Vec<char> {
    match character {
        '$' | '€' | '£' | '¥' => vec![' ', character, ' '],
        _ => vec![character],
    }
}

/// Returns a number with at most two decimals, in hundredths: "12,400", "1.234,56", "92.40". `None` for "12.345", which
/// is ambiguous.
fn number(text: &str) -> Option<i64> {
    let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let (whole, decimals) = match text.rfind(['.', ',']) {
        Some(at) if text.len() - at == 3 => (&text[..at], &text[at + 1..]),
        Some(at) if text.len() - at == 2 => (&text[..at], &text[at + 1..]),
        Some(at) if text[at..].starts_with('.') => return None,
        _ => (text, "00"),
    };
    let mut groups = whole.split([',', '.', '\'']);
    let first = groups.next()?;
    let mut joined = first.to_owned();
    for group in groups {
        if group.len() != 3 || first.len() > 3 {
            return None;
        }
        joined.push_str(group);
    }
    if !digits(&joined) || !digits(decimals) || joined.len() > 12 {
        return None;
    }
    let decimals = format!("{decimals:0<2}");
    Some(joined.parse::<i64>().ok()? * 100 + decimals.parse::<i64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_with_their_currency_alone() {
        for (line, said) in [
            ("Invoice 88121: $92.40, due March 14.", "$92.40"),
            ("Your total comes to $12,400 for the year.", "$12,400.00"),
            ("Bitte zahlen Sie 1.234,56 EUR bis Freitag.", "€1,234.56"),
            ("12.50 € each, 3 pieces", "€12.50"),
            ("Order 4711 $12 (in all $15)", "$12.00 $15.00"),
            ("£5 and £7.5", "£5.00 £7.50"),
            ("CHF 1'200.00", "CHF 1,200.00"),
            ("Order 4711, 3 boxes, 2026", ""),
            ("$12.345", ""),
            ("$1,23,456", ""),
            ("$99999999999999999999", ""),
            ("$", ""),
        ] {
            let found: Vec<String> = amounts(line).iter().map(ToString::to_string).collect();
            assert_eq!(found.join(" "), said, "{line}");
        }
    }
}
