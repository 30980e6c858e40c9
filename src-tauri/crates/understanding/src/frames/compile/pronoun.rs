//! Resolves pronouns that the message itself does not explain.

use adjutant_text::fold;

use super::super::lattice::Lattice;

/// Returns the people that "him", "her" or "them" at the token `pronoun` means: those of the records that the
/// conversation mentioned last, except the person. `None` if there are none, or a singular pronoun could mean several.
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

/// Returns the people of the records that the conversation mentioned last, each once, by address if there is one.
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
