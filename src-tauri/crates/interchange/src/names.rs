//! Names of files and headers by which an import knows an export of ours.

/// Says that a folder was made by export, and in which form.
pub const MANIFEST_FILE: &str = "manifest.json";
/// Every record but mail, one JSON object a line.
pub const RECORDS_FILE: &str = "records.jsonl";
/// All mail, as received.
pub const MAIL_FILE: &str = "mail.mbox";

/// Header in which an export keeps the folder.
pub(crate) const FOLDER_HEADER: &str = "X-Adjutant-Folder";
/// Header in which an export keeps flags: `read`, `starred`.
pub(crate) const FLAGS_HEADER: &str = "X-Adjutant-Flags";
/// Header in which an export keeps labels, separated by commas.
pub(crate) const LABELS_HEADER: &str = "X-Adjutant-Labels";
