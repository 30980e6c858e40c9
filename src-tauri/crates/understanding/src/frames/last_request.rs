//! A request behind sentences that no rule reads: "Hm, what was still open… the gate, I think. So the garden gate is done,
//! tick it off."
//!
//! If nothing reads the whole message, its last sentences are read alone, as many as possible, with the words of the
//! sentences before in place of what refers to them. The sentences before must order and ask nothing. Since they are not
//! understood, each change is marked as a guess, and the person decides on its card.

use std::ops::Range;

use adjutant_domain::reading::{Reading, Utterance};

use super::lattice::Lattice;
use super::{grammar, lead_in};

/// Maximum number of sentences at the end of a message that are read without those before them.
const SENTENCES_MAX: usize = 6;
/// Words after which an order may begin within a sentence.
const JOINTS: &[&str] = &["and", "so", "then", "please", "but", "just"];
/// Words that make a sentence more than talk, wherever they stand in it.
const NEVER: &[&str] = &[
    "please", "remind", "whether", "if", "unless", "never", "only", "?",
];

/// Plans the last sentences of a message. `read` reads them. Returns `None` if there is only one sentence, if a sentence
/// before them could be a request, or if they lack something.
pub(super) fn plan(
    said: &Utterance<'_>,
    read: impl Fn(&Utterance<'_>) -> Option<Reading>,
) -> Option<Reading> {
    let lattice = Lattice::read(said.text, said)?;
    let ends = sentence_ends(&lattice);
    let talk = ends.len().saturating_sub(SENTENCES_MAX);
    let mut from = 0;
    for (sentence, &(at, next)) in ends.iter().enumerate() {
        if !is_talk(&lattice, from..at) {
            return None;
        }
        from = next;
        if sentence < talk {
            continue;
        }
        let texts = lead_in::LeadIn::behind(0..at, next).meant(&lattice, None);
        let mut plans = texts.iter().filter_map(|text| {
            let text = text.as_str();
            read(&Utterance { text, ..*said }).and_then(|read| guessed(said, read))
        });
        if let Some(plan) = plans.next() {
            return Some(plan);
        }
    }
    None
}

/// Returns where each sentence but the last ends and the next one begins.
fn sentence_ends(lattice: &Lattice<'_>) -> Vec<(usize, usize)> {
    let mut ends_at = Vec::new();
    let mut at = 1;
    while at < lattice.len() {
        match ends(lattice, at) {
            Some(next) => {
                ends_at.push((at, next));
                at = next + 1;
            }
            None => at += 1,
        }
    }
    ends_at.retain(|&(_, next)| next < lattice.len());
    ends_at
}

/// Returns a plan that lacks nothing, with each of its changes marked as a guess.
fn guessed(said: &Utterance<'_>, read: Reading) -> Option<Reading> {
    let Reading::Plan { mut plan, trace } = read else {
        return None;
    };
    if plan.steps.iter().any(|step| step.question.is_some()) {
        return None;
    }
    for step in &mut plan.steps {
        step.guessed |= !said.only_reads(&step.tool);
    }
    Some(Reading::Plan { plan, trace })
}

/// Returns the first token after the end of a sentence at a token.
fn ends(lattice: &Lattice<'_>, at: usize) -> Option<usize> {
    let quoted = lattice.text.tokens.get(at)?.quote.is_some();
    if quoted || !matches!(lattice.word(at), "." | "!" | ";" | "…" | "...") {
        return None;
    }
    let marks = (at..lattice.len()).take_while(|at| lattice.is_mark(*at));
    Some(at + marks.count())
}

/// Reports whether a sentence orders nothing, asks nothing, and limits nothing.
pub(super) fn is_talk(lattice: &Lattice<'_>, tokens: Range<usize>) -> bool {
    let orders = |at: usize| {
        let begins = at == tokens.start
            || lattice.is_mark(at - 1)
            || JOINTS.contains(&lattice.word(at - 1))
            || lattice.phrase("filler", tokens.start) == Some(at);
        let mut classes = grammar::REQUESTS.iter().chain(&["i_have_to"]);
        begins && classes.any(|class| lattice.phrase(class, at).is_some())
    };
    let limits = |at: usize| {
        NEVER.contains(&lattice.word(at))
            || lattice.phrase("limits", at).is_some()
            || lattice.phrase("gist_never", at).is_some()
    };
    let quoted = |at: usize| lattice.text.tokens[at].quote.is_some();
    !tokens
        .clone()
        .any(|at| orders(at) || limits(at) || quoted(at))
}
