//! Finding the names that a message mentions.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::{Entry, Names, is_weak};
use crate::words::words;

/// Different words of a message that are looked at.
const MESSAGE_WORDS_MAX: usize = 128;
/// A word of more names than this one finds none of them alone.
const ALONE_MAX: usize = 1_000;
/// Names that are compared with a message at most.
const COMPARED_MAX: usize = 4_000;
/// Frequent words that are looked for in pairs, the rarest of those a message has.
const PAIRED_MAX: usize = 4;
/// Holders of a frequent word that are looked at for a pair, the latest ones.
const PAIR_MAX: usize = 2_000;
/// Names that are put in order for each one that is asked for.
const RANKED_PART: usize = 8;
/// Things of one sort and one name that are given.
const SAME_MAX: usize = 8;
/// What part of a name a message has to say, of 1.
const PART_MIN: f32 = 0.2;

/// A name that a message mentions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mentioned<K> {
    /// Whose name it is.
    pub key: K,
    /// What part of the name the message says, up to 1; rare words are a larger part than frequent ones.
    pub part: f32,
}

/// A word of the message that names have.
struct Said {
    stem: u32,
    /// Whether it finds names alone.
    telling: bool,
}

/// A name that is compared.
struct Scored<'a, K> {
    entry: &'a Entry<K>,
    part: f32,
    weight: f32,
}

impl<K: Copy + Ord + Hash> Names<K> {
    /// The names a message mentions, best first: those of which it says the largest part, then those whose words are
    /// rarest, then what is on at `now` or comes soonest, then what was last, then larger
    /// keys. A word that very many names have, or that says
    /// nothing, finds none alone; two of them may.
    #[must_use]
    pub fn find(&self, message: &str, now: i64, limit: usize) -> Vec<Mentioned<K>> {
        let said = self.said(message);
        let mut wanted = vec![0.0; self.holders.len()];
        for one in &said {
            wanted[one.stem as usize] = self.weights.of(one.stem);
        }
        let mut found: Vec<Scored<'_, K>> = self
            .candidates(&said)
            .into_iter()
            .filter_map(|place| self.score(place, &wanted))
            .collect();
        // Of those that come out alike some are left out below.
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
            .map(|one| Mentioned {
                key: one.entry.key,
                part: one.part,
            })
            .collect()
    }

    /// The words of the message that names have, the rarest first.
    fn said(&self, message: &str) -> Vec<Said> {
        let mut said: Vec<Said> = Vec::new();
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
            // A stem whose names are all too old to be kept has no holders.
            let holders = self.holders.get(stem as usize).map_or(0, Vec::len);
            if holders > 0 && said.iter().all(|one| one.stem != stem) {
                let telling = !weak && holders <= ALONE_MAX;
                said.push(Said { stem, telling });
            }
        }
        said.sort_by_key(|one| self.holders[one.stem as usize].len());
        said
    }

    /// Entries that have a telling word of the message, or two others; none twice.
    fn candidates(&self, said: &[Said]) -> Vec<u32> {
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

    fn score(&self, place: u32, wanted: &[f32]) -> Option<Scored<'_, K>> {
        let entry = &self.entries[place as usize];
        let (mut weight, mut whole) = (0.0, 0.0);
        for stem in &entry.stems {
            weight += wanted[*stem as usize];
            whole += self.weights.of(*stem);
        }
        let part = weight / whole;
        // What is gone has no words, and its part is no number.
        (part >= PART_MIN).then_some(Scored {
            entry,
            part,
            weight,
        })
    }
}

/// What stands in both of two ordered lists, the last first; of the rarer one its last ones are looked at.
fn both(rarer: &[u32], other: &[u32]) -> impl Iterator<Item = u32> {
    let mut others = other.iter().rev().copied().peekable();
    let latest = rarer.iter().rev().take(PAIR_MAX).copied();
    latest.filter(move |place| {
        while others.next_if(|other| other > place).is_some() {}
        others.peek() == Some(place)
    })
}

fn better<K: Ord>(one: &Scored<'_, K>, other: &Scored<'_, K>, now: i64) -> Ordering {
    other
        .part
        .total_cmp(&one.part)
        .then(other.weight.total_cmp(&one.weight))
        .then_with(|| one.distance(now).cmp(&other.distance(now)))
        .then_with(|| other.entry.key.cmp(&one.entry.key))
}

impl<K> Scored<'_, K> {
    /// Whether it is over, and how far it is away.
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
