//! Tool names as providers allow them. Ours contain dots; most providers allow letters, digits, `_` and `-`, up to
//! 64.

use std::collections::{BTreeMap, HashMap};

use adjutant_domain::model::ModelTool;

/// Highest number of characters of a tool's name at the strictest provider.
const NAME_CHARS_MAX: usize = 64;

/// Both spellings of every tool of one request.
#[derive(Debug, Default)]
pub(crate) struct Spelling {
    spelled: BTreeMap<String, String>,
    ours: HashMap<String, String>,
}

impl Spelling {
    /// Spells the tools of a request. None of them may get the name `taken`.
    pub fn of(tools: &[ModelTool], taken: &str) -> Self {
        let mut spelling = Self::default();
        for tool in tools {
            if spelling.spelled.contains_key(&tool.name) {
                continue;
            }
            let plain = plain(&tool.name);
            let mut candidate: String = plain.chars().take(NAME_CHARS_MAX).collect();
            let mut number = 2_u32;
            while candidate == taken || spelling.ours.contains_key(&candidate) {
                let end = format!("_{number}");
                candidate = plain.chars().take(NAME_CHARS_MAX - end.len()).collect();
                candidate.push_str(&end);
                number += 1;
            }
            spelling.ours.insert(candidate.clone(), tool.name.clone());
            spelling.spelled.insert(tool.name.clone(), candidate);
        }
        spelling
    }

    /// Returns the provider's spelling of a tool.
    pub fn spelled<'a>(&'a self, name: &'a str) -> &'a str {
        self.spelled.get(name).map_or(name, String::as_str)
    }

    /// Returns our name for a tool the provider calls. An unknown name stays as it is; the gate does not know it
    /// either.
    pub fn ours(&self, name: &str) -> String {
        self.ours
            .get(name)
            .cloned()
            .unwrap_or_else(|| name.to_owned())
    }
}

fn plain(name: &str) -> String {
    let mut plain: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '-' {
                c
            } else {
                '_'
            }
        })
        .collect();
    // Gemini requires a letter or `_` at the start.
    if !plain.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        plain.insert(0, '_');
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools(names: &[&str]) -> Vec<ModelTool> {
        names
            .iter()
            .map(|name| ModelTool {
                name: (*name).to_owned(),
                description: String::new(),
                schema: serde_json::json!({}),
            })
            .collect()
    }

    #[test]
    fn every_name_is_allowed_unique_and_found_again() {
        let long = format!("mcp.{}.search", "server".repeat(20));
        let longer = format!("{long}.more");
        let names = [
            "task.create",
            "task_create",
            "plan",
            "9lives",
            "größe.ändern",
            "",
            &long,
            &longer,
        ];
        let spelling = Spelling::of(&tools(&names), "plan");
        let mut seen = std::collections::HashSet::new();
        for name in names {
            let spelled = spelling.spelled(name);
            assert!(seen.insert(spelled.to_owned()), "{spelled} twice");
            assert!((1..=64).contains(&spelled.len()), "{spelled}");
            assert!(
                spelled
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-'),
                "{spelled}"
            );
            assert_eq!(spelling.ours(spelled), name);
        }
        assert_eq!(spelling.spelled("task.create"), "task_create");
        assert_ne!(spelling.spelled("plan"), "plan");
        assert_eq!(spelling.ours("never_offered"), "never_offered");
    }
}
