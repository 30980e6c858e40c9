//! TLS configuration. The system's verifier checks certificates.

use std::sync::Arc;

use rustls::ClientConfig;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls_platform_verifier::Verifier;

use crate::fault::NetFault;
use crate::fault::Wrong;
use crate::trust::{Fingerprint, Judge};

/// Reads the certificates in a PEM file. An empty path yields none.
///
/// # Errors
/// Returns [`Wrong::Certificates`] if the file cannot be read or contains no certificate.
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

/// Shared state of all TLS connections.
pub(crate) struct Tls {
    provider: Arc<CryptoProvider>,
    /// Loaded once, because reading the system's certificates takes a while.
    system: Arc<Verifier>,
}

impl Tls {
    /// Loads the system's verifier and adds `roots` to the authorities it trusts.
    ///
    /// # Errors
    /// Returns [`NetFault::SetUp`] if the system's certificates cannot be read.
    pub(crate) fn new(roots: &[CertificateDer<'static>]) -> Result<Self, NetFault> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let system = Verifier::new_with_extra_roots(roots.iter().cloned(), provider.clone());
        Ok(Self {
            provider,
            system: Arc::new(system.map_err(set_up)?),
        })
    }

    /// Returns a client configuration that also trusts these certificates.
    ///
    /// # Errors
    /// Returns [`NetFault::SetUp`] if the library rejects the configuration.
    pub(crate) fn config(&self, trusted: &[Fingerprint]) -> Result<Arc<ClientConfig>, NetFault> {
        let judge = Judge {
            system: self.system.clone(),
            trusted: trusted.to_vec(),
        };
        let config = ClientConfig::builder_with_provider(self.provider.clone())
            .with_safe_default_protocol_versions()
            .map_err(set_up)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(judge))
            .with_no_client_auth();
        Ok(Arc::new(config))
    }
}

fn set_up(error: rustls::Error) -> NetFault {
    NetFault::SetUp {
        why: error.to_string(),
    }
}
