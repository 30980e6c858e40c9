//! The compiled-in texts.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// (name without `.md`, text), sorted by name.
const TEXTS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/texts.rs"));

/// Returns the names of all texts, such as `plan/plan.v1`, `partials/fenced`, `specialists/code`.
pub fn names() -> impl Iterator<Item = &'static str> {
    TEXTS.iter().map(|(name, _)| *name)
}

/// Returns the compiled-in texts by name.
pub(crate) fn compiled_in() -> Sources {
    let borrowed = |(name, text): &(&'static str, &'static str)| (*name, Cow::Borrowed(*text));
    TEXTS.iter().map(borrowed).collect()
}

/// Returns the source of a compiled-in text. `None` if there is no text of that name.
pub(crate) fn source(name: &str) -> Option<&'static str> {
    let at = TEXTS.binary_search_by_key(&name, |(name, _)| name).ok()?;
    TEXTS.get(at).map(|(_, text)| *text)
}

/// Texts by name.
pub(crate) type Sources = BTreeMap<&'static str, Cow<'static, str>>;
