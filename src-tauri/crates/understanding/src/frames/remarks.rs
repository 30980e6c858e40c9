//! A request with remarks around it that no rule reads: "Take the market off Saturday, prob sleeping in."
//!
//! If nothing reads the whole message, the longest run of its segments that reads as a change is taken. The segments
//! beside it may be anything that orders, asks, limits and adds nothing. The gate asks about each change, as about a
//! guess, and the card names the segments that were not understood.

use std::ops::Range;

use adjutant_domain::plan::StepDraft;
use adjutant_domain::reading::{Reading, Utterance};

use super::grammar::REQUESTS;
use super::lattice::{Filler, Lattice};
use super::lead_in::LeadIn;
use super::segments::Segments;
use super::{decide, ground};

/// Maximum number of segments in such a message.
const SEGMENTS_MAX: usize = 6;
/// Maximum number of texts that are read.
const TRIED_MAX: usize = 10;
/// Maximum number of tokens left out.
const LEFT_OUT_MAX: usize = 24;
/// Words with which a segment adds to the one before it.
const ADDING: &[&str] = &[
    "and", "or", "also", "plus", "then", "with", "without", "at", "in", "on", "for", "to", "from",
    "by", "until", "till", "under", "via", "about", "not", "no", "do", "don't", "nothing", "never",
    "instead", "rather", "actually", "wait", "sorry",
];

/// Plans the request of a message. Returns `None` if no run of its segments is a clear request for something that the
/// person has, or if something beside it may add to it.
pub(super) fn plan(said: &Utterance<'_>) -> Option<Reading> {
    let lattice = Lattice::read(said.text, said)?;
    let segments = Segments::of(&lattice);
    let segments = segments.all();
    let count = segments.len();
    if !(2..=SEGMENTS_MAX).contains(&count) {
        return None;
    }
    let runs = (1..count)
        .rev()
        .flat_map(|length| (0..=count - length).map(move |from| from..from + length));
    let mut tried = 0;
    for run in runs {
        let mut beside = segments[..run.start].iter().chain(&segments[run.end..]);
        let left_out: usize = beside.clone().map(ExactSizeIterator::len).sum();
        // "Cancel it and then fly to the moon": what a word joins belongs together.
        let joined = |segment: &Range<usize>| {
            let before = segment
                .start
                .checked_sub(1)
                .map_or("", |at| lattice.word(at));
            matches!(before, "and" | "then" | "or" | "but")
        };
        let split = joined(&segments[run.start]) || segments[run.end..].iter().any(joined);
        if split || left_out > LEFT_OUT_MAX || !beside.all(|one| is_remark(&lattice, one)) {
            continue;
        }
        for text in texts(&lattice, segments, &run) {
            if tried == TRIED_MAX {
                return None;
            }
            tried += 1;
            if let Some(read) = change(&Utterance {
                text: &text,
                ..*said
            }) {
                let beside = segments[..run.start].iter().chain(&segments[run.end..]);
                return Some(guessed(&lattice, read, beside));
            }
        }
    }
    None
}

/// Returns what a run of segments may stand for: itself, with the words of the segments before it in place of what
/// refers to them.
fn texts(lattice: &Lattice<'_>, segments: &[Range<usize>], run: &Range<usize>) -> Vec<String> {
    let (start, end) = (segments[run.start].start, segments[run.end - 1].end);
    let whole = lattice.slice(0..end);
    let Some(before) = run.start.checked_sub(1) else {
        return vec![whole.to_owned()];
    };
    let shorter = Lattice::read(whole, lattice.said);
    shorter.map_or_else(Vec::new, |lattice| {
        LeadIn::behind(0..segments[before].end, start).meant(&lattice, None)
    })
}

/// Reads a text as a change that lacks nothing, of things that the person has.
fn change(said: &Utterance<'_>) -> Option<Reading> {
    let lattice = Lattice::read(said.text, said)?;
    let first = lattice.phrase("filler", 0).unwrap_or(0);
    let orders = REQUESTS
        .iter()
        .any(|class| lattice.phrase(class, first).is_some());
    let read = decide::plan(said)?;
    let Reading::Plan { plan, .. } = &read else {
        return None;
    };
    let mut changes = plan
        .steps
        .iter()
        .filter(|step| !said.only_reads(&step.tool));
    // "I need that tooth looked at" is no task, unless a verb orders it.
    let clear = |step: &StepDraft| {
        let named = step.args.get("target").is_some() && !ground::is_unknown(said, step);
        step.question.is_none() && (named || orders && step.args.get("target").is_none())
    };
    let some = changes.clone().next().is_some();
    (some && changes.all(clear)).then_some(read)
}

/// Marks each change as a guess that says what was left out.
fn guessed<'a>(
    lattice: &Lattice<'_>,
    read: Reading,
    beside: impl Iterator<Item = &'a Range<usize>>,
) -> Reading {
    let Reading::Plan { mut plan, trace } = read else {
        return read;
    };
    let unread = beside.filter(|segment| !is_assumed(lattice, segment));
    let left_out: Vec<String> = unread
        .map(|segment| lattice.slice(segment.clone()).to_owned())
        .collect();
    for step in &mut plan.steps {
        if !lattice.said.only_reads(&step.tool) {
            step.guessed = true;
            step.left_out.clone_from(&left_out);
        }
    }
    Reading::Plan { plan, trace }
}

/// Reports whether a segment beside a request orders, asks, limits and adds nothing.
fn is_remark(lattice: &Lattice<'_>, segment: &Range<usize>) -> bool {
    if is_assumed(lattice, segment) {
        return true;
    }
    let first = lattice
        .phrase("filler", segment.start)
        .unwrap_or(segment.start);
    let orders = REQUESTS
        .iter()
        .chain(&["no_statement", "question", "i_have_to"]);
    let mut orders = orders.filter(|class| lattice.phrase(class, first).is_some());
    let limits = |at: usize| {
        let holds = |class: &str| lattice.phrase(class, at).is_some();
        holds("gist_doubt") || holds("limits") || lattice.word(at) == "?"
    };
    let quoted = |at: usize| lattice.text.tokens[at].quote.is_some();
    let values = |at: usize| {
        let mut edges = lattice.edges(at).iter();
        edges.any(|edge| edge.end == segment.end && !matches!(edge.filler, Filler::Number(_)))
    };
    segment.len() > 1
        && !commands(lattice, first)
        && orders.next().is_none()
        && !ADDING.contains(&lattice.word(first))
        && !values(first)
        && !segment.clone().any(|at| limits(at) || quoted(at))
}

/// Reports whether a segment says what the rules assume anyway, or nothing: "keeping the same hour", "please".
fn is_assumed(lattice: &Lattice<'_>, segment: &Range<usize>) -> bool {
    lattice.phrase("gist_scope", segment.start).is_some()
        || lattice.phrase("filler", segment.start) == Some(segment.end)
}

/// Reports whether words may order something by a verb that no rule knows: "photocopy the lease".
fn commands(lattice: &Lattice<'_>, first: usize) -> bool {
    let told = |class: &str| lattice.phrase(class, first).is_some();
    let mut people = lattice.edges(first + 1).iter();
    let object = lattice.phrase("det", first + 1).is_some()
        || lattice.word(first + 1) == "all"
        || people.any(|edge| matches!(edge.filler, Filler::People(_)));
    object && !told("states") && !told("det")
}
