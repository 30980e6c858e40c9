//! The kinds of models that candle runs, behind one face.

use std::io::{Read, Seek};

use candle_core::quantized::gguf_file::Content;
use candle_core::{Device, Result, Tensor};
use candle_transformers::models::{quantized_llama, quantized_qwen2, quantized_qwen3};

use crate::fault::{LocalFault, first_line};

/// Tokens for which candle's llama computes places.
const LLAMA_WINDOW_MAX: usize = 4_096;
/// Tokens of a window: more takes more memory than most machines have to spare, and this is the small model.
const WINDOW_MAX: usize = 8_192;
/// Tokens of a prompt that are read at once, a power of two.
const CHUNK_MAX: usize = 256;

/// The weights of a model.
pub(crate) enum Weights {
    Llama(Box<quantized_llama::ModelWeights>),
    Qwen2(Box<quantized_qwen2::ModelWeights>),
    Qwen3(Box<quantized_qwen3::ModelWeights>),
}

impl Weights {
    /// Loads a model of a kind, and tells how many tokens fit into its window.
    pub(crate) fn load<R: Read + Seek>(
        content: Content,
        source: &mut R,
    ) -> std::result::Result<(Self, usize), LocalFault> {
        let text = |key: &str| {
            let value = content.metadata.get(key)?;
            value.to_string().ok().cloned()
        };
        let kind = text("general.architecture").unwrap_or_default();
        let window = content
            .metadata
            .get(&format!("{kind}.context_length"))
            .and_then(|value| value.to_u32().ok())
            .and_then(|window| usize::try_from(window).ok())
            .filter(|window| *window > 0)
            .ok_or_else(|| LocalFault::NotAModel("it does not tell its window".into()))?
            .min(WINDOW_MAX);
        let bad = |why: candle_core::Error| LocalFault::NotAModel(first_line(why));
        let device = Device::Cpu;
        match kind.as_str() {
            "llama" => quantized_llama::ModelWeights::from_gguf(content, source, &device)
                .map(|model| (Self::Llama(Box::new(model)), window.min(LLAMA_WINDOW_MAX)))
                .map_err(bad),
            "qwen2" => quantized_qwen2::ModelWeights::from_gguf(content, source, &device)
                .map(|model| (Self::Qwen2(Box::new(model)), window))
                .map_err(bad),
            "qwen3" => quantized_qwen3::ModelWeights::from_gguf(content, source, &device)
                .map(|model| (Self::Qwen3(Box::new(model)), window))
                .map_err(bad),
            other => Err(LocalFault::Unsupported(other.to_owned())),
        }
    }

    /// Forgets what was read.
    pub(crate) fn forget(&mut self) {
        match self {
            Self::Llama(model) => model.clear_kv_cache(),
            Self::Qwen2(model) => model.clear_kv_cache(),
            Self::Qwen3(model) => model.clear_kv_cache(),
        }
    }

    /// Reads tokens behind the `read` ones, and tells how likely each token comes next. `wanted` is asked between parts.
    pub(crate) fn read(
        &mut self,
        tokens: &[u32],
        mut read: usize,
        wanted: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<f32>>> {
        let mut rest = tokens;
        let mut scores = None;
        while !rest.is_empty() && wanted() {
            let part = rest.split_off(..self.part(rest.len()));
            let Some(part) = part else { break };
            let input = Tensor::new(part, &Device::Cpu)?.unsqueeze(0)?;
            let output = match self {
                Self::Llama(model) => model.forward(&input, read)?,
                Self::Qwen2(model) => model.forward(&input, read)?,
                Self::Qwen3(model) => model.forward(&input, read)?,
            };
            read += part.len();
            scores = Some(output.flatten_all()?);
        }
        match scores {
            Some(scores) if rest.is_empty() => scores.to_vec1().map(Some),
            _ => Ok(None),
        }
    }

    /// Llama and Qwen2 keep a mask for every length they have seen: only powers of two keep these few.
    fn part(&self, left: usize) -> usize {
        match self {
            Self::Llama(_) | Self::Qwen2(_) => (1 << left.ilog2()).min(CHUNK_MAX),
            Self::Qwen3(_) => left,
        }
    }
}
