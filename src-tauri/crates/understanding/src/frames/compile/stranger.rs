//! Somebody mentioned before who is not in the address book: "do I have a contact for Lena Marsh?", "then add her".

use adjutant_domain::conversation::Role;

use super::super::lattice::{Filler, Lattice, PersonMention};
use super::{Compiler, words};

impl Compiler<'_, '_> {
    /// Returns the name of the only stranger in the person's last message, or else the name that a mail address in this
    /// message contains.
    pub(super) fn stranger(&self) -> Option<String> {
        let history = self.lattice.said.history.iter().rev();
        let mut messages = history.filter(|message| message.role == Role::User);
        let before = messages.next().map(|message| message.text.as_str());
        before
            .and_then(|text| stranger_in(&Lattice::read(text, self.lattice.said)?))
            .or_else(|| self.named_by_address())
    }

    fn named_by_address(&self) -> Option<String> {
        let mut addresses = (0..self.lattice.len()).filter_map(|at| {
            let mut edges = self.lattice.edges(at).iter();
            edges.find_map(|edge| match &edge.filler {
                Filler::Address(address) => Some(address.clone()),
                _ => None,
            })
        });
        let address = addresses.next()?;
        let (local, _) = address.split_once('@')?;
        let parts: Vec<&str> = local.split(['.', '_']).collect();
        let is_name =
            |part: &&str| part.len() > 1 && part.chars().all(|letter| letter.is_alphabetic());
        let [first, last] = parts.as_slice() else {
            return None;
        };
        let named = is_name(first) && is_name(last);
        named.then(|| {
            let [first, last] = [first, last].map(|part| words::capitalised(part));
            format!("{first} {last}")
        })
    }
}

/// Returns the only person in a message who is not in the address book.
fn stranger_in(lattice: &Lattice<'_>) -> Option<String> {
    let mut strangers: Vec<String> = Vec::new();
    let mut at = 0;
    while at < lattice.len() {
        let people = lattice
            .edges(at)
            .iter()
            .filter_map(|edge| match &edge.filler {
                Filler::People(people) => Some((edge.end, people)),
                _ => None,
            });
        let longest = people.max_by_key(|(end, _)| *end);
        if let Some((_, people)) = longest {
            let named = people.iter().filter_map(|who| match who {
                PersonMention::Named(name, false) => Some(name.clone()),
                _ => None,
            });
            strangers.extend(named);
        }
        at = longest.map_or(at + 1, |(end, _)| end);
    }
    match strangers.as_slice() {
        [one] => Some(one.clone()),
        _ => None,
    }
}
