//! TLS as everything here speaks it: certificates are judged as the system judges them.

use std::sync::Arc;

use rustls::ClientConfig;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls_platform_verifier::Verifier;

use crate::fault::NetFault;
use crate::proxy::Wrong;

/// Reads the certificates of a PEM file, as settings name it; an empty path names none.
///
/// # Errors
/// When it cannot be read, or holds no certificate.
pub fn read_certificates(path: &str) -> Result<Vec<CertificateDer<'static>>, Wrong> {
    if path.trim().is_empty() {
        return Ok(Vec::new());
    }
    let found: Result<Vec<_>, _> = CertificateDer::pem_file_iter(path.trim())
        .map_err(|_| Wrong::Certificates)?
        .collect();
    found
        .ok()
        .filter(|found| !found.is_empty())
        .ok_or(Wrong::Certificates)
}

/// What a connection needs to speak TLS; certificates signed by `roots` count besides those the system trusts.
///
/// # Errors
/// When the system's certificates cannot be read.
pub(crate) fn config(roots: &[CertificateDer<'static>]) -> Result<Arc<ClientConfig>, NetFault> {
    let set_up = |error: rustls::Error| NetFault::SetUp {
        why: error.to_string(),
    };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let verifier =
        Verifier::new_with_extra_roots(roots.iter().cloned(), provider.clone()).map_err(set_up)?;
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(set_up)?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    Ok(Arc::new(config))
}
