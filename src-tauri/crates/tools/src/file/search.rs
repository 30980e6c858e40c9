//! `file.search`

use adjutant_domain::gate::Risk;
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::route::Domain;
use adjutant_domain::source::Taint;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::FileRow;
use super::access::{blocking, text_of};
use super::find::FileFilter;
use crate::registry::{Reading, spec};
use crate::select::{Filter, ROWS_MAX, Row, bad, output};
use crate::{text, words};

/// Bytes of one file that are searched.
const FILE_BYTES_MAX: usize = 1_000_000;
/// Bytes searched altogether.
const BYTES_MAX: u64 = 200_000_000;
/// Lines shown of a file.
const SNIPPETS_MAX: usize = 3;
/// Characters of a shown line.
const SNIPPET_CHARS_MAX: usize = 200;

/// Searches the text of files.
pub(super) struct Search;

/// Arguments of `file.search`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Words that all occur in the file, or in its name.
    text: String,
    /// Only in this folder: a path, or the name of an open folder.
    folder: Option<String>,
    /// Words of the name, or a pattern with `*`.
    name: Option<String>,
    /// Only with one of these endings, without dot.
    extensions: Option<Vec<String>>,
    /// Changed from here on.
    modified_from: Option<Moment>,
    /// Changed before this.
    modified_to: Option<Moment>,
    /// At most so many.
    limit: Option<usize>,
}

#[async_trait]
impl Reading for Search {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "file.search",
            Domain::Files,
            Risk::Read,
            "Finds files in the open folders by the words in them.",
            &[
                "search my files for",
                "find the document about",
                "which file mentions",
                "look in my documents for",
                "is there a file about",
                "search the folder for",
            ],
        )
    }

    async fn read(&self, args: Args, cx: &Cx) -> Result<Answer, Stop> {
        let wanted = args.text.trim().to_owned();
        if text::words(&wanted).is_empty() {
            return Err(bad("Say what to look for."));
        }
        let filter = FileFilter {
            folder: args.folder,
            name: args.name,
            extensions: args.extensions,
            modified_from: args.modified_from,
            modified_to: args.modified_to,
            ..FileFilter::default()
        };
        let files = filter.find(false, cx).await?;
        let sought = format!("{} about {}", filter.sought(cx), words::quoted(&wanted));
        let limit = args.limit.unwrap_or(ROWS_MAX).min(ROWS_MAX);
        let rows = blocking(move || Ok(search(files, &wanted))).await?;
        let total = rows.len();
        let rows = &rows[..total.min(limit)];
        Ok(Answer {
            output: Value::Object(output(rows, total, cx)),
            say: say(rows, total, &sought, cx),
            referents: Vec::new(),
            taint: Taint::Tainted,
            used_memories: Vec::new(),
        })
    }
}

/// Files whose name holds the words come first, then those with most lines that do.
fn search(files: Vec<FileRow>, wanted: &str) -> Vec<FileRow> {
    let mut bytes = 0;
    let mut found: Vec<(bool, usize, FileRow)> = Vec::new();
    for mut file in files {
        let named = text::all_words(wanted, &file.name);
        let mut hits = 0;
        if file.text && bytes < BYTES_MAX {
            bytes += file.size.min(FILE_BYTES_MAX as u64);
            if let Ok((content, _)) = text_of(&file, FILE_BYTES_MAX) {
                (hits, file.snippets) = lines(&content, wanted);
            }
        }
        if named || hits > 0 {
            found.push((named, hits, file));
        }
    }
    found.sort_by_key(|(named, hits, _)| std::cmp::Reverse((*named, *hits)));
    found.into_iter().map(|(_, _, file)| file).collect()
}

/// Lines that hold all words; where none does but the whole text, lines that hold any of them.
fn lines(content: &str, wanted: &str) -> (usize, Vec<(usize, String)>) {
    let shown = |keep: &dyn Fn(&str) -> bool| -> (usize, Vec<(usize, String)>) {
        let hits: Vec<(usize, &str)> = content
            .lines()
            .enumerate()
            .filter(|(_, line)| keep(line))
            .collect();
        let snippets = hits
            .iter()
            .take(SNIPPETS_MAX)
            .map(|(at, line)| (at + 1, words::cut(line.trim(), SNIPPET_CHARS_MAX)))
            .collect();
        (hits.len(), snippets)
    };
    let together = shown(&|line| text::all_words(wanted, line));
    if together.0 > 0 || !text::all_words(wanted, content) {
        return together;
    }
    let parts = text::words(wanted);
    shown(&|line| parts.iter().any(|word| text::all_words(word, line)))
}

fn say(rows: &[FileRow], total: usize, sought: &str, cx: &Cx) -> String {
    let lines: Vec<String> = rows
        .iter()
        .map(|row| match row.snippets.first() {
            Some((number, text)) => {
                format!(
                    "{}, line {number}: {}",
                    words::inline(&row.name),
                    words::inline(text)
                )
            }
            None => row.line(cx),
        })
        .collect();
    match lines.as_slice() {
        [] => format!("No {sought}."),
        [one] => one.clone(),
        many => format!(
            "{}.\n\n{}",
            words::plural(total, "file"),
            words::bullets(many, total)
        ),
    }
}
