//! Labels of notes and tasks.

use adjutant_domain::outcome::Stop;
use adjutant_text::same;

use crate::select::{bad, check_length};

/// Labels of one note or task.
const LABELS_MAX: usize = 50;
/// Characters of a label.
const LABEL_CHARS_MAX: usize = 100;

/// Adds labels to those there are: without space around, none twice, however it is written.
///
/// # Errors
/// When there would be too many, or one is too long.
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

/// Takes labels away, however they are written.
pub(crate) fn remove(labels: &mut Vec<String>, removed: &[String]) {
    labels.retain(|label| !removed.iter().any(|gone| same(label, gone)));
}
