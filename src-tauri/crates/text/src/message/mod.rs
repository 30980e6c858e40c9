//! Reads a message as tokens, sentences and quotations, for all later stages.
//!
//! [`Text::read`] folds Unicode (with offsets back to the original bytes), finds quoted text, splits
//! tokens and sentences, and expands contractions. Nothing here decides what a message means.

mod expand;
pub mod filler;
mod language;
pub mod lemma;
pub mod pattern;
mod quote;
mod sentence;
mod token;
mod typo;

use std::ops::Range;

pub use filler::core_start;
pub use language::{Language, language};
pub use quote::Quotation;
pub use token::{Token, TokenKind};
pub use typo::{Vocabulary, can_be_mistyped, mistyped};

use crate::fold::fold_with_offsets;
use crate::words::cut;

/// Maximum number of bytes to read of a message; the rest is ignored and [`Text::cut`] is set.
/// 64 KB is far above any message a person types and keeps the worst case in milliseconds.
pub const TEXT_BYTES_MAX: usize = 64 * 1024;

/// Maximum number of tokens to keep of a message.
pub const TOKENS_MAX: usize = 16 * 1024;

/// A message, read once and shared by all stages.
#[derive(Debug, Clone)]
pub struct Text<'a> {
    /// The original message, cut to [`TEXT_BYTES_MAX`] at a character boundary.
    pub source: &'a str,
    /// Words, numbers, marks; contractions are already expanded.
    pub tokens: Vec<Token>,
    /// Quoted stretches in order of appearance, outermost only.
    pub quotes: Vec<Quotation>,
    /// Token ranges of the sentences; together they cover all tokens.
    pub sentences: Vec<Range<usize>>,
    /// True if the message was longer than the part that was read.
    pub cut: bool,
}

impl<'a> Text<'a> {
    /// Reads a message. Never fails; an empty message has no tokens.
    #[must_use]
    pub fn read(source: &'a str) -> Self {
        let (kept, mut cut) = truncate(source, TEXT_BYTES_MAX);
        let folded = fold_with_offsets(kept);
        let quotes = quote::find(&folded, kept.len());
        let mut tokens = token::split(&folded, &quotes);
        if tokens.len() > TOKENS_MAX {
            tokens.truncate(TOKENS_MAX);
            cut = true;
        }
        let tokens = expand::expand(tokens);
        let sentences = sentence::split(&tokens, kept);
        Self {
            source: kept,
            tokens,
            quotes,
            sentences,
            cut,
        }
    }

    /// Returns the original text that the tokens in `range` cover. Returns an empty string if the range is empty or out
    /// of bounds.
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> &'a str {
        self.span(range)
            .and_then(|span| self.source.get(span))
            .unwrap_or("")
    }

    /// Returns the byte span in the original that the tokens in `range` cover, or `None` if the range is empty or out
    /// of bounds.
    #[must_use]
    pub fn span(&self, range: Range<usize>) -> Option<Range<usize>> {
        let tokens = self.tokens.get(range)?;
        Some(tokens.first()?.span.start..tokens.last()?.span.end)
    }

    /// Returns only the words, folded, for simple checks.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.tokens
            .iter()
            .filter(|t| t.kind == TokenKind::Word)
            .map(|t| t.word.as_str())
    }
}

/// Cuts `text` to at most `bytes_max` bytes at a character boundary. Returns the text, and whether it was cut.
#[must_use]
pub fn truncate(text: &str, bytes_max: usize) -> (&str, bool) {
    let kept = cut(text, bytes_max);
    (kept, kept.len() < text.len())
}

#[cfg(test)]
mod tests;
