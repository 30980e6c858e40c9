//! Encodes and decodes mailbox names and keywords: IMAP writes them in ASCII, with other characters in modified UTF-7
//! (RFC 3501, section 5.1.3).

use base64::Engine as _;
use base64::alphabet::IMAP_MUTF7;
use base64::engine::DecodePaddingMode;
use base64::engine::GeneralPurpose;
use base64::engine::general_purpose::{GeneralPurposeConfig, PAD};

const CODE: GeneralPurpose = GeneralPurpose::new(
    &IMAP_MUTF7,
    GeneralPurposeConfig::with_decode_padding_mode(
        PAD.with_encode_padding(false),
        DecodePaddingMode::Indifferent,
    ),
);

/// Decodes a name. Returns it unchanged if it is not validly encoded.
pub(super) fn read(name: &str) -> String {
    decoded(name).unwrap_or_else(|| name.to_owned())
}

fn decoded(name: &str) -> Option<String> {
    let mut text = String::new();
    let mut rest = name;
    while let Some((plain, coded)) = rest.split_once('&') {
        let (coded, after) = coded.split_once('-')?;
        text.push_str(plain);
        match coded {
            "" => text.push('&'),
            coded => {
                let bytes = CODE.decode(coded).ok()?;
                let (pairs, odd) = bytes.as_chunks::<2>();
                let units = pairs.iter().map(|pair| u16::from_be_bytes(*pair));
                if !odd.is_empty() {
                    return None;
                }
                for unit in char::decode_utf16(units) {
                    text.push(unit.ok()?);
                }
            }
        }
        rest = after;
    }
    text.push_str(rest);
    Some(text)
}

/// Encodes the name of a mailbox. [`read`] decodes it.
pub(super) fn write(name: &str) -> String {
    let (mut coded, mut other) = (String::new(), String::new());
    for c in name.chars() {
        match c {
            ' '..='~' => {
                write_coded(&mut other, &mut coded);
                coded.push(c);
                if c == '&' {
                    coded.push('-');
                }
            }
            c => other.push(c),
        }
    }
    write_coded(&mut other, &mut coded);
    coded
}

/// Encodes a label as a keyword, which is a single word. [`read`] decodes it.
pub(super) fn keyword(label: &str) -> String {
    let is_plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | ':' | '+' | '#');
    let mut word = String::new();
    let mut other = String::new();
    for c in label.chars() {
        match is_plain(c) {
            true => {
                write_coded(&mut other, &mut word);
                word.push(c);
            }
            false => other.push(c),
        }
    }
    write_coded(&mut other, &mut word);
    word
}

fn write_coded(text: &mut String, word: &mut String) {
    if text.is_empty() {
        return;
    }
    let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    word.push('&');
    CODE.encode_string(bytes, word);
    word.push('-');
    text.clear();
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_read_as_people_wrote_them() {
        for (name, read_as) in [
            ("INBOX", "INBOX"),
            ("Entw&APw-rfe", "Entwürfe"),
            ("~peter/mail/&U,BTFw-/&ZeVnLIqe-", "~peter/mail/台北/日本語"),
            ("R&-D", "R&D"),
            ("&2D3eCg-", "😊"),
            ("broken &AP", "broken &AP"),
            ("broken &!!!!-", "broken &!!!!-"),
            ("broken &2D0-", "broken &2D0-"),
        ] {
            assert_eq!(read(name), read_as, "{name}");
            if !name.starts_with("broken") {
                assert_eq!(write(read_as), name, "{name}");
            }
        }
        assert_eq!(keyword("Budget 2026"), "Budget&ACA-2026");
    }

    proptest! {
        #[test]
        fn a_label_comes_back_and_is_one_word(label in "\\PC{1,30}") {
            let word = keyword(&label);
            let is_special = |byte: u8| b"(){%*\"\\]".contains(&byte);
            let is_word = word.bytes().all(|byte| byte.is_ascii_graphic() && !is_special(byte));
            prop_assert!(is_word);
            prop_assert_eq!(read(&word), label);
        }

        #[test]
        fn no_name_brings_it_down(name in "\\PC{0,40}") {
            let _ = read(&name);
        }
    }
}
