//! Masks what looks like a secret in every log line before it is written.

use std::borrow::Cow;
use std::io::{self, Write};

use tracing_subscriber::fmt::MakeWriter;

/// Replacement for a secret.
const MASK: &str = "[hidden]";
/// Suffixes of names whose value after `=` or `:` is a secret: `api_key`, `access-token`, `PASSWORD`.
const NAMES: [&str; 9] = [
    "password",
    "passphrase",
    "passwd",
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "authorization",
];
/// Authentication schemes that precede a credential in a header.
const SCHEMES: [&str; 2] = ["bearer", "basic"];
/// Prefixes of keys that services issue.
const PREFIXES: [&str; 8] = [
    "sk-",
    "ghp_",
    "gho_",
    "github_pat_",
    "xoxb-",
    "xoxp-",
    "ya29.",
    "AIza",
];
/// Minimum length of a run of mixed-case letters and digits that counts as a key. Digests (64 lower-case hexadecimal
/// digits) and our own identifiers are not secret and stay readable.
const KEY_CHARS_MIN: usize = 40;

/// Masks the secrets in a text.
#[must_use]
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut kept = 0;
    let mut hide_next = false;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let Some(start) = rest.find(is_word) else {
            break;
        };
        let start = at + start;
        let end = text[start..]
            .find(|char| !is_word(char))
            .map_or(text.len(), |length| start + length);
        let word = &text[start..end];
        if hide_next || is_key(word) {
            out.push_str(&text[kept..start]);
            out.push_str(MASK);
            kept = end;
            // `Authorization: Bearer x`: mask the scheme and the credential after it.
            hide_next = is_scheme(word);
        } else {
            hide_next = names_a_secret(word, &text[end..]) || leads_a_secret(word, &text[end..]);
        }
        at = end;
    }
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[kept..]);
    Cow::Owned(out)
}

/// Returns whether a credential can contain this character.
fn is_word(char: char) -> bool {
    char.is_alphanumeric() || "-_.+/~$!@#%^&*".contains(char)
}

fn is_scheme(word: &str) -> bool {
    SCHEMES
        .iter()
        .any(|scheme| word.eq_ignore_ascii_case(scheme))
}

/// Detects `password=`, `"token": ` and `api_key: `.
fn names_a_secret(word: &str, after: &str) -> bool {
    let name = word.to_ascii_lowercase();
    let after = after.trim_start_matches(['"', '\'', '\\', ' ']);
    NAMES.iter().any(|secret| name.ends_with(secret)) && after.starts_with(['=', ':'])
}

/// Detects `Bearer x`. `Basic x` is masked only after `Authorization:`, because "basic" is an everyday word.
fn leads_a_secret(word: &str, after: &str) -> bool {
    word.eq_ignore_ascii_case(SCHEMES[0]) && after.starts_with(' ')
}

fn is_key(word: &str) -> bool {
    let known = PREFIXES
        .iter()
        .any(|prefix| word.starts_with(prefix) && word.len() >= prefix.len() + 8);
    let long = word.len() >= KEY_CHARS_MIN
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().any(|byte| byte.is_ascii_uppercase())
        && word.bytes().any(|byte| byte.is_ascii_lowercase())
        && !word.contains(['/', '@']);
    known || long
}

/// A log writer that masks secrets in every line.
#[derive(Clone, Copy, Debug)]
pub struct Redacting<W>(pub W);

impl<'a, W: MakeWriter<'a>> MakeWriter<'a> for Redacting<W> {
    type Writer = Line<W::Writer>;

    fn make_writer(&'a self) -> Self::Writer {
        Line(self.0.make_writer())
    }
}

/// Writer for one line. `tracing` passes whole lines.
#[derive(Debug)]
pub struct Line<W>(W);

impl<W: Write> Write for Line<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        self.0.write_all(redact(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &str) {
        assert_eq!(redact(text), expect);
    }

    #[test]
    fn secrets_are_masked() {
        check("password=hunter2", "password=[hidden]");
        check(
            "{\"api_key\":\"abc\",\"x\":1}",
            "{\"api_key\":\"[hidden]\",\"x\":1}",
        );
        check("imap_password: p!q next", "imap_password: [hidden] next");
        check(
            "Authorization: Bearer abc.def",
            "Authorization: [hidden] [hidden]",
        );
        check("with bearer abc.def now", "with bearer [hidden] now");
        check("key sk-proj12345678 used", "key [hidden] used");
        check("AIzaSyA1234567 used", "[hidden] used");
        let long = format!("got {}aB3 back", "xY9z".repeat(12));
        check(&long, "got [hidden] back");
    }

    #[test]
    fn everything_else_stays() {
        for text in [
            "",
            "the token was refused",
            "basic things work",
            "tokens: 12",
            "turn turn_0123456789ab took 12 ms",
            "digest e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "ä “quoted” – text",
        ] {
            assert!(matches!(redact(text), Cow::Borrowed(_)), "{text}");
            check(text, text);
        }
    }
}
