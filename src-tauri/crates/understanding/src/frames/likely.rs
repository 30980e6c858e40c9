//! What a message probably means, where that is not sure: the person is asked whether it was read rightly.

use adjutant_domain::plan::{AnswerKind, Choice, Question};
use adjutant_domain::reading::{Reading, Utterance};
use serde_json::{Value as Json, json};

use super::binding::{Binding, Value};
use super::clauses::Sequence;
use super::compile;
use super::decide;
use super::lattice::Lattice;

/// A reading below this score is not worth asking about.
const LEAST: f32 = 0.0;
/// The same of a reading that leaves words out.
const LEAST_LOOSE: f32 = 0.5;
/// A question that is answered by a reading that leaves words out has at least this score.
const LEAST_LOOK: f32 = 1.5;
/// Words such a reading leaves out: more of them tell what is asked for.
const LEFT_OUT_MAX: usize = 1;
/// Requests of a reading that is asked about: more cannot be taken in at a glance.
const REQUESTS_MAX: usize = 3;

/// The plan for the best reading, which begins with the question whether it is meant, unless all of it is a look. A yes is a
/// yes to reading it so: what has to be asked before it is done is asked then.
pub(super) fn plan(said: &Utterance<'_>) -> Option<Reading> {
    let lattice = Lattice::read(said.text, said)?;
    let best = best(&lattice, LEAST)?;
    look(&lattice, &best).or_else(|| asked(&lattice, &best))
}

/// The same by a reading that leaves words out, where none reads them all.
pub(super) fn loosely(said: &Utterance<'_>) -> Option<Reading> {
    let lattice = Lattice::read(said.text, said)?.loosely();
    let best = best(&lattice, LEAST_LOOSE)?;
    look(&lattice, &best).or_else(|| asked(&lattice, &best))
}

/// The plan for a question by a reading that leaves words out and reads the rest well.
pub(super) fn look_loosely(said: &Utterance<'_>) -> Option<Reading> {
    let lattice = Lattice::read(said.text, said)?.loosely();
    let best = best(&lattice, LEAST_LOOK)?;
    let left_out = best.requests.iter().map(|one| one.frame.left_out.len());
    look(&lattice, &best).filter(|_| left_out.sum::<usize>() <= LEFT_OUT_MAX)
}

/// The best reading above a score that asks for something else than everything the person has.
fn best(lattice: &Lattice<'_>, least: f32) -> Option<Sequence> {
    let (_, found) = decide::sequences(lattice);
    found.into_iter().next().filter(|best| best.score > least)
}

/// The plan of a reading that changes nothing and has nothing to ask.
fn look(lattice: &Lattice<'_>, best: &Sequence) -> Option<Reading> {
    let settled = decide::settled(lattice, best)?;
    let Reading::Plan { plan, .. } = &settled else {
        return None;
    };
    let mut steps = plan.steps.iter();
    let looks = steps.all(|step| step.question.is_none() && lattice.said.only_reads(&step.tool));
    looks.then_some(settled)
}

/// The plan of a reading that changes something, behind the question whether it is meant.
fn asked(lattice: &Lattice<'_>, best: &Sequence) -> Option<Reading> {
    let Reading::Plan { mut plan, trace } = decide::settled(lattice, best)? else {
        return None;
    };
    let asks = plan.steps.iter().any(|step| step.question.is_some());
    if asks || best.requests.len() > REQUESTS_MAX {
        return None;
    }
    let (first, rest) = plan.steps.split_first_mut()?;
    let (slot, value) = kept(&first.args)?;
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

/// An argument with its value: the yes leaves it as it is.
fn kept(args: &Json) -> Option<(String, Json)> {
    match args.as_object()?.iter().next() {
        Some((name, value)) => Some((format!("/{name}"), value.clone())),
        None => Some((String::new(), json!({}))),
    }
}

/// Names the words that a reading leaves out, in a sentence before the question; empty where it reads them all.
fn not_read(lattice: &Lattice<'_>, reading: &Sequence) -> String {
    let requests = reading.requests.iter();
    let words: Vec<&str> = requests
        .flat_map(|request| &request.frame.left_out)
        .map(|at| lattice.slice(*at..at + 1))
        .collect();
    match words.is_empty() {
        true => String::new(),
        false => format!("I did not understand “{}”. ", words.join(" … ")),
    }
}

/// A reading as it is asked about: what each request does, with the words of the message that say the rest.
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
    // The same name may be that of an event or of a task.
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
