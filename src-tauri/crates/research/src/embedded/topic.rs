//! The topic of a question: its names, and what is asked about them.

use std::collections::BTreeSet;

use adjutant_text::{stem, words};

use super::View;
use super::relations::QueryWord;
use crate::lexicon::{name_key, names, stems, tells};
use unicode_segmentation::UnicodeSegmentation as _;

/// Words that compare and words for a kind of thing, which find nothing as queries; folded, sorted.
const COMPARING: &[&str] = &[
    "came",
    "different",
    "earlier",
    "earliest",
    "film",
    "films",
    "first",
    "former",
    "last",
    "later",
    "latest",
    "least",
    "lived",
    "longer",
    "movie",
    "movies",
    "older",
    "oldest",
    "other",
    "others",
    "out",
    "person",
    "recent",
    "recently",
    "share",
    "shared",
    "song",
    "younger",
    "youngest",
];
/// Weight of a word inside a name; other words weigh 1.
const NAME_WEIGHT: f32 = 2.0;

/// The topic of a question.
#[derive(Debug)]
pub struct Topic {
    /// Names in the question, as written there.
    pub names: Vec<String>,
    /// Keys of the names, in the same order.
    pub keys: Vec<String>,
    /// Distinctive words that are part of no name and do not compare.
    pub asked: Vec<QueryWord>,
    /// All distinctive stems, each with its weight.
    pub stems: Vec<(String, f32)>,
    /// The folded words of the question, with a space around each.
    pub words: String,
}

impl Topic {
    /// Reads the topic of a question.
    pub fn of(question: &str) -> Self {
        let mut found: Vec<String> = Vec::new();
        let mut until = 0;
        for named in names(question) {
            if named.at < until {
                continue;
            }
            let name = bracketed(question, &named.name, named.at);
            until = named.at + name.len();
            if !found.contains(&name) {
                found.push(name);
            }
        }
        let keys: Vec<String> = found.iter().map(|name| name_key(name)).collect();
        let in_names: BTreeSet<String> = found.iter().flat_map(|name| words(name)).collect();
        let mut asked: Vec<QueryWord> = Vec::new();
        for word in words(question) {
            let compares = COMPARING.binary_search(&word.as_str()).is_ok();
            let known = in_names.contains(&word) || asked.iter().any(|one| one.word == word);
            if tells(&word) && word.chars().count() > 1 && !compares && !known {
                asked.push(QueryWord::of(&word));
            }
        }
        let name_stems: BTreeSet<String> = in_names.iter().map(|word| stem(word)).collect();
        let weigh = |stem: String| {
            let weight = if name_stems.contains(&stem) {
                NAME_WEIGHT
            } else {
                1.0
            };
            (stem, weight)
        };
        Self {
            stems: stems(question).into_iter().map(weigh).collect(),
            words: format!(" {} ", words(question).join(" ")),
            names: found,
            keys,
            asked,
        }
    }

    /// Reads the topic of a researcher's question. Capitalised titles of results that the question contains count as
    /// names too: "Once Upon a Time in the West" is one name, not four.
    pub fn seen(view: &View<'_>) -> Self {
        let mut topic = Self::of(view.question);
        let hits = view.searches.iter().flat_map(|search| search.hits);
        let mut titles: Vec<(String, &str)> = hits
            .map(|hit| (name_key(&hit.title), plain_title(&hit.title)))
            .filter(|(key, _)| key.contains(' ') && topic.words.contains(&format!(" {key} ")))
            .filter(|(key, _)| stands_large(view.question, key))
            .collect();
        titles.sort_by_key(|(key, _)| std::cmp::Reverse(key.len()));
        titles.dedup_by(|one, other| one.0 == other.0);
        for (key, title) in titles {
            let within =
                |outer: &str, inner: &str| format!(" {outer} ").contains(&format!(" {inner} "));
            if topic.keys.iter().any(|known| within(known, &key)) {
                continue;
            }
            let part: Vec<bool> = topic.keys.iter().map(|known| within(&key, known)).collect();
            let mut parts = part.iter();
            topic
                .names
                .retain(|_| !parts.next().is_some_and(|part| *part));
            let mut parts = part.iter();
            topic
                .keys
                .retain(|_| !parts.next().is_some_and(|part| *part));
            let words = words(title);
            topic.asked.retain(|one| !words.contains(&one.word));
            topic.names.push(title.to_owned());
            topic.keys.push(key);
        }
        topic
    }

    /// Returns the share of the question's weight that a set of stems covers, at most 1.
    pub fn coverage(&self, shown: &BTreeSet<String>) -> f32 {
        let whole: f32 = self.stems.iter().map(|(_, weight)| weight).sum();
        let part: f32 = self
            .stems
            .iter()
            .filter(|(stem, _)| shown.contains(stem))
            .map(|(_, weight)| weight)
            .sum();
        if whole > 0.0 { part / whole } else { 0.0 }
    }
}

/// Returns a title without a bracketed suffix.
pub fn plain_title(title: &str) -> &str {
    title
        .split_once(" (")
        .map_or(title, |(before, _)| before)
        .trim()
}

/// Returns whether a text contains the words of a key in order, with the first and the last capitalised.
fn stands_large(text: &str, key: &str) -> bool {
    let all: Vec<(String, bool)> = text
        .unicode_words()
        .flat_map(|word| {
            let large = word
                .chars()
                .next()
                .is_some_and(|first| !first.is_lowercase());
            words(word).into_iter().map(move |word| (word, large))
        })
        .collect();
    let key: Vec<&str> = key.split(' ').collect();
    all.windows(key.len().max(1)).any(|window| {
        let same = window.iter().zip(&key).all(|((word, _), key)| word == key);
        let large = |at: Option<&(String, bool)>| at.is_some_and(|(_, large)| *large);
        same && large(window.first()) && large(window.last())
    })
}

/// Returns the stems of a text.
pub fn stem_set(text: &str) -> BTreeSet<String> {
    words(text).iter().map(|word| stem(word)).collect()
}

/// Returns a name with the brackets directly after it: "Francisca (Film)".
fn bracketed(text: &str, name: &str, at: usize) -> String {
    let after = text.get(at + name.len()..).unwrap_or_default();
    match after
        .strip_prefix(" (")
        .and_then(|rest| rest.split_once(')'))
    {
        Some((inside, _)) if inside.len() < 60 => format!("{name} ({inside})"),
        _ => name.to_owned(),
    }
}

/// Returns whether two keys name the same thing: they are equal, or the longer contains every word of the shorter,
/// which has at least two.
pub fn same_name(one: &str, other: &str) -> bool {
    if one == other {
        return !one.is_empty();
    }
    let (one, other): (Vec<&str>, Vec<&str>) =
        (one.split(' ').collect(), other.split(' ').collect());
    let (short, long) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    short.len() >= 2 && short.iter().all(|word| long.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(COMPARING.is_sorted());
    }

    #[test]
    fn a_question_is_its_names_and_what_is_asked_of_them() {
        let topic =
            Topic::of("What is the place of birth of the director of film Francisca (Film)?");
        assert_eq!(topic.names, ["Francisca (Film)"]);
        assert_eq!(topic.keys, ["francisca"]);
        let asked: Vec<&str> = topic.asked.iter().map(|one| one.word.as_str()).collect();
        assert_eq!(asked, ["place", "birth", "director"]);
    }

    #[test]
    fn a_name_stands_large() {
        let question = "Who wrote the film Once Upon a Time in the West?";
        assert!(stands_large(question, "once upon a time in the west"));
        assert!(!stands_large(
            "What is the place of birth of Ada?",
            "place of birth"
        ));
    }

    #[test]
    fn a_name_is_known_by_its_words() {
        assert!(same_name(
            "vice president adlai e stevenson i",
            "adlai stevenson i"
        ));
        assert!(!same_name("stevenson", "adlai stevenson"));
    }
}
