//! Messages that correct themselves: "at 3 tomorrow. Actually 4.", "on Tuesday, no wait, Wednesday, with Ana".
//!
//! The words after the correction marker change the words before it, as a later message would.

use adjutant_domain::reading::Utterance;

use super::super::binding::Binding;
use super::super::grammar::GRAMMAR;
use super::super::lattice::Lattice;
use super::restated;

/// Maximum number of places in a message that are tried as the beginning of a correction.
const PLACES_MAX: usize = 3;
/// Maximum number of places that are tried as the end of a correction.
const ENDS_MAX: usize = 6;
/// Words with which a request may continue after a correction.
const GO_ON: &[&str] = &[
    ",", ".", ";", "at", "with", "and", "for", "about", "that", "to", "on", "in", "called",
    "titled", "saying",
];
/// Marks and spaces between a request and its correction.
const BETWEEN: &[char] = &[' ', ',', '.', ';', '-', '–', '—', '(', '…', '!', '?', '\n'];

/// Returns the message with its correction applied, or `None` if it has none or the meaning is unclear.
pub(crate) fn corrected(said: &Utterance<'_>) -> Option<String> {
    let lattice = Lattice::read(said.text, said)?;
    let places = (1..lattice.len()).filter(|at| takes_back(&lattice, *at));
    places
        .take(PLACES_MAX)
        .find_map(|at| worked_in(&lattice, at, said))
}

/// Reports whether a correction marker begins at a token; some words are one only after a mark.
fn takes_back(lattice: &Lattice<'_>, at: usize) -> bool {
    let begins = |class: &str| lattice.phrase(class, at).is_some();
    // If several follow one another, the first begins the correction.
    let first = at == 1 || !takes_back(lattice, at - 1) || lattice.is_mark(at - 1);
    first && (begins("take_back") || begins("may_take_back") && lattice.is_mark(at - 1))
}

fn worked_in(lattice: &Lattice<'_>, at: usize, said: &Utterance<'_>) -> Option<String> {
    let from = lattice.text.span(at..at + 1)?.start;
    let before = said.text.get(..from)?.trim_end_matches(BETWEEN);
    let rest = |to: usize| {
        said.text
            .get(from..to)
            .map(|rest| rest.trim_end_matches(BETWEEN))
    };
    let changed = |rest: &str| {
        restated(
            before,
            &Utterance {
                text: rest,
                ..*said
            },
        )
    };
    let whole = changed(rest(said.text.len())?);
    // The correction may end before a mark or a small word that continues the request.
    whole.or_else(|| {
        let ends = (at + 1..lattice.len()).filter(|end| GO_ON.contains(&lattice.word(*end)));
        ends.rev().take(ENDS_MAX).find_map(|end| {
            let to = lattice.text.span(end..end + 1)?.start;
            let more = said.text.get(to..)?;
            let joint = if lattice.is_mark(end) { "" } else { " " };
            Some(format!("{}{joint}{more}", changed(rest(to)?)?))
        })
    })
}

/// Reports whether free text contains a correction marker; then it is unclear what the person finally meant.
pub(crate) fn is_left(lattice: &Lattice<'_>, frame: &Binding) -> bool {
    let mut tokens = frame.all_texts().into_iter().flatten();
    let class = GRAMMAR.class("take_back");
    class.is_some_and(|class| tokens.any(|at| at > 0 && is_said(lattice, class, at)))
}

/// Reports whether a phrase of a class begins at a token that is not quoted.
fn is_said(lattice: &Lattice<'_>, class: usize, at: usize) -> bool {
    let quoted = lattice
        .text
        .tokens
        .get(at)
        .is_some_and(|token| token.quote.is_some());
    !quoted && lattice.is_phrase(class, at)
}
