//! Through the open folders, within bounds; what was not looked at is known and said.

use std::collections::HashSet;
use std::path::PathBuf;

use adjutant_domain::outcome::Stop;
use ignore::WalkBuilder;

use super::FileRow;
use super::access::row_of;
use super::blocking::Stopped;
use crate::words;

/// Files looked at in one search.
const FILES_MAX: usize = 100_000;
/// Folders inside folders.
const DEPTH_MAX: usize = 24;

/// What a walk found, and what it did not look at.
#[derive(Debug, Default)]
pub(super) struct Walked {
    pub(super) rows: Vec<FileRow>,
    pub(super) missed: Missed,
}

/// What was not looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Missed {
    /// Files looked at, where there were more of them.
    stopped_at: Option<usize>,
    /// Folders and files that could not be opened.
    closed: usize,
}

/// Folders to look in, each with the open folder it belongs to.
pub(super) type Starts = Vec<(PathBuf, PathBuf)>;

/// Every file that fits. Hidden names are skipped, links are not followed.
///
/// # Errors
/// When nobody waits for it any more.
pub(super) fn walk(
    starts: Starts,
    fits_name: impl Fn(&str) -> bool,
    fits: impl Fn(&FileRow) -> bool,
    stopped: &Stopped,
) -> Result<Walked, Stop> {
    walk_at_most(FILES_MAX, starts, fits_name, fits, stopped)
}

fn walk_at_most(
    most: usize,
    starts: Starts,
    fits_name: impl Fn(&str) -> bool,
    fits: impl Fn(&FileRow) -> bool,
    stopped: &Stopped,
) -> Result<Walked, Stop> {
    let mut walked = Walked::default();
    let mut seen = 0;
    // Open folders may lie in each other.
    let mut known = (starts.len() > 1).then(HashSet::<PathBuf>::new);
    for (start, root) in starts {
        let entries = WalkBuilder::new(&start)
            .standard_filters(false)
            .hidden(true)
            .follow_links(false)
            .max_depth(Some(DEPTH_MAX))
            .sort_by_file_name(std::cmp::Ord::cmp)
            .build();
        for entry in entries {
            stopped.check()?;
            let Ok(entry) = entry else {
                walked.missed.closed += 1;
                continue;
            };
            if !entry.file_type().is_some_and(|kind| kind.is_file()) {
                continue;
            }
            if seen == most {
                walked.missed.stopped_at = Some(most);
                return Ok(walked);
            }
            seen += 1;
            if !fits_name(&entry.file_name().to_string_lossy()) {
                continue;
            }
            let path = entry.into_path();
            if let Some(known) = &mut known
                && !known.insert(path.clone())
            {
                continue;
            }
            match row_of(path, &root) {
                Some(row) if fits(&row) => walked.rows.push(row),
                Some(_) => {}
                None => walked.missed.closed += 1,
            }
        }
    }
    Ok(walked)
}

impl Missed {
    /// Whether everything was looked at.
    pub(super) fn nothing(self) -> bool {
        self == Self::default()
    }

    /// What was not looked at, as sentences that follow others; empty when that is nothing.
    pub(super) fn words(self) -> String {
        let mut said = String::new();
        if let Some(count) = self.stopped_at {
            said.push_str(&format!(
                " Only the first {} were looked at: name a folder to see further.",
                words::plural(count, "file")
            ));
        }
        if self.closed > 0 {
            said.push_str(&format!(
                " {} could not be looked into.",
                words::plural(self.closed, "place")
            ));
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn names(walked: &Walked) -> Vec<&str> {
        walked.rows.iter().map(|row| row.name.as_str()).collect()
    }

    #[test]
    fn what_is_beyond_the_bound_is_said_and_what_lies_in_two_folders_is_one() {
        let dir = tempfile::tempdir().expect("a folder");
        let root = dir.path().to_path_buf();
        fs::create_dir(root.join("inner")).expect("a folder");
        for name in ["a.txt", "b.txt", "inner/c.txt"] {
            fs::write(root.join(name), "x").expect("a file");
        }
        let both = vec![
            (root.clone(), root.clone()),
            (root.join("inner"), root.join("inner")),
        ];
        let all = walk(both.clone(), |_| true, |_| true, &Stopped::never()).expect("walked");
        assert_eq!(names(&all), ["a.txt", "b.txt", "c.txt"]);
        assert!(all.missed.nothing());
        let two = walk_at_most(2, both.clone(), |_| true, |_| true, &Stopped::never());
        let two = two.expect("walked");
        assert_eq!(names(&two), ["a.txt", "b.txt"]);
        assert_eq!(
            two.missed.words(),
            " Only the first 2 files were looked at: name a folder to see further."
        );
        let exact = walk_at_most(
            3,
            vec![(root.clone(), root)],
            |_| true,
            |_| true,
            &Stopped::never(),
        );
        assert!(exact.expect("walked").missed.nothing());
        let late = Stopped::never();
        late.stop();
        assert!(walk(both, |_| true, |_| true, &late).is_err());
    }
}
