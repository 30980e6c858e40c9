//! Reads server configurations of other programs: JSON with `mcpServers`, pasted by the person.

use std::collections::BTreeMap;

use adjutant_domain::server::{Reach, SERVERS_MAX, ServerName};
use secrecy::SecretString;
use serde::Deserialize;
use serde_json::Value;

/// Maximum size of a pasted text in bytes.
const PASTED_BYTES_MAX: usize = 256 * 1024;

/// The content of a pasted text.
#[derive(Debug, Default)]
pub struct Pasted {
    /// Servers that can be added.
    pub servers: Vec<PastedServer>,
    /// One sentence for each server that cannot be added.
    pub problems: Vec<String>,
}

/// A server from a pasted text.
#[derive(Debug)]
pub struct PastedServer {
    /// Its name, adapted to the rules for names.
    pub name: ServerName,
    /// How to reach it, without environment variables and headers that may be secret.
    pub reach: Reach,
    /// The secret values, by name.
    pub secrets: BTreeMap<String, SecretString>,
}

#[derive(Deserialize)]
struct Entry {
    command: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(alias = "serverUrl", alias = "httpUrl")]
    url: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
}

/// Reads a pasted text.
///
/// # Errors
/// Returns a message with the expected format if the text contains no servers.
pub fn pasted(text: &str) -> Result<Pasted, String> {
    if text.len() > PASTED_BYTES_MAX {
        return Err(format!("The text has more than {PASTED_BYTES_MAX} bytes."));
    }
    let whole: Value = serde_json::from_str(text).map_err(|error| {
        format!(
            "This is not JSON (line {}, column {}).",
            error.line(),
            error.column()
        )
    })?;
    let servers = ["mcpServers", "servers"]
        .iter()
        .find_map(|key| whole.get(key));
    // Some websites show a single server: {"time": {"command": …}}.
    let servers = servers.or_else(|| {
        let all = whole.as_object()?;
        let one = |value: &Value| value.get("command").is_some() || value.get("url").is_some();
        all.values().all(one).then_some(&whole)
    });
    let Some(servers) = servers
        .and_then(Value::as_object)
        .filter(|all| !all.is_empty())
    else {
        return Err("It has no “mcpServers” with servers in it.".into());
    };
    let mut pasted = Pasted::default();
    for (key, value) in servers.iter().take(SERVERS_MAX) {
        match one(key, value) {
            Ok(server) => pasted.servers.push(server),
            Err(problem) => pasted.problems.push(problem),
        }
    }
    Ok(pasted)
}

fn one(key: &str, value: &Value) -> Result<PastedServer, String> {
    let shown = crate::clean::line(key, 60);
    let name = ServerName::near(key).ok_or_else(|| format!("“{shown}” cannot be a name here."))?;
    let entry = Entry::deserialize(value).map_err(|_| {
        format!("“{shown}” is not set up as a server: it needs a “command” or a “url”.")
    })?;
    let (reach, secrets) = match (entry.command, entry.url) {
        (Some(command), _) => {
            let (secret, env): (BTreeMap<_, _>, _) = entry
                .env
                .into_iter()
                .partition(|(_, value)| may_be_secret(value));
            let secrets = kept(secret);
            let reach = Reach::Command {
                command,
                args: entry.args,
                env,
                secrets: secrets.keys().cloned().collect(),
            };
            (reach, secrets)
        }
        (None, Some(url)) => {
            let secrets = kept(entry.headers);
            let reach = Reach::Address {
                url,
                headers: BTreeMap::new(),
                secrets: secrets.keys().cloned().collect(),
            };
            (reach, secrets)
        }
        (None, None) => return Err(format!("“{shown}” has neither a “command” nor a “url”.")),
    };
    Ok(PastedServer {
        name,
        reach,
        secrets,
    })
}

fn kept(values: BTreeMap<String, String>) -> BTreeMap<String, SecretString> {
    let values = values.into_iter();
    values
        .map(|(name, value)| (name, SecretString::from(value)))
        .collect()
}

/// Tells whether a value must be treated as a secret: everything but paths, short numbers, and yes-or-no values.
fn may_be_secret(value: &str) -> bool {
    let is_path = value.starts_with('/') || value.starts_with("~/") || value.starts_with("./");
    let is_small = value.len() < 6 && value.bytes().all(|byte| byte.is_ascii_digit());
    !(is_path || is_small || matches!(value, "" | "true" | "false" | "yes" | "no"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_text_is_read_and_its_values_are_secrets() {
        let read = pasted(
            r#"{"mcpServers": {
                "My Git": {"command": "uvx", "args": ["mcp-server-git"], "env": {"TOKEN": "s3cret", "FILE": "/tmp/a.json"}},
                "far": {"type": "http", "url": "https://x.example/mcp", "headers": {"Authorization": "Bearer t"}},
                "odd": {"args": []}
            }}"#,
        )
        .expect("servers");
        let names: Vec<&str> = read.servers.iter().map(|one| one.name.as_str()).collect();
        assert_eq!((names, read.problems.len()), (vec!["my-git", "far"], 1));
        assert_eq!(read.servers[0].reach.secrets(), ["TOKEN"]);
        assert!(!format!("{read:?}").contains("s3cret"));
        assert_eq!(
            pasted(r#"{"time": {"command": "x"}}"#)
                .expect("one")
                .servers
                .len(),
            1
        );
        for text in ["", "[]", "{}", r#"{"a": 1}"#, r#"{"mcpServers": {}}"#] {
            assert!(pasted(text).is_err(), "{text}");
        }
    }
}
