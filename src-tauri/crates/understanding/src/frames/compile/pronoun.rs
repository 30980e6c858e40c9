//! Whom a pronoun means that nobody before it in the message explains.

use adjutant_text::fold;

use super::super::lattice::Lattice;

/// Whom "him", "her" and "them", said at the token `pronoun`, mean: the people of what the conversation spoke of last, without the person speaking.
/// `None`: one is meant, and several were spoken of.
pub(super) fn spoken_of(lattice: &Lattice<'_>, pronoun: usize) -> Option<Vec<String>> {
    let people = people_spoken_of(lattice);
    let one = matches!(lattice.word(pronoun), "him" | "her");
    let fits = if one {
        people.len() == 1
    } else {
        !people.is_empty()
    };
    fits.then_some(people)
}

/// The people of what the conversation spoke of last, each once, by address where there is one.
fn people_spoken_of(lattice: &Lattice<'_>) -> Vec<String> {
    let owner = &lattice.said.settings.owner;
    let is_owner = |name: &str, address: &str| {
        let own = owner.emails.iter();
        own.map(String::as_str)
            .any(|own| own.eq_ignore_ascii_case(address))
            || !owner.name.is_empty() && fold(name) == fold(&owner.name)
    };
    let mut groups = lattice.said.focus.shown.iter();
    let with_people = groups.find(|group| group.items.iter().any(|item| !item.people.is_empty()));
    let mut people: Vec<String> = Vec::new();
    for (name, address) in with_people
        .iter()
        .flat_map(|group| &group.items)
        .flat_map(|item| &item.people)
    {
        let said = if address.is_empty() { name } else { address };
        if !is_owner(name, address) && !people.contains(said) {
            people.push(said.clone());
        }
    }
    people
}
