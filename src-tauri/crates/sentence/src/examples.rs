//! Sentences that texts are compared with again and again: their vectors are kept in a file beside the model.

use std::fs;
use std::path::PathBuf;

use sha2::{Digest as _, Sha256};

use crate::fault::SentenceFault;
use crate::files::WEIGHTS;
use crate::model::SentenceModel;

/// Number of bytes of the checksum at the beginning of the file, which identifies the sentences and the model.
const SUM_BYTES: usize = 32;

/// Sentences, and the file that stores their vectors.
pub(crate) struct Examples {
    texts: Vec<String>,
    file: PathBuf,
}

impl Examples {
    /// Prepares `texts`, whose vectors are stored in `file`.
    pub(crate) fn new(texts: Vec<String>, file: PathBuf) -> Self {
        Self { texts, file }
    }

    /// Returns one vector per sentence: stored ones, otherwise computes them and stores them for the next time.
    pub(crate) fn vectors(
        &self,
        model: &SentenceModel,
        wanted: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<Vec<f32>>, SentenceFault> {
        if let Some(kept) = self.kept(model.width()) {
            return Ok(kept);
        }
        let vectors = model.embed_while(&self.texts, wanted)?;
        if let Err(why) = self.keep(&vectors) {
            tracing::warn!(%why, "vectors of examples are computed again next time");
        }
        Ok(vectors)
    }

    /// Returns the vectors in the file, if it is intact and belongs to these sentences and this model.
    fn kept(&self, width: usize) -> Option<Vec<Vec<f32>>> {
        let size = SUM_BYTES + self.texts.len() * width * size_of::<f32>();
        let found = fs::metadata(&self.file).ok()?;
        if found.len() != u64::try_from(size).ok()? {
            return None;
        }
        let content = fs::read(&self.file).ok()?;
        let (sum, numbers) = content.split_at_checked(SUM_BYTES)?;
        if sum != self.sum(numbers) {
            return None;
        }
        let numbers: Vec<f32> = numbers
            .as_chunks()
            .0
            .iter()
            .map(|bytes| f32::from_le_bytes(*bytes))
            .collect();
        let rows: Vec<Vec<f32>> = numbers.chunks(width.max(1)).map(<[f32]>::to_vec).collect();
        (rows.len() == self.texts.len()).then_some(rows)
    }

    fn keep(&self, vectors: &[Vec<f32>]) -> std::io::Result<()> {
        let numbers: Vec<u8> = vectors
            .iter()
            .flatten()
            .flat_map(|number| number.to_le_bytes())
            .collect();
        let mut content = self.sum(&numbers).to_vec();
        content.extend(&numbers);
        let new = self
            .file
            .with_extension(format!("new.{}", std::process::id()));
        fs::write(&new, content)?;
        fs::rename(&new, &self.file)
    }

    /// Computes the checksum over the sentences, the model and the numbers, so that none of them can be mixed up.
    fn sum(&self, numbers: &[u8]) -> [u8; SUM_BYTES] {
        let mut sum = Sha256::new();
        for file in WEIGHTS {
            sum.update(file.sha256);
        }
        for text in &self.texts {
            sum.update(u64::try_from(text.len()).unwrap_or(u64::MAX).to_le_bytes());
            sum.update(text);
        }
        sum.update(numbers);
        sum.finalize().into()
    }
}
