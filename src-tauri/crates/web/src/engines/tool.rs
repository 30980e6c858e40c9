//! Uses a search tool of an MCP server as a search engine. Such tools have no common format: results are JSON objects
//! with an address, at any depth, or lines of text with one.

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::ports::{Reach, SearchEngine, SearchResult, SearchTool, SourceFault};
use async_trait::async_trait;
use serde_json::{Map, Value};

use super::{ask, clean};

/// Maximum number of JSON values visited in an answer.
const VALUES_MAX: usize = 20_000;
/// Maximum number of characters of text read.
const TEXT_CHARS_MAX: usize = 200_000;
/// Keys that servers use for addresses, titles and snippets.
const URL_KEYS: [&str; 4] = ["url", "link", "href", "uri"];
const TITLE_KEYS: [&str; 2] = ["title", "name"];
const SNIPPET_KEYS: [&str; 6] = [
    "snippet",
    "content",
    "description",
    "text",
    "excerpt",
    "summary",
];

/// A search tool of a server.
pub struct ToolEngine {
    tool: Arc<dyn SearchTool>,
    name: String,
}

impl ToolEngine {
    /// Creates an engine from a tool.
    #[must_use]
    pub fn new(tool: Arc<dyn SearchTool>) -> Self {
        let name = tool.server().to_owned();
        Self { tool, name }
    }
}

#[async_trait]
impl SearchEngine for ToolEngine {
    fn name(&self) -> &str {
        &self.name
    }

    fn reach(&self) -> Reach {
        Reach::Outside {
            host: self.name.clone(),
        }
    }

    async fn search(
        &self,
        query: &str,
        limit: usize,
        within: Duration,
    ) -> Result<Vec<SearchResult>, SourceFault> {
        let query = ask::query(&self.name, query)?;
        let called = self.tool.call(&query, limit, within);
        let answer = tokio::time::timeout(within, called).await;
        let answer = answer.map_err(|_| SourceFault::TimedOut {
            host: self.name.clone(),
        })??;
        Ok(read(&answer, limit))
    }
}

/// Returns the results in an answer. Also parses JSON embedded in a text, one level deep.
fn read(answer: &Value, limit: usize) -> Vec<SearchResult> {
    let (mut rows, mut texts) = (Vec::new(), Vec::new());
    look(answer, &mut rows, &mut texts);
    if rows.is_empty() {
        for text in texts {
            match serde_json::from_str::<Value>(&text) {
                Ok(inner) => look(&inner, &mut rows, &mut Vec::new()),
                Err(_) => lines(&text, &mut rows),
            }
        }
    }
    found(&rows, limit)
}

/// Collects objects with an address, at any depth, and the texts outside of them.
fn look(answer: &Value, rows: &mut Vec<[String; 3]>, texts: &mut Vec<String>) {
    let mut open = vec![answer];
    for _ in 0..VALUES_MAX {
        let Some(value) = open.pop() else { break };
        match value {
            Value::Object(map) => match first(map, &URL_KEYS) {
                Some(url) => rows.push([
                    url,
                    first(map, &TITLE_KEYS).unwrap_or_default(),
                    first(map, &SNIPPET_KEYS).unwrap_or_default(),
                ]),
                None => open.extend(map.values().rev()),
            },
            Value::Array(list) => open.extend(list.iter().rev()),
            Value::String(text) => texts.push(text.clone()),
            _ => {}
        }
    }
}

fn found(rows: &[[String; 3]], limit: usize) -> Vec<SearchResult> {
    let rows = rows.iter().map(|[url, title, snippet]| clean::Row {
        url,
        title,
        snippet,
    });
    clean::found(rows, limit)
}

fn first(map: &Map<String, Value>, keys: &[&str]) -> Option<String> {
    let mut found = keys.iter().filter_map(|key| map.get(*key)?.as_str());
    found.next().map(str::to_owned)
}

/// Reads results from lines: each address in a line, its title before it on the same or an earlier line, its text
/// after.
fn lines(text: &str, rows: &mut Vec<[String; 3]>) {
    let text: String = text.chars().take(TEXT_CHARS_MAX).collect();
    let mut title = String::new();
    for line in text.lines() {
        let line = line.trim();
        let at = line.find("https://").or_else(|| line.find("http://"));
        match at {
            Some(at) => {
                let end = |c: char| c.is_whitespace() || "<>\")]|".contains(c);
                let rest = &line[at..];
                let url = &rest[..rest.find(end).unwrap_or(rest.len())];
                let before = label(&line[..at]);
                let own = match before.is_empty() {
                    true => std::mem::take(&mut title),
                    false => before,
                };
                rows.push([url.to_owned(), own, String::new()]);
            }
            None if line.is_empty() => title.clear(),
            None if line.to_lowercase().starts_with("title:") || rows.is_empty() => {
                title = label(line);
            }
            None => match rows.last_mut() {
                Some([_, _, snippet]) if title.is_empty() => {
                    if !snippet.is_empty() {
                        snippet.push(' ');
                    }
                    snippet.push_str(&label(line));
                }
                _ => title = label(line),
            },
        }
    }
}

/// Strips list and link marks and a label such as “Title:” from a line.
fn label(line: &str) -> String {
    let marks = |c: char| c.is_whitespace() || "-*#[]()|:".contains(c);
    let line = line.trim_matches(marks);
    let known = ["title", "url", "link", "description", "snippet", "text"];
    let rest = line.split_once(':').and_then(|(word, rest)| {
        let known = known.iter().any(|one| word.eq_ignore_ascii_case(one));
        known.then_some(rest)
    });
    match rest {
        Some(rest) => rest.trim().to_owned(),
        None if known.iter().any(|one| line.eq_ignore_ascii_case(one)) => String::new(),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn seen(answer: &Value) -> Vec<(String, String, String)> {
        let found = read(answer, 9).into_iter();
        let row = |one: SearchResult| (one.at.to_string(), one.title, one.snippet);
        found.map(row).collect()
    }

    #[test]
    fn results_are_found_in_whatever_form_a_server_gives_them() {
        let expected = [
            ("https://a.example/", "A", "about a"),
            ("https://b.example/", "B", "about b"),
        ]
        .map(|(url, title, text)| (url.to_owned(), title.to_owned(), text.to_owned()));
        let structured = json!({"data": {"web": [
            {"link": "https://a.example/", "name": "A", "snippet": "about a"},
            {"link": "https://b.example/", "name": "B", "snippet": "about b"},
        ]}});
        let as_text = json!([{"type": "text", "text": structured.to_string()}]);
        let in_lines = json!(
            "Title: A\nURL: https://a.example/\nDescription: about a\n\nTitle: B\nURL: https://b.example/\nDescription: about b\n"
        );
        for answer in [&structured, &as_text, &in_lines] {
            assert_eq!(seen(answer), expected, "{answer}");
        }
        assert_eq!(seen(&json!("nothing was found")), []);
        assert_eq!(seen(&json!(null)), []);
        assert_eq!(
            seen(&json!("- [A](https://a.example/)"))[0].1,
            "A",
            "a list of links"
        );
    }
}
