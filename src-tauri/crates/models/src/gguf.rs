//! Model files, as far as every build knows them: whether they can be used here, and whether a file is one.

use std::path::{Path, PathBuf};

use tokio::io::AsyncReadExt as _;

/// Whether models from files are built in (feature `local-model`).
pub const LOCAL_MODEL: bool = cfg!(feature = "local-model");

/// What a GGUF file begins with; from its specification.
pub(crate) const MAGIC: [u8; 4] = *b"GGUF";

/// What a file tells of its model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Its name, as the file tells it.
    pub name: String,
    /// Tokens of prompt and answer together, as it is run here.
    pub window: u32,
    /// Bytes of memory it takes, about.
    pub memory_bytes: u64,
}

/// Why a file is no model.
#[derive(Debug, thiserror::Error)]
pub enum WrongFile {
    /// This build has no part for it.
    #[error(
        "This Adjutant was built without models from files. Serve the file with Ollama, LM Studio or llama.cpp and connect that, or build Adjutant with the feature local-model."
    )]
    NotBuiltIn,
    /// The part that runs it is not there.
    #[error(
        "{PROGRAM}, the part of Adjutant that runs model files, is not in the folder of the program. Install Adjutant again, or build that part (cargo build --release -p adjutant-local --features engine)."
    )]
    NoProgram,
    /// It cannot be read.
    #[error("The file {0} cannot be read: {1}. Check the path.")]
    Unreadable(String, std::io::Error),
    /// It is something else.
    #[error("{0} is not a GGUF file. Choose one whose name ends with .gguf.")]
    NoGguf(String),
    /// It is one that cannot be used.
    #[error("{0} cannot be used: {1}. Choose another model file.")]
    Unusable(String, String),
}

/// Name of the program that runs model files.
const PROGRAM: &str = "adjutant-local";

/// Whether a model file could be run here, whichever it is.
///
/// # Errors
/// Why not, and what to do instead, in words for the person.
pub fn ready() -> Result<(), WrongFile> {
    program().map(drop)
}

/// It lies beside this program, and is looked for nowhere else.
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
