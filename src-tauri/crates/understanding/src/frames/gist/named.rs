//! The things of the person's that a message may be about.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use adjutant_domain::record::Kind;
use adjutant_text::message::Text;
use adjutant_text::{says_nothing, stem};

use super::super::grammar::GRAMMAR;
use super::super::lattice::{Edge, Filler, Lattice, PersonMention};

/// A thing of the person's in a message.
pub(super) struct Named {
    pub kind: Kind,
    /// The tokens that belong to its name.
    pub tokens: BTreeSet<usize>,
    /// Number of different words of the name in the message.
    pub said: usize,
    /// Whether all its words are said, how many of them name nobody, and how many there are.
    pub rank: (bool, usize, usize),
    /// Whether it is a mail known only by who sent it.
    pub by_sender: bool,
}

impl Named {
    /// Returns the words of the message that belong to the name.
    pub fn words(&self, lattice: &Lattice<'_>, within: &[Range<usize>]) -> String {
        let named = |at: usize| self.tokens.contains(&at);
        let joins = |at: usize| at > 0 && lattice.is_mark(at) && named(at - 1) && named(at + 1);
        let belongs = |at: &usize| {
            (named(*at) || joins(*at)) && within.iter().any(|segment| segment.contains(at))
        };
        let mut parts: Vec<&str> = Vec::new();
        let mut at = 0;
        while at < lattice.len() {
            let end = at + (at..lattice.len()).take_while(belongs).count();
            if end > at {
                parts.push(lattice.slice(at..end));
            }
            at = end + 1;
        }
        parts.join(" ")
    }
}

/// Returns the things of which the message says more than a person's name, and mails named only by their sender.
pub(super) fn named(lattice: &Lattice<'_>) -> Vec<Named> {
    let people = lattice.said.people.iter();
    let people: HashSet<String> = people.flat_map(|(name, _)| stems(name)).collect();
    let words: Vec<String> = (0..lattice.len())
        .map(|at| stem(lattice.word(at)))
        .collect();
    let in_time = in_time(lattice);
    let mut found: Vec<Named> = Vec::new();
    for name in lattice.said.names {
        let Some((kind, _)) = name.record() else {
            continue;
        };
        let wanted = stems(&name.label);
        let places = (0..words.len()).filter(|at| wanted.contains(&words[*at]));
        let mut tokens: BTreeSet<usize> = places.collect();
        let mut said: HashSet<&String> = tokens.iter().map(|at| &words[*at]).collect();
        // "This week" is no part of the "Weekly news", unless all of the name is said.
        if said.len() < wanted.len() {
            tokens.retain(|at| !in_time[*at]);
            said = tokens.iter().map(|at| &words[*at]).collect();
        }
        let telling = said.iter().filter(|word| !people.contains(**word)).count();
        let rank = (said.len() == wanted.len(), telling, said.len());
        let said = said.len();
        if telling == 0 {
            continue;
        }
        match found
            .iter_mut()
            .find(|one| one.kind == kind && one.tokens == tokens)
        {
            Some(same) => same.rank = same.rank.max(rank),
            None => found.push(Named {
                kind,
                rank,
                said,
                tokens,
                by_sender: false,
            }),
        }
    }
    found.extend(sent(lattice));
    found
}

/// Reports for each token whether it is part of a time.
fn in_time(lattice: &Lattice<'_>) -> Vec<bool> {
    let mut in_time = vec![false; lattice.len()];
    for at in 0..lattice.len() {
        let times = lattice.edges(at).iter();
        for time in times.filter(|edge| matches!(edge.filler, Filler::Time(_))) {
            in_time[at..time.end].fill(true);
        }
    }
    in_time
}

/// Returns the mails that are named only by who sent them: "the message from Ana", "Ana's mail".
fn sent(lattice: &Lattice<'_>) -> Option<Named> {
    let noun = |at: usize| lattice.phrase("gist_mail", at);
    let about = |at: usize| matches!(lattice.word(at), "about" | "regarding" | "concerning");
    if (0..lattice.len()).any(about) {
        return None;
    }
    let mut places = (0..lattice.len()).filter_map(|at| {
        let senders = lattice.edges(at).iter().filter(|edge| is_somebody(edge));
        let end = senders.map(|edge| edge.end).max()?;
        let from = at > 1 && lattice.word(at - 1) == "from";
        let before = (0..at).any(|start| noun(start) == Some(at - 1));
        let owner = lattice.word(end) == "'s" && noun(end + 1).is_some();
        (from && before || owner).then_some(at..end)
    });
    let tokens: BTreeSet<usize> = places.next()?.collect();
    places.next().is_none().then_some(Named {
        kind: Kind::Mail,
        said: 0,
        rank: (false, 0, 0),
        tokens,
        by_sender: true,
    })
}

/// Reports whether an expression names people, and does not only refer to them.
pub(super) fn is_somebody(edge: &Edge) -> bool {
    let Filler::People(people) = &edge.filler else {
        return false;
    };
    let mut people = people.iter();
    people.all(|one| !matches!(one, PersonMention::Me | PersonMention::They))
}

/// Returns the kinds of things that the message says by a noun: "my note about the trip" is no event.
pub(super) fn kinds(lattice: &Lattice<'_>) -> Vec<&'static str> {
    let nouns = ["kind", "kinds"]
        .into_iter()
        .filter_map(|class| GRAMMAR.class(class));
    let nouns: Vec<usize> = nouns.collect();
    // "Mail" behind an article is a noun.
    let said = (1..lattice.len()).filter(|at| lattice.phrase("det", at - 1).is_some());
    let words = said.flat_map(|at| {
        nouns
            .iter()
            .flat_map(move |class| lattice.phrases_at(*class, at))
    });
    words.map(|noun| noun.value).collect()
}

/// Returns the stems of the words of a name that say something.
fn stems(name: &str) -> HashSet<String> {
    let words = Text::read(name).tokens.into_iter().map(|token| token.word);
    let telling =
        words.filter(|word| word.chars().any(char::is_alphanumeric) && !says_nothing(word));
    telling.map(|word| stem(&word)).collect()
}
