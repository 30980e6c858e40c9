//! Detects whether a text says that something was done or will be done. A model that writes an answer cannot act,
//! whatever it says.
//!
//! A claim is a verb of `verbs.rs` in one of a few constructions (`construct.rs`): Adjutant did it or will do it, it
//! was done to something, or it forms a headline ("Mail sent."). Reports of what others did are allowed if this turn
//! has read the verb or the text names a source. A claim gets a line of ours in front that is true in any case, so a
//! false positive costs a needless line, while a false negative shows a lie.

mod construct;
mod foreign;
mod grounds;
mod sentences;
mod verbs;
mod words;

pub use grounds::Grounds;

use construct::claims;

/// Precedes an answer that claims an effect in a turn that had none.
pub const NOTHING_DONE: &str = "Nothing has been sent, saved or changed: this is only text.";

/// Maximum number of characters of an answer to examine.
const TEXT_CHARS_MAX: usize = 20_000;
/// Maximum number of bytes to examine at the end of a streamed line.
const LINE_BYTES_MAX: usize = 2_000;

/// Precedes an answer that claims something was sent, paid or ordered when only the person's own records were changed.
pub const NOTHING_LEFT: &str = "Nothing has been sent to anybody, and nothing was paid or ordered: only what is kept here was changed.";

/// Precedes a model's words about a plan none of whose actions were done.
pub const NOTHING_SO_FAR: &str = "Nothing has been sent, saved or changed so far.";

/// Precedes a model's words about a plan whose actions were done in part.
pub const NOT_ALL_DONE: &str = "Not everything has been done: what was not is below.";

/// Precedes a model's words about a plan with actions of unknown outcome.
pub const NOT_KNOWN: &str =
    "It is not certain that everything has been done: what to check is below.";

/// Returns the line that must precede a text. `None` if the text claims nothing that did not happen. If the person
/// asked for an action and nothing was done, the line is needed whatever the text says.
#[must_use]
pub fn correction(text: &str, happened: Happened, grounds: &Grounds<'_>) -> Option<&'static str> {
    let line = happened.line()?;
    let wrong = match happened {
        Happened::Nothing => grounds.ask_for_effect() || claims_effect(text, grounds),
        Happened::Here => claims_reach(text, true, grounds),
        Happened::Elsewhere => false,
    };
    (wrong && !text.starts_with(line)).then_some(line)
}

/// Like [`correction`], for a streamed text that ends in `fresh` new bytes.
#[must_use]
pub fn correction_at_end(
    text: &str,
    fresh: usize,
    happened: Happened,
    grounds: &Grounds<'_>,
) -> Option<&'static str> {
    let line = happened.line().filter(|line| !text.starts_with(line))?;
    let (end, opening) = end_of(text, fresh);
    let wrong = match happened {
        Happened::Nothing => grounds.ask_for_effect() || claims_in(end, opening, grounds),
        Happened::Here => claims_reach(end, opening, grounds),
        Happened::Elsewhere => false,
    };
    wrong.then_some(line)
}

/// Returns a text with a line of ours in front.
#[must_use]
pub fn with_line(line: &str, text: &str) -> String {
    format!("{line}\n\n{text}")
}

/// The effects that a turn has receipts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happened {
    /// No effect at all.
    Nothing,
    /// Only changes to the person's own records.
    Here,
    /// Something that others may see.
    Elsewhere,
}

impl Happened {
    fn line(self) -> Option<&'static str> {
        match self {
            Self::Nothing => Some(NOTHING_DONE),
            Self::Here => Some(NOTHING_LEFT),
            Self::Elsewhere => None,
        }
    }
}

/// Whether a text claims or promises that something was sent, saved or changed.
#[must_use]
pub fn claims_effect(text: &str, grounds: &Grounds<'_>) -> bool {
    let text: String = text.chars().take(TEXT_CHARS_MAX).collect();
    claims_in(&text, true, grounds)
}

/// Returns the line that the last `fresh` bytes extend, which is the only place where they can complete a claim, and
/// whether the text begins with that line.
fn end_of(text: &str, fresh: usize) -> (&str, bool) {
    let before = &text[..text.floor_char_boundary(text.len().saturating_sub(fresh))];
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let start = text.floor_char_boundary(line.max(text.len().saturating_sub(LINE_BYTES_MAX)));
    (&text[start..], start == 0)
}

/// Whether a text claims that something reached people, or was paid or ordered.
fn claims_reach(text: &str, opening: bool, grounds: &Grounds<'_>) -> bool {
    let mut seen = 0;
    sentences::of(text).iter().any(|sentence| {
        let first = seen;
        seen += sentence.clauses.len();
        (0..sentence.clauses.len()).any(|at| {
            let reaches = sentence.clauses[at].iter().any(|word| verbs::reaches(word));
            reaches && claims(sentence, at, opening && first + at < 2, grounds)
        })
    })
}

/// Whether a text makes a claim. `opening` means that it is the beginning of an answer.
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
