//! A message that corrects itself: "at 3 tomorrow. Actually 4.", "on Tuesday, no wait, Wednesday, with Ana".
//!
//! What stands behind the words that take something back is worked into what stands before them, as a change in a later
//! message would be.

use adjutant_domain::reading::Utterance;

use super::super::binding::Binding;
use super::super::grammar::GRAMMAR;
use super::super::lattice::Lattice;
use super::restated;

/// Places of one message that are tried.
const PLACES_MAX: usize = 3;
/// Ends of one correction that are tried.
const ENDS_MAX: usize = 6;
/// Words with which a request goes on behind a correction.
const GO_ON: &[&str] = &[
    ",", ".", ";", "at", "with", "and", "for", "about", "that", "to", "on", "in", "called",
    "titled", "saying",
];
/// Marks and blanks between a request and its correction.
const BETWEEN: &[char] = &[' ', ',', '.', ';', '-', '–', '—', '(', '…', '!', '?', '\n'];

/// The message as it was meant in the end. `None`: it corrects nothing, or nobody can tell what.
pub(crate) fn corrected(said: &Utterance<'_>) -> Option<String> {
    let lattice = Lattice::read(said.text, said)?;
    let places = (1..lattice.len()).filter(|at| takes_back(&lattice, *at));
    places
        .take(PLACES_MAX)
        .find_map(|at| worked_in(&lattice, at, said))
}

/// Whether words that take something back begin at a token: some do only behind a pause.
fn takes_back(lattice: &Lattice<'_>, at: usize) -> bool {
    let begins = |class: &str| lattice.phrase(class, at).is_some();
    // The first of several in a row begins the correction.
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
    // Where the correction ends, a mark or a small word goes on with the request.
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

/// Whether words that take something back stand in free text: then it is not known what was meant in the end.
pub(crate) fn is_left(lattice: &Lattice<'_>, frame: &Binding) -> bool {
    let mut tokens = frame.all_texts().into_iter().flatten();
    let class = GRAMMAR.class("take_back");
    class.is_some_and(|class| tokens.any(|at| at > 0 && is_said(lattice, class, at)))
}

/// Whether a phrase begins at a token that was not quoted.
fn is_said(lattice: &Lattice<'_>, class: usize, at: usize) -> bool {
    let quoted = lattice
        .text
        .tokens
        .get(at)
        .is_some_and(|token| token.quote.is_some());
    !quoted && lattice.is_phrase(class, at)
}
