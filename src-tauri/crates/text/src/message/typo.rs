//! Bounded tolerance for typing mistakes, against a closed vocabulary only.

use strsim::{hamming, osa_distance};

/// Words shorter than this are never corrected: too many real words are one edit apart.
const TYPO_CHARS_MIN: usize = 5;

/// A closed vocabulary that unknown words may be corrected to.
#[derive(Debug, Default)]
pub struct Vocabulary {
    /// Words by first letter (a to z) and then by length, with the caller's number.
    buckets: Vec<Vec<(&'static str, u32)>>,
}

impl Vocabulary {
    /// Adds a word under the caller's number. Words that are short or not plain letters are skipped.
    pub fn add(&mut self, word: &'static str, number: u32) {
        if word.len() < TYPO_CHARS_MIN || !word.bytes().all(|b| b.is_ascii_lowercase()) {
            return;
        }
        if self.buckets.is_empty() {
            self.buckets.resize_with(26, Vec::new);
        }
        let slot = usize::from(word.as_bytes()[0] - b'a');
        self.buckets[slot].push((word, number));
    }

    /// The number of the one word within a single edit of `word`; nothing when there is none or
    /// several. The first letter must be right, as people rarely miss it, and five-letter words
    /// are corrected only for swapped or missing letters.
    #[must_use]
    pub fn correct(&self, word: &str) -> Option<u32> {
        if word.len() < TYPO_CHARS_MIN - 1 || word.len() > 20 {
            return None;
        }
        if !word.bytes().all(|b| b.is_ascii_lowercase()) {
            return None;
        }
        let slot = usize::from(word.as_bytes()[0] - b'a');
        let mut found = None;
        for (candidate, number) in self.buckets.get(slot)? {
            if candidate.len().abs_diff(word.len()) > 1 {
                continue;
            }
            let short = word.len() <= TYPO_CHARS_MIN;
            if short && candidate.len() == word.len() && !is_swap(candidate, word) {
                continue;
            }
            if short && candidate.len() < word.len() {
                continue;
            }
            if within_one_edit(candidate, word) {
                if found.is_some_and(|other| other != *number) {
                    return None;
                }
                found = Some(*number);
            }
        }
        found
    }
}

/// Whether swapping two neighbours turns one into the other.
fn is_swap(a: &str, b: &str) -> bool {
    within_one_edit(a, b) && hamming(a, b) == Ok(2)
}

/// True when one insertion, deletion, change or swap of neighbours turns `a` into `b` (or none).
pub(super) fn within_one_edit(a: &str, b: &str) -> bool {
    osa_distance(a, b) <= 1
}
