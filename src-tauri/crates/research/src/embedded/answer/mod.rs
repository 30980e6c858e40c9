//! Short answers that can be extracted: which of two, yes or no, and what a relation leads to.
//!
//! Nothing is guessed: where a date, a country or a name is not found in the pages, there is no short answer.

mod compare;
mod dates;
mod nations;
mod relation;

use super::leads;
use super::sentence::is_whole;
use super::told::told;
use super::topic::Topic;
use super::topic::same_name;
use super::{Sheet, View};
use crate::lexicon::name_key;

/// A short answer with the sentences it follows from.
#[derive(Clone, Debug)]
pub struct Extracted {
    /// The answer.
    pub text: String,
    /// How it follows.
    pub because: String,
    /// Addresses and sentences it rests on.
    pub grounds: Vec<(String, String)>,
}

/// What a question is answered with, if its pages say it.
pub fn extract(view: &View<'_>) -> Option<Extracted> {
    let topic = Topic::seen(view);
    compare::yes_or_no(view, &topic)
        .or_else(|| compare::which(view, &topic))
        .or_else(|| relation::asked(view, &topic))
}

/// The opened page a name stands for.
fn page_of<'v, 'a>(view: &'v View<'a>, name: &str) -> Option<&'v Sheet<'a>> {
    let (key, whole) = (name_key(name), adjutant_text::words(name));
    let exact = view
        .sheets()
        .find(|sheet| adjutant_text::words(&sheet.page.title) == whole);
    exact
        .or_else(|| {
            view.sheets()
                .find(|sheet| name_key(&sheet.page.title) == key)
        })
        .or_else(|| {
            view.sheets()
                .find(|sheet| same_name(&name_key(&sheet.page.title), &key))
        })
}

/// Whether a question opens as one that is answered with yes or no.
fn wants_yes_or_no(words: &[String]) -> bool {
    const OPENING: &[&str] = &[
        "are", "is", "was", "were", "do", "does", "did", "have", "has", "can", "could",
    ];
    words
        .first()
        .is_some_and(|word| OPENING.contains(&word.as_str()))
}

/// Words that ask for a property rather than for somebody or something else.
const PROPERTIES: &[&str] = &[
    "birth",
    "birthday",
    "birthplace",
    "born",
    "came",
    "cause",
    "citizenship",
    "city",
    "countries",
    "country",
    "date",
    "day",
    "death",
    "died",
    "die",
    "from",
    "located",
    "location",
    "nationalities",
    "nationality",
    "out",
    "place",
    "released",
    "town",
    "year",
    "lived",
    "buried",
    "established",
    "founded",
    "published",
    "originated",
    "origin",
    "come",
    "live",
];

/// The page that the relations of a question lead to from a page: the director of a film, the father of its director.
fn follow<'v, 'a>(view: &'v View<'a>, from: &'v Sheet<'a>, topic: &Topic) -> Option<&'v Sheet<'a>> {
    let hops: Vec<_> = topic
        .asked
        .iter()
        .filter(|one| !PROPERTIES.contains(&one.word.as_str()))
        .collect();
    if hops.is_empty() {
        return Some(from);
    }
    // The relation that stands nearest to the name is the first to follow; names stand behind "of" or before "'s".
    let mut page = from;
    for hop in hops.into_iter().rev().take(2) {
        let related = leads::related(page, hop);
        let next = related.iter().find_map(|name| {
            page_of(view, name).filter(|next| next.page.address != page.page.address)
        });
        match next {
            Some(next) => page = next,
            // Without a known relation the word says what sort of thing it is, and leads nowhere.
            None if !hop.is_relation() => {}
            None => return None,
        }
    }
    Some(page)
}

/// The sentence of a page that has a word, as the ground of what is read there; else its first one.
fn ground(sheet: &Sheet<'_>, word: &str) -> (String, String) {
    let sentences: Vec<&str> = told(sheet.text).collect();
    let has = |sentence: &&&str| !word.is_empty() && sentence.contains(word);
    let whole = || sentences.iter().filter(|one| is_whole(one));
    let sentence = whole()
        .find(has)
        .or_else(|| sentences.iter().find(has))
        .or_else(|| whole().next())
        .or_else(|| sentences.first())
        .copied()
        .unwrap_or_default();
    (sheet.page.address.clone(), sentence.to_owned())
}
