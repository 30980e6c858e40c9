//! How many tokens a text has, roughly. The tokenizer of current OpenAI models stands for all of them: others differ by
//! some ten percent for English, more for other scripts. What a provider says always counts more.

use adjutant_domain::model::{ModelRequest, ReplyShape};
use tiktoken_rs::o200k_base_singleton;

/// Bytes that are counted one by one; of longer texts the rest is taken to be like the beginning.
const COUNTED_BYTES_MAX: usize = 256 * 1024;
/// Bytes given to the tokenizer at once. It takes long for one long word, and texts are hostile.
const BLOCK_BYTES: usize = 2 * 1024;
/// What a message costs besides its text: its role and its borders.
const MESSAGE_EXTRA: u64 = 4;

/// Tokens of a text, roughly.
#[must_use]
pub fn estimate(text: &str) -> u64 {
    if text.is_empty() {
        return 0;
    }
    let tokenizer = o200k_base_singleton();
    let mut counted_bytes = 0;
    let mut tokens: u64 = 0;
    let mut rest = text;
    while !rest.is_empty() && counted_bytes < COUNTED_BYTES_MAX {
        let end = block_end(rest);
        let (block, after) = rest.split_at(end);
        tokens += tokenizer.count_ordinary(block) as u64;
        counted_bytes += end;
        rest = after;
    }
    let all = text.len() as u128;
    u64::try_from(u128::from(tokens) * all / (counted_bytes as u128)).unwrap_or(u64::MAX)
}

/// Tokens of everything a request sends, roughly.
#[must_use]
pub fn estimate_request(request: &ModelRequest) -> u64 {
    let messages: u64 = request
        .messages
        .iter()
        .map(|message| estimate(&message.text) + MESSAGE_EXTRA)
        .sum();
    let tools: u64 = request
        .tools
        .iter()
        .map(|tool| {
            estimate(&tool.name) + estimate(&tool.description) + estimate(&tool.schema.to_string())
        })
        .sum();
    let shape = match &request.reply {
        ReplyShape::Text => 0,
        ReplyShape::Json { schema } => estimate(&schema.to_string()),
    };
    estimate(&request.system.text) + MESSAGE_EXTRA + messages + tools + shape
}

/// Where the next block ends: after a blank if there is one in its second half, so that words stay whole.
fn block_end(text: &str) -> usize {
    if text.len() <= BLOCK_BYTES {
        return text.len();
    }
    let end = text.floor_char_boundary(BLOCK_BYTES);
    text.get(..end)
        .and_then(|block| block.rfind([' ', '\n']))
        .filter(|at| *at >= BLOCK_BYTES / 2)
        .unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_has_about_four_letters_a_token() {
        let text = "Please move the meeting with Ana to Thursday at three in the afternoon. ";
        let once = estimate(text);
        assert!((12..=18).contains(&once), "{once}");
        let many = estimate(&text.repeat(10_000));
        assert!(
            (many as f64 / (once as f64 * 10_000.0) - 1.0).abs() < 0.1,
            "{many}"
        );
        assert_eq!(estimate(""), 0);
    }

    #[test]
    fn one_endless_word_is_counted_too() {
        assert!(estimate(&"a".repeat(3_000_000)) > 100_000);
        assert!(estimate(&"漢".repeat(100_000)) > 10_000);
    }
}
