//! Extracts short answers: which of two, yes or no, and the target of a relation.
//!
//! Nothing is guessed: if the pages lack a date, a country or a name, there is no short answer.

mod compare;
mod dates;
mod nations;
mod relation;

use super::leads;
use super::orders::told;
use super::sentence::is_whole;
use super::topic::Topic;
use super::topic::same_name;
use super::{Sheet, View};
use crate::lexicon::name_key;

/// A short answer with the sentences that support it.
#[derive(Clone, Debug)]
pub struct Extracted {
    /// The answer.
    pub text: String,
    /// How the answer follows, in one sentence.
    pub because: String,
    /// Pairs of address and sentence that the answer rests on.
    pub grounds: Vec<(String, String)>,
}

/// Returns the short answer to a question, if its pages contain it.
pub fn extract(view: &View<'_>) -> Option<Extracted> {
    let topic = Topic::seen(view);
    compare::yes_or_no(view, &topic)
        .or_else(|| compare::which(view, &topic))
        .or_else(|| relation::asked(view, &topic))
}

/// Returns the opened page about a name: one with exactly that title, else with the same key, else with a similar key.
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

/// Returns whether a question opens like one to be answered with yes or no.
fn wants_yes_or_no(words: &[String]) -> bool {
    const OPENING: &[&str] = &[
        "are", "is", "was", "were", "do", "does", "did", "have", "has", "can", "could",
    ];
    words
        .first()
        .is_some_and(|word| OPENING.contains(&word.as_str()))
}

/// Words that ask for a property rather than for a person or another thing.
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

/// Follows the relations of a question from a page to another: from a film to its director, and on to the director's
/// father.
fn follow<'v, 'a>(view: &'v View<'a>, from: &'v Sheet<'a>, topic: &Topic) -> Option<&'v Sheet<'a>> {
    let hops: Vec<_> = topic
        .asked
        .iter()
        .filter(|one| !PROPERTIES.contains(&one.word.as_str()))
        .collect();
    if hops.is_empty() {
        return Some(from);
    }
    // Follows the relation nearest to the name first; names stand after "of" or before "'s".
    let mut page = from;
    for hop in hops.into_iter().rev().take(2) {
        let related = leads::related(page, hop);
        let next = related.iter().find_map(|name| {
            page_of(view, name).filter(|next| next.page.address != page.page.address)
        });
        match next {
            Some(next) => page = next,
            // A word that is not a known relation only says what kind of thing is meant, and leads nowhere.
            None if !hop.is_relation() => {}
            None => return None,
        }
    }
    Some(page)
}

/// Returns the address of a page and its first sentence that contains a word, with whole sentences preferred; a page
/// without the word gives its first sentence.
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
