//! Parses the syntax of IMAP replies (RFC 9051, section 9): atoms, strings and lists. Every reply is first parsed into
//! [`Value`]s with bounded depth and count; other modules interpret them.

/// Maximum nesting depth of lists.
const DEPTH_MAX: usize = 32;
/// Maximum number of values in one reply.
const VALUES_MAX: usize = 50_000;

/// One value in a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// `NIL`: nothing.
    Nil,
    /// A bare word: a number, a flag, or the name of a data item.
    Atom(String),
    /// A string, quoted or as a literal.
    Text(Vec<u8>),
    /// Values in parentheses.
    List(Vec<Value>),
}

impl Value {
    /// Returns the text; `None` for lists and `NIL`.
    pub(super) fn text(&self) -> Option<String> {
        match self {
            Self::Atom(word) => Some(word.clone()),
            Self::Text(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
            Self::Nil | Self::List(_) => None,
        }
    }

    /// Returns the number, if the value is one.
    pub(super) fn number<N: std::str::FromStr>(&self) -> Option<N> {
        match self {
            Self::Atom(word) => word.parse().ok(),
            _ => None,
        }
    }

    /// Returns the elements of a list; empty for other values.
    pub(super) fn list(&self) -> &[Self] {
        match self {
            Self::List(all) => all,
            _ => &[],
        }
    }

    /// Tells whether the value is this word, ignoring case.
    pub(super) fn is(&self, word: &str) -> bool {
        matches!(self, Self::Atom(own) if own.eq_ignore_ascii_case(word))
    }
}

/// Parses the values of a reply; `None` if it breaks the syntax or a limit.
pub(super) fn values(reply: &[u8]) -> Option<Vec<Value>> {
    let mut reader = Reader {
        rest: reply,
        left: VALUES_MAX,
    };
    let all = reader.values(0)?;
    reader.rest.is_empty().then_some(all)
}

struct Reader<'a> {
    rest: &'a [u8],
    left: usize,
}

impl Reader<'_> {
    /// Parses values up to the end or the closing parenthesis.
    fn values(&mut self, depth: usize) -> Option<Vec<Value>> {
        let mut all = Vec::new();
        loop {
            match self.rest.first() {
                None => return Some(all),
                Some(b' ') => self.skip(1),
                Some(b')') if depth > 0 => return Some(all),
                Some(_) => {
                    self.left = self.left.checked_sub(1)?;
                    all.push(self.value(depth)?);
                }
            }
        }
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        match self.rest.first()? {
            b'(' if depth < DEPTH_MAX => {
                self.skip(1);
                let inside = self.values(depth + 1)?;
                self.expect(b")")?;
                Some(Value::List(inside))
            }
            b'"' => self.quoted(),
            b'{' => self.literal(),
            b'~' if self.rest.get(1) == Some(&b'{') => {
                self.skip(1);
                self.literal()
            }
            b'(' | b')' => None,
            _ => Some(self.atom()),
        }
    }

    fn quoted(&mut self) -> Option<Value> {
        self.skip(1);
        let mut text = Vec::new();
        loop {
            let (&byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            match byte {
                b'"' => return Some(Value::Text(text)),
                b'\\' => {
                    let (&escaped, rest) = self.rest.split_first()?;
                    self.rest = rest;
                    text.push(escaped);
                }
                other => text.push(other),
            }
        }
    }

    /// Parses a literal such as `{3}`, a line ending and three bytes.
    fn literal(&mut self) -> Option<Value> {
        let end = self.rest.iter().position(|byte| *byte == b'}')?;
        let length: usize = std::str::from_utf8(&self.rest[1..end]).ok()?.parse().ok()?;
        self.skip(end + 1);
        self.expect(b"\r\n")?;
        let bytes = self.rest.get(..length)?.to_vec();
        self.skip(length);
        Some(Value::Text(bytes))
    }

    /// Parses an atom, including any brackets in it: `BODY[HEADER.FIELDS (DATE)]<0>`.
    fn atom(&mut self) -> Value {
        let mut brackets = 0_usize;
        let end = self.rest.iter().position(|byte| {
            match byte {
                b'[' => brackets += 1,
                b']' => brackets = brackets.saturating_sub(1),
                _ => {}
            }
            brackets == 0 && matches!(byte, b' ' | b'(' | b')' | b'"')
        });
        let end = end.unwrap_or(self.rest.len()).max(1);
        let word = String::from_utf8_lossy(&self.rest[..end]).into_owned();
        self.skip(end);
        match word.eq_ignore_ascii_case("NIL") {
            true => Value::Nil,
            false => Value::Atom(word),
        }
    }

    fn skip(&mut self, count: usize) {
        self.rest = &self.rest[count.min(self.rest.len())..];
    }

    fn expect(&mut self, what: &[u8]) -> Option<()> {
        self.rest = self.rest.strip_prefix(what)?;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn atom(word: &str) -> Value {
        Value::Atom(word.into())
    }

    fn text(text: &str) -> Value {
        Value::Text(text.into())
    }

    #[test]
    fn words_strings_and_lists_are_read() {
        let fetch = b"12 FETCH (UID 7 FLAGS (\\Seen $Junk) BODY[HEADER.FIELDS (DATE)]<0> {4}\r\na\r\nb NAME (\"a\\\"b\" NIL))";
        let inside = vec![
            atom("UID"),
            atom("7"),
            atom("FLAGS"),
            Value::List(vec![atom("\\Seen"), atom("$Junk")]),
            atom("BODY[HEADER.FIELDS (DATE)]<0>"),
            text("a\r\nb"),
            atom("NAME"),
            Value::List(vec![text("a\"b"), Value::Nil]),
        ];
        let expected = vec![atom("12"), atom("FETCH"), Value::List(inside)];
        assert_eq!(values(fetch), Some(expected));
    }

    #[test]
    fn what_breaks_the_syntax_or_a_limit_is_nothing() {
        let deep = "(".repeat(DEPTH_MAX + 1) + &")".repeat(DEPTH_MAX + 1);
        let many = "x ".repeat(VALUES_MAX + 1);
        for broken in [
            "(a",
            "a)",
            "\"a",
            "\"a\\",
            "{3}\r\nab",
            "{3}abc",
            "{x}\r\n",
            "{99999999999999999999}\r\n",
            deep.as_str(),
            many.as_str(),
        ] {
            assert_eq!(values(broken.as_bytes()), None, "{broken:.40}");
        }
        let deepest = "(".repeat(DEPTH_MAX) + &")".repeat(DEPTH_MAX);
        assert!(values(deepest.as_bytes()).is_some());
    }

    proptest! {
        #[test]
        fn no_reply_brings_the_reader_down(reply in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = values(&reply);
        }

        #[test]
        fn a_literal_of_any_bytes_is_read_whole(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
            let mut reply = format!("{{{}}}\r\n", bytes.len()).into_bytes();
            reply.extend_from_slice(&bytes);
            prop_assert_eq!(values(&reply), Some(vec![Value::Text(bytes)]));
        }
    }
}
