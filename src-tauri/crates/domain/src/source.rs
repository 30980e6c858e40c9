//! Where a value came from. Every argument of an effect carries its source to the card.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::StepKey;

/// Origin of one value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Source {
    /// The person's words, verbatim or as interpreted ("tomorrow at 5").
    Person {
        /// The words themselves, if known.
        words: Option<String>,
    },
    /// The person's own records (calendar, tasks, notes, memory said by the person).
    OwnData {
        /// What kind of data, for example "calendar".
        what: String,
    },
    /// The person's address book.
    AddressBook,
    /// The result of an earlier step.
    Step {
        /// Key of the step.
        key: StepKey,
    },
    /// Computed by the embedded engine or a model.
    Derived,
    /// A setting.
    Settings,
    /// Foreign text: mail, page, file, tool result. Always shown as such.
    Untrusted {
        /// Where it was found, for example "mail from kim@example.org, 12 January".
        origin: String,
    },
}

impl Source {
    /// Returns whether the value comes from foreign text.
    #[must_use]
    pub fn is_untrusted(&self) -> bool {
        matches!(self, Self::Untrusted { .. })
    }

    /// Returns the source for the person's words without quoting them.
    #[must_use]
    pub fn person() -> Self {
        Self::Person { words: None }
    }
}

/// Sources of a call's arguments, by JSON pointer into the arguments (`/to/0`).
pub type Sources = BTreeMap<String, Source>;

/// Returns the least trustworthy source of the value at `pointer` in `args`, or `None` if none is known.
///
/// This considers the value itself, what encloses it and everything it encloses. The source of a whole does not cover a
/// part that has a source of its own.
#[must_use]
pub fn source_at<'a>(sources: &'a Sources, args: &Value, pointer: &str) -> Option<&'a Source> {
    let mut parts = Vec::new();
    if let Some(value) = args.pointer(pointer) {
        leaves(value, pointer.to_owned(), &mut parts);
    }
    if parts.is_empty() {
        parts.push(pointer.to_owned());
    }
    // A source whose pointer leads nowhere counts too: it must not be dropped silently.
    let inside = sources.keys().filter(|known| encloses(pointer, known));
    parts.extend(inside.cloned());
    let found = parts.iter().filter_map(|part| enclosing(sources, part));
    let mut known = None;
    for source in found {
        if source.is_untrusted() {
            return Some(source);
        }
        known = known.or(Some(source));
    }
    known
}

/// Returns the source recorded for `pointer` or for the nearest value that encloses it.
fn enclosing<'a>(sources: &'a Sources, pointer: &str) -> Option<&'a Source> {
    let mut at = pointer;
    loop {
        if let Some(source) = sources.get(at) {
            return Some(source);
        }
        at = &at[..at.rfind('/')?];
    }
}

fn encloses(outer: &str, inner: &str) -> bool {
    inner
        .strip_prefix(outer)
        .is_some_and(|rest| rest.starts_with('/'))
}

/// Collects the pointers of all values inside `value` that contain no others.
fn leaves(value: &Value, pointer: String, found: &mut Vec<String>) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (key, inner) in map {
                leaves(inner, join(&pointer, key), found);
            }
        }
        Value::Array(list) if !list.is_empty() => {
            for (index, inner) in list.iter().enumerate() {
                leaves(inner, format!("{pointer}/{index}"), found);
            }
        }
        _ => found.push(pointer),
    }
}

/// Returns the JSON pointer (RFC 6901) of a field of the value at `pointer`.
#[must_use]
pub fn join(pointer: &str, field: &str) -> String {
    format!("{pointer}/{}", field.replace('~', "~0").replace('/', "~1"))
}

/// Returns the sources of arguments after the person edited them.
///
/// What the person changed or added is theirs; everything else keeps its source, even at a new position in a list.
/// Moving a text within the same argument does not make it the person's.
#[must_use]
pub fn edited(sources: &Sources, before: &Value, after: &Value) -> Sources {
    let mut kept = Sources::new();
    let mut now = Vec::new();
    leaves(after, String::new(), &mut now);
    for pointer in now {
        let value = after.pointer(&pointer);
        let source = if before.pointer(&pointer) == value {
            source_at(sources, before, &pointer).cloned()
        } else {
            moved(sources, before, &pointer, value)
        };
        match source {
            Some(source) => drop(kept.insert(pointer, source)),
            None if before.pointer(&pointer) == value => {}
            None => drop(kept.insert(pointer, Source::person())),
        }
    }
    kept
}

/// Returns the source of a value that was elsewhere in the same argument before the edit.
fn moved(
    sources: &Sources,
    before: &Value,
    pointer: &str,
    value: Option<&Value>,
) -> Option<Source> {
    let argument = pointer.get(1..)?.split('/').next()?;
    let argument = format!("/{argument}");
    let mut were = Vec::new();
    leaves(before.pointer(&argument)?, argument, &mut were);
    were.retain(|one| before.pointer(one) == value);
    let mut found = were
        .iter()
        .filter_map(|one| source_at(sources, before, one));
    let first = found.next()?;
    let untrusted = std::iter::once(first)
        .chain(found)
        .find(|one| one.is_untrusted());
    Some(untrusted.unwrap_or(first).clone())
}

/// Whether foreign text has reached a conversation, a plan or a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Taint {
    /// Only the person's words and own data were involved.
    #[default]
    Clean,
    /// Foreign text was involved.
    Tainted,
}

impl Taint {
    /// Returns whether no foreign text was involved.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        *self == Self::Clean
    }

    /// Returns [`Self::Tainted`] if either is tainted.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        if self == Self::Tainted || other == Self::Tainted {
            Self::Tainted
        } else {
            Self::Clean
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(origin: &str) -> Source {
        Source::Untrusted {
            origin: origin.into(),
        }
    }

    fn sources(entries: &[(&str, Source)]) -> Sources {
        let owned = entries.iter().cloned();
        owned
            .map(|(pointer, source)| (pointer.to_owned(), source))
            .collect()
    }

    #[test]
    fn a_value_is_looked_at_from_outside_and_from_inside() {
        let args = json!({"emails": ["a@x", "b@x"], "emailsx": "c@x", "who": {"mail": ["d@x"]}});
        let inside = sources(&[("/emails/1", found("mail")), ("/emailsx", found("page"))]);
        let untrusted = |sources: &Sources, pointer: &str| {
            source_at(sources, &args, pointer).is_some_and(Source::is_untrusted)
        };
        assert!(untrusted(&inside, "/emails"), "it holds one that was found");
        assert!(untrusted(&inside, "/emails/1"));
        assert!(!untrusted(&inside, "/emails/0"));
        assert!(!untrusted(&inside, "/who"));
        let whole = sources(&[("/who", found("mail")), ("/emails", Source::person())]);
        assert!(
            untrusted(&whole, "/who/mail/0"),
            "what encloses it was found"
        );
        assert!(!untrusted(&whole, "/emails"));
        // A model's plan: the whole is not trusted, and every part of this argument was said.
        let said = sources(&[
            ("", found("model")),
            ("/emails/0", Source::person()),
            ("/emails/1", Source::AddressBook),
        ]);
        assert!(!untrusted(&said, "/emails"));
        assert!(untrusted(&said, "/who"));
        let lost = sources(&[("/phones/3", found("mail"))]);
        assert!(untrusted(&lost, "/phones"), "a source that leads nowhere");
    }

    #[test]
    fn an_edit_makes_only_what_it_changed_the_persons_own() {
        let before = json!({"to": ["eve@x", "kim@x"], "body": "Hi"});
        let was = sources(&[("/to/0", found("mail")), ("/to/1", Source::AddressBook)]);
        let kinds = |after: Value| {
            let now = edited(&was, &before, &after);
            let kind = |pointer: &str| source_at(&now, &after, pointer).cloned();
            [kind("/to/0"), kind("/to/1"), kind("/body")]
        };
        let (eve, kim, own) = (found("mail"), Source::AddressBook, Source::person());
        assert_eq!(
            kinds(json!({"to": ["eve@x", "kim@x"], "body": "Hello"})),
            [Some(eve.clone()), Some(kim.clone()), Some(own.clone())]
        );
        assert_eq!(
            kinds(json!({"to": ["kim@x", "eve@x"], "body": "Hi"})),
            [Some(kim), Some(eve.clone()), None],
            "an entry that moved is the same entry"
        );
        assert_eq!(
            kinds(json!({"to": ["bob@x", "eve@x"], "body": "Hi"})),
            [Some(own), Some(eve), None]
        );
    }
}
