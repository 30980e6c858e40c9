//! A small lexical index (BM25 over weighted fields) in memory, for some hundreds of entries.

use std::collections::{BTreeMap, HashMap};

use super::words::terms;

/// BM25 term-frequency saturation; the usual value.
const K1: f32 = 1.2;
/// BM25 length normalisation; the usual value.
const B: f32 = 0.75;

/// Entries indexed by their words.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// From a word to the entries that have it, each with the word's weight.
    postings: HashMap<String, Vec<(usize, f32)>>,
    lengths: Vec<f32>,
    mean_length: f32,
}

impl Index {
    /// Builds the index. Each entry is a list of fields with weights.
    pub(super) fn new<'a, F>(entries: impl Iterator<Item = F>) -> Self
    where
        F: IntoIterator<Item = (f32, &'a str)>,
    {
        let mut index = Self::default();
        for (entry, fields) in entries.enumerate() {
            let mut weights = BTreeMap::<String, f32>::new();
            let mut length = 0.0;
            for (weight, text) in fields {
                for term in terms(text) {
                    *weights.entry(term).or_default() += weight;
                    length += weight;
                }
            }
            for (term, weight) in weights {
                index
                    .postings
                    .entry(term)
                    .or_default()
                    .push((entry, weight));
            }
            index.lengths.push(length);
        }
        #[expect(clippy::cast_precision_loss, reason = "some thousands of entries")]
        let count = index.lengths.len().max(1) as f32;
        index.mean_length = (index.lengths.iter().sum::<f32>() / count).max(1.0);
        index
    }

    /// Returns entries that share words with the query, best first; equals keep their order.
    pub(super) fn search(&self, query: &str) -> Vec<(usize, f32)> {
        let mut wanted = terms(query);
        wanted.sort();
        wanted.dedup();
        let mut scores = BTreeMap::<usize, f32>::new();
        for term in &wanted {
            let Some(postings) = self.postings.get(term) else {
                continue;
            };
            let rarity = self.rarity(postings.len());
            for (entry, weight) in postings {
                let length = self.lengths.get(*entry).copied().unwrap_or_default();
                let norm = K1 * (1.0 - B + B * length / self.mean_length);
                *scores.entry(*entry).or_default() +=
                    rarity * weight * (K1 + 1.0) / (weight + norm);
            }
        }
        let mut found: Vec<_> = scores.into_iter().collect();
        found.sort_by(|(a, x), (b, y)| y.total_cmp(x).then(a.cmp(b)));
        found
    }

    #[expect(clippy::cast_precision_loss, reason = "some thousands of entries")]
    fn rarity(&self, having: usize) -> f32 {
        let (all, having) = (self.lengths.len() as f32, having as f32);
        ((all - having + 0.5) / (having + 0.5)).ln_1p()
    }
}

#[cfg(test)]
mod tests {
    use super::Index;

    #[test]
    fn rare_words_and_heavy_fields_decide() {
        let index = Index::new(
            [
                [(2.0, "create task"), (1.0, "writes a task down")],
                [
                    (2.0, "create event"),
                    (1.0, "puts an event into the calendar"),
                ],
                [
                    (2.0, "list event"),
                    (1.0, "lists events; may create nothing"),
                ],
            ]
            .into_iter(),
        );
        let order = |query: &str| -> Vec<usize> {
            index
                .search(query)
                .into_iter()
                .map(|(entry, _)| entry)
                .collect()
        };
        assert_eq!(order("create an event"), [1, 2, 0]);
        assert_eq!(order("calendar"), [1]);
        assert!(order("").is_empty() && order("zebra").is_empty());
    }
}
