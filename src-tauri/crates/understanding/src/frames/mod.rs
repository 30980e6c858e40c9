//! Understanding by frames.
//!
//! `lattice` notes everything a stretch of the message may be; `grammar` holds the rules, which are data; `chart` reads the
//! message by them and keeps the best readings; `compile` turns a reading into a step of a tool. [`plan`] decides.

mod binding;
mod chart;
mod clauses;
mod compile;
mod decide;
mod follow;
mod grammar;
mod ground;
mod lattice;
mod likely;
mod own;
mod reply;
mod trace;
mod weights;

pub(crate) use decide::{plan_last, plan_own};
pub(crate) use follow::restated;

use adjutant_domain::reading::{Reading, Utterance};
use adjutant_text::message::Text;

/// Plans a message that frames read whole, by itself or with the request before it. `None`: it is read by other means.
pub(crate) fn plan(said: &Utterance<'_>) -> Option<Reading> {
    if let Some(meant) = follow::corrected(said) {
        return decide::plan(&Utterance {
            text: &meant,
            ..*said
        });
    }
    decide::plan(said).or_else(|| follow::plan(said))
}

/// What a message probably means that is not surely read: a plan that begins with the question whether it was meant.
pub(crate) fn likely(said: &Utterance<'_>) -> Option<Reading> {
    match said.text.matches('"').count() % 2 {
        0 => likely::plan(said),
        _ => None,
    }
}

/// Plans a question by a reading that leaves out words which no rule reads.
pub(crate) fn look_loosely(said: &Utterance<'_>) -> Option<Reading> {
    match said.text.matches('"').count() % 2 {
        0 => likely::look_loosely(said),
        _ => None,
    }
}

/// What a message probably means by a reading that leaves out words which no rule reads.
pub(crate) fn loosely(said: &Utterance<'_>) -> Option<Reading> {
    match said.text.matches('"').count() % 2 {
        0 => likely::loosely(said),
        _ => None,
    }
}

/// Whether a message is short enough to be a request.
pub(crate) fn is_readable(text: &str) -> bool {
    let text = Text::read(text);
    !text.cut && text.tokens.len() <= lattice::TOKENS_MAX
}

/// Whether frames read a message as a request by itself.
pub(crate) fn alone(said: &Utterance<'_>) -> bool {
    matches!(decide::plan(said), Some(Reading::Plan { .. }))
}

/// The people a reply names and nothing else, as they go into arguments.
pub(crate) fn people(said: &Utterance<'_>) -> Vec<String> {
    reply::people(said).unwrap_or_default()
}

#[cfg(test)]
mod tests;
