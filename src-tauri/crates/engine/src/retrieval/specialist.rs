//! Selects the specialist that fits a message, using an index over the specialists' descriptions.

use std::sync::LazyLock;

use adjutant_prompts::{Specialist, specialists};

use super::index::Index;

/// Weight of a specialist's name.
const NAME_WEIGHT: f32 = 2.0;
/// Minimum score; a lower one comes from a single common word.
const SCORE_MIN: f32 = 1.6;
/// Characters of the message to examine: the request comes first, material follows.
const TEXT_CHARS_MAX: usize = 1_000;

/// Returns the best-fitting specialist. `None` if none fits, as for most plain conversation.
#[must_use]
pub fn specialist(text: &str) -> Option<Specialist> {
    static ALL: LazyLock<(Vec<Specialist>, Index)> = LazyLock::new(|| {
        let all: Vec<_> = specialists().collect();
        let index = Index::new(
            all.iter()
                .map(|one| [(NAME_WEIGHT, one.name), (1.0, one.description)]),
        );
        (all, index)
    });
    let (all, index) = &*ALL;
    let head: String = text.chars().take(TEXT_CHARS_MAX).collect();
    let (best, score) = *index.search(&head).first()?;
    (score >= SCORE_MIN).then(|| all.get(best).copied())?
}
