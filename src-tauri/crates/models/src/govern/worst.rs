//! What a call can cost at its worst, known before it is made.

use adjutant_domain::model::{ModelProfile, ModelRequest, ReplyShape};

/// Tokens a message, a tool or the whole has besides its text: roles, borders, names of fields.
const EXTRA_TOKENS: u64 = 16;
/// Letters of a plain word that make a token even when the word is unknown to the model.
const LETTERS_A_TOKEN: u64 = 3;
/// Bytes of ordinary text that make a token, for what nobody counted.
const BYTES_A_TOKEN: u64 = 4;
const MILLION: u128 = 1_000_000;

/// The most a call of this model can cost, in micro-units. Local models cost nothing.
#[must_use]
pub fn worst_case_micros(profile: &ModelProfile, request: &ModelRequest) -> u64 {
    // What does not fit the window is refused, and then costs nothing.
    let input = worst_tokens(request).min(u64::from(profile.context_tokens));
    price_micros(profile, input, u64::from(request.max_output_tokens))
}

/// What so many tokens cost, in micro-units, rounded up. Local models cost nothing.
#[must_use]
pub fn price_micros(profile: &ModelProfile, input: u64, output: u64) -> u64 {
    if profile.local {
        return 0;
    }
    let input = u128::from(input) * u128::from(profile.input_micros_per_million);
    let output = u128::from(output) * u128::from(profile.output_micros_per_million);
    u64::try_from(input.saturating_add(output).div_ceil(MILLION)).unwrap_or(u64::MAX)
}

/// The most tokens a request can have. Tokenizers differ and are not asked: this has to hold for all of them, and to be
/// known at once.
#[must_use]
pub fn worst_tokens(request: &ModelRequest) -> u64 {
    let mut tokens = EXTRA_TOKENS + worst_of(&request.system.text);
    for message in &request.messages {
        tokens += EXTRA_TOKENS + worst_of(&message.text);
    }
    for tool in &request.tools {
        tokens += EXTRA_TOKENS
            + worst_of(&tool.name)
            + worst_of(&tool.description)
            + worst_of(&tool.schema.to_string());
    }
    if let ReplyShape::Json { schema } = &request.reply {
        tokens += EXTRA_TOKENS + worst_of(&schema.to_string());
    }
    tokens
}

/// Characters a request sends, for the trace.
pub(super) fn chars(request: &ModelRequest) -> u64 {
    let count = |text: &str| text.chars().count() as u64;
    let messages = request.messages.iter().map(|message| count(&message.text));
    let tools = request
        .tools
        .iter()
        .map(|tool| count(&tool.name) + count(&tool.description) + count(&tool.schema.to_string()));
    let shape = match &request.reply {
        ReplyShape::Text => 0,
        ReplyShape::Json { schema } => count(&schema.to_string()),
    };
    count(&request.system.text) + messages.sum::<u64>() + tools.sum::<u64>() + shape
}

/// Tokens that so many bytes most likely have.
pub(super) const fn likely(bytes: u64) -> u64 {
    bytes.div_ceil(BYTES_A_TOKEN)
}

/// Tokens of a text at the most: words by their letters, digits, signs and breaks one by one, other scripts by their
/// characters, of which the rarer ones (with more bytes) are split.
pub(super) fn worst_of(text: &str) -> u64 {
    let mut tokens = 0;
    let mut letters: u64 = 0;
    let mut blank = false;
    for char in text.chars() {
        if char.is_ascii_alphabetic() {
            letters += 1;
            blank = false;
            continue;
        }
        tokens += letters.div_ceil(LETTERS_A_TOKEN);
        letters = 0;
        // A single space belongs to the word after it.
        let space = char == ' ';
        tokens += match char.len_utf8() as u64 {
            1 => u64::from(!space || blank),
            bytes => bytes - 1,
        };
        blank = space;
    }
    tokens + letters.div_ceil(LETTERS_A_TOKEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_case_is_above_what_a_tokenizer_counts_and_not_far_above() {
        for text in [
            "Please move the meeting with Ana to Thursday at three in the afternoon.",
            "Kindly acknowledge receipt of the aforementioned documentation notwithstanding.",
            r#"{"steps":[{"tool":"task.create","args":{"title":"Buy milk"}}]}"#,
            "2026-01-12T09:00:00+01:00[Europe/Paris] 4,071.50 (18 %)",
            "fn main() {\n    let x = vec![1, 2, 3];\n    println!(\"{x:?}\");\n}\n",
            "Überraschungsgäste kommen übermorgen",
            "Перенеси встречу на четверг",
            "明日の午後三時に会議を移動してください",
            "انقل الاجتماع إلى يوم الخميس",
            "🎉👩‍👩‍👧 done",
            "a b c d e f g h",
            "user_id=8f3a9c01-77aa-4b1c-9d2e",
            "",
        ] {
            let (worst, counted) = (worst_of(text), crate::tokens::estimate(text));
            assert!(worst >= counted, "{text}: {worst} under {counted}");
            assert!(
                worst <= 8 + counted * 6,
                "{text}: {worst} is far above {counted}"
            );
        }
    }

    #[test]
    fn prices_are_rounded_up_and_never_wrap() {
        let mut profile = ModelProfile {
            id: "lab/one".into(),
            tier: adjutant_domain::model::Tier::Standard,
            context_tokens: 8_192,
            tools: true,
            structure: true,
            input_micros_per_million: 3_000_000,
            output_micros_per_million: 15_000_000,
            local: false,
        };
        assert_eq!(price_micros(&profile, 1_000, 100), 4_500);
        profile.input_micros_per_million = 1;
        profile.output_micros_per_million = 0;
        assert_eq!(price_micros(&profile, 1, 0), 1);
        profile.input_micros_per_million = u64::MAX;
        profile.output_micros_per_million = u64::MAX;
        assert_eq!(price_micros(&profile, u64::MAX, u64::MAX), u64::MAX);
        profile.local = true;
        assert_eq!(price_micros(&profile, u64::MAX, u64::MAX), 0);
    }
}
