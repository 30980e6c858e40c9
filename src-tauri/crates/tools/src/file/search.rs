//! `file.search`

use adjutant_domain::gate::Risk;
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::route::Domain;
use adjutant_domain::source::Taint;
use adjutant_domain::tool::ToolSpec;
use adjutant_text::{all_words, spoken_words};
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::FileRow;
use super::access::text_in;
use super::blocking::{Stopped, blocking};
use super::find::FileFilter;
use crate::registry::{Reading, spec};
use crate::select::{Filter, ROWS_MAX, Row, bad, output};
use crate::words;

/// Maximum bytes of one file that are searched.
const FILE_BYTES_MAX: usize = 1_000_000;
/// Maximum bytes that are searched in all.
const BYTES_MAX: u64 = 200_000_000;
/// Maximum lines shown of a file.
const SNIPPETS_MAX: usize = 3;
/// Maximum characters of a shown line.
const SNIPPET_CHARS_MAX: usize = 200;

/// The tool `file.search`: searches the text of files.
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
        if spoken_words(&wanted).is_empty() {
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
        let walked = filter.look(cx).await?;
        let sought = format!("{} about {}", filter.sought(cx), words::quoted(&wanted));
        let limit = args.limit.unwrap_or(ROWS_MAX).min(ROWS_MAX);
        let searched = blocking(move |stopped| search(walked.rows, &wanted, stopped)).await?;
        let total = searched.rows.len();
        let rows = &searched.rows[..total.min(limit)];
        let mut output = output(rows, total, cx);
        let complete = walked.missed.nothing() && searched.unread.nothing();
        output.insert("complete".into(), complete.into());
        Ok(Answer {
            output: Value::Object(output),
            say: say(rows, total, &sought, cx)
                + &walked.missed.words()
                + &searched.unread.words(rows.is_empty()),
            referents: Vec::new(),
            taint: Taint::Tainted,
            used_memories: Vec::new(),
        })
    }
}

/// A file that contains some of the words, with its text.
pub(crate) struct Holding {
    /// Canonical path.
    pub(crate) path: String,
    /// File name.
    pub(crate) name: String,
    /// Text of the file; empty if it is not text.
    pub(crate) text: String,
    /// When it was last changed; `None` if unknown.
    pub(crate) modified: Option<jiff::Timestamp>,
}

/// Returns the files in opened folders whose name or text contains some of the words, most words first. Leaves out what
/// cannot be read, because other sources are searched as well.
pub(crate) async fn passages(wanted: &str, cx: &Cx) -> Vec<Holding> {
    /// Maximum files returned.
    const FILES_MAX: usize = 20;
    if cx.settings.folders.is_empty() {
        return Vec::new();
    }
    let Ok(walked) = FileFilter::default().look(cx).await else {
        return Vec::new();
    };
    let wanted = adjutant_text::telling(&spoken_words(wanted));
    let found = blocking(move |stopped| {
        let mut bytes = 0;
        let mut found = Vec::new();
        for file in walked.rows {
            stopped.check()?;
            let mut text = String::new();
            if file.text && bytes < BYTES_MAX {
                bytes += file.size.min(FILE_BYTES_MAX as u64);
                let read = text_in(&file, FILE_BYTES_MAX).ok().flatten();
                text = read.map(|(text, _)| text).unwrap_or_default();
            }
            let hay = spoken_words(&format!(
                "{} {text}",
                file.name.replace(['.', '_', '-'], " ")
            ));
            let hay: std::collections::HashSet<&str> = hay.iter().map(String::as_str).collect();
            let held = wanted.iter().filter(|word| {
                let forms = adjutant_text::forms(word);
                forms.iter().any(|form| hay.contains(form.as_str()))
            });
            let held = held.count();
            if held > 0 {
                found.push((held, file, text));
                found.sort_by_key(|(held, _, _)| std::cmp::Reverse(*held));
                found.truncate(FILES_MAX);
            }
        }
        Ok(found)
    });
    let holding = |(_, file, text): (usize, FileRow, String)| Holding {
        path: file.path.display().to_string(),
        name: file.name,
        text,
        modified: file.modified,
    };
    let found = found.await.unwrap_or_default();
    found.into_iter().map(holding).collect()
}

/// The files that a search found, and those it did not read.
struct Searched {
    rows: Vec<FileRow>,
    unread: Unread,
}

/// Counts of files that were not read, or not to their end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Unread {
    /// Longer than the part that is read of one file.
    cut: usize,
    /// Not reached, because the search had read too much before.
    beyond: usize,
    /// Could not be opened.
    closed: usize,
    /// Contain no text; only their names were searched.
    other: usize,
}

impl Unread {
    fn nothing(self) -> bool {
        self.cut + self.beyond + self.closed == 0
    }

    /// Returns the counts as sentences that follow others. Mentions files without text only if nothing was found.
    fn words(self, none_found: bool) -> String {
        let mut said = String::new();
        if self.beyond > 0 {
            said.push_str(&format!(
                " {} {} not reached: name a folder, or a type, to look further.",
                words::plural(self.beyond, "file"),
                if self.beyond == 1 { "was" } else { "were" },
            ));
        }
        if self.closed > 0 {
            said.push_str(&format!(
                " {} could not be opened: check that {} may be read.",
                words::plural(self.closed, "file"),
                if self.closed == 1 { "it" } else { "they" },
            ));
        }
        if self.cut > 0 {
            said.push_str(&format!(
                " {} searched up to the first megabyte only.",
                if self.cut == 1 {
                    "One long file was".to_owned()
                } else {
                    format!("{} long files were", self.cut)
                }
            ));
        }
        if none_found && self.other > 0 {
            said.push_str(&format!(
                " Of {} that {} not text, only the {} looked at.",
                words::plural(self.other, "file"),
                if self.other == 1 { "is" } else { "are" },
                if self.other == 1 {
                    "name was"
                } else {
                    "names were"
                },
            ));
        }
        said
    }
}

/// Searches files: those whose name contains the words come first, then those with the most matching lines.
fn search(files: Vec<FileRow>, wanted: &str, stopped: &Stopped) -> Result<Searched, Stop> {
    let mut bytes = 0;
    let mut unread = Unread::default();
    let mut found: Vec<(bool, usize, FileRow)> = Vec::new();
    for mut file in files {
        stopped.check()?;
        let named = all_words(wanted, &file.name);
        let mut hits = 0;
        if !file.text {
            unread.other += 1;
        } else if bytes >= BYTES_MAX {
            unread.beyond += 1;
        } else {
            bytes += file.size.min(FILE_BYTES_MAX as u64);
            match text_in(&file, FILE_BYTES_MAX) {
                Ok(Some((content, cut))) => {
                    unread.cut += usize::from(cut);
                    (hits, file.snippets) = lines(&content, wanted);
                }
                Ok(None) => unread.other += 1,
                Err(_) => unread.closed += 1,
            }
        }
        if named || hits > 0 {
            found.push((named, hits, file));
        }
    }
    found.sort_by_key(|(named, hits, _)| std::cmp::Reverse((*named, *hits)));
    let rows = found.into_iter().map(|(_, _, file)| file).collect();
    Ok(Searched { rows, unread })
}

/// Returns the number of matching lines and the first of them. A line matches if it contains all words; if no line does
/// but the whole text does, a line matches that contains any of them.
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
    let together = shown(&|line| all_words(wanted, line));
    if together.0 > 0 || !all_words(wanted, content) {
        return together;
    }
    let parts = spoken_words(wanted);
    shown(&|line| parts.iter().any(|word| all_words(word, line)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_opened_is_not_taken_for_something_else() {
        let gone = FileRow {
            path: "/nowhere/gone.txt".into(),
            name: "gone.txt".into(),
            folder: String::new(),
            size: 1,
            modified: None,
            text: true,
            snippets: Vec::new(),
        };
        let searched = search(vec![gone], "zebra", &Stopped::never()).expect("searched");
        assert!(!searched.unread.nothing());
        assert_eq!(
            searched.unread.words(true),
            " 1 file could not be opened: check that it may be read."
        );
    }
}
