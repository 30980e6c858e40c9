//! The compiled-in texts and their renderer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{LazyLock, Mutex, PoisonError};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, ValueKind};
use minijinja::{Environment, Error, ErrorKind, State, UndefinedBehavior, context};
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::fence::{boundary, hex};
use crate::sources::{Sources, compiled_in};
use crate::{PROMPT_CHARS_MAX, PromptFault};

/// The line that separates the system prompt from the message.
const MESSAGE_MARK: &str = "<!-- message -->";
/// The template around fenced text.
const FENCE: &str = "partials/fenced";
/// Length of a revision in hexadecimal digits.
const REVISION_DIGITS: usize = 8;
/// The variable that every template has besides its context.
const BOUNDARY: &str = "boundary";

/// Returns the library of the compiled-in texts.
pub(crate) fn built_in() -> Result<&'static Library, PromptFault> {
    static LIBRARY: LazyLock<Result<Library, PromptFault>> =
        LazyLock::new(|| Library::new(compiled_in()));
    LIBRARY.as_ref().map_err(Clone::clone)
}

/// Texts, ready to be rendered.
pub(crate) struct Library {
    environment: Environment<'static>,
    sources: Sources,
    /// Hashes of each text with everything it includes, by file and specialist.
    hashed: Mutex<BTreeMap<(String, Option<String>), Sha256>>,
}

impl Library {
    pub(crate) fn new(texts: Sources) -> Result<Self, PromptFault> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        environment.set_formatter(print);
        environment.add_filter("fenced", fenced);
        environment.add_filter("json", json);
        let syntax = SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build()
            .map_err(|error| fault("", &error))?;
        environment.set_syntax(syntax);
        for (name, text) in &texts {
            let text = crate::specialist::body(text);
            let (system, message) = match text.split_once(MESSAGE_MARK) {
                Some((system, message)) => (system, Some(message)),
                None => (text, None),
            };
            add(&mut environment, (*name).to_owned(), system)?;
            if let Some(message) = message {
                add(&mut environment, message_name(name), message)?;
            }
        }
        Ok(Self {
            environment,
            sources: texts,
            hashed: Mutex::default(),
        })
    }

    pub(crate) fn system(
        &self,
        file: &str,
        values: &impl Serialize,
    ) -> Result<String, PromptFault> {
        self.render(file, file, values)
    }

    pub(crate) fn message(
        &self,
        file: &str,
        values: &impl Serialize,
    ) -> Result<Option<String>, PromptFault> {
        let name = message_name(file);
        if self.environment.get_template(&name).is_err() {
            return Ok(None);
        }
        self.render(file, &name, values).map(Some)
    }

    /// Returns the file name and a hash of everything that makes up the request: the file, its includes, the specialist
    /// and the reply schema.
    pub(crate) fn revision(
        &self,
        file: &str,
        specialist: Option<&str>,
        schema: &Value,
    ) -> Result<String, PromptFault> {
        let mut hasher = self.texts_of(file, specialist)?;
        hasher.update(schema.to_string().as_bytes());
        let hash = hex(&hasher.finalize(), REVISION_DIGITS);
        Ok(format!("{file}@{hash}"))
    }

    /// Hashes a text with everything it includes; the caller adds the schema. The texts do not change while the process
    /// runs, so each hash is computed once: that takes longer than rendering.
    fn texts_of(&self, file: &str, specialist: Option<&str>) -> Result<Sha256, PromptFault> {
        let key = (file.to_owned(), specialist.map(str::to_owned));
        let kept = || self.hashed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(hasher) = kept().get(&key) {
            return Ok(hasher.clone());
        }
        let specialist = specialist.map(|name| format!("specialists/{name}"));
        let mut open = vec![file];
        open.extend(specialist.as_deref());
        let mut seen = BTreeSet::new();
        let mut hasher = Sha256::new();
        while let Some(name) = open.pop() {
            if !seen.insert(name) {
                continue;
            }
            let text = self
                .sources
                .get(name)
                .ok_or_else(|| PromptFault::NoSuchFile { file: name.into() })?;
            hasher.update((text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
            if text.contains("fenced") && name != FENCE {
                open.push(FENCE);
            }
            open.extend(
                text.split('"')
                    .filter(|quoted| quoted.starts_with("partials/")),
            );
        }
        // The cache stays bounded by pairs of text and specialist: unknown names have returned an error above.
        kept().insert(key, hasher.clone());
        Ok(hasher)
    }

    fn render(
        &self,
        file: &str,
        template: &str,
        values: &impl Serialize,
    ) -> Result<String, PromptFault> {
        let template =
            self.environment
                .get_template(template)
                .map_err(|_| PromptFault::NoSuchFile {
                    file: file.to_owned(),
                })?;
        let mut values = serde_json::to_value(values).map_err(|error| PromptFault::Render {
            file: file.to_owned(),
            why: error.to_string(),
        })?;
        let mark = boundary(&values);
        if let Value::Object(map) = &mut values {
            map.insert(BOUNDARY.to_owned(), Value::String(mark));
        }
        let text = template
            .render(Serde(&values))
            .map_err(|error| fault(file, &error))?;
        let text = text.trim().to_owned();
        let chars = text.chars().count();
        if chars > PROMPT_CHARS_MAX {
            return Err(PromptFault::TooLong {
                file: file.to_owned(),
                chars,
            });
        }
        Ok(text)
    }
}

fn add(
    environment: &mut Environment<'static>,
    name: String,
    text: &str,
) -> Result<(), PromptFault> {
    environment
        .add_template_owned(name.clone(), text.to_owned())
        .map_err(|error| fault(&name, &error))
}

fn message_name(file: &str) -> String {
    format!("{file}#message")
}

fn fault(file: &str, error: &Error) -> PromptFault {
    let mut why = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        why.push_str(": ");
        why.push_str(&inner.to_string());
        cause = inner.source();
    }
    PromptFault::Render {
        file: file.to_owned(),
        why,
    }
}

/// Prints plain values only. An object is either fenced text, which must not be printed bare, or a mistake.
fn print(
    out: &mut minijinja::Output,
    state: &mut State,
    value: &minijinja::Value,
) -> Result<(), Error> {
    match value.kind() {
        ValueKind::String | ValueKind::Number | ValueKind::Bool | ValueKind::Undefined => {
            minijinja::escape_formatter(out, state, value)
        }
        kind => Err(Error::new(
            ErrorKind::InvalidOperation,
            format!("{kind} is printed plainly; use the filter fenced or json"),
        )),
    }
}

/// `{{ text | fenced }}`: puts the text between marks with the boundary of this prompt.
fn fenced(state: &State, value: &minijinja::Value) -> Result<String, Error> {
    let part = |name: &str| {
        value
            .get_attr(name)
            .ok()
            .filter(|part| part.kind() == ValueKind::String)
            .ok_or_else(|| {
                Error::new(
                    ErrorKind::InvalidOperation,
                    "only Fenced text can be fenced",
                )
            })
    };
    let (origin, text) = (part("origin")?, part("fenced")?);
    let boundary = state
        .lookup(BOUNDARY)
        .ok_or_else(|| Error::new(ErrorKind::UndefinedError, "there is no boundary"))?;
    let around = state.get_template(FENCE)?;
    around.render(context! { origin, text, boundary })
}

/// `{{ value | json }}`: prints a value of ours as JSON on one line.
fn json(value: Serde<Value>) -> Result<String, Error> {
    if holds_fenced(&value) {
        return Err(Error::new(
            ErrorKind::InvalidOperation,
            "fenced text inside JSON",
        ));
    }
    Ok(value.to_string())
}

fn holds_fenced(value: &Value) -> bool {
    match value {
        Value::Object(map) => map.contains_key("fenced") || map.values().any(holds_fenced),
        Value::Array(list) => list.iter().any(holds_fenced),
        _ => false,
    }
}

#[cfg(test)]
#[path = "library_tests.rs"]
mod tests;
