//! The network: the encoder of BERT, as far as computing vectors needs it.
//!
//! candle-transformers contains it too, but among a hundred others that would have to be compiled as well.

use candle_core::{D, DType, Device, Result, Tensor};
use candle_nn::{Embedding, LayerNorm, Linear, Module, VarBuilder, ops};
use serde::Deserialize;

/// The dimensions of a network, from `config.json`.
#[derive(Deserialize)]
pub(crate) struct Shape {
    vocab_size: usize,
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    /// Highest number of tokens of a text that have a position.
    pub(crate) max_position_embeddings: usize,
    type_vocab_size: usize,
    layer_norm_eps: f64,
}

/// A network with its weights.
pub(crate) struct Network {
    words: Embedding,
    places: Embedding,
    kinds: Embedding,
    norm: LayerNorm,
    layers: Vec<Layer>,
}

struct Layer {
    heads: usize,
    query: Linear,
    key: Linear,
    value: Linear,
    attended: Linear,
    attended_norm: LayerNorm,
    widen: Linear,
    narrow: Linear,
    norm: LayerNorm,
}

impl Network {
    /// Loads the weights by the names under which BERT's are published.
    pub(crate) fn load(weights: &VarBuilder<'_>, shape: &Shape) -> Result<Self> {
        if shape.num_attention_heads == 0
            || !shape.hidden_size.is_multiple_of(shape.num_attention_heads)
        {
            candle_core::bail!("the heads do not share the width evenly");
        }
        let width = shape.hidden_size;
        let base = weights.pp("embeddings");
        let table = |rows, name| candle_nn::embedding(rows, width, base.pp(name));
        Ok(Self {
            words: table(shape.vocab_size, "word_embeddings")?,
            places: table(shape.max_position_embeddings, "position_embeddings")?,
            kinds: table(shape.type_vocab_size, "token_type_embeddings")?,
            norm: candle_nn::layer_norm(width, shape.layer_norm_eps, base.pp("LayerNorm"))?,
            layers: (0..shape.num_hidden_layers)
                .map(|at| Layer::load(&weights.pp(format!("encoder.layer.{at}")), shape))
                .collect::<Result<_>>()?,
        })
    }

    /// Returns the number of dimensions of a token's state.
    pub(crate) fn width(&self) -> usize {
        self.words.hidden_size()
    }

    /// Returns the states of the tokens, with shape (texts, tokens, width). `ids` has shape (texts, tokens); `mask`
    /// is 1 for tokens and 0 for padding.
    pub(crate) fn states(&self, ids: &Tensor, mask: &Tensor) -> Result<Tensor> {
        let (_, tokens) = ids.dims2()?;
        let places = Tensor::from_iter(0..u32::try_from(tokens)?, &Device::Cpu)?;
        // Every token has the first type, because texts come alone rather than in pairs.
        let kind = self.kinds.embeddings().get(0)?;
        let states = self
            .words
            .forward(ids)?
            .broadcast_add(&self.places.forward(&places)?)?
            .broadcast_add(&kind)?;
        let mut states = self.norm.forward(&states)?;
        let mask = mask.to_dtype(DType::F32)?.unsqueeze(1)?.unsqueeze(1)?;
        // Padding gets no attention: adds 0 for a token and the smallest number for padding.
        let unseen = (mask.affine(-1.0, 1.0)? * f64::from(f32::MIN))?;
        for layer in &self.layers {
            states = layer.forward(&states, &unseen)?;
        }
        Ok(states)
    }
}

impl Layer {
    fn load(weights: &VarBuilder<'_>, shape: &Shape) -> Result<Self> {
        let (width, inner) = (shape.hidden_size, shape.intermediate_size);
        let linear = |from, to, name| candle_nn::linear(from, to, weights.pp(name));
        let norm = |name| candle_nn::layer_norm(width, shape.layer_norm_eps, weights.pp(name));
        Ok(Self {
            heads: shape.num_attention_heads,
            query: linear(width, width, "attention.self.query")?,
            key: linear(width, width, "attention.self.key")?,
            value: linear(width, width, "attention.self.value")?,
            attended: linear(width, width, "attention.output.dense")?,
            attended_norm: norm("attention.output.LayerNorm")?,
            widen: linear(width, inner, "intermediate.dense")?,
            narrow: linear(inner, width, "output.dense")?,
            norm: norm("output.LayerNorm")?,
        })
    }

    fn forward(&self, states: &Tensor, unseen: &Tensor) -> Result<Tensor> {
        let attended = self.attended.forward(&self.attend(states, unseen)?)?;
        let states = self.attended_norm.forward(&(attended + states)?)?;
        let wide = self.widen.forward(&states)?.gelu_erf()?;
        self.norm.forward(&(self.narrow.forward(&wide)? + states)?)
    }

    fn attend(&self, states: &Tensor, unseen: &Tensor) -> Result<Tensor> {
        let (texts, tokens, width) = states.dims3()?;
        let head = width / self.heads;
        let split = |part: &Linear| {
            part.forward(states)?
                .reshape((texts, tokens, self.heads, head))?
                .transpose(1, 2)?
                .contiguous()
        };
        let (query, key, value) = (split(&self.query)?, split(&self.key)?, split(&self.value)?);
        let scores = (query.matmul(&key.t()?)? / (head as f64).sqrt())?;
        let shares = ops::softmax(&scores.broadcast_add(unseen)?, D::Minus1)?;
        let joined = shares.matmul(&value)?.transpose(1, 2)?.contiguous()?;
        joined.flatten_from(D::Minus2)
    }
}
