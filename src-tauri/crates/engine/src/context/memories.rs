//! Selects the memories that a model sees, dropping those with the lowest scores.

use adjutant_domain::event::{DropReason, Dropped};
use adjutant_domain::ids::RecordId;
use adjutant_domain::record::{Memory, MemorySource};
use jiff::Timestamp;

use adjutant_domain::model::tokens::estimate;

/// Memories below this importance are never shown (D1).
pub const IMPORTANCE_MIN: f64 = 0.3;
/// Maximum length of a fact in characters.
const VALUE_CHARS_MAX: usize = 400;
/// Weights for relevance to the message, importance and recency.
const WEIGHTS: (f64, f64, f64) = (0.6, 0.25, 0.15);
/// Days after which the recency of a memory has fallen to 1/e, about a third.
const FADE_DAYS: f64 = 90.0;

/// Returns how much a memory matters in itself, from 0 to 1: by its category, confidence and number of uses. A memory
/// read in foreign text and not kept by the person has none.
#[must_use]
pub fn importance(memory: &Memory) -> f64 {
    let kind = match memory.category.as_str() {
        "preference" => 0.9,
        "person" | "relationship" => 0.8,
        "fact" | "place" | "date" => 0.7,
        _ => 0.6,
    };
    let source = match memory.source {
        MemorySource::Said => 1.0,
        MemorySource::Inferred => 0.8,
        MemorySource::Read => return 0.0,
    };
    #[expect(
        clippy::cast_precision_loss,
        reason = "a count of uses is far below 2^52"
    )]
    let used = (memory.uses.max(0) as f64).ln_1p() * 0.05;
    let confidence = if memory.confidence.is_finite() {
        memory.confidence.clamp(0.0, 1.0)
    } else {
        0.0
    };
    ((kind + used) * source * confidence).clamp(0.0, 1.0)
}

/// Returns the score of a memory found at place `rank`, where 0 is the best.
fn score(memory: &Memory, rank: usize, now: Timestamp) -> f64 {
    #[expect(
        clippy::cast_precision_loss,
        reason = "ranks and ages are far below 2^52"
    )]
    let (rank, age_days) = (
        rank as f64,
        (now.as_second() - memory.updated.as_second()).max(0) as f64 / 86_400.0,
    );
    let (fit, important, new) = WEIGHTS;
    fit / (1.0 + rank * 0.2) + important * importance(memory) + new * (-age_days / FADE_DAYS).exp()
}

/// The memories that a model sees.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShownMemories {
    /// One line per memory, best first.
    pub text: String,
    /// Ids of the memories.
    pub ids: Vec<RecordId>,
    /// Tokens of the text.
    pub tokens: u64,
    /// What was dropped.
    pub dropped: Vec<Dropped>,
}

/// Keeps the best memories of `found` (best match first) within `budget` tokens.
#[must_use]
pub fn keep(found: &[&Memory], now: Timestamp, budget: u64) -> ShownMemories {
    let mut kept = ShownMemories::default();
    let mut scored: Vec<(f64, &Memory)> = Vec::with_capacity(found.len());
    let (mut unimportant, mut full) = (Drops::default(), Drops::default());
    for (rank, memory) in found.iter().copied().enumerate() {
        if importance(memory) < IMPORTANCE_MIN {
            unimportant.add(estimate(&line(memory)));
        } else {
            scored.push((score(memory, rank, now), memory));
        }
    }
    // Sort by score; the stable sort leaves equals in order of relevance.
    scored.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    for (_, memory) in scored {
        let line = line(memory);
        // Count each line with its break, plus one token for rounding.
        let cost = estimate(&format!("{line}\n")) + 1;
        // Stop at the first that does not fit: a worse memory must not replace a better one.
        if full.items > 0 || kept.tokens + cost > budget {
            full.add(cost);
            continue;
        }
        kept.tokens += cost;
        if !kept.text.is_empty() {
            kept.text.push('\n');
        }
        kept.text.push_str(&line);
        kept.ids.push(memory.id.clone());
    }
    kept.dropped
        .extend(unimportant.because(DropReason::Unimportant));
    kept.dropped.extend(full.because(DropReason::OverBudget));
    kept
}

fn line(memory: &Memory) -> String {
    let value: String = memory
        .value
        .chars()
        .take(VALUE_CHARS_MAX)
        .map(|c| if c == '\n' { ' ' } else { c })
        .collect();
    let unsure = if memory.source == MemorySource::Inferred {
        " (inferred)"
    } else {
        ""
    };
    if memory.key.is_empty() {
        format!("- {value}{unsure}")
    } else {
        format!("- {}: {value}{unsure}", memory.key)
    }
}

/// Counts what was dropped for one reason.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Drops {
    pub(super) items: u64,
    pub(super) tokens: u64,
}

impl Drops {
    pub(super) fn add(&mut self, tokens: u64) {
        self.items += 1;
        self.tokens += tokens;
    }

    pub(super) fn because(self, why: DropReason) -> Option<Dropped> {
        (self.items > 0).then_some(Dropped {
            items: self.items,
            tokens: self.tokens,
            why,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn memory(key: &str, category: &str, source: MemorySource, confidence: f64) -> Memory {
        let at = "2026-01-12T09:00:00Z".parse().expect("a time");
        Memory {
            id: RecordId(format!("mem_{key}")),
            category: category.into(),
            key: key.into(),
            value: format!("the value of {key}"),
            source,
            origin: String::new(),
            confidence,
            valid_from: at,
            valid_to: None,
            uses: 0,
            last_used: None,
            created: at,
            updated: at,
            version: 1,
        }
    }

    fn now() -> Timestamp {
        "2026-01-13T09:00:00Z".parse().expect("a time")
    }

    #[test]
    fn the_unimportant_and_the_unconfirmed_stay_out() {
        let found = [
            memory("wifi", "fact", MemorySource::Said, 1.0),
            memory("guess", "other", MemorySource::Inferred, 0.4),
            memory("mail says", "fact", MemorySource::Read, 1.0),
            memory("broken", "fact", MemorySource::Said, f64::NAN),
            memory("tea", "preference", MemorySource::Inferred, 0.9),
        ];
        let kept = keep(&found.iter().collect::<Vec<_>>(), now(), 1_500);
        let ids: Vec<_> = kept.ids.iter().map(|id| id.0.as_str()).collect();
        assert_eq!(ids, ["mem_wifi", "mem_tea"]);
        assert_eq!(
            kept.text,
            "- wifi: the value of wifi\n- tea: the value of tea (inferred)"
        );
        let [dropped] = &kept.dropped[..] else {
            panic!("{:?}", kept.dropped);
        };
        assert_eq!((dropped.items, dropped.why), (3, DropReason::Unimportant));
    }

    #[test]
    fn the_lowest_scored_goes_first() {
        let mut old = memory("old", "fact", MemorySource::Said, 1.0);
        old.updated = "2020-01-01T00:00:00Z".parse().expect("a time");
        let found = [
            memory("best", "fact", MemorySource::Said, 1.0),
            old,
            memory("new", "preference", MemorySource::Said, 1.0),
        ];
        let whole = keep(&found.iter().collect::<Vec<_>>(), now(), 1_500);
        let tight = keep(&found.iter().collect::<Vec<_>>(), now(), whole.tokens - 1);
        let ids: Vec<_> = tight.ids.iter().map(|id| id.0.as_str()).collect();
        assert_eq!(ids, ["mem_best", "mem_new"]);
        assert_eq!(tight.dropped[0].why, DropReason::OverBudget);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn the_budget_is_kept(
            values in prop::collection::vec((".{0,300}", 0.0_f64..1.2, 0_i64..1000), 0..40),
            budget in 0_u64..2_000,
        ) {
            let found: Vec<_> = values.into_iter().map(|(value, confidence, uses)| Memory {
                value,
                uses,
                ..memory("k", "fact", MemorySource::Said, confidence)
            }).collect();
            let kept = keep(&found.iter().collect::<Vec<_>>(), now(), budget);
            prop_assert!(kept.tokens <= budget);
            prop_assert!(estimate(&kept.text) <= kept.tokens);
            let dropped: u64 = kept.dropped.iter().map(|one| one.items).sum();
            prop_assert_eq!(kept.ids.len() as u64 + dropped, found.len() as u64);
        }
    }
}
