//! Joins halves of characters. Servers written in JavaScript cut text into UTF-16 units and may split one character
//! over two frames. Each frame then contains half of it as an escape (`\ud83e` here, `\udd80` there), which is not
//! text on its own.

use std::borrow::Cow;

/// Number of bytes of an escape: `\uXXXX`.
const ESCAPE_BYTES: usize = 6;
/// Replaces a second half whose first half never arrived.
const REPLACEMENT: &str = "\\ufffd";

/// Joins halves across the frames of one reply, which it receives in order.
#[derive(Debug, Default)]
pub(crate) struct SurrogateJoiner {
    /// The escape of a first half that ended a text.
    held: Option<String>,
}

impl SurrogateJoiner {
    /// Returns the frame with whole characters only. A first half without its second is held until the next second
    /// half arrives.
    pub fn join<'a>(&mut self, frame: &'a str) -> Cow<'a, str> {
        if !frame.contains("\\ud") && !frame.contains("\\uD") {
            return Cow::Borrowed(frame);
        }
        let mut whole = String::with_capacity(frame.len() + ESCAPE_BYTES);
        let mut rest = frame;
        while let Some(at) = rest.find('\\') {
            let (before, escape) = rest.split_at(at);
            whole.push_str(before);
            let length = match unit(escape) {
                Some(first @ 0xd800..0xdc00) => {
                    let second = escape.get(ESCAPE_BYTES..).and_then(unit);
                    if second.is_some_and(is_second) {
                        whole.extend(escape.get(..2 * ESCAPE_BYTES));
                        2 * ESCAPE_BYTES
                    } else {
                        self.held = Some(format!("\\u{first:04x}"));
                        ESCAPE_BYTES
                    }
                }
                Some(second) if is_second(second) => {
                    match self.held.take() {
                        Some(first) => {
                            whole.push_str(&first);
                            whole.extend(escape.get(..ESCAPE_BYTES));
                        }
                        None => whole.push_str(REPLACEMENT),
                    }
                    ESCAPE_BYTES
                }
                // Any other escape, including an escaped backslash.
                _ => {
                    let length = 1 + escape.chars().nth(1).map_or(0, char::len_utf8);
                    whole.extend(escape.get(..length));
                    length
                }
            };
            rest = escape.get(length..).unwrap_or_default();
        }
        whole.push_str(rest);
        Cow::Owned(whole)
    }
}

const fn is_second(unit: u16) -> bool {
    matches!(unit, 0xdc00..0xe000)
}

/// Returns the UTF-16 unit an escape stands for.
fn unit(escape: &str) -> Option<u16> {
    let digits = escape.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cuts a text as JavaScript does, after every so many units, and reads it back.
    fn read_back(text: &str, units: usize) -> String {
        let mut halves = SurrogateJoiner::default();
        let all: Vec<u16> = text.encode_utf16().collect();
        all.chunks(units)
            .map(|part| {
                let escaped: String = char::decode_utf16(part.iter().copied())
                    .map(|c| match c {
                        Ok(c) => {
                            let json = serde_json::Value::from(c.to_string()).to_string();
                            json[1..json.len() - 1].to_owned()
                        }
                        Err(lone) => format!("\\u{:04x}", lone.unpaired_surrogate()),
                    })
                    .collect();
                let frame = format!("{{\"text\":\"{escaped}\"}}");
                let value: serde_json::Value = serde_json::from_str(&halves.join(&frame)).unwrap();
                value["text"].as_str().unwrap().to_owned()
            })
            .collect()
    }

    #[test]
    fn characters_cut_in_two_come_back_whole() {
        let text = "🦀 crab \\ud83e \"\\\" 👩‍👩‍👧‍👦\u{10ffff}\n漢字🦀🦀";
        for units in 1..12 {
            assert_eq!(read_back(text, units), text, "every {units}");
        }
    }

    #[test]
    fn what_is_whole_or_no_half_stays_as_it_is() {
        for frame in [
            r#"{"a":"\ud83e\udd80"}"#,
            r#"{"a":"\\ud83e"}"#,
            r#"{"a":"\\\\udd80"}"#,
            r#"{"a":"\uD83E\uDD80 \u00e9 \n"}"#,
            r#"{"a":"\ud8"#,
            "\\",
            "plain",
        ] {
            let mut halves = SurrogateJoiner::default();
            assert_eq!(halves.join(frame), frame);
            assert_eq!(halves.held, None, "{frame}");
        }
        assert_eq!(
            SurrogateJoiner::default().join(r#""\udd80""#),
            r#""\ufffd""#
        );
    }

    proptest::proptest! {
        #[test]
        fn no_frame_makes_it_panic(frames in proptest::collection::vec(r#"(\\|u|d8|dc|D|\\u|[0-9a-f"]|é|🦀){0,30}"#, 0..5)) {
            let mut halves = SurrogateJoiner::default();
            for frame in &frames {
                halves.join(frame);
            }
        }
    }
}
