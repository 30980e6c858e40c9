//! A statement behind a request, or before an undo, that no rule reads: "make it 11:30, she has something before".
//!
//! If nothing reads the whole message, what remains without the statement is read alone. A statement that could itself
//! be a request, or that limits the request ("…, but keep the last one"), is never left out.

use std::ops::Range;

use adjutant_domain::reading::{Reading, Utterance};
use adjutant_domain::record::Kind;
use adjutant_text::{says_nothing, stem};

use super::lattice::{Filler, Lattice};
use super::{decide, grammar, lead_in};

/// Maximum number of ways to leave statements out that are tried.
const TRIED_MAX: usize = 4;
/// Maximum number of tokens from the beginning of a statement to its verb.
const SUBJECT_TOKENS_MAX: usize = 6;

/// Joining words before a reason.
pub(super) const REASONS: &[&str] = &["because", "cause", "cuz", "coz", "since", "as", "so"];
/// Words of a statement that may limit the request or add to it, besides those of the class `limits`.
const LIMITS: &[&str] = &[
    "instead", "only", "if", "other", "others", "also", "too", "not", "rather", "should", "must",
    "need", "needs", "want", "wants", "one", "ones", "leave", "?",
];
/// Words that begin a statement, before its verb.
pub(super) const SUBJECTS: &[&str] = &[
    "i",
    "we",
    "he",
    "she",
    "it",
    "they",
    "that",
    "this",
    "these",
    "those",
    "there",
    "you",
    "the",
    "my",
    "our",
    "his",
    "her",
    "their",
    "everyone",
    "everybody",
    "nobody",
    "someone",
    "somebody",
    "no",
];

/// Plans what remains of a message without the statements behind its request. Returns `None` if it has none, if what
/// remains is no complete request, or if a statement could be one.
pub(super) fn without_behind(
    said: &Utterance<'_>,
    read: impl Fn(&Utterance<'_>) -> Option<Reading>,
) -> Option<Reading> {
    remaining(said).into_iter().find_map(|text| {
        let text = text.as_str();
        read(&Utterance { text, ..*said }).filter(is_complete)
    })
}

/// Returns what may remain of a message without the statements behind its request, the longest text first.
pub(super) fn remaining(said: &Utterance<'_>) -> Vec<String> {
    let Some(lattice) = Lattice::read(said.text, said) else {
        return Vec::new();
    };
    let len = lattice.len();
    let cuts = (1..len).rev().filter_map(|at| {
        let start = begins(&lattice, at)?;
        let remark = Utterance {
            text: lattice.slice(start..len),
            ..*said
        };
        let said_beside = is_statement(&lattice, start..len)
            && (is_reason(&lattice, at, start) || !is_request(&remark));
        said_beside.then(|| lattice.slice(0..at).to_owned())
    });
    let mut texts: Vec<String> = cuts.take(TRIED_MAX).collect();
    texts.dedup();
    texts
}

/// Reports whether a reading asks for something and lacks nothing.
fn is_complete(read: &Reading) -> bool {
    match read {
        Reading::Plan { plan, .. } => plan.steps.iter().all(|step| step.question.is_none()),
        Reading::Undo { .. } => true,
        _ => false,
    }
}

/// Plans an undo that follows a statement: "oh, she comes after all. Undo that".
pub(super) fn undo_behind(said: &Utterance<'_>) -> Option<Reading> {
    let lattice = Lattice::read(said.text, said)?;
    let rest = lead_in::LeadIn::of(&lattice)?.rest(&lattice);
    let read = decide::plan(&Utterance {
        text: rest,
        ..*said
    })?;
    matches!(read, Reading::Undo { .. }).then_some(read)
}

/// Returns the first token of a statement that a mark or a word of reason at a token separates from what precedes it.
fn begins(lattice: &Lattice<'_>, at: usize) -> Option<usize> {
    let token = lattice.text.tokens.get(at)?;
    let word = lattice.word(at);
    let parts =
        matches!(word, "." | "!" | ";" | "," | "-" | "–" | "—" | "…") || REASONS.contains(&word);
    if !parts || token.quote.is_some() {
        return None;
    }
    let mut start = at;
    while start < lattice.len()
        && (lattice.is_mark(start) || REASONS.contains(&lattice.word(start)))
    {
        start += 1;
    }
    Some(start)
}

/// Reports whether tokens have a subject and a verb, order nothing, and do not limit what was requested.
fn is_statement(lattice: &Lattice<'_>, tokens: Range<usize>) -> bool {
    if tokens.len() < 2 || !lead_in::tells(lattice, tokens.clone(), lattice.len()) {
        return false;
    }
    let quoted = |at: usize| lattice.text.tokens[at].quote.is_some();
    let owed = lattice.phrase("i_have_to", tokens.start);
    let limits = |at: usize| {
        let word = LIMITS.contains(&lattice.word(at)) && !is_harmless(lattice, at);
        let needs = owed.is_some_and(|end| at < end);
        let one = lattice.word(at) == "the" && is_harmless(lattice, at + 1);
        word && !needs || lattice.phrase("limits", at).is_some() && !one
    };
    let orders = |at: usize| {
        let joined = at > tokens.start
            && (lattice.is_mark(at - 1)
                || matches!(lattice.word(at - 1), "and" | "so" | "then" | "please"));
        joined
            && grammar::REQUESTS
                .iter()
                .any(|class| lattice.phrase(class, at).is_some())
    };
    states(lattice, tokens.start)
        && !tokens
            .clone()
            .any(|at| quoted(at) || limits(at) || orders(at))
}

/// Reports whether a subject and a verb of a statement begin at a token.
pub(super) fn states(lattice: &Lattice<'_>, start: usize) -> bool {
    let subject = SUBJECTS.contains(&lattice.word(start)) || names_person(lattice, start);
    let rest = start + 1..lattice.len().min(start + SUBJECT_TOKENS_MAX);
    let mut verbs = rest.take_while(|at| !lattice.is_mark(*at) || lattice.word(*at) == "'s");
    subject && verbs.any(|at| lattice.phrase("states", at).is_some())
}

/// Reports whether a word of [`LIMITS`] is about the statement itself: "I am not well", "she only works mornings", "there
/// is one hour left".
fn is_harmless(lattice: &Lattice<'_>, at: usize) -> bool {
    let states = |at: usize| lattice.phrase("states", at).is_some();
    let mut edges = lattice.edges(at).iter();
    match lattice.word(at) {
        "not" => at > 0 && states(at - 1),
        "only" => states(at + 1),
        "one" => edges.any(|edge| matches!(edge.filler, Filler::Length(_))),
        _ => false,
    }
}

/// Reports whether a text read alone asks for something.
fn is_request(said: &Utterance<'_>) -> bool {
    match decide::plan(said) {
        Some(Reading::Plan { plan, .. }) => match plan.steps.as_slice() {
            // "I bought a kilo" ticks nothing off if no task is called so.
            [step] if step.tool == "task.complete" => names_task(said),
            _ => true,
        },
        Some(Reading::Say { .. }) | None => false,
        Some(_) => true,
    }
}

/// Reports whether a text has a telling word of the name of a task.
fn names_task(said: &Utterance<'_>) -> bool {
    let telling = |text: &str| {
        let words = adjutant_text::words(text).into_iter();
        let words = words.filter(|word| !says_nothing(word));
        words.map(|word| stem(&word)).collect::<Vec<String>>()
    };
    let words = telling(said.text);
    let names = said.names.iter();
    let mut tasks = names.filter(|name| matches!(name.record(), Some((Kind::Task, _))));
    tasks.any(|task| telling(&task.label).iter().any(|word| words.contains(word)))
}

/// Reports whether what has to be done is only told, as the reason of the request in the same sentence: "book the hall for
/// 2, we have to plan the fair".
fn is_reason(lattice: &Lattice<'_>, at: usize, start: usize) -> bool {
    matches!(
        lattice.word(at),
        "," | "-" | "–" | "—" | "because" | "since" | "as" | "cause" | "cuz"
    ) && lattice.word(start) == "we"
        && lattice.phrase("i_have_to", start).is_some()
}

/// Reports whether a name of somebody begins at a token.
fn names_person(lattice: &Lattice<'_>, at: usize) -> bool {
    let mut edges = lattice.edges(at).iter();
    edges.any(|edge| matches!(edge.filler, Filler::People(_)))
}
