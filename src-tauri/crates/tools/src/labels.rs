//! Labels of notes and tasks.

use adjutant_domain::outcome::Stop;
use adjutant_text::same;

use crate::select::{bad, check_length};

/// Maximum labels of one note or task.
const LABELS_MAX: usize = 50;
/// Maximum characters of a label.
const LABEL_CHARS_MAX: usize = 100;

/// Adds labels, trimmed and each once regardless of spelling.
///
/// # Errors
/// Returns a fault if there would be too many, or one is too long.
pub(crate) fn add(labels: &mut Vec<String>, added: &[String]) -> Result<(), Stop> {
    for label in added.iter().map(|label| label.trim()) {
        check_length("A label", label, LABEL_CHARS_MAX)?;
        if label.is_empty() || labels.iter().any(|one| same(one, label)) {
            continue;
        }
        if labels.len() >= LABELS_MAX {
            return Err(bad(format!("It has at most {LABELS_MAX} labels.")));
        }
        labels.push(label.to_owned());
    }
    Ok(())
}

/// Removes labels regardless of spelling.
pub(crate) fn remove(labels: &mut Vec<String>, removed: &[String]) {
    labels.retain(|label| !removed.iter().any(|gone| same(label, gone)));
}
