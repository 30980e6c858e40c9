//! Web search keys, and the `doctor` lines for web search and documents.

use adjutant_api::models::SecretText;
use adjutant_api::reply::{Check, SettingView};
use adjutant_api::{Fault, Reply};
use adjutant_domain::faults::UserFault;
use adjutant_domain::ports::{Documents, Lookup as _};
use adjutant_web::{EngineKind, Keys as _};
use secrecy::SecretString;

use super::{Service, keyring_notes};

/// Maximum number of characters in a key.
const KEY_CHARS_MAX: usize = 500;

/// The key setting of an engine, such as `web.brave.key` in [`adjutant_settings::SECRETS`]. Its value is in the keyring
/// and never shown.
#[derive(Clone, Copy)]
pub(super) struct KeySetting(EngineKind);

impl KeySetting {
    /// Returns the engine of a key setting; `None` for other settings.
    pub(super) fn of(key: &str) -> Option<Self> {
        let word = key.strip_prefix("web.")?.strip_suffix(".key")?;
        let mut engines = EngineKind::ALL.into_iter();
        let found = engines.find(|one| one.needs_key() && one.word() == word)?;
        Some(Self(found))
    }

    /// Shows whether there is a key.
    pub(super) async fn show(self, service: &Service) -> Reply {
        let value = match service.sources.keys.key(self.0).await {
            Ok(Some(_)) => "in the keyring",
            Ok(None) => "",
            Err(_) => "unknown",
        };
        let word = self.0.word();
        Reply::Config {
            settings: vec![SettingView {
                key: format!("web.{word}.key"),
                value: value.into(),
                default: String::new(),
                help: "Key of the search engine, kept in the keyring of this computer.".into(),
                origin: "keyring".into(),
                choices: Vec::new(),
            }],
        }
    }

    /// Stores the key, or deletes it if `value` is `None`.
    pub(super) async fn set(
        self,
        service: &Service,
        value: Option<&SecretText>,
    ) -> Result<Reply, Fault> {
        let key = value.map(|SecretText(key)| key.trim());
        let is_fit = |key: &str| {
            !key.is_empty()
                && key.chars().count() <= KEY_CHARS_MAX
                && key.chars().all(|c| c.is_ascii_graphic())
        };
        if key.is_some_and(|key| !is_fit(key)) {
            return Err(Fault {
                code: "usage".into(),
                message:
                    "This is not a key: it is empty, too long, or contains spaces or unusual characters."
                        .into(),
                hint: "Copy it again from the search engine's page.".into(),
            });
        }
        let entry = service.sources.keys.entry(self.0);
        if key.is_some() {
            keyring_notes::note(service, &entry).await?;
        } else if !keyring_notes::noted(service).await?.contains(&entry) {
            // There is no key to delete, so the keyring is not needed.
            return Ok(self.show(service).await);
        }
        let kept = service
            .sources
            .keys
            .set(self.0, key.map(SecretString::from))
            .await;
        kept.map_err(|fault| Fault {
            code: "keyring".into(),
            message: format!("The key was not stored: {fault}."),
            hint: "Unlock this computer's keyring and try again.".into(),
        })?;
        Ok(self.show(service).await)
    }
}

fn line(name: &str, state: &str, found: String, hint: String) -> Check {
    Check {
        name: name.into(),
        state: state.into(),
        found,
        hint,
    }
}

/// Checks whether the web can be searched. Makes no search: it would cost a credit and reveal its words.
pub(super) async fn check(service: &Service) -> Check {
    const NAME: &str = "Web search";
    let engine = match service.sources.web.outside() {
        Ok(engine) => engine,
        Err(fault) => {
            let UserFault { what, hint, .. } = UserFault::from(&fault);
            return line(NAME, "optional", what, hint);
        }
    };
    let chosen = service.settings().web.search.engine;
    let mut engines = EngineKind::ALL.into_iter().filter(|one| one.needs_key());
    let needs = engines.find(|one| one.word() == chosen);
    let key = match needs {
        Some(of) => service.sources.keys.key(of).await.map(|key| key.is_some()),
        None => Ok(true),
    };
    match key {
        Ok(true) => line(NAME, "ok", engine.name().to_owned(), String::new()),
        Ok(false) => line(
            NAME,
            "missing",
            format!("{} has no key", engine.name()),
            format!(
                "Enter it in Settings, Web and research (`adjutant config set web.{chosen}.key`)."
            ),
        ),
        Err(why) => line(
            NAME,
            "broken",
            why,
            "Unlock this computer's keyring.".into(),
        ),
    }
}

/// Returns how many documents can be searched; `None` if no folder is open.
pub(super) async fn documents(service: &Service) -> Option<Check> {
    const NAME: &str = "Documents";
    if service.settings().core.folders.is_empty() {
        return None;
    }
    Some(match Documents::counts(&*service.store).await {
        Ok(counts) => line(
            NAME,
            "ok",
            format!(
                "{} can be searched, {} cannot be read",
                counts.read, counts.unread
            ),
            String::new(),
        ),
        Err(fault) => line(
            NAME,
            "broken",
            fault.to_string(),
            "Delete the file `documents.db` in the profile. Adjutant rebuilds it.".into(),
        ),
    })
}
