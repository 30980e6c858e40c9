//! `note.search`

use adjutant_domain::gate::Risk;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Kind, Note};
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use adjutant_text::{all_words, same, spoken_words};
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::find::NoteFilter;
use crate::effect::failed;
use crate::registry::{Reading, spec};
use crate::select::{Filter, Row, answer, bad};
use crate::words;

/// Maximum notes found.
const FOUND_MAX: usize = 50;

/// The tool `note.search`: searches notes, best match first.
pub(super) struct Search;

/// Arguments of `note.search`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Words to look for; not all have to occur.
    text: String,
    /// At most so many.
    limit: Option<usize>,
}

#[async_trait]
impl Reading for Search {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "note.search",
            Domain::Note,
            Risk::Read,
            "Searches titles and texts of notes, best first.",
            &[
                "search my notes for",
                "find the note about",
                "did I write down",
                "look in my notes",
                "what did I note about",
            ],
        )
    }

    async fn read(&self, args: Args, cx: &Cx) -> Result<Answer, Stop> {
        if spoken_words(&args.text).is_empty() {
            return Err(bad("Say what to look for."));
        }
        let limit = args.limit.unwrap_or(FOUND_MAX).min(FOUND_MAX);
        let all = NoteFilter {
            text: Some(args.text.clone()),
            ..NoteFilter::default()
        };
        // Notes that contain all words come first, then those the index ranks as close.
        let mut rows = all.find(false, None, cx).await?.rows;
        let hits = cx
            .records
            .search(&args.text, &[Kind::Note], limit)
            .await
            .map_err(failed)?;
        for hit in hits {
            if !rows.iter().any(|row| row.id == hit.id)
                && let Some(note) = Note::load(&hit.id.0, cx).await?
            {
                rows.push(note);
            }
        }
        rows.truncate(limit);
        let lines: Vec<String> = rows
            .iter()
            .map(|note| match line_with(note, &args.text) {
                Some(line) => format!("{}: {line}", words::inline(&note.title)),
                None => note.line(cx),
            })
            .collect();
        let say = match lines.as_slice() {
            [] => format!("No notes about {}.", words::quoted(&args.text)),
            [one] => one.clone(),
            many => format!(
                "{}.\n\n{}",
                words::plural(many.len(), "note"),
                words::bullets(many, many.len())
            ),
        };
        Ok(answer(&rows, rows.len(), say, cx))
    }
}

/// Returns the line of a note that contains most of the words; `None` if no line has any.
fn line_with(note: &Note, wanted: &str) -> Option<String> {
    let wanted = spoken_words(wanted);
    note.body
        .lines()
        .map(|line| {
            let hits = wanted.iter().filter(|word| all_words(word, line)).count();
            (hits, line)
        })
        .filter(|(hits, line)| *hits > 0 && !same(line, &note.title))
        .max_by_key(|(hits, _)| *hits)
        .map(|(_, line)| words::inline(line))
}
