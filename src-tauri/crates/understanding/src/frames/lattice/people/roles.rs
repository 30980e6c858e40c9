//! People by what they are, as the address book says it: "our sales director", "Acme's buyer", "the buyer at Acme".

use std::collections::{HashMap, HashSet};

use adjutant_text::fold;

use super::{PersonCandidate, PersonMention, is_capital};
use crate::frames::lattice::Lattice;

/// Maximum roles of the address book that are compared.
const ROLES_MAX: usize = 1_000;
/// Maximum letters of a role that is said by its first word: "VP" of "VP Product".
const SHORT_CHARS_MAX: usize = 3;
/// Words that show that a role follows.
const WHOSE: &[&str] = &["my", "our", "the", "their", "his", "her", "your"];

/// The roles of the address book that the message may mention, by their first words.
pub(super) struct Roles {
    by_word: HashMap<String, Vec<Vec<String>>>,
    /// Words of which roles and organisations consist.
    words: HashSet<String>,
}

impl Roles {
    /// Indexes the roles of the address book of which some word occurs in the message.
    pub(super) fn of(lattice: &Lattice<'_>) -> Self {
        let said: HashSet<&str> = (0..lattice.len()).map(|at| lattice.word(at)).collect();
        let mut roles = Self {
            by_word: HashMap::new(),
            words: HashSet::new(),
        };
        for text in lattice.said.roles.iter().take(ROLES_MAX) {
            let parts: Vec<Vec<String>> = text.split(',').map(adjutant_text::words).collect();
            let mentioned =
                |words: &Vec<String>| words.iter().any(|word| said.contains(word.as_str()));
            if !parts.iter().any(mentioned) {
                continue;
            }
            roles.words.extend(parts.iter().flatten().cloned());
            // An organisation stands before the title, and alone it is no role.
            let title = if parts.len() > 1 {
                &parts[1..]
            } else {
                &parts[..]
            };
            for words in title {
                roles.add(words);
            }
        }
        roles
    }

    /// Adds a title: it is said as a whole, by its last words, or by an abbreviation at its beginning.
    fn add(&mut self, words: &[String]) {
        let mut said: Vec<&[String]> = (0..words.len()).map(|from| &words[from..]).collect();
        let short = words
            .first()
            .filter(|word| word.chars().count() <= SHORT_CHARS_MAX);
        if short.is_some() {
            said.push(&words[..1]);
        }
        for words in said {
            let known = self.by_word.entry(words[0].clone()).or_default();
            if !known.iter().any(|one| one == words) {
                known.push(words.to_vec());
            }
        }
    }

    /// Returns the token after the longest role that begins at a token.
    fn end(&self, lattice: &Lattice<'_>, at: usize) -> Option<usize> {
        let roles = self.by_word.get(lattice.word(at))?;
        let is = |role: &&Vec<String>| {
            let mut words = role.iter().enumerate();
            words.all(|(place, word)| lattice.word(at + place) == word)
        };
        let longest = roles.iter().filter(is).map(Vec::len).max();
        longest.map(|length| at + length)
    }
}

/// Returns somebody whom a role means, with the organisation that is said beside it. The role begins behind a word such
/// as "our", or behind the name of an organisation.
pub(super) fn at(lattice: &Lattice<'_>, at: usize, roles: &Roles) -> Option<PersonCandidate> {
    let firm = |from: usize| {
        let mut end = from;
        while is_capital(lattice, end) && roles.words.contains(&fold(lattice.word(end))) {
            end += 1;
        }
        (end > from).then_some(end)
    };
    let (role, of) = match WHOSE.contains(&lattice.word(at)) {
        true => (at + 1, None),
        false => {
            let end = firm(at).filter(|end| lattice.word(*end) == "'s")?;
            (end + 1, Some(at..end))
        }
    };
    let title = roles.end(lattice, role)?;
    let joins = matches!(lattice.word(title), "at" | "from" | "of" | "for" | "with");
    let behind = firm(title + 1).filter(|_| joins && of.is_none());
    let (end, of) = match behind {
        Some(until) => (until, Some(title + 1..until)),
        None => (title, of),
    };
    let said = lattice.slice(role..title).to_lowercase();
    let said = match of {
        Some(of) => format!("{} {said}", lattice.slice(of).to_lowercase()),
        None => said,
    };
    Some((end, PersonMention::Relation(said), 0.9))
}
