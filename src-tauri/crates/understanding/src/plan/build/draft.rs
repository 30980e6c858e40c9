//! A step on its way: its arguments, where each came from, and what is asked.

use adjutant_domain::plan::{AnswerKind, Choice, Condition, Question, Reference};
use adjutant_domain::source::{Source, Sources};
use serde_json::{Map, Value as Json, json};

/// A step in the making.
pub(in super::super) struct Draft {
    pub tool: &'static str,
    pub say: String,
    pub why: String,
    pub args: Map<String, Json>,
    pub sources: Sources,
    pub when: Option<Condition>,
    pub each: Option<Reference>,
    pub question: Option<Question>,
}

impl Draft {
    pub(in super::super) fn new(tool: &'static str, say: String) -> Self {
        Self {
            tool,
            say,
            why: String::new(),
            args: Map::new(),
            sources: Sources::new(),
            when: None,
            each: None,
            question: None,
        }
    }

    /// Sets an argument with its source.
    pub(in super::super) fn set(&mut self, key: &str, value: Json, source: Source) {
        self.sources.insert(format!("/{key}"), source);
        self.args.insert(key.to_owned(), value);
    }

    /// Sets a field of the changes.
    pub(in super::super) fn change(&mut self, key: &str, value: Json, source: Source) {
        self.sources.insert(format!("/changes/{key}"), source);
        let changes = self.args.entry("changes").or_insert_with(|| json!({}));
        if let Some(map) = changes.as_object_mut() {
            map.insert(key.to_owned(), value);
        }
    }

    /// Asks for a value unless something else is asked already.
    pub(in super::super) fn ask(
        &mut self,
        slot: &str,
        text: String,
        answer: AnswerKind,
        choices: Vec<Choice>,
    ) {
        if self.question.is_none() {
            self.question = Some(Question {
                text,
                choices,
                slot: slot.to_owned(),
                answer,
            });
        }
    }
}
