//! What the parts of a reading add to its score.

use super::Chart;

/// A word of the rule.
pub const WORD: f32 = 1.0;
/// A small word of the rule.
pub const SMALL: f32 = 0.35;
/// A word of free text.
pub const TEXT: f32 = -0.08;
/// A word of free text that may be a time.
pub const TEXT_TIME: f32 = -0.9;
/// A word that free text of the kind hardly holds.
pub const TEXT_RARELY: f32 = -1.2;
/// A comma or another mark in free text.
pub const TEXT_MARK: f32 = -0.35;
/// A joint and the beginning of a request in free text.
pub const TEXT_REQUEST: f32 = -1.3;
/// The end of a sentence in free text.
pub const TEXT_STOP: f32 = -2.5;
/// Free text that begins with a word that hardly begins a name.
pub const TEXT_START: f32 = -0.9;
/// Free text that goes on behind something that was taken out of it.
pub const RESUMED: f32 = -0.6;
/// An adjunct.
pub const ADJUNCT: f32 = 0.15;
/// A filler or a mark that is passed over.
pub const FILLER: f32 = -0.03;
/// A word that nothing reads.
pub const LEFT: f32 = -2.2;
/// A word of speech.
pub const SPEECH: f32 = 0.01;
/// The end of a sentence in speech, or words behind a quotation.
pub const SPEECH_STOP: f32 = -0.4;
/// A request of its own in speech: "… and remind me to call him".
pub const SPEECH_REQUEST: f32 = -1.6;

/// Words of rules that say little by themselves.
const SMALL_WORDS: &[&str] = &[
    "a", "an", "the", "to", "for", "of", "on", "in", "at", "with", "from", "my", "that", "is",
    "me", "i", "do", "it", "and", "by", "as", "'s", ":", ",", "be", "am", "have", "you", "this",
    "about",
];

impl Chart<'_, '_> {
    /// What reading a token as something else than it was written costs.
    pub(super) fn typo(&self, at: usize) -> f32 {
        let costs = self.lattice.words_at(at).iter().map(|(_, cost)| *cost);
        costs.reduce(f32::min).unwrap_or(0.0)
    }

    /// What reading a token as a word of a rule is worth.
    pub(super) fn worth(&self, at: usize) -> f32 {
        if SMALL_WORDS.contains(&self.lattice.word(at)) {
            SMALL
        } else {
            WORD
        }
    }
}
