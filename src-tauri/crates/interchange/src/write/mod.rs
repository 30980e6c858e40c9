//! Export: writes everything in a profile in formats that other programs read, and verbatim in our own.

mod answer;
pub(crate) mod ical;
mod mbox;

pub use answer::answer;
pub use ical::date as date_property;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use adjutant_domain::faults::io_reason;
use adjutant_domain::provenance::Provenance;
use adjutant_domain::record::{Note, Priority, Record, Task, TaskStatus};
use serde::Serialize;
use serde_json::Value;

pub use crate::names::{MAIL_FILE, MANIFEST_FILE, RECORDS_FILE};

/// File with all events.
pub const CALENDAR_FILE: &str = "calendar.ics";
/// File with the address book.
pub const CONTACTS_FILE: &str = "contacts.vcf";
/// File with all tasks.
pub const TASKS_FILE: &str = "tasks.csv";
/// Folder with the notes.
pub const NOTES_DIR: &str = "notes";
/// Version of the export format.
pub const EXPORT_VERSION: u32 = 1;

/// A line of the records file.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    record: &'a Record,
    #[serde(skip_serializing_if = "Option::is_none")]
    provenance: Option<&'a Provenance>,
}

/// The reason why an export cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportFault {
    /// The folder is not empty.
    #[error("{0} is not empty; choose a new folder")]
    NotEmpty(String),
    /// The operating system reports an error.
    #[error("{path} cannot be written: {}", io_reason(.source))]
    Io {
        /// Path of the file or folder.
        path: String,
        /// Error reported by the system.
        source: std::io::Error,
    },
    /// A record cannot be serialised.
    #[error("a record cannot be written: {0}")]
    Record(String),
}

/// Writes an export, record by record.
pub struct Exporter {
    dir: PathBuf,
    records: BufWriter<File>,
    mail: BufWriter<File>,
    calendar: BufWriter<File>,
    contacts: BufWriter<File>,
    tasks: csv::Writer<File>,
    note_names: BTreeSet<String>,
    files: Vec<String>,
}

impl Exporter {
    /// Starts an export in a new or empty folder.
    ///
    /// # Errors
    /// [`ExportFault::NotEmpty`] if the folder is not empty, [`ExportFault::Io`] if it cannot be written.
    pub fn new(dir: &Path) -> Result<Self, ExportFault> {
        let fault = |source| ExportFault::Io {
            path: dir.display().to_string(),
            source,
        };
        std::fs::create_dir_all(dir).map_err(fault)?;
        if std::fs::read_dir(dir).map_err(fault)?.next().is_some() {
            return Err(ExportFault::NotEmpty(dir.display().to_string()));
        }
        let create = |name: &str| create(&dir.join(name));
        let mut export = Self {
            dir: dir.to_path_buf(),
            records: BufWriter::new(create(RECORDS_FILE)?),
            mail: BufWriter::new(create(MAIL_FILE)?),
            calendar: BufWriter::new(create(CALENDAR_FILE)?),
            contacts: BufWriter::new(create(CONTACTS_FILE)?),
            tasks: csv::Writer::from_writer(create(TASKS_FILE)?),
            note_names: BTreeSet::new(),
            files: [
                RECORDS_FILE,
                MAIL_FILE,
                CALENDAR_FILE,
                CONTACTS_FILE,
                TASKS_FILE,
            ]
            .map(String::from)
            .to_vec(),
        };
        export.write(CALENDAR_FILE, |this| {
            this.calendar.write_all(ical::HEAD.as_bytes())
        })?;
        export
            .tasks
            .write_record([
                "title",
                "notes",
                "due",
                "priority",
                "status",
                "rrule",
                "start",
                "tags",
                "completed_at",
            ])
            .map_err(|error| ExportFault::Record(error.to_string()))?;
        Ok(export)
    }

    /// Writes one record. `source` is the unmodified source of a mail. `provenance` is stored with every other
    /// record; mail is foreign text in any case.
    ///
    /// # Errors
    /// When the record cannot be written.
    pub fn put(
        &mut self,
        record: &Record,
        source: Option<&[u8]>,
        provenance: Option<&Provenance>,
    ) -> Result<(), ExportFault> {
        match record {
            Record::Mail(mail) => {
                return self.write(MAIL_FILE, |this| mbox::write(&mut this.mail, mail, source));
            }
            Record::Event(event) => self.write(CALENDAR_FILE, |this| {
                this.calendar.write_all(ical::event(event).as_bytes())
            })?,
            Record::Contact(contact) => {
                self.write(CONTACTS_FILE, |this| {
                    this.contacts.write_all(ical::contact(contact).as_bytes())
                })?;
            }
            Record::Task(task) => self.task(task)?,
            Record::Note(note) => self.note(note)?,
            Record::Outbox(_) | Record::Memory(_) => {}
        }
        let line = Line { record, provenance };
        let json =
            serde_json::to_string(&line).map_err(|error| ExportFault::Record(error.to_string()))?;
        self.write(RECORDS_FILE, |this| writeln!(this.records, "{json}"))
    }

    /// Writes JSON lines into a further file of the export (conversations, activity, settings).
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn put_all(
        &mut self,
        name: &str,
        lines: impl IntoIterator<Item = Value>,
    ) -> Result<(), ExportFault> {
        let path = self.dir.join(name);
        let fault = |source| ExportFault::Io {
            path: path.display().to_string(),
            source,
        };
        let mut file = BufWriter::new(create(&path)?);
        for line in lines {
            writeln!(file, "{line}").map_err(fault)?;
        }
        file.flush().map_err(fault)?;
        self.files.push(name.to_owned());
        Ok(())
    }

    /// Finishes the export and returns the names of its files. When this returns, everything is on the disk.
    ///
    /// # Errors
    /// When the remaining data cannot be written.
    pub fn finish(mut self) -> Result<Vec<String>, ExportFault> {
        self.write(CALENDAR_FILE, |this| {
            this.calendar.write_all(ical::FOOT.as_bytes())
        })?;
        self.write(TASKS_FILE, |this| this.tasks.flush())?;
        self.write(RECORDS_FILE, |this| sync(&mut this.records))?;
        self.write(MAIL_FILE, |this| sync(&mut this.mail))?;
        self.write(CALENDAR_FILE, |this| sync(&mut this.calendar))?;
        self.write(CONTACTS_FILE, |this| sync(&mut this.contacts))?;
        // The manifest comes last, so that a folder without one is recognisably not a finished export.
        let manifest = serde_json::json!({ "made_by": "adjutant", "version": EXPORT_VERSION, "files": self.files });
        self.put_all(MANIFEST_FILE, [manifest])?;
        Ok(self.files)
    }

    fn write(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut Self) -> std::io::Result<()>,
    ) -> Result<(), ExportFault> {
        let path = self.dir.join(name).display().to_string();
        write(self).map_err(|source| ExportFault::Io { path, source })
    }

    fn task(&mut self, task: &Task) -> Result<(), ExportFault> {
        let due = task
            .due
            .as_ref()
            .map(adjutant_domain::moment::Moment::rfc3339)
            .unwrap_or_default();
        let start = task.start.map(|day| day.to_string()).unwrap_or_default();
        let priority = match task.priority {
            Priority::Low => "low",
            Priority::Medium => "medium",
            Priority::High => "high",
        };
        let status = if task.status == TaskStatus::Done {
            "done"
        } else {
            "open"
        };
        let completed = task.completed_at.map(|at| at.to_string());
        self.tasks
            .write_record([
                &task.title,
                &task.notes,
                &due,
                priority,
                status,
                task.rrule.as_deref().unwrap_or_default(),
                &start,
                &task.tags.join(", "),
                &completed.unwrap_or_default(),
            ])
            .map_err(|error| ExportFault::Record(error.to_string()))
    }

    fn note(&mut self, note: &Note) -> Result<(), ExportFault> {
        let clean: String = note
            .title
            .chars()
            .map(|c| {
                if c.is_alphanumeric() || matches!(c, ' ' | '-' | '_') {
                    c
                } else {
                    '_'
                }
            })
            .take(80)
            .collect();
        let stem = if clean.trim().is_empty() {
            note.id.0.clone()
        } else {
            clean.trim().to_owned()
        };
        let mut name = stem.clone();
        if !self.note_names.insert(name.to_lowercase()) {
            name = format!("{stem} {}", note.id);
            self.note_names.insert(name.to_lowercase());
        }
        let dir = self.dir.join(NOTES_DIR);
        let path = dir.join(format!("{name}.md"));
        let fault = |source| ExportFault::Io {
            path: path.display().to_string(),
            source,
        };
        std::fs::create_dir_all(&dir).map_err(fault)?;
        let tags = if note.tags.is_empty() {
            String::new()
        } else {
            format!("---\ntags: {}\n---\n\n", note.tags.join(", "))
        };
        std::fs::write(&path, format!("{tags}# {}\n\n{}\n", note.title, note.body))
            .map_err(fault)?;
        self.files.push(format!("{NOTES_DIR}/{name}.md"));
        Ok(())
    }
}

fn create(path: &Path) -> Result<File, ExportFault> {
    File::create(path).map_err(|source| ExportFault::Io {
        path: path.display().to_string(),
        source,
    })
}

fn sync(file: &mut BufWriter<File>) -> std::io::Result<()> {
    file.flush()?;
    file.get_ref().sync_all()
}
