//! From a message to a plan, where one reading is clearly the best.

use std::rc::Rc;

use adjutant_domain::ids::StepKey;
use adjutant_domain::plan::{PlanDraft, StepDraft};
use adjutant_domain::reading::{Reading, Utterance};

use super::binding::Binding;
use super::chart::Chart;
use super::compile;
use super::grammar::GRAMMAR;
use super::lattice::Lattice;
use super::trace;

/// Readings that are made into steps, to see which can be.
const TRIED_MAX: usize = 12;
/// What is missing costs.
const MISSING: f32 = -1.0;
/// A reading is sure where the next one that means something else is worse by this.
const MARGIN: f32 = 0.4;

/// A reading that is a step.
pub(super) struct Candidate {
    /// The reading.
    pub frame: Rc<Binding>,
    /// The step.
    pub step: StepDraft,
    /// How well it fits.
    pub score: f32,
}

/// Plans a message that one frame reads whole. `None`: it is read by other means.
pub(crate) fn plan(said: &Utterance<'_>) -> Option<Reading> {
    let lattice = Lattice::read(said.text, said)?;
    let candidates = candidates(&lattice, 0, lattice.len());
    let best = candidates.first()?;
    if !best.frame.left.is_empty() || best.score <= 0.0 {
        return None;
    }
    let other = candidates
        .iter()
        .skip(1)
        .find(|other| other.step.tool != best.step.tool || other.step.args != best.step.args);
    let same_tool = |other: &Candidate| other.step.tool == best.step.tool;
    if other.is_some_and(|other| !same_tool(other) && best.score - other.score < MARGIN) {
        return None;
    }
    let mut step = best.step.clone();
    step.key = StepKey("s1".to_owned());
    Some(Reading::Plan {
        plan: PlanDraft {
            request: step.say.clone(),
            steps: vec![step],
        },
        trace: trace::lines(&lattice, &best.frame),
    })
}

/// The readings of a stretch that can be made into steps, best first.
pub(super) fn candidates(lattice: &Lattice<'_>, start: usize, end: usize) -> Vec<Candidate> {
    let categories = GRAMMAR.categories.iter().enumerate();
    let frames: Vec<usize> = categories
        .filter(|(_, category)| category.tool.is_some())
        .map(|(number, _)| number)
        .collect();
    let mut chart = Chart::new(lattice, end);
    let found = chart.requests(start, &frames);
    let mut candidates: Vec<Candidate> = Vec::new();
    for frame in found.into_iter().take(TRIED_MAX * 4) {
        if candidates.len() >= TRIED_MAX {
            break;
        }
        let Ok(step) = compile::step(lattice, &frame) else {
            continue;
        };
        let needs = frame.category().needs.iter();
        let missing = needs.filter(|role| !frame.has(role)).count();
        let score = frame.score + MISSING * if missing > 0 { 1.0 } else { 0.0 };
        candidates.push(Candidate { frame, step, score });
    }
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    candidates
}
