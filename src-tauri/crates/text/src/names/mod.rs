//! An index of names in memory that finds the names a message mentions, in whole or in part.
//!
//! The index keeps a name as the stems of its words, without stop words. A message finds the names that share stems
//! with it. Names of which it says most come first, and rare words count more than frequent ones.

mod find;
mod vocabulary;
mod weights;

use std::collections::HashMap;
use std::hash::Hash;

use crate::telling::says_nothing;
use crate::words::{WORD_BYTES_MAX, cut, each_word};
use vocabulary::NameVocabulary;
use weights::Weights;

pub use find::NameMatch;

/// Maximum number of bytes to read of a name.
const NAME_BYTES_MAX: usize = 256;
/// Maximum number of different stems to keep of a name.
const NAME_WORDS_MAX: usize = 16;
/// Divisor of the number of names: compaction starts once removed entries exceed [`GONE_MAX`] plus that fraction.
const GONE_PART: usize = 4;
/// Number of removed entries that never cause a compaction.
const GONE_MAX: usize = 1_000;

/// Prefixes that mail programs put before the subject of a reply or a forwarded mail.
const REPLY_MARKS: [&str; 3] = ["re", "fw", "fwd"];

/// The time that something takes, on any one scale of numbers. A thing without a time uses [`TimeSpan::ALWAYS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeSpan {
    /// When it begins or is due.
    pub from: i64,
    /// When it ends, inclusive.
    pub to: i64,
}

impl TimeSpan {
    /// The span of a thing without a time.
    pub const ALWAYS: Self = Self {
        from: i64::MIN,
        to: i64::MAX,
    };
}

/// An index of the names of things, by the keys of the things.
#[derive(Debug)]
pub struct Names<K> {
    vocabulary: NameVocabulary,
    /// Indexes of entries by stem, in the order they were added.
    holders: Vec<Vec<u32>>,
    entries: Vec<NameEntry<K>>,
    /// Index of the entry of each key.
    places: HashMap<K, u32>,
    weights: Weights,
}

/// The name of a thing. A removed entry has no stems.
#[derive(Clone, Debug)]
struct NameEntry<K> {
    key: K,
    sort: u8,
    stems: Box<[u32]>,
    span: TimeSpan,
}

impl<K> Default for Names<K> {
    fn default() -> Self {
        Self {
            vocabulary: NameVocabulary::default(),
            holders: Vec::new(),
            entries: Vec::new(),
            places: HashMap::new(),
            weights: Weights::default(),
        }
    }
}

impl<K: Copy + Eq + Hash> Names<K> {
    /// Returns the number of names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns whether there are no names.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Adds a name, or replaces the name of the thing. [`Names::find`] limits the results that share a `sort` and a
    /// name, so that they do not crowd out others. A name without words is not kept.
    pub fn put(&mut self, key: K, sort: u8, name: &str, span: TimeSpan) {
        self.remove(key);
        let mut stems = Vec::new();
        each_name_word(name, |word| {
            if stems.len() < NAME_WORDS_MAX
                && let Some(stem) = self.vocabulary.add(word)
                && !stems.contains(&stem)
            {
                stems.push(stem);
            }
        });
        self.insert(NameEntry {
            key,
            sort,
            stems: stems.into(),
            span,
        });
    }

    /// Removes the name of a thing, if it has one.
    pub fn remove(&mut self, key: K) {
        let Some(place) = self.places.remove(&key) else {
            return;
        };
        self.entries[place as usize].stems = Box::default();
        let gone = self.entries.len() - self.places.len();
        if gone > GONE_MAX + self.places.len() / GONE_PART {
            self.compact();
        }
    }

    fn insert(&mut self, entry: NameEntry<K>) {
        let Ok(place) = u32::try_from(self.entries.len()) else {
            return;
        };
        if entry.stems.is_empty() {
            return;
        }
        self.holders
            .resize_with(self.vocabulary.stems(), Vec::default);
        for stem in &entry.stems {
            self.holders[*stem as usize].push(place);
        }
        let changed = entry.stems.clone();
        self.places.insert(entry.key, place);
        self.entries.push(entry);
        self.weights
            .follow(self.entries.len(), &self.holders, &changed);
    }

    /// Drops removed entries. Keeps the vocabulary, because its words are likely to come up again.
    fn compact(&mut self) {
        let entries = std::mem::take(&mut self.entries);
        self.holders.clear();
        self.places.clear();
        self.weights = Weights::default();
        for entry in entries {
            self.insert(entry);
        }
    }
}

/// Passes to `take` the words that find a name: those that are not weak, or all words if every one is weak.
fn each_name_word(name: &str, mut take: impl FnMut(&str)) {
    let name = cut(name, NAME_BYTES_MAX);
    let (mut begun, mut telling) = (false, false);
    each_word(name, WORD_BYTES_MAX, |word| {
        begun |= !is_reply_mark(word);
        if begun && !is_weak(word) {
            telling = true;
            take(word);
        }
    });
    if !telling {
        each_word(name, WORD_BYTES_MAX, take);
    }
}

fn is_reply_mark(word: &str) -> bool {
    REPLY_MARKS.contains(&word)
}

/// Returns whether a word is too weak to find a name by itself: a stop word, or a single letter as contractions leave
/// it.
fn is_weak(word: &str) -> bool {
    says_nothing(word) || (word.len() == 1 && word.bytes().all(|one| one.is_ascii_alphabetic()))
}

#[cfg(test)]
mod tests;
