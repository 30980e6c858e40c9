//! Whether a text says that something was done, or will be: a model that writes an answer cannot act, whatever it says.
//!
//! A claim is a verb of `verbs.rs` in one of a few constructions (`construct.rs`): Adjutant did it or will do it, it
//! was done to something, it stands there as a headline ("Mail sent."). What others did may be told: where the verb stands
//! in what this turn has read, or the text says who says so. What this takes for a claim gets a line of our own that is
//! true in any case, so a claim too many is a needless line, and one too few is a lie that is shown.

mod construct;
mod foreign;
mod grounds;
mod sentences;
mod verbs;
mod words;

pub use grounds::Grounds;

use construct::claims;

/// Put before an answer that claims an effect in a turn that had none.
pub const NOTHING_DONE: &str = "Nothing has been sent, saved or changed: this is only text.";

/// Characters of an answer that are looked through.
const TEXT_CHARS_MAX: usize = 20_000;
/// Bytes of a line that is looked at while it streams.
const LINE_BYTES_MAX: usize = 2_000;

/// The answer as it may be shown in a turn without effects.
#[must_use]
pub fn corrected(text: &str, grounds: &Grounds<'_>) -> String {
    if claims_effect(text, grounds) && !text.starts_with(NOTHING_DONE) {
        with_correction(text)
    } else {
        text.to_owned()
    }
}

/// A text with the line of ours before it.
#[must_use]
pub fn with_correction(text: &str) -> String {
    format!("{NOTHING_DONE}\n\n{text}")
}

/// Whether a text claims that something was sent, saved or changed, or promises it.
#[must_use]
pub fn claims_effect(text: &str, grounds: &Grounds<'_>) -> bool {
    let text: String = text.chars().take(TEXT_CHARS_MAX).collect();
    claims_in(&text, true, grounds)
}

/// The same for the line that the last `fresh` bytes of a text add to: all that can have become a claim by them.
#[must_use]
pub fn claims_at_end(text: &str, fresh: usize, grounds: &Grounds<'_>) -> bool {
    let before = &text[..text.floor_char_boundary(text.len().saturating_sub(fresh))];
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let start = text.floor_char_boundary(line.max(text.len().saturating_sub(LINE_BYTES_MAX)));
    claims_in(&text[start..], start == 0, grounds)
}

/// `opening`: the text is the beginning of an answer.
fn claims_in(text: &str, opening: bool, grounds: &Grounds<'_>) -> bool {
    let mut seen = 0;
    sentences::of(text).iter().any(|sentence| {
        let first = seen;
        seen += sentence.clauses.len();
        (0..sentence.clauses.len())
            .any(|at| claims(sentence, at, opening && first + at < 2, grounds))
    })
}

#[cfg(test)]
mod tests;
