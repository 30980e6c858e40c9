//! Names of servers and of their tools.

use serde::{Deserialize, Serialize};

use crate::canonical;
use crate::ids::AccountId;

/// Maximum number of characters in a server's name.
pub const NAME_CHARS_MAX: usize = 32;
/// Maximum number of characters in the last part of a tool's name.
const TOOL_CHARS_MAX: usize = 64;
/// Prefix of the accounts of servers.
const ACCOUNT: &str = "mcp:";

/// The person's name for a server: lower-case letters, digits, `-` and `_`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ServerName(String);

/// Error: the text cannot be the name of a server.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a name has 1 to {NAME_CHARS_MAX} small letters, digits, “-” or “_”, and begins with a letter"
)]
pub struct NotAName;

impl ServerName {
    /// Parses a name.
    ///
    /// # Errors
    /// Returns [`NotAName`] if the text breaks a rule for names.
    pub fn parse(text: &str) -> Result<Self, NotAName> {
        let fits = text.starts_with(|c: char| c.is_ascii_lowercase())
            && text.len() <= NAME_CHARS_MAX
            && text.bytes().all(|byte| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte)
            });
        fits.then(|| Self(text.to_owned())).ok_or(NotAName)
    }

    /// Returns the closest valid name to what another program calls a server (`My Server` becomes `my-server`), or
    /// `None` if no valid character is left.
    #[must_use]
    pub fn near(text: &str) -> Option<Self> {
        let mut name = String::new();
        for c in text.chars().flat_map(char::to_lowercase) {
            if c.is_ascii_alphanumeric() || c == '_' {
                name.push(c);
            } else if !name.is_empty() && !name.ends_with('-') {
                name.push('-');
            }
        }
        let name = name.trim_start_matches(|c: char| !c.is_ascii_lowercase());
        let name: String = name.chars().take(NAME_CHARS_MAX).collect();
        Self::parse(name.trim_end_matches('-')).ok()
    }

    /// Returns the name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the account that calls of the server's tools act for.
    #[must_use]
    pub fn account(&self) -> AccountId {
        AccountId(format!("{ACCOUNT}{}", self.0))
    }

    /// Returns the server of an account, or `None` if the account belongs to none.
    #[must_use]
    pub fn of_account(account: &AccountId) -> Option<Self> {
        Self::parse(account.as_str().strip_prefix(ACCOUNT)?).ok()
    }
}

impl std::fmt::Display for ServerName {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl TryFrom<String> for ServerName {
    type Error = NotAName;

    fn try_from(text: String) -> Result<Self, NotAName> {
        Self::parse(&text)
    }
}

impl From<ServerName> for String {
    fn from(name: ServerName) -> Self {
        name.0
    }
}

/// Returns Adjutant's name for a server's tool: `mcp.<server>.<tool>`. Invalid characters are replaced; the name then
/// ends in part of a hash of the original, to keep similar tools apart.
#[must_use]
pub fn tool_name(server: &ServerName, tool: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    let mut name: String = tool
        .chars()
        .map(|c| if plain(c) { c } else { '_' })
        .take(TOOL_CHARS_MAX)
        .collect();
    if name != tool || name.is_empty() {
        let hash = canonical::sha256(tool.as_bytes()).0;
        name = format!("{name}_{}", &hash[..6]);
    }
    format!("mcp.{server}.{name}")
}
