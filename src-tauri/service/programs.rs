//! Serves other programs through `adjutant mcp serve`: they can read what the person shared and make proposals that
//! wait in Approvals. A program cannot approve, configure, import, export, erase or undo anything: no such call exists.

mod rates;
mod token;
mod words;

use adjutant_api::programs::{ProgramAct, ProgramAction, ProgramAnswer, ProgramTool};
use adjutant_api::reply::Applied;
use adjutant_api::{Fault, Reply};
use adjutant_domain::faults::{ToolFault, UserFault};
use adjutant_domain::gate::{ActionState, PendingAction, Risk};
use adjutant_domain::ids::ActionId;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::TurnLog as _;
use adjutant_domain::program::{ProgramName, is_of_program};
use adjutant_domain::tool::ToolSpec;
use adjutant_engine::Op;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Service, store_fault, turns};

pub(super) use rates::Rates;
pub(crate) use token::NOT_ADMITTED;
pub(super) use token::{Token, erased};
use token::{admit, token};

/// The tool with which a program asks about its proposals.
const STATUS: &str = "approval.status";
/// Maximum number of waiting proposals per program.
const WAITING_MAX: usize = 10;
/// Maximum number of waiting proposals of all programs.
const WAITING_ALL_MAX: usize = 30;
/// Maximum number of proposals reported at once.
const TOLD_MAX: usize = 50;
/// Maximum number of actions searched for those of one program.
const LOOKED_THROUGH_MAX: usize = 2_000;
/// Maximum size of an answer in bytes, words and data together.
const ANSWER_BYTES_MAX: usize = 1_000_000;

/// Kinds of data that can be shared, by the first part of a tool's name.
const KINDS: [(&str, &str); 6] = [
    ("calendar", "calendar"),
    ("task", "tasks"),
    ("contact", "contacts"),
    ("note", "notes"),
    ("email", "mail"),
    ("memory", "memory"),
];

/// Arguments of [`STATUS`].
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct StatusArgs {
    #[serde(default)]
    id: Option<String>,
}

/// Answers a request made for other programs.
pub(super) async fn answer(service: &Service, request: ProgramAct) -> Result<Reply, Fault> {
    match request {
        ProgramAct::Tools {} => Ok(tools(service)),
        ProgramAct::Call {
            program,
            tool,
            args,
        } => call(service, &program, &tool, args).await,
        ProgramAct::Token { renew } => token(service, renew).await,
        ProgramAct::Admit { sha256 } => admit(service, &sha256).await,
    }
}

/// Returns the tools for what the person shared, and the one that reports the state of proposals.
fn tools(service: &Service) -> Reply {
    let shared = service.settings().mcp.serve.share;
    let catalog = service.engine.toolbox().catalog();
    let specs = catalog.specs().iter();
    let mut tools: Vec<ProgramTool> = specs
        .filter(|spec| kind_of(&spec.name).is_some_and(|kind| is_in(&shared, kind)))
        .map(offered)
        .collect();
    tools.push(ProgramTool {
        name: STATUS.into(),
        description: "Tells how your proposals stand: whether the person has approved or rejected them, and whether they were carried out. You cannot approve anything yourself."
            .into(),
        schema: json!({
            "type": "object",
            "properties": {
                "id": { "type": "string", "description": "Only this proposal, by its identifier." },
            },
            "additionalProperties": false,
        }),
        reads: true,
    });
    Reply::ProgramTools { tools }
}

fn offered(spec: &ToolSpec) -> ProgramTool {
    let reads = spec.risk == Risk::Read;
    let description = if reads {
        spec.description.clone()
    } else {
        format!(
            "{} This only proposes it: it waits until the person approves it in Adjutant.",
            spec.description
        )
    };
    ProgramTool {
        name: spec.name.clone(),
        description,
        schema: (*spec.schema).clone(),
        reads,
    }
}

/// Returns the kind of data a tool handles; `None` if it is never offered to programs.
fn kind_of(tool: &str) -> Option<&'static str> {
    let (family, _) = tool.split_once('.')?;
    let found = KINDS.iter().find(|(name, _)| *name == family);
    found.map(|(_, kind)| *kind)
}

fn is_in(shared: &[String], kind: &str) -> bool {
    shared.iter().any(|one| one == kind)
}

/// Answers a program's call.
async fn call(service: &Service, program: &str, tool: &str, args: Value) -> Result<Reply, Fault> {
    let program = ProgramName::of(program);
    // Handle one call at a time, so that waiting proposals are counted and added without interference.
    let mut rates = service.programs.lock().await;
    rates.called(&program, service.now().timestamp())?;
    if tool == STATUS {
        let answer = status(service, &program, args).await?;
        return Ok(Reply::ProgramAnswered { answer });
    }
    let spec = shared(service, tool)?;
    let answer = if spec.risk == Risk::Read {
        drop(rates);
        read(service, &program, tool, args).await?
    } else {
        propose(service, &mut rates, &program, tool, args).await?
    };
    Ok(Reply::ProgramAnswered { answer })
}

/// Returns a tool if programs may use it now. This is the only place that decides what a program may access.
fn shared(service: &Service, tool: &str) -> Result<ToolSpec, Fault> {
    let catalog = service.engine.toolbox().catalog();
    let (kind, spec) = kind_of(tool)
        .zip(catalog.get(tool))
        .ok_or_else(|| words::unknown_tool(tool))?;
    if !is_in(&service.settings().mcp.serve.share, kind) {
        return Err(words::not_shared(kind));
    }
    Ok(spec.clone())
}

async fn read(
    service: &Service,
    program: &ProgramName,
    tool: &str,
    args: Value,
) -> Result<ProgramAnswer, Fault> {
    let answer = service.engine.read_for(program, tool, args).await;
    let answer = answer.map_err(|stop| refused(service, tool, stop))?;
    let bytes = answer.say.len() + answer.output.to_string().len();
    if bytes > ANSWER_BYTES_MAX {
        return Err(words::too_long());
    }
    Ok(ProgramAnswer::Read {
        say: answer.say,
        output: answer.output,
        foreign: !answer.taint.is_clean(),
    })
}

async fn propose(
    service: &Service,
    rates: &mut Rates,
    program: &ProgramName,
    tool: &str,
    args: Value,
) -> Result<ProgramAnswer, Fault> {
    let looked = service.engine.look_for(program, tool, args.clone()).await;
    let observed = looked.map_err(|stop| refused(service, tool, stop))?;
    let now = service.now().timestamp();
    let waiting = service.store.actions(Some(ActionState::Pending), None);
    let mut waiting = waiting.await.map_err(store_fault)?;
    waiting.retain(|action| is_of_program(&action.conversation) && action.expires > now);
    let conversation = program.conversation();
    let own = waiting
        .iter()
        .filter(|one| one.conversation == conversation);
    let own: Vec<&PendingAction> = own.collect();
    let same = |action: &&&PendingAction| matches!(action.calls.as_slice(), [call] if call.tool == tool && call.args == *observed.call.args());
    if let Some(action) = own.iter().find(same) {
        return Ok(ProgramAnswer::Waits {
            action: told(action),
            already: true,
        });
    }
    if own.len() >= WAITING_MAX || waiting.len() >= WAITING_ALL_MAX {
        return Err(words::too_many_wait(own.len()));
    }
    rates.proposed(now)?;
    let op = Op::Propose {
        conversation,
        tool: tool.to_owned(),
        args,
        sources: program.sources(),
    };
    let id = match turns::apply(service, op).await? {
        Reply::Applied {
            outcome: Applied::ApprovalNeeded { id },
        } => ActionId(id),
        Reply::Applied {
            outcome: Applied::Failed { fault },
        } => return Err(fault),
        _ => return Err(words::nothing_to_propose()),
    };
    let action = service.store.action(&id).await.map_err(store_fault)?;
    let action = action
        .as_ref()
        .map(told)
        .ok_or_else(words::nothing_to_propose)?;
    Ok(ProgramAnswer::Waits {
        action,
        already: false,
    })
}

async fn status(
    service: &Service,
    program: &ProgramName,
    args: Value,
) -> Result<ProgramAnswer, Fault> {
    let args: Option<StatusArgs> =
        serde_json::from_value(args).map_err(|error| words::bad_arguments(&error.to_string()))?;
    let args = args.unwrap_or_default();
    let conversation = program.conversation();
    let all = service.store.actions(None, Some(LOOKED_THROUGH_MAX));
    let all = all.await.map_err(store_fault)?;
    let wanted = |action: &&PendingAction| {
        let id = args.id.as_deref();
        action.conversation == conversation && id.is_none_or(|id| action.id.as_str() == id)
    };
    let actions: Vec<_> = all.iter().filter(wanted).take(TOLD_MAX).map(told).collect();
    match (&args.id, actions.is_empty()) {
        (Some(id), true) => Err(words::no_such_proposal(id)),
        _ => Ok(ProgramAnswer::Actions { actions }),
    }
}

fn told(action: &PendingAction) -> ProgramAction {
    ProgramAction {
        id: action.id.0.clone(),
        tool: action.tool.clone(),
        state: action.state.as_str().into(),
        say: words::state(action.state).into(),
        created: action.created.to_string(),
        expires: action.expires.to_string(),
    }
}

/// Explains why a call was refused. Hides a tool's question that may name people unless contacts are shared.
fn refused(service: &Service, tool: &str, stop: Stop) -> Fault {
    match stop {
        Stop::Fault(fault) => {
            let mut told = Fault::from(UserFault::from(&fault));
            // A program knows neither the person's zone nor, if the clock is fixed, the time.
            if matches!(fault, ToolFault::BadArguments { .. }) {
                told.hint = format!("{} For the person it is {} now.", told.hint, service.now());
            }
            told
        }
        Stop::Ask(question) | Stop::Closest(question) => {
            let shared = service.settings().mcp.serve.share;
            let people = ["calendar", "mail"];
            let names_people = kind_of(tool).is_some_and(|kind| people.contains(&kind));
            let open = !names_people || is_in(&shared, "contacts");
            words::not_clear(&question, open)
        }
    }
}
