//! The grammar. A rule is a method of [`Parser`] that reads from a token index. It returns what it read and the index
//! after that, or `None`; it never reports an error. Rules check the words before an expression at most; they never
//! read back.

mod amount;
mod anchor;
mod clock;
mod clock_words;
mod date;
mod every;
mod moment;
mod month;
mod named;
mod nth;
mod number;
mod part;
mod period;
mod range;
pub(super) mod set;
mod set_parts;
mod set_tail;
mod shift;
mod stretch;
mod zone;

use super::Direction;
use super::model::{Amount, Day, Moment};
use super::resolve::Context;
use super::token::{Token, TokenKind};
pub(super) use moment::BEHIND_HOUR;
use std::cell::{Cell, RefCell};

/// Maximum nesting of expressions ("3 days after the first Monday of next month" is three deep).
const DEPTH_MAX: u8 = 5;
/// Maximum number of rules to try from one place of a text, so that no text takes long.
const STEPS_MAX: u32 = 2000;

/// What was read and the index of the token after it.
pub(super) type ParseResult<T> = Option<(T, usize)>;

/// Token, depth and direction of reading a moment.
type MemoKey = (usize, u8, Direction);

/// An expression of time.
#[derive(Debug, Clone)]
pub(super) enum ParsedExpression {
    Moment(Moment),
    /// From one moment to another.
    Between(Box<Moment>, Box<Moment>),
    Length(Amount),
    Set(Box<set::RecurrenceRule>),
}

/// The tokens of one text, and when the text is read.
pub(super) struct Parser<'a> {
    pub tokens: &'a [Token],
    pub lower: &'a str,
    pub context: &'a Context<'a>,
    depth: Cell<u8>,
    steps: Cell<u32>,
    /// Moments read since the last expression began, by place, depth and direction.
    memo: RefCell<Vec<(MemoKey, ParseResult<Moment>)>>,
    /// Index before which the tokens look like a date or a clock time that does not exist.
    pub broken: Cell<usize>,
}

impl<'a> Parser<'a> {
    pub fn new(tokens: &'a [Token], lower: &'a str, context: &'a Context<'a>) -> Self {
        let (depth, steps, broken) = (Cell::new(0), Cell::new(0), Cell::new(0));
        Parser {
            tokens,
            lower,
            context,
            depth,
            steps,
            memo: RefCell::new(Vec::new()),
            broken,
        }
    }

    /// Returns the longest expression that begins at `i`.
    pub fn expression(&self, i: usize) -> ParseResult<ParsedExpression> {
        self.steps.set(0);
        self.memo.borrow_mut().clear();
        let mut best: ParseResult<ParsedExpression> = self
            .set(i)
            .map(|(rule, end)| (ParsedExpression::Set(Box::new(rule)), end));
        let mut offer = |read: ParseResult<ParsedExpression>| {
            if let Some((said, end)) = read
                && best.as_ref().is_none_or(|b| end > b.1)
            {
                best = Some((said, end));
            }
        };
        offer(self.between(i));
        offer(
            self.moment(i)
                .map(|(m, end)| (ParsedExpression::Moment(m), end)),
        );
        offer(
            self.length(i)
                .map(|(a, end)| (ParsedExpression::Length(a), end)),
        );
        best
    }

    pub fn token(&self, i: usize) -> Option<&'a Token> {
        self.tokens.get(i)
    }

    /// Returns the word at `i` in lower case, or an empty string for any other token.
    pub fn word(&self, i: usize) -> &'a str {
        match self.tokens.get(i) {
            Some(t) if t.kind == TokenKind::Word => &self.lower[t.start..t.end],
            _ => "",
        }
    }

    pub fn is(&self, i: usize, word: &str) -> bool {
        self.word(i) == word
    }

    pub fn one_of(&self, i: usize, words: &[&str]) -> bool {
        let word = self.word(i);
        !word.is_empty() && words.contains(&word)
    }

    pub fn sign(&self, i: usize) -> Option<char> {
        match self.tokens.get(i)?.kind {
            TokenKind::Sign(c) => Some(c),
            _ => None,
        }
    }

    pub fn is_sign(&self, i: usize, c: char) -> bool {
        self.sign(i) == Some(c)
    }

    /// Returns whether token `i` exists and directly follows the one before it.
    pub fn glued(&self, i: usize) -> bool {
        self.tokens.get(i).is_some_and(|t| t.glued)
    }

    /// Returns the number at `i` and how many digits it has.
    pub fn digits(&self, i: usize) -> Option<(u32, usize)> {
        let t = self.tokens.get(i)?;
        (t.kind == TokenKind::Number).then(|| (t.value, t.digits()))
    }

    /// Returns the index after `words` (separated by spaces) if they stand at `i`. Skips a possessive mark or a hyphen
    /// between them.
    pub fn phrase(&self, i: usize, words: &str) -> Option<usize> {
        let mut at = i;
        for word in words.split(' ') {
            if at > i {
                at = self.past_possessive(at);
                // "second-to-last", "mid-night"
                let hyphen = self.is_sign(at, '-') && self.glued(at) && self.glued(at + 1);
                at += usize::from(hyphen);
            }
            if self.word(at) != word {
                return None;
            }
            at += 1;
        }
        Some(at)
    }

    /// Returns the index after the longest of `phrases` that stands at `i`.
    pub fn any_phrase(&self, i: usize, phrases: &[&str]) -> Option<usize> {
        phrases.iter().filter_map(|p| self.phrase(i, p)).max()
    }

    pub fn past(&self, i: usize, words: &[&str]) -> usize {
        if self.one_of(i, words) { i + 1 } else { i }
    }

    pub fn past_sign(&self, i: usize, c: char) -> usize {
        if self.is_sign(i, c) { i + 1 } else { i }
    }

    /// Skips "'s" or a lone apostrophe.
    pub fn past_possessive(&self, i: usize) -> usize {
        let bare = self.is_sign(i, '\'') && self.glued(i);
        let mark = self.token(i).is_some_and(|t| {
            t.kind == TokenKind::Word && self.lower[t.start..t.end].starts_with(['\'', '\u{2019}'])
        });
        if bare || mark { i + 1 } else { i }
    }

    /// Skips a full stop that belongs to an abbreviation: it directly follows a word and does not end the text.
    pub fn past_dot(&self, i: usize) -> usize {
        if self.is_sign(i, '.') && self.glued(i) && i + 1 < self.tokens.len() {
            i + 1
        } else {
            i
        }
    }

    /// Applies a rule one level deeper. Returns `None` if the nesting is too deep or too many rules were tried.
    pub fn deeper<T>(&self, rule: impl FnOnce() -> Option<T>) -> Option<T> {
        if self.depth.get() >= DEPTH_MAX || !self.step() {
            return None;
        }
        self.depth.set(self.depth.get() + 1);
        let read = rule();
        self.depth.set(self.depth.get() - 1);
        read
    }

    /// Counts a step. Returns false if too many rules were tried.
    pub fn step(&self) -> bool {
        self.steps.set(self.steps.get() + 1);
        self.steps.get() < STEPS_MAX
    }

    /// Returns how many rules were tried for the last expression.
    pub fn steps_taken(&self) -> u32 {
        self.steps.get()
    }

    /// Marks the tokens before `end` as a date that does not exist.
    pub fn mark_broken(&self, end: usize) {
        self.broken.set(self.broken.get().max(end));
    }
}

/// Returns a day that is already resolved.
fn resolved_day(stretch: super::model::Stretch) -> Day {
    Day {
        within: Some(stretch),
        ..Day::default()
    }
}
