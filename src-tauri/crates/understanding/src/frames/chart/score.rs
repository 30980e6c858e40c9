//! What the parts of a reading add to its score.

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
/// A quotation in free text.
pub const QUOTE: f32 = 0.5;
/// An adjunct.
pub const ADJUNCT: f32 = 0.15;
/// A filler or a mark that is passed over.
pub const FILLER: f32 = -0.03;
/// A word of speech.
pub const SPEECH: f32 = 0.01;
/// The end of a sentence in speech, or words behind a quotation.
pub const SPEECH_STOP: f32 = -0.4;
/// A request of its own in speech: "… and remind me to call him".
pub const SPEECH_REQUEST: f32 = -1.6;
