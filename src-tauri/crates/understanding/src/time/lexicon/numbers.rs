//! Number words and ordinal words.

use adjutant_text::number;

use super::{LexicalEntry, entry};
use std::collections::HashMap;

/// Largest factor that times are counted in.
const SCALE_MAX: u64 = 1_000_000;

/// Adds the words for numbers to `words`.
pub(super) fn fill(words: &mut HashMap<&'static str, LexicalEntry>) {
    for (name, value) in number::cardinals() {
        entry(words, name).number = Some(value);
    }
    for (name, value) in number::scales().filter(|(_, value)| *value <= SCALE_MAX) {
        entry(words, name).scale = u32::try_from(value).unwrap_or(0);
    }
    for (name, value) in number::ordinals() {
        entry(words, name).ordinal = value;
    }
}
