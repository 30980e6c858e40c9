//! Which certificates TLS connections trust: those the system trusts, and individual ones that the person trusts.

use std::error::Error;
use std::sync::Arc;
use std::{fmt, io, iter};

use adjutant_domain::canonical::sha256;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, DigitallySignedStruct, OtherError, SignatureScheme};
use rustls_platform_verifier::Verifier;

use crate::certificate::{date, is_self_signed};

/// Maximum number of a certificate's names to show.
const NAMES_TOLD: usize = 3;
/// Maximum number of characters to show of each.
const NAME_CHARS_MAX: usize = 100;

/// SHA-256 digest of a certificate, by which the person can identify it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// Computes the fingerprint of a certificate (DER).
    #[must_use]
    pub fn of(certificate: &[u8]) -> Self {
        Self(sha256(certificate).0)
    }

    /// Parses 64 hexadecimal digits, with or without colons in between; returns `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits: String = text.trim().chars().filter(|c| *c != ':').collect();
        let is_one = digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_one.then(|| Self(digits.to_ascii_lowercase()))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let upper = self.0.to_ascii_uppercase();
        for (at, digit) in upper.chars().enumerate() {
            if at > 0 && at % 2 == 0 {
                f.write_str(":")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

/// Why a certificate is not trusted, and its fingerprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Distrust {
    pub(crate) why: String,
    pub(crate) fingerprint: Fingerprint,
}

impl fmt::Display for Distrust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Distrust {}

impl Distrust {
    /// Extracts the certificate problem from the error of a failed connection, if that is why it failed.
    pub(crate) fn of(error: &(dyn Error + 'static)) -> Option<Self> {
        let rustls::Error::InvalidCertificate(CertificateError::Other(OtherError(why))) =
            tls_error(error)?
        else {
            return None;
        };
        why.downcast_ref::<Self>().cloned()
    }
}

/// Returns the error of TLS that an error was caused by.
fn tls_error<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a rustls::Error> {
    iter::successors(Some(error), |error| cause(*error)).find_map(|error| error.downcast_ref())
}

/// Returns what an error was caused by. The `source` of an I/O error skips the error that it carries.
fn cause<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    match error
        .downcast_ref::<io::Error>()
        .and_then(io::Error::get_ref)
    {
        Some(carried) => Some(carried),
        None => error.source(),
    }
}

/// Returns whether the other side answered a handshake with something that is not TLS.
pub(crate) fn is_not_tls(error: &(dyn Error + 'static)) -> bool {
    matches!(tls_error(error), Some(rustls::Error::InvalidMessage(_)))
}

/// Verifier that asks the system and also accepts the certificates that the person trusts.
#[derive(Debug)]
pub(crate) struct Judge {
    pub(crate) system: Arc<Verifier>,
    pub(crate) trusted: Vec<Fingerprint>,
}

impl ServerCertVerifier for Judge {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let judged = self.system.verify_server_cert(
            end_entity,
            intermediates,
            server_name,
            ocsp_response,
            now,
        );
        let why = match judged {
            Err(rustls::Error::InvalidCertificate(why)) => why,
            other => return other,
        };
        let fingerprint = Fingerprint::of(end_entity);
        if self.trusted.contains(&fingerprint) {
            return Ok(ServerCertVerified::assertion());
        }
        let mut why = words(&why, end_entity, server_name);
        if !self.trusted.is_empty() {
            why.push_str(", and it is not the certificate that you trust");
        }
        let distrust = Distrust { why, fingerprint };
        let other = CertificateError::Other(OtherError(Arc::new(distrust)));
        Err(rustls::Error::InvalidCertificate(other))
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.system
            .verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.system
            .verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.system.supported_verify_schemes()
    }
}

/// Describes what is wrong with a certificate, as the end of a sentence.
fn words(why: &CertificateError, certificate: &[u8], asked: &ServerName<'_>) -> String {
    match why {
        CertificateError::Expired => "its certificate has expired".to_owned(),
        CertificateError::ExpiredContext { not_after, .. } => {
            format!("its certificate expired on {}", date(*not_after))
        }
        CertificateError::NotValidYet => "its certificate is not valid yet".to_owned(),
        CertificateError::NotValidYetContext { not_before, .. } => format!(
            "its certificate is valid from {} on, if the clock of this computer is right",
            date(*not_before)
        ),
        CertificateError::Revoked => "its certificate was revoked".to_owned(),
        CertificateError::NotValidForName => {
            format!("its certificate is not for {}", asked.to_str())
        }
        CertificateError::NotValidForNameContext { presented, .. } => format!(
            "its certificate is for {} and not for {}",
            names(presented),
            asked.to_str()
        ),
        // A self-signed certificate may also claim to be an authority's, so check this first.
        _ if is_self_signed(certificate) => {
            "it has signed its certificate itself, and no authority vouches for it".to_owned()
        }
        CertificateError::UnknownIssuer => {
            "its certificate comes from an authority that this computer does not know".to_owned()
        }
        CertificateError::BadSignature => {
            "its certificate was not signed by the authority that it names".to_owned()
        }
        CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => {
            "its certificate is not one for servers".to_owned()
        }
        _ => "its certificate is not valid".to_owned(),
    }
}

/// Formats a certificate's names, which the library lists as `DnsName("mail.example.org")`.
fn names(presented: &[String]) -> String {
    let plain = |name: &String| -> String {
        let inside = name.split('"').nth(1).unwrap_or(name);
        let shown = inside.chars().filter(|c| !c.is_control());
        shown.take(NAME_CHARS_MAX).collect()
    };
    let shown: Vec<String> = presented.iter().take(NAMES_TOLD).map(plain).collect();
    match (shown.is_empty(), presented.len() > NAMES_TOLD) {
        (true, _) => "no name at all".to_owned(),
        (false, true) => format!("{} and others", shown.join(", ")),
        (false, false) => shown.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_read_as_programs_write_it() {
        let written = Fingerprint::of(b"certificate").to_string();
        assert_eq!(written.len(), 95);
        assert_eq!(&written[2..3], ":");
        let plain = written.replace(':', "").to_lowercase();
        for text in [&written, &plain, &format!(" {written}\n")] {
            assert_eq!(
                Fingerprint::parse(text),
                Some(Fingerprint::of(b"certificate")),
                "{text}"
            );
        }
        for none in [
            "",
            "AB:CD",
            &plain[1..],
            &format!("{plain}0"),
            &"x".repeat(64),
        ] {
            assert_eq!(Fingerprint::parse(none), None, "{none}");
        }
    }

    #[test]
    fn names_of_a_certificate_are_told_plainly() {
        let of = |all: &[&str]| {
            let all: Vec<String> = all
                .iter()
                .map(|one| format!("DnsName(\"{one}\")"))
                .collect();
            names(&all)
        };
        assert_eq!(of(&[]), "no name at all");
        assert_eq!(of(&["a.example"]), "a.example");
        assert_eq!(of(&["a", "b", "c", "d"]), "a, b, c and others");
    }
}
