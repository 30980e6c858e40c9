//! Finds the names that a message mentions.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::{NameEntry, Names, is_weak};
use crate::words::words;

/// Maximum number of different words to look up in a message.
const MESSAGE_WORDS_MAX: usize = 128;
/// A word that more names than this contain finds no name by itself.
const ALONE_MAX: usize = 1_000;
/// Maximum number of names to compare with a message.
const COMPARED_MAX: usize = 4_000;
/// Maximum number of frequent words to combine in pairs: the rarest ones of the message.
const PAIRED_MAX: usize = 4;
/// Maximum number of entries with the rarer word to examine for a pair: the latest ones.
const PAIR_MAX: usize = 2_000;
/// Number of candidates to rank for each requested result.
const RANKED_PART: usize = 8;
/// Maximum number of results with the same sort and the same name.
const SAME_MAX: usize = 8;
/// Smallest part of a name that a message has to say, between 0 and 1.
const PART_MIN: f32 = 0.2;

/// A name that a message mentions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NameMatch<K> {
    /// Key of the thing that has the name.
    pub key: K,
    /// The part of the name that the message says, at most 1. Rare words count as a larger part than frequent ones.
    pub part: f32,
}

/// A word of the message that names contain.
struct MessageWord {
    stem: u32,
    /// Whether the word finds names by itself.
    telling: bool,
}

/// A name with its score.
struct ScoredName<'a, K> {
    entry: &'a NameEntry<K>,
    part: f32,
    weight: f32,
}

impl<K: Copy + Ord + Hash> Names<K> {
    /// Returns at most `limit` names that a message mentions, best first.
    ///
    /// Names of which the message says the largest part come first, then names with rarer words, then things that are
    /// on at `now` or begin soonest, then things that ended last, then larger keys. A stop word, or a word that very
    /// many names contain, finds no name by itself; two such words together can.
    #[must_use]
    pub fn find(&self, message: &str, now: i64, limit: usize) -> Vec<NameMatch<K>> {
        let said = self.message_words(message);
        let mut wanted = vec![0.0; self.holders.len()];
        for one in &said {
            wanted[one.stem as usize] = self.weights.of(one.stem);
        }
        let mut found: Vec<ScoredName<'_, K>> = self
            .candidates(&said)
            .into_iter()
            .filter_map(|place| self.score(place, &wanted))
            .collect();
        // Rank more than `limit`: the filter below drops names that are alike.
        let most = limit.saturating_mul(RANKED_PART);
        if found.len() > most {
            found.select_nth_unstable_by(most, |one, other| better(one, other, now));
            found.truncate(most);
        }
        found.sort_unstable_by(|one, other| better(one, other, now));
        let mut alike: HashMap<(u8, &[u32]), usize> = HashMap::new();
        found
            .into_iter()
            .filter(|one| {
                let count = alike.entry((one.entry.sort, &one.entry.stems)).or_default();
                *count += 1;
                *count <= SAME_MAX
            })
            .take(limit)
            .map(|one| NameMatch {
                key: one.entry.key,
                part: one.part,
            })
            .collect()
    }

    /// Returns the words of the message that names contain, the rarest first.
    fn message_words(&self, message: &str) -> Vec<MessageWord> {
        let mut said: Vec<MessageWord> = Vec::new();
        let mut seen = HashSet::new();
        for word in words(message) {
            if seen.len() == MESSAGE_WORDS_MAX {
                break;
            }
            let weak = is_weak(&word);
            if !seen.insert(word.clone()) {
                continue;
            }
            let Some(stem) = self.vocabulary.read(&word) else {
                continue;
            };
            // A stem has no holders once all names with it have been removed.
            let holders = self.holders.get(stem as usize).map_or(0, Vec::len);
            if holders > 0 && said.iter().all(|one| one.stem != stem) {
                let telling = !weak && holders <= ALONE_MAX;
                said.push(MessageWord { stem, telling });
            }
        }
        said.sort_by_key(|one| self.holders[one.stem as usize].len());
        said
    }

    /// Returns the entries that contain a telling word of the message, or two of its other words, without duplicates.
    fn candidates(&self, said: &[MessageWord]) -> Vec<u32> {
        let mut found = Vec::new();
        let mut others = Vec::new();
        for one in said {
            let holders = &self.holders[one.stem as usize];
            if one.telling && found.len() + holders.len() <= COMPARED_MAX {
                found.extend(holders);
            } else if others.len() < PAIRED_MAX {
                others.push(holders);
            }
        }
        for (at, rarer) in others.iter().enumerate() {
            for other in &others[at + 1..] {
                let room = COMPARED_MAX.saturating_sub(found.len());
                found.extend(both(rarer, other).take(room));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn score(&self, place: u32, wanted: &[f32]) -> Option<ScoredName<'_, K>> {
        let entry = &self.entries[place as usize];
        let (mut weight, mut whole) = (0.0, 0.0);
        for stem in &entry.stems {
            weight += wanted[*stem as usize];
            whole += self.weights.of(*stem);
        }
        let part = weight / whole;
        // A removed entry has no stems, so its part is NaN and fails the comparison.
        (part >= PART_MIN).then_some(ScoredName {
            entry,
            part,
            weight,
        })
    }
}

/// Returns the elements that two ascending lists share, in descending order. Examines only the last [`PAIR_MAX`]
/// elements of `rarer`.
fn both(rarer: &[u32], other: &[u32]) -> impl Iterator<Item = u32> {
    let mut others = other.iter().rev().copied().peekable();
    let latest = rarer.iter().rev().take(PAIR_MAX).copied();
    latest.filter(move |place| {
        while others.next_if(|other| other > place).is_some() {}
        others.peek() == Some(place)
    })
}

fn better<K: Ord>(one: &ScoredName<'_, K>, other: &ScoredName<'_, K>, now: i64) -> Ordering {
    other
        .part
        .total_cmp(&one.part)
        .then(other.weight.total_cmp(&one.weight))
        .then_with(|| one.distance(now).cmp(&other.distance(now)))
        .then_with(|| other.entry.key.cmp(&one.entry.key))
}

impl<K> ScoredName<'_, K> {
    /// Returns whether the span is over, and how far it is from `now`.
    fn distance(&self, now: i64) -> (bool, u64) {
        let span = self.entry.span;
        if now > span.to {
            (true, now.abs_diff(span.to))
        } else {
            (
                false,
                u64::try_from(span.from.saturating_sub(now)).unwrap_or(0),
            )
        }
    }
}
