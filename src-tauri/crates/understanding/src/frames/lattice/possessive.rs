//! Possessives that are typed without their apostrophe: "priyas number", "moms birthday".

use adjutant_domain::reading::Utterance;
use adjutant_text::fold;
use adjutant_text::message::{Text, Token, TokenKind};

use crate::frames::grammar::GRAMMAR;

/// Maximum number of people of the address book that are searched.
const PEOPLE_MAX: usize = 5000;

/// Splits such words as if they had an apostrophe; both tokens keep the span of the word.
pub(super) fn part(text: &mut Text<'_>, said: &Utterance<'_>) {
    let mut at = 0;
    while at < text.tokens.len() {
        if let Some(owner) = owner(&text.tokens, at, said) {
            let token = &mut text.tokens[at];
            token.word = owner;
            let ending = Token {
                word: "'s".to_owned(),
                capital: false,
                spaced: true,
                ..token.clone()
            };
            text.tokens.insert(at + 1, ending);
            for sentence in &mut text.sentences {
                sentence.start += usize::from(sentence.start > at);
                sentence.end += usize::from(sentence.end > at);
            }
            at += 1;
        }
        at += 1;
    }
}

/// Returns the word without its ending if it names an owner and the next word could be what is owned.
fn owner(tokens: &[Token], at: usize, said: &Utterance<'_>) -> Option<String> {
    const RELATIONS: &[&str] = &[
        "mom", "mum", "dad", "wife", "husband", "boss", "landlord", "dentist", "plumber", "grandma",
    ];
    let token = &tokens[at];
    let stem = token.word.strip_suffix('s').filter(|stem| stem.len() > 2)?;
    let next = tokens.get(at + 1)?;
    let thing = next.kind == TokenKind::Word && next.quote.is_none() && !is_small(&next.word);
    if token.kind != TokenKind::Word || token.quote.is_some() || !thing {
        return None;
    }
    let owns = RELATIONS.contains(&stem) || is_called(stem, &token.word, said);
    owns.then(|| stem.to_owned())
}

/// Reports whether a word is a function word, not something that somebody could have.
fn is_small(word: &str) -> bool {
    let in_class = |class: &str| {
        let id = GRAMMAR.word(word);
        let class = GRAMMAR.class(class).zip(id);
        class
            .is_some_and(|(class, id)| GRAMMAR.phrases(class, id, 0, |_, _| false).next().is_some())
    };
    ["small", "should", "been", "clause"]
        .into_iter()
        .any(in_class)
}

/// Reports whether the name of any of the person's contacts contains the word `stem`, and none contains `word`.
fn is_called(stem: &str, word: &str, said: &Utterance<'_>) -> bool {
    let mut called = false;
    for (name, _) in said.people.iter().take(PEOPLE_MAX) {
        let words = |name: &str, wanted: &str| name.split_whitespace().any(|one| one == wanted);
        let begins = |one: &str| {
            one.get(..stem.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(stem))
        };
        let first = !name.is_ascii() || name.split_ascii_whitespace().any(begins);
        if first {
            let name = fold(name);
            if words(&name, word) {
                return false;
            }
            called |= words(&name, stem);
        }
    }
    called
}
