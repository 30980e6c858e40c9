//! Splits folded text into words, numbers and marks.

use std::ops::Range;

use super::Quotation;
use crate::fold::FoldedChar;

/// The kind of a token, judged by its form alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// Letters, with inner digits allowed.
    Word,
    /// Digits, with inner separators: `1,000`, `9:30`, `5.2`, `2026-01-12`.
    Number,
    /// A number with an ordinal ending: `2nd`.
    Ordinal,
    /// A mail address.
    Address,
    /// A web address.
    Link,
    /// A path or a file name with an extension.
    File,
    /// An emoji or other picture.
    Emoji,
    /// Any other mark, one character.
    Mark,
}

/// One token. Tokens of one expanded contraction share a span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Folded text; numbers without their grouping commas.
    pub word: String,
    /// Bytes in the original message.
    pub span: Range<usize>,
    /// Kind, judged by form.
    pub kind: TokenKind,
    /// Index into [`super::Text::quotes`] if the token is inside quotation marks.
    pub quote: Option<u16>,
    /// True when white space (or the start) precedes it.
    pub spaced: bool,
    /// True when the original starts with a capital letter.
    pub capital: bool,
}

/// Longest word, in characters; a longer run becomes several words of this length.
const WORD_CHARS_MAX: usize = 64;

/// Endings that make `name.ending` a file name: a general list of common types.
const FILE_ENDINGS: &[&str] = &[
    "txt", "md", "pdf", "doc", "docx", "xls", "xlsx", "csv", "tsv", "ppt", "pptx", "odt", "ods",
    "png", "jpg", "jpeg", "gif", "svg", "webp", "heic", "mp3", "mp4", "mov", "wav", "zip", "tar",
    "gz", "tgz", "rar", "7z", "html", "htm", "css", "js", "ts", "json", "xml", "yaml", "yml",
    "toml", "ini", "cfg", "conf", "log", "sh", "py", "rs", "cpp", "java", "rb", "php", "sql",
    "ics", "eml", "vcf", "mbox", "epub", "tex", "bak", "tmp", "exe", "dmg", "iso", "ipynb", "db",
    "sqlite", "rtf", "jar",
];

pub(super) fn split(folded: &[FoldedChar], quotes: &[Quotation]) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(folded.len() / 5 + 4);
    let mut at = 0;
    let mut spaced = true;
    let mut quote = 0;
    while at < folded.len() {
        if folded[at].ch.is_whitespace() {
            spaced = true;
            at += 1;
            continue;
        }
        if !spaced && joins_words(folded, at) {
            at += 1;
            continue;
        }
        let (end, kind) = next_token(folded, at, spaced);
        let span = folded[at].start..folded[end - 1].end;
        while quotes.get(quote).is_some_and(|q| q.outer.end <= span.start) {
            quote += 1;
        }
        let inside = quotes
            .get(quote)
            .is_some_and(|q| q.outer.start <= span.start && span.start < q.outer.end);
        let word: String = folded[at..end]
            .iter()
            .map(|f| f.ch)
            .filter(|&ch| kind != TokenKind::Number || ch != ',')
            .collect();
        out.push(Token {
            word,
            span,
            kind,
            quote: inside.then(|| u16::try_from(quote).unwrap_or(u16::MAX)),
            spaced,
            capital: folded[at].upper,
        });
        spaced = false;
        at = end;
    }
    out
}

fn next_token(folded: &[FoldedChar], at: usize, spaced: bool) -> (usize, TokenKind) {
    let ch = folded[at].ch;
    if spaced || matches!(prev_char(folded, at), Some('"' | '\'' | '(' | '`')) {
        let run_end = run_end(folded, at);
        if let Some(kind) = special_run(folded, at, run_end) {
            return (run_end, kind);
        }
    }
    if ch.is_numeric() && ch.is_ascii_digit() {
        return number(folded, at);
    }
    if is_word_char(ch) {
        let mut end = at + 1;
        while end < folded.len() && end - at < WORD_CHARS_MAX && continues_word(folded, end) {
            end += 1;
        }
        return (end, TokenKind::Word);
    }
    (
        at + 1,
        if is_picture(ch) {
            TokenKind::Emoji
        } else {
            TokenKind::Mark
        },
    )
}

fn prev_char(folded: &[FoldedChar], at: usize) -> Option<char> {
    at.checked_sub(1).map(|i| folded[i].ch)
}

/// Returns whether the character is a hyphen inside a compound ("stand-up", "20-minute"), which is no token of its own.
fn joins_words(folded: &[FoldedChar], at: usize) -> bool {
    let before = prev_char(folded, at);
    let after = folded.get(at + 1).map(|f| f.ch);
    let (Some(before), Some(after)) = (before, after) else {
        return false;
    };
    folded[at].ch == '-'
        && before.is_alphanumeric()
        && after.is_alphanumeric()
        && (before.is_alphabetic() || after.is_alphabetic())
}

fn is_word_char(ch: char) -> bool {
    ch.is_alphanumeric() || ch == '_'
}

fn continues_word(folded: &[FoldedChar], at: usize) -> bool {
    let ch = folded[at].ch;
    let next = folded.get(at + 1).map(|f| f.ch);
    is_word_char(ch)
        || (ch == '\'' && next.is_some_and(char::is_alphabetic) && next_is_short(folded, at + 1))
        || (ch == '&' && next.is_some_and(char::is_alphabetic))
}

/// Returns whether at most eight letters follow, as after an apostrophe inside a word (`don't`, `we'll`, `o'brien`).
fn next_is_short(folded: &[FoldedChar], at: usize) -> bool {
    folded[at..]
        .iter()
        .take(9)
        .take_while(|f| f.ch.is_alphabetic())
        .count()
        <= 8
}

fn number(folded: &[FoldedChar], at: usize) -> (usize, TokenKind) {
    let mut end = at + 1;
    while end < folded.len() && end - at < WORD_CHARS_MAX {
        let ch = folded[end].ch;
        let next_digit = folded.get(end + 1).is_some_and(|f| f.ch.is_ascii_digit());
        let joins = matches!(ch, '.' | ',' | ':') && next_digit;
        if ch.is_ascii_digit() || joins {
            end += 1;
        } else {
            break;
        }
    }
    let tail: String = folded[end..].iter().take(3).map(|f| f.ch).collect();
    let ordinal = ["st", "nd", "rd", "th"].iter().any(|o| {
        tail.strip_prefix(o)
            .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    });
    if ordinal {
        (end + 2, TokenKind::Ordinal)
    } else {
        (end, TokenKind::Number)
    }
}

/// Returns the end of the run of non-space characters at `at`, without closing punctuation.
fn run_end(folded: &[FoldedChar], at: usize) -> usize {
    let mut end = at;
    while end < folded.len() && end - at < 512 && !folded[end].ch.is_whitespace() {
        if matches!(folded[end].ch, '"' | '`' | '\u{201C}' | '\u{201D}') {
            break;
        }
        end += 1;
    }
    while end > at + 1
        && matches!(
            folded[end - 1].ch,
            '.' | ',' | ';' | ':' | '!' | '?' | ')' | '\'' | ']' | '}'
        )
    {
        end -= 1;
    }
    end
}

fn special_run(folded: &[FoldedChar], at: usize, end: usize) -> Option<TokenKind> {
    let run: String = folded.get(at..end)?.iter().map(|f| f.ch).collect();
    if run.len() < 3 {
        return None;
    }
    if run.starts_with("http://") || run.starts_with("https://") || run.starts_with("www.") {
        return Some(TokenKind::Link);
    }
    if let Some((name, host)) = run.split_once('@') {
        let plain = |s: &str| !s.is_empty() && !s.contains(['@', ',', ';', '(', '<', '/']);
        if plain(name) && plain(host) && host.contains('.') {
            return Some(TokenKind::Address);
        }
    }
    let body = run.strip_prefix('~').unwrap_or(&run);
    let path =
        body.starts_with('/') && body.len() > 2 && body[1..].starts_with(char::is_alphabetic)
            || run.starts_with("./")
            || run.starts_with("../")
            || run.starts_with("c:\\");
    if path {
        return Some(TokenKind::File);
    }
    let (stem, ending) = run.rsplit_once('.')?;
    let known = FILE_ENDINGS.contains(&ending);
    let stem_ok = stem.chars().all(|ch| {
        ch.is_alphanumeric() || matches!(ch, '_' | '-' | '.' | '*' | '{' | '}' | '/' | '(')
    });
    (known && stem_ok).then_some(TokenKind::File)
}

fn is_picture(ch: char) -> bool {
    matches!(ch as u32,
        0x1F300..=0x1FAFF | 0x2600..=0x27BF | 0x2B00..=0x2BFF | 0x1F000..=0x1F2FF)
}
