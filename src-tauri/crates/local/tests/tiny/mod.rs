//! A whole model made on the spot.

use std::path::Path;

use candle_core::quantized::gguf_file::{self, Value};
use candle_core::quantized::{GgmlDType, QTensor};
use candle_core::{Device, Tensor};

const WIDTH: usize = 32;
/// Tokens of prompt and answer.
pub const WINDOW: u32 = 256;
/// Its marks of a conversation.
pub const MARKS: [&str; 3] = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"];

/// Writes a llama of one layer with a token for each byte, one for two of them, and three marks, and weights that look random.
pub fn tiny(file: &Path) {
    tiny_with(file, WINDOW);
}

/// The same with another window.
pub fn tiny_with(file: &Path, window: u32) {
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
    let metadata = [
        ("general.architecture", Value::String("llama".into())),
        ("general.name", Value::String("tiny".into())),
        ("llama.attention.head_count", Value::U32(2)),
        ("llama.attention.head_count_kv", Value::U32(1)),
        ("llama.block_count", Value::U32(1)),
        ("llama.embedding_length", Value::U32(WIDTH as u32)),
        ("llama.rope.dimension_count", Value::U32(WIDTH as u32 / 2)),
        ("llama.attention.layer_norm_rms_epsilon", Value::F32(1e-5)),
        ("llama.context_length", Value::U32(window)),
        ("tokenizer.ggml.model", Value::String("gpt2".into())),
        ("tokenizer.ggml.pre", Value::String("qwen2".into())),
        ("tokenizer.ggml.eos_token_id", Value::U32(257)),
        (
            "tokenizer.ggml.tokens",
            Value::Array(tokens.into_iter().map(Value::String).collect()),
        ),
        (
            "tokenizer.ggml.token_type",
            Value::Array(kinds.map(Value::I32).collect()),
        ),
        (
            "tokenizer.ggml.merges",
            Value::Array(vec![Value::String("t h".into())]),
        ),
    ];
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
    let tensors = [
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
    let metadata: Vec<(&str, &Value)> = metadata.iter().map(|(key, value)| (*key, value)).collect();
    let tensors: Vec<(&str, &QTensor)> = tensors.iter().map(|(key, value)| (*key, value)).collect();
    let mut out = std::fs::File::create(file).unwrap();
    gguf_file::write(&mut out, &metadata, &tensors).unwrap();
}
