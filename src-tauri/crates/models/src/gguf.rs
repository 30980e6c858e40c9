//! Model files as far as every build supports them: whether they can be used here, and whether a file is one.

use std::path::{Path, PathBuf};

use tokio::io::AsyncReadExt as _;

/// Whether this build can run models from files (feature `local-model`).
pub const LOCAL_MODEL: bool = cfg!(feature = "local-model");

/// First bytes of a GGUF file, according to its specification.
pub(crate) const MAGIC: [u8; 4] = *b"GGUF";

/// What the header of a file says about its model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Name of the model according to the file.
    pub name: String,
    /// Size of the context window here, in tokens: prompt and answer together.
    pub window: u32,
    /// Approximate memory use, in bytes.
    pub memory_bytes: u64,
}

/// The reason why a file cannot be used as a model.
#[derive(Debug, thiserror::Error)]
pub enum WrongFile {
    /// This build cannot run model files.
    #[error(
        "This Adjutant was built without models from files. Serve the file with Ollama, LM Studio or llama.cpp and connect that, or build Adjutant with the feature local-model."
    )]
    NotBuiltIn,
    /// The program that runs model files is missing.
    #[error(
        "{PROGRAM}, the part of Adjutant that runs model files, is not in the folder of the program. Install Adjutant again, or build that part (cargo build --release -p adjutant-local --features engine)."
    )]
    NoProgram,
    /// The file cannot be read.
    #[error("The file {0} cannot be read: {1}. Check the path.")]
    Unreadable(String, std::io::Error),
    /// The file is not a GGUF file.
    #[error("{0} is not a GGUF file. Choose one whose name ends with .gguf.")]
    NoGguf(String),
    /// The file is a model that cannot be used.
    #[error("{0} cannot be used: {1}. Choose another model file.")]
    Unusable(String, String),
}

/// Name of the program that runs model files.
const PROGRAM: &str = "adjutant-local";

/// Checks whether model files can be run here at all.
///
/// # Errors
/// [`WrongFile`] if not; its text says why and what to do instead.
pub fn ready() -> Result<(), WrongFile> {
    program().map(drop)
}

/// Returns the path of the program, which must be beside this one; nowhere else is searched.
pub(crate) fn program() -> Result<PathBuf, WrongFile> {
    if !LOCAL_MODEL {
        return Err(WrongFile::NotBuiltIn);
    }
    let beside = std::env::current_exe().map_err(|_| WrongFile::NoProgram)?;
    let program = beside.with_file_name(format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX));
    if program.is_file() {
        Ok(program)
    } else {
        Err(WrongFile::NoProgram)
    }
}

/// Checks by its first bytes whether a file can be a model here.
///
/// # Errors
/// [`WrongFile`] if not; its text says why and what to do.
pub async fn check(path: &Path) -> Result<(), WrongFile> {
    if !LOCAL_MODEL {
        return Err(WrongFile::NotBuiltIn);
    }
    let shown = path.display().to_string();
    let unreadable = |why| WrongFile::Unreadable(shown.clone(), why);
    // Reading a pipe would never end, and a folder is not a model.
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

/// Returns the name of the model in a file: the file name without its extension.
#[must_use]
pub fn name(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
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
