//! `mcp add|try|accept|list|…`: manages tool servers.

use std::collections::BTreeMap;
use std::io::Read as _;

use adjutant::session::Session;
use adjutant_api::models::SecretText;
use adjutant_api::servers::{
    Attachable, ServerAct, ServerOffers, ServerReach, ServerReport, ServerStatus, ServerToolState,
    ServerToolView, ServerView,
};
use adjutant_api::{Fault, Reply, Request};
use adjutant_domain::faults::io_reason;

use crate::accounts::in_browser;
use crate::args::ServersCommand;
use crate::{End, print, reply, secrets, unexpected};

/// Maximum size of a pasted text in bytes.
const PASTED_BYTES_MAX: u64 = 1024 * 1024;

/// Runs a command.
pub(crate) async fn run(
    session: &Session,
    command: ServersCommand,
    json: bool,
) -> Result<End, Fault> {
    match command {
        ServersCommand::List => show(session, ServerAct::List {}, json).await,
        ServersCommand::Add {
            name: None,
            command,
            env,
            ..
        } => {
            if !command.is_empty() || !env.is_empty() {
                return Err(usage(
                    "A server needs a name: `adjutant mcp add NAME -- COMMAND`.",
                ));
            }
            show(session, ServerAct::Paste { json: pasted()? }, json).await
        }
        ServersCommand::Add {
            name: Some(name),
            url,
            env,
            secret,
            command,
        } => {
            let reach = reach(url, command, env)?;
            let wanted = secret.into_iter().map(|name| (name, "secret".to_owned()));
            let add = ServerAct::Add {
                name,
                reach,
                secrets: secrets::of_account(wanted)?,
            };
            show(session, add, json).await
        }
        ServersCommand::Try { name } => looked(session, ServerAct::Try { name }, json).await,
        ServersCommand::SignIn { name, no_browser } => {
            let begin = request(ServerAct::SignIn { name: name.clone() });
            let sign_in = in_browser(session, begin, no_browser).await?;
            looked(session, ServerAct::SignedIn { name, sign_in }, json).await
        }
        ServersCommand::Accept { name, tools } => accept(session, name, tools, json).await,
        ServersCommand::Pause { name } => {
            show(session, ServerAct::Set { name, on: false }, json).await
        }
        ServersCommand::Resume { name } => {
            show(session, ServerAct::Set { name, on: true }, json).await
        }
        ServersCommand::Secret { name, field } => {
            let mut given = secrets::of_account([(field.clone(), "secret".to_owned())])?;
            let value = given.remove(&field).ok_or_else(unexpected)?;
            show(session, ServerAct::Secret { name, field, value }, json).await
        }
        ServersCommand::Remove { name } => show(session, ServerAct::Remove { name }, json).await,
        ServersCommand::Offers { name } => {
            let offers = reply(session, request(ServerAct::Offers { name })).await?;
            let Reply::ServerOffers { offers } = offers else {
                return Err(unexpected());
            };
            if json {
                print::json(&offers);
            } else {
                offered(&offers);
            }
            Ok(End::Finished)
        }
        ServersCommand::Attach {
            name,
            what,
            prompt,
            args,
        } => {
            let what = if prompt {
                Attachable::Prompt {
                    prompt: what,
                    args: args.into_iter().collect(),
                }
            } else {
                Attachable::Resource { uri: what }
            };
            attach(session, name, what, json).await
        }
    }
}

/// Tries a server and prints the result.
async fn looked(session: &Session, act: ServerAct, json: bool) -> Result<End, Fault> {
    let Reply::ServerTried { report } = reply(session, request(act)).await? else {
        return Err(unexpected());
    };
    if json {
        print::json(&report);
    } else {
        tried(&report);
    }
    Ok(if report.works {
        End::Finished
    } else {
        End::Failed
    })
}

fn request(request: ServerAct) -> Request {
    Request::Servers { request }
}

fn usage(message: &str) -> Fault {
    Fault {
        code: "usage".into(),
        message: message.into(),
        hint: "See `adjutant mcp add --help`.".into(),
    }
}

fn reach(
    url: Option<String>,
    command: Vec<String>,
    env: Vec<(String, String)>,
) -> Result<ServerReach, Fault> {
    if let Some(url) = url {
        return Ok(ServerReach::Address {
            url,
            headers: BTreeMap::new(),
        });
    }
    let mut words = command.into_iter();
    let command = words
        .next()
        .ok_or_else(|| usage("A server needs a command after `--`, or an address with `--url`."))?;
    Ok(ServerReach::Command {
        command,
        args: words.collect(),
        env: env.into_iter().collect(),
    })
}

fn pasted() -> Result<SecretText, Fault> {
    let mut text = String::new();
    let read = std::io::stdin()
        .take(PASTED_BYTES_MAX)
        .read_to_string(&mut text);
    read.map_err(|error| Fault {
        code: "usage".into(),
        message: format!("Standard input cannot be read: {}.", io_reason(&error)),
        hint: "Pipe the text that contains “mcpServers” into this command.".into(),
    })?;
    Ok(SecretText(text))
}

async fn ask(
    session: &Session,
    act: ServerAct,
) -> Result<(Vec<ServerView>, Option<String>), Fault> {
    match reply(session, request(act)).await? {
        Reply::Servers { servers, note } => Ok((servers, note)),
        _ => Err(unexpected()),
    }
}

async fn show(session: &Session, act: ServerAct, json: bool) -> Result<End, Fault> {
    let (servers, note) = ask(session, act).await?;
    if json {
        print::json(&servers);
    } else if servers.is_empty() {
        print::line(
            "No servers yet. Add one with `adjutant mcp add NAME -- COMMAND`, then try and accept it.",
        );
    } else {
        servers.iter().for_each(described);
    }
    if let Some(note) = note {
        print::aside(&note);
    }
    Ok(End::Finished)
}

/// Accepts tools by the pins of the latest offer, so that nothing that changed in between is accepted.
async fn accept(
    session: &Session,
    name: String,
    tools: Vec<String>,
    json: bool,
) -> Result<End, Fault> {
    let (servers, _) = ask(session, ServerAct::List {}).await?;
    let server = servers.iter().find(|one| one.name == name);
    let offered = server.map(|one| one.tools.as_slice()).unwrap_or_default();
    let mut pins = BTreeMap::new();
    for tool in offered {
        if tools.is_empty() || tools.contains(&tool.tool) {
            pins.insert(tool.tool.clone(), tool.pin.clone());
        }
    }
    if let Some(unknown) = tools.iter().find(|tool| !pins.contains_key(*tool)) {
        return Err(Fault {
            code: "not_found".into(),
            message: format!("The server “{name}” has no tool “{unknown}”."),
            hint: "`adjutant mcp list` shows its tools.".into(),
        });
    }
    show(session, ServerAct::Accept { name, pins }, json).await
}

async fn attach(
    session: &Session,
    name: String,
    what: Attachable,
    json: bool,
) -> Result<End, Fault> {
    let attached = reply(session, request(ServerAct::Attach { name, what })).await?;
    let Reply::Attached { note, title, text } = attached else {
        return Err(unexpected());
    };
    if json {
        print::json(&serde_json::json!({ "note": note, "title": title, "text": text }));
    } else {
        print::line(&format!("Saved as the note “{title}” ({note})."));
    }
    Ok(End::Finished)
}

fn described(server: &ServerView) {
    let state = match (server.status, server.running) {
        (ServerStatus::New, _) => "new: try it, then accept it",
        (ServerStatus::Off, _) => "paused",
        (ServerStatus::On, true) => "running",
        (ServerStatus::On, false) => "starts when needed",
    };
    print::line(&format!("{}  {}  ({state})", server.name, server.line));
    if server.signed_in {
        print::line("    signed in in the browser");
    }
    if !server.secrets.is_empty() {
        print::line(&format!(
            "    in the keyring: {}",
            server.secrets.join(", ")
        ));
    }
    if let Some(problem) = &server.problem {
        print::line(&format!("    {} {}", problem.what, problem.next));
        for line in &problem.log {
            print::line(&format!("    | {line}"));
        }
    }
    for tool in &server.tools {
        print::line(&format!("    {}", line_of(tool)));
    }
}

fn line_of(tool: &ServerToolView) -> String {
    let state = match tool.state {
        ServerToolState::New => "new",
        ServerToolState::Accepted if tool.lowered => "read-only, as you declared",
        ServerToolState::Accepted => "asks before each call",
        ServerToolState::Changed => "changed: check it again",
        ServerToolState::Gone => "no longer offered",
    };
    let says = if tool.says.is_empty() {
        String::new()
    } else {
        format!("; {}", tool.says)
    };
    let about: String = tool
        .description
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let about: String = about.chars().take(100).collect();
    format!("{}  [{state}{says}]  {about}", tool.name)
}

fn tried(report: &ServerReport) {
    described(&report.server);
    if !report.works {
        return;
    }
    let server = &report.server;
    let own = if server.title.is_empty() {
        &server.name
    } else {
        &server.title
    };
    print::line(&format!(
        "It calls itself {own} {} and uses protocol revision {}. It answered after {} ms and had listed {} tools after {} ms.",
        server.version,
        report.revision,
        report.connect_ms,
        server.tools.len(),
        report.list_ms
    ));
    for note in &report.notes {
        print::line(note);
    }
    if server.to_look_at > 0 {
        print::line(&format!(
            "To use it: `adjutant mcp accept {}`.",
            server.name
        ));
    }
}

fn offered(offers: &ServerOffers) {
    for one in &offers.resources {
        print::line(&format!(
            "resource {}  {}  {}",
            one.uri, one.name, one.description
        ));
    }
    for one in &offers.prompts {
        let args: Vec<&str> = one.args.iter().map(|arg| arg.name.as_str()).collect();
        print::line(&format!(
            "prompt {}({})  {}",
            one.name,
            args.join(", "),
            one.description
        ));
    }
    if offers.resources.is_empty() && offers.prompts.is_empty() {
        print::line("It offers nothing to attach.");
    }
}
