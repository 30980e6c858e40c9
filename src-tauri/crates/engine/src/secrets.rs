//! What no model is shown: values the person keeps as secrets, and whatever looks like a key. Every text of every request
//! goes through [`scrub`] last, so that it does not matter which way a secret came: history, memory, results, or a tool.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use adjutant_domain::faults::StoreFault;
use adjutant_domain::model::ModelRequest;
use adjutant_domain::ports::{MemoryFilter, Records};
use adjutant_domain::record::Memory;

/// What stands where a secret was.
pub const MASK: &str = "[not shown to models]";
/// Memories that are looked through. With more of them no model is asked: what was not looked at is not kept from it.
const MEMORIES_MAX: usize = 50_000;
/// Shorter values occur in any text.
const VALUE_CHARS_MIN: usize = 4;
/// Categories of memories that are secrets as a whole.
const CATEGORIES: [&str; 4] = ["secret", "password", "credential", "credentials"];
/// Words in the key of a memory whose value is a secret.
const KEYS: [&str; 12] = [
    "password",
    "passwords",
    "passcode",
    "passphrase",
    "pin",
    "secret",
    "secrets",
    "token",
    "cvv",
    "cvc",
    "credential",
    "credentials",
];
/// Beginnings of keys that services hand out.
const PREFIXES: [&str; 11] = [
    "sk-",
    "sk_live_",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "xoxb-",
    "xoxp-",
    "ya29.",
    "AIza",
    "AKIA",
];
/// The shortest key a service hands out, prefix included.
const KEY_CHARS_MIN: usize = 16;

/// The values of secret memories, kept in memory. Emptied when a memory changes, filled again by the next request.
#[derive(Debug, Default)]
pub(crate) struct Secrets {
    cached: RwLock<Option<Arc<Vec<String>>>>,
    changes: AtomicU64,
}

impl Secrets {
    /// Forgets what is cached.
    pub(crate) fn forget(&self) {
        self.changes.fetch_add(1, Ordering::SeqCst);
        *self.cached.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The values, from memory or from the records.
    ///
    /// # Errors
    /// When they cannot be read, or not all of them.
    pub(crate) async fn get(&self, records: &dyn Records) -> Result<Arc<Vec<String>>, StoreFault> {
        if let Some(values) = &*self.cached.read().unwrap_or_else(PoisonError::into_inner) {
            return Ok(values.clone());
        }
        let before = self.changes.load(Ordering::SeqCst);
        let memories = records
            .memories(&MemoryFilter {
                past: true,
                set_aside: true,
                limit: Some(MEMORIES_MAX + 1),
                ..MemoryFilter::default()
            })
            .await?;
        if memories.len() > MEMORIES_MAX {
            return Err(StoreFault::Other(format!(
                "there are more than {MEMORIES_MAX} memories"
            )));
        }
        let values: Arc<Vec<String>> = Arc::new(
            memories
                .into_iter()
                .filter(is_secret)
                .map(|memory| memory.value)
                .collect(),
        );
        // A change while reading: use what was read once, but do not keep it.
        if self.changes.load(Ordering::SeqCst) == before {
            *self.cached.write().unwrap_or_else(PoisonError::into_inner) = Some(values.clone());
        }
        Ok(values)
    }
}

/// Whether the value of a memory is a secret.
#[must_use]
pub fn is_secret(memory: &Memory) -> bool {
    let category = memory.category.to_lowercase();
    CATEGORIES.contains(&category.as_str())
        || memory
            .key
            .to_lowercase()
            .split(|char: char| !char.is_alphanumeric())
            .any(|word| KEYS.contains(&word))
        || memory.key.to_lowercase().contains("api key")
}

/// Takes known secrets and keys out of everything a request would show.
pub fn scrub(request: &mut ModelRequest, known: &[String]) {
    let texts = request
        .messages
        .iter_mut()
        .map(|message| &mut message.text)
        .chain([&mut request.system.text])
        .chain(request.tools.iter_mut().map(|tool| &mut tool.description));
    for text in texts {
        if let Some(clean) = without(text, known) {
            *text = clean;
        }
    }
}

/// The text without secrets; `None` where there are none.
#[must_use]
pub fn without(text: &str, known: &[String]) -> Option<String> {
    let mut out: Option<String> = None;
    for value in known {
        let value = value.trim();
        let now = out.as_deref().unwrap_or(text);
        if value.chars().count() >= VALUE_CHARS_MIN && now.contains(value) {
            out = Some(now.replace(value, MASK));
        }
    }
    let now = out.as_deref().unwrap_or(text);
    let clean = without_keys(now);
    clean.or(out)
}

fn without_keys(text: &str) -> Option<String> {
    let part = |char: char| char.is_ascii_alphanumeric() || "-_.".contains(char);
    let mut out = String::new();
    let mut kept = 0;
    let mut at = 0;
    while let Some(start) = text[at..].find(part).map(|start| at + start) {
        let end = text[start..]
            .find(|char| !part(char))
            .map_or(text.len(), |length| start + length);
        let word = &text[start..end];
        if word.len() >= KEY_CHARS_MIN && PREFIXES.iter().any(|prefix| word.starts_with(prefix)) {
            out.push_str(&text[kept..start]);
            out.push_str(MASK);
            kept = end;
        }
        at = end;
    }
    if kept == 0 {
        return None;
    }
    out.push_str(&text[kept..]);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn secrets_and_keys_are_taken_out_and_nothing_else() {
        let known = vec!["tango-47".to_owned(), "abc".to_owned()];
        assert_eq!(
            without("it is tango-47, abc", &known).as_deref(),
            Some("it is [not shown to models], abc")
        );
        assert_eq!(
            without("key: sk-test-1234567890abcdef!", &[]).as_deref(),
            Some("key: [not shown to models]!")
        );
        for text in [
            "",
            "plain words",
            "sk-8 is a road",
            "task-list-of-the-coming-week",
        ] {
            assert_eq!(without(text, &known), None, "{text}");
        }
    }
}
