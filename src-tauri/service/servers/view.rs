//! Converts servers and their tools for front ends.

use adjutant_api::reply::Check;
use adjutant_api::servers::{
    PromptArg, PromptView, ResourceView, ServerOffers, ServerProblem, ServerReach, ServerStatus,
    ServerToolBefore, ServerToolState, ServerToolView, ServerView,
};
use adjutant_api::words;
use adjutant_domain::faults::sentence;
use adjutant_domain::risk::Risk;
use adjutant_domain::server::{
    Hints, Reach, ServerName, ServerState, ServerTool, ToolState, tool_name,
};
use adjutant_mcp::{OfferedPrompt, Offers, ServerFault};

use crate::servers::{SIGN_IN, Standing, is_signed_in};
use crate::service::{Service, doctor};

pub(super) fn offers_view(offers: Offers) -> ServerOffers {
    let prompt = |one: OfferedPrompt| PromptView {
        name: one.name,
        description: one.description,
        args: one
            .args
            .into_iter()
            .map(|arg| PromptArg {
                name: arg.name,
                description: arg.description,
                required: arg.required,
            })
            .collect(),
    };
    let resources = offers.resources.into_iter().map(|one| ResourceView {
        uri: one.uri,
        name: one.name,
        description: one.description,
    });
    ServerOffers {
        resources: resources.collect(),
        prompts: offers.prompts.into_iter().map(prompt).collect(),
    }
}

pub(super) fn view(standing: &Standing) -> ServerView {
    let server = &standing.server;
    let about = &server.about;
    let tools: Vec<ServerToolView> = server
        .tools
        .iter()
        .map(|tool| tool_view(&server.name, tool))
        .collect();
    let waiting = tools
        .iter()
        .filter(|tool| matches!(tool.state, ServerToolState::New | ServerToolState::Changed));
    ServerView {
        name: server.name.to_string(),
        reach: match server.reach.clone() {
            Reach::Command {
                command, args, env, ..
            } => ServerReach::Command { command, args, env },
            Reach::Address { url, headers, .. } => ServerReach::Address { url, headers },
        },
        line: server.reach.line(),
        secrets: {
            let fields = server.reach.secrets().iter();
            fields.filter(|field| *field != SIGN_IN).cloned().collect()
        },
        signed_in: is_signed_in(server),
        status: match server.state {
            ServerState::New => ServerStatus::New,
            ServerState::On => ServerStatus::On,
            ServerState::Off => ServerStatus::Off,
        },
        running: standing.running,
        problem: standing.trouble.as_ref().map(|trouble| ServerProblem {
            what: sentence(&trouble.fault.to_string()),
            next: trouble.fault.next(),
            wants_sign_in: trouble.fault == ServerFault::WantsSignIn,
            log: trouble.log.clone(),
        }),
        title: about.title.clone(),
        version: about.version.clone(),
        instructions: about.instructions.clone(),
        offers: about.resources || about.prompts,
        to_look_at: u32::try_from(waiting.count()).unwrap_or(u32::MAX),
        tools,
    }
}

fn tool_view(server: &ServerName, tool: &ServerTool) -> ServerToolView {
    let offered = &tool.offered;
    let state = tool.state();
    let before = tool
        .accepted
        .as_ref()
        .filter(|_| state == ToolState::Changed);
    ServerToolView {
        name: tool_name(server, &offered.name),
        tool: offered.name.clone(),
        title: offered.title.clone(),
        description: offered.description.clone(),
        schema: offered.schema.clone(),
        risk: words::Risk::from(tool.risk()),
        says: says(offered.hints).into(),
        state: match state {
            ToolState::New => ServerToolState::New,
            ToolState::Accepted => ServerToolState::Accepted,
            ToolState::Changed => ServerToolState::Changed,
            ToolState::Gone => ServerToolState::Gone,
        },
        lowered: tool.lowered,
        can_lower: state == ToolState::Accepted && offered.hints.least() == Risk::Read,
        pin: offered.pin(),
        before: before.map(|was| ServerToolBefore {
            description: was.description.clone(),
            schema: was.schema.clone(),
            says: says(was.hints).into(),
        }),
    }
}

/// Describes a server's own claim about the risk of a tool; empty if it makes none.
fn says(hints: Hints) -> &'static str {
    match (hints.read_only, hints.least()) {
        (Some(true), _) => "says it only reads",
        (_, Risk::Destroys) => "says it may destroy something",
        (_, Risk::RemoteReversible) => "says it changes something",
        _ => "",
    }
}

/// Returns one `doctor` line for each server.
pub(in crate::service) fn checks(service: &Service) -> Vec<Check> {
    let all = service.servers.standing();
    all.iter().map(check).collect()
}

fn check(standing: &Standing) -> Check {
    let server = &standing.server;
    let used = server.usable().count();
    let waiting = server
        .tools
        .iter()
        .filter(|tool| matches!(tool.state(), ToolState::New | ToolState::Changed))
        .count();
    let (state, says, next) = match (&standing.trouble, server.state) {
        (_, ServerState::Off) => ("optional", "switched off".to_owned(), String::new()),
        (Some(trouble), _) => ("broken", trouble.fault.to_string(), trouble.fault.next()),
        (None, ServerState::New) => (
            "optional",
            "added but not accepted yet".to_owned(),
            format!(
                "Try it in Settings, Tools (`adjutant mcp try {}`), then accept it.",
                server.name
            ),
        ),
        (None, ServerState::On) if waiting > 0 => (
            "optional",
            format!("{used} tools used, {waiting} to check"),
            format!(
                "Look at them in Settings, Tools (`adjutant mcp try {0}`), then accept them (`adjutant mcp accept {0}`).",
                server.name
            ),
        ),
        (None, ServerState::On) => ("ok", format!("{used} tools used"), String::new()),
    };
    doctor::line(&format!("Server {}", server.name), state, says, &next)
}
