//! The catalogue of known models, and what the person may request instead.

use std::sync::LazyLock;

use adjutant_net::{Url, reach};
use serde::Deserialize;

use super::fault::FetchFault;
use super::sum::Sha256Sum;

/// Highest number of characters of a file's name.
const FILE_NAME_CHARS_MAX: usize = 120;
/// Extension of model files.
const ENDING: &str = ".gguf";

/// A model known by name. The list is data (`data/models.json`): small instruction-tuned models of the architectures
/// that run here, each from its own maker.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The name by which it is requested.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// Who made it.
    pub by: String,
    /// What it is good for.
    #[serde(rename = "for")]
    pub good_for: String,
    /// Address of the file.
    pub url: Url,
    /// Page with information about it, including its licence.
    pub page: Url,
    /// SPDX identifier of its licence.
    pub licence: String,
    /// Context length it was trained for, in tokens. The program that runs it here may use less.
    pub context_tokens: u32,
}

/// Returns every known model, smallest first.
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

/// A file to be fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Download {
    /// Its name for people.
    pub title: String,
    /// Its address.
    pub url: Url,
    /// Its licence, if known.
    pub licence: Option<String>,
    /// Page with information about it, if known.
    pub page: Option<Url>,
    /// Name of the file on this computer.
    pub file: String,
    /// Checksum given by the person, if any.
    pub sum: Option<Sha256Sum>,
}

impl Download {
    /// Parses a request of the person: a name in the catalogue, or the address of a file. An unencrypted address is
    /// accepted only for this computer or together with a checksum.
    ///
    /// # Errors
    /// [`FetchFault::Unknown`] for an unknown name, [`FetchFault::Address`] for an address that cannot be used,
    /// [`FetchFault::NotEncrypted`] for an unencrypted one that is not accepted.
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

/// Returns the last part of the path if it is the name of a model file. Characters with a meaning in paths become
/// dashes.
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
            let wanted = Download::read(&entry.name, None).unwrap();
            assert!(wanted.url.path().ends_with(&wanted.file), "{}", wanted.file);
            assert_eq!(wanted.licence.as_ref(), Some(&entry.licence));
        }
    }

    #[test]
    fn an_address_is_taken_where_nobody_can_change_the_file_on_its_way() {
        let sum = Sha256Sum::read(&"ab".repeat(32)).ok();
        let read = |what: &str, sum| Download::read(what, sum).map(|wanted| wanted.file);
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
