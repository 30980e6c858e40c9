//! Computes the worst-case cost of a call before it is made.

use adjutant_domain::model::{ModelProfile, ModelRequest, ReplyShape};

/// Tokens added for each message, each tool and the whole request: roles, delimiters, field names.
const EXTRA_TOKENS: u64 = 16;
/// Number of parts per token in this count.
const PARTS: u64 = 3;
/// Parts of a lower-case letter inside a word. Words a tokeniser knows take about one token per four letters; random
/// letters, which no vocabulary contains, still average 1.6 to 2.4 letters per token.
const LETTER_PARTS: u64 = 2;
/// Letters that occur in few pairs, so that one may fill a token alone; ordinary words hardly contain them.
const RARE_LETTERS: [char; 7] = ['j', 'k', 'q', 'v', 'w', 'x', 'z'];
/// Bytes of ordinary text per token, for replies that broke off without a count.
const BYTES_A_TOKEN: u64 = 4;
const MILLION: u128 = 1_000_000;

/// Returns the highest cost of a call of this model, in micro-units.
#[must_use]
pub fn worst_case_micros(profile: &ModelProfile, request: &ModelRequest) -> u64 {
    // A request that does not fit the context window is refused, and then costs nothing.
    let input = worst_tokens(request).min(u64::from(profile.context_tokens));
    price_micros(profile, input, u64::from(request.max_output_tokens))
}

/// Returns the price of this many tokens, in micro-units, rounded up.
#[must_use]
pub fn price_micros(profile: &ModelProfile, input: u64, output: u64) -> u64 {
    let input = u128::from(input) * u128::from(profile.input_micros_per_million);
    let output = u128::from(output) * u128::from(profile.output_micros_per_million);
    u64::try_from(input.saturating_add(output).div_ceil(MILLION)).unwrap_or(u64::MAX)
}

/// Returns the highest number of tokens a request can have. Tokenisers differ and are not consulted: the bound must
/// hold for all of them and be known at once.
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

/// Returns the number of characters a request sends, for the trace.
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

/// Returns the most likely number of tokens for this many bytes.
pub(super) const fn likely(bytes: u64) -> u64 {
    bytes.div_ceil(BYTES_A_TOKEN)
}

/// Returns an upper bound for the tokens of a text.
///
/// Current tokenisers fall back to bytes, so no text has more tokens than bytes. That bound holds for every symbol,
/// digit and script, and is used for them. For ordinary words, which most requests consist of, it would be four times
/// too high: inside words a token has at least one and a half lower-case letters, and a single space belongs to the
/// word after it.
///
/// Measured against `cl100k`, `o200k`, `p50k` and `r50k` (the last two represent small vocabularies) on pieces of 300
/// characters, as this bound divided by the real number, minimum and mean: English prose 1.8 and 2.5, source code 1.4
/// and 1.9, JSON 1.4 and 1.5, random letters 1.1 and 1.2, base64 1.08 and 1.2, hexadecimal 1.5 and 1.6, symbols 1.2
/// and 1.4, rare scripts 1.0 and 1.2. Random short words reach 0.96 with `r50k`; the instructions of a request more
/// than make up for that.
pub(super) fn worst_of(text: &str) -> u64 {
    let mut parts = 0;
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        parts += match char {
            'a'..='z' if before.is_ascii_alphabetic() && !RARE_LETTERS.contains(&char) => {
                LETTER_PARTS
            }
            ' ' if !before.is_whitespace()
                && chars.peek().is_some_and(char::is_ascii_alphanumeric) =>
            {
                0
            }
            _ => PARTS * char.len_utf8() as u64,
        };
        before = char;
    }
    u64::div_ceil(parts, PARTS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use adjutant_domain::model::tokens::estimate;
    use proptest::prelude::*;

    /// Texts with the largest number of tokens any of `cl100k`, `o200k`, `p50k` and `r50k` counts for them.
    const COUNTED: [(&str, u64); 18] = [
        (
            "Please move the meeting with Ana to Thursday at three in the afternoon.",
            14,
        ),
        (
            "Kindly acknowledge receipt of the aforementioned documentation notwithstanding.",
            10,
        ),
        (
            "{\"steps\":[{\"tool\":\"task.create\",\"args\":{\"title\":\"Buy milk\"}}]}",
            18,
        ),
        (
            "2026-01-12T09:00:00+01:00[Europe/Paris] 4,071.50 (18 %)",
            31,
        ),
        (
            "fn main() {\n    let x = vec![1, 2, 3];\n    println!(\"{x:?}\");\n}\n",
            36,
        ),
        ("Überraschungsgäste kommen übermorgen", 18),
        ("Перенеси встречу на четверг", 31),
        ("明日の午後三時に会議を移動してください", 30),
        ("انقل الاجتماع إلى يوم الخميس", 27),
        ("🎉👩\u{200d}👩\u{200d}👧 done", 17),
        ("a b c d e f g h", 8),
        ("user_id=8f3a9c01-77aa-4b1c-9d2e", 24),
        ("qzvkwxjptbhqgvzkwmxjqpfzvbkwqxhj", 27),
        ("QZVKWXJPTBHQGVZKWMXJQPFZVBKWQXHJ", 25),
        ("c2VjcmV0LWtleS1vZi1hLXRoaW5nLW5vYm9keS1rbm93cw==", 40),
        ("~!@#%^&*|<>?/;:\"'`{}[]=+-_.,$()\\", 27),
        (" \n\t \n  \t\n\n \t \n", 13),
        ("龘鱻靐麤 𒀀𓀀", 20),
    ];

    #[test]
    fn the_worst_case_is_above_what_tokenizers_count_and_not_far_above() {
        for (text, counted) in COUNTED {
            let worst = worst_of(text);
            assert!(worst >= counted, "{text}: {worst} under {counted}");
            assert!(
                worst <= 8 + counted * 5,
                "{text}: {worst} is far above {counted}"
            );
        }
    }

    proptest! {
        #[test]
        fn the_worst_case_of_more_text_is_never_less(text in ".{0,80}", more in ".{0,20}") {
            let longer = text.clone() + &more;
            prop_assert!(worst_of(&longer) >= worst_of(&text));
            prop_assert!(worst_of(&text) <= text.len() as u64);
        }

        #[test]
        fn ordinary_text_is_reserved_above_its_estimate(text in "([A-Z]?[a-z]{1,12}[ ,.\n]){0,40}") {
            prop_assert!(worst_of(&text) + EXTRA_TOKENS >= estimate(&text));
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
            price_known: true,
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
        profile.input_micros_per_million = 2_000_000;
        profile.output_micros_per_million = 0;
        assert_eq!(
            price_micros(&profile, 1_000, 100),
            2_000,
            "a price that was given counts wherever the model runs"
        );
    }
}
