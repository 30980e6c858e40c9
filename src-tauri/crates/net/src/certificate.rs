//! Minimal parsing of certificates, for what the TLS library does not expose.

use jiff::Timestamp;
use rustls::pki_types::UnixTime;

const SEQUENCE: u8 = 0x30;
/// Tag of the optional version field.
const VERSION: u8 = 0xa0;

/// Returns whether subject and issuer of a certificate (DER, X.509) are equal; `false` if it cannot be parsed.
pub(crate) fn is_self_signed(certificate: &[u8]) -> bool {
    issuer_and_subject(certificate).is_some_and(|(issuer, subject)| issuer == subject)
}

fn issuer_and_subject(certificate: &[u8]) -> Option<(&[u8], &[u8])> {
    let (_, certificate, _) = element(certificate)?;
    let (tag, mut rest, _) = element(certificate)?;
    if tag != SEQUENCE {
        return None;
    }
    if rest.first() == Some(&VERSION) {
        rest = element(rest)?.2;
    }
    // Skip serial number and algorithm to reach the issuer, then the validity to reach the subject.
    let rest = element(element(rest)?.2)?.2;
    let (_, issuer, rest) = element(rest)?;
    let (_, subject, _) = element(element(rest)?.2)?;
    Some((issuer, subject))
}

/// Splits off the first element: its tag, its content, and the bytes that follow it.
fn element(der: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = der.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = match first {
        0..=0x7f => (usize::from(first), rest),
        0x81..=0x83 => {
            let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            let length = digits
                .iter()
                .fold(0, |length, digit| length << 8 | usize::from(*digit));
            (length, rest)
        }
        _ => return None,
    };
    let (inside, rest) = rest.split_at_checked(length)?;
    Some((tag, inside, rest))
}

/// Formats an instant as a UTC date: `2026-01-31`.
pub(crate) fn date(at: UnixTime) -> String {
    let second = i64::try_from(at.as_secs()).unwrap_or(i64::MAX);
    let at = Timestamp::from_second(second).unwrap_or(Timestamp::MAX);
    at.strftime("%Y-%m-%d").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::{CertificateParams, DnType, Issuer, KeyPair};
    use std::time::Duration;

    fn named(name: &str) -> CertificateParams {
        let mut params =
            CertificateParams::new(vec!["mail.example.org".to_owned()]).expect("names");
        params.distinguished_name.push(DnType::CommonName, name);
        params
    }

    #[test]
    fn who_signs_for_itself_is_told_from_who_does_not() {
        let key = KeyPair::generate().expect("a key");
        let own = named("kim").self_signed(&key).expect("a certificate");
        assert!(is_self_signed(own.der()));
        let issuer = Issuer::new(named("authority"), key);
        let server = KeyPair::generate().expect("a key");
        let of_other = named("kim").signed_by(&server, &issuer);
        let of_other = of_other.expect("a certificate");
        assert!(!is_self_signed(of_other.der()));
        let whole: &[u8] = own.der();
        for end in 0..whole.len() {
            // Whatever is cut off, it is read or not.
            let _ = is_self_signed(&whole[..end]);
        }
        assert!(!is_self_signed(&whole[..40]));
        assert!(!is_self_signed(b"\x30\x84\xff\xff\xff\xff"));
    }

    #[test]
    fn a_day_is_a_day() {
        let at = |seconds| UnixTime::since_unix_epoch(Duration::from_secs(seconds));
        assert_eq!(date(at(0)), "1970-01-01");
        assert_eq!(date(at(1_709_164_800)), "2024-02-29");
        assert_eq!(date(at(u64::MAX)).len(), 10);
    }
}
