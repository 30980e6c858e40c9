//! A certificate authority made for the tests, and its certificate for a server at `localhost`.

use std::sync::Arc;

use adjutant_net::CertificateDer;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tokio_rustls::TlsAcceptor;

pub struct Certificate {
    pub root: CertificateDer<'static>,
    pub acceptor: TlsAcceptor,
    /// Certificate and key in PEM format.
    pub pem: String,
    pub key_pem: String,
}

impl Certificate {
    pub fn of(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        // Each authority has a name of its own.
        let named = format!("authority {:x?}", key.public_key_raw());
        params
            .distinguished_name
            .push(rcgen::DnType::CommonName, named.as_str());
        let root = params.self_signed(&key).unwrap().der().clone();
        let issuer = Issuer::new(params, key);
        let server_key = KeyPair::generate().unwrap();
        let server = CertificateParams::new([name.to_owned()]).unwrap();
        let server = server.signed_by(&server_key, &issuer).unwrap();
        let private = PrivateKeyDer::try_from(server_key.serialize_der()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![server.der().clone()], private)
            .unwrap();
        Self {
            root,
            acceptor: TlsAcceptor::from(Arc::new(config)),
            pem: server.pem(),
            key_pem: server_key.serialize_pem(),
        }
    }
}
