//! `memory.search`

use adjutant_domain::gate::Risk;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::Kind;
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use adjutant_text::all_words;
use async_trait::async_trait;

use super::answer;
use super::find::{MemoryFilter, MemoryQuestion};
use crate::registry::{Reading, spec};
use crate::select::{Filter, Row, listed};
use crate::words;

/// Maximum memories in one answer if none contains all words.
const SAID_MAX: usize = 5;

/// The tool `memory.search`: answers what is remembered.
pub(super) struct Search;

#[async_trait]
impl Reading for Search {
    type Args = MemoryFilter;

    fn spec(&self) -> ToolSpec {
        spec(
            "memory.search",
            Domain::Memory,
            Risk::Read,
            "Says what is remembered about something, best first.",
            &[
                "what is my",
                "what do you know about",
                "do you remember",
                "what did I tell you about",
                "recall",
                "when is …’s birthday",
                "what is the wifi password",
                "what do you remember",
            ],
        )
    }

    async fn read(&self, filter: MemoryFilter, cx: &Cx) -> Result<Answer, Stop> {
        let mut chosen = listed(&filter, cx).await?;
        // If some memories contain all words, only those are meant, not those that share a few words.
        if let Some(wanted) = filter.text.as_deref() {
            let full = |row: &adjutant_domain::record::Memory| {
                all_words(
                    wanted,
                    &format!("{} {} {}", row.key, row.value, row.category),
                )
            };
            if chosen.rows.iter().any(full) {
                chosen.rows.retain(full);
                chosen.total = chosen.rows.len();
            } else if filter.limit.is_none() {
                chosen.rows.truncate(SAID_MAX);
                chosen.total = chosen.rows.len();
            }
        }
        let rows = &chosen.rows;
        let lines: Vec<String> = rows.iter().map(|row| row.line(cx)).collect();
        let listed = words::found(&lines, chosen.total, filter.limit, Kind::Memory);
        let count = words::plural(chosen.total, "memory");
        let say = match (filter.ask.unwrap_or_default(), rows.as_slice()) {
            (MemoryQuestion::Count, []) => format!("0 {}.", filter.sought(cx)),
            (_, []) => format!("Nothing is remembered{}.", about(&filter)),
            (MemoryQuestion::Value, [best, ..]) => {
                format!("{}.", best.line(cx).trim_end_matches('.'))
            }
            (MemoryQuestion::Any, _) => format!("Yes, {count}.\n\n{listed}"),
            (MemoryQuestion::List, [_]) => format!("{}.", lines[0].trim_end_matches('.')),
            _ => format!("{count}.\n\n{listed}"),
        };
        let used = match filter.ask {
            Some(MemoryQuestion::Value) => rows.iter().take(1),
            _ => rows.iter().take(words::LINES_MAX),
        }
        .map(|row| row.id.0.clone())
        .collect();
        Ok(Answer {
            used_memories: used,
            ..answer(rows, chosen.total, say, cx)
        })
    }
}

fn about(filter: &MemoryFilter) -> String {
    filter
        .text
        .as_deref()
        .or(filter.key.as_deref())
        .map(|text| format!(" about {}", words::quoted(text)))
        .unwrap_or_default()
}
