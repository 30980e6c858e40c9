//! Measures how rare the words of a question are among the search results.

use std::collections::{BTreeMap, BTreeSet};

use super::View;
use super::topic::{Topic, stem_set};

/// Minimum weight of a word that is in any result.
const COMMON: f32 = 0.1;

/// Counts in how many results each word occurs. A word that occurs in every result distinguishes none of them.
#[derive(Debug, Default)]
pub struct Rarity {
    seen: usize,
    holders: BTreeMap<String, usize>,
}

impl Rarity {
    /// Counts the words of the results of all searches, each result once.
    pub fn of(view: &View<'_>) -> Self {
        let mut rarity = Self::default();
        let mut known = BTreeSet::new();
        for hit in view.searches.iter().flat_map(|search| search.hits) {
            if known.insert(hit.address.as_str()) {
                rarity.seen += 1;
                for stem in stem_set(&format!("{} {}", hit.title, hit.snippet)) {
                    *rarity.holders.entry(stem).or_default() += 1;
                }
            }
        }
        rarity
    }

    /// Returns the weight of a word, at most 1; 0 if no result contains it.
    fn weight(&self, stem: &str) -> f32 {
        let Some(holders) = self.holders.get(stem) else {
            return 0.0;
        };
        #[expect(clippy::cast_precision_loss, reason = "a few hundred results")]
        let (all, holders) = (self.seen as f32 + 1.0, *holders as f32 + 0.5);
        ((all / holders).ln() / (all / 0.5).ln()).max(COMMON)
    }

    /// Returns the share of the question's weight that a set of stems covers, at most 1; rare words weigh most.
    pub fn coverage(&self, topic: &Topic, shown: &BTreeSet<String>) -> f32 {
        let (mut part, mut whole) = (0.0, 0.0);
        for (stem, weight) in &topic.stems {
            let weight = weight * self.weight(stem);
            whole += weight;
            if shown.contains(stem) {
                part += weight;
            }
        }
        if whole > 0.0 { part / whole } else { 0.0 }
    }
}
