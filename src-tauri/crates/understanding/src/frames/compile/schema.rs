//! Reads the type of an argument from a tool's schema.

use serde_json::Value as Json;

/// The type of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ArgumentType {
    /// Words.
    Text,
    /// A day or an instant.
    Moment,
    /// People, by name or address.
    People,
    /// A list of words.
    Texts,
    /// A whole number; in minutes if a length of time fills it.
    Integer,
    /// Yes or no.
    Boolean,
    /// One of these words.
    Choice(Vec<String>),
    /// Anything else.
    Other,
}

/// Returns the type of the argument at a path such as `changes.title`.
pub(super) fn at(schema: &Json, path: &str) -> Option<ArgumentType> {
    let mut node = schema;
    let mut name = "";
    for part in path.split('.') {
        (name, node) = resolve(schema, node.get("properties")?.get(part)?);
    }
    Some(type_of(name, node))
}

/// Returns an argument by its name: the name of its type (empty if it has none), and its node in the schema.
pub fn argument<'a>(schema: &'a Json, name: &str) -> Option<(&'a str, &'a Json)> {
    Some(resolve(schema, schema.get("properties")?.get(name)?))
}

/// Returns the schema and its node for the filters at a path; the empty path stands for the arguments themselves.
pub(super) fn inner<'a>(schema: &'a Json, path: &str) -> Option<(&'a Json, &'a Json)> {
    let mut node = schema;
    for part in path.split('.').filter(|part| !part.is_empty()) {
        (_, node) = resolve(schema, node.get("properties")?.get(part)?);
    }
    Some((schema, node))
}

/// Returns the type of a field of a schema node.
pub(super) fn field(schema: &Json, node: &Json, name: &str) -> Option<ArgumentType> {
    let (named, node) = resolve(schema, node.get("properties")?.get(name)?);
    Some(type_of(named, node))
}

/// Follows references and skips the "or null" alternative.
fn resolve<'a>(schema: &'a Json, node: &'a Json) -> (&'a str, &'a Json) {
    let mut name = "";
    let mut node = node;
    loop {
        let other = node.get("anyOf").and_then(Json::as_array).and_then(|any| {
            any.iter()
                .find(|one| one.get("type").and_then(Json::as_str) != Some("null"))
        });
        if let Some(other) = other.filter(|_| name.is_empty()) {
            node = other;
            continue;
        }
        let Some(reference) = node.get("$ref").and_then(Json::as_str) else {
            return (name, node);
        };
        name = reference.rsplit('/').next().unwrap_or("");
        match schema.pointer(reference.trim_start_matches('#')) {
            Some(found) if found.get("$ref").is_none() => return (name, found),
            Some(found) => node = found,
            None => return (name, node),
        }
    }
}

fn type_of(name: &str, node: &Json) -> ArgumentType {
    match name {
        "Moment" => return ArgumentType::Moment,
        "People" => return ArgumentType::People,
        _ => {}
    }
    if let Some(one_of) = node.get("oneOf").and_then(Json::as_array) {
        let words = one_of.iter().filter_map(|one| one.get("const")?.as_str());
        let words: Vec<_> = words.map(str::to_owned).collect();
        return if words.is_empty() {
            ArgumentType::Other
        } else {
            ArgumentType::Choice(words)
        };
    }
    if let Some(words) = node.get("enum").and_then(Json::as_array) {
        let words = words.iter().filter_map(Json::as_str).map(str::to_owned);
        return ArgumentType::Choice(words.collect());
    }
    let is = |name: &str| match node.get("type") {
        Some(Json::String(one)) => one == name,
        Some(Json::Array(several)) => several.iter().any(|one| one == name),
        _ => false,
    };
    match () {
        () if is("array") => ArgumentType::Texts,
        () if is("integer") => ArgumentType::Integer,
        () if is("boolean") => ArgumentType::Boolean,
        () if is("string") => ArgumentType::Text,
        () => ArgumentType::Other,
    }
}
