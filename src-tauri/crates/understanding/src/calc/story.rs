//! Calculations told as a story: "the cabin was 540 plus 75 for cleaning, split three ways, what do I owe".
//!
//! The words between the numbers are ignored, but every number must have a part in the calculation, and the text must
//! ask for the result.

use super::grammar::Sum;
use super::money::Money;
use super::numbers;
use super::parser::Parser;
use super::symbols::Symbol;

/// Maximum number of symbols of one story.
const SYMBOLS_MAX: usize = 60;

/// Phrases that ask for the result.
const ASKS: &[&[&str]] = &[
    &["what", "do", "i", "owe"],
    &["what", "do", "we", "owe"],
    &["what", "does", "everyone", "owe"],
    &["what", "does", "everybody", "owe"],
    &["what", "does", "each"],
    &["what", "do", "we", "each"],
    &["what", "do", "i", "pay"],
    &["what", "do", "we", "pay"],
    &["what", "is", "my", "share"],
    &["what", "is", "my", "part"],
    &["what", "is", "each", "share"],
    &["what", "is", "the", "total"],
    &["what", "is", "that"],
    &["what", "is", "it"],
    &["what", "does", "that", "make"],
    &["what", "does", "that", "come", "to"],
    &["what", "does", "it", "come", "to"],
    &["what", "is", "left"],
    &["what", "have", "i", "left"],
    &["how", "much"],
    &["my", "share"],
];

/// Words that mark an amount as one to subtract.
const LESS: &[&str] = &[
    "minus", "less", "discount", "refund", "refunded", "rebate", "voucher", "coupon",
];
/// Words that join an amount to the one before it.
const MORE: &[&str] = &[
    "plus", "and", "with", "then", "another", "also", "extra", "+", ",", "&",
];
/// Words that divide a sum.
const SPLITS: &[&str] = &[
    "split",
    "splitting",
    "divide",
    "divided",
    "share",
    "shared",
    "sharing",
    "between",
    "among",
    "each",
    "equally",
    "evenly",
];
/// Words for those who share a sum.
const SHARERS: &[&str] = &[
    "people",
    "persons",
    "friends",
    "guys",
    "girls",
    "roommates",
    "flatmates",
    "housemates",
    "couples",
    "families",
    "heads",
    "colleagues",
    "others",
];
/// Words after a number that make it something else: a time, a date, an age.
const OTHERWISE: &[&str] = &[
    "am", "pm", "o'clock", "oclock", "minutes", "hours", "km", "miles", "kg", "years", "year",
    "old", "st", "nd", "rd", "th",
];

/// Returns the calculation that a story tells, or `None` if it tells none.
pub(super) fn story(symbols: &[Symbol]) -> Option<Sum> {
    if symbols.len() > SYMBOLS_MAX {
        return None;
    }
    let asked = asked_at(symbols)?;
    let mut told = StoryState::default();
    let mut parser = Parser::new(symbols);
    while parser.at < symbols.len() {
        let at = parser.at;
        if numbers::number(parser.rest()).is_none() && !starts_money(symbols, at)
            || is_article(symbols, at)
        {
            parser.at += 1;
            continue;
        }
        let amount = parser.quantity()?;
        told.take(symbols, at, &mut parser, amount, asked)?;
    }
    let expression = told.expression()?;
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

/// The parts that the numbers of a story have.
#[derive(Default)]
struct StoryState {
    /// The sum up to this point.
    sum: String,
    /// Whether something was computed.
    computed: bool,
    /// The number that the sum is divided by, if any.
    ways: Option<String>,
    /// A number of things whose price comes next.
    count: Option<String>,
}

impl StoryState {
    /// Takes the number that the parser has read, which begins at `from`. Returns `None` if it has no part in the
    /// calculation.
    fn take(
        &mut self,
        symbols: &[Symbol],
        from: usize,
        parser: &mut Parser<'_>,
        amount: String,
        asked: usize,
    ) -> Option<()> {
        let next = word(symbols, parser.at);
        let behind = |words: &[&str]| {
            (parser.at..parser.at + 3).any(|at| words.contains(&word(symbols, at)))
        };
        if OTHERWISE.contains(&next) || amount.contains(' ') {
            return None;
        }
        if amount.ends_with('%') {
            return self.share(&amount, (from, parser.at), symbols);
        }
        let money = amount.contains('.') || starts_money(symbols, from);
        if !money && let Some(ways) = self.sharers(symbols, from, parser.at, &amount) {
            self.ways.is_none().then_some(())?;
            self.ways = Some(ways);
            return Some(());
        }
        if from > asked && self.sum.is_empty() {
            return None;
        }
        let priced = ["each", "apiece", "per", "a", "every"].contains(&next);
        if let Some(count) = self.count.take() {
            return self.add(&format!("{count}*{amount}"), "+", true);
        }
        if !money && !priced && prices_next(symbols, parser.at) {
            self.count = Some(amount);
            return Some(());
        }
        let ahead = word(symbols, from.wrapping_sub(1));
        if !money && !priced && ["at", "on", "in", "since", "by", "until", "from"].contains(&ahead)
        {
            return None;
        }
        let before = from.saturating_sub(3)..from;
        let taken_off = before.clone().any(|at| LESS.contains(&word(symbols, at)))
            || behind(&["discount", "off", "refund"]);
        let joined = before.clone().any(|at| MORE.contains(&word(symbols, at)));
        let sign = match () {
            () if taken_off => "-",
            () if joined || self.sum.is_empty() => "+",
            () => return None,
        };
        self.add(&amount, sign, false)
    }

    fn add(&mut self, amount: &str, sign: &str, computed: bool) -> Option<()> {
        self.computed |= computed || !self.sum.is_empty();
        match (self.sum.is_empty(), sign) {
            (true, "-") => return None,
            (true, _) => self.sum.push_str(amount),
            (false, _) => {
                self.sum.push_str(sign);
                self.sum.push_str(amount);
            }
        }
        Some(())
    }

    /// Applies a share of the sum up to this point: "plus 20% tip", "with 10% off".
    fn share(
        &mut self,
        share: &str,
        (from, end): (usize, usize),
        symbols: &[Symbol],
    ) -> Option<()> {
        let near = |words: &[&str]| {
            (from.saturating_sub(2)..from)
                .chain(end..end + 2)
                .any(|at| words.contains(&word(symbols, at)))
        };
        let sign = match () {
            () if self.sum.is_empty() => return None,
            () if near(&["off", "discount", "less", "minus"]) => "-",
            () if near(&["tip", "tax", "vat", "service", "plus", "gratuity"]) => "+",
            () => return None,
        };
        self.sum = format!("({})*(1{sign}{share})", self.sum);
        self.computed = true;
        Some(())
    }

    /// Returns what to divide the sum by, if the number tells how many share it.
    fn sharers(&self, symbols: &[Symbol], from: usize, end: usize, amount: &str) -> Option<String> {
        let next = word(symbols, end);
        let splits = |at: usize| SPLITS.contains(&word(symbols, at));
        let split = (0..symbols.len()).any(splits);
        let of_us = next == "of" && ["us", "them"].contains(&word(symbols, end + 1));
        let people = SHARERS.contains(&next);
        let beside_me = people
            && (from.saturating_sub(3)..from)
                .any(|at| ["me", "i", "with"].contains(&word(symbols, at)));
        let before = (from.saturating_sub(4)..from).any(splits);
        match () {
            () if next == "ways" || next == "way" => Some(amount.to_owned()),
            () if beside_me && split => Some(format!("({amount}+1)")),
            () if split && (of_us || people) => Some(amount.to_owned()),
            () if before
                && !self.sum.is_empty()
                && ["by", "into", "in", "between", "among"]
                    .contains(&word(symbols, from.wrapping_sub(1))) =>
            {
                Some(amount.to_owned())
            }
            () => None,
        }
    }

    /// Returns the whole calculation, or `None` if nothing is computed.
    fn expression(self) -> Option<String> {
        if self.sum.is_empty() || self.count.is_some() {
            return None;
        }
        match self.ways {
            Some(ways) => Some(format!("({})/{ways}", self.sum)),
            None => self.computed.then_some(self.sum),
        }
    }
}

/// Returns where the question for the result begins, or `None` if there is none.
fn asked_at(symbols: &[Symbol]) -> Option<usize> {
    let begins = |at: usize| {
        ASKS.iter().any(|ask| {
            ask.iter()
                .enumerate()
                .all(|(n, one)| word(symbols, at + n) == *one)
        })
    };
    (0..symbols.len()).rev().find(|at| begins(*at))
}

/// Returns whether a price for each of several things follows: "at 12 each", "for 30 a night".
fn prices_next(symbols: &[Symbol], from: usize) -> bool {
    let joins = (from..from + 4).find(|at| ["at", "for", "@"].contains(&word(symbols, *at)));
    let Some(price) = joins.map(|at| at + 1) else {
        return false;
    };
    let price = price
        + usize::from(
            starts_money(symbols, price) && !matches!(symbols.get(price), Some(Symbol::Number(_))),
        );
    let Some((_, used)) = symbols.get(price..).and_then(numbers::number) else {
        return false;
    };
    (price + used..price + used + 2)
        .any(|at| ["each", "apiece", "per", "a", "every", "one"].contains(&word(symbols, at)))
}

/// Returns whether a currency sign stands at a position.
fn starts_money(symbols: &[Symbol], at: usize) -> bool {
    matches!(symbols.get(at), Some(Symbol::Mark(mark)) if super::units::sign(&mark.to_string()).is_some())
}

/// Returns whether the word is an article or "one", which counts nothing in "the one at the lake".
fn is_article(symbols: &[Symbol], at: usize) -> bool {
    ["one", "a", "an"].contains(&word(symbols, at))
}

/// Returns the word or mark at a position, or an empty string for anything else.
fn word(symbols: &[Symbol], at: usize) -> &str {
    match symbols.get(at) {
        Some(Symbol::Word(word)) => word,
        Some(Symbol::Mark('+')) => "+",
        Some(Symbol::Mark(',')) => ",",
        Some(Symbol::Mark('&')) => "&",
        Some(Symbol::Mark('@')) => "@",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use crate::calc::calculate;
    use crate::time::Policy;

    fn told(text: &str) -> String {
        let now = "2026-01-12T09:00:00-05:00[America/New_York]"
            .parse()
            .expect("a time");
        calculate(text, &now, &Policy::default()).map_or_else(|_| "-".to_owned(), |done| done.value)
    }

    #[test]
    fn sums_told_as_a_story_are_computed() {
        let cases = [
            (
                "the boat was 300 plus 60 for fuel, split four ways what do I owe",
                "90",
            ),
            (
                "dinner was $120 and drinks were $30, split between 3 people, how much each",
                "$50",
            ),
            (
                "the hall costs 400, minus a 40 discount, shared by six of us, what's my share?",
                "60",
            ),
            (
                "we paid 90 for petrol and 30 for parking, how much is that for each of the 4 of us?",
                "30",
            ),
            (
                "3 tickets at 12 each plus 4 for booking, what does that come to",
                "40",
            ),
            (
                "the house is 900 for the week, me and 2 friends are splitting it, what do I owe?",
                "300",
            ),
            (
                "the bill was 80 plus 25% tip, split two ways how much do I owe",
                "50",
            ),
            (
                "groceries 45, wine 30, split 3 ways, how much per person",
                "25",
            ),
        ];
        let wrong: Vec<_> = cases
            .iter()
            .filter(|(text, value)| told(text) != *value)
            .map(|(text, value)| format!("{text}: {} for {value}", told(text)))
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn what_has_other_numbers_or_asks_for_nothing_is_no_story() {
        for text in [
            "the boat was 300 plus 60 for fuel",
            "lunch at 3 pm with 2 friends, how much time do I have",
            "I paid 30 on the 12th, how much is left of it",
            "how much is the rent in 2027",
            "my flight is at 7 and costs 300, what do I owe",
        ] {
            assert_eq!(told(text), "-", "{text}");
        }
    }
}
