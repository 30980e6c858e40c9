//! The parts of a message that changes another, each with what it may replace.

use super::super::binding::{Binding, Value};
use super::super::chart::Chart;
use super::super::grammar::GRAMMAR;
use super::super::lattice::{Filler, Lattice};
use crate::time::TimeExpression;

/// Maximum number of readings of the message that are tried.
const READINGS_MAX: usize = 6;

/// What a part replaces.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PartKind {
    /// A time.
    Time {
        /// Whether it says one or more days.
        day: bool,
        /// Whether it says a time of day.
        clock: bool,
    },
    /// A time this many days after the one said before.
    Later(i64),
    /// A bare hour: "make it 10".
    Hour(i64),
    /// People.
    People,
    /// People in addition to those already named.
    MorePeople,
    /// The state of things: "unread".
    State,
    /// A length of time.
    Length,
    /// What something is about.
    About,
    /// People who get a copy.
    Copied,
    /// The subject of a mail.
    Subject,
    /// The title of something.
    Title,
    /// The place of something.
    Place,
    /// An addition to a message to somebody.
    More,
    /// Another wording of the whole message.
    Wording,
    /// Which one of several: the last instead of the first.
    Pick,
    /// A thing, by its name or its place in a list.
    Thing,
}

impl PartKind {
    /// Reports whether it may change the words of a title, of a text or of a search.
    pub fn brings_words(&self) -> bool {
        !matches!(
            self,
            Self::Time { .. } | Self::Later(_) | Self::Hour(_) | Self::State | Self::Length
        )
    }
}

/// A part of the message.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ChangePart {
    /// What it replaces.
    pub like: PartKind,
    /// Its words, including a preposition.
    pub words: String,
    /// Its words without a preposition.
    pub bare: String,
    /// Whether it corrects a pending request.
    pub corrects: bool,
}

/// Returns the ways to read a message as parts of a request by the rules of these categories, best first.
pub(super) fn readings(lattice: &Lattice<'_>, categories: &[&str]) -> Vec<Vec<ChangePart>> {
    let corrects = categories.contains(&"correct");
    let categories = categories.iter();
    let numbers: Vec<usize> = categories
        .filter_map(|name| GRAMMAR.category(name))
        .collect();
    let found = Chart::new(lattice).requests(0, lattice.len(), &numbers);
    let mut readings: Vec<Vec<ChangePart>> = Vec::new();
    // "Also send it to Kim" replaces nobody.
    let also = (0..lattice.len()).any(|at| matches!(lattice.word(at), "also" | "too"));
    let found = found.iter().filter(|binding| {
        let people = binding.has("people") || binding.inner("part").is_some_and(is_of_people);
        !(corrects && also && people) || binding.has("more")
    });
    for binding in found {
        let parts = parts(lattice, binding, corrects);
        if let Some(parts) = parts.filter(|parts| !readings.contains(parts)) {
            readings.push(parts);
        }
        if readings.len() == READINGS_MAX {
            break;
        }
    }
    readings
}

fn is_of_people(part: &std::rc::Rc<Binding>) -> bool {
    part.has("people")
}

fn parts(lattice: &Lattice<'_>, binding: &Binding, corrects: bool) -> Option<Vec<ChangePart>> {
    let more = binding.has("more");
    let mut parts = Vec::new();
    // "7 rather than 6": what it was before changes nothing.
    let said = binding.roles.iter().filter(|(role, _)| *role != "was");
    for (role, value) in said {
        let part = match value {
            Value::Inner(inner) if *role == "thing" => Some(thing(lattice, inner)?),
            Value::Inner(inner) => {
                let words = lattice.slice(inner.span.clone());
                Some(part(lattice, &inner.roles, words, more)?)
            }
            Value::Constant(_) => None,
            // An adjunct puts its roles among those of the rule.
            Value::Filler(_, tokens) => {
                let words = lattice.slice(tokens.clone());
                Some(part(lattice, &[(*role, value.clone())], words, more)?)
            }
            Value::Text(_) => Some(part(lattice, &[(*role, value.clone())], "", more)?),
        };
        parts.extend(part.map(|part| ChangePart { corrects, ..part }));
    }
    (!parts.is_empty()).then_some(parts)
}

/// Makes a part from the value of its role.
fn part(
    lattice: &Lattice<'_>,
    roles: &[(&'static str, Value)],
    words: &str,
    more: bool,
) -> Option<ChangePart> {
    let words = bare_of_ones(words);
    let (role, value) = roles.first()?;
    let said = || super::super::compile::words_of(lattice, value);
    let (like, bare) = match value {
        Value::Filler(Filler::People(_), tokens) if matches!(*role, "cc" | "bcc") => {
            let blind = words.to_lowercase().contains("bcc");
            let lead = if blind { "bcc" } else { "cc" };
            (
                PartKind::Copied,
                format!("{lead} {}", lattice.slice(tokens.clone())),
            )
        }
        Value::Text(_) if *role == "title" => (PartKind::Title, said().replace('"', "")),
        Value::Text(_) if *role == "place" => (PartKind::Place, said()),
        Value::Text(_) if *role == "subject" => (PartKind::Subject, said().replace('"', "")),
        Value::Text(_) if *role == "said" => (PartKind::More, said()),
        Value::Text(_) if *role == "wording" => (PartKind::Wording, said()),
        Value::Filler(Filler::Time(time), _) => {
            let found = lattice.times.get(*time)?;
            let bare = lattice.text.source.get(found.span.clone())?;
            (time_like(found), bare.to_owned())
        }
        Value::Filler(Filler::People(_), tokens) => {
            let like = if more {
                PartKind::MorePeople
            } else {
                PartKind::People
            };
            (like, lattice.slice(tokens.clone()).to_owned())
        }
        Value::Filler(Filler::Length(_), tokens) => {
            let said = lattice.slice(tokens.clone());
            let bare = said.strip_prefix("for ").unwrap_or(said);
            (PartKind::Length, bare.to_owned())
        }
        Value::Filler(Filler::Number(hour @ 1..=12), _) if *role == "hour" => {
            (PartKind::Hour(*hour), hour.to_string())
        }
        Value::Constant(days) if *role == "later" => {
            (PartKind::Later(days.parse().ok()?), words.to_owned())
        }
        // A bare "weekend" is no time, but it is one after "on".
        Value::Constant(days) if *role == "days" => {
            return Some(ChangePart {
                like: PartKind::Time {
                    day: true,
                    clock: false,
                },
                words: format!("on the {days}"),
                bare: format!("the {days}"),
                corrects: false,
            });
        }
        Value::Constant(_) if *role == "attached" => (PartKind::About, words.to_owned()),
        Value::Constant(_) if *role == "pick" => {
            let bare = words.strip_prefix("the ").unwrap_or(words);
            let bare = bare.strip_suffix(" one").unwrap_or(bare);
            (PartKind::Pick, bare.to_owned())
        }
        Value::Constant(_) if *role == "state" => (PartKind::State, state_words(words).to_owned()),
        Value::Text(_) if *role == "about" => (PartKind::About, words.to_owned()),
        _ => return None,
    };
    Some(ChangePart {
        like,
        words: words.to_owned(),
        bare,
        corrects: false,
    })
}

/// Makes a part for another thing, by its name or its place among those shown.
fn thing(lattice: &Lattice<'_>, inner: &Binding) -> Option<ChangePart> {
    if inner.inner("nth").is_some_and(|thing| !thing.has("ref")) {
        return None;
    }
    let named = inner.get("name").and_then(|value| match value {
        Value::Text(stretches) => Some(stretches.first()?.start..stretches.last()?.end),
        _ => None,
    });
    let tokens = named.unwrap_or_else(|| inner.span.clone());
    // "No, cancel it" names nothing; neither does "no, in Room 9" or "no, call Bob".
    let no_name = ["request", "small", "begins", "chore", "repair"];
    let begins = |class: &str| lattice.phrase(class, tokens.start).is_some();
    let article = lattice.phrase("det", tokens.start).is_some();
    if no_name.iter().any(|class| begins(class)) && !article || calls_somebody(lattice, &tokens) {
        return None;
    }
    Some(ChangePart {
        like: PartKind::Thing,
        words: lattice.slice(inner.span.clone()).to_owned(),
        bare: lattice.slice(tokens).to_owned(),
        corrects: false,
    })
}

/// Reports whether words say what to do rather than what something is called: "call Bob", "meet Kim".
fn calls_somebody(lattice: &Lattice<'_>, tokens: &std::ops::Range<usize>) -> bool {
    let verb = lattice.phrase("kind", tokens.start) == Some(tokens.start + 1);
    let mut edges = lattice.edges(tokens.start + 1).iter();
    verb && edges.any(|edge| matches!(edge.filler, Filler::People(_)))
}

fn time_like(found: &TimeExpression) -> PartKind {
    PartKind::Time {
        day: found.has_day || found.clock.is_none(),
        clock: found.clock.is_some(),
    }
}

/// Strips the words that stand for the things themselves: "the ones from March".
fn bare_of_ones(words: &str) -> &str {
    let ahead = [
        "the ones ",
        "the one ",
        "just those ",
        "only those ",
        "those ",
    ];
    let bare = ahead.iter().find_map(|lead| words.strip_prefix(lead));
    // "The ones that are unread" is a state.
    let bare = bare.filter(|bare| !bare.starts_with("that ") && !bare.starts_with("which "));
    bare.unwrap_or(words)
}

/// Returns the words of a state without those around them: "the unread ones".
fn state_words(words: &str) -> &str {
    let ahead = [
        "the ones that are ",
        "the ones which are ",
        "that are ",
        "which are ",
        "the ",
    ];
    let bare = ahead.iter().find_map(|lead| words.strip_prefix(lead));
    let bare = bare.unwrap_or(words);
    let behind = [" ones", " one"];
    behind
        .iter()
        .find_map(|tail| bare.strip_suffix(tail))
        .unwrap_or(bare)
}
