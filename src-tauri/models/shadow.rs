//! Shadow comparison: a connection, alternative prompts or another router receive the same requests as the live ones,
//! in parallel and without any effect.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use adjutant_domain::faults::io_reason;
use adjutant_domain::model::{ChatModel, Stage};
use adjutant_engine::shadow::{Candidate, Compared, RouterTried, Shadow, ShadowLog};
use adjutant_models::Connection;
use adjutant_prompts::Texts;
use adjutant_store::{Comparison, Store};
use adjutant_understanding::Embedded;
use tokio::runtime::Handle;

/// Name of the router that works without the sentence model.
const PHRASES: &str = "phrases alone";
/// Maximum size in bytes of an alternative prompt; those in use have a few thousand.
const WORDING_BYTES_MAX: u64 = 64 * 1024;
/// Maximum number of alternative prompts; there are a few dozen prompts.
const WORDINGS_MAX: usize = 200;

/// Returns the comparison that these settings ask for, at every stage that supports one; `None` if there is none.
pub(super) fn shadow(
    model: Option<Arc<dyn ChatModel>>,
    settings: &adjutant_settings::Models,
    store: Arc<Store>,
) -> Option<Shadow> {
    let texts = texts(&settings.shadow_prompts).unwrap_or_else(|why| {
        tracing::warn!(%why, "no alternative prompts are tried");
        None
    });
    let router = match settings.shadow_router.as_str() {
        "model" => Some(RouterTried::Model),
        "phrases" => Some(RouterTried::Embedded {
            name: PHRASES.into(),
            router: Arc::new(Embedded),
        }),
        _ => None,
    };
    if model.is_none() && texts.is_none() && router.is_none() {
        return None;
    }
    let log = Stored {
        store,
        runtime: Handle::current(),
    };
    let candidate = Candidate {
        model,
        texts,
        router,
    };
    Some(Shadow::new(candidate, Stage::ALL, Arc::new(log)))
}

/// Checks that the prompts in a folder are usable. An empty path is valid.
///
/// # Errors
/// Returns the reason if they are not, in words for the person.
pub(crate) fn are_wordings(folder: &str) -> Result<(), String> {
    texts(folder).map(drop)
}

/// Reads the prompts in the configured folder; `None` if no folder is set.
///
/// # Errors
/// Returns the reason, in words for the person, if they cannot be read or rendered.
fn texts(folder: &str) -> Result<Option<Texts>, String> {
    if folder.is_empty() {
        return Ok(None);
    }
    let root = Path::new(folder);
    if !root.is_absolute() {
        return Err(format!("“{folder}” is not an absolute path."));
    }
    let mut files = Vec::new();
    wordings(root, &mut files)?;
    let mut found = Vec::new();
    for file in files {
        let name = file.strip_prefix(root).unwrap_or(&file).with_extension("");
        let name: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
        found.push((name.join("/"), wording(&file)?));
    }
    if found.is_empty() {
        return Err(format!(
            "“{folder}” contains no prompts, such as route/route.v1.md."
        ));
    }
    let texts = Texts::with(found)
        .map_err(|fault| adjutant_domain::faults::sentence(&fault.to_string()))?;
    Ok(Some(texts))
}

/// Collects all `.md` files in the stages' folders. Ignores files in the folder itself, which only describe it.
fn wordings(root: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    for stage in inside(root)? {
        if !stage.is_dir() {
            continue;
        }
        for file in inside(&stage)? {
            // Reading a pipe could block forever.
            if file.extension().is_some_and(|end| end == "md") && file.is_file() {
                found.push(file);
            }
            if found.len() > WORDINGS_MAX {
                return Err(format!(
                    "“{}” contains more than {WORDINGS_MAX} files.",
                    root.display()
                ));
            }
        }
    }
    Ok(())
}

fn inside(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let told = |error| unreadable(folder, &error);
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(told)?.take(WORDINGS_MAX + 1) {
        entries.push(entry.map_err(told)?.path());
    }
    entries.sort();
    Ok(entries)
}

fn unreadable(path: &Path, error: &std::io::Error) -> String {
    format!("“{}” cannot be read: {}.", path.display(), io_reason(error))
}

fn wording(file: &Path) -> Result<String, String> {
    let told = |error| unreadable(file, &error);
    let mut text = String::new();
    let opened = fs::File::open(file).map_err(told)?;
    let read = opened.take(WORDING_BYTES_MAX + 1).read_to_string(&mut text);
    if read.map_err(told)? as u64 > WORDING_BYTES_MAX {
        return Err(format!(
            "“{}” is longer than {} kB.",
            file.display(),
            WORDING_BYTES_MAX / 1024
        ));
    }
    Ok(text)
}

/// Splits connections into those that are only compared and those that answer. A single connection always answers,
/// whatever the setting, because there is nothing to compare it with.
pub(super) fn split(
    connections: impl Iterator<Item = Connection>,
    shadow: &str,
) -> (Vec<Connection>, Vec<Connection>) {
    let (candidates, live): (Vec<_>, Vec<_>) = connections.partition(|one| one.name == shadow);
    if live.is_empty() {
        (live, candidates)
    } else {
        (candidates, live)
    }
}

/// Stores comparisons in the profile.
struct Stored {
    store: Arc<Store>,
    runtime: Handle,
}

impl ShadowLog for Stored {
    fn note(&self, compared: Compared) {
        let Ok(what) = serde_json::to_value(&compared) else {
            return;
        };
        let one = Comparison {
            stage: compared.stage.name().to_owned(),
            candidate: compared.candidate.model,
            same: compared.same,
            what,
        };
        let store = self.store.clone();
        self.runtime.spawn(async move {
            if let Err(fault) = store.note_comparison(one).await {
                tracing::warn!(%fault, "a comparison could not be stored");
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wordings_in_a_folder_are_tried_and_what_cannot_be_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        let path = root.to_str().expect("a path");
        let why = |folder: &str| texts(folder).err().unwrap_or_default();
        assert!(are_wordings("").is_ok());
        assert!(why("prompts").contains("not an absolute path"));
        assert!(why(path).contains("contains no prompts"));
        fs::create_dir(root.join("route")).expect("a folder");
        fs::write(root.join("README.md"), "about them").expect("written");
        fs::write(root.join("route/notes.txt"), "no wording").expect("written");
        fs::write(root.join("route/route.v1.md"), "Where does it go?").expect("written");
        assert!(matches!(texts(path), Ok(Some(_))));
        fs::write(root.join("route/route.v1.md"), "{{ unclosed").expect("written");
        assert!(why(path).contains("route/route.v1"), "{}", why(path));
        let long = "x".repeat(WORDING_BYTES_MAX as usize + 1);
        fs::write(root.join("route/route.v1.md"), long).expect("written");
        assert!(why(path).contains("longer than 64 kB"));
        fs::remove_file(root.join("route/route.v1.md")).expect("removed");
        fs::write(root.join("route/other.v1.md"), "x").expect("written");
        assert!(why(path).contains("no prompt route/other.v1"));
        assert!(why(&format!("{path}/nowhere")).contains("cannot be read"));
    }
}
