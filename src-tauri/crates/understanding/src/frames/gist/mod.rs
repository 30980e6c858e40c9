//! A guess at what a message wants that no rule reads as a whole: "We've decided to skip the market this weekend, so do
//! take it off my calendar."
//!
//! A cue says what is wanted, the names of the person's own things say with what, and every time, length and person of
//! the segments with the cue and the name has to find its place. The other segments may only tell something. The guess
//! is put into the words of a plain request and read by the rules. That request contains only words of the message: a
//! name may be by somebody else, and is never read as a request. Its steps are marked as guessed, so the person decides
//! on the card.

mod details;
mod named;
mod table;

use std::cmp::Reverse;
use std::ops::Range;

use adjutant_domain::reading::{Reading, TraceLine, Utterance};

use super::decide;
use super::lattice::Lattice;
use super::lead_in;
use super::segments::{Segments, is_aside};
use details::Details;
use named::{Named, kinds, named};
use table::{GISTS, Gist};

/// Maximum number of tokens in a message that is guessed at; a longer one wants more than one thing.
const TOKENS_MAX: usize = 48;

/// Maximum number of tokens in a phrase that says which instance of a series is meant.
const SCOPE_TOKENS_MAX: usize = 6;

/// A plain request for one of the person's things.
struct Guess<'a> {
    named: &'a Named,
    request: String,
}

/// Plans what a message probably wants. Returns `None` if it names nothing of the person's or more than one thing, or
/// if something in it has no place in the guess.
pub(super) fn plan(said: &Utterance<'_>) -> Option<Reading> {
    let lattice = Lattice::read(said.text, said)?;
    let mut tokens = lattice.text.tokens.iter();
    if lattice.len() > TOKENS_MAX || tokens.any(|token| token.quote.is_some()) || asks(&lattice) {
        return None;
    }
    let segments = Segments::of(&lattice);
    let kinds = kinds(&lattice);
    let mut named = named(&lattice);
    named.retain(|one| kinds.is_empty() || kinds.contains(&one.kind.word()));
    let mut guesses: Vec<Guess<'_>> = named
        .iter()
        .filter_map(|one| guess(&lattice, &segments, one))
        .collect();
    guesses.sort_by_key(|guess| Reverse(guess.named.rank));
    let Guess {
        named: best,
        request,
    } = guesses.first()?;
    let rival = guesses
        .get(1)
        .is_some_and(|next| next.named.rank == best.rank);
    let beside = |other: &Named| other.rank.0 && other.tokens.is_disjoint(&best.tokens);
    if rival || named.iter().any(beside) {
        return None;
    }
    let Reading::Plan { mut plan, trace } = decide::plan(&Utterance {
        text: request,
        ..*said
    })?
    else {
        return None;
    };
    if plan.steps.iter().any(|step| step.question.is_some()) {
        return None;
    }
    plan.steps.iter_mut().for_each(|step| step.guessed = true);
    // The words of the request are not those of the message, so they mark nothing in it.
    let without_place = |line: TraceLine| TraceLine { span: None, ..line };
    Some(Reading::Plan {
        plan,
        trace: trace.into_iter().map(without_place).collect(),
    })
}

/// Reports whether a message is a question, apart from one that asks Adjutant to do something.
fn asks(lattice: &Lattice<'_>) -> bool {
    let can = matches!(lattice.word(0), "can" | "could" | "would" | "will");
    let question = (0..lattice.len()).any(|at| lattice.word(at) == "?");
    !can && (question || lattice.phrase("question", 0).is_some())
}

/// Reports whether a segment only says once more what a cue says, of what is already named: "so please invite her".
fn repeats(lattice: &Lattice<'_>, segment: &Range<usize>, cue: &str) -> bool {
    let mut at = segment.start;
    let mut cued = false;
    while at < segment.end {
        let ends = |class: &str| lattice.phrase(class, at).filter(|end| *end > at);
        let again = ends(cue);
        cued |= again.is_some();
        let plain = ["filler", "refers", "it_be"].into_iter().find_map(ends);
        let small = matches!(lattice.word(at), "please" | "do" | "just" | "me" | "us");
        match again.or(plain).or(small.then_some(at + 1)) {
            Some(end) => at = end,
            None => return false,
        }
    }
    cued
}

/// Returns the longest phrase of a class in the message, outside the name.
fn cued(lattice: &Lattice<'_>, class: &str, named: &Named) -> Option<Range<usize>> {
    let free = |tokens: &Range<usize>| tokens.clone().all(|at| !named.tokens.contains(&at));
    let hits = (0..lattice.len()).filter_map(|at| Some(at..lattice.phrase(class, at)?));
    hits.filter(free).max_by_key(ExactSizeIterator::len)
}

/// Returns the plain request that the longest cue makes for a thing, unless another cue is as long.
fn guess<'a>(lattice: &Lattice<'_>, segments: &Segments, named: &'a Named) -> Option<Guess<'a>> {
    let gists = GISTS.iter().filter(|gist| gist.kind == named.kind);
    let mut cued: Vec<(usize, String)> = gists
        .filter_map(|gist| {
            let cue = cued(lattice, gist.cue, named)?;
            Some((cue.len(), request(lattice, segments, named, gist, &cue)?))
        })
        .collect();
    cued.sort_by_key(|(cue, _)| Reverse(*cue));
    let longest = cued.first()?.0;
    let rival = cued.get(1).is_some_and(|(next, _)| *next == longest);
    let (_, request) = cued.into_iter().next().filter(|_| !rival)?;
    Some(Guess { named, request })
}

/// Puts what a cue says about a thing into words. Returns `None` if a segment denies, doubts, limits or adds something.
fn request(
    lattice: &Lattice<'_>,
    segments: &Segments,
    named: &Named,
    gist: &Gist,
    cue: &Range<usize>,
) -> Option<String> {
    let places: Vec<usize> = named.tokens.iter().copied().collect();
    let held = segments.with(cue, &places, named.said);
    let others: Vec<Range<usize>> = segments.others(&held).cloned().collect();
    let scoped = |at: usize| {
        let mut starts = at.saturating_sub(SCOPE_TOKENS_MAX)..=at;
        starts.any(|start| {
            lattice
                .phrase("gist_scope", start)
                .is_some_and(|end| end > at)
        })
    };
    let unclear = |at: usize| {
        let holds = |class: &str| lattice.phrase(class, at).is_some();
        (holds("gist_never") || holds("limits")) && !scoped(at)
    };
    // "Tick the gutter off, and delete the frobs": what names the thing may not order something else.
    let orders = |segment: &&Range<usize>| {
        !segment.contains(&cue.start) && !lead_in::tells(lattice, (*segment).clone(), segment.end)
    };
    let clear =
        !held.iter().cloned().flatten().any(unclear) && !held.iter().any(|one| orders(&one));
    let beside =
        |segment: &Range<usize>| is_aside(lattice, segment) || repeats(lattice, segment, gist.cue);
    if !clear || !others.iter().all(beside) {
        return None;
    }
    let details = Details::of(lattice, named, &held, &others);
    let name = named.words(lattice, &held);
    details.request(gist.request, gist.needs, &name, cue)
}
