//! A loaded model and how it answers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use candle_core::{Device, Tensor};
use candle_transformers::generation::{LogitsProcessor, Sampling};
use llguidance::api::TopLevelGrammar;
use llguidance::{Matcher, ParserFactory};
use serde_json::{Value, json};

use crate::fault::{LocalFault, first_line};
use crate::format;
use crate::head::{Head, free_memory};
use crate::vocabulary::Vocabulary;
use crate::weights::Weights;
use crate::wire::{Message, Stop};

/// Sampling for free text, with the usual values. With a schema, the most likely token is taken.
const FREE: Sampling = Sampling::TopP {
    p: 0.9,
    temperature: 0.7,
};
/// Fixed, so that the same question gets the same answer.
const SEED: u64 = 299_792_458;

/// Result of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answered {
    /// Why it ended.
    pub stop: Stop,
    /// Number of tokens of the prompt.
    pub input: usize,
    /// Number of tokens of the answer.
    pub output: usize,
}

/// A loaded model.
pub struct LocalModel {
    name: String,
    window: usize,
    weights: Weights,
    vocabulary: Vocabulary,
    grammars: ParserFactory,
}

impl LocalModel {
    /// Loads a GGUF file.
    ///
    /// # Errors
    /// When the file cannot be read, is damaged or contains a model of an unsupported architecture, or if memory is
    /// short.
    pub fn open(file: &Path) -> Result<Self, LocalFault> {
        let head = Head::read(file)?;
        head.check_memory(free_memory())?;
        let (name, window) = (head.name(), head.window);
        // The library that reads weights trusts their description; if that is inconsistent, it may panic.
        let loaded = catch_unwind(AssertUnwindSafe(|| {
            let vocabulary = Vocabulary::read(&head.content)?;
            let mut grammars = ParserFactory::new_simple(vocabulary.trie())
                .map_err(|why| LocalFault::NotAModel(first_line(why)))?;
            grammars.quiet();
            Ok((Weights::load(head)?, vocabulary, grammars))
        }));
        let (weights, vocabulary, grammars) = loaded.unwrap_or_else(|_| {
            let why = "what it tells of itself does not fit together";
            Err(LocalFault::NotAModel(why.into()))
        })?;
        Ok(Self {
            name,
            window,
            weights,
            vocabulary,
            grammars,
        })
    }

    /// Returns the model's name according to the file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the size of the context window in tokens: prompt and answer together.
    #[must_use]
    pub fn window(&self) -> usize {
        self.window
    }

    /// Answers a conversation, passing on pieces to `say`. With a `schema`, every answer that ends by itself is JSON
    /// that fits it. `wanted` is checked before every token and between the parts of the prompt.
    ///
    /// # Errors
    /// When the prompt is too long, answers cannot be constrained to the schema, or the computation fails.
    pub fn answer(
        &mut self,
        system: &str,
        messages: &[Message],
        schema: Option<&Value>,
        max_tokens: usize,
        wanted: &dyn Fn() -> bool,
        say: &mut dyn FnMut(&str),
    ) -> Result<Answered, LocalFault> {
        let prompt = format::tokens(&self.vocabulary, system, messages)?;
        let input = prompt.len();
        if prompt.is_empty() || input >= self.window {
            return Err(LocalFault::TooLong {
                tokens: input,
                window: self.window,
            });
        }
        let mut choice = Choice::new(self, schema)?;
        let limit = max_tokens.min(self.window - input);
        let mut speech = Speech::default();
        let answered = |stop, output| Answered {
            stop,
            input,
            output,
        };
        self.weights.forget();
        let mut next = prompt;
        let mut read = 0;
        for output in 0..limit {
            let scores = self.weights.read(&next, read, wanted).map_err(failed)?;
            let Some(scores) = scores else {
                return Ok(answered(Stop::Stopped, output));
            };
            read += next.len();
            let Some(token) = choice.next(&self.vocabulary, scores)? else {
                speech.finish(say);
                return Ok(answered(Stop::Complete, output));
            };
            speech.add(self.vocabulary.bytes(token), say);
            if choice.is_over() {
                speech.finish(say);
                return Ok(answered(Stop::Complete, output + 1));
            }
            next = vec![token];
        }
        speech.finish(say);
        Ok(answered(Stop::Length, limit))
    }
}

/// Chooses the next token.
struct Choice {
    free: LogitsProcessor,
    grammar: Option<Matcher>,
}

impl Choice {
    fn new(model: &LocalModel, schema: Option<&Value>) -> Result<Self, LocalFault> {
        let grammar = schema
            .map(|schema| {
                let grammar = TopLevelGrammar::from_json_schema(compact(schema));
                let parser = model.grammars.create_parser(grammar);
                let mut matcher = Matcher::new(parser);
                match matcher.get_error() {
                    Some(why) => Err(LocalFault::Schema(first_line(why))),
                    None => {
                        matcher
                            .compute_mask()
                            .map_err(|why| LocalFault::Schema(first_line(why)))?;
                        Ok(matcher)
                    }
                }
            })
            .transpose()?;
        let free = if grammar.is_some() {
            Sampling::ArgMax
        } else {
            FREE
        };
        Ok(Self {
            free: LogitsProcessor::from_sampling(SEED, free),
            grammar,
        })
    }

    /// Returns the next token, or `None` when the answer is complete.
    fn next(
        &mut self,
        vocabulary: &Vocabulary,
        mut scores: Vec<f32>,
    ) -> Result<Option<u32>, LocalFault> {
        scores.truncate(vocabulary.len());
        let allowed = match &mut self.grammar {
            Some(grammar) => Some(grammar.compute_mask_or_eos().map_err(failed)?),
            None => None,
        };
        for (token, score) in (0_u32..).zip(&mut scores) {
            let fits = match &allowed {
                Some(allowed) => allowed.is_allowed(token),
                None => !vocabulary.is_mark(token) || vocabulary.ends(token),
            };
            if !fits || score.is_nan() {
                *score = f32::NEG_INFINITY;
            }
        }
        if !scores.iter().any(|score| score.is_finite()) {
            return Err(LocalFault::Failed("no token can come next".into()));
        }
        let count = scores.len();
        let scores = Tensor::from_vec(scores, count, &Device::Cpu).map_err(failed)?;
        let token = self.free.sample(&scores).map_err(failed)?;
        if vocabulary.ends(token) {
            return Ok(None);
        }
        if let Some(grammar) = &mut self.grammar {
            grammar.consume_token(token).map_err(failed)?;
        }
        Ok(Some(token))
    }

    /// Whether the grammar allows no further token.
    fn is_over(&self) -> bool {
        self.grammar.as_ref().is_some_and(Matcher::is_stopped)
    }
}

/// Returns the schema with whitespace between values forbidden: a model could go on writing it forever.
fn compact(schema: &Value) -> Value {
    let mut schema = match schema {
        Value::Bool(true) => json!({}),
        other => other.clone(),
    };
    if let Some(object) = schema.as_object_mut() {
        object.insert("x-guidance".into(), json!({"whitespace_flexible": false}));
    }
    schema
}

/// Turns bytes into text as soon as they form whole characters.
#[derive(Default)]
struct Speech {
    waiting: Vec<u8>,
}

impl Speech {
    fn add(&mut self, bytes: &[u8], say: &mut dyn FnMut(&str)) {
        self.waiting.extend(bytes);
        let whole = match std::str::from_utf8(&self.waiting) {
            Ok(_) => self.waiting.len(),
            // An incomplete character waits for more bytes; an invalid one is output as a replacement character.
            Err(fault) => match fault.error_len() {
                None => fault.valid_up_to(),
                Some(bad) => fault.valid_up_to() + bad,
            },
        };
        if whole > 0 {
            let text: Vec<u8> = self.waiting.drain(..whole).collect();
            say(&String::from_utf8_lossy(&text));
        }
    }

    fn finish(&mut self, say: &mut dyn FnMut(&str)) {
        if !self.waiting.is_empty() {
            say(&String::from_utf8_lossy(&std::mem::take(&mut self.waiting)));
        }
    }
}

fn failed(why: impl std::fmt::Display) -> LocalFault {
    LocalFault::Failed(first_line(why))
}
