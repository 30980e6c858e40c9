//! Adds, tries, accepts and configures tool servers, and attaches their resources.

mod view;

use adjutant_api::models::SecretText;
use adjutant_api::servers::{Attachable, ServerAct, ServerReach, ServerReport};
use adjutant_api::{Fault, Reply};
use adjutant_domain::faults::{UserFault, sentence};
use adjutant_domain::risk::Risk;
use adjutant_domain::server::{Reach, ServerName};
use adjutant_mcp::{ServerFault, pasted};
use secrecy::SecretString;
use serde_json::{Map, Value};

use super::{Service, missing};
use crate::servers::{AttachRequest, Left, NewServer, NotAttached, NotChanged};

pub(super) use view::checks;
use view::{offers_view, view};

/// Maximum number of left-out tools named.
const LEFT_OUT_NAMED: usize = 5;

/// Answers one request about servers.
pub(super) async fn act(service: &Service, request: ServerAct) -> Result<Reply, Fault> {
    let servers = &service.servers;
    match request {
        ServerAct::List {} => Ok(reply(service, None, None)),
        ServerAct::Add {
            name,
            reach,
            secrets,
        } => {
            let name = parsed(&name)?;
            let new = NewServer {
                name: name.clone(),
                reach: of_wire(reach),
                secrets: secrets
                    .into_iter()
                    .map(|(field, value)| (field, secret(value)))
                    .collect(),
            };
            servers.add(new).await.map_err(not_changed)?;
            Ok(reply(service, Some(&name), None))
        }
        ServerAct::Paste { json } => paste(service, &json.0).await,
        ServerAct::Try { name } => tried(service, &known(service, &name)?).await,
        ServerAct::Accept { name, pins } => {
            let name = known(service, &name)?;
            servers.accept(&name, pins).await.map_err(not_changed)?;
            Ok(reply(service, Some(&name), None))
        }
        ServerAct::Lower { name, tool, reads } => {
            let name = known(service, &name)?;
            servers
                .lower(&name, &tool, reads)
                .await
                .map_err(not_changed)?;
            Ok(reply(service, Some(&name), None))
        }
        ServerAct::Set { name, on } => {
            let name = known(service, &name)?;
            servers.switch(&name, on).await.map_err(not_changed)?;
            Ok(reply(service, Some(&name), None))
        }
        ServerAct::Secret { name, field, value } => {
            let name = known(service, &name)?;
            servers
                .set_secret(&name, &field, secret(value))
                .await
                .map_err(not_changed)?;
            Ok(reply(service, Some(&name), None))
        }
        ServerAct::Remove { name } => {
            let name = known(service, &name)?;
            let left = servers.remove(&name).await.map_err(not_changed)?;
            Ok(reply(service, None, stays(left)))
        }
        ServerAct::SignIn { name } => {
            let name = known(service, &name)?;
            let begun = servers.begin_sign_in(&name).await;
            let begun = begun.map_err(|why| Fault::from(&why.told(name.as_str())))?;
            Ok(Reply::SignIn {
                id: begun.id,
                address: begun.address,
            })
        }
        ServerAct::SignedIn { name, sign_in } => {
            let name = known(service, &name)?;
            let signed = servers.until_signed_in(&name, &sign_in).await;
            signed.map_err(|why| Fault::from(&why.told(name.as_str())))?;
            service.engine.hurry_signed_in(&name.account()).await;
            tried(service, &name).await
        }
        ServerAct::Offers { name } => {
            let name = known(service, &name)?;
            let offers = servers.offers(&name).await;
            let offers = offers.map_err(|fault| server_fault(&name, &fault))?;
            Ok(Reply::ServerOffers {
                offers: offers_view(offers),
            })
        }
        ServerAct::Attach { name, what } => attach(service, &known(service, &name)?, what).await,
    }
}

/// Describes what may be left over from a removed server; `None` if nothing is.
fn stays(left: Left) -> Option<String> {
    let secret = "The keyring did not answer, so a secret of the server may still be in it.";
    let sign_in = "The server was not told that you signed out. Revoke Adjutant's access in your account there.";
    let said = [
        left.secret.then_some(secret),
        left.sign_in.then_some(sign_in),
    ];
    let said: Vec<&str> = said.into_iter().flatten().collect();
    (!said.is_empty()).then(|| said.join(" "))
}

fn parsed(name: &str) -> Result<ServerName, Fault> {
    ServerName::parse(name).map_err(|error| Fault {
        code: "name".into(),
        message: sentence(&error.to_string()),
        hint: String::new(),
    })
}

fn known(service: &Service, name: &str) -> Result<ServerName, Fault> {
    let parsed = ServerName::parse(name).ok();
    let known = parsed.filter(|name| service.servers.one(name).is_some());
    known.ok_or_else(|| missing(name))
}

fn secret(text: SecretText) -> SecretString {
    SecretString::from(text.0)
}

fn not_changed(why: NotChanged) -> Fault {
    Fault::from(&why.told())
}

fn server_fault(name: &ServerName, fault: &ServerFault) -> Fault {
    Fault::from(&fault.told(name.as_str()))
}

fn of_wire(reach: ServerReach) -> Reach {
    match reach {
        ServerReach::Command { command, args, env } => Reach::Command {
            command,
            args,
            env,
            secrets: Vec::new(),
        },
        ServerReach::Address { url, headers } => Reach::Address {
            url,
            headers,
            secrets: Vec::new(),
        },
    }
}

fn reply(service: &Service, only: Option<&ServerName>, note: Option<String>) -> Reply {
    let all = service.servers.standing();
    let wanted = all
        .iter()
        .filter(|one| only.is_none_or(|name| one.server.name == *name));
    Reply::Servers {
        servers: wanted.map(view).collect(),
        note,
    }
}

async fn paste(service: &Service, json: &str) -> Result<Reply, Fault> {
    let read = pasted(json).map_err(|what| Fault {
        code: "json".into(),
        message: what,
        hint: "Paste the text that contains “mcpServers”, as in the settings of other programs."
            .into(),
    })?;
    let mut notes = read.problems;
    let mut added = Vec::new();
    for one in read.servers {
        let name = one.name.clone();
        let new = NewServer {
            name: one.name,
            reach: one.reach,
            secrets: one.secrets,
        };
        match service.servers.add(new).await {
            Ok(()) => added.push(name),
            Err(why) => notes.push(format!("“{name}” was not added: {why}")),
        }
    }
    if added.is_empty() {
        return Err(Fault {
            code: "json".into(),
            message: notes.join(" "),
            hint: "Nothing was added.".into(),
        });
    }
    let all = service.servers.standing();
    let new = all.iter().filter(|one| added.contains(&one.server.name));
    Ok(Reply::Servers {
        servers: new.map(view).collect(),
        note: (!notes.is_empty()).then(|| notes.join(" ")),
    })
}

async fn tried(service: &Service, name: &ServerName) -> Result<Reply, Fault> {
    let tried = service.servers.try_out(name).await;
    let standing = service
        .servers
        .one(name)
        .ok_or_else(|| missing(name.as_str()))?;
    let mut notes = Vec::new();
    let (works, revision, connect_ms, list_ms) = match tried {
        Ok(tried) => {
            for one in tried.left_out.iter().take(LEFT_OUT_NAMED) {
                notes.push(format!("The tool “{}” is left out: {}.", one.name, one.why));
            }
            let more = tried.left_out.len().saturating_sub(LEFT_OUT_NAMED);
            if more > 0 {
                notes.push(format!("{more} more tools are left out."));
            }
            (true, tried.revision, tried.connect_ms, tried.list_ms)
        }
        Err(_) => (false, String::new(), 0, 0),
    };
    if works {
        notes.push(match &standing.server.reach {
            Reach::Command { .. } => "This server is a program. It can do what you can: read and change your files, and use the network without Adjutant seeing it.".into(),
            Reach::Address { .. } => "What Adjutant sends to its tools leaves this computer for that address.".into(),
        });
        notes.push("Each call asks you first, unless you declare a tool read-only.".into());
    }
    Ok(Reply::ServerTried {
        report: ServerReport {
            server: view(&standing),
            works,
            revision,
            connect_ms,
            list_ms,
            notes,
        },
    })
}

async fn attach(service: &Service, name: &ServerName, what: Attachable) -> Result<Reply, Fault> {
    let what = match what {
        Attachable::Resource { uri } => AttachRequest::Resource(uri),
        Attachable::Prompt { prompt, args } => {
            let args: Map<String, Value> = args
                .into_iter()
                .map(|(name, value)| (name, Value::String(value)))
                .collect();
            AttachRequest::Prompt(prompt, args)
        }
    };
    let note = service
        .servers
        .attach(name, what)
        .await
        .map_err(|why| match why {
            NotAttached::Server(fault) => server_fault(name, &fault),
            NotAttached::Store(fault) => Fault::from(UserFault::from(&fault)),
        })?;
    Ok(Reply::Attached {
        note: note.id.0,
        title: note.title,
        text: note.body,
    })
}

/// The setting `mcp.<server>.tool.<name>.risk`, which lowers the risk of a tool.
pub(super) struct RiskKey {
    server: ServerName,
    tool: String,
}

impl RiskKey {
    /// Parses a key; `None` for other settings.
    pub(super) fn of(key: &str) -> Option<Self> {
        let (server, rest) = key.strip_prefix("mcp.")?.split_once('.')?;
        let tool = rest.strip_prefix("tool.")?.strip_suffix(".risk")?;
        Some(Self {
            server: ServerName::parse(server).ok()?,
            tool: tool.to_owned(),
        })
    }

    /// Shows the tool's current risk.
    pub(super) fn show(&self, service: &Service, key: &str) -> Result<Reply, Fault> {
        let standing = service.servers.one(&self.server);
        let standing = standing.ok_or_else(|| missing(self.server.as_str()))?;
        let tool = standing
            .server
            .tool(&self.tool)
            .ok_or_else(|| missing(&self.tool))?;
        Ok(Reply::Config {
            settings: vec![adjutant_api::reply::SettingView {
                key: key.to_owned(),
                value: tool.risk().as_str().into(),
                default: Risk::Spends.as_str().into(),
                help: "`read`: you declare this tool read-only, and its calls run without asking. `spends`: each call asks you first.".into(),
                origin: if tool.lowered { "profile" } else { "default" }.into(),
                choices: vec![Risk::Read.as_str().into(), Risk::Spends.as_str().into()],
            }],
        })
    }

    /// Lowers the risk, or undoes that.
    pub(super) async fn set(
        &self,
        service: &Service,
        key: &str,
        value: Option<&str>,
    ) -> Result<Reply, Fault> {
        let reads = match value.map(str::trim) {
            Some("read") => true,
            None | Some("spends") => false,
            Some(_) => {
                return Err(Fault {
                    code: "usage".into(),
                    message: format!("{key} must be `read` or `spends`."),
                    hint: String::new(),
                });
            }
        };
        let lowered = service.servers.lower(&self.server, &self.tool, reads).await;
        lowered.map_err(not_changed)?;
        self.show(service, key)
    }
}

/// Describes what an erasure may have left over, as part of a sentence; `None` if nothing.
pub(super) async fn erased(service: &Service) -> Option<String> {
    let left = service.servers.erased().await;
    let said = [
        left.secret
            .then_some("secrets of servers may still be in the keyring"),
        left.sign_in
            .then_some("servers may still treat you as signed in"),
    ];
    let said: Vec<&str> = said.into_iter().flatten().collect();
    (!said.is_empty()).then(|| said.join("; "))
}
