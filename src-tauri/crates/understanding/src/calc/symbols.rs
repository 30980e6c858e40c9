//! Reads a text as the words and marks of a calculation, without politeness.

use adjutant_text::message::{Text, TokenKind, core_start};

/// One symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Symbol {
    /// Digits, with at most one decimal point.
    Number(String),
    /// A mark of arithmetic, a bracket, a sign of money, a comma, `%`.
    Mark(char),
    /// Any other word.
    Word(String),
}

/// Maximum number of symbols; no calculation that a person types has more.
const SYMBOLS_MAX: usize = 60;

/// Longest number, in characters.
const DIGITS_MAX: usize = 30;

/// Reads the symbols. Returns no symbols if the text cannot be a calculation.
pub(super) fn read(text: &Text<'_>) -> Vec<Symbol> {
    if text.sentences.is_empty() || text.tokens.iter().any(|t| t.quote.is_some()) {
        return Vec::new();
    }
    let mut start = core_start(text, 0);
    // A bracket or a sign before the first number is part of the calculation.
    while start > 0
        && text.tokens[start - 1].kind == TokenKind::Mark
        && text.tokens[start - 1].word != ","
    {
        start -= 1;
    }
    let mut out = Vec::new();
    for token in &text.tokens[start..] {
        if out.len() >= SYMBOLS_MAX {
            return Vec::new();
        }
        match token.kind {
            TokenKind::Number => match plain_number(&token.word) {
                Some(number) => out.push(Symbol::Number(number)),
                None => return Vec::new(),
            },
            TokenKind::Word => push_word(&mut out, &token.word),
            TokenKind::Ordinal => out.push(Symbol::Word(token.word.clone())),
            TokenKind::Mark | TokenKind::Emoji => out.extend(token.word.chars().flat_map(mark)),
            TokenKind::Address | TokenKind::Link | TokenKind::File => return Vec::new(),
        }
    }
    // A lone "5!" is a factorial; after anything longer, the mark is emphasis.
    let lone = out.len() == 2;
    while matches!(out.last(), Some(Symbol::Mark('?' | '.' | '!' | '=' | ','))) {
        if lone && out.last() == Some(&Symbol::Mark('!')) {
            break;
        }
        out.pop();
    }
    out
}

fn plain_number(word: &str) -> Option<String> {
    let fits = word.len() <= DIGITS_MAX && !word.contains(':') && word.matches('.').count() <= 1;
    fits.then(|| word.to_owned())
}

/// Adds a word. An "x" after a number is a multiplication sign.
fn push_word(out: &mut Vec<Symbol>, word: &str) {
    if word == "x" && matches!(out.last(), Some(Symbol::Number(_))) {
        out.push(Symbol::Mark('*'));
    } else {
        out.push(Symbol::Word(word.to_owned()));
    }
}

fn mark(ch: char) -> Vec<Symbol> {
    match ch {
        '×' => vec![Symbol::Mark('*')],
        '÷' => vec![Symbol::Mark('/')],
        '²' => vec![Symbol::Mark('^'), Symbol::Number("2".to_owned())],
        '³' => vec![Symbol::Mark('^'), Symbol::Number("3".to_owned())],
        '√' => vec![Symbol::Word("sqrt".to_owned())],
        _ => vec![Symbol::Mark(ch)],
    }
}
