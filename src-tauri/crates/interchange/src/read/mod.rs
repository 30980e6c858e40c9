//! Readers: turn a path into records.

mod csv_tasks;
mod folder;
mod ical;
mod ical_task;
mod ical_time;
mod ical_zone;
mod invitation;
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
use adjutant_domain::moment::Moment;
use adjutant_domain::ports::Entropy;
pub use adjutant_domain::ports::Incoming;
use adjutant_domain::record::Kind;
use jiff::{Timestamp, Zoned};

pub use invitation::{Carried, Method, carried};
use mail::Marks;
pub use mail::{file_name, name_of, parse as parse_mail};

/// Largest calendar, address book or table, in bytes.
pub const TEXT_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Largest note, in bytes.
pub const NOTE_BYTES_MAX: u64 = 2 * 1024 * 1024;
/// Largest single mail, in bytes.
pub const MAIL_BYTES_MAX: usize = 50 * 1024 * 1024;
/// Highest number of files read from a folder and its subfolders.
pub const FILES_MAX: usize = 100_000;

/// One record, or the reason why there is none.
pub type Item = Result<Incoming, Refused>;
/// The records of a path, read lazily.
pub type Items = Box<dyn Iterator<Item = Item> + Send>;

/// An item that was not imported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}, {item}: {reason}")]
pub struct Refused {
    /// Path of the file.
    pub file: String,
    /// The item: a line, UID or subject.
    pub item: String,
    /// Reason, in plain words.
    pub reason: String,
}

/// A path that cannot be imported at all.
#[derive(Debug, thiserror::Error)]
#[error("{path} {why}")]
pub struct Unreadable {
    /// The path.
    pub path: String,
    /// Reason; its text completes a sentence that begins with the path.
    pub why: Why,
}

/// Why a path cannot be imported.
#[derive(Debug, thiserror::Error)]
pub enum Why {
    /// The operating system reports an error.
    #[error("cannot be read: {0}")]
    Io(String),
    /// Not one of the known formats.
    #[error(
        "is not a file that can be imported (.ics .mbox .eml .vcf .csv .md, notes of Google Keep, or a folder of such files)"
    )]
    Format,
    /// Binary data in a file whose format is text.
    #[error("is not text, whatever its name says")]
    NoText,
    /// Larger than the limit, which is in bytes.
    #[error("is larger than {0} bytes")]
    TooLarge(u64),
    /// A folder with more files than the limit.
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

/// What readers need from outside: the current time, the person's zone, and randomness for identifiers.
#[derive(Clone)]
pub struct Seed {
    /// Current time, in the person's zone.
    pub now: Zoned,
    /// Source of randomness for identifiers.
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

/// Returns the instant of a moment; a day counts from its beginning in the person's zone.
fn instant(moment: &Moment, seed: &Seed) -> Option<Timestamp> {
    match moment {
        Moment::At(at) => Some(at.timestamp()),
        Moment::Day(day) => {
            let begins = day.to_zoned(seed.now.time_zone().clone()).ok()?;
            Some(begins.timestamp())
        }
    }
}

/// The formats that can be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// iCalendar file.
    Ical,
    /// mbox file with many mails.
    Mbox,
    /// File with one mail.
    Eml,
    /// vCard address book.
    Vcard,
    /// CSV table of tasks.
    Csv,
    /// Markdown note.
    Markdown,
    /// Google Keep note.
    Keep,
    /// Folder made by export, or one with files in these formats.
    Folder,
}

impl Format {
    /// Returns the format of a path, by its extension (ignoring case); `None` if it is not known.
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
/// [`Unreadable`] if the path cannot be read, is too large, or has no known format.
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

/// Reads a calendar that is not a file. `name` names the source of refused items, and is the calendar of the events
/// if the text does not name one.
#[must_use]
pub fn calendar(text: &str, name: &str, seed: &Seed) -> Items {
    ical::read(text, name, seed)
}

/// Reads address cards that are not a file; `name` as for [`calendar`].
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

/// Returns one line of text: replaces control characters by spaces, keeps at most `chars_max` characters and trims
/// both ends.
fn line(text: &str, chars_max: usize) -> String {
    let clean: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(chars_max)
        .collect();
    clean.trim().to_owned()
}
