//! Folders: one made by export (its records word for word), or any folder of files in the known formats.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use adjutant_domain::faults::io_reason;
use adjutant_domain::provenance::Provenance;
use adjutant_domain::record::Record;
use serde::Deserialize;

use super::mail::Marks;
use super::{
    Format, Incoming, Item, Items, Refused, Seed, Unreadable, all_files, mbox, open, open_file,
};
use crate::write::{MAIL_FILE, MANIFEST_FILE, RECORDS_FILE};

/// Longest line of a records file, in bytes.
const RECORD_BYTES_MAX: usize = 16 * 1024 * 1024;

/// A line of the records file.
#[derive(Deserialize)]
struct Line {
    #[serde(flatten)]
    record: Record,
    /// Who wrote it, as the file says.
    #[serde(default)]
    provenance: Option<Provenance>,
}

pub(super) fn read(dir: &Path, seed: &Seed) -> Result<Items, Unreadable> {
    if dir.join(MANIFEST_FILE).is_file() {
        return exported(dir, seed);
    }
    let files: Vec<PathBuf> = all_files(dir)
        .into_iter()
        .filter(|path| Format::of(path).is_some_and(|format| format != Format::Folder))
        .collect();
    if files.is_empty() {
        return Err(Unreadable::Format {
            path: dir.display().to_string(),
        });
    }
    let seed = seed.clone();
    Ok(Box::new(files.into_iter().flat_map(move |file| -> Items {
        match open(&file, &seed) {
            Ok(items) => items,
            Err(error) => Box::new(std::iter::once(Err(Refused {
                file: file.display().to_string(),
                item: "file".into(),
                reason: error.to_string(),
            }))),
        }
    })))
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
