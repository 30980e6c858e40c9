//! Walks through the opened folders, within limits, and records what it did not visit.

use std::path::PathBuf;

use adjutant_domain::outcome::Stop;
use ignore::WalkBuilder;

use super::FileRow;
use super::access::row_of;
use super::blocking::Stopped;
use crate::words;

/// Maximum files visited in one search.
const FILES_MAX: usize = 100_000;
/// Maximum depth of nested folders.
const DEPTH_MAX: usize = 24;

/// Maximum missing opened folders that are named.
const NAMED_MAX: usize = 3;

/// The files a walk found, and what it did not visit.
#[derive(Debug, Default)]
pub(super) struct Walked {
    pub(super) rows: Vec<FileRow>,
    pub(super) missed: Missed,
}

/// What a walk did not visit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Missed {
    /// Number of files visited, if the walk stopped at the limit.
    stopped_at: Option<usize>,
    /// Folders that are nested too deeply.
    deep: usize,
    /// Folders and files that could not be opened.
    closed: usize,
    /// Opened folders that are missing.
    absent: Vec<String>,
}

/// Folders to walk, each with the opened folder it belongs to.
pub(super) type Starts = Vec<(PathBuf, PathBuf)>;

/// Returns every matching file. Skips hidden names and does not follow links. `absent` are missing opened folders that
/// should have been visited as well.
///
/// # Errors
/// Returns a fault if nobody waits for the result any more.
pub(super) fn walk(
    starts: Starts,
    absent: Vec<String>,
    fits_name: impl Fn(&str) -> bool,
    fits: impl Fn(&FileRow) -> bool,
    stopped: &Stopped,
) -> Result<Walked, Stop> {
    let mut walked = walk_at_most(FILES_MAX, starts, fits_name, fits, stopped)?;
    walked.missed.absent = absent;
    Ok(walked)
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
    let folders: Vec<PathBuf> = starts.iter().map(|(start, _)| start.clone()).collect();
    for (start, root) in starts {
        // An opened folder inside this one is walked separately.
        let others = folders.clone();
        let entries = WalkBuilder::new(&start)
            .standard_filters(false)
            .hidden(true)
            .follow_links(false)
            .max_depth(Some(DEPTH_MAX))
            .sort_by_file_name(std::cmp::Ord::cmp)
            .filter_entry(move |entry| {
                entry.depth() == 0 || !others.iter().any(|other| other == entry.path())
            })
            .build();
        for entry in entries {
            stopped.check()?;
            let Ok(entry) = entry else {
                walked.missed.closed += 1;
                continue;
            };
            let kind = entry.file_type();
            if kind.is_some_and(|kind| kind.is_dir()) && entry.depth() == DEPTH_MAX {
                walked.missed.deep += 1;
            }
            if !kind.is_some_and(|kind| kind.is_file()) {
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
            match row_of(entry.into_path(), &root) {
                Some(row) if fits(&row) => walked.rows.push(row),
                Some(_) => {}
                None => walked.missed.closed += 1,
            }
        }
    }
    Ok(walked)
}

impl Missed {
    /// Returns whether the walk visited everything.
    pub(super) fn nothing(&self) -> bool {
        *self == Self::default()
    }

    /// Returns what was not visited as sentences that follow others; empty if nothing was missed.
    pub(super) fn words(&self) -> String {
        let mut said = String::new();
        if let Some(count) = self.stopped_at {
            said.push_str(&format!(
                " Only the first {} were looked at: name a folder to see further.",
                words::plural(count, "file")
            ));
        }
        if self.deep > 0 {
            said.push_str(&format!(
                " {} in more than {} others {} not looked into: name {} to see further.",
                words::plural(self.deep, "folder"),
                DEPTH_MAX - 1,
                if self.deep == 1 { "was" } else { "were" },
                if self.deep == 1 { "it" } else { "one" },
            ));
        }
        if self.closed > 0 {
            said.push_str(&format!(
                " {} could not be looked into: check that they may be read.",
                words::plural(self.closed, "place")
            ));
        }
        if !self.absent.is_empty() {
            let named: Vec<String> = self.absent.iter().map(|name| words::quoted(name)).collect();
            let one = self.absent.len() == 1;
            said.push_str(&format!(
                " The open {} {} {} not there: connect the drive, or close {} in Settings, Folders.",
                words::nouns(self.absent.len(), "folder"),
                words::join_some(&named, NAMED_MAX),
                if one { "is" } else { "are" },
                if one { "it" } else { "them" },
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
        let all = walk(
            both.clone(),
            Vec::new(),
            |_| true,
            |_| true,
            &Stopped::never(),
        )
        .expect("walked");
        assert_eq!(names(&all), ["a.txt", "b.txt", "c.txt"]);
        assert!(all.missed.nothing());
        let three = walk_at_most(3, both.clone(), |_| true, |_| true, &Stopped::never());
        let three = three.expect("walked");
        assert!(three.missed.nothing(), "none is counted twice");
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
        assert!(walk(both, Vec::new(), |_| true, |_| true, &late).is_err());
    }

    #[test]
    fn what_lies_too_deep_or_is_not_there_is_said() {
        let dir = tempfile::tempdir().expect("a folder");
        let root = dir.path().to_path_buf();
        let deep = (0..DEPTH_MAX).fold(root.clone(), |path, _| path.join("d"));
        fs::create_dir_all(&deep).expect("folders");
        fs::write(deep.join("x.txt"), "x").expect("a file");
        let look = |start: PathBuf, absent: &[&str]| {
            let absent = absent.iter().map(|name| (*name).to_owned()).collect();
            let starts = vec![(start, root.clone())];
            walk(starts, absent, |_| true, |_| true, &Stopped::never()).expect("walked")
        };
        let walked = look(root.clone(), &["/usb"]);
        assert_eq!(names(&walked), [""; 0]);
        assert!(!walked.missed.nothing());
        assert_eq!(
            walked.missed.words(),
            " 1 folder in more than 23 others was not looked into: name it to see further. The open folder “/usb” is not \
             there: connect the drive, or close it in Settings, Folders."
        );
        let nearer = look(root.join("d"), &[]);
        assert_eq!(names(&nearer), ["x.txt"]);
        assert!(nearer.missed.nothing());
    }
}
