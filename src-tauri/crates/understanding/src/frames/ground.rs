//! Looks up a thing that the message mentions among the person's records: a reading that names an existing record
//! outranks one that names nothing.

use adjutant_domain::mentioned_name::MentionedName;
use adjutant_domain::moment::Moment;
use adjutant_domain::plan::StepDraft;
use adjutant_domain::reading::Utterance;
use adjutant_domain::record::Kind;
use adjutant_text::message::mistyped;
use adjutant_text::{stem, words};

use super::binding::{Binding, Value};
use super::compile;
use super::lattice::{Filler, Lattice};
use super::weights::weights;

/// Words that say little about a thing.
const SMALL: &[&str] = &[
    "the", "a", "an", "my", "our", "and", "of", "to", "for", "with", "in", "on", "about", "at",
    "from", "s",
];

/// Minimum length in bytes of a word that is corrected by the names of records.
const MENDED_CHARS_MIN: usize = 6;

/// What is known about a thing that the message mentions.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Ground {
    /// What it adds to the score of the reading.
    pub score: f32,
    /// The label of the only record whose full name was said.
    pub whole: Option<String>,
    /// When that record, or the only partial match, starts or is due, if known.
    pub when: Option<Moment>,
}

/// Looks a thing up among the records of a kind that the message mentions.
pub(super) fn look_up(lattice: &Lattice<'_>, thing: &Binding, kind: Kind) -> Ground {
    let said = content(lattice, thing);
    let unsure = |score: f32| unsure(lattice, thing, kind, score);
    if said.is_empty() || lattice.said.names.is_empty() {
        return unsure(0.0);
    }
    let of_kind = lattice.said.names.iter().filter(|name| is_of(name, kind));
    let mut best: Option<(f32, &MentionedName)> = None;
    let mut several = false;
    for name in of_kind {
        let label = telling(&name.label);
        let known = |word: &&String| label.iter().any(|other| same(word, other));
        if label.is_empty() || !said.iter().all(|word| known(&word)) {
            continue;
        }
        let whole = label
            .iter()
            .all(|word| said.iter().any(|said| same(said, word)));
        let score = if whole {
            weights().whole
        } else {
            weights().part
        };
        match &best {
            Some((other, named)) if *other == score => several |= named.label != name.label,
            Some((other, _)) if *other > score => {}
            _ => {
                best = Some((score, name));
                several = false;
            }
        }
    }
    match best {
        Some((score, name)) if score == weights().whole => Ground {
            score,
            whole: (!several).then(|| name.label.clone()),
            when: name.when.clone().filter(|_| !several),
        },
        Some((score, name)) => Ground {
            when: name.when.clone().filter(|_| !several),
            ..unsure(score)
        },
        None => unsure(weights().nothing),
    }
}

/// Reports whether words are the full name of one of the person's records of a kind that did not begin before today.
pub(super) fn is_coming(lattice: &Lattice<'_>, words: &str, kind: Kind) -> bool {
    let said = telling(words);
    let mut of_kind = lattice.said.names.iter().filter(|name| is_of(name, kind));
    let covers = |all: &[String], some: &[String]| {
        let known = |word: &String| all.iter().any(|other| same(word, other));
        some.iter().all(known)
    };
    let now = lattice.said.now;
    let is_over = |when: &Moment| when.date(now.time_zone()) < now.date();
    !said.is_empty()
        && of_kind.any(|name| {
            let label = telling(&name.label);
            let over = name.when.as_ref().is_some_and(is_over);
            !over && covers(&label, &said) && covers(&said, &label)
        })
}

/// Reports whether a step changes an event or task by words of which no such name contains a single one.
pub(super) fn is_unknown(said: &Utterance<'_>, step: &StepDraft) -> bool {
    let family = step.tool.split('.').next();
    let kind = match family.and_then(compile::kind_of) {
        Some(kind @ (Kind::Event | Kind::Task)) if !said.only_reads(&step.tool) => kind,
        _ => return false,
    };
    let target = &step.args["target"];
    let words = target["text"].as_str().map(telling).unwrap_or_default();
    let holds = |name: &MentionedName| {
        let label = telling(&name.label);
        let mut words = words.iter();
        words.any(|word| label.iter().any(|known| same(word, known)))
    };
    let mut of_kind = said.names.iter().filter(|name| is_of(name, kind));
    !words.is_empty() && !of_kind.any(holds)
}

/// Scores a thing that was not named in full. If its kind is not said either, it is more likely an event than a task,
/// unless its name says what to do: "the wash" may be either, "wash the car" is a task.
fn unsure(lattice: &Lattice<'_>, thing: &Binding, kind: Kind, score: f32) -> Ground {
    let article = lattice.phrase("det", thing.span.start).is_some();
    let likely = match is_chore(lattice, thing) {
        _ if kind != Kind::Task || thing.has("kind") => 0.0,
        true if article => 0.0,
        true => weights().chore,
        false => weights().unsure_kind,
    };
    Ground {
        score: score + likely,
        ..Ground::default()
    }
}

/// Reports whether the name of a thing says what to do, as names of tasks do: "Call bank", "buying the paint".
fn is_chore(lattice: &Lattice<'_>, thing: &Binding) -> bool {
    let first = thing.all("name").find_map(|value| match value {
        Value::Text(stretches) => stretches.first().cloned(),
        Value::Filler(Filler::Quote(_), tokens) => Some(tokens.clone()),
        _ => None,
    });
    let Some(tokens) = first else { return false };
    let verb = |at: &usize| {
        let end = lattice.phrase("chore", *at);
        end.is_some_and(|end| !matches!(lattice.word(end), "with" | "from" | "at"))
    };
    // A mark may precede quoted words.
    let mut tokens = tokens.filter(|at| !lattice.is_mark(*at));
    tokens.next().is_some_and(|at| verb(&at))
}

/// Reports whether a token is a word of the name of any of the person's records or contacts.
pub(super) fn is_named(lattice: &Lattice<'_>, at: usize) -> bool {
    let word = lattice.word(at);
    if SMALL.contains(&word) || lattice.is_mark(at) {
        return false;
    }
    let said = stem(word);
    let names = lattice.said.names.iter().map(|name| name.label.as_str());
    let people = lattice.said.people.iter().map(|(name, _)| name.as_str());
    let mut known = names.chain(people).flat_map(words);
    known.any(|known| stem(&known) == said)
}

/// Returns the spelling that the names of a kind use for a word that was mistyped or has another form: "booking" for
/// "Book the train". Returns `None` if a name contains the word as it is, or none is similar.
pub(super) fn spelled(lattice: &Lattice<'_>, word: &str, kind: Kind) -> Option<String> {
    let of_kind = lattice.said.names.iter().filter(|name| is_of(name, kind));
    let mut meant = None;
    let mut form = None;
    for known in of_kind.flat_map(|name| words(&name.label)) {
        if known == word {
            return None;
        }
        if stem(&known) == stem(word) {
            form = Some(known);
        } else if mistyped(word, &known) {
            meant = Some(known);
        }
    }
    form.or(meant)
}

/// Returns the spelling that the name of a record or contact uses for a mistyped word. Returns `None` if a name
/// contains the word or another form of it, if no name has a similar word, or if the word is too short.
pub(super) fn mended(lattice: &Lattice<'_>, word: &str) -> Option<String> {
    let names = lattice.said.names.iter().map(|name| name.label.as_str());
    let people = lattice.said.people.iter().map(|(name, _)| name.as_str());
    let mut meant = None;
    // Short words are too similar to each other: "bake" is not Mr Baker.
    if word.len() < MENDED_CHARS_MIN {
        return None;
    }
    for known in names.chain(people).flat_map(words) {
        if stem(&known) == stem(word) {
            return None;
        }
        if mistyped(word, &known) {
            meant = Some(known);
        }
    }
    meant
}

/// Returns the words of a thing that its record's name may contain: what it is called and who takes part, but not its
/// time.
fn content(lattice: &Lattice<'_>, thing: &Binding) -> Vec<String> {
    let named = thing.roles.iter().filter_map(|(role, value)| match value {
        Value::Text(stretches) if matches!(*role, "name" | "about") => Some(stretches.clone()),
        Value::Filler(Filler::Quote(_) | Filler::People(_), tokens)
            if matches!(*role, "name" | "with" | "owner") =>
        {
            Some(vec![tokens.clone()])
        }
        _ => None,
    });
    let texts = named
        .flatten()
        .map(|tokens| lattice.slice(tokens).to_owned());
    texts.flat_map(|text| telling(&text)).collect()
}

/// Returns the stems of the meaningful words of a name.
fn telling(text: &str) -> Vec<String> {
    let words = words(text).into_iter();
    words
        .filter(|word| !SMALL.contains(&word.as_str()))
        .map(|word| stem(&word))
        .collect()
}

fn same(said: &str, known: &str) -> bool {
    said == known || mistyped(said, known)
}

fn is_of(name: &MentionedName, kind: Kind) -> bool {
    name.record().is_some_and(|(of, _)| of == kind)
}
