//! A model from a file, as far as every build knows it: whether it can be used here, and whether a file is one.

use std::path::Path;
use std::sync::Arc;

use adjutant_domain::model::{ChatModel, ModelFault, ModelProfile};
use tokio::io::AsyncReadExt as _;

use crate::connection::Connection;

/// Whether models from files are built in (feature `local-model`).
pub const LOCAL_MODEL: bool = cfg!(feature = "local-model");

/// What a GGUF file begins with; from its specification.
const MAGIC: [u8; 4] = *b"GGUF";

/// Why a file is no model.
#[derive(Debug, thiserror::Error)]
pub enum WrongFile {
    /// This build has no part for it.
    #[error(
        "This Adjutant was built without models from files. Serve the file with Ollama, LM Studio or llama.cpp and connect that, or build Adjutant with the feature local-model."
    )]
    NotBuiltIn,
    /// It cannot be read.
    #[error("The file {0} cannot be read: {1}. Check the path.")]
    Unreadable(String, std::io::Error),
    /// It is something else.
    #[error("{0} is not a GGUF file. Choose one whose name ends with .gguf.")]
    NoGguf(String),
}

/// Looks whether a file can be a model here, by its first bytes.
///
/// # Errors
/// Why not, and what to do, in words for the person.
pub async fn check(path: &Path) -> Result<(), WrongFile> {
    if !LOCAL_MODEL {
        return Err(WrongFile::NotBuiltIn);
    }
    let shown = path.display().to_string();
    let unreadable = |why| WrongFile::Unreadable(shown.clone(), why);
    // A pipe would never end, and a folder is none.
    if !tokio::fs::metadata(path)
        .await
        .map_err(unreadable)?
        .is_file()
    {
        return Err(WrongFile::NoGguf(shown));
    }
    let mut file = tokio::fs::File::open(path).await.map_err(unreadable)?;
    let mut magic = [0; MAGIC.len()];
    match file.read_exact(&mut magic).await {
        Ok(_) if magic == MAGIC => Ok(()),
        _ => Err(WrongFile::NoGguf(shown)),
    }
}

/// What the model of a file is called.
#[must_use]
pub fn name(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

#[cfg(feature = "local-model")]
pub(crate) fn open(
    connection: &Connection,
    profile: ModelProfile,
) -> Result<Arc<dyn ChatModel>, ModelFault> {
    crate::local::open(connection, profile)
}

#[cfg(not(feature = "local-model"))]
pub(crate) fn open(_: &Connection, _: ModelProfile) -> Result<Arc<dyn ChatModel>, ModelFault> {
    Err(ModelFault::Internal {
        why: WrongFile::NotBuiltIn.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_a_file_that_begins_like_one_is_a_model() {
        let folder = tempfile::tempdir().unwrap();
        let good = folder.path().join("small.q4.gguf");
        std::fs::write(&good, "GGUF and more").unwrap();
        let text = folder.path().join("text.gguf");
        std::fs::write(&text, "no").unwrap();
        assert_eq!(name(&good), "small.q4");
        if !LOCAL_MODEL {
            let told = check(&good).await.unwrap_err();
            assert!(told.to_string().contains("local-model"), "{told}");
            return;
        }
        check(&good).await.unwrap();
        for wrong in [text.as_path(), folder.path()] {
            let told = check(wrong).await;
            assert!(matches!(told, Err(WrongFile::NoGguf(_))), "{told:?}");
        }
        let nowhere = check(&folder.path().join("none")).await;
        assert!(
            matches!(nowhere, Err(WrongFile::Unreadable(..))),
            "{nowhere:?}"
        );
    }
}
