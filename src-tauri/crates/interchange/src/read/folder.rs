//! Folders: one made by export, whose records are read verbatim, or any folder of files in the known formats.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use adjutant_domain::faults::io_reason;
use adjutant_domain::provenance::Provenance;
use adjutant_domain::record::Record;
use serde::Deserialize;

use super::mail::Marks;
use super::{
    FILES_MAX, Format, Incoming, Item, Items, Refused, Seed, Unreadable, Why, keep, mbox, open,
    open_file,
};
use crate::names::{MAIL_FILE, MANIFEST_FILE, RECORDS_FILE};

/// Longest line of a records file, in bytes.
const RECORD_BYTES_MAX: usize = 16 * 1024 * 1024;

/// A line of the records file.
#[derive(Deserialize)]
struct Line {
    #[serde(flatten)]
    record: Record,
    /// The author of the record according to the file.
    #[serde(default)]
    provenance: Option<Provenance>,
}

pub(super) fn read(dir: &Path, seed: &Seed) -> Result<Items, Unreadable> {
    if dir.join(MANIFEST_FILE).is_file() {
        return exported(dir, seed);
    }
    let Walk { files, unreadable } = walk(dir, FILES_MAX);
    if files.is_empty() && unreadable.is_empty() {
        return Err(Why::Format.of(dir));
    }
    let seed = seed.clone();
    let of_files = files
        .into_iter()
        .flat_map(move |file| open(&file, &seed).unwrap_or_else(none_of));
    Ok(Box::new(
        of_files.chain(unreadable.into_iter().flat_map(none_of)),
    ))
}

/// Returns an unreadable path as a single refused item.
fn none_of(Unreadable { path, why }: Unreadable) -> Items {
    Box::new(std::iter::once(Err(Refused {
        file: path,
        item: "file".into(),
        reason: why.to_string(),
    })))
}

/// The contents of a folder and its subfolders.
#[derive(Default)]
struct Walk {
    /// Files in a known format, sorted.
    files: Vec<PathBuf>,
    /// Folders and files that could not be inspected.
    unreadable: Vec<Unreadable>,
}

/// Collects at most `most` files; if there are more, the folder where the limit was exceeded is listed as unreadable.
fn walk(dir: &Path, most: usize) -> Walk {
    let mut found = Walk::default();
    let mut todo = vec![dir.to_path_buf()];
    while let Some(dir) = todo.pop() {
        if let Err(error) = look_into(&dir, most, &mut todo, &mut found.files) {
            found.unreadable.push(Why::io(&error).of(&dir));
        }
        if found.files.len() > most {
            found.files.truncate(most);
            found.unreadable.push(Why::TooMany(most).of(&dir));
            break;
        }
    }
    found.files.sort();
    found
}

/// Adds the subfolders and files of one folder, stopping once there is one file more than `most`. Does not follow
/// links.
fn look_into(
    dir: &Path,
    most: usize,
    todo: &mut Vec<PathBuf>,
    files: &mut Vec<PathBuf>,
) -> std::io::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        let (kind, path) = (entry.file_type()?, entry.path());
        if kind.is_dir() {
            todo.push(path);
        } else if kind.is_file() && is_known(&path) {
            files.push(path);
            if files.len() > most {
                break;
            }
        }
    }
    Ok(())
}

/// Whether a file is in a known format. JSON counts only if it looks like a note, because other programs use it for
/// anything.
fn is_known(path: &Path) -> bool {
    match Format::of(path) {
        None => false,
        Some(Format::Keep) => keep::is_note(path),
        Some(_) => true,
    }
}

fn exported(dir: &Path, seed: &Seed) -> Result<Items, Unreadable> {
    let path = dir.join(RECORDS_FILE);
    let name = path.display().to_string();
    let lines = BufReader::new(open_file(&path)?).split(b'\n');
    let records = lines
        .enumerate()
        .filter_map(move |(index, bytes)| -> Option<Item> {
            let refuse = |reason: String| {
                Err(Refused {
                    file: name.clone(),
                    item: format!("line {}", index + 1),
                    reason,
                })
            };
            let bytes = match bytes {
                Ok(bytes) if bytes.iter().all(u8::is_ascii_whitespace) => return None,
                Ok(bytes) if bytes.len() > RECORD_BYTES_MAX => {
                    return Some(refuse("is too long".into()));
                }
                Ok(bytes) => bytes,
                Err(error) => return Some(refuse(io_reason(&error))),
            };
            Some(match serde_json::from_slice::<Line>(&bytes) {
                Ok(mut line) => {
                    line.record.set_version(0);
                    Ok(Incoming {
                        record: line.record,
                        raw: None,
                        provenance: line.provenance,
                    })
                }
                Err(error) => refuse(error.to_string()),
            })
        });
    let mail = dir.join(MAIL_FILE);
    if mail.is_file() {
        let name = mail.display().to_string();
        let mails = mbox::read(open_file(&mail)?, name, seed.clone(), Marks::Export);
        return Ok(Box::new(records.chain(mails)));
    }
    Ok(Box::new(records))
}

#[cfg(test)]
mod tests {
    use super::{Walk, walk};

    #[test]
    fn what_is_not_looked_at_is_named() {
        let dir = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(dir.path().join("in")).expect("a folder in it");
        for file in ["a.md", "b.txt", "in/c.md", "in/d.MD"] {
            std::fs::write(dir.path().join(file), "x").expect("a file");
        }
        let names = |found: &Walk| -> Vec<String> {
            let names = found.files.iter().filter_map(|file| file.file_name());
            names.map(|name| name.to_string_lossy().into()).collect()
        };
        let all = walk(dir.path(), 3);
        assert_eq!(names(&all), ["a.md", "c.md", "d.MD"]);
        assert!(all.unreadable.is_empty());
        let cut = walk(dir.path(), 2);
        assert_eq!(cut.files.len(), 2);
        assert!(
            cut.unreadable[0]
                .to_string()
                .ends_with("holds more than 2 files that can be imported")
        );
        let gone = dir.path().join("gone");
        let none = walk(&gone, 3);
        assert_eq!(
            none.unreadable[0].to_string(),
            format!("{} cannot be read: it does not exist", gone.display())
        );
    }
}
