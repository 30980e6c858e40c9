//! Tokens: text to numbers and back, and which of them are marks of the conversation.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use candle_core::quantized::gguf_file::Content;
use candle_core::quantized::tokenizer::TokenizerFromGguf as _;
use llguidance::toktrie::{ApproximateTokEnv, TokEnv, TokRxInfo, TokTrie};
use tokenizers::Tokenizer;

use crate::fault::{LocalFault, first_line};

/// Marks after which an answer is over, in the models known here.
const ENDS: [&str; 4] = [
    "<|im_end|>",
    "<|eot_id|>",
    "<|endoftext|>",
    "<|end_of_text|>",
];

/// The tokens of a model.
pub(crate) struct Vocabulary {
    tokenizer: Tokenizer,
    /// The bytes of every token; none for marks.
    bytes: Vec<Option<Vec<u8>>>,
    ends: HashSet<u32>,
    trie: TokEnv,
}

impl Vocabulary {
    /// Reads the tokens out of a file.
    pub(crate) fn read(content: &Content) -> Result<Self, LocalFault> {
        let bad = |why: &dyn std::fmt::Display| LocalFault::NotAModel(first_line(why));
        let mut tokenizer = Tokenizer::from_gguf(content).map_err(|why| bad(&why))?;
        // A message that holds a mark must not be read as one.
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

    /// The tokens of a text, in which nothing is a mark.
    pub(crate) fn tokens(&self, text: &str) -> Result<Vec<u32>, LocalFault> {
        let read = self
            .tokenizer
            .encode_fast(text, false)
            .map_err(|why| LocalFault::Failed(first_line(why)))?;
        Ok(read.get_ids().to_vec())
    }

    /// A mark, where the model has it.
    pub(crate) fn mark(&self, text: &str) -> Option<u32> {
        self.tokenizer.token_to_id(text)
    }

    /// What a token says; nothing for a mark.
    pub(crate) fn bytes(&self, token: u32) -> &[u8] {
        let at = usize::try_from(token).unwrap_or(usize::MAX);
        self.bytes.get(at).and_then(Option::as_deref).unwrap_or(&[])
    }

    /// Whether an answer is over with it.
    pub(crate) fn ends(&self, token: u32) -> bool {
        self.ends.contains(&token)
    }

    /// Whether it is a mark that is not to be said.
    pub(crate) fn is_mark(&self, token: u32) -> bool {
        self.bytes(token).is_empty()
    }

    /// How many there are. A model may have scores for more.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The tokens for whoever holds answers to a grammar.
    pub(crate) fn trie(&self) -> &TokEnv {
        &self.trie
    }
}

/// The letters by which tokens of this kind are written, each for a byte: printable ones stand for themselves, the rest
/// for those from 256 on, in order (GPT-2's `bytes_to_unicode`).
fn letters() -> HashMap<char, u8> {
    let plain = |byte: &u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
    let own = (0..=u8::MAX)
        .filter(plain)
        .map(|byte| (char::from(byte), byte));
    let rest = (0..=u8::MAX).filter(|byte| !plain(byte));
    let moved = (256_u32..).filter_map(char::from_u32).zip(rest);
    own.chain(moved).collect()
}
