//! The words of all names, each with the number of its stem.

use std::collections::HashMap;

use crate::message::{can_be_mistyped, mistyped};
use crate::stem::stem;

/// Maximum number of different words to keep. Later words are dropped, and names are found only by the words that are
/// kept.
const WORDS_MAX: usize = 200_000;

/// Words with the numbers of their stems.
type Bucket = Vec<(Box<str>, u32)>;

/// The words that names contain. A word of a message matches one of them as it is, in another form, or mistyped.
#[derive(Debug, Default)]
pub(super) struct NameVocabulary {
    /// Number of the stem of each written word.
    written: HashMap<Box<str>, u32>,
    /// Number of each stem.
    stems: HashMap<Box<str>, u32>,
    /// Words and stems that can be matched when mistyped, with the numbers of their stems, by first letter and length.
    plain: HashMap<(u8, usize), Bucket>,
}

impl NameVocabulary {
    /// Returns the number of stems. All numbers of stems are below it.
    pub(super) fn stems(&self) -> usize {
        self.stems.len()
    }

    /// Returns the number of the stem of a folded word, and adds the word if it is new. Returns `None` for a new word
    /// if the vocabulary is full.
    pub(super) fn add(&mut self, word: &str) -> Option<u32> {
        if let Some(known) = self.written.get(word) {
            return Some(*known);
        }
        if self.written.len() >= WORDS_MAX {
            return None;
        }
        let next = u32::try_from(self.stems.len()).ok()?;
        let stem = stem(word);
        let number = *self.stems.entry(stem.as_str().into()).or_insert(next);
        self.written.insert(word.into(), number);
        self.add_plain(word, number);
        if number == next && stem != word {
            self.add_plain(&stem, number);
        }
        Some(number)
    }

    fn add_plain(&mut self, word: &str, number: u32) {
        if can_be_mistyped(word) {
            let place = (word.as_bytes()[0], word.len());
            let all = self.plain.entry(place).or_default();
            all.push((word.into(), number));
        }
    }

    /// Returns the number of the stem of a folded word from a message, mistyped or not, or `None` if no name contains
    /// it.
    pub(super) fn read(&self, word: &str) -> Option<u32> {
        if let Some(known) = self.written.get(word) {
            return Some(*known);
        }
        let known = self.stems.get(stem(word).as_str()).copied();
        known.or_else(|| self.correct(word))
    }

    /// Returns the one stem that `word` may be a mistyped form of, or `None` if there are none or several.
    fn correct(&self, word: &str) -> Option<u32> {
        let first = *word.as_bytes().first()?;
        let mut found = None;
        for length in word.len().saturating_sub(1)..=word.len() + 1 {
            for (known, number) in self.plain.get(&(first, length)).into_iter().flatten() {
                if mistyped(word, known) {
                    if found.is_some_and(|other| other != *number) {
                        return None;
                    }
                    found = Some(*number);
                }
            }
        }
        found
    }
}
