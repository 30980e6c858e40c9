//! What is said around a request and asks for nothing: "right, …" before it, "uh" within it, "… then it may go out" behind it.

use adjutant_domain::reading::Utterance;

use super::super::lattice::Lattice;

/// Returns a message without the words before it that only say that the answer was heard: "Mhm, right. Push it to
/// Sunday." Returns `None` if it has none.
pub(crate) fn without_heard(said: &Utterance<'_>) -> Option<String> {
    let lattice = Lattice::read(said.text, said)?;
    let mut from = 0;
    while let Some(end) = lattice.phrase("heard", from) {
        let marks = (end..lattice.len()).take_while(|at| lattice.is_mark(*at));
        let marks = marks.count();
        // "Good morning", "right after lunch": only a pause ends these words.
        if marks == 0 && lattice.phrase("heard", end).is_none() {
            break;
        }
        from = end + marks;
    }
    let rest = lattice.slice(from..lattice.len());
    (from > 0 && !rest.is_empty()).then(|| rest.to_owned())
}

/// Returns a message without the sounds of a speaker who thinks: "at uh seven thirty". Returns `None` if it has none.
pub(crate) fn without_hesitation(said: &Utterance<'_>) -> Option<String> {
    let lattice = Lattice::read(said.text, said)?;
    let tokens = &lattice.text.tokens;
    let sounds = |at: usize| {
        let joined = |at: usize| lattice.word(at) == "-";
        let plain = tokens[at].quote.is_none() && !(tokens[at].capital && at > 0);
        plain && lattice.phrase("um", at) == Some(at + 1) && !joined(at + 1)
    };
    let mut kept = String::new();
    let mut from = 0;
    for at in (0..lattice.len()).filter(|at| sounds(*at)) {
        kept.push_str(said.text.get(from..tokens[at].span.start)?);
        let next = match tokens.get(at + 1) {
            Some(mark) if mark.word == "," => tokens.get(at + 2),
            next => next,
        };
        from = next.map_or(said.text.len(), |next| next.span.start);
    }
    kept.push_str(said.text.get(from..)?);
    (from > 0 && !kept.trim().is_empty()).then_some(kept)
}

/// Returns a message without a sentence at its end that lets what waits go ahead: "Add that I am late. Then send it."
pub(crate) fn without_go_ahead(said: &Utterance<'_>) -> Option<String> {
    let lattice = Lattice::read(said.text, said)?;
    let ends = |from: usize| {
        let mut end = lattice.phrase("go_ahead", from)?;
        while end < lattice.len() {
            let polite = ["filler", "heard"];
            let next = polite.iter().find_map(|class| lattice.phrase(class, end));
            end = match next.filter(|next| *next > end) {
                Some(next) => next,
                None if lattice.is_mark(end) => end + 1,
                None => return None,
            };
        }
        Some(from)
    };
    let from = (1..lattice.len()).find_map(ends)?;
    let pauses = lattice.is_mark(from - 1) || lattice.word(from) == "and";
    let rest = lattice.slice(0..from);
    pauses.then(|| {
        rest.trim_end_matches([' ', ',', ';', '-', '–', '—'])
            .to_owned()
    })
}
