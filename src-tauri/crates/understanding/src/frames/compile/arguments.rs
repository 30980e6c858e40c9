//! The arguments of a step while they are collected, each with its source.

use adjutant_domain::source::{Source, Sources};
use serde_json::{Map, Value as Json};

/// Arguments with their sources.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    pub values: Map<String, Json>,
    pub sources: Sources,
}

impl Arguments {
    /// Sets the argument at a path such as `changes.title`.
    pub fn set(&mut self, path: &str, value: Json, source: Source) {
        self.sources.insert(pointer(path), source);
        put(&mut self.values, path, value);
    }

    /// Sets a null placeholder for an answer of the person, unless the argument is already set.
    pub fn set_missing(&mut self, path: &str) {
        if !self.sources.contains_key(&pointer(path)) {
            self.set(path, Json::Null, Source::Derived);
        }
    }
}

fn put(map: &mut Map<String, Json>, path: &str, value: Json) {
    match path.split_once('.') {
        None => {
            map.insert(path.to_owned(), value);
        }
        Some((first, rest)) => {
            let inner = map.entry(first).or_insert_with(|| Json::Object(Map::new()));
            if let Some(inner) = inner.as_object_mut() {
                put(inner, rest, value);
            }
        }
    }
}

/// Converts a path into a JSON pointer.
pub(super) fn pointer(path: &str) -> String {
    format!("/{}", path.replace('.', "/"))
}
