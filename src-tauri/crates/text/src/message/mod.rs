//! Reading a message as words: the ground every other part of the crate stands on.
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
pub use quote::Quoted;
pub use token::{Kind, Token};
pub use typo::{Vocabulary, can_be_mistyped, mistyped};

use crate::fold::fold_with_offsets;
use crate::words::cut;

/// Bytes of a message that are read; what follows is left unread and [`Text::cut`] says so.
/// 64 KB is far above any message a person types and keeps the worst case in milliseconds.
pub const TEXT_BYTES_MAX: usize = 64 * 1024;

/// Tokens kept from one message.
pub const TOKENS_MAX: usize = 16 * 1024;

/// A message, read once and shared by all stages.
#[derive(Debug, Clone)]
pub struct Text<'a> {
    /// The original message, cut to [`TEXT_BYTES_MAX`] at a character boundary.
    pub source: &'a str,
    /// Words, numbers, marks; contractions are already expanded.
    pub tokens: Vec<Token>,
    /// Quoted stretches in order of appearance, outermost only.
    pub quotes: Vec<Quoted>,
    /// Token ranges of the sentences; together they cover all tokens.
    pub sentences: Vec<Range<usize>>,
    /// True when the message was longer than what was read.
    pub cut: bool,
}

impl<'a> Text<'a> {
    /// Reads a message. Never fails: any text at all has tokens, if only zero of them.
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

    /// The original bytes that the tokens `range` cover, or an empty string for an empty range.
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> &'a str {
        self.span(range)
            .and_then(|span| self.source.get(span))
            .unwrap_or("")
    }

    /// The byte span in the original that the tokens `range` cover.
    #[must_use]
    pub fn span(&self, range: Range<usize>) -> Option<Range<usize>> {
        let tokens = self.tokens.get(range)?;
        Some(tokens.first()?.span.start..tokens.last()?.span.end)
    }

    /// Words only, folded: what simple checks look at.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.tokens
            .iter()
            .filter(|t| t.kind == Kind::Word)
            .map(|t| t.word.as_str())
    }
}

/// Cuts `text` to at most `bytes_max` bytes without splitting a character.
#[must_use]
pub fn truncate(text: &str, bytes_max: usize) -> (&str, bool) {
    let kept = cut(text, bytes_max);
    (kept, kept.len() < text.len())
}

#[cfg(test)]
mod tests;
