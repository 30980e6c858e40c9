//! Decodes bytes to characters. A wrong charset label costs some letters, never the page.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// Number of bytes at the beginning of a page in which it may declare its charset (HTML standard, 13.2.3.2).
const PRESCANNED_BYTES: usize = 1_024;

/// Decodes bytes by their byte order mark, else as UTF-8 if they are valid UTF-8. Otherwise uses the charset that the
/// server declares, else the one that the page declares, else Windows-1252.
#[must_use]
pub fn decode(bytes: &[u8], declared: Option<&str>, is_page: bool) -> String {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding
            .decode_without_bom_handling(&bytes[mark..])
            .0
            .into_owned();
    }
    let named = declared.and_then(|label| Encoding::for_label(label.trim().as_bytes()));
    let named = named.or_else(|| is_page.then(|| of_page(bytes)).flatten());
    let is_utf8 = std::str::from_utf8(bytes).is_ok();
    let encoding = match named {
        // Valid UTF-8 beyond ASCII is hardly ever anything else, whatever the server declares.
        _ if is_utf8 => UTF_8,
        Some(encoding) => encoding,
        None => WINDOWS_1252,
    };
    encoding.decode_without_bom_handling(bytes).0.into_owned()
}

/// Returns the charset that the page declares: `<meta charset=…>` or `<meta … content="text/html; charset=…">`.
fn of_page(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(PRESCANNED_BYTES)];
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let at = head.find("charset=")? + "charset=".len();
    let rest = head[at..].trim_start_matches(['"', '\'', ' ']);
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"-_:".contains(c));
    Encoding::for_label(&rest.as_bytes()[..end.unwrap_or(rest.len())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_survive_missing_and_wrong_names() {
        let (utf8, latin) = ("Straße".as_bytes(), b"Stra\xdfe".as_slice());
        for (bytes, declared, expected) in [
            (utf8, None, "Straße"),
            (utf8, Some("iso-8859-1"), "Straße"),
            (utf8, Some("no-such-set"), "Straße"),
            (latin, None, "Straße"),
            (latin, Some("utf-8"), "Stra\u{fffd}e"),
            (b"\xff\xfeS\0t\0".as_slice(), Some("utf-8"), "St"),
            (b"\xef\xbb\xbfSt".as_slice(), None, "St"),
        ] {
            assert_eq!(decode(bytes, declared, true), expected, "{declared:?}");
        }
        let page = b"<meta charset='koi8-r'>\xd0\xd2\xc9".as_slice();
        assert!(decode(page, None, true).ends_with("при"));
        assert!(!decode(page, None, false).ends_with("при"));
    }
}
