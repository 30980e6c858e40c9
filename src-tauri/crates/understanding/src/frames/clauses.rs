//! Messages with several requests: where one ends and the next begins stays open until the whole message is read.

mod candidates;
mod cuts;
mod shared;

use std::rc::Rc;

use adjutant_domain::plan::{Condition, StepDraft};

use super::binding::{Binding, Value};
use super::compile::{self, EarlierRequest, condition};
use super::lattice::Lattice;
use super::weights::weights;
use candidates::ClauseReader;
use cuts::{ClauseLink, Cut};

/// Maximum number of requests in one message.
const CLAUSES_MAX: usize = 8;
/// Maximum number of readings of one stretch that are kept.
const OPEN_MAX: usize = 4;

/// A request that was read and compiled into steps.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The reading.
    pub frame: Rc<Binding>,
    /// Its steps: those that read something first, and last the one that does what was asked.
    pub steps: Vec<StepDraft>,
    /// Score of the reading.
    pub score: f32,
    /// Whether it continues the sentence of the preceding request.
    pub goes_on: bool,
}

/// Consecutive requests that cover the message from its beginning.
#[derive(Clone, Debug, Default)]
pub(super) struct Sequence {
    /// The requests.
    pub requests: Vec<Candidate>,
    /// Total score.
    pub score: f32,
    /// A condition that waits for its request, and whether it is negated.
    awaits: Option<(Rc<Binding>, bool)>,
    /// The latest condition, which a following "if so" or "if not" refers to.
    last: Option<Condition>,
    /// The condition on which the following requests depend.
    holds: Option<Condition>,
}

/// Returns the ways to read a message as a sequence of requests, best first. Empty if the message has more readings
/// than the parser tries.
pub(super) fn sequences(lattice: &Lattice<'_>) -> Vec<Sequence> {
    let cuts = cuts::cuts(lattice);
    let mut reader = ClauseReader::new(lattice);
    let mut open: Vec<Vec<Sequence>> = vec![Vec::new(); cuts.len()];
    if let Some(first) = open.first_mut() {
        first.push(Sequence::default());
    }
    let mut done = Vec::new();
    for (from, cut) in cuts.iter().enumerate() {
        let mut here = std::mem::take(&mut open[from]);
        here.sort_by(|a, b| b.score.total_cmp(&a.score));
        here.truncate(OPEN_MAX);
        for before in here {
            let ends = cuts.iter().enumerate().skip(from + 1);
            let closes = |next: &Cut| next.stop || next.link == ClauseLink::No;
            let ends = ends.map(|(to, next)| (next.end, closes(next), Some(to)));
            for (end, closes, to) in ends.chain([(lattice.len(), true, None)]) {
                if end <= cut.start || before.requests.len() == CLAUSES_MAX {
                    continue;
                }
                let next = extended(&mut reader, &before, cut, (end, closes));
                if reader.chart.is_exhausted() {
                    return Vec::new();
                }
                match to {
                    Some(to) => open[to].extend(next),
                    None => done.extend(next.into_iter().filter(|whole| whole.awaits.is_none())),
                }
            }
        }
    }
    done.sort_by(|a: &Sequence, b: &Sequence| b.score.total_cmp(&a.score));
    done
}

/// Extends a sequence by the part from a cut to `end`; `closes` reports whether a sentence ends there.
fn extended(
    reader: &mut ClauseReader<'_, '_>,
    before: &Sequence,
    cut: &Cut,
    (end, closes): (usize, bool),
) -> Vec<Sequence> {
    let lattice = reader.lattice;
    let mut before = before.clone();
    before.score += if cut.end > 0 || cut.start > 0 {
        weights().cut
    } else {
        0.0
    };
    match cut.link {
        ClauseLink::If { denied, asks } => {
            let found = reader.conditions(cut.start, end);
            let first = before.requests.is_empty() || cut.stop || cut.joined;
            if before.awaits.is_some() {
                return Vec::new();
            }
            return match (first, asks) {
                (true, true) => [
                    awaiting(&before, &found, denied),
                    asking(lattice, &before, &found),
                ]
                .concat(),
                (true, false) => awaiting(&before, &found, denied),
                (false, false) if closes => decided(lattice, &before, &found, denied),
                (false, _) => Vec::new(),
            };
        }
        ClauseLink::Yes | ClauseLink::No => {
            let holds = cut.link == ClauseLink::Yes;
            if let Some((_, denied)) = &mut before.awaits {
                *denied ^= !holds;
            } else {
                let Some(last) = before.last.clone().or_else(|| last_question(&before)) else {
                    return Vec::new();
                };
                before.holds = Some(if holds {
                    last.clone()
                } else {
                    condition::not(last.clone())
                });
                before.last = Some(last);
            }
        }
        ClauseLink::Next => {
            if cut.bare != before.awaits.is_some() && cut.bare
                || cut.stop && before.awaits.is_some()
            {
                return Vec::new();
            }
            if cut.stop {
                before.holds = None;
            }
        }
    }
    let mut found = reader.candidates((cut.start, end), &before, !cut.stop);
    if !cut.stop && !cut.joined && tells(&before) {
        // "… : sounds good, see you then": the message to somebody continues after its comma.
        found.retain(|next| !next.steps.is_empty());
    }
    let last = before.requests.last();
    if !cut.stop && !cut.joined && last.is_some_and(|last| !last.frame.has("owed")) {
        found.retain(|next| !is_reason(lattice, next));
        found = found.into_iter().map(doubted).collect();
    }
    let found = found.into_iter();
    found
        .filter_map(|next| followed(lattice, before.clone(), next))
        .take(OPEN_MAX)
        .collect()
}

/// Reports whether what follows a comma only gives the reason of the request before: "book the hall for 2, we have to plan
/// the fair", "take the coffee off, I bought a kilo".
fn is_reason(lattice: &Lattice<'_>, next: &Candidate) -> bool {
    let unknown = || compile::grounds(lattice, &next.frame, &[]) <= 0.0;
    let ours = lattice.word(next.frame.span.start) == "we";
    next.frame.has("owed") && ours || next.frame.has("told_done") && unknown()
}

/// Marks what the person has to do as a guess if it follows the comma of a request: "add milk, I have to call the vet" may
/// ask for a task or give a reason.
fn doubted(mut next: Candidate) -> Candidate {
    let owed = next.frame.has("owed");
    next.steps.iter_mut().for_each(|step| step.guessed |= owed);
    next
}

/// Reports whether the last request of a sequence ends with the words of a message to somebody.
fn tells(before: &Sequence) -> bool {
    let last = before.requests.last();
    last.is_some_and(|last| {
        let told = last.frame.all("said").filter_map(|value| match value {
            Value::Text(stretches) => stretches.last(),
            _ => None,
        });
        told.into_iter().any(|told| told.end == last.frame.span.end)
    })
}

/// Adds a request to the sequence, subject to the conditions said before. Returns `None` if it cannot follow.
fn followed(lattice: &Lattice<'_>, mut before: Sequence, mut next: Candidate) -> Option<Sequence> {
    before.score += next.score;
    // "Tell Ana that I'm sorry, I can't make it": the message to Ana includes the second clause.
    let told = before
        .requests
        .last()
        .is_some_and(|last| last.frame.has("said"));
    if next.frame.category().remark && next.goes_on && told {
        return None;
    }
    // A remark must not cut off text that is being written or told.
    let writes = before.requests.last().is_some_and(|last| {
        let mut roles = last.frame.roles.iter();
        last.frame.category().tool.is_some()
            && roles.any(|(_, value)| matches!(value, Value::Text(_)))
    });
    let by_the_way = next.frame.category().aside;
    let behind = !before.requests.is_empty() && next.frame.has("about");
    if by_the_way && (writes || behind) {
        return None;
    }
    // "Remind me to call Ana and thank her": both belong to the task.
    let does = |request: &Candidate| {
        request.steps.last().map(|step| step.tool.as_str()) == Some("task.create")
    };
    let spoken = matches!(next.frame.constant("how"), Some("thank" | "wish" | "ask"));
    let named = |at: usize| matches!(lattice.word(at), "him" | "her" | "them");
    let to_them = next.frame.span.clone().any(named);
    if spoken && to_them && next.goes_on && before.requests.last().is_some_and(does) {
        return None;
    }
    // "Remind me to buy milk and call mom": a request that the program cannot fulfil rarely follows one that it can.
    if next.frame.category().cannot.is_some() && !before.requests.is_empty() {
        before.score += weights().cut;
    }
    if next.frame.category().retracts && !retracted(&mut before) {
        return None;
    }
    if let Some((frame, denied)) = before.awaits.take() {
        let made = step_count(&before);
        let earlier = earlier(&before);
        let found = condition::read(lattice, &frame, &next.frame, (&earlier, made), denied);
        let (steps, condition) = found.ok()?;
        before.last = Some(condition.clone());
        before.holds = Some(condition);
        next.steps.splice(0..0, steps);
    }
    if let Some(condition) = &before.holds {
        condition::hold(next.steps.last_mut()?, condition);
    }
    if !restates(&before, &next) {
        before.requests.push(next);
    }
    share_back(lattice, &mut before);
    Some(before)
}

/// Reports whether a request only sums up the two before it: "the car is washed and the books are back, close both tasks".
fn restates(before: &Sequence, next: &Candidate) -> bool {
    let both = next.frame.inner("target").is_some_and(|thing| {
        thing.has("two") && !thing.has("name") && !thing.has("when") && !thing.has("state")
    });
    let tool = next.frame.category().tool;
    let mut last = before.requests.iter().rev().take(2);
    both && before.requests.len() > 1 && last.all(|one| one.frame.category().tool == tool)
}

/// Withdraws all requests so far. Returns false if a condition still waits for its request.
fn retracted(before: &mut Sequence) -> bool {
    before.holds = None;
    for request in &mut before.requests {
        request.steps.clear();
    }
    before.awaits.is_none()
}

/// Returns the sequences in which a part is a condition of the next request.
fn awaiting(before: &Sequence, found: &[Rc<Binding>], denied: bool) -> Vec<Sequence> {
    let sequences = found.iter().map(|frame| Sequence {
        score: before.score + frame.score,
        awaits: Some((Rc::clone(frame), denied)),
        ..before.clone()
    });
    sequences.collect()
}

/// Returns the sequences in which a part asks whether something is so.
fn asking(lattice: &Lattice<'_>, before: &Sequence, found: &[Rc<Binding>]) -> Vec<Sequence> {
    let ask = |frame: &Rc<Binding>| {
        let steps =
            condition::question_steps(lattice, frame, (&earlier(before), step_count(before)))
                .ok()?;
        let mut sequence = before.clone();
        sequence.score += frame.score;
        sequence.requests.push(Candidate {
            frame: Rc::clone(frame),
            steps,
            score: frame.score,
            goes_on: false,
        });
        Some(sequence)
    };
    found.iter().filter_map(ask).collect()
}

/// Returns the sequences in which a part is a condition of the preceding request.
fn decided(
    lattice: &Lattice<'_>,
    before: &Sequence,
    found: &[Rc<Binding>],
    denied: bool,
) -> Vec<Sequence> {
    let made = step_count(before);
    let earlier = earlier(before);
    let decide = |frame: &Rc<Binding>| {
        let mut sequence = before.clone();
        let request = sequence.requests.last_mut()?;
        let found = condition::read(lattice, frame, &request.frame, (&earlier, made), denied);
        let (steps, condition) = found.ok()?;
        condition::hold(request.steps.last_mut()?, &condition);
        request.steps.splice(0..0, steps);
        sequence.last = Some(condition);
        sequence.holds = None;
        sequence.score += frame.score;
        Some(sequence)
    };
    found.iter().filter_map(decide).collect()
}

/// Returns the last yes-no question as a condition.
fn last_question(before: &Sequence) -> Option<Condition> {
    let request = before.requests.last()?;
    condition::of_question(&request.frame, request.steps.last()?)
}

fn earlier(before: &Sequence) -> Vec<EarlierRequest<'_>> {
    let earlier = before.requests.iter().map(|request| EarlierRequest {
        step: request.steps.last(),
        frame: &request.frame,
    });
    let awaits = before
        .awaits
        .iter()
        .map(|(frame, _)| EarlierRequest { step: None, frame });
    earlier.chain(awaits).collect()
}

/// Returns the number of steps made so far.
fn step_count(before: &Sequence) -> usize {
    let steps = before.requests.iter().map(|request| request.steps.len());
    steps.sum()
}

/// Gives earlier requests of the sentence the day that was said at the end of the last one.
fn share_back(lattice: &Lattice<'_>, sequence: &mut Sequence) {
    let Some((last, before)) = sequence.requests.split_last() else {
        return;
    };
    let mut shared = Vec::new();
    let mut goes_on = last.goes_on;
    for (at, request) in before.iter().enumerate().rev() {
        let frame = shared::from_behind(lattice, &request.frame, &last.frame);
        let Some(frame) = frame.filter(|_| goes_on && request.steps.len() == 1) else {
            break;
        };
        goes_on = request.goes_on;
        let made = before[..at].iter().map(|one| one.steps.len()).sum();
        let Ok(steps) = compile::steps(lattice, &frame, &[], made) else {
            break;
        };
        shared.push((at, frame, steps));
    }
    for (at, frame, steps) in shared {
        sequence.requests[at].frame = Rc::new(frame);
        sequence.requests[at].steps = steps;
    }
}
