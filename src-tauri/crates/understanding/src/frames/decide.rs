//! From a message to a plan, where one reading is clearly the best.

use adjutant_domain::plan::{PlanDraft, StepDraft};
use adjutant_domain::reading::{Reading, TraceLine, Utterance};
use adjutant_domain::record::Kind;

use super::clauses::{self, Sequence};
use super::compile;
use super::lattice::Lattice;
use super::{follow, own, trace};
use crate::time::Found;

/// A reading is sure where the next one that means something else is worse by this.
const MARGIN: f32 = 0.4;

/// Plans a message that frames read whole, and by no means that others come before. `None`: it is read by other means.
pub(crate) fn plan(said: &Utterance<'_>) -> Option<Reading> {
    if is_open(said.text) {
        return None;
    }
    let lattice = Lattice::read(said.text, said)?;
    let (last, first) = sequences(&lattice);
    match names_nothing_known(&lattice, &first) && !last.is_empty() {
        true => decide(&lattice, &last),
        false => decide(&lattice, &first),
    }
}

/// Plans a message that nothing else reads, as a question about everything the person has; where it is about the `world`, only
/// by words that are the person's own. `None`: it is none.
pub(crate) fn plan_last(said: &Utterance<'_>, world: bool) -> Option<Reading> {
    let lattice = Lattice::read(said.text, said).filter(|_| !is_open(said.text))?;
    let (last, first) = sequences(&lattice);
    let read = first.first().is_some_and(|best| best.score > 0.0);
    let own = !world || (0..lattice.len()).any(|at| compile::is_own(&lattice, at));
    decide(&lattice, &last).filter(|_| !read && own)
}

/// The ways to read a message: those that are asked last, and the others.
pub(super) fn sequences(lattice: &Lattice<'_>) -> (Vec<Sequence>, Vec<Sequence>) {
    let found = clauses::sequences(lattice).into_iter();
    found.partition(|sequence| {
        let mut frames = sequence.requests.iter().map(|request| &request.frame);
        frames.any(|frame| frame.category().fallback)
    })
}

/// Whether the best reading asks about one event or task, by words that none of them is called by although other things are:
/// the answer is then written elsewhere.
fn names_nothing_known(lattice: &Lattice<'_>, found: &[Sequence]) -> bool {
    let [request] = found.first().map_or(&[][..], |best| &best.requests) else {
        return false;
    };
    let kind = match request.frame.category().filters {
        Some("calendar") => Kind::Event,
        Some("task") if request.frame.constant("ask") == Some("when") => Kind::Task,
        _ => return false,
    };
    // Where no name of the person's is mentioned at all, what lasts or lies somewhere need be no event.
    let ask = request.frame.constant("ask");
    let nowhere = lattice.said.names.is_empty()
        && kind == Kind::Event
        && matches!(ask, Some("total" | "where"))
        && compile::is_only_named(&request.frame);
    compile::names_one(&request.frame)
        && (nowhere || compile::is_unknown(lattice, &request.frame, kind))
}

/// Plans a message that nothing else reads, by the phrases that tools bring themselves. `None`: they do not read it either.
pub(crate) fn plan_own(said: &Utterance<'_>) -> Option<Reading> {
    let own = own::phrases(said.tools).filter(|_| !is_open(said.text))?;
    // What the rules of this program read, even if not surely, is not for others.
    let known = Lattice::read(said.text, said)?;
    if sequences(&known).1.iter().any(|one| one.score > 0.0) {
        return None;
    }
    let lattice = Lattice::read_with(said.text, said, Some(&own))?;
    // What is asked last of all is asked behind these, with a look at whose things it speaks of.
    decide(&lattice, &sequences(&lattice).1)
}

/// Whether a quotation does not end: then nobody knows what belongs to it.
fn is_open(text: &str) -> bool {
    text.matches('"').count() % 2 == 1
}

/// The best reading, where no other one is nearly as good.
fn decide(lattice: &Lattice<'_>, found: &[Sequence]) -> Option<Reading> {
    let best = found.first().filter(|best| best.score > 0.0)?;
    let rival = found.iter().skip(1).find(|other| !same_tools(best, other));
    if rival.is_some_and(|rival| best.score - rival.score < MARGIN) {
        return None;
    }
    settled(lattice, best)
}

/// What a reading comes to.
pub(super) fn settled(lattice: &Lattice<'_>, best: &Sequence) -> Option<Reading> {
    let mut frames = best.requests.iter().map(|request| &request.frame);
    let counted = lattice.times.iter().any(Found::is_counted);
    if counted || frames.clone().any(|frame| follow::is_left(lattice, frame)) {
        return None;
    }
    if let Some(why) = frames.find_map(|frame| frame.category().cannot) {
        return Some(Reading::NotUnderstood {
            text: why.to_owned(),
            near: Vec::new(),
            trace: traced(lattice, best),
        });
    }
    let asks = best.requests.iter().any(|one| !one.steps.is_empty());
    if best.requests.iter().any(|one| one.frame.category().undo) {
        let trace = traced(lattice, best);
        return (!asks).then_some(Reading::Undo { trace });
    }
    if !asks {
        return answer(lattice, best);
    }
    Some(Reading::Plan {
        plan: PlanDraft {
            request: title(lattice, best),
            steps: ordered(best),
        },
        trace: traced(lattice, best),
    })
}

/// What a plan is called: a question by the person's own words, everything else by what is done.
fn title(lattice: &Lattice<'_>, best: &Sequence) -> String {
    let mut parts: Vec<String> = Vec::new();
    for request in &best.requests {
        let Some(step) = request.steps.last() else {
            continue;
        };
        let part = match lattice.said.only_reads(&step.tool) {
            true => compile::asked(lattice, &request.frame),
            false => step.say.clone(),
        };
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    compile::capitalised(&parts.join("; "))
}

/// How the requests of a message were read.
fn traced(lattice: &Lattice<'_>, sequence: &Sequence) -> Vec<TraceLine> {
    let frames = sequence.requests.iter().map(|request| &request.frame);
    frames
        .flat_map(|frame| trace::lines(lattice, frame))
        .collect()
}

/// What is answered to remarks that ask for nothing. `None`: what they speak of is meant by another message.
fn answer(lattice: &Lattice<'_>, remarks: &Sequence) -> Option<Reading> {
    // What was taken back asks for nothing any more.
    let mut frames = remarks.requests.iter().map(|remark| &remark.frame);
    let text = frames
        .find(|frame| frame.category().remark)?
        .category()
        .answer?;
    Some(Reading::Say {
        text: filled(text, lattice.said),
        trace: traced(lattice, remarks),
    })
}

/// An answer of the data files with what its braces stand for.
fn filled(answer: &str, said: &Utterance<'_>) -> String {
    if !answer.contains('{') {
        return answer.to_owned();
    }
    let name = said.settings.owner.name.split_whitespace().next();
    let name = name.map_or_else(String::new, |name| format!(", {name}"));
    let today = said.now.strftime("%A, %-d %B %Y").to_string();
    answer
        .replace("{name}", &name)
        .replace("{clock}", &said.settings.clock.show(said.now.time()))
        .replace("{today}", &today)
}

/// The steps of all requests in the order in which they run: first what has to be read before it is changed.
fn ordered(sequence: &Sequence) -> Vec<StepDraft> {
    let steps = sequence.requests.iter().flat_map(|one| one.steps.clone());
    let (first, mut rest): (Vec<_>, Vec<_>) = steps.partition(compile::comes_first);
    for step in &mut rest {
        // Nothing is changed before it was read.
        let later = first.iter().filter(|one| !step.needs.contains(&one.key));
        let keys: Vec<_> = later.map(|one| one.key.clone()).collect();
        step.needs.extend(keys);
    }
    first.into_iter().chain(rest).collect()
}

/// Whether two readings do the same, with what they look up for it or without: then they differ in details, and the better
/// one is meant.
fn same_tools(one: &Sequence, other: &Sequence) -> bool {
    let all = |sequence: &Sequence| -> Vec<String> {
        let steps = sequence.requests.iter().flat_map(|request| &request.steps);
        steps.map(|step| step.tool.clone()).collect()
    };
    let last = |sequence: &Sequence| -> Vec<Option<String>> {
        let does = sequence.requests.iter().map(|request| request.steps.last());
        does.map(|step| step.map(|step| step.tool.clone()))
            .collect()
    };
    all(one) == all(other) || last(one) == last(other)
}
