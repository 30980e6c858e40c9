//! Keeps secrets from models: values that the person stores as secrets, and whatever looks like a key. Every text of
//! every request passes through [`scrub`] last, so it does not matter whether a secret came from history, memory,
//! results or a tool.

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

/// Maximum number of memories to search for secrets. With more, no model is asked, because unread secrets could leak.
const MEMORIES_MAX: usize = 50_000;
/// Categories of memories that are secret as a whole.
const CATEGORIES: [&str; 4] = ["secret", "password", "credential", "credentials"];
/// Words in a memory's key that mark its value as a secret.
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
/// A cache of the secret memory values. It is cleared when a memory changes and refilled by the next request.
#[derive(Debug, Default)]
pub(crate) struct Secrets {
    cached: RwLock<Option<Arc<Vec<String>>>>,
    changes: AtomicU64,
}

impl Secrets {
    /// Clears the cache.
    pub(crate) fn forget(&self) {
        self.changes.fetch_add(1, Ordering::SeqCst);
        *self.cached.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Returns the values, from the cache or from the records.
    ///
    /// # Errors
    /// Returns a fault if the memories cannot be read, or if there are more than [`MEMORIES_MAX`].
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
        // If a memory changed during the read, use the values once but do not cache them.
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

/// Masks known secrets and keys in every text of a request.
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

/// Returns the text with secrets masked. `None` if it has none.
#[must_use]
pub fn without(text: &str, known: &[String]) -> Option<String> {
    Masks::of(known).without(text)
}

/// Masks known secrets and keys in an answer, including its output.
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
