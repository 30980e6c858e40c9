//! Splits text into tokens with byte spans.
//!
//! A token is a run of letters, a run of ASCII digits, one sign, or an opaque chunk (a web or mail address) in which no
//! time can be found. Letters and digits are split from each other ("3pm", "Feb13", "1h30"), and every token records
//! whether it directly follows the one before.

use super::lexicon::{self, LexicalEntry};

/// Maximum number of bytes to read of a text; the rest is ignored.
pub const TEXT_BYTES_MAX: usize = 64 * 1024;
/// Maximum number of tokens to consider of a text; the rest is ignored.
pub const TOKENS_MAX: usize = 16_384;
/// Longest run of digits that is read as a number; longer runs (identifiers) become opaque.
const NUMBER_DIGITS_MAX: usize = 9;

/// The kind of a token, by its characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// Letters.
    Word,
    /// ASCII digits.
    Number,
    /// One other character; dashes are folded to `-`, apostrophes to `'`.
    Sign(char),
    /// A chunk in which no time can be found.
    Opaque,
}

/// One token.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub start: usize,
    pub end: usize,
    pub kind: TokenKind,
    /// Whether the token directly follows the one before, without white space.
    pub glued: bool,
    /// The meanings of a word, from the lexicon.
    pub lex: LexicalEntry,
    /// Value of a number, otherwise 0.
    pub value: u32,
}

impl Token {
    pub fn digits(&self) -> usize {
        if self.kind == TokenKind::Number {
            self.end - self.start
        } else {
            0
        }
    }
}

/// The text in lower case (ASCII only, so that byte offsets stay the same) and its tokens.
#[derive(Debug)]
pub(super) struct Tokens {
    pub lower: String,
    pub list: Vec<Token>,
}

/// Splits `text` into tokens. Never fails, and never looks past [`TEXT_BYTES_MAX`] and [`TOKENS_MAX`].
pub(super) fn tokenize(text: &str) -> Tokens {
    let lower = clip(text).to_ascii_lowercase();
    let mut list: Vec<Token> = Vec::with_capacity(lower.len() / 4 + 4);
    let mut at = 0;
    let mut glued = false;
    while let Some(c) = lower[at..].chars().next() {
        if list.len() >= TOKENS_MAX {
            break;
        }
        if c.is_whitespace() && c != '\n' {
            at += c.len_utf8();
            glued = false;
            continue;
        }
        if !glued && let Some(end) = opaque(&lower, at) {
            push(&mut list, &lower, (at, end), TokenKind::Opaque, glued);
            (at, glued) = (end, true);
            continue;
        }
        let (end, kind) = next(&lower, at, c);
        push(&mut list, &lower, (at, end), kind, glued);
        (at, glued) = (end, true);
    }
    Tokens { lower, list }
}

fn next(lower: &str, at: usize, c: char) -> (usize, TokenKind) {
    let run = |keep: fn(char) -> bool| {
        lower[at..]
            .find(|x: char| !keep(x))
            .map_or(lower.len(), |n| at + n)
    };
    if c.is_ascii_digit() {
        let end = run(|x| x.is_ascii_digit());
        let kind = if end - at > NUMBER_DIGITS_MAX {
            TokenKind::Opaque
        } else {
            TokenKind::Number
        };
        return (end, kind);
    }
    if c.is_alphabetic() {
        return (run(char::is_alphabetic), TokenKind::Word);
    }
    let end = at + c.len_utf8();
    let sign = fold_sign(c);
    // A possessive is one token, so that the "s" is never taken for seconds.
    if sign == '\''
        && lower[end..].starts_with('s')
        && !lower[end + 1..].starts_with(char::is_alphanumeric)
    {
        return (end + 1, TokenKind::Word);
    }
    (end, TokenKind::Sign(sign))
}

fn fold_sign(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '~' | '\u{301c}' => '-',
        '\u{2018}' | '\u{2019}' | '\u{02bc}' | '\u{2032}' | '`' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{2033}' => '"',
        other => other,
    }
}

fn push(
    list: &mut Vec<Token>,
    lower: &str,
    (start, end): (usize, usize),
    kind: TokenKind,
    glued: bool,
) {
    let word = &lower[start..end];
    let lex = if kind == TokenKind::Word {
        lexicon::look_up(word)
    } else {
        LexicalEntry::default()
    };
    let value = if kind == TokenKind::Number {
        word.parse().unwrap_or(0)
    } else {
        0
    };
    list.push(Token {
        start,
        end,
        kind,
        glued,
        lex,
        value,
    });
}

/// Returns the end of the chunk at `at` if it is a web or mail address.
fn opaque(lower: &str, at: usize) -> Option<usize> {
    let rest = &lower[at..];
    let len = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let chunk = &rest[..len];
    let mailbox = || {
        chunk.split_once('@').is_some_and(|(name, host)| {
            !name.is_empty()
                && host.starts_with(|c: char| c.is_ascii_alphabetic())
                && host.contains('.')
                && !host.ends_with('.')
        })
    };
    (chunk.contains("://") || chunk.starts_with("www.") || mailbox()).then_some(at + len)
}

fn clip(text: &str) -> &str {
    if text.len() <= TEXT_BYTES_MAX {
        return text;
    }
    let mut end = TEXT_BYTES_MAX;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_digits_are_split_and_spans_are_of_the_original() {
        let text = "Às 3PM – Feb13, don’t a@b.co";
        let found = tokenize(text);
        let words: Vec<&str> = found.list.iter().map(|t| &text[t.start..t.end]).collect();
        assert_eq!(
            words,
            [
                "Às", "3", "PM", "–", "Feb", "13", ",", "don", "’", "t", "a@b.co"
            ]
        );
        assert_eq!(found.list[3].kind, TokenKind::Sign('-'));
        assert_eq!(found.list[10].kind, TokenKind::Opaque);
        assert!(found.list[2].glued && !found.list[1].glued);
    }

    #[test]
    fn a_long_text_is_cut_at_the_limit() {
        let found = tokenize(&"ä 1 ".repeat(40_000));
        assert_eq!(found.list.len(), TOKENS_MAX);
    }
}
