//! A change in place of what waits: "no wait, keep it, just move it a week later".

use adjutant_domain::reading::{Reading, Utterance};

use super::super::clauses;
use super::super::decide;
use super::super::lattice::Lattice;

/// Words between what is kept and what is to be done with it instead.
const JOINTS: &[&str] = &[
    "but", "and", "just", "only", "instead", "rather", "then", "so",
];

/// Returns what is to be done with the thing of the pending `request` instead, with the name of that thing. Returns
/// `None` if the message does not keep it, or asks for nothing else.
pub(crate) fn kept(request: &str, said: &Utterance<'_>) -> Option<String> {
    let lattice = Lattice::read(said.text, said)?;
    let opened = lattice.phrase("filler", 0).unwrap_or(0);
    let keeps = |at| lattice.phrase("keep_instead", at);
    let end = keeps(0).or_else(|| keeps(opened))?;
    let joint = |at: &usize| lattice.is_mark(*at) || JOINTS.contains(&lattice.word(*at));
    let from = end + (end..lattice.len()).take_while(joint).count();
    let it = (from..lattice.len()).find(|at| matches!(lattice.word(*at), "it" | "that"))?;
    let before = Utterance {
        text: request,
        ..*said
    };
    let asked = Lattice::read(request, &before)?;
    let first = clauses::sequences(&asked).into_iter().next()?;
    let [one] = first.requests.as_slice() else {
        return None;
    };
    let thing = one.frame.inner("target")?.span.clone();
    let text = |end: usize| {
        let parts = [
            lattice.slice(from..it),
            asked.slice(thing.clone()),
            lattice.slice(it + 1..end),
        ];
        parts.join(" ").trim().to_owned()
    };
    let last = (it + 1..lattice.len()).rev();
    let mut last = last.skip_while(|at| lattice.is_mark(*at));
    let instead = last.next().filter(|at| JOINTS.contains(&lattice.word(*at)));
    let texts = [Some(lattice.len()), instead]
        .into_iter()
        .flatten()
        .map(text);
    let reads = |text: &String| {
        let text = text.as_str();
        let read = decide::plan(&Utterance { text, ..*said });
        matches!(read, Some(Reading::Plan { .. }))
    };
    texts.into_iter().find(reads)
}
