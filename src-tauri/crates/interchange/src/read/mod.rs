//! Readers: a path in, records out.

mod csv_tasks;
mod folder;
mod ical;
mod ical_task;
mod ical_time;
mod keep;
mod mail;
mod markdown;
mod mbox;
mod text;
mod vcard;

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use adjutant_domain::faults::io_reason;
use adjutant_domain::ids::{RecordId, render};
use adjutant_domain::ports::Entropy;
pub use adjutant_domain::ports::Incoming;
use adjutant_domain::record::Kind;
use jiff::{Timestamp, Zoned};

use mail::Marks;
pub use mail::parse as parse_mail;

/// Largest calendar, address book or table, in bytes.
pub const TEXT_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Largest note, in bytes.
pub const NOTE_BYTES_MAX: u64 = 2 * 1024 * 1024;
/// Largest single mail, in bytes.
pub const MAIL_BYTES_MAX: usize = 50 * 1024 * 1024;
/// Files read from one folder and those in it.
pub const FILES_MAX: usize = 100_000;

/// One record, or why there is none.
pub type Item = Result<Incoming, Refused>;
/// Records of a path, read as they are asked for.
pub type Items = Box<dyn Iterator<Item = Item> + Send>;

/// An item that was not imported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}, {item}: {reason}")]
pub struct Refused {
    /// File.
    pub file: String,
    /// Which item: a line, UID or subject.
    pub item: String,
    /// Why, in plain words.
    pub reason: String,
}

/// A path that cannot be imported at all.
#[derive(Debug, thiserror::Error)]
#[error("{path} {why}")]
pub struct Unreadable {
    /// Path.
    pub path: String,
    /// Why, as the rest of the sentence.
    pub why: Why,
}

/// Why a path cannot be imported.
#[derive(Debug, thiserror::Error)]
pub enum Why {
    /// The system says so.
    #[error("cannot be read: {0}")]
    Io(String),
    /// Not one of the known formats.
    #[error(
        "is not a file that can be imported (.ics .mbox .eml .vcf .csv .md, notes of Google Keep, or a folder of such files)"
    )]
    Format,
    /// Not text, though its format is.
    #[error("is not text, whatever its name says")]
    NoText,
    /// Larger than so many bytes.
    #[error("is larger than {0} bytes")]
    TooLarge(u64),
    /// A folder, where the limit of files is reached.
    #[error("holds more than {0} files that can be imported")]
    TooMany(usize),
}

impl Why {
    fn of(self, path: &Path) -> Unreadable {
        Unreadable {
            path: path.display().to_string(),
            why: self,
        }
    }

    fn io(error: &std::io::Error) -> Self {
        Self::Io(io_reason(error))
    }
}

/// What readers need from outside: now, the person's zone, and identifiers.
#[derive(Clone)]
pub struct Seed {
    /// Now, in the person's zone.
    pub now: Zoned,
    /// Randomness for identifiers.
    pub entropy: Arc<dyn Entropy>,
    /// The person's own mail addresses.
    pub own: Vec<String>,
}

impl Seed {
    pub(crate) fn id(&self, kind: Kind) -> RecordId {
        RecordId(render(kind.prefix(), self.entropy.bits()))
    }

    pub(crate) fn at(&self) -> Timestamp {
        self.now.timestamp()
    }
}

/// The formats that can be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// iCalendar.
    Ical,
    /// Many mails.
    Mbox,
    /// One mail.
    Eml,
    /// Address book.
    Vcard,
    /// Tasks.
    Csv,
    /// A note.
    Markdown,
    /// A note of Google Keep.
    Keep,
    /// A folder: made by export, or of files in these formats.
    Folder,
}

impl Format {
    /// The format of a path, by its ending (case does not matter).
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        if path.is_dir() {
            return Some(Self::Folder);
        }
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "ics" | "ical" | "ifb" => Some(Self::Ical),
            "mbox" | "mbx" => Some(Self::Mbox),
            "eml" => Some(Self::Eml),
            "vcf" | "vcard" => Some(Self::Vcard),
            "csv" => Some(Self::Csv),
            "md" | "markdown" => Some(Self::Markdown),
            "json" => Some(Self::Keep),
            _ => None,
        }
    }
}

/// Opens a path for import.
///
/// # Errors
/// When it cannot be read at all, is too large, or is of no known format.
pub fn open(path: &Path, seed: &Seed) -> Result<Items, Unreadable> {
    let name = path.display().to_string();
    let format = Format::of(path).ok_or_else(|| match std::fs::metadata(path) {
        Ok(_) => Why::Format.of(path),
        Err(error) => Why::io(&error).of(path),
    })?;
    match format {
        Format::Ical => Ok(ical::read(&text::read(path, TEXT_BYTES_MAX)?, &name, seed)),
        Format::Vcard => Ok(vcard::read(&text::read(path, TEXT_BYTES_MAX)?, &name, seed)),
        Format::Csv => Ok(csv_tasks::read(
            &text::read(path, TEXT_BYTES_MAX)?,
            &name,
            seed,
        )),
        Format::Markdown => Ok(markdown::read(
            &text::read(path, NOTE_BYTES_MAX)?,
            path,
            seed,
        )),
        Format::Keep => Ok(keep::read(&text::read(path, NOTE_BYTES_MAX)?, path, seed)),
        Format::Eml => {
            let bytes = read_bytes(path, MAIL_BYTES_MAX as u64)?;
            let item = mail::item(bytes, &name, 1, seed, Marks::Anybody);
            Ok(Box::new(std::iter::once(item)))
        }
        Format::Mbox => Ok(mbox::read(
            open_file(path)?,
            name,
            seed.clone(),
            Marks::Anybody,
        )),
        Format::Folder => folder::read(path, seed),
    }
}

/// Reads a calendar that is no file; `name` says in what is refused where it came from, and names the calendar of its
/// events where it has no name itself.
#[must_use]
pub fn calendar(text: &str, name: &str, seed: &Seed) -> Items {
    ical::read(text, name, seed)
}

/// Reads address cards that are no file; `name` as for [`calendar`].
#[must_use]
pub fn cards(text: &str, name: &str, seed: &Seed) -> Items {
    vcard::read(text, name, seed)
}

fn open_file(path: &Path) -> Result<File, Unreadable> {
    File::open(path).map_err(|error| Why::io(&error).of(path))
}

fn read_bytes(path: &Path, bytes_max: u64) -> Result<Vec<u8>, Unreadable> {
    let mut bytes = Vec::new();
    open_file(path)?
        .take(bytes_max + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Why::io(&error).of(path))?;
    if bytes.len() as u64 > bytes_max {
        return Err(Why::TooLarge(bytes_max).of(path));
    }
    Ok(bytes)
}

/// One line of text: control characters become spaces, ends are trimmed, at most `chars_max` characters.
fn line(text: &str, chars_max: usize) -> String {
    let clean: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(chars_max)
        .collect();
    clean.trim().to_owned()
}
