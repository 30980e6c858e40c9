//! Finds files by a filter.

use std::cmp::Reverse;

use adjutant_domain::faults::ToolFault;
use adjutant_domain::filter::Window;
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_text::{all_words, fold_line};
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::FileRow;
use super::access::{inside, roots, roots_and_absent};
use super::blocking::blocking;
use super::walk::{Walked, walk};
use crate::select::{
    Except, Filter, Found, Loosened, Narrowing, Pick, check_range, window_words, without,
};
use crate::words;

/// Which files are meant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct FileFilter {
    /// Only in this folder: a path, or the name of an open folder.
    pub folder: Option<String>,
    /// Words of the name, or a pattern with `*`.
    pub name: Option<String>,
    /// Only with one of these endings, without dot.
    pub extensions: Option<Vec<String>>,
    /// Changed from here on.
    pub modified_from: Option<Moment>,
    /// Changed before this.
    pub modified_to: Option<Moment>,
    /// Left out: whatever fits any of these filters.
    pub except: Option<Except<FileFilter>>,
    /// Order.
    pub order: Option<Order>,
    /// Which of those that fit.
    pub pick: Option<Pick>,
    /// At most so many.
    pub limit: Option<usize>,
    /// Which question the words answer; only `file.list` reads it.
    pub ask: Option<FileQuestion>,
}

/// Orders of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Order {
    /// By name.
    #[default]
    #[serde(rename = "name")]
    Name,
    /// Latest change first.
    #[serde(rename = "-modified")]
    ModifiedDown,
    /// Earliest change first.
    #[serde(rename = "modified")]
    Modified,
    /// Smallest first.
    #[serde(rename = "size")]
    Size,
    /// Largest first.
    #[serde(rename = "-size")]
    SizeDown,
}

/// Questions about files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
// The name is part of the schema, whose hash is part of every waiting approval.
#[schemars(rename = "Ask")]
pub enum FileQuestion {
    /// Which ones.
    #[default]
    List,
    /// How many.
    Count,
    /// Whether there are any.
    Any,
}

#[async_trait]
impl Filter for FileFilter {
    type Row = FileRow;

    fn narrowing(&self) -> Narrowing<'_, Self> {
        Narrowing::of(&self.except, self.pick, self.limit)
    }

    async fn find(&self, _acting: bool, _need: Option<usize>, cx: &Cx) -> Found<FileRow> {
        let walked = self.look(cx).await?;
        if walked.rows.is_empty() && !walked.missed.nothing() {
            let what = format!(
                "No {} were found.{}",
                self.sought(cx),
                walked.missed.words()
            );
            return Err(ToolFault::NotFound { what }.into());
        }
        Ok(walked.rows.into())
    }

    async fn among(&self, rows: &[FileRow], cx: &Cx) -> Result<Vec<FileRow>, Stop> {
        let window = check_range(self.modified_from.as_ref(), self.modified_to.as_ref(), cx)?;
        let (filter, folders) = (self.clone(), cx.settings.folders.clone());
        let mut found = rows.to_vec();
        // The rows are known, so the exceptions do not search the disk again.
        blocking(move |_| {
            let inner = match &filter.folder {
                Some(folder) => Some(inside(folder, &roots(&folders)?)?.0),
                None => None,
            };
            found.retain(|row| {
                inner
                    .as_ref()
                    .is_none_or(|inner| row.path.starts_with(inner))
                    && filter.fits_name(&row.name)
                    && fits_time(row, window)
            });
            filter.sort(&mut found);
            Ok(found)
        })
        .await
    }

    async fn loosened(&self, _: &Cx) -> Result<Vec<Loosened<Self>>, Stop> {
        // Files are only read, and a list of files shows what there is.
        Ok(Vec::new())
    }

    fn described(&self, cx: &Cx) -> String {
        let mut said = "files".to_owned();
        words::add_quoted(&mut said, "called", self.name.as_deref());
        if let Some(endings) = self.extensions.as_ref().filter(|list| !list.is_empty()) {
            said.push_str(&format!(" of type {}", words::join(endings)));
        }
        words::add_quoted(&mut said, "in", self.folder.as_deref());
        let when = window_words(self.modified_from.as_ref(), self.modified_to.as_ref(), cx);
        if !when.is_empty() {
            said.push_str(&format!(" changed{when}"));
        }
        said
    }
}

impl FileFilter {
    /// Returns every matching file, in order, and what was not searched.
    ///
    /// # Errors
    /// Returns a fault if no folder is open, or the named folder is not in one.
    pub(super) async fn look(&self, cx: &Cx) -> Result<Walked, Stop> {
        let window = check_range(self.modified_from.as_ref(), self.modified_to.as_ref(), cx)?;
        let (filter, folders) = (self.clone(), cx.settings.folders.clone());
        let walked = blocking(move |stopped| {
            let (roots, absent) = roots_and_absent(&folders)?;
            let (starts, absent) = match &filter.folder {
                Some(folder) => (vec![inside(folder, &roots)?], Vec::new()),
                None => {
                    let starts = roots.into_iter().map(|root| (root.clone(), root));
                    (starts.collect(), absent)
                }
            };
            let named = |name: &str| filter.fits_name(name);
            let mut walked = walk(starts, absent, named, |row| fits_time(row, window), stopped)?;
            filter.sort(&mut walked.rows);
            Ok(walked)
        })
        .await?;
        let rows = without(walked.rows, self.except.as_ref(), cx).await?.rows;
        Ok(Walked { rows, ..walked })
    }

    fn fits_name(&self, name: &str) -> bool {
        let ending = name
            .rsplit_once('.')
            .map(|(_, ending)| ending.to_lowercase())
            .unwrap_or_default();
        let ending_fits = self.extensions.as_ref().is_none_or(|list| {
            list.is_empty()
                || list
                    .iter()
                    .any(|one| one.trim_start_matches('.').to_lowercase() == ending)
        });
        ending_fits
            && self.name.as_deref().is_none_or(|wanted| {
                if wanted.contains('*') {
                    matches(&fold_line(wanted), &fold_line(name))
                } else {
                    all_words(wanted, name) || fold_line(name).contains(&fold_line(wanted))
                }
            })
    }

    fn sort(&self, rows: &mut [FileRow]) {
        rows.sort_by_key(|row| (fold_line(&row.name), row.path.clone()));
        match self.order.unwrap_or_default() {
            Order::Name => {}
            Order::Modified => rows.sort_by_key(|row| row.modified),
            Order::ModifiedDown => rows.sort_by_key(|row| Reverse(row.modified)),
            Order::Size => rows.sort_by_key(|row| row.size),
            Order::SizeDown => rows.sort_by_key(|row| Reverse(row.size)),
        }
    }
}

fn fits_time(row: &FileRow, window: Window) -> bool {
    window.is_open() || row.modified.is_some_and(|at| window.holds(at))
}

/// Matches a pattern in which `*` stands for anything. Finds the pieces from the left, which needs no backtracking.
fn matches(pattern: &str, name: &str) -> bool {
    let pieces: Vec<&str> = pattern.split('*').collect();
    let [first, middle @ .., last] = pieces.as_slice() else {
        return pattern == name;
    };
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    for piece in middle {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, name, fits) in [
            ("*.pdf", "a.pdf", true),
            ("*.pdf", "a.pdf.txt", false),
            ("inv*2026*", "invoice-2026-01.pdf", true),
            ("inv*2026*", "report-2026.pdf", false),
            ("a", "a", true),
            ("a", "ab", false),
            ("a*a", "a", false),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }
}
