//! Names of servers and of their tools.

use serde::{Deserialize, Serialize};

use crate::canonical;
use crate::ids::AccountId;

/// Characters of the name of a server.
pub const NAME_CHARS_MAX: usize = 32;
/// Characters of the last part of a tool's name.
const TOOL_CHARS_MAX: usize = 64;
/// What the accounts of servers begin with.
const ACCOUNT: &str = "mcp:";

/// What the person calls a server: small letters, digits, `-` and `_`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ServerName(String);

/// A text that cannot be the name of a server.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a name has 1 to {NAME_CHARS_MAX} small letters, digits, “-” or “_”, and begins with a letter"
)]
pub struct NotAName;

impl ServerName {
    /// Reads a name.
    ///
    /// # Errors
    /// When it is none.
    pub fn parse(text: &str) -> Result<Self, NotAName> {
        let fits = text.starts_with(|c: char| c.is_ascii_lowercase())
            && text.len() <= NAME_CHARS_MAX
            && text.bytes().all(|byte| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte)
            });
        fits.then(|| Self(text.to_owned())).ok_or(NotAName)
    }

    /// The nearest name to what another program calls a server (`My Server` becomes `my-server`); none where nothing of it
    /// is left.
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

    /// As text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The account that calls of its tools act for.
    #[must_use]
    pub fn account(&self) -> AccountId {
        AccountId(format!("{ACCOUNT}{}", self.0))
    }

    /// The server of an account; none where it is another one.
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

/// The name of a server's tool here: `mcp.<server>.<tool>`. What a name here cannot hold is replaced; then a part of the
/// hash of the whole name keeps two tools apart.
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
