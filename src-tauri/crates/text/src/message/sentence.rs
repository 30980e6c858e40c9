//! Splits tokens into sentences, never inside a quotation.

use std::ops::Range;

use super::{Token, TokenKind};

/// Words that do not end a sentence when a full stop follows them.
const ABBREVIATIONS: &[&str] = &[
    "mr", "mrs", "ms", "dr", "prof", "sr", "jr", "st", "vs", "etc", "eg", "ie", "approx", "dept",
    "inc", "ltd", "co", "jan", "feb", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov",
    "dec", "e", "g", "i", "p", "a", "m", "u", "s",
];

pub(super) fn split(tokens: &[Token], source: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = 0;
    for at in 0..tokens.len() {
        let next = tokens.get(at + 1);
        let ends =
            ends_here(tokens, at) || next.is_some_and(|n| line_break(source, &tokens[at], n));
        if ends && at + 1 > start {
            out.push(start..at + 1);
            start = at + 1;
        }
    }
    if start < tokens.len() {
        out.push(start..tokens.len());
    }
    out
}

fn ends_here(tokens: &[Token], at: usize) -> bool {
    let token = &tokens[at];
    if token.quote.is_some() || token.kind != TokenKind::Mark {
        return false;
    }
    let next_spaced = tokens.get(at + 1).is_none_or(|n| n.spaced);
    match token.word.as_str() {
        "?" | "!" | "…" => {
            next_spaced
                || !tokens
                    .get(at + 1)
                    .is_some_and(|n| n.kind == TokenKind::Mark)
        }
        ";" => true,
        "." => {
            let joined = tokens.get(at + 1).is_some_and(|n| !n.spaced);
            let capital_follows = tokens
                .get(at + 1)
                .is_some_and(|n| n.kind == TokenKind::Word && n.capital);
            if joined && !capital_follows {
                return false;
            }
            let before = at.checked_sub(1).and_then(|i| tokens.get(i));
            !before.is_some_and(|b| {
                !token.spaced
                    && ABBREVIATIONS.contains(&b.word.as_str())
                    && tokens.get(at + 1).is_some()
            })
        }
        _ => false,
    }
}

fn line_break(source: &str, before: &Token, after: &Token) -> bool {
    after.spaced
        && before.quote.is_none()
        && after.quote.is_none_or(|_| before.quote != after.quote)
        && source
            .get(before.span.end..after.span.start)
            .is_some_and(|gap| gap.contains(['\n', '\r']))
}
