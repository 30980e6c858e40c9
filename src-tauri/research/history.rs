//! The changes of the brain document from one version to the next, for a person to read.

use adjutant_api::research::{DocumentLine, DocumentPart};
use adjutant_research::Entry;
use serde_json::Value;

/// Maximum lines for one version.
const LINES_MAX: usize = 200;

/// Returns the changes of a version as lines of text. Positions, states and totals are left out: lanes and budgets show
/// them.
pub(crate) fn lines(changes: &Value) -> Vec<DocumentLine> {
    let Some(changes) = changes.as_object() else {
        return Vec::new();
    };
    let mut changes: Vec<(Vec<PointerToken<'_>>, &Value)> = changes
        .iter()
        .map(|(pointer, value)| {
            (
                pointer.split('/').skip(1).map(PointerToken::of).collect(),
                value,
            )
        })
        .collect();
    changes.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut lines = Vec::new();
    for (path, value) in changes {
        told(&path, value, &mut lines);
    }
    lines.truncate(LINES_MAX);
    lines
}

/// A part of a JSON pointer; indexes compare as numbers, so that the tenth comes after the ninth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PointerToken<'a> {
    At(usize),
    Named(&'a str),
}

impl<'a> PointerToken<'a> {
    fn of(text: &'a str) -> Self {
        text.parse().map_or(Self::Named(text), Self::At)
    }
}

fn told(path: &[PointerToken<'_>], value: &Value, lines: &mut Vec<DocumentLine>) {
    use PointerToken::{At, Named};
    match path {
        [Named("research_strategy")] => push(lines, None, DocumentPart::Strategy, value),
        [Named("brain_log"), At(_)] => {
            push(lines, None, DocumentPart::Decision, &value["reasoning"]);
        }
        [Named("report")] if value.is_object() => {
            let answer = &value["answer"]["text"];
            let said = if answer.is_string() {
                answer
            } else {
                &value["summary"]
            };
            push(lines, None, DocumentPart::Report, said);
        }
        [Named("questions"), At(place)] => {
            push(
                lines,
                Some(*place),
                DocumentPart::Question,
                &value["question"],
            );
            let memory = value["memory"].as_array();
            for one in memory.into_iter().flatten() {
                entry(lines, *place, one);
            }
        }
        [Named("questions"), At(place), Named("memory"), At(_)] => entry(lines, *place, value),
        [Named("questions"), At(place), Named("document")] => {
            push(lines, Some(*place), DocumentPart::Answer, &value["answer"]);
        }
        _ => {}
    }
}

fn entry(lines: &mut Vec<DocumentLine>, place: usize, value: &Value) {
    let Ok(entry) = serde_json::from_value::<Entry>(value.clone()) else {
        return;
    };
    let (part, text) = match entry {
        Entry::Search { query } => (DocumentPart::Search, query),
        Entry::Result { fault, .. } => match fault {
            Some(fault) => (DocumentPart::Fault, fault),
            None => return,
        },
        Entry::Page { page } if page.title.is_empty() => (DocumentPart::Page, page.address),
        Entry::Page { page } => (DocumentPart::Page, page.title),
        Entry::Closed { address, fault } => (DocumentPart::Fault, format!("{address}: {fault}")),
        Entry::Reflect(reflection) => (DocumentPart::Reflection, reflection.thought),
    };
    push(lines, Some(place), part, &Value::String(text));
}

fn push(lines: &mut Vec<DocumentLine>, question: Option<usize>, part: DocumentPart, text: &Value) {
    let Some(text) = text.as_str().filter(|text| !text.is_empty()) else {
        return;
    };
    lines.push(DocumentLine {
        question: question.map(|place| format!("q{}", place + 1)),
        part,
        text: text.to_owned(),
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn changes_are_told_in_the_order_of_the_document() {
        let changes = json!({
            "/questions/0/memory/10": { "type": "search", "query": "boiler" },
            "/questions/0/memory/9": { "type": "reflect", "thought": "Prices are open.", "delta": "progress" },
            "/questions/1": { "question": "What does it cost?", "memory": [] },
            "/questions/0/memory/11": { "type": "result", "hits": [], "fault": "No answer." },
            "/questions/0/document": null,
            "/spending/spent": 4,
            "/research_strategy": "Costs first.",
        });
        let told: Vec<_> = lines(&changes)
            .into_iter()
            .map(|line| (line.question.unwrap_or_default(), line.part, line.text))
            .collect();
        let expected = [
            ("q1", DocumentPart::Reflection, "Prices are open."),
            ("q1", DocumentPart::Search, "boiler"),
            ("q1", DocumentPart::Fault, "No answer."),
            ("q2", DocumentPart::Question, "What does it cost?"),
            ("", DocumentPart::Strategy, "Costs first."),
        ];
        let expected = expected.map(|(of, part, text)| (of.to_owned(), part, text.to_owned()));
        assert_eq!(told, expected);
    }
}
