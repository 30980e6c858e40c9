//! Phrases that stand for a value, matched at a place in the message, longest first.

use std::collections::HashMap;

use super::said::Piece;

/// Phrases written as `"one | another | and so on"`, read once into a [`Table`].
macro_rules! phrases {
    ($text:literal) => {{
        static PHRASES: std::sync::LazyLock<crate::plan::table::Table<()>> =
            std::sync::LazyLock::new(|| crate::plan::table::Table::new(&[($text, ())]));
        &PHRASES
    }};
}
pub(super) use phrases;

/// Phrases of up to a handful of words, each with what it stands for.
pub(super) struct Table<T> {
    by_first: HashMap<&'static str, Vec<(Vec<&'static str>, T)>>,
}

impl<T: Copy> Table<T> {
    /// A table from lines of `phrase | phrase | …` and their value.
    pub(super) fn new(lines: &[(&'static str, T)]) -> Self {
        let mut by_first: HashMap<&'static str, Vec<(Vec<&'static str>, T)>> = HashMap::new();
        for (phrases, value) in lines {
            for phrase in phrases.split('|') {
                let words: Vec<&'static str> = phrase.split_whitespace().collect();
                if let Some(first) = words.first() {
                    by_first.entry(first).or_default().push((words, *value));
                }
            }
        }
        for list in by_first.values_mut() {
            list.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        }
        Self { by_first }
    }

    /// The longest phrase that begins at `at`: its value and how many pieces it takes.
    pub(super) fn at(&self, pieces: &[Piece], at: usize) -> Option<(T, usize)> {
        let piece = pieces.get(at)?;
        if !piece.is_plain() {
            return None;
        }
        let lists = [
            self.by_first.get(piece.word.as_str()),
            (piece.base != piece.word)
                .then(|| self.by_first.get(piece.base.as_str()))
                .flatten(),
        ];
        lists
            .into_iter()
            .flatten()
            .flat_map(|list| {
                list.iter()
                    .find(|(words, _)| fits(words, pieces, at))
                    .map(|(words, value)| (*value, words.len()))
            })
            .max_by_key(|(_, len)| *len)
    }

    /// What a single word stands for.
    pub(super) fn single(&self, word: &str) -> Option<T> {
        self.by_first
            .get(word)?
            .iter()
            .find(|(words, _)| words.len() == 1)
            .map(|(_, value)| *value)
    }

    /// Phrases of one word.
    pub(super) fn singles(&self) -> impl Iterator<Item = &'static str> {
        self.by_first
            .values()
            .flatten()
            .filter(|(words, _)| words.len() == 1)
            .filter_map(|(words, _)| words.first().copied())
    }

    /// Every single word of every phrase: what the base form of a word is looked up in.
    pub(super) fn words(&self) -> impl Iterator<Item = &'static str> {
        self.by_first
            .values()
            .flatten()
            .flat_map(|(words, _)| words.iter().copied())
    }
}

/// Whether the pieces from `at` on are these words.
pub(super) fn fits(words: &[&str], pieces: &[Piece], at: usize) -> bool {
    words.iter().enumerate().all(|(k, word)| {
        pieces
            .get(at + k)
            .is_some_and(|piece| piece.is_plain() && (piece.word == *word || piece.base == *word))
    })
}
