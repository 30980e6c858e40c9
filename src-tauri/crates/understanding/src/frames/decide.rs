//! From a message to a plan, where one reading is clearly the best.

use adjutant_domain::plan::{PlanDraft, StepDraft};
use adjutant_domain::reading::{Reading, Utterance};
use adjutant_text::{stem, words};

use super::clauses::{self, Sequence};
use super::lattice::Lattice;
use super::trace;
use crate::plan::is_reading;

/// A reading is sure where the next one that means something else is worse by this.
const MARGIN: f32 = 0.4;

/// Plans a message that the old planner does not understand: only where nothing is asked, and nothing is looked for of which
/// the person has no name.
pub(crate) fn plan_beside(said: &Utterance<'_>) -> Option<Reading> {
    let reading = plan(said)?;
    let Reading::Plan { plan, .. } = &reading else {
        return Some(reading);
    };
    let unsure = |step: &StepDraft| step.question.is_some() || looks_for_nothing(said, step);
    (!plan.steps.iter().any(unsure)).then_some(reading)
}

/// Plans a message that frames read whole. `None`: it is read by other means.
pub(super) fn plan(said: &Utterance<'_>) -> Option<Reading> {
    // Where a quotation does not end, nobody knows what belongs to it.
    if said.text.matches('"').count() % 2 == 1 {
        return None;
    }
    let lattice = Lattice::read(said.text, said)?;
    let found = clauses::sequences(&lattice);
    // A remark alone asks for nothing.
    let asks = |best: &&Sequence| {
        best.requests
            .iter()
            .any(|request| !request.steps.is_empty())
    };
    let best = found.first().filter(|best| best.score > 0.0).filter(asks)?;
    let rival = found.iter().skip(1).find(|other| !same_tools(best, other));
    if rival.is_some_and(|rival| best.score - rival.score < MARGIN) {
        return None;
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
            .flat_map(|request| trace::lines(&lattice, &request.frame))
            .collect(),
    })
}

/// Whether a step looks for words that no name of the person's things holds: "there is none" would say more than is known.
fn looks_for_nothing(said: &Utterance<'_>, step: &StepDraft) -> bool {
    const WORDS: &[&str] = &["text", "subject", "title"];
    if !is_reading(&step.tool) {
        return false;
    }
    let texts = WORDS
        .iter()
        .filter_map(|field| step.args.get(field)?.as_str());
    let labels = said.names.iter().flat_map(|name| words(&name.label));
    let known: Vec<String> = labels.map(|word| stem(&word)).collect();
    texts
        .flat_map(words)
        .any(|word| !known.contains(&stem(&word)))
}

/// Whether two readings call the same tools: then they differ in details, and the better one is meant.
fn same_tools(one: &Sequence, other: &Sequence) -> bool {
    let tools = |sequence: &Sequence| -> Vec<String> {
        let steps = sequence.requests.iter().flat_map(|request| &request.steps);
        steps.map(|step| step.tool.clone()).collect()
    };
    tools(one) == tools(other)
}
