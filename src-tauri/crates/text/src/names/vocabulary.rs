//! The words of all names, each with the number of its stem.

use std::collections::HashMap;

use crate::message::{can_be_mistyped, mistyped};
use crate::stem::stem;

/// Different words that are known at most; a name is found by those of its words that are.
const WORDS_MAX: usize = 200_000;

/// Words with their numbers.
type Bucket = Vec<(Box<str>, u32)>;

/// Words as they are written in names, by which the words of a message are found: as they are, in another form, or
/// mistyped.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    /// Numbers of stems, by word.
    written: HashMap<Box<str>, u32>,
    /// Numbers of stems, by stem.
    stems: HashMap<Box<str>, u32>,
    /// Words of plain letters, and stems, with the numbers of their stems; by first letter and length.
    plain: HashMap<(u8, usize), Bucket>,
}

impl Vocabulary {
    /// How many stems there are; their numbers are below it.
    pub(super) fn stems(&self) -> usize {
        self.stems.len()
    }

    /// The number of the stem of a folded word, which is added where it is new; none where there are too many words.
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

    /// The number of the stem that a folded word of a message has, or was meant to have.
    pub(super) fn read(&self, word: &str) -> Option<u32> {
        if let Some(known) = self.written.get(word) {
            return Some(*known);
        }
        let known = self.stems.get(stem(word).as_str()).copied();
        known.or_else(|| self.correct(word))
    }

    /// The one stem of which this word is a mistyped form; none where there are several.
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
