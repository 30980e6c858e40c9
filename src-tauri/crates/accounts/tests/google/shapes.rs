//! Google's discovery documents, against which the stubs of Google check all requests and answers.

use std::path::PathBuf;
use std::sync::LazyLock;

use serde_json::{Map, Value};

/// Services whose documents are checked.
const SERVICES: [&str; 4] = ["calendar.v3", "gmail.v1", "people.v1", "tasks.v1"];

/// The documents, from the Python package `google-api-python-client`.
static DOCUMENTS: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let folder = folder();
    let read = |name: &str| {
        let text = std::fs::read(folder.join(format!("{name}.json"))).unwrap();
        serde_json::from_slice(&text).unwrap()
    };
    SERVICES.into_iter().map(read).collect()
});

/// Returns the folder where `scripts/setup` puts them; one of its parents is named after a version of Python.
#[expect(clippy::disallowed_methods, reason = "where scripts/setup puts tools")]
fn folder() -> PathBuf {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")));
    let libraries = cache.unwrap().join("adjutant/tools/google/lib");
    let versions = std::fs::read_dir(libraries).into_iter().flatten();
    let inside = "site-packages/googleapiclient/discovery_cache/documents";
    let mut folders = versions.map(|version| version.unwrap().path().join(inside));
    let found = folders.find(|folder| folder.is_dir());
    found.unwrap_or_else(|| {
        panic!("google-api-python-client is not installed: run scripts/setup test")
    })
}

/// A request to Google and its answer.
pub struct Exchanged<'a> {
    pub method: &'a str,
    /// Path without the query, escaped as sent.
    pub path: &'a str,
    /// Names of the query parameters.
    pub query: Vec<&'a str>,
    /// JSON body; `None` if there was none or it was not JSON.
    pub body: Option<Value>,
    pub status: u16,
    pub answer: Option<Value>,
}

/// Panics if the documents do not define a request, or something in it or its answer.
pub fn check(exchanged: &Exchanged<'_>) {
    let told = format!("{} {}", exchanged.method, exchanged.path);
    let found = DOCUMENTS.iter().find_map(|document| {
        let method = method(document, exchanged.method, exchanged.path)?;
        Some((document, method))
    });
    // Google answers unknown paths with 404.
    if exchanged.status == 404 && found.is_none() {
        return;
    }
    let (document, method) = found.unwrap_or_else(|| panic!("Google has no {told}"));
    for name in &exchanged.query {
        let known = [&method["parameters"], &document["parameters"]];
        assert!(
            known.iter().any(|all| all.get(name).is_some()),
            "{told} has no parameter {name}"
        );
    }
    if let (Some(body), Some(of)) = (&exchanged.body, method["request"]["$ref"].as_str()) {
        let is_upload = exchanged.path.starts_with("/upload/");
        if !is_upload {
            fits(
                document,
                &document["schemas"][of],
                body,
                &format!("{told}: {of}"),
            );
        }
    }
    if exchanged.status >= 300 {
        return;
    }
    if let (Some(answer), Some(of)) = (&exchanged.answer, method["response"]["$ref"].as_str()) {
        fits(
            document,
            &document["schemas"][of],
            answer,
            &format!("answer to {told}: {of}"),
        );
    }
}

/// Returns the method of a service that a request calls.
fn method<'a>(part: &'a Value, verb: &str, path: &str) -> Option<&'a Value> {
    fn search<'a>(part: &'a Value, base: &str, verb: &str, path: &str) -> Option<&'a Value> {
        let own = part["methods"]
            .as_object()
            .into_iter()
            .flat_map(Map::values);
        let inner = part["resources"]
            .as_object()
            .into_iter()
            .flat_map(Map::values);
        let is_it = |method: &&Value| {
            let at = method["flatPath"].as_str().or(method["path"].as_str());
            let upload = method["mediaUpload"]["protocols"]["simple"]["path"].as_str();
            method["httpMethod"] == verb
                && (at.is_some_and(|at| matches(&format!("/{base}{at}"), path))
                    || upload.is_some_and(|at| matches(at, path)))
        };
        own.into_iter().find(is_it).or_else(|| {
            inner
                .into_iter()
                .find_map(|part| search(part, base, verb, path))
        })
    }
    let base = part["servicePath"].as_str().unwrap_or_default();
    search(part, base, verb, path)
}

/// Returns whether a path matches a template: `users/{userId}/labels`, `v1/people/{peopleId}:updateContact`.
fn matches(template: &str, path: &str) -> bool {
    let (mut wanted, mut found) = (template.split('/'), path.split('/'));
    loop {
        match (wanted.next(), found.next()) {
            (None, None) => return true,
            (Some(wanted), Some(found)) => {
                let fits = match wanted.split_once('{') {
                    None => wanted == found,
                    Some((before, rest)) => {
                        let after = rest.split_once('}').map_or("", |(_, after)| after);
                        found.len() > before.len() + after.len()
                            && found.starts_with(before)
                            && found.ends_with(after)
                            && (after.contains(':') || !found.contains(':') || found.contains('@'))
                    }
                };
                if !fits {
                    return false;
                }
            }
            _ => return false,
        }
    }
}

/// Panics if a value does not match a schema, or has a field unknown to it.
fn fits(document: &Value, schema: &Value, value: &Value, told: &str) {
    if let Some(name) = schema["$ref"].as_str() {
        return fits(document, &document["schemas"][name], value, told);
    }
    let right = match (schema["type"].as_str().unwrap_or_default(), value) {
        // Google treats null like an absent field.
        ("any", _) | (_, Value::Null) => true,
        ("object", Value::Object(fields)) => {
            for (name, value) in fields {
                let known = schema["properties"].get(name);
                let known = known.or_else(|| schema.get("additionalProperties"));
                let known = known.unwrap_or_else(|| panic!("{told} has no field {name}"));
                fits(document, known, value, &format!("{told}.{name}"));
            }
            true
        }
        ("array", Value::Array(values)) => {
            for value in values {
                fits(document, &schema["items"], value, told);
            }
            true
        }
        ("string", Value::String(text)) => match schema["format"].as_str() {
            Some("int64" | "uint64") => text.parse::<i128>().is_ok(),
            Some("date") => text.parse::<jiff::civil::Date>().is_ok(),
            Some("date-time" | "google-datetime") => text.parse::<jiff::Timestamp>().is_ok(),
            _ => schema["enum"]
                .as_array()
                .is_none_or(|all| all.contains(value)),
        },
        ("boolean", Value::Bool(_)) | ("number", Value::Number(_)) => true,
        ("integer", Value::Number(number)) => number.is_i64() || number.is_u64(),
        _ => false,
    };
    assert!(right, "{told} is {value}, not {}", schema["type"]);
}
