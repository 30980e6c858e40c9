//! Embedding vectors of the tools, so that requests find tools by meaning as well as by words. Made in the background,
//! once per text and model, paid for from the background budget, and cached in a file of the profile.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use adjutant_domain::canonical::sha256;
use adjutant_domain::model::{Embedder, ModelFault, tokens};
use adjutant_engine::Engine;
use tokio::task::JoinSet;

/// Name of the file in the profile. It contains only hashes of tool descriptions and numbers, nothing of the person.
const FILE: &str = "tool-vectors";
/// Header of the file; a new layout needs a new header.
const MAGIC: &[u8] = b"adjutant tool vectors 1\n";
/// Maximum size of the file in bytes; 360 tools with 4096 numbers each take 6 MB.
const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Maximum number of texts per request; the file is saved after each.
const BATCH_TEXTS: usize = 64;
/// Size in bytes of a text's hash in the file.
const HASH_BYTES: usize = 64;
/// Maximum number of dimensions of a vector.
const DIMENSIONS_MAX: usize = 16_384;

/// Embedders for background work and for a person's request.
pub(super) struct Makers {
    pub(super) background: Arc<dyn Embedder>,
    pub(super) foreground: Arc<dyn Embedder>,
}

/// Makes the vectors of one profile. A new run replaces the previous one.
pub(super) struct ToolVectors {
    engine: Engine,
    /// `None` if nothing may be written.
    file: Option<PathBuf>,
    work: Mutex<JoinSet<()>>,
    /// Makes vectors again when the tools change.
    follows: Mutex<JoinSet<()>>,
}

impl ToolVectors {
    pub(super) fn new(engine: Engine, folder: Option<&Path>) -> Self {
        Self {
            engine,
            file: folder.map(|folder| folder.join(FILE)),
            work: Mutex::default(),
            follows: Mutex::default(),
        }
    }

    /// Sets the embedders, or `None` to find tools by words alone. Makes missing vectors when tools change.
    pub(super) fn set(&self, makers: Option<Makers>) {
        self.end();
        self.engine.set_tool_vectors(None);
        let Some(makers) = makers else {
            return;
        };
        let maker = Arc::new(Maker {
            engine: self.engine.clone(),
            file: self.file.clone(),
            makers,
            alone: tokio::sync::Mutex::default(),
        });
        let mut newer = self.engine.newer_tools();
        let first = maker.clone();
        locked(&self.work).spawn(async move { first.make().await });
        locked(&self.follows).spawn(async move {
            while newer.next().await.is_some() {
                maker.make().await;
            }
        });
    }

    /// Returns the vectors that a model still has to make.
    pub(super) async fn missing(&self, model: &str) -> Missing {
        let texts = self.engine.tool_texts();
        let known = known(self.file.as_ref(), model).await;
        let missing = texts
            .iter()
            .filter(|text| !known.contains_key(&hash(text)))
            .map(|text| tokens::estimate(text));
        let (texts, tokens) =
            missing.fold((0, 0), |(texts, sum), tokens| (texts + 1, sum + tokens));
        Missing {
            requests: u64::div_ceil(texts, BATCH_TEXTS as u64),
            tokens,
        }
    }

    /// Stops the work; keeps the vectors made until then.
    pub(super) fn end(&self) {
        for tasks in [&self.work, &self.follows] {
            *locked(tasks) = JoinSet::new();
        }
    }

    /// Waits until the work has finished.
    #[cfg(test)]
    pub(super) async fn done(&self) {
        let mut work = std::mem::take(&mut *locked(&self.work));
        while work.join_next().await.is_some() {}
    }

    /// Deletes the file.
    pub(super) fn erase(&self) {
        self.end();
        if let Some(file) = &self.file
            && let Err(error) = std::fs::remove_file(file)
            && error.kind() != std::io::ErrorKind::NotFound
        {
            tracing::warn!(%error, "the vectors of tools could not be removed");
        }
    }
}

fn locked(tasks: &Mutex<JoinSet<()>>) -> MutexGuard<'_, JoinSet<()>> {
    tasks.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes vectors of the current tools.
struct Maker {
    engine: Engine,
    file: Option<PathBuf>,
    makers: Makers,
    /// Allows one run at a time; the last one sees the newest tools.
    alone: tokio::sync::Mutex<()>,
}

impl Maker {
    async fn make(&self) {
        let _alone = self.alone.lock().await;
        let texts = self.engine.tool_texts();
        match rows(&*self.makers.background, &texts, self.file.clone()).await {
            Ok(rows) => {
                let embedder = self.makers.foreground.clone();
                self.engine.set_tool_vectors(Some((embedder, rows)));
            }
            Err(fault) => {
                tracing::info!(%fault, "there are no vectors of tools, so tools are found by words alone");
            }
        }
    }
}

/// The vectors still to be made.
pub(crate) struct Missing {
    /// Number of requests needed.
    pub(crate) requests: u64,
    /// Estimated number of tokens in all texts.
    pub(crate) tokens: u64,
}

type VectorsByHash = BTreeMap<String, Vec<f32>>;

/// Returns one vector per text, from the file or newly made.
async fn rows(
    maker: &dyn Embedder,
    texts: &[String],
    file: Option<PathBuf>,
) -> Result<Vec<Vec<f32>>, ModelFault> {
    let model = maker.id();
    let hashes: Vec<String> = texts.iter().map(|text| hash(text)).collect();
    let mut known = known(file.as_ref(), &model).await;
    known.retain(|hash, _| hashes.contains(hash));
    let missing: Vec<(&String, &String)> = hashes
        .iter()
        .zip(texts)
        .filter(|(hash, _)| !known.contains_key(*hash))
        .collect();
    for batch in missing.chunks(BATCH_TEXTS) {
        let asked = batch.iter().map(|(_, text)| String::clone(text)).collect();
        let made = maker.embed(asked).await?;
        known.extend(batch.iter().map(|(hash, _)| String::clone(hash)).zip(made));
        if let Some(file) = &file {
            write_beside(file.clone(), model.clone(), known.clone()).await;
        }
    }
    let row = |hash: &String| known.get(hash).cloned();
    let rows: Option<Vec<Vec<f32>>> = hashes.iter().map(row).collect();
    rows.ok_or_else(|| ModelFault::Unreadable {
        model,
        why: "it made fewer vectors than there are texts".into(),
    })
}

fn hash(text: &str) -> String {
    sha256(text.as_bytes()).as_str().to_owned()
}

/// Reads the vectors in the file.
async fn known(file: Option<&PathBuf>, model: &str) -> VectorsByHash {
    match file {
        Some(file) => read_beside(file.clone(), model.to_owned()).await,
        None => VectorsByHash::new(),
    }
}

async fn read_beside(file: PathBuf, model: String) -> VectorsByHash {
    let read = move || match std::fs::metadata(&file) {
        Ok(about) if about.len() <= FILE_BYTES_MAX => std::fs::read(&file)
            .ok()
            .and_then(|bytes| decode(&bytes, &model))
            .unwrap_or_default(),
        _ => VectorsByHash::new(),
    };
    tokio::task::spawn_blocking(read).await.unwrap_or_default()
}

async fn write_beside(file: PathBuf, model: String, known: VectorsByHash) {
    let write = move || -> std::io::Result<()> {
        let folder = file.parent().unwrap_or(Path::new("."));
        let mut new = tempfile::NamedTempFile::new_in(folder)?;
        new.write_all(&encode(&known, &model))?;
        new.persist(&file)?;
        Ok(())
    };
    match tokio::task::spawn_blocking(write).await {
        Ok(Ok(())) | Err(_) => {}
        Ok(Err(error)) => tracing::warn!(%error, "the vectors of tools could not be stored"),
    }
}

/// Serialises the model, the number of dimensions, and each text's hash and numbers, in little-endian byte order.
fn encode(known: &VectorsByHash, model: &str) -> Vec<u8> {
    let dimensions = known.values().next().map_or(0, Vec::len);
    let mut bytes = MAGIC.to_vec();
    bytes.extend(model.as_bytes());
    bytes.push(b'\n');
    bytes.extend(u32::try_from(dimensions).unwrap_or(0).to_le_bytes());
    for (hash, row) in known.iter().filter(|(_, row)| row.len() == dimensions) {
        bytes.extend(hash.as_bytes());
        bytes.extend(row.iter().flat_map(|number| number.to_le_bytes()));
    }
    bytes
}

/// Parses the file; `None` if it belongs to another model or is incomplete.
fn decode(bytes: &[u8], model: &str) -> Option<VectorsByHash> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let rest = rest.strip_prefix(model.as_bytes())?.strip_prefix(b"\n")?;
    let (dimensions, rest) = rest.split_first_chunk()?;
    let dimensions = usize::try_from(u32::from_le_bytes(*dimensions)).ok()?;
    if dimensions == 0 || dimensions > DIMENSIONS_MAX {
        return None;
    }
    let row_bytes = HASH_BYTES + dimensions * size_of::<f32>();
    let rows = rest.chunks_exact(row_bytes);
    if !rows.remainder().is_empty() {
        return None;
    }
    rows.map(|row| {
        let (hash, numbers) = row.split_at(HASH_BYTES);
        let hash = std::str::from_utf8(hash).ok()?.to_owned();
        let numbers: Vec<f32> = numbers
            .as_chunks()
            .0
            .iter()
            .map(|bytes| f32::from_le_bytes(*bytes))
            .collect();
        numbers
            .iter()
            .all(|number| number.is_finite())
            .then_some((hash, numbers))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::sync::atomic::{AtomicUsize, Ordering};

    use async_trait::async_trait;

    /// Counts the texts it is given; fails after so many.
    struct Counting {
        id: &'static str,
        texts: AtomicUsize,
        most: usize,
    }

    fn counting(id: &'static str, most: usize) -> Counting {
        Counting {
            id,
            texts: AtomicUsize::new(0),
            most,
        }
    }

    #[async_trait]
    impl Embedder for Counting {
        fn id(&self) -> String {
            self.id.into()
        }

        async fn embed(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, ModelFault> {
            if self.texts.load(Ordering::SeqCst) + texts.len() > self.most {
                return Err(ModelFault::None);
            }
            self.texts.fetch_add(texts.len(), Ordering::SeqCst);
            Ok(texts
                .iter()
                .map(|text| vec![text.len() as f32, 1.0])
                .collect())
        }
    }

    #[tokio::test]
    async fn a_text_is_sent_once_for_each_model() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = Some(folder.path().join(FILE));
        let mut texts: Vec<String> = (1..=130).map(|n| "a".repeat(n)).collect();
        let failing = counting("lab/one", 100);
        assert!(rows(&failing, &texts, file.clone()).await.is_err());
        let model = counting("lab/one", 1_000);
        let made = rows(&model, &texts, file.clone()).await.expect("vectors");
        assert_eq!(made[129], [130.0, 1.0]);
        assert_eq!(model.texts.load(Ordering::SeqCst), 66, "64 were kept");
        // In another order, with one more and one less.
        texts.remove(0);
        texts.reverse();
        texts.push("new".into());
        let made = rows(&model, &texts, file.clone()).await.expect("vectors");
        assert_eq!((made.len(), made[0][0], made[129][0]), (130, 130.0, 3.0));
        assert_eq!(model.texts.load(Ordering::SeqCst), 67);
        let other = counting("lab/two", 1_000);
        rows(&other, &texts, file).await.expect("vectors");
        assert_eq!(other.texts.load(Ordering::SeqCst), 130);
    }

    #[test]
    fn a_damaged_file_is_no_file() {
        let hash = sha256(b"a").as_str().to_owned();
        assert_eq!(hash.len(), HASH_BYTES);
        let known = VectorsByHash::from([(hash, vec![0.5, -1.0])]);
        let bytes = encode(&known, "lab/one");
        assert_eq!(decode(&bytes, "lab/one"), Some(known));
        assert_eq!(decode(&bytes, "lab/on"), None);
        for end in 0..bytes.len() {
            let cut = decode(&bytes[..end], "lab/one");
            assert!(cut.is_none_or(|known| known.is_empty()), "{end}");
        }
        let mut wild = bytes;
        let last = wild.len() - 4;
        wild[last..].copy_from_slice(&f32::NAN.to_le_bytes());
        assert_eq!(decode(&wild, "lab/one"), None);
    }
}
