//! The field for certificates that the person trusts although no authority vouches for them. They apply to the servers of
//! one account.

use adjutant_net::Fingerprint;

use crate::provider::{Access, Field, Form, SetUpFault};

/// Name of the field: fingerprints, separated by spaces.
pub(crate) const CERTIFICATE: &str = "certificate";

/// Returns the field of a kind of account with one server.
pub(crate) const fn field() -> Field {
    field_with(
        "Only for a server of your own that no authority vouches for: the SHA-256 fingerprint of its certificate.",
    )
}

/// Returns the field with another hint.
pub(crate) const fn field_with(hint: &'static str) -> Field {
    Field {
        name: CERTIFICATE,
        label: "Trusted certificate",
        hint,
        form: Form::Text,
        required: false,
    }
}

/// Returns the fingerprints of the certificates that the person trusts, at most one for each of the account's servers.
pub(crate) fn trusted(access: &Access, servers: usize) -> Result<Vec<Fingerprint>, SetUpFault> {
    let text = access.setting(CERTIFICATE).unwrap_or_default();
    let all: Option<Vec<_>> = text
        .split_whitespace()
        .map(Fingerprint::parse)
        .take(servers + 1)
        .collect();
    all.filter(|all| all.len() <= servers)
        .ok_or_else(|| SetUpFault::Field {
            field: CERTIFICATE,
            what: "That is not the fingerprint of a certificate.".into(),
            hint: "It has 64 digits and letters from A to F, such as AB:CD:…, and is in the message about the certificate.".into(),
        })
}
