//! Tokens: converts text to numbers and back, and knows which of them are marks of the conversation.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use candle_core::quantized::gguf_file::Content;
use candle_core::quantized::tokenizer::TokenizerFromGguf as _;
use llguidance::toktrie::{ApproximateTokEnv, TokEnv, TokRxInfo, TokTrie};
use tokenizers::Tokenizer;

use crate::fault::{LocalFault, first_line};

/// Marks that end an answer in the supported models.
const ENDS: [&str; 4] = [
    "<|im_end|>",
    "<|eot_id|>",
    "<|endoftext|>",
    "<|end_of_text|>",
];

/// The tokens of a model.
pub(crate) struct Vocabulary {
    tokenizer: Tokenizer,
    /// The bytes of every token; `None` for marks.
    bytes: Vec<Option<Vec<u8>>>,
    ends: HashSet<u32>,
    trie: TokEnv,
}

impl Vocabulary {
    /// Reads the tokens from a file.
    pub(crate) fn read(content: &Content) -> Result<Self, LocalFault> {
        let bad = |why: &dyn std::fmt::Display| LocalFault::NotAModel(first_line(why));
        let mut tokenizer = Tokenizer::from_gguf(content).map_err(|why| bad(&why))?;
        // A mark within a message must not be read as one.
        tokenizer.set_encode_special_tokens(true);
        let size = u32::try_from(tokenizer.get_vocab_size(true)).map_err(|why| bad(&why))?;
        let marks: HashSet<u32> = tokenizer
            .get_added_tokens_decoder()
            .into_iter()
            .filter_map(|(id, token)| token.special.then_some(id))
            .collect();
        let letters = letters();
        let bytes: Vec<Option<Vec<u8>>> = (0..size)
            .map(|id| {
                let text = tokenizer.id_to_token(id)?;
                let known = !marks.contains(&id);
                known.then(|| text.chars().map(|c| letters.get(&c).copied()).collect())?
            })
            .collect();
        let end = content
            .metadata
            .get("tokenizer.ggml.eos_token_id")
            .and_then(|value| value.to_u32().ok())
            .filter(|id| *id < size)
            .ok_or_else(|| bad(&"it does not tell how answers end"))?;
        let mut ends: HashSet<u32> = ENDS
            .iter()
            .filter_map(|mark| tokenizer.token_to_id(mark))
            .collect();
        ends.insert(end);
        let words: Vec<Vec<u8>> = (0..size)
            .zip(&bytes)
            .map(|(id, bytes)| match bytes {
                Some(bytes) => bytes.clone(),
                None => {
                    let mut word = vec![TokTrie::SPECIAL_TOKEN_MARKER];
                    word.extend(tokenizer.id_to_token(id).unwrap_or_default().bytes());
                    word
                }
            })
            .collect();
        let trie = TokTrie::from(&TokRxInfo::new(size, end), &words);
        Ok(Self {
            tokenizer,
            bytes,
            ends,
            trie: Arc::new(ApproximateTokEnv::new(trie)),
        })
    }

    /// Returns the tokens of a text, in which nothing counts as a mark.
    pub(crate) fn tokens(&self, text: &str) -> Result<Vec<u32>, LocalFault> {
        let read = self
            .tokenizer
            .encode_fast(text, false)
            .map_err(|why| LocalFault::Failed(first_line(why)))?;
        Ok(read.get_ids().to_vec())
    }

    /// Returns the token of a mark, or `None` if the model does not have it.
    pub(crate) fn mark(&self, text: &str) -> Option<u32> {
        self.tokenizer.token_to_id(text)
    }

    /// Returns the bytes of a token; empty for a mark.
    pub(crate) fn bytes(&self, token: u32) -> &[u8] {
        let at = usize::try_from(token).unwrap_or(usize::MAX);
        self.bytes.get(at).and_then(Option::as_deref).unwrap_or(&[])
    }

    /// Whether a token ends an answer.
    pub(crate) fn ends(&self, token: u32) -> bool {
        self.ends.contains(&token)
    }

    /// Whether a token is a mark, which must not be output.
    pub(crate) fn is_mark(&self, token: u32) -> bool {
        self.bytes(token).is_empty()
    }

    /// Returns the number of tokens. A model may compute scores for more.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the tokens in the form that constrained decoding needs.
    pub(crate) fn trie(&self) -> &TokEnv {
        &self.trie
    }
}

/// Returns the characters that represent bytes in this kind of vocabulary. Printable ones represent themselves; the
/// others are represented by the characters from 256 on, in order (GPT-2's `bytes_to_unicode`).
fn letters() -> HashMap<char, u8> {
    let plain = |byte: &u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
    let own = (0..=u8::MAX)
        .filter(plain)
        .map(|byte| (char::from(byte), byte));
    let rest = (0..=u8::MAX).filter(|byte| !plain(byte));
    let moved = (256_u32..).filter_map(char::from_u32).zip(rest);
    own.chain(moved).collect()
}
