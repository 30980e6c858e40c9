//! Resolves "him", "her", "them" and "it" in something new: what was mentioned earlier in the message, or else in the
//! conversation.

use adjutant_domain::plan::StepDraft;
use adjutant_domain::record::Kind;
use adjutant_domain::source::Source;

use super::super::binding::{Binding, Value};
use super::super::lattice::{Filler, Lattice, PersonMention};
use super::{Compiler, EarlierRequest, Unfit, who, words};

/// The tool that makes events.
const CREATE: &str = "calendar.create";

/// Words after which a pronoun stands alone: "call her back", unlike "call her mother".
const BEHIND: &[&str] = &[
    "about", "again", "and", "at", "back", "before", "by", "for", "from", "if", "in", "on", "that",
    "to", "up", "when", "with",
];

/// Returns the people that the message names last before a token.
fn named_before<'a>(lattice: &'a Lattice<'_>, before: usize) -> Option<&'a [PersonMention]> {
    let known = |who: &PersonMention| {
        !matches!(
            who,
            PersonMention::Me | PersonMention::They | PersonMention::Named(_, false)
        )
    };
    let lists = (0..before).flat_map(|at| {
        let edges = lattice.edges(at).iter();
        edges.filter_map(move |edge| match &edge.filler {
            Filler::People(people) if edge.end <= before && people.iter().all(known) => {
                Some(((edge.end, people.len(), edge.end - at), people))
            }
            _ => None,
        })
    });
    // Of the lists that end last, prefer the longest with the fullest names.
    let last = lists.max_by_key(|(size, _)| *size);
    last.map(|(_, people)| people.as_slice())
}

impl<'a> Compiler<'a, '_> {
    /// Fills the participants of a new event from an earlier request, if only that names them: "I haven't met Ana in a
    /// while. Schedule lunch", "if I have no meeting with Ana, schedule one".
    pub(super) fn company(&mut self) -> Result<(), Unfit> {
        if self.tool.name != CREATE || self.frame.has("people") {
            return Ok(());
        }
        let again = ["title", "what"].iter().any(|role| {
            let said = self.frame.get(role);
            said.is_some_and(|said| is_again(&words::of(self.lattice, said)))
        });
        let mut earlier = self.earlier.iter().rev();
        if let Some(made) = earlier
            .clone()
            .find_map(|one| made_before(one).filter(|_| again))
        {
            if let Some(people) = made.args.get("people") {
                let source = Source::Person { words: None };
                self.arguments.set("people", people.clone(), source);
            }
            return Ok(());
        }
        let with = earlier.find_map(|earlier| {
            let frame = earlier.frame;
            let thing = frame.inner("thing").or_else(|| frame.inner("target"));
            let thing = thing.and_then(|thing| thing.get("with"));
            match frame.category().remark {
                true => frame.get("guest"),
                false => frame
                    .get("with")
                    .or(thing)
                    .filter(|_| again || frame.has("past")),
            }
        });
        match with {
            Some(with) => self.plain("people", with),
            None => Ok(()),
        }
    }

    /// Returns what "it" or "one" refers to when something new is made: what the message asked about or made before.
    pub(super) fn spoken_thing(&self) -> Option<String> {
        if let Some(made) = self.earlier.iter().rev().find_map(made_before) {
            return made.args.get("summary")?.as_str().map(str::to_owned);
        }
        let frame = self.earlier.last()?.frame;
        let said = |binding: &Binding, role: &str| {
            let value = binding.get(role)?;
            Some(words::of(self.lattice, value))
        };
        if let Some(purpose) = said(frame, "for") {
            return Some(purpose);
        }
        // "Cancel the review this week and schedule a new one for Friday".
        let thing = frame.inner("thing").or_else(|| frame.inner("target"));
        let thing = thing.filter(|thing| !thing.has("ref"))?;
        let name = said(thing, "name").or_else(|| self.kind_word(thing))?;
        let with = said(thing, "with").or_else(|| said(frame, "with"));
        Some(match with {
            Some(people) => format!("{name} with {people}"),
            None => name,
        })
    }

    /// Returns people as a title names them, with names in place of pronouns.
    pub(super) fn titled(&self, people: &Value) -> String {
        let meant = match people {
            Value::Filler(Filler::People(who), at) if who.contains(&PersonMention::They) => {
                who::names(self.lattice, who, at.start)
            }
            _ => None,
        };
        meant.map_or_else(
            || words::of(self.lattice, people),
            |names| names.join(" and "),
        )
    }

    /// Returns the word for the kind of a thing, as it was said.
    fn kind_word(&self, thing: &Binding) -> Option<String> {
        let mut tokens = thing.span.clone();
        let end = |at| self.lattice.phrase("kind", at);
        let (at, end) = tokens.find_map(|at| Some((at, end(at)?)))?;
        Some(self.lattice.slice(at..end).to_owned())
    }

    /// Returns the words for the thing that an earlier request of the message looked for: "Rachel's email about the
    /// contract".
    fn looked_for(&self) -> Option<String> {
        let thing = |one: &EarlierRequest<'a>| {
            let frame = one.frame;
            frame.inner("thing").or_else(|| frame.inner("target"))
        };
        // "Find Kim's mail, star it and remind me to answer it": both mean the mail.
        let refers = |one: &&EarlierRequest<'a>| thing(one).is_some_and(|thing| thing.has("ref"));
        let thing = thing(self.earlier.iter().rev().find(|one| !refers(one))?)?;
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

    /// Replaces the pronouns in a title by the one person mentioned, or the thing that was looked for.
    pub(super) fn resolve_pronouns(&self, title: &str) -> String {
        let words: Vec<&str> = title.split(' ').collect();
        let ends = |at: usize| words.get(at + 1).is_none_or(|next| BEHIND.contains(next));
        let named = words.iter().enumerate().map(|(at, word)| {
            let meant = match *word {
                "him" | "them" => self.spoken_of(),
                "her" if ends(at) => self.spoken_of(),
                "it" if ends(at) && (at > 0 || words.len() == 1) => self.looked_for(),
                _ => None,
            };
            meant.unwrap_or_else(|| (*word).to_owned())
        });
        named.collect::<Vec<_>>().join(" ")
    }

    /// Returns the one person that the message, or else the conversation, mentioned.
    pub(super) fn spoken_of(&self) -> Option<String> {
        match named_before(self.lattice, self.frame.span.start) {
            Some([PersonMention::Named(name, _) | PersonMention::Relation(name)]) => {
                return Some(name.clone());
            }
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

/// Reports whether the words of a title refer to something mentioned before.
pub(super) fn is_again(title: &str) -> bool {
    let bare = title.strip_prefix("a ").unwrap_or(title);
    let bare = bare.strip_prefix("new ").unwrap_or(bare);
    matches!(
        bare,
        "it" | "one" | "that" | "this" | "them" | "another" | "another one"
    )
}

/// Returns the step of an earlier request if it makes an event.
fn made_before<'a>(earlier: &EarlierRequest<'a>) -> Option<&'a StepDraft> {
    earlier.step.filter(|step| step.tool == CREATE)
}

fn first_name(name: &str) -> String {
    name.split(' ').next().unwrap_or(name).to_owned()
}
