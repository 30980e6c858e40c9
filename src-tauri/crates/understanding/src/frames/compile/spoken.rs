//! Whom "him", "her" and "them" mean: somebody named earlier in the message, or else in the conversation.

use adjutant_domain::record::Kind;

use super::super::binding::Binding;
use super::super::lattice::{Filler, Lattice, Who};
use super::{Compiler, words};

/// Words behind a pronoun that is all of a name: "call her back", and not "call her mother".
const BEHIND: &[&str] = &[
    "about", "again", "and", "at", "back", "before", "by", "for", "from", "if", "in", "on", "that",
    "to", "up", "when", "with",
];

/// The people the message names last before a token.
fn named_before<'a>(lattice: &'a Lattice<'_>, before: usize) -> Option<&'a [Who]> {
    let known = |who: &Who| !matches!(who, Who::Me | Who::They | Who::Named(_, false));
    let lists = (0..before).flat_map(|at| {
        let edges = lattice.edges(at).iter();
        edges.filter_map(move |edge| match &edge.filler {
            Filler::People(people) if edge.end <= before && people.iter().all(known) => {
                Some(((edge.end, people.len(), edge.end - at), people))
            }
            _ => None,
        })
    });
    // Of those that end last, the whole list with whole names.
    let last = lists.max_by_key(|(size, _)| *size);
    last.map(|(_, people)| people.as_slice())
}

impl Compiler<'_, '_> {
    /// What "it" and "one" stand for where something new is made: what the message asked about before.
    pub(super) fn spoken_thing(&self) -> Option<String> {
        let frame = self.earlier.last()?.frame;
        let said = |binding: &Binding, role: &str| {
            let value = binding.get(role)?;
            Some(words::of(self.lattice, value))
        };
        if let Some(purpose) = said(frame, "for") {
            return Some(purpose);
        }
        let thing = frame.inner("thing").filter(|thing| !thing.has("ref"))?;
        let name = said(thing, "name").or_else(|| self.kind_word(thing))?;
        let with = said(thing, "with").or_else(|| said(frame, "with"));
        Some(match with {
            Some(people) => format!("{name} with {people}"),
            None => name,
        })
    }

    /// The word for the kind of a thing, as it was said.
    fn kind_word(&self, thing: &Binding) -> Option<String> {
        let mut tokens = thing.span.clone();
        let end = |at| self.lattice.phrase("kind", at);
        let (at, end) = tokens.find_map(|at| Some((at, end(at)?)))?;
        Some(self.lattice.slice(at..end).to_owned())
    }

    /// The thing an earlier request of the message looked for, in its words: "Rachel's email about the contract".
    fn looked_for(&self) -> Option<String> {
        let frame = self.earlier.last()?.frame;
        let thing = frame.inner("thing").filter(|thing| !thing.has("ref"))?;
        let from = (thing.span.clone()).find(|at| self.lattice.phrase("det", *at).is_none())?;
        let article = matches!(
            self.lattice.word(from.checked_sub(1)?),
            "the" | "my" | "our"
        );
        let from = if article && from > thing.span.start {
            from - 1
        } else {
            from
        };
        Some(self.lattice.slice(from..thing.span.end).to_owned())
    }

    /// A title with what its pronouns stand for: the one person spoken of, the thing that was looked for.
    pub(super) fn named(&self, title: &str) -> String {
        let words: Vec<&str> = title.split(' ').collect();
        let ends = |at: usize| words.get(at + 1).is_none_or(|next| BEHIND.contains(next));
        let named = words.iter().enumerate().map(|(at, word)| {
            let meant = match *word {
                "him" | "them" => self.spoken_of(),
                "her" if ends(at) => self.spoken_of(),
                "it" if at > 0 && ends(at) => self.looked_for(),
                _ => None,
            };
            meant.unwrap_or_else(|| (*word).to_owned())
        });
        named.collect::<Vec<_>>().join(" ")
    }

    /// The one person this message, or else the conversation, spoke of.
    pub(super) fn spoken_of(&self) -> Option<String> {
        match named_before(self.lattice, self.frame.span.start) {
            Some([Who::Named(name, _) | Who::Relation(name)]) => return Some(name.clone()),
            Some([_, _, ..]) => return None,
            _ => {}
        }
        let shown = self.lattice.said.focus.shown.first()?;
        match shown.items.as_slice() {
            [one] if one.people.len() == 1 => Some(first_name(&one.people[0].0)),
            [one] if one.kind == Kind::Contact => Some(first_name(&one.label)),
            _ => None,
        }
    }
}

fn first_name(name: &str) -> String {
    name.split(' ').next().unwrap_or(name).to_owned()
}
