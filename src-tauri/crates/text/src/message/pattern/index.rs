//! Indexes patterns by the words they can begin with, so that a message tries only a few of them.

use std::hash::{BuildHasherDefault, Hasher};

/// Patterns by the number of their possible first words, in one list with offsets.
#[derive(Debug, Default)]
pub(super) struct FirstWords {
    starts: Vec<u32>,
    patterns: Vec<u32>,
}

impl FirstWords {
    /// Builds the index from pairs of word and pattern, in order of patterns.
    pub fn build(pairs: &[(u32, u32)], word_count: usize) -> Self {
        let mut starts = vec![0u32; word_count + 1];
        for &(word, _) in pairs {
            starts[word as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut patterns = vec![0u32; pairs.len()];
        for &(word, pattern) in pairs {
            let slot = &mut next[word as usize];
            patterns[*slot as usize] = pattern;
            *slot += 1;
        }
        Self { starts, patterns }
    }

    /// Returns the patterns that can begin with a word. A pattern may appear twice in a row.
    pub fn of(&self, word: u32) -> &[u32] {
        let at = word as usize;
        match (self.starts.get(at), self.starts.get(at.wrapping_add(1))) {
            (Some(&start), Some(&end)) => &self.patterns[start as usize..end as usize],
            _ => &[],
        }
    }
}

/// A fast hash for the words of the built-in tables. It need not resist attacks: message text is never inserted.
#[derive(Debug, Default)]
pub(super) struct WordHasher(u64);

pub(super) type WordHash = BuildHasherDefault<WordHasher>;

impl Hasher for WordHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0u8; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            // The multiplier is that of FxHash: 2^64 divided by the golden ratio, made odd.
            self.0 = (self.0.rotate_left(5) ^ u64::from_le_bytes(word))
                .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        // Hash tables use both the high and the low bits.
        self.0 ^= self.0 >> 32;
    }
}
