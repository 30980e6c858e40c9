//! Specialists: profiles for kinds of work, one file each under `prompts/specialists/`. Adding one is adding a file.

use crate::sources::{names, source};

/// A profile for a kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Specialist {
    /// Its file's name, such as `code`.
    pub name: &'static str,
    /// When it fits: what retrieval reads, never shown to a model.
    pub description: &'static str,
    /// What it tells the model.
    pub text: &'static str,
}

/// The folder of the specialists.
const FOLDER: &str = "specialists/";
/// The line around the front matter.
const RULE: &str = "---";
/// The one field of the front matter.
const DESCRIPTION: &str = "description:";

/// All specialists, by name.
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

/// A text without its front matter.
pub(crate) fn body(text: &str) -> &str {
    split(text).map_or(text, |(_, body)| body)
}

/// Front matter and the rest; none when there is no front matter.
fn split(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix(RULE)?.trim_start_matches('\r');
    inside.strip_prefix('\n')?.split_once("\n---\n")
}
