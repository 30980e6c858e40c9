//! Splits a statement to remember into a subject and what is true of it.

use serde_json::json;

use adjutant_domain::source::Source;

use super::super::binding::Value;
use super::{Compiler, Unfit, words};

/// Verbs that say what somebody likes, does or has; several values may be true at once.
const MANY: &str = "like likes love loves hate hates dislike dislikes enjoy enjoys eat eats drink drinks speak speaks own owns \
    have has need needs want wants know knows play plays collect collects avoid avoids study studies";

/// Verbs for which only one value is true at a time.
const ONE: &str = "prefer prefers take takes live lives work works drive drives wear wears park parked use uses keep keeps kept \
    left hid put sleep sleeps start starts leave leaves support supports go goes called named means costs cost opens closes \
    moved bought paid owes owe comes come runs ends gets";

/// Words between a subject and its verb.
const BETWEEN: &str =
    "don't doesn't never always usually only can can't cannot do does not still mostly often";

/// Verbs in front of the verb of a statement.
const AUXILIARIES: &str = "do does did don't doesn't didn't can can't cannot could couldn't will won't would wouldn't has hasn't \
    have haven't had never always usually";

/// Words that do not begin a statement: they begin a question or something to do.
const NO_FACT: &str = "to when what who where why how which whether if me us it this that everything maybe perhaps not about";

/// Words for a person rather than a thing; several values may be true of a person at once.
const PERSONS: &str = "i he she they we mom mum mother dad father sister brother wife husband son daughter boss partner girlfriend \
    boyfriend grandma grandpa aunt uncle cousin roommate neighbour neighbor friend kids children";

/// Maximum number of words in a fact mentioned in passing.
const VALUE_WORDS_MAX: usize = 6;

/// A fact to remember.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fact {
    key: String,
    value: String,
    /// Whether it is added to what is known instead of replacing it.
    adds: bool,
}

impl Compiler<'_, '_> {
    /// Fills key and value from a statement.
    pub(super) fn fact(&mut self, role: &'static str) -> Result<(), Unfit> {
        let value = self.frame.get(role).ok_or(Unfit("no statement"))?;
        if self.begins_otherwise(value) {
            return Err(Unfit("another request"));
        }
        let said = words::of(self.lattice, value);
        let said = match self.frame.constant("said") {
            Some(before) => format!("{} {said}", before.replace('_', " ")),
            None => said,
        };
        let said = said.trim().trim_end_matches(['.', '!', ',']).to_owned();
        if said.ends_with('?') {
            return Err(Unfit("a question"));
        }
        let known = |word: &str| {
            let people = self.lattice.said.people.iter();
            let mut names = people.flat_map(|(name, _)| name.split_whitespace());
            names.any(|name| name.eq_ignore_ascii_case(word))
        };
        // "Remember Call Tom" is something to do, however it is written.
        let is_deed = || {
            let stretch = match value {
                Value::Text(stretches) => stretches.first(),
                _ => None,
            };
            stretch.is_some_and(|tokens| {
                let begins = |class| words::begins_with(self.lattice, tokens.start, class);
                ["imperative", "deed", "chore"].into_iter().any(begins)
            })
        };
        let whole = || (!is_deed()).then(|| asserted(&said)).flatten();
        let fact = fact_of(&said, known).or_else(whole);
        let fact = fact.ok_or(Unfit("no statement"))?;
        // The source is the statement alone, without the words that ask to remember it.
        let source = Source::Person { words: Some(said) };
        self.arguments.set("key", json!(fact.key), source.clone());
        self.arguments.set("value", json!(fact.value), source);
        if fact.adds {
            self.arguments.set("adds", json!(true), Source::Derived);
        }
        Ok(())
    }

    /// Fills the value of something that belongs to the person. A mood, or a time or place of the moment, is not worth
    /// remembering.
    pub(super) fn own_value(&mut self, role: &'static str) -> Result<(), Unfit> {
        let key = self.frame.get("key").ok_or(Unfit("no key"))?;
        let value = self.frame.get(role).ok_or(Unfit("no value"))?;
        let (Value::Text(key), Value::Text(stretches)) = (key, value) else {
            return Err(Unfit("no words"));
        };
        let mut tokens = key.iter().flat_map(Clone::clone);
        let attribute = tokens.any(|at| words::begins_with(self.lattice, at, "attribute"))
            || key.first().is_some_and(|first| {
                matches!(
                    self.lattice.word(first.start),
                    "favourite" | "favorite" | "preferred"
                )
            });
        let first = stretches.first().ok_or(Unfit("no value"))?.start;
        let said = words::of(self.lattice, value);
        let short = said.split_whitespace().count() <= VALUE_WORDS_MAX;
        let mood = words::begins_with(self.lattice, first, "passing");
        if !attribute || mood || !short || said.ends_with('?') {
            return Err(Unfit("no fact to keep"));
        }
        let said = said.trim_end_matches(['.', '!']);
        // "Kim's got the spare key now" says where the key is.
        let said = match self.frame.has("holds") {
            true => format!("with {said}"),
            false => said.to_owned(),
        };
        let source = Source::Person { words: None };
        self.arguments.set("value", json!(said), source);
        Ok(())
    }

    /// Fills what is to be forgotten.
    pub(super) fn forgotten(&mut self, role: &'static str) -> Result<(), Unfit> {
        let value = self.frame.get(role).ok_or(Unfit("nothing named"))?;
        let said = words::of(self.lattice, value);
        let first = said.split_whitespace().next().unwrap_or("").to_lowercase();
        let none = [
            "it",
            "that",
            "this",
            "to",
            "everything",
            "all",
            "what",
            "about",
            "the",
        ];
        if self.is_pronoun(value)
            || none.contains(&first.as_str()) && said.split_whitespace().count() < 2
        {
            return Err(Unfit("nothing named"));
        }
        if matches!(
            first.as_str(),
            "to" | "what" | "everything" | "all" | "about"
        ) {
            return Err(Unfit("no name"));
        }
        let people = self.lattice.said.people.iter();
        let person = people
            .flat_map(|(name, _)| name.split_whitespace())
            .any(|name| name.eq_ignore_ascii_case(&said));
        let pick = if person { "all" } else { "one" };
        let target = json!({"text": bare(&said), "pick": pick});
        self.arguments
            .set("target", target, self.person_source(role));
        Ok(())
    }

    /// Fills the subject of a short fact, without "my" and "the".
    pub(super) fn fact_key(&mut self, role: &'static str) -> Result<(), Unfit> {
        let value = self.frame.get(role).ok_or(Unfit("no key"))?;
        let said = words::of(self.lattice, value);
        if said.is_empty() || said.split_whitespace().count() > 6 || self.is_pronoun(value) {
            return Err(Unfit("no key"));
        }
        let key = match self.frame.get("owner") {
            Some(owner) => format!("{}'s {said}", words::of(self.lattice, owner)),
            None => bare(&said).to_owned(),
        };
        self.arguments
            .set("key", json!(key), self.person_source(role));
        Ok(())
    }
}

fn fact_of(said: &str, known: impl Fn(&str) -> bool) -> Option<Fact> {
    let text = said.replace('\u{2019}', "'");
    let words: Vec<&str> = text.split_whitespace().collect();
    let low: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let among = |list: &str, word: &str| list.split_whitespace().any(|one| one == word);
    if words.len() < 2 || among(NO_FACT, low.first()?.trim_end_matches(',')) {
        return None;
    }
    if let Some((key, value)) = text.split_once([':', '='])
        && key.split_whitespace().count() <= 6
        && !key.ends_with(|c: char| c.is_ascii_digit())
    {
        return fact(key, value, false);
    }
    let contracted = |word: &str| {
        matches!(
            word,
            "i'm" | "he's" | "she's" | "they're" | "we're" | "it's"
        )
    };
    let copula = |word: &str| {
        matches!(
            word,
            "is" | "are" | "am" | "was" | "were" | "isn't" | "aren't"
        ) || contracted(word)
    };
    let at = low.iter().enumerate().position(|(at, word)| {
        (copula(word) && (at > 0 || contracted(word)))
            || at > 0 && (among(MANY, word) || among(ONE, word))
    });
    // "Fatima does not work" ends with its verb: nothing stands behind it that could be the value.
    let at = at.filter(|at| at + 1 < words.len());
    let Some(at) = at else {
        // "Door code 5521".
        let last = words.len() - 1;
        let number = low[last].contains(|c: char| c.is_ascii_digit());
        if number && words.len() <= 6 {
            return fact(&words[..last].join(" "), words[last], false);
        }
        return whole(&words, &low, known);
    };
    let verb = low[at].as_str();
    let value = words[at + 1..].join(" ");
    if copula(verb) {
        let subject = match contracted(verb) {
            true => words[at].split('\'').next().unwrap_or("").to_owned(),
            false => words[..at].join(" "),
        };
        let head = subject.to_lowercase();
        let one = head.split_whitespace().next_back().unwrap_or("");
        let person = among(PERSONS, one) || known(one);
        let key = match (head.as_str(), person) {
            ("i", _) => value.clone(),
            _ => subject,
        };
        let named = value.starts_with("called ") || value.starts_with("named ");
        return fact(&key, &value, person && !named);
    }
    let before: Vec<&str> = words[..at].to_vec();
    let subject = before.join(" ");
    let place = ["on", "in", "at", "under", "behind", "from", "near", "next"];
    let place = low
        .get(at + 1)
        .is_some_and(|word| place.contains(&word.as_str()));
    let asks = if place { "where" } else { "what" };
    let own = before
        .iter()
        .all(|word| among(BETWEEN, &word.to_lowercase()) || word.eq_ignore_ascii_case("i"));
    let key = match (own, verb) {
        // "I take my coffee black" is about coffee.
        (true, "take" | "prefer") if value.to_lowercase().starts_with("my ") => {
            value.split_whitespace().nth(1).unwrap_or("").to_owned()
        }
        _ => format!("{asks} {} {}", bare(&subject), words[at]),
    };
    let value = if own && verb == "take" && value.to_lowercase().starts_with("my ") {
        text.clone()
    } else {
        value
    };
    fact(&key, &value, among(MANY, verb))
}

/// A statement that cannot be split: the whole is kept under its subject, which ends before an auxiliary verb or "'s".
fn whole(words: &[&str], low: &[String], known: impl Fn(&str) -> bool) -> Option<Fact> {
    let mut at = 0..words.len().saturating_sub(1);
    let subject = at.find_map(|at| {
        let short = low[at].strip_suffix("'s").filter(|one| known(one));
        match short {
            Some(one) => Some([&words[..at], &[&words[at][..one.len()]]].concat()),
            None if at > 0 && AUXILIARIES.split_whitespace().any(|one| one == low[at]) => {
                Some(words[..at].to_vec())
            }
            None => None,
        }
    })?;
    let rest = match low[subject.len() - 1].ends_with("'s") {
        true => &words[subject.len()..],
        false => words,
    };
    fact(&subject.join(" "), &rest.join(" "), true)
}

/// Keeps any other statement as a whole, under its first words: "I bill Fjordline 165 dollars an hour". A statement
/// begins with its subject; anything else may be something to do.
fn asserted(said: &str) -> Option<Fact> {
    const SUBJECTS: &str = "i we he she they it my our his her their the";
    const DETAILS: &str = "a an the my our at on in to for with from by every each about than";
    let words: Vec<&str> = said.split_whitespace().collect();
    let first = words.first()?;
    let subject = SUBJECTS
        .split_whitespace()
        .any(|one| first.eq_ignore_ascii_case(one))
        || first.starts_with(char::is_uppercase);
    let begins = |word: &&str| {
        word.starts_with(|letter: char| letter.is_ascii_digit() || letter == '$' || letter == '€')
            || DETAILS.split_whitespace().any(|one| one == *word)
    };
    let key = words.iter().skip(2).position(begins).map_or(3, |at| at + 2);
    (subject && words.len() > 2)
        .then(|| fact(&words[..key.min(words.len())].join(" "), said, true))
        .flatten()
}

fn fact(key: &str, value: &str, adds: bool) -> Option<Fact> {
    let (key, value) = (bare(key.trim()), value.trim().trim_end_matches(['.', ',']));
    let fits = !key.is_empty() && !value.is_empty() && key.split_whitespace().count() <= 10;
    fits.then(|| Fact {
        key: key.to_owned(),
        value: value.to_owned(),
        adds,
    })
}

/// Strips words that do not distinguish one key from another.
fn bare(key: &str) -> &str {
    let first = ["my ", "My ", "the ", "The ", "our ", "Our ", "a "];
    first
        .iter()
        .find_map(|word| key.strip_prefix(word))
        .unwrap_or(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_other_statement_is_kept_as_a_whole() {
        for (said, key) in [
            (
                "I bill Fjordline 165 dollars an hour",
                Some("I bill Fjordline"),
            ),
            ("Fjordline pays on the first", Some("Fjordline pays")),
            ("buy milk on friday", None),
        ] {
            assert_eq!(asserted(said).map(|fact| fact.key).as_deref(), key);
        }
    }

    #[test]
    fn a_statement_is_about_something() {
        let known = |word: &str| word.eq_ignore_ascii_case("rosa");
        for (said, key, value, adds) in [
            ("my bike lock is 4411", "bike lock", "4411", false),
            (
                "the key's under the mat is blue",
                "key's under the mat",
                "blue",
                false,
            ),
            ("Rosa is allergic to nuts", "Rosa", "allergic to nuts", true),
            ("my brother is left-handed", "brother", "left-handed", true),
            (
                "I'm allergic to cats",
                "allergic to cats",
                "allergic to cats",
                true,
            ),
            ("Rosa likes lilies", "what Rosa likes", "lilies", true),
            (
                "I prefer aisle seats",
                "what I prefer",
                "aisle seats",
                false,
            ),
            ("I parked on level 2", "where I parked", "on level 2", false),
            (
                "I take my tea with milk",
                "tea",
                "I take my tea with milk",
                false,
            ),
            ("gate code 9921", "gate code", "9921", false),
            ("Rosa does not work", "Rosa", "Rosa does not work", true),
            ("Rosa's allergic to nuts", "Rosa", "allergic to nuts", true),
            ("alarm: 5521", "alarm", "5521", false),
        ] {
            let fact = fact_of(said, known).expect(said);
            assert_eq!(
                (fact.key.as_str(), fact.value.as_str(), fact.adds),
                (key, value, adds),
                "{said}"
            );
        }
        for said in [
            "to buy milk",
            "the milk",
            "when we met",
            "me",
            "maybe tea is nice",
            "",
        ] {
            assert_eq!(fact_of(said, known), None, "{said}");
        }
    }
}
