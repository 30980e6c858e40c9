//! The header of a model file: what it states before any weights are read. It is checked with suspicion, because the
//! library that runs models trusts every number in it.

use std::fs::File;
use std::io::BufReader;
use std::ops::RangeInclusive;
use std::path::Path;

use candle_core::quantized::gguf_file::{Content, Value};

use crate::fault::{LocalFault, first_line};

/// Supported architectures, each with the largest context window in tokens. A larger one takes more memory than most
/// computers can spare, and this is the small model; candle also precomputes just 4096 positions for llama.
const KINDS: [(&str, usize); 3] = [("llama", 4_096), ("qwen2", 8_192), ("qwen3", 8_192)];
/// Numbers that determine memory use, with the range they have in any model that fits a personal computer.
const SIZES: [(&str, RangeInclusive<u64>); 5] = [
    ("attention.head_count", 1..=1_024),
    ("attention.head_count_kv", 1..=1_024),
    ("block_count", 1..=1_024),
    ("embedding_length", 1..=65_536),
    ("context_length", 1..=(1 << 32)),
];
/// The same for numbers that not every model states.
const SIZES_SOMETIMES: [(&str, RangeInclusive<u64>); 3] = [
    ("rope.dimension_count", 1..=4_096),
    ("attention.key_length", 1..=4_096),
    ("attention.value_length", 1..=4_096),
];
/// Highest number of copies of keys and values that candle keeps (qwen3 keeps two).
const CACHES: u64 = 2;
/// Bytes of a number used in computations.
const NUMBER_BYTES: u64 = 4;

/// The header of a file.
pub(crate) struct Head {
    pub(crate) content: Content,
    pub(crate) source: BufReader<File>,
    /// Architecture: `llama`, `qwen2` or `qwen3`.
    pub(crate) kind: String,
    /// Size of the context window, in tokens: prompt and answer together.
    pub(crate) window: usize,
    /// Approximate memory use, in bytes.
    pub(crate) memory: u64,
}

impl Head {
    /// Reads the header of a GGUF file.
    ///
    /// # Errors
    /// When the file cannot be read, is damaged, or contains a model of an unsupported architecture.
    pub(crate) fn read(file: &Path) -> Result<Self, LocalFault> {
        let unreadable = |why: std::io::Error| LocalFault::Unreadable(why.to_string());
        let source = File::open(file).map_err(unreadable)?;
        let bytes = source.metadata().map_err(unreadable)?.len();
        let mut source = BufReader::new(source);
        let mut content =
            Content::read(&mut source).map_err(|why| LocalFault::NotAModel(first_line(why)))?;
        let kind = match content.metadata.get("general.architecture") {
            Some(Value::String(kind)) => kind.clone(),
            _ => return Err(LocalFault::NotAModel("it does not tell its kind".into())),
        };
        let most = KINDS.iter().find(|(name, _)| *name == kind);
        let Some((_, most)) = most else {
            return Err(LocalFault::Unsupported(kind));
        };
        match content.metadata.get("tokenizer.ggml.model") {
            Some(Value::String(model)) if model == "gpt2" => {}
            _ => return Err(LocalFault::Unsupported(format!("{kind} with its tokens"))),
        }
        check_sizes(&content, &kind)?;
        let number = |name: &str| number(&content, &kind, name).unwrap_or(0);
        let window = usize::try_from(number("context_length"))
            .unwrap_or(usize::MAX)
            .min(*most);
        let keys = number("embedding_length") / number("attention.head_count").max(1)
            * number("attention.head_count_kv");
        let caches = 2 * CACHES * NUMBER_BYTES * keys * number("block_count") * window as u64;
        // Word embeddings are also kept unpacked, in full precision.
        let words = content
            .tensor_infos
            .get("token_embd.weight")
            .map_or(0, |words| words.shape.elem_count() as u64 * NUMBER_BYTES);
        let memory = bytes.saturating_add(words).saturating_add(caches);
        // candle precomputes positions for as many tokens as the header states.
        let told = u32::try_from(window).unwrap_or(u32::MAX);
        let key = format!("{kind}.context_length");
        content.metadata.insert(key, Value::U32(told));
        Ok(Self {
            content,
            source,
            kind,
            window,
            memory,
        })
    }

    /// Returns the model's name according to the file.
    pub(crate) fn name(&self) -> String {
        match self.content.metadata.get("general.name") {
            Some(Value::String(name)) => name.clone(),
            _ => "unnamed".to_owned(),
        }
    }

    /// Refuses a model that needs more memory than is free, if the system reports that.
    pub(crate) fn check_memory(&self, free: Option<u64>) -> Result<(), LocalFault> {
        match free {
            Some(free) if free < self.memory => Err(LocalFault::NoMemory {
                needed: self.memory,
                free,
            }),
            _ => Ok(()),
        }
    }
}

/// Returns the bytes of memory available without displacing others; only Linux reports it.
pub(crate) fn free_memory() -> Option<u64> {
    let told = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = told
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1_024)
}

fn check_sizes(content: &Content, kind: &str) -> Result<(), LocalFault> {
    let wrong = |name: &str| LocalFault::NotAModel(format!("its {name} makes no sense"));
    for (name, range) in &SIZES {
        match number(content, kind, name) {
            Some(number) if range.contains(&number) => {}
            _ => return Err(wrong(name)),
        }
    }
    for (name, range) in &SIZES_SOMETIMES {
        if number(content, kind, name).is_some_and(|number| !range.contains(&number)) {
            return Err(wrong(name));
        }
    }
    Ok(())
}

fn number(content: &Content, kind: &str, name: &str) -> Option<u64> {
    match content.metadata.get(&format!("{kind}.{name}"))? {
        Value::U8(number) => Some(u64::from(*number)),
        Value::U16(number) => Some(u64::from(*number)),
        Value::U32(number) => Some(u64::from(*number)),
        Value::U64(number) => Some(*number),
        Value::I32(number) => u64::try_from(*number).ok(),
        Value::I64(number) => u64::try_from(*number).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiny::{KINDS, tiny};

    #[test]
    fn a_head_tells_kind_window_and_memory() {
        let folder = tempfile::tempdir().unwrap();
        for (kind, most) in KINDS.into_iter().zip([4_096, 8_192, 8_192]) {
            let file = folder.path().join(kind);
            tiny(&file, kind, 131_072);
            let head = Head::read(&file).unwrap();
            assert_eq!((head.kind.as_str(), head.window), (kind, most));
            let bytes = std::fs::metadata(&file).unwrap().len();
            // The file, 260 words of 32 numbers, keys and values of 16 numbers for every token.
            let wanted = bytes + 260 * 32 * 4 + 2 * 2 * 16 * 4 * most as u64;
            assert_eq!(head.memory, wanted);
            assert_eq!(head.check_memory(Some(wanted)), Ok(()));
            assert_eq!(head.check_memory(None), Ok(()));
            let short = head.check_memory(Some(wanted - 1)).unwrap_err();
            assert_eq!(short.code(), "no_memory");
        }
        let free = free_memory();
        assert_eq!(free.is_some(), cfg!(target_os = "linux"));
    }

    #[test]
    fn numbers_that_make_no_sense_are_refused_before_memory_is_taken_by_them() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tiny.gguf");
        tiny(&file, "llama", 256);
        let whole = std::fs::read(&file).unwrap();
        let names = SIZES.iter().chain(&SIZES_SOMETIMES);
        for (name, _) in names.filter(|(name, _)| *name != "attention.value_length") {
            let key = format!("llama.{name}");
            let at = whole
                .windows(key.len())
                .position(|part| part == key.as_bytes())
                .unwrap();
            // Behind the name stands the type, then the number.
            let at = at + key.len() + 4;
            for number in [0, u32::MAX] {
                let mut other = whole.clone();
                other[at..at + 4].copy_from_slice(&number.to_le_bytes());
                std::fs::write(&file, other).unwrap();
                let read = Head::read(&file).map(|head| head.window);
                if *name == "context_length" && number > 0 {
                    assert_eq!(read, Ok(4_096));
                } else {
                    assert!(matches!(read, Err(LocalFault::NotAModel(_))), "{name}");
                }
            }
        }
    }
}
