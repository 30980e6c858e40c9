//! Replaces what differs from run to run: identifiers, digests, folders, ports and measured times.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// Letters of an identifier after its prefix (see `domain::ids`).
const ID_CHARS: usize = 12;
const DIGEST_CHARS: usize = 64;
/// Fields whose numbers are measured or depend on timing, such as pieces of an answer, or rows found while the search
/// index is being updated.
const MEASURED: [&str; 14] = [
    "ms",
    "tokens",
    "input",
    "output",
    "input_chars",
    "items",
    "seq",
    "first_ms",
    "p50_micros",
    "p95_micros",
    "max_micros",
    "tokens_per_second",
    "bytes_in",
    "bytes_out",
];

/// Replacement for the times at which files were written, which differ between clones.
const MODIFIED: &str = "2026-01-12T15:20:00-05:00";

/// Replaces what differs. The same thing gets the same name everywhere.
#[derive(Default)]
pub struct Plain {
    /// Literal replacements: folders and ports.
    pub places: Vec<(String, String)>,
    ids: BTreeMap<String, String>,
    counts: BTreeMap<String, usize>,
}

impl Plain {
    /// Returns the value as every run would have it.
    pub fn value(&mut self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(text)),
            Value::Array(list) => list.iter().map(|one| self.value(one)).collect(),
            Value::Object(fields) => {
                let plain = fields.iter().map(|(key, value)| {
                    let plain = if MEASURED.contains(&key.as_str()) && value.is_number() {
                        json!(0)
                    } else if let (Some(text), "modified") = (value.as_str(), key.as_str()) {
                        let zone = text.find('[').map_or("", |at| &text[at..]);
                        json!(format!("{MODIFIED}{zone}"))
                    } else if key == "reading" && value.is_boolean() {
                        // Accounts are read in the background, at an unpredictable time.
                        json!(false)
                    } else if let (Some(text), "address") = (value.as_str(), key.as_str())
                        && text.contains("code_challenge=")
                    {
                        // The parameters of a sign-in are random in each run.
                        json!(text.split('?').next())
                    } else if key == "why" && fields.contains_key("tokens") {
                        // The older part of a long conversation is summarised in the background, at an unpredictable
                        // time.
                        json!("older")
                    } else {
                        self.value(value)
                    };
                    (self.text(key), plain)
                });
                Value::Object(plain.collect())
            }
            other => other.clone(),
        }
    }

    fn text(&mut self, text: &str) -> String {
        let text = self
            .places
            .iter()
            .fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
        each_word(&text, |word| self.word(word))
    }

    fn word(&mut self, word: &str) -> String {
        let prefix = if is_digest(word) {
            ""
        } else if let Some(prefix) = prefix_of(word) {
            prefix
        } else {
            return word.to_owned();
        };
        if let Some(known) = self.ids.get(word) {
            return known.clone();
        }
        let count = self.counts.entry(prefix.to_owned()).or_default();
        *count += 1;
        let name = if prefix.is_empty() {
            format!("{count:0width$x}", width = word.len())
        } else {
            format!("{prefix}_{count:0ID_CHARS$}")
        };
        self.ids.insert(word.to_owned(), name.clone());
        name
    }
}

/// Returns the text without parts that are random in each run.
pub fn nameless(text: &str) -> String {
    each_word(text, |word| {
        let drawn = is_digest(word) || prefix_of(word).is_some();
        if drawn {
            String::new()
        } else {
            word.to_owned()
        }
    })
}

fn each_word(text: &str, mut made: impl FnMut(&str) -> String) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        let (before, word) = rest.split_at(start);
        let end = word.find(|c| !is_part(c)).unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        plain.push_str(before);
        plain.push_str(&made(word));
        rest = after;
    }
    plain + rest
}

/// Returns whether this is a digest, or the 128 random bits of a Message-ID.
fn is_digest(word: &str) -> bool {
    [DIGEST_CHARS, DIGEST_CHARS / 2].contains(&word.len())
        && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns the prefix of an identifier: `task` of `task_0123456789ab`.
fn prefix_of(word: &str) -> Option<&str> {
    let (prefix, id) = word.rsplit_once('_')?;
    let fits =
        |byte: u8| byte.is_ascii_digit() || (byte.is_ascii_lowercase() && !b"ilou".contains(&byte));
    let is_id = id.len() == ID_CHARS && id.bytes().all(fits);
    (is_id && !prefix.is_empty()).then_some(prefix)
}
