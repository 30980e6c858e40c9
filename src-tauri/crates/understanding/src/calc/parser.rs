//! Reads symbols from left to right: numbers, units, functions, and the operators that join them.

use super::numbers;
use super::symbols::Symbol;
use super::units::{self, Currency, NAME_WORDS_MAX};

/// Largest product of all exponents in one expression; keeps numbers below a few thousand digits.
const EXPONENTS_MAX: u64 = 1000;

/// Largest number to take the factorial of.
const FACTORIAL_MAX: u64 = 200;

/// Maximum nesting of brackets and functions.
const DEPTH_MAX: usize = 20;

/// A position in the symbols, and what was found on the way there.
pub(super) struct Parser<'a> {
    symbols: &'a [Symbol],
    pub(super) at: usize,
    depth: usize,
    exponents: u64,
    /// Whether something was computed: a lone number or unit is no calculation.
    pub(super) worthwhile: bool,
    /// Currency of the amounts, if there are any.
    pub(super) currency: Option<Currency>,
    /// Whether one sum has two currencies.
    pub(super) mixed_money: bool,
}

impl<'a> Parser<'a> {
    pub(super) fn new(symbols: &'a [Symbol]) -> Self {
        Self {
            symbols,
            at: 0,
            depth: 0,
            exponents: 1,
            worthwhile: false,
            currency: None,
            mixed_money: false,
        }
    }

    pub(super) fn rest(&self) -> &'a [Symbol] {
        &self.symbols[self.at.min(self.symbols.len())..]
    }

    pub(super) fn word(&mut self, word: &str) -> bool {
        let fits = matches!(self.rest().first(), Some(Symbol::Word(w)) if w == word);
        self.at += usize::from(fits);
        fits
    }

    pub(super) fn words(&mut self, words: &[&str]) -> bool {
        let fits = words.len() <= self.rest().len()
            && words
                .iter()
                .zip(self.rest())
                .all(|(word, symbol)| matches!(symbol, Symbol::Word(w) if w == word));
        self.at += if fits { words.len() } else { 0 };
        fits
    }

    pub(super) fn any(&mut self, options: &[&[&str]]) -> bool {
        options.iter().any(|option| self.words(option))
    }

    pub(super) fn mark(&mut self, mark: char) -> bool {
        let fits = matches!(self.rest().first(), Some(Symbol::Mark(m)) if *m == mark);
        self.at += usize::from(fits);
        fits
    }

    pub(super) fn skip_article(&mut self) {
        let _ = self.any(&[&["the"], &["a"], &["an"]]);
    }

    /// Skips politeness and words such as "equal to" after a calculation.
    pub(super) fn skip_tail(&mut self) {
        while self.any(&[
            &["please"],
            &["thanks"],
            &["equal", "to"],
            &["equals"],
            &["equal"],
            &["be"],
            &["is"],
            &["make"],
            &["people"],
            &["ways"],
            &["for", "me"],
            &["worth"],
            &["total"],
            &["altogether"],
            &["in", "total"],
            &["what", "is", "that"],
            &["how", "much", "is", "that"],
            &["what", "do", "i", "get"],
            &["what", "do", "i", "earn"],
            &["what", "do", "i", "make"],
            &["how", "much", "do", "i", "get"],
            &["before", "tax"],
            &["before", "taxes"],
        ]) || self.mark(',')
            || self.mark('=')
            || self.mark('?')
        {}
    }

    /// Reads a plain expression: terms joined by + and −.
    pub(super) fn sum(&mut self) -> Option<String> {
        let mut out = self.product()?;
        loop {
            let op = if self.mark('+') || self.any(&[&["plus"], &["added", "to"]]) {
                "+"
            } else if self.mark('-') || self.any(&[&["minus"], &["less"], &["subtract"]]) {
                "-"
            } else {
                return Some(out);
            };
            self.worthwhile = true;
            let right_start = self.at;
            let right = self.product()?;
            out = if self.is_percent(right_start) {
                format!("({out})*(1{op}{right})")
            } else {
                format!("{out}{op}{right}")
            };
        }
    }

    /// Returns whether the symbols since `from` are a percentage: "80 plus 20%" adds a share of 80, as people mean it.
    pub(super) fn is_percent(&self, from: usize) -> bool {
        matches!(&self.symbols[from..self.at], [_, Symbol::Mark('%')])
            || matches!(&self.symbols[from..self.at], [_, Symbol::Word(w)] if w == "percent")
    }

    pub(super) fn product(&mut self) -> Option<String> {
        let mut out = self.power()?;
        loop {
            let op = if self.mark('*') || self.any(&[&["times"], &["multiplied", "by"], &["x"]]) {
                "*"
            } else if self.mark('/')
                || self.any(&[&["divided", "by"], &["over"], &["divide", "by"], &["by"]])
            {
                "/"
            } else if self.any(&[&["mod"], &["modulo"]]) {
                " mod "
            } else if self.of() {
                "*"
            } else {
                return Some(out);
            };
            self.worthwhile = true;
            out = format!("{out}{op}{}", self.power()?);
        }
    }

    /// Reads "of", which multiplies only after a share: "15% of 240", "half of 80".
    pub(super) fn of(&mut self) -> bool {
        let behind_share = self
            .at
            .checked_sub(1)
            .is_some_and(|i| match &self.symbols[i] {
                Symbol::Mark('%') => true,
                Symbol::Word(w) => w == "percent" || numbers::part(w).is_some(),
                _ => false,
            });
        behind_share && self.word("of")
    }

    pub(super) fn power(&mut self) -> Option<String> {
        let base = self.unary()?;
        if self.mark('^') || self.any(&[&["to", "the", "power", "of"], &["raised", "to"]]) {
            let negative = self.mark('-');
            let (exponent, used) = numbers::number(self.rest())?;
            self.at += used;
            return self.raise(&base, &exponent, negative);
        }
        if self.word("squared") {
            return self.raise(&base, "2", false);
        }
        if self.word("cubed") {
            return self.raise(&base, "3", false);
        }
        if self.mark('!') || self.word("factorial") {
            self.worthwhile = true;
            let small = base.parse::<u64>().is_ok_and(|n| n <= FACTORIAL_MAX);
            return small.then(|| format!("{base}!"));
        }
        Some(base)
    }

    pub(super) fn raise(&mut self, base: &str, exponent: &str, negative: bool) -> Option<String> {
        self.worthwhile = true;
        let size = exponent.parse::<f64>().ok()?.abs().ceil();
        if size.is_nan() || size > EXPONENTS_MAX as f64 {
            return None;
        }
        self.exponents = self.exponents.saturating_mul((size as u64).max(1));
        let sign = if negative { "-" } else { "" };
        (self.exponents <= EXPONENTS_MAX).then(|| format!("({base})^({sign}{exponent})"))
    }

    pub(super) fn unary(&mut self) -> Option<String> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return None;
        }
        let out = self.unary_inner();
        self.depth -= 1;
        out
    }

    pub(super) fn unary_inner(&mut self) -> Option<String> {
        if self.mark('-') || self.any(&[&["minus"], &["negative"]]) {
            return Some(format!("(-{})", self.power()?));
        }
        let article = self.at;
        self.skip_article();
        for (names, function) in FUNCTIONS {
            if self.any(names) {
                let _ = self.word("of");
                self.worthwhile = true;
                return Some(format!("{function}({})", self.unary()?));
            }
        }
        for (names, factor) in FACTORS {
            if self.any(names) {
                let _ = self.word("of");
                self.worthwhile = true;
                self.skip_article();
                return Some(format!("({factor})*{}", self.power()?));
            }
        }
        self.at = article;
        if self.mark('(') {
            let inner = self.sum()?;
            return self.mark(')').then(|| format!("({inner})"));
        }
        self.quantity()
    }

    /// Reads a number with a unit, a currency or a percent sign.
    pub(super) fn quantity(&mut self) -> Option<String> {
        if let Some(Symbol::Mark(mark)) = self.rest().first()
            && let Some(currency) = units::sign(&mark.to_string())
        {
            self.at += 1;
            self.pay(currency);
        }
        let (number, used) = self.counted()?;
        self.at += used;
        if self.mark('%') || self.any(&[&["percent"], &["per", "cent"]]) {
            return Some(format!("{number}%"));
        }
        if let Some((currency, used)) = self.longest_name(units::currency)
            && self
                .longest_name(units::unit)
                .is_none_or(|(unit, _)| unit.name == "lb" && self.currency.is_some())
        {
            self.at += used;
            self.pay(currency);
            return Some(number);
        }
        if let Some(Symbol::Mark(mark)) = self.rest().first()
            && let Some(currency) = units::sign(&mark.to_string())
        {
            self.at += 1;
            self.pay(currency);
            return Some(number);
        }
        if let Some((unit, used)) = self.longest_name(units::unit) {
            self.at += used;
            return Some(format!("({number} {})", unit.name));
        }
        Some(number)
    }

    /// Reads a number in digits, in words, or hexadecimal with a leading "0x".
    pub(super) fn counted(&mut self) -> Option<(String, usize)> {
        if let Some(found) = numbers::number(self.rest()) {
            return Some(found);
        }
        if let Some(Symbol::Word(word)) = self.rest().first() {
            let hexadecimal = word.strip_prefix("0x").is_some_and(|h| {
                !h.is_empty() && h.len() <= 16 && h.chars().all(|c| c.is_ascii_hexdigit())
            });
            if hexadecimal {
                return Some((word.clone(), 1));
            }
        }
        None
    }

    pub(super) fn pay(&mut self, currency: Currency) {
        if self.currency.is_some_and(|other| other != currency) {
            self.mixed_money = true;
        }
        self.currency = Some(currency);
    }

    /// Returns the longest unit or currency name at this point, and how many symbols it takes.
    pub(super) fn longest_name<T>(&self, lookup: fn(&str) -> Option<T>) -> Option<(T, usize)> {
        (1..=NAME_WORDS_MAX).rev().find_map(|length| {
            let words = self.rest().get(..length)?;
            let phrase = words
                .iter()
                .map(|symbol| match symbol {
                    Symbol::Word(word) => Some(word.as_str()),
                    _ => None,
                })
                .collect::<Option<Vec<_>>>()?
                .join(" ");
            Some((lookup(&phrase)?, length))
        })
    }
}

/// Functions, with the names that people use for them.
const FUNCTIONS: &[(&[&[&str]], &str)] = &[
    (&[&["square", "root"], &["sqrt"], &["root"]], "sqrt"),
    (&[&["cube", "root"], &["cbrt"], &["cubic", "root"]], "cbrt"),
    (&[&["sine"], &["sin"]], "sin"),
    (&[&["cosine"], &["cos"]], "cos"),
    (&[&["tangent"], &["tan"]], "tan"),
    (&[&["natural", "log"], &["ln"]], "ln"),
    (&[&["logarithm"], &["log"]], "log10"),
    (&[&["absolute", "value"], &["abs"]], "abs"),
];

/// Words that multiply what follows.
const FACTORS: &[(&[&[&str]], &str)] = &[
    (&[&["half", "of"], &["one", "half", "of"], &["half"]], "1/2"),
    (&[&["third", "of"]], "1/3"),
    (&[&["quarter", "of"]], "1/4"),
    (&[&["fifth", "of"]], "1/5"),
    (&[&["tenth", "of"]], "1/10"),
    (&[&["double"], &["twice"]], "2"),
    (&[&["triple"], &["three", "times"]], "3"),
];
