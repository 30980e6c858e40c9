//! The model: takes text and returns a vector of length one.

use std::path::Path;

use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use tokenizers::{
    PaddingParams, PaddingStrategy, Tokenizer, TruncationDirection, TruncationParams,
    TruncationStrategy,
};

use crate::fault::SentenceFault;
use crate::files::{self, Contents};
use crate::network::{Network, Shape};

/// Identifier of the model; vectors of different models must not be compared.
pub const MODEL_ID: &str = "local/all-MiniLM-L6-v2";
/// Number of dimensions of a vector.
pub const DIMENSIONS: usize = 384;
/// Highest number of tokens of a text that are read, the same as in training (its `sentence_bert_config.json`).
pub const TOKENS_MAX: usize = 256;
/// Highest number of bytes of a text that are read: 256 tokens of ordinary text never need more, and tokenising stays
/// quick.
pub const TEXT_BYTES_MAX: usize = 8 * 1024;
/// Highest number of texts in one call.
pub const TEXTS_MAX: usize = 4_096;
/// Highest number of texts computed together; more would only need more memory.
pub const BATCH_MAX: usize = 32;

/// A loaded model, about 90 MB. Each call keeps one core busy.
pub struct SentenceModel {
    network: Network,
    tokenizer: Tokenizer,
}

impl SentenceModel {
    /// Reads the published files from a folder, verifies their checksums and loads them.
    ///
    /// # Errors
    /// When a file is missing, is not the published one, or cannot be read or loaded.
    pub fn open(folder: &Path) -> Result<Self, SentenceFault> {
        Self::from_contents(files::read(folder)?)
    }

    /// Loads a model of the same architecture from the contents of its files.
    pub(crate) fn from_contents(contents: Contents) -> Result<Self, SentenceFault> {
        let shape: Shape = serde_json::from_slice(&contents.config).map_err(not_a_model)?;
        let mut tokenizer = Tokenizer::from_bytes(&contents.tokenizer).map_err(not_a_model)?;
        let tokens = TOKENS_MAX.min(shape.max_position_embeddings);
        tokenizer
            .with_truncation(Some(TruncationParams {
                direction: TruncationDirection::Right,
                max_length: tokens,
                strategy: TruncationStrategy::LongestFirst,
                stride: 0,
            }))
            .map_err(not_a_model)?;
        let padding = tokenizer.get_padding().cloned().unwrap_or_default();
        tokenizer.with_padding(Some(PaddingParams {
            strategy: PaddingStrategy::BatchLongest,
            ..padding
        }));
        let tensors =
            VarBuilder::from_buffered_safetensors(contents.tensors, DType::F32, &Device::Cpu)
                .map_err(not_a_model)?;
        let network = Network::load(&tensors, &shape).map_err(not_a_model)?;
        Ok(Self { network, tokenizer })
    }

    /// Returns the number of dimensions of a vector.
    pub(crate) fn width(&self) -> usize {
        self.network.width()
    }

    /// Returns one vector of length one per text, in order. Ignores everything beyond [`TOKENS_MAX`] of a text.
    ///
    /// # Errors
    /// When there are more than [`TEXTS_MAX`] texts, or the computation fails.
    pub fn embed<T: AsRef<str>>(&self, texts: &[T]) -> Result<Vec<Vec<f32>>, SentenceFault> {
        self.embed_while(texts, &mut || true)
    }

    /// Like [`Self::embed`], but stops once `wanted`, which is called before every batch, returns `false`.
    pub(crate) fn embed_while<T: AsRef<str>>(
        &self,
        texts: &[T],
        wanted: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<Vec<f32>>, SentenceFault> {
        if texts.len() > TEXTS_MAX {
            return Err(SentenceFault::TooMany {
                asked: texts.len(),
                at_most: TEXTS_MAX,
            });
        }
        let mut order: Vec<(usize, &str)> = texts
            .iter()
            .map(|text| cut(text.as_ref()))
            .enumerate()
            .collect();
        // Group texts of similar length, so that there is little padding.
        order.sort_by_key(|(_, text)| text.len());
        let mut vectors = vec![Vec::new(); texts.len()];
        for batch in order.chunks(BATCH_MAX) {
            if !wanted() {
                return Err(SentenceFault::Stopped);
            }
            let texts: Vec<&str> = batch.iter().map(|(_, text)| *text).collect();
            for ((at, _), vector) in batch.iter().zip(self.batch(&texts)?) {
                vectors[*at] = vector;
            }
        }
        Ok(vectors)
    }

    fn batch(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, SentenceFault> {
        let read = self
            .tokenizer
            .encode_batch(texts.to_vec(), true)
            .map_err(failed)?;
        let rows = |part: fn(&tokenizers::Encoding) -> &[u32]| {
            let rows: Vec<&[u32]> = read.iter().map(part).collect();
            let width = rows.first().map_or(0, |row| row.len());
            Tensor::from_vec(rows.concat(), (rows.len(), width), &Device::Cpu)
        };
        let compute = || -> candle_core::Result<Vec<Vec<f32>>> {
            let ids = rows(tokenizers::Encoding::get_ids)?;
            let mask = rows(tokenizers::Encoding::get_attention_mask)?;
            let states = self.network.states(&ids, &mask)?;
            let mask = mask.to_dtype(DType::F32)?.unsqueeze(2)?;
            let sum = states.broadcast_mul(&mask)?.sum(1)?;
            // Every text has at least its start and end tokens, so this never divides by zero.
            let mean = sum.broadcast_div(&mask.sum(1)?)?;
            let length = mean.sqr()?.sum_keepdim(1)?.sqrt()?;
            mean.broadcast_div(&length)?.to_vec2()
        };
        compute().map_err(failed)
    }
}

/// Returns the part of a text that is read, cut at a character boundary.
fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(TEXT_BYTES_MAX)]
}

fn not_a_model(why: impl std::fmt::Display) -> SentenceFault {
    SentenceFault::NotAModel {
        why: first_line(&why),
    }
}

fn failed(why: impl std::fmt::Display) -> SentenceFault {
    SentenceFault::Failed {
        why: first_line(&why),
    }
}

/// Returns a library's message without the trace it may add.
fn first_line(why: &impl std::fmt::Display) -> String {
    let why = why.to_string();
    why.lines().next().unwrap_or_default().to_owned()
}
