//! The architectures that candle runs, behind one interface.

use candle_core::{Device, Result, Tensor};
use candle_transformers::models::{quantized_llama, quantized_qwen2, quantized_qwen3};

use crate::fault::{LocalFault, first_line};
use crate::head::Head;

/// Highest number of prompt tokens read at once, a power of two. Reading can stop between such parts.
const CHUNK_MAX: usize = 256;

/// The weights of a model.
pub(crate) enum Weights {
    Llama(Box<quantized_llama::ModelWeights>),
    Qwen2(Box<quantized_qwen2::ModelWeights>),
    Qwen3(Box<quantized_qwen3::ModelWeights>),
}

impl Weights {
    /// Loads the model that a header describes.
    pub(crate) fn load(head: Head) -> std::result::Result<Self, LocalFault> {
        let Head {
            content,
            mut source,
            kind,
            ..
        } = head;
        let (device, source) = (Device::Cpu, &mut source);
        let loaded = match kind.as_str() {
            "llama" => quantized_llama::ModelWeights::from_gguf(content, source, &device)
                .map(|model| Self::Llama(Box::new(model))),
            "qwen2" => quantized_qwen2::ModelWeights::from_gguf(content, source, &device)
                .map(|model| Self::Qwen2(Box::new(model))),
            "qwen3" => quantized_qwen3::ModelWeights::from_gguf(content, source, &device)
                .map(|model| Self::Qwen3(Box::new(model))),
            _ => return Err(LocalFault::Unsupported(kind)),
        };
        loaded.map_err(|why| LocalFault::NotAModel(first_line(why)))
    }

    /// Forgets the tokens read so far.
    pub(crate) fn forget(&mut self) {
        match self {
            Self::Llama(model) => model.clear_kv_cache(),
            Self::Qwen2(model) => model.clear_kv_cache(),
            Self::Qwen3(model) => model.clear_kv_cache(),
        }
    }

    /// Reads tokens after the `read` earlier ones and returns the score of each possible next token, or `None` if
    /// stopped first. `wanted` is checked between parts.
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

    /// Returns the size of the next part. Llama and Qwen2 keep a mask for every size they have seen; using only
    /// powers of two keeps these few.
    fn part(&self, left: usize) -> usize {
        match self {
            Self::Llama(_) | Self::Qwen2(_) => (1 << left.ilog2()).min(CHUNK_MAX),
            Self::Qwen3(_) => left.min(CHUNK_MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiny::{KINDS, tiny};

    #[test]
    fn a_prompt_read_in_parts_is_the_same_prompt() {
        let folder = tempfile::tempdir().unwrap();
        let tokens: Vec<u32> = (0..CHUNK_MAX as u32 + 71).map(|n| n * 7 % 256).collect();
        for kind in KINDS {
            let file = folder.path().join(kind);
            tiny(&file, kind, 1_024);
            let mut weights = Weights::load(Head::read(&file).unwrap()).unwrap();
            let in_parts = weights.read(&tokens, 0, &|| true).unwrap().unwrap();
            weights.forget();
            let input = Tensor::new(tokens.as_slice(), &Device::Cpu).unwrap();
            let input = input.unsqueeze(0).unwrap();
            let at_once = match &mut weights {
                Weights::Llama(model) => model.forward(&input, 0),
                Weights::Qwen2(model) => model.forward(&input, 0),
                Weights::Qwen3(model) => model.forward(&input, 0),
            };
            let at_once: Vec<f32> = at_once.unwrap().flatten_all().unwrap().to_vec1().unwrap();
            assert!(at_once.iter().any(|score| score.abs() > 0.1), "{kind}");
            for (part, whole) in in_parts.iter().zip(&at_once) {
                assert!((part - whole).abs() < 1e-3, "{kind}: {part} and {whole}");
            }
        }
    }

    #[test]
    fn reading_a_prompt_stops_between_two_parts() {
        let folder = tempfile::tempdir().unwrap();
        for kind in KINDS {
            let file = folder.path().join(kind);
            tiny(&file, kind, 4_096);
            let mut weights = Weights::load(Head::read(&file).unwrap()).unwrap();
            let asked = std::cell::Cell::new(0);
            let wanted = || asked.replace(asked.get() + 1) < 2;
            let read = weights.read(&[1; 3_000], 0, &wanted).unwrap();
            assert_eq!((read, asked.get()), (None, 3), "{kind}");
        }
    }
}
