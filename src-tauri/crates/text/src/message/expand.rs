//! Expands contractions and shorthand to the words they stand for.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{Token, TokenKind};

/// Shorthand and the words it stands for, from lines of `shorthand = words`.
static TABLE: LazyLock<HashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    include_str!("../../data/text/expansions.txt")
        .lines()
        .map(|line| line.split('#').next().unwrap_or("").trim())
        .filter_map(|line| line.split_once('='))
        .map(|(short, full)| (short.trim(), full.split_whitespace().collect()))
        .collect()
});

/// Endings after an apostrophe and the word they stand for.
const ENDINGS: &[(&str, &str)] = &[
    ("'re", "are"),
    ("'ve", "have"),
    ("'ll", "will"),
    ("'d", "would"),
    ("'m", "am"),
];

/// Expands contractions and shorthand. The new tokens share the span of the old one. A possessive `'s` becomes a token
/// of its own, written `'s`. Quoted tokens stay as they are.
pub(super) fn expand(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len() + 8);
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        if token.kind != TokenKind::Word || token.quote.is_some() {
            out.push(token);
            continue;
        }
        if token.word == "e"
            && let Some(after) = joined_mail(&token, &mut tokens)
        {
            out.push(after);
            continue;
        }
        // "w/ Dave".
        if token.word == "w"
            && tokens
                .peek()
                .is_some_and(|next| next.word == "/" && !next.spaced)
        {
            let slash = tokens.next();
            let end = slash.map_or(token.span.end, |slash| slash.span.end);
            out.push(Token {
                word: "with".to_owned(),
                span: token.span.start..end,
                ..token
            });
            continue;
        }
        match parts(&token.word) {
            Some(words) => push_parts(&mut out, &token, &words),
            None => out.push(token),
        }
    }
    out
}

fn parts(word: &str) -> Option<Vec<String>> {
    if let Some(words) = TABLE.get(word) {
        return Some(words.iter().map(|w| (*w).to_owned()).collect());
    }
    if !word.contains('\'') {
        return None;
    }
    if let Some(stem) = word.strip_suffix("n't") {
        return Some(vec![stem.to_owned(), "not".to_owned()]);
    }
    if let Some(stem) = word.strip_suffix("'s") {
        return Some(vec![stem.to_owned(), "'s".to_owned()]);
    }
    ENDINGS.iter().find_map(|(ending, full)| {
        let stem = word.strip_suffix(ending)?;
        Some(vec![stem.to_owned(), (*full).to_owned()])
    })
}

fn push_parts(out: &mut Vec<Token>, token: &Token, words: &[String]) {
    for (at, word) in words.iter().enumerate() {
        out.push(Token {
            word: word.clone(),
            spaced: token.spaced || at > 0,
            capital: token.capital && at == 0,
            ..token.clone()
        });
    }
}

/// Joins `e-mail` or `e mail` to one word, in any form ("e-mailed").
fn joined_mail(
    token: &Token,
    tokens: &mut std::iter::Peekable<std::vec::IntoIter<Token>>,
) -> Option<Token> {
    let mut ahead = tokens.clone();
    let next = ahead.next()?;
    let ending = next.word.strip_prefix("mail")?;
    if !matches!(ending, "" | "s" | "ed" | "ing" | "er") {
        return None;
    }
    tokens.next();
    Some(Token {
        word: format!("email{ending}"),
        span: token.span.start..next.span.end,
        ..token.clone()
    })
}
