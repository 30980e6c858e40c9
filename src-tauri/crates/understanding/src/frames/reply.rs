//! Replies that fill a slot of a pending question.

use adjutant_domain::reading::Utterance;

use super::binding::Value;
use super::chart::Chart;
use super::compile;
use super::grammar::GRAMMAR;
use super::lattice::{Filler, Lattice};

/// Returns the people that a reply names, or `None` if it says anything else.
pub(super) fn people(said: &Utterance<'_>) -> Option<Vec<String>> {
    let lattice = Lattice::read(said.text, said)?;
    let category = GRAMMAR.category("reply.people")?;
    let found = Chart::new(&lattice).requests(0, lattice.len(), &[category]);
    match found.first()?.get("who")? {
        Value::Filler(Filler::People(people), at) => {
            compile::people_named(&lattice, people, at.start)
        }
        _ => None,
    }
}
