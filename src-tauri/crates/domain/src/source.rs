//! Where a value came from. Every argument of an effect carries its source to the card.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::StepKey;

/// The origin of one value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Source {
    /// Words of the person, literally or resolved from them ("tomorrow at 5").
    Person {
        /// The words themselves, where known.
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
        /// Which step.
        key: StepKey,
    },
    /// Worked out by the embedded engine or a model.
    Derived,
    /// A setting.
    Settings,
    /// Text that somebody else wrote: mail, page, file, tool result. Always shown as such.
    Untrusted {
        /// Where it was found, for example "mail from kim@example.org, 12 January".
        origin: String,
    },
}

impl Source {
    /// Whether text of others had a hand in this value.
    #[must_use]
    pub fn is_untrusted(&self) -> bool {
        matches!(self, Self::Untrusted { .. })
    }

    /// Words of the person with no quotation.
    #[must_use]
    pub fn person() -> Self {
        Self::Person { words: None }
    }
}

/// Sources of the arguments of a call: JSON pointer into the arguments (`/to/0`) to source.
pub type Sources = BTreeMap<String, Source>;

/// The least trustworthy source of the value at `pointer` in `args`: of the value itself, of what encloses it, and of
/// everything it encloses. A part with a source of its own is not covered by that of the whole. `None` where nothing is
/// known about it.
#[must_use]
pub fn source_at<'a>(sources: &'a Sources, args: &Value, pointer: &str) -> Option<&'a Source> {
    let mut parts = Vec::new();
    if let Some(value) = args.pointer(pointer) {
        leaves(value, pointer.to_owned(), &mut parts);
    }
    if parts.is_empty() {
        parts.push(pointer.to_owned());
    }
    // A source that leads nowhere is not trusted to mean nothing.
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

/// The source of the nearest value that encloses `pointer`, or is it.
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

/// Pointers of all values inside `value` that hold no others.
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

/// The JSON pointer of a field of the value at `pointer` (RFC 6901).
#[must_use]
pub fn join(pointer: &str, field: &str) -> String {
    format!("{pointer}/{}", field.replace('~', "~0").replace('/', "~1"))
}

/// The sources of arguments that the person has edited: what they changed or added is theirs, everything else keeps its
/// source, wherever in its list it stands now. A text that was there before, anywhere in the same argument, is not the
/// person's because it was moved.
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

/// The source of a value that stood elsewhere in the same argument before.
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

/// Whether untrusted text has reached a conversation, a plan or a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Taint {
    /// Only the person's words and own data so far.
    #[default]
    Clean,
    /// Text of others has been read.
    Tainted,
}

impl Taint {
    /// Whether only the person's words and own data had a hand in it.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        *self == Self::Clean
    }

    /// The stronger of the two.
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
