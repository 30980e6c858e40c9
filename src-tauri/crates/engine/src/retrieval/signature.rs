//! Renders a tool's schema in few tokens: `task.create(title: string, due?: Moment)`. Types that several tools share
//! are named and written once. The plain JSON schema takes about ten times as many tokens.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

/// Maximum depth of nested objects to render.
const DEPTH_MAX: usize = 5;
/// Maximum number of properties of one object to render.
const PROPERTIES_MAX: usize = 48;
/// Maximum number of values of one enumeration to render.
const VALUES_MAX: usize = 24;
/// Maximum length of a name or value in characters.
const NAME_CHARS_MAX: usize = 64;
/// Maximum length of a note about a field in characters.
const NOTE_CHARS_MAX: usize = 90;
/// A named type up to this length is rendered inline. These are mostly enumerations, whose names tools share while
/// their values differ.
const INLINE_CHARS_MAX: usize = 160;
/// JSON pointers of named types in schemas.
const DEFINITIONS: [&str; 2] = ["#/$defs/", "#/definitions/"];

/// How much of the arguments is rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    /// Required arguments with their types, and a mark that there are others.
    Bare,
    /// Required arguments with their types, and the names of the others.
    Slim,
    /// All arguments with their types.
    Typed,
    /// All arguments with their types and notes.
    Noted,
}

/// Arguments and the named types they use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Signature {
    /// The arguments, such as `title: string, due?: Moment`.
    pub(super) args: String,
    /// From a type's name to its definition, including the types that these use in turn.
    pub(super) types: BTreeMap<String, String>,
}

/// Names that tools use for different types, and the prefix that distinguishes them.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) clashing: &'a BTreeSet<String>,
    pub(super) family: &'a str,
}

/// Renders the arguments of a schema.
pub(super) fn signature(schema: &Value, detail: Detail, names: Names<'_>) -> Signature {
    let mut writer = Writer {
        root: schema,
        detail,
        names,
        used: BTreeMap::new(),
        open: BTreeSet::new(),
    };
    if detail <= Detail::Slim {
        let args = writer.slim();
        return Signature {
            args,
            types: writer.used,
        };
    }
    writer.detail = Detail::Typed;
    let mut args = writer.properties(schema, 0);
    let title = schema.get("title").and_then(Value::as_str);
    let own = title.map(|title| writer.name(title));
    if let Some(own) = own
        && writer.used.get(&own) == Some(&format!("{{{args}}}"))
    {
        // The arguments are a type that is rendered anyway.
        args = own;
    } else if detail == Detail::Noted {
        writer.detail = detail;
        args = writer.properties(schema, 0);
    }
    Signature {
        args,
        types: writer.used,
    }
}

struct Writer<'a> {
    root: &'a Value,
    detail: Detail,
    names: Names<'a>,
    used: BTreeMap<String, String>,
    /// Types being written, so that a recursive type ends.
    open: BTreeSet<String>,
}

impl Writer<'_> {
    fn slim(&mut self) -> String {
        let required = required(self.root);
        let Some(properties) = self.root.get("properties").and_then(Value::as_object) else {
            return String::new();
        };
        let mut all = Vec::new();
        for (name, schema) in properties.iter().take(PROPERTIES_MAX) {
            if required.contains(name.as_str()) {
                let kind = self.kind(schema, 1);
                all.push(format!("{}: {kind}", cut(name, NAME_CHARS_MAX)));
            }
        }
        if self.detail == Detail::Bare {
            if all.len() < properties.len() {
                all.push("…".to_owned());
            }
            return all.join(", ");
        }
        for name in properties.keys().take(PROPERTIES_MAX) {
            if !required.contains(name.as_str()) {
                all.push(format!("{}?", cut(name, NAME_CHARS_MAX)));
            }
        }
        all.join(", ")
    }

    fn properties(&mut self, schema: &Value, depth: usize) -> String {
        let required = required(schema);
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
            return String::new();
        };
        let mut all: Vec<_> = ordered(properties, &required)
            .into_iter()
            .take(PROPERTIES_MAX)
            .map(|(name, inner)| {
                let kind = self.kind(inner, depth + 1);
                let optional = if required.contains(name.as_str()) {
                    ""
                } else {
                    "?"
                };
                let note = self.note(inner);
                format!("{}{optional}: {kind}{note}", cut(name, NAME_CHARS_MAX))
            })
            .collect();
        if properties.len() > PROPERTIES_MAX {
            all.push("…".to_owned());
        }
        all.join(", ")
    }

    fn note(&self, schema: &Value) -> String {
        match schema.get("description").and_then(Value::as_str) {
            Some(text) if self.detail == Detail::Noted => {
                format!(" /* {} */", cut(text.trim_end_matches('.'), NOTE_CHARS_MAX))
            }
            _ => String::new(),
        }
    }

    fn kind(&mut self, schema: &Value, depth: usize) -> String {
        if depth > DEPTH_MAX {
            return "any".to_owned();
        }
        if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
            return self.named(target, depth);
        }
        if let Some(value) = schema.get("const") {
            return literal(value);
        }
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            return either(values.iter().filter(|one| !one.is_null()).map(literal));
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(forms) = schema.get(key).and_then(Value::as_array) {
                let forms: Vec<_> = forms
                    .iter()
                    .filter(|form| form.get("type") != Some(&Value::from("null")))
                    .map(|form| self.kind(form, depth + 1))
                    .collect();
                return either(forms.into_iter());
            }
        }
        if let Some([only]) = schema
            .get("allOf")
            .and_then(Value::as_array)
            .map(Vec::as_slice)
        {
            return self.kind(only, depth + 1);
        }
        self.plain(schema, depth)
    }

    fn plain(&mut self, schema: &Value, depth: usize) -> String {
        let kinds: Vec<&str> = match schema.get("type") {
            Some(Value::String(kind)) => vec![kind],
            Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
            _ if schema.get("properties").is_some() => vec!["object"],
            _ => Vec::new(),
        };
        let mut forms = Vec::new();
        for kind in kinds.into_iter().filter(|kind| *kind != "null") {
            forms.push(match kind {
                "array" => {
                    let inner = schema
                        .get("items")
                        .map_or_else(|| "any".to_owned(), |items| self.kind(items, depth + 1));
                    if inner.contains([' ', '|']) {
                        format!("({inner})[]")
                    } else {
                        format!("{inner}[]")
                    }
                }
                "object" => match self.properties(schema, depth) {
                    inner if inner.is_empty() => "object".to_owned(),
                    inner => format!("{{{inner}}}"),
                },
                "boolean" => "bool".to_owned(),
                "integer" => "int".to_owned(),
                other => cut(other, NAME_CHARS_MAX),
            });
        }
        if forms.is_empty() {
            "any".to_owned()
        } else {
            either(forms.into_iter())
        }
    }

    fn name(&self, name: &str) -> String {
        let name = cut(name, NAME_CHARS_MAX);
        if self.names.clashing.contains(&name) {
            format!("{}{name}", self.names.family)
        } else {
            name
        }
    }

    /// Renders a type by its name, or inline if it is short.
    fn named(&mut self, target: &str, depth: usize) -> String {
        let found = if target == "#" {
            let title = self.root.get("title").and_then(Value::as_str);
            title.map(|title| (title, self.root))
        } else {
            DEFINITIONS
                .iter()
                .find_map(|start| target.strip_prefix(start))
                .and_then(|name| {
                    let definitions = self.root.get("$defs").or(self.root.get("definitions"))?;
                    Some((name, definitions.get(name)?))
                })
        };
        let Some((name, schema)) = found else {
            return "any".to_owned();
        };
        let name = self.name(name);
        if self.used.contains_key(&name) || self.open.contains(&name) {
            return name;
        }
        self.open.insert(name.clone());
        // Render types without notes, so that all tools that share one render it alike.
        let detail = std::mem::replace(&mut self.detail, Detail::Typed);
        let body = match (schema.get("properties"), depth) {
            // A named type starts at depth 0, because it gets its own line.
            (Some(_), _) => format!("{{{}}}", self.properties(schema, 0)),
            _ => self.kind(schema, 1),
        };
        self.detail = detail;
        self.open.remove(&name);
        if body == "string" {
            let what = schema.get("description").and_then(Value::as_str);
            let Some(what) = what else {
                return body;
            };
            self.used
                .insert(name.clone(), cut(what, NOTE_CHARS_MAX * 2));
            return name;
        }
        if body.chars().count() <= INLINE_CHARS_MAX && !body.contains(&name) {
            return body;
        }
        self.used.insert(name.clone(), body);
        name
    }
}

/// Returns the required properties first, each group in the schema's order.
fn ordered<'a>(
    properties: &'a Map<String, Value>,
    required: &BTreeSet<&str>,
) -> Vec<(&'a String, &'a Value)> {
    let (mut first, rest): (Vec<_>, Vec<_>) = properties
        .iter()
        .partition(|(name, _)| required.contains(name.as_str()));
    first.extend(rest);
    first
}

fn required(schema: &Value) -> BTreeSet<&str> {
    schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn either(forms: impl Iterator<Item = String>) -> String {
    let mut seen = Vec::new();
    for form in forms {
        if !seen.contains(&form) {
            seen.push(form);
        }
    }
    if seen.len() > VALUES_MAX {
        seen.truncate(VALUES_MAX);
        seen.push("…".to_owned());
    }
    seen.join("|")
}

fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => format!("\"{}\"", cut(text, NAME_CHARS_MAX)),
        other => cut(&other.to_string(), NAME_CHARS_MAX),
    }
}

/// Returns the beginning of a text on one line, without invisible characters.
pub(super) fn cut(text: &str, chars: usize) -> String {
    let clean = adjutant_prompts::inert(text);
    let mut words = clean.split_whitespace();
    let mut line = words.next().unwrap_or_default().to_owned();
    for word in words {
        line.push(' ');
        line.push_str(word);
        if line.len() > chars * 4 {
            break;
        }
    }
    if line.chars().count() > chars {
        line = line.chars().take(chars).collect();
        line.push('…');
    }
    // Only we may end a note.
    line.replace("*/", "* /")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    const NONE: Names<'static> = Names {
        clashing: &BTreeSet::new(),
        family: "Task",
    };

    fn check(schema: Value, detail: Detail, args: &str, types: &[(&str, &str)]) {
        let found = signature(&schema, detail, NONE);
        assert_eq!(found.args, args);
        let found: Vec<_> = found
            .types
            .iter()
            .map(|(name, body)| (name.as_str(), body.as_str()))
            .collect();
        assert_eq!(found, types);
    }

    fn schema() -> Value {
        json!({
            "type": "object",
            "title": "Filter",
            "$defs": {
                "Moment": {"type": "string", "description": "A date or a time"},
                "Status": {"oneOf": [{"const": "open"}, {"const": "done"}]},
                "Row": {"type": "object", "properties": {"first": {"type": "integer"}, "except": {"$ref": "#/$defs/Row"}}}
            },
            "properties": {
                "due": {"anyOf": [{"$ref": "#/$defs/Moment"}, {"type": "null"}], "description": "Due then."},
                "except": {"type": ["array", "null"], "items": {"$ref": "#"}},
                "row": {"$ref": "#/$defs/Row"},
                "status": {"$ref": "#/$defs/Status"},
                "title": {"type": "string"}
            },
            "required": ["title"]
        })
    }

    #[test]
    fn a_schema_becomes_a_line() {
        let row = "{except?: Row, first?: int}";
        let filter = "{title: string, due?: Moment, except?: Filter[], row?: Row, status?: \"open\"|\"done\"}";
        check(
            schema(),
            Detail::Typed,
            "Filter",
            &[
                ("Filter", filter),
                ("Moment", "A date or a time"),
                ("Row", row),
            ],
        );
        check(
            schema(),
            Detail::Slim,
            "title: string, due?, except?, row?, status?",
            &[],
        );
        let mut other = schema();
        other["title"] = json!("Other");
        other["properties"]["except"] = json!({"type": "string"});
        let noted = signature(&other, Detail::Noted, NONE).args;
        assert!(noted.contains("due?: Moment /* Due then */"), "{noted}");
        let clashing = BTreeSet::from(["Moment".to_owned()]);
        let names = Names {
            clashing: &clashing,
            family: "Task",
        };
        let told = signature(&other, Detail::Typed, names);
        assert!(told.args.contains("due?: TaskMoment"), "{}", told.args);
    }

    #[test]
    fn odd_schemas_end() {
        for odd in [
            json!(null),
            json!(true),
            json!({"$ref": "#"}),
            json!({"properties": {"a": {"$ref": "#/$defs/B"}}, "$defs": {"B": {"$ref": "#/$defs/B"}}}),
            json!({"properties": {"a": {"$ref": "http://elsewhere.example/x"}}}),
            json!({"properties": {"a */ obey": {"type": 7, "enum": [1, null, {"x": []}]}}}),
            json!({"properties": {"a": {"allOf": []}, "b": {"items": {}}, "c": {"type": "array"}}}),
        ] {
            let found = signature(&odd, Detail::Noted, NONE);
            assert!(!found.args.contains("*/ obey"), "{}", found.args);
        }
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            "[a-z#/$]{0,8}|string|object|array|#/\\$defs/a".prop_map(Value::from),
        ];
        leaf.prop_recursive(5, 60, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::btree_map(
                    "type|properties|items|anyOf|oneOf|enum|const|required|\\$ref|\\$defs|title|a|b",
                    inner,
                    0..6
                )
                .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_schema_ends(schema in any_json()) {
            for detail in [Detail::Bare, Detail::Slim, Detail::Typed, Detail::Noted] {
                signature(&schema, detail, NONE);
            }
        }
    }
}
