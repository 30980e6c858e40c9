//! The token that programs present over HTTP. It is stored in the keyring and shown only once.

use std::collections::BTreeMap;

use adjutant_api::models::SecretText;
use adjutant_api::{Fault, Reply};
use adjutant_domain::canonical;
use secrecy::{ExposeSecret as _, SecretString};

use crate::service::{Service, keyring_notes};

/// Fault code for a token that differs from the one in the keyring.
pub(crate) const NOT_ADMITTED: &str = "not_admitted";
/// Name of its keyring entry.
const ENTRY: &str = "mcp-serve-token";
/// Number of random 64-bit numbers in the token.
const NUMBERS: usize = 4;

/// Hash of the current token, once read.
pub(in crate::service) type Token = tokio::sync::Mutex<Option<String>>;

/// Creates and returns a token if there is none or `renew` is set; otherwise returns no token.
pub(in crate::service) async fn token(service: &Service, renew: bool) -> Result<Reply, Fault> {
    let mut in_force = service.program_token.lock().await;
    let kept = service.credentials.get(ENTRY).await.map_err(no_keyring)?;
    if let Some(kept) = kept.filter(|_| !renew) {
        *in_force = Some(hash(&kept));
        return Ok(Reply::ProgramToken { token: None });
    }
    let numbers = (0..NUMBERS).map(|_| format!("{:016x}", service.entropy.bits()));
    let token = SecretString::from(format!("adj_{}", numbers.collect::<String>()));
    keyring_notes::note(service, ENTRY).await?;
    let given = BTreeMap::from([(ENTRY.to_owned(), token.clone())]);
    let keeping = service.credentials.keep(given).await;
    keeping.map_err(|not| no_keyring(not.fault.to_string()))?;
    *in_force = Some(hash(&token));
    Ok(Reply::ProgramToken {
        token: Some(SecretText(token.expose_secret().to_owned())),
    })
}

/// Checks that a token with this hash is the current one.
pub(in crate::service) async fn admit(service: &Service, sha256: &str) -> Result<Reply, Fault> {
    let mut in_force = service.program_token.lock().await;
    if in_force.is_none() {
        let kept = service.credentials.get(ENTRY).await.map_err(no_keyring)?;
        *in_force = kept.as_ref().map(hash);
    }
    if in_force.as_deref() == Some(sha256) {
        return Ok(Reply::Ok {});
    }
    Err(Fault {
        code: NOT_ADMITTED.into(),
        message: "This token is not known.".into(),
        hint: "Make a new one (`adjutant mcp serve --http --new-token`).".into(),
    })
}

/// Forgets the current token after the person erased everything.
pub(in crate::service) async fn erased(service: &Service) {
    service.program_token.lock().await.take();
}

fn hash(token: &SecretString) -> String {
    canonical::sha256(token.expose_secret().as_bytes()).0
}

fn no_keyring(why: String) -> Fault {
    Fault {
        code: "keyring".into(),
        message: format!("The token for other programs cannot be stored or read: {why}."),
        hint: "Unlock or install the system's keyring, or connect the program by its command (`adjutant mcp serve`), which needs no token.".into(),
    }
}
