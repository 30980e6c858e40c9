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

/// Put before an answer that claims something sent, paid or ordered where only the person's own records were changed.
pub const NOTHING_LEFT: &str = "Nothing has been sent to anybody, and nothing was paid or ordered: only what is kept here was changed.";

/// Put before the words of a model about a plan of which nothing was done that it was to do.
pub const NOTHING_SO_FAR: &str = "Nothing has been sent, saved or changed so far.";

/// The same where a part was done.
pub const NOT_ALL_DONE: &str = "Not everything has been done: what was not is said below.";

/// The same where it is not known of a part.
pub const NOT_KNOWN: &str =
    "Whether everything has been done is not known: what to check is said below.";

/// The line of ours that has to stand before a text; none where it claims nothing that did not happen. Where the person
/// asked for something to be done and nothing was, the line stands there whatever the words are.
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

/// The same for a text that streams and ends in `fresh` new bytes.
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

/// A text with a line of ours before it.
#[must_use]
pub fn with_line(line: &str, text: &str) -> String {
    format!("{line}\n\n{text}")
}

/// What a turn has receipts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happened {
    /// No effect at all.
    Nothing,
    /// Changes of the person's own records only.
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

/// Whether a text claims that something was sent, saved or changed, or promises it.
#[must_use]
pub fn claims_effect(text: &str, grounds: &Grounds<'_>) -> bool {
    let text: String = text.chars().take(TEXT_CHARS_MAX).collect();
    claims_in(&text, true, grounds)
}

/// The line that the last `fresh` bytes of a text add to, which is all that can have become a claim by them, and whether
/// the text begins with it.
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
