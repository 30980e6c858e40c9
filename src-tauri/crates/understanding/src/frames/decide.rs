//! From a message to a plan, where one reading is clearly the best.

use adjutant_domain::plan::PlanDraft;
use adjutant_domain::reading::{Reading, Utterance};

use super::clauses::{self, Sequence};
use super::lattice::Lattice;
use super::{own, trace};

/// A reading is sure where the next one that means something else is worse by this.
const MARGIN: f32 = 0.4;

/// Plans a message that frames read whole. `None`: it is read by other means.
pub(crate) fn plan(said: &Utterance<'_>) -> Option<Reading> {
    if is_open(said.text) {
        return None;
    }
    let lattice = Lattice::read(said.text, said)?;
    decide(&lattice, &clauses::sequences(&lattice))
}

/// Plans a message that nothing else reads, by the phrases that tools bring themselves. `None`: they do not read it either.
pub(crate) fn plan_own(said: &Utterance<'_>) -> Option<Reading> {
    let own = own::phrases(said.tools).filter(|_| !is_open(said.text))?;
    // What the rules of this program read, even if not surely, is not for others.
    let known = Lattice::read(said.text, said)?;
    if clauses::sequences(&known).iter().any(|one| one.score > 0.0) {
        return None;
    }
    let lattice = Lattice::read_with(said.text, said, Some(&own))?;
    decide(&lattice, &clauses::sequences(&lattice))
}

/// Whether a quotation does not end: then nobody knows what belongs to it.
fn is_open(text: &str) -> bool {
    text.matches('"').count() % 2 == 1
}

/// The best reading, where no other one is nearly as good.
fn decide(lattice: &Lattice<'_>, found: &[Sequence]) -> Option<Reading> {
    // A remark alone asks for nothing.
    let asks = |best: &&Sequence| {
        best.requests
            .iter()
            .any(|request| !request.steps.is_empty() || request.frame.category().cannot.is_some())
    };
    let best = found.first().filter(|best| best.score > 0.0).filter(asks)?;
    let rival = found.iter().skip(1).find(|other| !same_tools(best, other));
    if rival.is_some_and(|rival| best.score - rival.score < MARGIN) {
        return None;
    }
    let mut frames = best.requests.iter().map(|request| &request.frame);
    if let Some(why) = frames.find_map(|frame| frame.category().cannot) {
        let frames = best.requests.iter().map(|request| &request.frame);
        return Some(Reading::NotUnderstood {
            text: why.to_owned(),
            trace: frames
                .flat_map(|frame| trace::lines(lattice, frame))
                .collect(),
        });
    }
    let does = best
        .requests
        .iter()
        .filter_map(|request| request.steps.last());
    let request = does
        .map(|step| step.say.as_str())
        .collect::<Vec<_>>()
        .join("; ");
    Some(Reading::Plan {
        plan: PlanDraft {
            request,
            steps: best
                .requests
                .iter()
                .flat_map(|one| one.steps.clone())
                .collect(),
        },
        trace: best
            .requests
            .iter()
            .flat_map(|request| trace::lines(lattice, &request.frame))
            .collect(),
    })
}

/// Whether two readings call the same tools: then they differ in details, and the better one is meant.
fn same_tools(one: &Sequence, other: &Sequence) -> bool {
    let tools = |sequence: &Sequence| -> Vec<String> {
        let steps = sequence.requests.iter().flat_map(|request| &request.steps);
        steps.map(|step| step.tool.clone()).collect()
    };
    tools(one) == tools(other)
}
