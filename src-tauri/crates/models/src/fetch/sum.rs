//! Checksums.

use std::fmt;

use sha2::{Digest as _, Sha256};

/// A SHA-256, shown as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Sha256Sum([u8; 32]);

/// The error for a text that is not a SHA-256.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("A SHA-256 has 64 digits from 0 to 9 and a to f. Copy it again.")]
pub struct WrongSum;

/// The source of a checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SumFrom {
    /// The person.
    Person,
    /// The server that has the file.
    Server,
}

impl Sha256Sum {
    /// Parses 64 hexadecimal digits.
    ///
    /// # Errors
    /// [`WrongSum`] for anything else.
    pub fn read(text: &str) -> Result<Self, WrongSum> {
        let text = text.trim();
        let mut sum = [0; 32];
        if text.len() != 2 * sum.len() || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(WrongSum);
        }
        for (byte, pair) in sum.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| WrongSum)?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| WrongSum)?;
        }
        Ok(Self(sum))
    }

    /// Computes the checksum of everything read from `source`.
    ///
    /// # Errors
    /// When reading fails.
    pub(super) fn of(source: &mut impl std::io::Read) -> std::io::Result<Self> {
        let mut hash = Sha256::new();
        std::io::copy(source, &mut hash)?;
        Ok(Self(hash.finalize().into()))
    }
}

impl fmt::Display for Sha256Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Sha256Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sha256Sum({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_is_64_digits_and_nothing_else() {
        // The SHA-256 of nothing, from FIPS 180-4's examples.
        let text = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let sum = Sha256Sum::read(text).unwrap();
        assert_eq!(sum.to_string(), text);
        assert_eq!(Sha256Sum::read(&text.to_uppercase()), Ok(sum));
        assert_eq!(Sha256Sum::of(&mut std::io::empty()).unwrap(), sum);
        for wrong in [
            "",
            &text[1..],
            &format!("{text}0"),
            &"+1".repeat(32),
            &"é".repeat(32),
        ] {
            assert_eq!(Sha256Sum::read(wrong), Err(WrongSum), "{wrong}");
        }
    }
}
