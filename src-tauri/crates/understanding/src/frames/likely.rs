//! Proposes the probable meaning of a message that has no certain reading; the person is asked whether it is right.

use adjutant_domain::plan::{AnswerKind, Choice, Question};
use adjutant_domain::reading::{Reading, Utterance};
use serde_json::{Value as Json, json};

use super::binding::{Binding, Value};
use super::clauses::Sequence;
use super::compile;
use super::decide;
use super::lattice::Lattice;

/// A reading must score higher than this to be proposed.
const LEAST: f32 = 0.0;
/// A reading that leaves words out must score higher than this to be proposed.
const LEAST_LOOSE: f32 = 0.5;
/// A question read by leaving words out must score higher than this to be answered without asking.
const LEAST_LOOK: f32 = 1.5;
/// Maximum number of words that such a reading of a question leaves out; more would say what is asked for.
const LEFT_OUT_MAX: usize = 1;
/// Maximum number of words that a reading of a change leaves out and goes to its card without a question.
const LEFT_OUT_CARD_MAX: usize = 2;
/// Maximum number of requests in a reading that is proposed; more cannot be taken in at a glance.
const REQUESTS_MAX: usize = 3;

/// Returns the plan for the best reading. It begins by asking whether that reading is meant, unless all its steps only
/// read.
pub(super) fn plan(said: &Utterance<'_>) -> Option<Reading> {
    let lattice = Lattice::read(said.text, said)?;
    let best = best(&lattice, LEAST)?;
    look(&lattice, &best).or_else(|| plan_with_question(&lattice, &best))
}

/// Does the same as [`plan`] with a reading that may leave words out.
pub(super) fn loosely(said: &Utterance<'_>) -> Option<Reading> {
    let lattice = Lattice::read(said.text, said)?.loosely();
    let best = best(&lattice, LEAST_LOOSE)?;
    look(&lattice, &best).or_else(|| plan_with_question(&lattice, &best))
}

/// Plans a reading that may leave words out if it only changes things which it names in full. The person decides on the
/// card of each change, so no question has to ask the same before.
pub(super) fn on_card(said: &Utterance<'_>) -> Option<Reading> {
    let lattice = Lattice::read(said.text, said)?.loosely();
    let best = best(&lattice, LEAST_LOOSE)?;
    plan_on_card(&lattice, &best)
}

/// Plans a question by a reading that leaves at most [`LEFT_OUT_MAX`] words out and reads the rest well.
pub(super) fn look_loosely(said: &Utterance<'_>) -> Option<Reading> {
    let lattice = Lattice::read(said.text, said)?.loosely();
    let best = best(&lattice, LEAST_LOOK)?;
    let left_out = best.requests.iter().map(|one| one.frame.left_out.len());
    look(&lattice, &best).filter(|_| left_out.sum::<usize>() <= LEFT_OUT_MAX)
}

/// Returns the best reading above a score, apart from fallback categories.
fn best(lattice: &Lattice<'_>, least: f32) -> Option<Sequence> {
    let (_, found) = decide::sequences(lattice);
    found.into_iter().next().filter(|best| best.score > least)
}

/// Returns the plan of a reading whose steps only read and ask nothing.
fn look(lattice: &Lattice<'_>, best: &Sequence) -> Option<Reading> {
    let settled = decide::settled(lattice, best)?;
    let Reading::Plan { plan, .. } = &settled else {
        return None;
    };
    let mut steps = plan.steps.iter();
    let looks = steps.all(|step| step.question.is_none() && lattice.said.only_reads(&step.tool));
    looks.then_some(settled)
}

/// Returns the plan of a reading that only changes things which it names in full, each change as a guess.
fn plan_on_card(lattice: &Lattice<'_>, best: &Sequence) -> Option<Reading> {
    let Reading::Plan { mut plan, trace } = decide::settled(lattice, best)? else {
        return None;
    };
    let clear = plan.steps.iter().all(|step| {
        let target = step.args["target"].as_object();
        let named = target.is_some_and(|target| target.keys().any(|key| key.ends_with("_is")));
        step.question.is_none() && (named || lattice.said.only_reads(&step.tool))
    });
    let left_out = left_out_words(lattice, best).count();
    if !clear || left_out > LEFT_OUT_CARD_MAX || best.requests.len() > REQUESTS_MAX {
        return None;
    }
    let left_out: Vec<String> = left_out_words(lattice, best).map(str::to_owned).collect();
    for step in &mut plan.steps {
        if !lattice.said.only_reads(&step.tool) {
            step.guessed = true;
            step.left_out.clone_from(&left_out);
        }
    }
    Some(Reading::Plan { plan, trace })
}

/// Returns the plan of a reading that changes something, with the question whether it is meant before the first step.
fn plan_with_question(lattice: &Lattice<'_>, best: &Sequence) -> Option<Reading> {
    let Reading::Plan { mut plan, trace } = decide::settled(lattice, best)? else {
        return None;
    };
    let asks = plan.steps.iter().any(|step| step.question.is_some());
    if asks || best.requests.len() > REQUESTS_MAX {
        return None;
    }
    let (first, rest) = plan.steps.split_first_mut()?;
    let (slot, value) = present_value(&first.args)?;
    first.question = Some(Question {
        text: format!(
            "{}Did you mean: {}?",
            not_read(lattice, best),
            in_words(lattice, best)
        ),
        choices: vec![Choice::new("Yes", value)],
        slot,
        answer: AnswerKind::Choice,
    });
    for step in rest {
        if !step.needs.contains(&first.key) {
            step.needs.push(first.key.clone());
        }
    }
    Some(Reading::Plan { plan, trace })
}

/// Returns a slot and its present value, so that a "yes" leaves the arguments unchanged.
fn present_value(args: &Json) -> Option<(String, Json)> {
    match args.as_object()?.iter().next() {
        Some((name, value)) => Some((format!("/{name}"), value.clone())),
        None => Some((String::new(), json!({}))),
    }
}

/// Names the words that a reading leaves out, in a sentence before the question. Empty if it leaves none out.
fn not_read(lattice: &Lattice<'_>, reading: &Sequence) -> String {
    let words: Vec<&str> = left_out_words(lattice, reading).collect();
    match words.is_empty() {
        true => String::new(),
        false => format!("I did not understand “{}”. ", words.join(" … ")),
    }
}

/// Returns the words that a reading leaves out.
fn left_out_words<'a>(
    lattice: &'a Lattice<'_>,
    reading: &'a Sequence,
) -> impl Iterator<Item = &'a str> {
    let requests = reading.requests.iter();
    let left_out = requests.flat_map(|request| &request.frame.left_out);
    left_out.map(|at| lattice.slice(*at..at + 1))
}

/// Describes a reading for the question: what each request does, with the words of the message that this does not
/// repeat.
fn in_words(lattice: &Lattice<'_>, reading: &Sequence) -> String {
    let requests = reading.requests.iter().filter_map(|request| {
        let say = &request.steps.last()?.say;
        let rest = details(lattice, &request.frame, say);
        Some(match rest.is_empty() {
            true => say.clone(),
            false => format!("{say} ({})", rest.join(", ")),
        })
    });
    requests.collect::<Vec<_>>().join("; ")
}

fn details(lattice: &Lattice<'_>, frame: &Binding, say: &str) -> Vec<String> {
    let family = frame
        .category()
        .tool
        .and_then(|tool| tool.split('.').next());
    // An event and a task may have the same name, so say the kind.
    let kind = family
        .and_then(compile::kind_of)
        .filter(|_| frame.has("target"));
    let kind = kind.map(|kind| kind.word().to_owned());
    let said = frame.roles.iter().filter_map(|(_, value)| match value {
        Value::Constant(_) => None,
        value => Some(compile::words_of(lattice, value)),
    });
    let low = say.to_lowercase();
    let all = kind.into_iter().chain(said);
    let mut rest: Vec<String> = all
        .filter(|words| !low.contains(&words.to_lowercase()))
        .collect();
    rest.dedup();
    rest
}
