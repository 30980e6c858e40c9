//! Generates a complete tiny model.

use std::path::Path;

use candle_core::quantized::gguf_file::{self, Value};
use candle_core::quantized::{GgmlDType, QTensor};
use candle_core::{Device, Tensor};

const WIDTH: usize = 32;
/// Special tokens of the model.
pub const MARKS: [&str; 3] = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"];

/// Supported architectures.
pub const KINDS: [&str; 3] = ["llama", "qwen2", "qwen3"];

/// Writes a model with one layer and pseudo-random weights. It has a token for each byte, one token for a pair of
/// bytes, and three special tokens. `window` is the size of the context window in tokens.
pub fn tiny(file: &Path, kind: &str, window: u32) {
    let letters = |byte: u8| match byte {
        b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff => char::from(byte),
        0..=0x20 => char::from_u32(256 + u32::from(byte)).unwrap(),
        0x7f..=0xa0 => char::from_u32(256 + 33 + u32::from(byte) - 0x7f).unwrap(),
        0xad => char::from_u32(256 + 67).unwrap(),
    };
    let tokens: Vec<String> = (0..=u8::MAX)
        .map(|byte| letters(byte).to_string())
        .chain(["th".to_owned()])
        .chain(MARKS.map(str::to_owned))
        .collect();
    let count = tokens.len();
    let kinds = (0..count).map(|at| if at < 257 { 1 } else { 3 });
    let words = tokens.into_iter().map(Value::String).collect();
    let metadata = [
        ("general.architecture", Value::String(kind.into())),
        ("general.name", Value::String("tiny".into())),
        ("tokenizer.ggml.model", Value::String("gpt2".into())),
        ("tokenizer.ggml.pre", Value::String("qwen2".into())),
        ("tokenizer.ggml.eos_token_id", Value::U32(257)),
        ("tokenizer.ggml.tokens", Value::Array(words)),
        (
            "tokenizer.ggml.token_type",
            Value::Array(kinds.map(Value::I32).collect()),
        ),
        (
            "tokenizer.ggml.merges",
            Value::Array(vec![Value::String("t h".into())]),
        ),
    ];
    let numbers = [
        ("attention.head_count", Value::U32(2)),
        ("attention.head_count_kv", Value::U32(1)),
        ("attention.key_length", Value::U32(WIDTH as u32 / 2)),
        ("attention.layer_norm_rms_epsilon", Value::F32(1e-5)),
        ("block_count", Value::U32(1)),
        ("context_length", Value::U32(window)),
        ("embedding_length", Value::U32(WIDTH as u32)),
        ("rope.dimension_count", Value::U32(WIDTH as u32 / 2)),
        ("rope.freq_base", Value::F32(10_000.0)),
    ];
    let metadata: Vec<(String, Value)> = metadata
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .chain(numbers.map(|(key, value)| (format!("{kind}.{key}"), value)))
        .collect();
    let mut seed = 11_u64;
    let mut tensor = |shape: &[usize], norm: bool| {
        let values: Vec<f32> = (0..shape.iter().product::<usize>())
            .map(|_| {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let random = (seed >> 40) as f32 / (1_u32 << 24) as f32 - 0.5;
                if norm { 1.0 + random / 10.0 } else { random }
            })
            .collect();
        let tensor = Tensor::from_vec(values, shape, &Device::Cpu).unwrap();
        let kind = if norm {
            GgmlDType::F32
        } else {
            GgmlDType::Q8_0
        };
        QTensor::quantize(&tensor, kind).unwrap()
    };
    let mut tensors = vec![
        ("token_embd.weight", tensor(&[count, WIDTH], false)),
        ("output_norm.weight", tensor(&[WIDTH], true)),
        ("blk.0.attn_q.weight", tensor(&[WIDTH, WIDTH], false)),
        ("blk.0.attn_k.weight", tensor(&[WIDTH / 2, WIDTH], false)),
        ("blk.0.attn_v.weight", tensor(&[WIDTH / 2, WIDTH], false)),
        ("blk.0.attn_output.weight", tensor(&[WIDTH, WIDTH], false)),
        ("blk.0.ffn_gate.weight", tensor(&[WIDTH * 2, WIDTH], false)),
        ("blk.0.ffn_down.weight", tensor(&[WIDTH, WIDTH * 2], false)),
        ("blk.0.ffn_up.weight", tensor(&[WIDTH * 2, WIDTH], false)),
        ("blk.0.attn_norm.weight", tensor(&[WIDTH], true)),
        ("blk.0.ffn_norm.weight", tensor(&[WIDTH], true)),
    ];
    match kind {
        "qwen2" => tensors.extend([
            ("blk.0.attn_q.bias", tensor(&[WIDTH], true)),
            ("blk.0.attn_k.bias", tensor(&[WIDTH / 2], true)),
            ("blk.0.attn_v.bias", tensor(&[WIDTH / 2], true)),
        ]),
        "qwen3" => tensors.extend([
            ("blk.0.attn_q_norm.weight", tensor(&[WIDTH / 2], true)),
            ("blk.0.attn_k_norm.weight", tensor(&[WIDTH / 2], true)),
        ]),
        _ => {}
    }
    let metadata: Vec<(&str, &Value)> = metadata
        .iter()
        .map(|(key, value)| (key.as_str(), value))
        .collect();
    let tensors: Vec<(&str, &QTensor)> = tensors.iter().map(|(key, value)| (*key, value)).collect();
    let mut out = std::fs::File::create(file).unwrap();
    gguf_file::write(&mut out, &metadata, &tensors).unwrap();
}
