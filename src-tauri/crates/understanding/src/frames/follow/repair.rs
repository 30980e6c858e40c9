//! Messages whose speaker replaces or withdraws what was just said: "star John's, I mean Rachel's mail", "archive both
//! invoices … no, only the first", "cancel the … ah no, leave everything as it is".
//!
//! What follows the repair takes the place of the nearest expression of its type before it: a value, one of several
//! things, or a whole request. If nothing resolves a repair, the message is not understood, because its first half is
//! certainly not what the person wants.

mod clause;
mod part;
mod value;

use adjutant_domain::reading::{Reading, Utterance};

use super::super::lattice::Lattice;
use super::super::{decide, side_remark};
use super::take_back;

/// Maximum number of repairs in a message.
const REPAIRS_MAX: usize = 3;
/// Maximum number of texts that are tried for all repairs of a message together; then it stays unclear.
const TRIED_MAX: usize = 16;
/// Marks with which a speaker pauses.
const PAUSES: &[&str] = &[
    ",", ".", ";", "-", "–", "—", "…", "!", "?", "(", ")", "...", "..", ":",
];

/// What becomes of a message that repairs itself.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Repair {
    /// The message as it is meant.
    Meant(String),
    /// It is unclear what is meant.
    Unclear,
}

/// A place at which the speaker breaks off: words such as "no, wait", with the marks around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Break {
    /// The token after what was said before it.
    before: usize,
    /// The first token of what follows.
    after: usize,
    /// Whether its words may also be meant as they are: "I can't make it, sorry, something came up", or dictated words.
    may_be_said: bool,
}

/// Returns what becomes of a message that repairs itself, or `None` if it does not.
pub(crate) fn repair(said: &Utterance<'_>) -> Option<Repair> {
    resolved(said, REPAIRS_MAX, &mut 0)
}

/// Returns what follows the last repair of a reply.
pub(crate) fn behind_repair(said: &Utterance<'_>) -> Option<String> {
    let lattice = Lattice::read(said.text, said)?;
    let at = breaks(&lattice).last()?;
    let after = lattice.slice(at.after..lattice.len());
    (!after.is_empty()).then(|| after.to_owned())
}

/// Returns what becomes of a message with at most `left` repairs; `tried` counts the texts tried so far.
fn resolved(said: &Utterance<'_>, left: usize, tried: &mut usize) -> Option<Repair> {
    let lattice = Lattice::read(said.text, said)?;
    let at = breaks(&lattice).next()?;
    let mut asking = None;
    for text in texts(&lattice, at, said) {
        if *tried == TRIED_MAX {
            break;
        }
        *tried += 1;
        let next = Utterance {
            text: &text,
            ..*said
        };
        let left = left.checked_sub(1);
        match left.map(|left| resolved(&next, left, tried)) {
            Some(None) => match reads(&next) {
                Some(true) => return Some(Repair::Meant(text)),
                Some(false) => asking = asking.or(Some(text)),
                None => {}
            },
            Some(Some(Repair::Meant(text))) => return Some(Repair::Meant(text)),
            Some(Some(Repair::Unclear)) | None => {}
        }
    }
    // What lacks something is meant only if nothing else is.
    if let Some(text) = asking {
        return Some(Repair::Meant(text));
    }
    // "…, no, at two, she has something before": the remark is no part of the repair.
    let mut without = side_remark::remaining(said).into_iter();
    let meant = without.find_map(|text| {
        let text = text.as_str();
        match resolved(&Utterance { text, ..*said }, 0, tried)? {
            Repair::Meant(text) => Some(text),
            Repair::Unclear => None,
        }
    });
    match meant {
        Some(text) => Some(Repair::Meant(text)),
        None => (!at.may_be_said).then_some(Repair::Unclear),
    }
}

/// Returns whether a text asks for something that lacks nothing, or `None` if it is not read.
fn reads(said: &Utterance<'_>) -> Option<bool> {
    match decide::plan(said)? {
        Reading::Plan { plan, .. } => Some(plan.steps.iter().all(|step| step.question.is_none())),
        Reading::Say { .. } => Some(true),
        _ => None,
    }
}

/// Returns the texts that a message may stand for, the likeliest first.
fn texts(lattice: &Lattice<'_>, at: Break, said: &Utterance<'_>) -> Vec<String> {
    if let Some(text) = withdrawn(lattice, at) {
        return vec![text];
    }
    if let Some(text) = part::left(lattice, at) {
        return text;
    }
    let mut texts = clause::texts(lattice, at, said);
    texts.extend(value::of_one_class(lattice, at));
    texts.extend(take_back::corrected(said));
    texts.extend(value::texts(lattice, at));
    texts
}

/// Returns what remains if the speaker withdraws everything: nothing, or another request.
fn withdrawn(lattice: &Lattice<'_>, at: Break) -> Option<String> {
    let mut end = lattice.phrase("withdrawal", at.after)?;
    loop {
        let next = lattice.phrase("withdrawal", end);
        let next = next.or_else(|| lattice.phrase("filler", end));
        end = match next {
            Some(next) if next > end => next,
            _ if is_pause(lattice, end) => end + 1,
            _ => break,
        };
    }
    if end == lattice.len() {
        return Some("never mind".to_owned());
    }
    let closed = end > 0 && is_pause(lattice, end - 1);
    closed.then(|| lattice.slice(end..lattice.len()).to_owned())
}

/// Returns the repairs of a message from left to right.
fn breaks<'l>(lattice: &'l Lattice<'_>) -> impl Iterator<Item = Break> + 'l {
    let mut from = 1;
    std::iter::from_fn(move || {
        let found = (from..lattice.len()).find_map(|at| break_at(lattice, at))?;
        from = found.after + 1;
        Some(found)
    })
}

/// Returns the repair that begins at a token. The speaker has paused before it, and says more than one word for it,
/// pauses again behind it, or uses words that always repair. In a dictated message without any mark, more than one word
/// is enough.
fn break_at(lattice: &Lattice<'_>, at: usize) -> Option<Break> {
    let quoted = lattice.text.tokens.get(at)?.quote.is_some();
    let dictated = !quoted && !(0..lattice.len()).any(|at| is_pause(lattice, at));
    let begins = is_pause(lattice, at - 1) && lattice.word(at - 1) != ":";
    if !(begins || dictated) || is_pause(lattice, at) {
        return None;
    }
    let mut end = at;
    let (mut words, mut sure, mut apology, mut paused) = (0, false, false, false);
    loop {
        let repairs = lattice.phrase("repair", end);
        let next = repairs
            .or_else(|| lattice.phrase("repair_beside", end).filter(|_| words > 0))
            .or_else(|| lattice.phrase("hesitation", end));
        end = match next {
            Some(next) => {
                sure |= lattice.phrase("repair_sure", end) == Some(next);
                apology |= lattice.word(end) == "sorry" && next == end + 1;
                words += usize::from(repairs.is_some() || words > 0);
                paused = false;
                next
            }
            None if end > at && is_pause(lattice, end) => {
                paused = true;
                end + 1
            }
            None => break,
        };
    }
    let mut before = at;
    while before > 0 && (is_pause(lattice, before - 1) || hesitates(lattice, before - 1)) {
        before -= 1;
    }
    let pause = if before < at {
        lattice.slice(before..at)
    } else {
        ""
    };
    let broken = pause.contains("..") || pause.contains(['…', '-', '–', '—']);
    let more = end < lattice.len();
    let repairs = match more {
        _ if dictated => more && words > 1,
        true => sure || words > 1 || paused,
        // "…, no?" asks, "… no, wait" takes back.
        false => words > 1 || broken && words > 0 && !apology,
    };
    let names_something = (0..before).any(|at| !is_opening(lattice, at));
    (words > 0 && repairs && names_something).then_some(Break {
        before,
        after: end,
        may_be_said: apology && words == 1 && !broken || is_dictated(lattice, at),
    })
}

/// Reports whether a token belongs to words that are dictated behind a colon: "reply to Ana: well, no, Friday is better".
fn is_dictated(lattice: &Lattice<'_>, at: usize) -> bool {
    (0..at).any(|at| lattice.word(at) == ":")
}

fn is_pause(lattice: &Lattice<'_>, at: usize) -> bool {
    let token = lattice.text.tokens.get(at);
    let quoted = token.is_some_and(|token| token.quote.is_some());
    !quoted && PAUSES.contains(&lattice.word(at))
}

fn hesitates(lattice: &Lattice<'_>, at: usize) -> bool {
    lattice.phrase("hesitation", at) == Some(at + 1)
}

/// Reports whether a token says nothing yet: a mark, a hesitation, or a word of assent or refusal.
fn is_opening(lattice: &Lattice<'_>, at: usize) -> bool {
    let says_nothing = ["hesitation", "yes", "repair", "repair_beside"];
    lattice.is_mark(at)
        || says_nothing
            .iter()
            .any(|class| lattice.phrase(class, at) == Some(at + 1))
}

/// Joins stretches of a message, with a space between two of them unless a mark or an ending follows.
fn joined(parts: &[&str]) -> String {
    let mut text = String::new();
    for part in parts.iter().map(|part| part.trim()) {
        let close = part.starts_with([',', '.', ';', ':', '?', '!', '\'', '’']);
        if !text.is_empty() && !part.is_empty() && !close {
            text.push(' ');
        }
        text.push_str(part);
    }
    text
}

/// Returns words without the marks that joined them to what was left out.
fn unmarked(text: &str) -> &str {
    text.trim_start_matches([' ', ',', '-', '–', '—', '…', '(', ')'])
}
