//! People in the form that arguments take, with pronouns resolved.

use super::super::lattice::{Filler, Lattice, PersonMention};
use super::pronoun;

/// Returns people, mentioned at the token `at`, in the form that arguments take. Returns `None` if there is nobody, or
/// a pronoun cannot be resolved.
pub(in super::super) fn names(
    lattice: &Lattice<'_>,
    people: &[PersonMention],
    at: usize,
) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for who in people {
        match who {
            PersonMention::Me => {}
            PersonMention::They => {
                let before = said_before(lattice, at);
                names.extend(before.or_else(|| pronoun::spoken_of(lattice, at))?);
            }
            who => names.push(name(who)?),
        }
    }
    (!names.is_empty()).then_some(names)
}

/// Strips the article from a name: "the bank" becomes "bank".
pub(super) fn bare(name: &str) -> &str {
    let articles = ["the ", "my ", "our ", "his ", "her ", "a ", "an "];
    let article = articles
        .iter()
        .find_map(|article| name.strip_prefix(article));
    article.unwrap_or(name)
}

fn name(who: &PersonMention) -> Option<String> {
    match who {
        PersonMention::Named(name, _) | PersonMention::Address(name) => Some(name.clone()),
        PersonMention::Relation(words) => Some(bare(words).to_owned()),
        PersonMention::Me | PersonMention::They => None,
    }
}

/// Returns the one person whom the message names before a pronoun, preferably by address. "Them" may also mean all
/// people who are named together.
fn said_before(lattice: &Lattice<'_>, pronoun: usize) -> Option<Vec<String>> {
    let (mut groups, mut at) = (Vec::new(), 0);
    while at < pronoun {
        let edges = lattice.edges(at).iter().filter(|edge| edge.end <= pronoun);
        // "Coffee with Sofia" names her, although nobody knows her.
        let beside = at > 0 && lattice.word(at - 1) == "with";
        let named = |who: &&PersonMention| match who {
            PersonMention::Me | PersonMention::They => false,
            PersonMention::Named(_, known) => *known || beside,
            PersonMention::Address(_) | PersonMention::Relation(_) => true,
        };
        let people = edges.filter_map(|edge| match &edge.filler {
            Filler::People(people) => Some((edge.end, people.iter().filter(named).collect())),
            _ => None,
        });
        let longest = people.max_by_key(|(end, people): &(usize, Vec<_>)| (*end, people.len()));
        let Some((end, people)) = longest else {
            at += 1;
            continue;
        };
        groups.push(people);
        at = end;
    }
    groups.retain(|group| !group.is_empty());
    let all: Vec<&PersonMention> = groups.iter().flatten().copied().collect();
    let address = |who: &&&PersonMention| matches!(who, PersonMention::Address(_));
    let meant = match groups.as_slice() {
        [_] if lattice.word(pronoun) == "them" && all.len() > 1 => all,
        _ if all.iter().filter(address).count() == 1 => {
            all.into_iter().filter(|who| address(&who)).collect()
        }
        _ if all.len() == 1 => all,
        _ => return None,
    };
    meant.into_iter().map(name).collect()
}
