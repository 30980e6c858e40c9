//! Names of files and headers by which an import recognises one of our exports.

/// File that marks a folder as made by export and states its format.
pub const MANIFEST_FILE: &str = "manifest.json";
/// File with every record except mail, one JSON object per line.
pub const RECORDS_FILE: &str = "records.jsonl";
/// File with all mail, as received.
pub const MAIL_FILE: &str = "mail.mbox";

/// Header in which an export stores the folder.
pub(crate) const FOLDER_HEADER: &str = "X-Adjutant-Folder";
/// Header in which an export stores flags: `read`, `starred`.
pub(crate) const FLAGS_HEADER: &str = "X-Adjutant-Flags";
/// Header in which an export stores labels, separated by commas.
pub(crate) const LABELS_HEADER: &str = "X-Adjutant-Labels";
