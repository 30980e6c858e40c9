//! An index of names in memory: which of them a message mentions, in whole or in part.
//!
//! A name is the stems of those of its words that say something. A message finds the names it has stems in common with:
//! those of which it says most come first, and rare words say more than frequent ones.

mod find;
mod vocabulary;
mod weights;

use std::collections::HashMap;
use std::hash::Hash;

use crate::telling::says_nothing;
use crate::words::{WORD_BYTES_MAX, cut, each_word};
use vocabulary::Vocabulary;
use weights::Weights;

pub use find::Mentioned;

/// How much of a name is read, in bytes.
const NAME_BYTES_MAX: usize = 256;
/// Different words of a name that are kept.
const NAME_WORDS_MAX: usize = 16;
/// Names that may be gone for each one that is left, before the index is put together anew.
const GONE_PART: usize = 4;
/// Names that may be gone in any case.
const GONE_MAX: usize = 1_000;

/// What mail programs put before the subject they answer or forward.
const REPLY_MARKS: [&str; 3] = ["re", "fw", "fwd"];

/// From when to when something is, as numbers on one scale; what has no time is always.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// When it begins, or comes.
    pub from: i64,
    /// When it is over.
    pub to: i64,
}

impl Span {
    /// The span of what has no time.
    pub const ALWAYS: Self = Self {
        from: i64::MIN,
        to: i64::MAX,
    };
}

/// Names of things, each known by a key.
#[derive(Debug)]
pub struct Names<K> {
    vocabulary: Vocabulary,
    /// Entries by stem, in the order they were added.
    holders: Vec<Vec<u32>>,
    entries: Vec<Entry<K>>,
    /// The entry of each key.
    places: HashMap<K, u32>,
    weights: Weights,
}

/// A name. What is gone has no stems.
#[derive(Clone, Debug)]
struct Entry<K> {
    key: K,
    sort: u8,
    stems: Box<[u32]>,
    span: Span,
}

impl<K> Default for Names<K> {
    fn default() -> Self {
        Self {
            vocabulary: Vocabulary::default(),
            holders: Vec::new(),
            entries: Vec::new(),
            places: HashMap::new(),
            weights: Weights::default(),
        }
    }
}

impl<K: Copy + Eq + Hash> Names<K> {
    /// How many names there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Adds a name, or gives the thing another one. `sort` says what sort of thing it is: things of one sort and one name
    /// do not crowd out others.
    pub fn put(&mut self, key: K, sort: u8, name: &str, span: Span) {
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
        self.insert(Entry {
            key,
            sort,
            stems: stems.into(),
            span,
        });
    }

    /// Removes a name, if there is one.
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

    fn insert(&mut self, entry: Entry<K>) {
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

    /// Forgets what is gone. Words stay: they come again.
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

/// Gives the words by which a name is found: those that say something; all of them when none does.
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

/// Words that do not find a name alone: those that say nothing, and single letters, which contractions leave.
fn is_weak(word: &str) -> bool {
    says_nothing(word) || (word.len() == 1 && word.bytes().all(|one| one.is_ascii_alphabetic()))
}

#[cfg(test)]
mod tests;
