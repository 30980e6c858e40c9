//! Specialists: profiles for kinds of work, one file each under `prompts/specialists/`. To add one, add a file.

use crate::sources::{names, source};

/// A profile for a kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Specialist {
    /// Name of its file without folder and extension, such as `code`.
    pub name: &'static str,
    /// When it fits. Retrieval reads this; models never see it.
    pub description: &'static str,
    /// Instructions for the model.
    pub text: &'static str,
}

/// Folder of the specialists.
const FOLDER: &str = "specialists/";
/// The line before and after the front matter.
const RULE: &str = "---";
/// The one field of the front matter.
const DESCRIPTION: &str = "description:";

/// Returns all specialists, sorted by name.
pub fn specialists() -> impl Iterator<Item = Specialist> {
    names().filter_map(|file| {
        let name = file.strip_prefix(FOLDER)?;
        let (front, text) = split(source(file)?)?;
        let description = front
            .lines()
            .find_map(|line| line.strip_prefix(DESCRIPTION))?;
        Some(Specialist {
            name,
            description: description.trim(),
            text: text.trim(),
        })
    })
}

/// Returns a text without its front matter.
pub(crate) fn body(text: &str) -> &str {
    split(text).map_or(text, |(_, body)| body)
}

/// Splits a text into front matter and body. `None` if it has no front matter.
fn split(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix(RULE)?.trim_start_matches('\r');
    inside.strip_prefix('\n')?.split_once("\n---\n")
}
