//! Understanding by frames.
//!
//! `lattice` records everything that each stretch of the message could be; `grammar` holds the rules, which are data;
//! `chart` parses the message by these rules and keeps the best readings; `compile` turns a reading into the steps of a
//! plan. [`plan`] makes the final choice.

mod binding;
mod chart;
mod clauses;
mod compile;
mod decide;
mod follow;
mod gist;
mod grammar;
mod ground;
mod last_request;
mod lattice;
mod lead_in;
mod likely;
mod own;
mod question;
mod remarks;
mod reply;
mod segments;
mod side_remark;
mod trace;
mod weights;

pub(crate) use decide::{plan_last, plan_own};
pub(crate) use follow::{
    Repair, behind_repair, kept, repair, restated, without_go_ahead, without_heard,
    without_hesitation,
};

pub(crate) use question::{alone as question_alone, sought};

use adjutant_domain::reading::{Reading, Utterance};
use adjutant_text::message::Text;

/// Plans a message of which frames read every word, on its own or as a change to an earlier request. Returns `None` if
/// other parts of the engine have to read it.
pub(crate) fn plan(said: &Utterance<'_>) -> Option<Reading> {
    match follow::repair(said) {
        Some(Repair::Meant(text)) => {
            let text = text.as_str();
            return decide::plan(&Utterance { text, ..*said });
        }
        Some(Repair::Unclear) => return None,
        None => {}
    }
    read(said)
        .map(|read| known(said, read))
        .or_else(|| side_remark::undo_behind(said))
        .or_else(|| side_remark::without_behind(said, read))
        .or_else(|| {
            let text = follow::without_heard(said)?;
            let text = text.as_str();
            plan(&Utterance { text, ..*said })
        })
}

/// Prefers a guess that names one of the person's things to a reading that changes something nobody has.
fn known(said: &Utterance<'_>, read: Reading) -> Reading {
    let unknown = match &read {
        Reading::Plan { plan, .. } => plan.steps.iter().any(|step| ground::is_unknown(said, step)),
        _ => false,
    };
    match unknown {
        true => gist::plan(said).unwrap_or(read),
        false => read,
    }
}

/// Plans a message of which frames read every word, alone or as a change of an earlier one.
fn read(said: &Utterance<'_>) -> Option<Reading> {
    if let Some(meant) = follow::corrected(said) {
        return decide::plan(&Utterance {
            text: &meant,
            ..*said
        });
    }
    follow::at_that_time(said)
        .or_else(|| decide::plan(said))
        .or_else(|| follow::another_sum(said))
        .or_else(|| follow::plan(said))
}

/// Returns the probable meaning of a message that has no certain reading: a plan that begins by asking whether it is
/// meant.
pub(crate) fn likely(said: &Utterance<'_>) -> Option<Reading> {
    match said.text.matches('"').count() % 2 {
        0 => likely::plan(said),
        _ => None,
    }
}

/// Plans a question by a reading that leaves out words that no rule reads.
pub(crate) fn look_loosely(said: &Utterance<'_>) -> Option<Reading> {
    match said.text.matches('"').count() % 2 {
        0 => likely::look_loosely(said),
        _ => None,
    }
}

/// Returns the probable meaning of a message by a reading that leaves out words that no rule reads.
pub(crate) fn loosely(said: &Utterance<'_>) -> Option<Reading> {
    match said.text.matches('"').count() % 2 {
        0 => likely::loosely(said),
        _ => None,
    }
}

/// Plans the last sentences of a message that nothing reads as a whole. The person decides on the card of each change.
pub(crate) fn last_request(said: &Utterance<'_>) -> Option<Reading> {
    last_request::plan(said, plan)
}

/// Plans what a message that nothing reads probably wants of one of the person's things. The person decides on its card.
pub(crate) fn guessed(said: &Utterance<'_>) -> Option<Reading> {
    gist::plan(said).or_else(|| match said.text.matches('"').count() % 2 {
        0 => likely::on_card(said),
        _ => None,
    })
}

/// Plans the request of a message with remarks around it that nothing reads. The person decides on its card.
pub(crate) fn without_remarks(said: &Utterance<'_>) -> Option<Reading> {
    match said.text.matches('"').count() % 2 {
        0 => remarks::plan(said),
        _ => None,
    }
}

/// Reports whether a text contains a verb of change or asks for free time: a search alone would not answer it.
pub(crate) fn asks_for_more(text: &str) -> bool {
    begins_request(text, |_, _| true)
}

/// Reports whether a part of a text begins with a verb of change: at its start, or behind a mark or a joining word.
pub(crate) fn commands(text: &str) -> bool {
    const JOINTS: &[&str] = &["and", "but", "please", "then", ",", ";", ".", "!", "?"];
    begins_request(text, |words, at| {
        at.checked_sub(1)
            .is_none_or(|before| JOINTS.contains(&words[before].as_str()))
    })
}

fn begins_request(text: &str, counts: impl Fn(&[String], usize) -> bool) -> bool {
    let grammar = &grammar::GRAMMAR;
    let tokens = Text::read(text).tokens.into_iter();
    let words: Vec<String> = tokens.map(|token| token.word).collect();
    let word = |at: usize| words.get(at).and_then(|word| grammar.word(word));
    let begins = |class: usize, at: usize| {
        let is = |at: usize, wanted| word(at) == Some(wanted);
        word(at).is_some_and(|first| grammar.phrases(class, first, at, is).next().is_some())
    };
    let classes: Vec<usize> = grammar::REQUESTS
        .iter()
        .chain(&["free"])
        .filter_map(|class| grammar.class(class))
        .collect();
    (0..words.len()).any(|at| counts(&words, at) && classes.iter().any(|class| begins(*class, at)))
}

/// Reports whether a message is short enough to be a request.
pub(crate) fn is_readable(text: &str) -> bool {
    let text = Text::read(text);
    !text.cut && text.tokens.len() <= lattice::TOKENS_MAX
}

/// Reports whether frames read a message as a request without the earlier ones.
pub(crate) fn alone(said: &Utterance<'_>) -> bool {
    matches!(decide::plan(said), Some(Reading::Plan { .. }))
}

/// Reports whether frames read a message as a request that needs nothing else from the person.
pub(crate) fn complete(said: &Utterance<'_>) -> bool {
    match decide::plan(said) {
        Some(Reading::Plan { plan, .. }) => plan.steps.iter().all(|step| step.question.is_none()),
        _ => false,
    }
}

/// Returns the people that a reply names, in the form that arguments take. Empty if the reply says anything else.
pub(crate) fn people(said: &Utterance<'_>) -> Vec<String> {
    reply::people(said).unwrap_or_default()
}

#[cfg(test)]
mod tests;
