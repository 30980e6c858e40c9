//! How rare the words of a question are among what was found.

use std::collections::{BTreeMap, BTreeSet};

use super::View;
use super::topic::{Topic, stem_set};

/// What a word counts at least that every result has.
const COMMON: f32 = 0.1;

/// In how many of the results seen so far each word stands. What every result has tells none of them from the others.
#[derive(Debug, Default)]
pub struct Rarity {
    seen: usize,
    holders: BTreeMap<String, usize>,
}

impl Rarity {
    /// Counts the results of all searches, each once.
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

    /// What a word counts, up to 1; nothing where no result has it.
    fn weight(&self, stem: &str) -> f32 {
        let Some(holders) = self.holders.get(stem) else {
            return 0.0;
        };
        #[expect(clippy::cast_precision_loss, reason = "a few hundred results")]
        let (all, holders) = (self.seen as f32 + 1.0, *holders as f32 + 0.5);
        ((all / holders).ln() / (all / 0.5).ln()).max(COMMON)
    }

    /// What part of the question's weight a set of stems has, up to 1, rare words counting most.
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
