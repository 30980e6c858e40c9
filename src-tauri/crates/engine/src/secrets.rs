//! What no model is shown: values the person keeps as secrets, and whatever looks like a key. Every text of every request
//! goes through [`scrub`] last, so that it does not matter which way a secret came: history, memory, results, or a tool.

mod mask;

pub use mask::MASK;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use adjutant_domain::faults::StoreFault;
use adjutant_domain::filter::Filter;
use adjutant_domain::model::ModelRequest;
use adjutant_domain::outcome::Answer;
use adjutant_domain::ports::Records;
use adjutant_domain::record::Memory;
use serde_json::Value;

use mask::Masks;

/// Memories that are looked through. With more of them no model is asked: what was not looked at is not kept from it.
const MEMORIES_MAX: usize = 50_000;
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
            .memories(&Filter::all().at_most(Some(MEMORIES_MAX + 1)))
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
    let masks = Masks::of(known);
    let texts = request
        .messages
        .iter_mut()
        .map(|message| &mut message.text)
        .chain([&mut request.system.text])
        .chain(request.tools.iter_mut().map(|tool| &mut tool.description));
    for text in texts {
        if let Some(clean) = masks.without(text) {
            *text = clean;
        }
    }
}

/// The text without secrets; `None` where there are none.
#[must_use]
pub fn without(text: &str, known: &[String]) -> Option<String> {
    Masks::of(known).without(text)
}

/// Takes known secrets and keys out of an answer, its output included.
pub(crate) fn take_out(answer: &mut Answer, known: &[String]) {
    let masks = Masks::of(known);
    if let Some(clean) = masks.without(&answer.say) {
        answer.say = clean;
    }
    take_out_of(&mut answer.output, &masks);
}

fn take_out_of(value: &mut Value, masks: &Masks) {
    match value {
        Value::String(text) => {
            if let Some(clean) = masks.without(text) {
                *text = clean;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| take_out_of(item, masks)),
        Value::Object(fields) => fields.values_mut().for_each(|one| take_out_of(one, masks)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
