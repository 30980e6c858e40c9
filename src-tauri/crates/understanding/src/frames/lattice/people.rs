//! People: contacts, unknown names, relations, addresses and pronouns; one or several.

mod roles;

use std::collections::{HashMap, HashSet};

use adjutant_text::fold;
use adjutant_text::message::TokenKind;

use super::{Edge, Filler, Lattice};
use crate::frames::grammar::GRAMMAR;

/// Maximum number of people of the address book that are searched.
const PEOPLE_MAX: usize = 5000;
/// Maximum number of words in a name.
const NAME_WORDS_MAX: usize = 4;
/// Maximum number of people in a list.
const LIST_MAX: usize = 20;

/// Somebody, as mentioned in the message.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) enum PersonMention {
    /// A name, and whether the engine accepts it as known: the address book has it, or the words make clear that it
    /// names somebody ("the guy from Acme").
    Named(String, bool),
    /// A mail address.
    Address(String),
    /// A relation or a role: "my sister", "the plumber".
    Relation(String),
    /// The person.
    Me,
    /// Somebody mentioned earlier: him, her, them.
    They,
}

/// Adds every single person and every list of people.
pub(super) fn add(lattice: &mut Lattice<'_>) {
    let single = singles(lattice);
    for start in 0..single.len() {
        for (end, who, score) in &single[start] {
            let mut people = vec![who.clone()];
            let (mut end, mut score) = (*end, *score);
            loop {
                lattice.add(
                    start,
                    Edge {
                        end,
                        filler: Filler::People(people.clone()),
                        score,
                    },
                );
                let Some(next) = joined(lattice, end).filter(|_| people.len() < LIST_MAX) else {
                    break;
                };
                let longest = single
                    .get(next)
                    .and_then(|all| all.iter().max_by_key(|one| one.0));
                let Some((until, another, more)) = longest else {
                    break;
                };
                people.push(another.clone());
                score += more + 0.3;
                end = *until;
            }
        }
    }
    both(lattice);
}

/// Adds lists of two people that "both" introduces.
fn both(lattice: &mut Lattice<'_>) {
    for at in 0..lattice.len() {
        if lattice.word(at) == "both" {
            let edges = lattice.edges(at + 1).to_vec();
            let two = edges
                .into_iter()
                .filter(|edge| matches!(&edge.filler, Filler::People(people) if people.len() == 2));
            two.for_each(|edge| lattice.add(at, edge));
        }
    }
}

/// Returns the token after "and" or a comma between two people.
fn joined(lattice: &Lattice<'_>, at: usize) -> Option<usize> {
    let is = |at: usize, words: &[&str]| words.contains(&lattice.word(at));
    match () {
        () if is(at, &[","]) && is(at + 1, &["and", "&"]) => Some(at + 2),
        () if is(at, &["and", "&", "n", ",", "plus"]) => Some(at + 1),
        () => None,
    }
}

type PersonCandidate = (usize, PersonMention, f32);

fn singles(lattice: &Lattice<'_>) -> Vec<Vec<PersonCandidate>> {
    let known = names_by_word(lattice);
    let relations = GRAMMAR.class("relation");
    let roles = roles::Roles::of(lattice);
    (0..lattice.len())
        .map(|at| {
            let token = &lattice.text.tokens[at];
            if token.quote.is_some() {
                return Vec::new();
            }
            if let Some((end, who)) = address(lattice, at) {
                return vec![(end, who, 1.2)];
            }
            let mut found = Vec::new();
            match token.word.as_str() {
                "me" | "myself" => found.push((at + 1, PersonMention::Me, 0.3)),
                "him" | "her" | "them" | "he" | "she" | "they" => {
                    found.push((at + 1, PersonMention::They, 0.5))
                }
                _ => {}
            }
            found.extend(names_at(lattice, at, &known));
            found.extend(of_a_firm(lattice, at));
            found.extend(roles::at(lattice, at, &roles));
            let from = if ["my", "the", "our", "his", "her"].contains(&token.word.as_str()) {
                at + 1
            } else {
                at
            };
            if let Some(class) = relations {
                for hit in lattice.phrases_at(class, from) {
                    let end = hit.end;
                    let words = lattice.slice(from..end).to_lowercase();
                    found.push((end, PersonMention::Relation(words), 0.8));
                    // "My manager Lena", "my lawyer law@firm.example": the name says who it is.
                    let called = names_at(lattice, end, &known).into_iter();
                    let mut edges = lattice.edges(end).iter();
                    let time = edges.any(|edge| matches!(edge.filler, Filler::Time(_)));
                    let called = called.filter(|_| !time);
                    found.extend(called.map(|(end, who, score)| (end, who, score + 0.8)));
                    found.extend(address(lattice, end).map(|(end, who)| (end, who, 2.0)));
                }
            }
            let described = found.iter().filter_map(|one| described(lattice, one));
            let described: Vec<PersonCandidate> = described.collect();
            found.extend(described);
            found
        })
        .collect()
}

/// Returns somebody with the words behind the name that say what they are: "Miller, the lawyer,", "Oliver the plumber".
fn described(
    lattice: &Lattice<'_>,
    (end, who, score): &PersonCandidate,
) -> Option<PersonCandidate> {
    if !matches!(who, PersonMention::Named(..)) {
        return None;
    }
    let comma = lattice.word(*end) == ",";
    let det = end + usize::from(comma);
    let what = lattice.phrase("relation", det + 1)?;
    // "Tom, my boss and Zoe" may be three people.
    let closed = !comma || lattice.word(what) == ",";
    let said = matches!(lattice.word(det), "the" | "my" | "our") && closed;
    let end = what + usize::from(comma);
    said.then(|| (end, who.clone(), score + 0.5))
}

/// Reads somebody by the place where they work: "the guy from Acme".
fn of_a_firm(lattice: &Lattice<'_>, at: usize) -> Option<PersonCandidate> {
    let end = lattice.phrase("somebody_at", at)?;
    let name = lattice.text.tokens.get(end)?;
    let said = name.kind == TokenKind::Word && name.quote.is_none();
    let mut firm = end + 1;
    while firm - end < NAME_WORDS_MAX && name.capital && is_capital(lattice, firm) {
        firm += 1;
    }
    let who = PersonMention::Named(lattice.slice(end..firm).to_owned(), true);
    (said && lattice.phrase("det", end).is_none()).then_some((firm, who, 1.0))
}

fn is_capital(lattice: &Lattice<'_>, at: usize) -> bool {
    lattice.text.tokens.get(at).is_some_and(|token| {
        token.kind == TokenKind::Word && token.capital && token.quote.is_none() && token.word != "i"
    }) && lattice.phrase("time_word", at).is_none()
}

/// Returns the mail address at a token.
fn address(lattice: &Lattice<'_>, at: usize) -> Option<(usize, PersonMention)> {
    let token = lattice.text.tokens.get(at)?;
    let address = lattice.slice(at..at + 1).to_owned();
    (token.kind == TokenKind::Address).then_some((at + 1, PersonMention::Address(address)))
}

/// Indexes the names of the address book by each of their words that occurs in the message; the value is the rest of
/// the name from that word on.
fn names_by_word(lattice: &Lattice<'_>) -> HashMap<String, Vec<Vec<String>>> {
    let said: HashSet<&str> = (0..lattice.len()).map(|at| lattice.word(at)).collect();
    let shapes: HashSet<(u8, usize)> = said.iter().filter_map(|word| shape(word)).collect();
    // Most names can be ruled out without folding them.
    let may_be_said = |name: &str| {
        !name.is_ascii()
            || name
                .split_ascii_whitespace()
                .any(|word| shape(word).is_some_and(|shape| shapes.contains(&shape)))
    };
    let people = lattice.said.people.iter().take(PEOPLE_MAX);
    let mut known: HashMap<String, Vec<Vec<String>>> = HashMap::new();
    for (name, _) in people.filter(|(name, _)| may_be_said(name)) {
        let words: Vec<String> = fold(name).split_whitespace().map(str::to_owned).collect();
        for from in (0..words.len()).filter(|from| said.contains(words[*from].as_str())) {
            known
                .entry(words[from].clone())
                .or_default()
                .push(words[from..].to_vec());
        }
    }
    known
}

/// Returns the first letter of a word, in lower case, and its length; folding an ASCII word changes neither.
fn shape(word: &str) -> Option<(u8, usize)> {
    let first = word.bytes().next()?;
    Some((first.to_ascii_lowercase(), word.len()))
}

/// Returns the names that begin at a token.
fn names_at(
    lattice: &Lattice<'_>,
    at: usize,
    known: &HashMap<String, Vec<Vec<String>>>,
) -> Vec<PersonCandidate> {
    let mut found: Vec<PersonCandidate> = Vec::new();
    // "Emily's" is two tokens over the same letters.
    let name = |end: usize| {
        let words = lattice.slice(at..end);
        let bare = ["'s", "\u{2019}s"];
        let bare = bare.iter().find_map(|tail| words.strip_suffix(tail));
        bare.filter(|_| lattice.word(end) == "'s")
            .unwrap_or(words)
            .to_owned()
    };
    for rest in known.get(lattice.word(at)).into_iter().flatten() {
        for (length, said) in rest.iter().enumerate().take(NAME_WORDS_MAX) {
            if lattice.word(at + length) != said {
                break;
            }
            let end = at + length + 1;
            if found.iter().all(|one| one.0 != end) {
                let score = 0.6 + 0.5 * super::times::words(length);
                found.push((end, PersonMention::Named(name(end), true), score));
            }
        }
    }
    // Consecutive capitalised words after the first word of the message form a name that is not known yet.
    // "Product Weekly", "Morning Ledger": a word for a time belongs to the name beside it.
    let paper = |at: usize| {
        let token = lattice.text.tokens.get(at);
        let word = token.is_some_and(|token| token.capital && token.quote.is_none());
        let beside = is_capital(lattice, at + 1) || at > 0 && is_capital(lattice, at - 1);
        word && beside && lattice.phrase("paper_word", at) == Some(at + 1)
    };
    let capital = |at: usize| is_capital(lattice, at) || paper(at);
    if at > 0 && capital(at) {
        let mut end = at + 1;
        while end - at < NAME_WORDS_MAX && capital(end) {
            end += 1;
        }
        for end in at + 1..=end {
            if found.iter().all(|one| one.0 != end) {
                let score = 0.1 * super::times::words(end - at);
                found.push((end, PersonMention::Named(name(end), false), score));
            }
        }
    }
    found
}
