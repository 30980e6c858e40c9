//! What programs have to show when they connect over HTTP. It lies in the keyring and is told once.

use std::collections::BTreeMap;

use adjutant_api::models::SecretText;
use adjutant_api::{Fault, Reply};
use adjutant_domain::canonical;
use secrecy::{ExposeSecret as _, SecretString};

use crate::service::{Service, keyring_notes};

/// The code of a token that is not the one in the keyring.
pub(crate) const NOT_ADMITTED: &str = "not_admitted";
/// Its entry in the keyring.
const ENTRY: &str = "mcp-serve-token";
/// 64-bit numbers it is made of.
const NUMBERS: usize = 4;

/// The hash of the token in force, once somebody asked for it.
pub(in crate::service) type Token = tokio::sync::Mutex<Option<String>>;

/// The token, if there was none or a new one is wanted.
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

/// Whether a token with this hash is the one in force.
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

/// The person erased everything: no token is in force any more.
pub(in crate::service) async fn erased(service: &Service) {
    service.program_token.lock().await.take();
}

fn hash(token: &SecretString) -> String {
    canonical::sha256(token.expose_secret().as_bytes()).0
}

fn no_keyring(why: String) -> Fault {
    Fault {
        code: "keyring".into(),
        message: format!("There is no place for the token of other programs: {why}."),
        hint: "Unlock or install the system's keyring, or connect the program by command (`adjutant mcp serve`), which needs no token.".into(),
    }
}
