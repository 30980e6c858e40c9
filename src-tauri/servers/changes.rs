//! The person's changes to servers: add, accept, lower risk, switch and remove.

use std::collections::BTreeMap;

use adjutant_domain::faults::{StoreFault, UserFault, sentence};
use adjutant_domain::risk::Risk;
use adjutant_domain::server::{
    About, Reach, SERVERS_MAX, Server, ServerName, ServerState, ToolState,
};
use adjutant_net::{Url, reach::is_loopback};
use secrecy::{ExposeSecret as _, SecretString};

use super::{SIGN_IN, Servers};

/// Maximum size of a secret in bytes.
const SECRET_BYTES_MAX: usize = 16 * 1024;
/// Maximum size in bytes of the description of how to reach a server.
const REACH_BYTES_MAX: usize = 64 * 1024;

/// A server to add.
pub(crate) struct NewServer {
    pub(crate) name: ServerName,
    /// How to reach it; its secret values are in `secrets`.
    pub(crate) reach: Reach,
    pub(crate) secrets: BTreeMap<String, SecretString>,
}

/// What may be left over from a removed server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Left {
    /// A secret in the keyring.
    pub(crate) secret: bool,
    /// A sign-in at the server.
    pub(crate) sign_in: bool,
}

/// Why servers were not changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotChanged {
    /// There is no such server.
    #[error("There is no server “{0}”.")]
    Missing(String),
    /// A field is invalid; its name is the error code.
    #[error("{what}")]
    Field {
        field: String,
        what: String,
        hint: &'static str,
    },
    #[error("{0}")]
    Store(#[from] StoreFault),
}

impl NotChanged {
    pub(crate) fn field(field: &str, what: impl Into<String>, hint: &'static str) -> Self {
        Self::Field {
            field: field.to_owned(),
            what: what.into(),
            hint,
        }
    }

    /// Returns the fault for the person.
    pub(crate) fn told(&self) -> UserFault {
        match self {
            Self::Missing(_) => UserFault::new(
                "not_found",
                self.to_string(),
                "Look at your servers in Settings, Tools (`adjutant mcp list`).",
            ),
            Self::Field { field, what, hint } => UserFault::new(field, what.clone(), *hint),
            Self::Store(fault) => UserFault::from(fault),
        }
    }
}

impl Servers {
    /// Adds a server. It is not used before it has been tried and accepted.
    ///
    /// # Errors
    /// Returns an error if the server cannot be added; none of its secrets is stored then.
    pub(crate) async fn add(&self, new: NewServer) -> Result<(), NotChanged> {
        let NewServer {
            name,
            mut reach,
            secrets,
        } = new;
        let _one = self.0.changing.lock().await;
        if self.one(&name).is_some() {
            let what = format!("There is already a server called “{name}”.");
            return Err(NotChanged::field("name", what, "Choose another name."));
        }
        if self.known().len() >= SERVERS_MAX {
            let what = format!("A profile can have at most {SERVERS_MAX} servers.");
            return Err(NotChanged::field(
                "name",
                what,
                "Remove one first (`adjutant mcp remove NAME`).",
            ));
        }
        fits(&reach)?;
        if secrets.contains_key(SIGN_IN) {
            return Err(reserved());
        }
        let names: Vec<String> = secrets.keys().cloned().collect();
        match &mut reach {
            Reach::Command { secrets, .. } | Reach::Address { secrets, .. } => *secrets = names,
        }
        self.keep_secrets(&name, secrets).await?;
        let added = self.0.deps.clock.now().timestamp();
        let server = Server {
            name: name.clone(),
            reach,
            state: ServerState::New,
            tools: Vec::new(),
            about: About::default(),
            added,
        };
        let stored = self.store(server.clone()).await;
        if stored.is_err() {
            self.forget(&server).await;
        }
        Ok(stored?)
    }

    /// Stores secrets in the keyring.
    async fn keep_secrets(
        &self,
        name: &ServerName,
        secrets: BTreeMap<String, SecretString>,
    ) -> Result<(), NotChanged> {
        for (field, secret) in &secrets {
            let secret = secret.expose_secret();
            if secret.is_empty() || secret.len() > SECRET_BYTES_MAX || secret.contains(['\n', '\0'])
            {
                let what =
                    format!("The value of “{field}” is empty, longer than one line, or too long.");
                return Err(NotChanged::field(field, what, "Enter it again."));
            }
        }
        let entries: BTreeMap<String, SecretString> = secrets
            .into_iter()
            .map(|(field, secret)| (Server::entry(name, &field), secret))
            .collect();
        let kept = self.0.deps.credentials.keep(entries).await;
        if let Err(not) = kept {
            let _stays = self
                .0
                .deps
                .credentials
                .forget(not.set.into_iter().collect())
                .await;
            return Err(NotChanged::field(
                "secrets",
                sentence(&not.fault.to_string()),
                "Nothing was stored. Unlock the keyring and try again.",
            ));
        }
        Ok(())
    }

    /// Revokes a sign-in at a server and deletes its secrets from the keyring.
    async fn forget(&self, server: &Server) -> Left {
        let sign_in = self.sign_out(server).await;
        let fields = server.reach.secrets().iter();
        let names = fields.map(|field| Server::entry(&server.name, field));
        let names: Vec<String> = names.collect();
        let secret = self.0.deps.credentials.forget(names).await.is_some();
        Left { secret, sign_in }
    }

    /// Replaces a secret.
    ///
    /// # Errors
    /// Returns an error if the secret cannot be stored.
    pub(crate) async fn set_secret(
        &self,
        name: &ServerName,
        field: &str,
        value: SecretString,
    ) -> Result<(), NotChanged> {
        match field {
            SIGN_IN => Err(reserved()),
            field => self.put_secret(name, field, value).await,
        }
    }

    /// Stores a secret under any name, including the reserved one.
    pub(super) async fn put_secret(
        &self,
        name: &ServerName,
        field: &str,
        value: SecretString,
    ) -> Result<(), NotChanged> {
        let _one = self.0.changing.lock().await;
        let mut server = self.server(name)?;
        let value = match &server.reach {
            Reach::Address { .. } if field.eq_ignore_ascii_case("authorization") => bearer(value),
            _ => value,
        };
        self.keep_secrets(name, BTreeMap::from([(field.to_owned(), value)]))
            .await?;
        let (Reach::Command { secrets, .. } | Reach::Address { secrets, .. }) = &mut server.reach;
        if !secrets.iter().any(|known| known == field) {
            secrets.push(field.to_owned());
        }
        self.drop_connection(name);
        Ok(self.store(server).await?)
    }

    /// Accepts tools that the person has reviewed: those with these pins, or all as last offered. The server is used
    /// from now on.
    ///
    /// # Errors
    /// Returns an error if the server was never tried or a tool differs from the reviewed version.
    pub(crate) async fn accept(
        &self,
        name: &ServerName,
        pins: BTreeMap<String, String>,
    ) -> Result<(), NotChanged> {
        let _one = self.0.changing.lock().await;
        let mut server = self.server(name)?;
        let offered: BTreeMap<String, String> = server
            .tools
            .iter()
            .map(|tool| (tool.offered.name.clone(), tool.offered.pin()))
            .collect();
        if server.state == ServerState::New
            && offered.is_empty()
            && server.about == About::default()
        {
            return Err(NotChanged::field(
                "name",
                "This server has not been tried yet, so it is not known what it offers.",
                "Try it first (`adjutant mcp try NAME`).",
            ));
        }
        let pins = if pins.is_empty() {
            offered.clone()
        } else {
            pins
        };
        if let Some((tool, _)) = pins
            .iter()
            .find(|(tool, pin)| offered.get(*tool) != Some(*pin))
        {
            return Err(NotChanged::field(
                "changed",
                format!("The tool “{tool}” has changed since you looked at it."),
                "Look at it again, then accept it.",
            ));
        }
        server.accept(&pins);
        if server.state == ServerState::New {
            server.state = ServerState::On;
        }
        Ok(self.store(server).await?)
    }

    /// Marks a tool as only reading at the person's word, or undoes that.
    ///
    /// # Errors
    /// Returns an error if the tool was not accepted or its server declares that it changes something.
    pub(crate) async fn lower(
        &self,
        name: &ServerName,
        tool: &str,
        reads: bool,
    ) -> Result<(), NotChanged> {
        let _one = self.0.changing.lock().await;
        let mut server = self.server(name)?;
        let found = server.tools.iter_mut().find(|one| one.offered.name == tool);
        let found = found.ok_or_else(|| {
            let what = format!("The server “{name}” has no tool “{tool}”.");
            NotChanged::field(
                "tool",
                what,
                "Look at its tools in Settings, Tools (`adjutant mcp list`).",
            )
        })?;
        if reads && found.state() != ToolState::Accepted {
            return Err(NotChanged::field(
                "tool",
                format!("You have not accepted the tool “{tool}” as it is now."),
                "Look at it and accept it first (`adjutant mcp accept NAME`).",
            ));
        }
        if reads && found.offered.hints.least() > Risk::Read {
            return Err(NotChanged::field(
                "tool",
                format!(
                    "The server itself says that “{tool}” changes something, so Adjutant asks before each call."
                ),
                "",
            ));
        }
        found.lowered = reads;
        Ok(self.store(server).await?)
    }

    /// Switches a server on or off.
    ///
    /// # Errors
    /// Returns an error if the server was not accepted yet.
    pub(crate) async fn switch(&self, name: &ServerName, on: bool) -> Result<(), NotChanged> {
        let _one = self.0.changing.lock().await;
        let mut server = self.server(name)?;
        let accepted = server.tools.iter().any(|tool| tool.accepted.is_some());
        server.state = match (on, server.state) {
            (true, ServerState::New) => {
                return Err(NotChanged::field(
                    "name",
                    "You have not accepted this server yet.",
                    "Try it first and look at what it offers (`adjutant mcp try NAME`).",
                ));
            }
            (true, _) => ServerState::On,
            (false, ServerState::New) if !accepted => ServerState::New,
            (false, _) => ServerState::Off,
        };
        if !on {
            self.drop_connection(name);
        }
        Ok(self.store(server).await?)
    }

    /// Stops and removes a server.
    ///
    /// # Errors
    /// Returns an error if there is no such server or storage fails.
    pub(crate) async fn remove(&self, name: &ServerName) -> Result<Left, NotChanged> {
        let _one = self.0.changing.lock().await;
        let server = self.server(name)?;
        self.0.deps.store.remove_server(name.clone()).await?;
        self.drop_connection(name);
        self.known().remove(name);
        self.publish();
        Ok(self.forget(&server).await)
    }

    /// Stops all servers and deletes their secrets after they were erased from storage.
    pub(crate) async fn erased(&self) -> Left {
        let _one = self.0.changing.lock().await;
        let all = std::mem::take(&mut *self.known());
        self.disconnect();
        self.publish();
        let mut left = Left::default();
        for known in all.into_values() {
            let of_one = self.forget(&known.server).await;
            left.secret |= of_one.secret;
            left.sign_in |= of_one.sign_in;
        }
        left
    }

    fn server(&self, name: &ServerName) -> Result<Server, NotChanged> {
        let one = self.one(name);
        one.map(|one| one.server)
            .ok_or_else(|| NotChanged::Missing(name.to_string()))
    }
}

/// Returns the error for a reserved secret name: the result of a sign-in in the browser is never typed.
fn reserved() -> NotChanged {
    let what = format!("“{SIGN_IN}” cannot be the name of a secret.");
    NotChanged::field(
        "secrets",
        what,
        "Sign in in the browser, or choose another name.",
    )
}

/// Formats a token for the `Authorization` header.
fn bearer(value: SecretString) -> SecretString {
    let text = value.expose_secret().trim();
    if text.contains(' ') {
        SecretString::from(text)
    } else {
        SecretString::from(format!("Bearer {text}"))
    }
}

/// Checks that the description of how to reach a server is valid.
fn fits(reach: &Reach) -> Result<(), NotChanged> {
    if serde_json::to_vec(reach).map_or(usize::MAX, |all| all.len()) > REACH_BYTES_MAX {
        return Err(NotChanged::field(
            "command",
            "The command is too long.",
            "Shorten it.",
        ));
    }
    match reach {
        Reach::Command {
            command, args, env, ..
        } => {
            let texts = std::iter::once(command)
                .chain(args)
                .chain(env.values())
                .chain(env.keys());
            if command.trim().is_empty() || texts.into_iter().any(|text| text.contains('\0')) {
                return Err(NotChanged::field(
                    "command",
                    "The command is missing or not valid.",
                    "Give the program and its arguments.",
                ));
            }
            Ok(())
        }
        Reach::Address { url, .. } => {
            let hint = "Use the form https://example.org/mcp.";
            let url = Url::parse(url)
                .map_err(|_| NotChanged::field("url", "This is not a valid address.", hint))?;
            match url.scheme() {
                "https" => {}
                "http" if is_loopback(&url) => {}
                _ => {
                    let what = "A server that is not on this computer needs an https address.";
                    return Err(NotChanged::field("url", what, hint));
                }
            }
            if url.password().is_some() || !url.username().is_empty() {
                let what = "The address contains a user name or password.";
                return Err(NotChanged::field(
                    "url",
                    what,
                    "Give a token as a secret instead.",
                ));
            }
            Ok(())
        }
    }
}
