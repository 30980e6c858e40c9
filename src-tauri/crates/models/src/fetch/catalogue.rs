//! Models that are known by name, and what a person may ask for instead.

use std::sync::LazyLock;

use adjutant_net::{Url, reach};
use serde::Deserialize;

use super::fault::FetchFault;
use super::sum::Sha256Sum;

/// Letters of a file's name.
const FILE_NAME_CHARS_MAX: usize = 120;
/// How the name of a model file ends.
const ENDING: &str = ".gguf";

/// A model that is known by name. The list is data (`data/models.json`): small models that follow instructions, of the kinds
/// that are run here, each from those who made it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What it is asked for by.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// Who made it.
    pub by: String,
    /// What it is good for.
    #[serde(rename = "for")]
    pub good_for: String,
    /// Where the file is.
    pub url: Url,
    /// Where one reads about it, its licence included.
    pub page: Url,
    /// Its licence, an SPDX name.
    pub licence: String,
    /// Tokens it was taught to read at once. What runs it here may take fewer.
    pub context_tokens: u32,
}

/// Every model that is known by name, smallest first.
#[must_use]
pub fn catalogue() -> &'static [Entry] {
    static ALL: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        serde_json::from_str(include_str!("../../data/models.json")).unwrap_or_else(|wrong| {
            tracing::error!(%wrong, "the list of models cannot be read");
            Vec::new()
        })
    });
    &ALL
}

/// A file that somebody wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its name for people.
    pub title: String,
    /// Where it is.
    pub url: Url,
    /// Its licence, where it is known.
    pub licence: Option<String>,
    /// Where one reads about it, where that is known.
    pub page: Option<Url>,
    /// The name of the file here.
    pub file: String,
    /// The checksum the person gave.
    pub sum: Option<Sha256Sum>,
}

impl Wanted {
    /// Reads what a person asks for: a name of the catalogue, or the address of a file. An address that is not encrypted is
    /// taken from this computer only, or with a checksum.
    ///
    /// # Errors
    /// When it is neither.
    pub fn read(what: &str, sum: Option<Sha256Sum>) -> Result<Self, FetchFault> {
        let what = what.trim();
        if let Some(entry) = catalogue().iter().find(|entry| entry.name == what) {
            return Ok(Self {
                title: entry.title.clone(),
                url: entry.url.clone(),
                licence: Some(entry.licence.clone()),
                page: Some(entry.page.clone()),
                file: file_name(&entry.url).ok_or(FetchFault::Address)?,
                sum,
            });
        }
        if !what.contains("://") {
            return Err(FetchFault::Unknown(what.chars().take(80).collect()));
        }
        let url = Url::parse(what).map_err(|_| FetchFault::Address)?;
        let plain = url.username().is_empty() && url.password().is_none();
        let safe = match url.scheme() {
            "https" => true,
            "http" => reach::is_loopback(&url) || sum.is_some(),
            _ => false,
        };
        let file = file_name(&url).ok_or(FetchFault::Address)?;
        if !plain || url.host().is_none() {
            return Err(FetchFault::Address);
        }
        if !safe {
            return Err(FetchFault::NotEncrypted);
        }
        Ok(Self {
            title: file.trim_end_matches(ENDING).to_owned(),
            url,
            licence: None,
            page: None,
            file,
            sum,
        })
    }
}

/// The last part of the path, when it is the name of a model file. Letters that mean something in paths become dashes.
fn file_name(url: &Url) -> Option<String> {
    let last = url.path_segments()?.next_back()?;
    let name: String = last
        .chars()
        .map(|c| match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '_' | '-' => c,
            _ => '-',
        })
        .collect();
    let stem = name
        .len()
        .checked_sub(ENDING.len())
        .filter(|at| name[*at..].eq_ignore_ascii_case(ENDING))
        .map(|at| name[..at].trim_start_matches(['.', '-']))?;
    (!stem.is_empty() && name.len() <= FILE_NAME_CHARS_MAX).then(|| format!("{stem}{ENDING}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_can_be_read_and_every_model_of_it_can_be_wanted() {
        assert!(catalogue().len() >= 2);
        let mut names = std::collections::BTreeSet::new();
        for entry in catalogue() {
            assert!(names.insert(&entry.name), "{} is there twice", entry.name);
            assert_eq!(
                (entry.url.scheme(), entry.page.scheme()),
                ("https", "https")
            );
            assert!(!entry.licence.is_empty() && entry.context_tokens >= 4_096);
            let wanted = Wanted::read(&entry.name, None).unwrap();
            assert!(wanted.url.path().ends_with(&wanted.file), "{}", wanted.file);
            assert_eq!(wanted.licence.as_ref(), Some(&entry.licence));
        }
    }

    #[test]
    fn an_address_is_taken_where_nobody_can_change_the_file_on_its_way() {
        let sum = Sha256Sum::read(&"ab".repeat(32)).ok();
        let read = |what: &str, sum| Wanted::read(what, sum).map(|wanted| wanted.file);
        let own = "http://127.0.0.1:8000/a/b%20c.GGUF?download=true";
        assert_eq!(read(own, None).unwrap(), "b-20c.gguf");
        assert_eq!(
            read("https://example.org/../.x.gguf", None).unwrap(),
            "x.gguf"
        );
        assert!(read("http://example.org/x.gguf", sum).is_ok());
        let not_encrypted = read("http://example.org/x.gguf", None);
        assert!(matches!(not_encrypted, Err(FetchFault::NotEncrypted)));
        for wrong in [
            "https://example.org/",
            "https://example.org/x.bin",
            "https://example.org/.gguf",
            "https://me:secret@example.org/x.gguf",
            "file:///x.gguf",
            &format!("https://example.org/{}.gguf", "x".repeat(200)),
        ] {
            assert!(read(wrong, None).is_err(), "{wrong}");
        }
        assert!(matches!(read("gpt-5", None), Err(FetchFault::Unknown(_))));
    }
}
