//! Commands of the person that no planner proposes: an undo, and decisions about an outgoing mail or a memory. Each is
//! a call like any other: prepared, passed through the gate, carried out and recorded. If its rows belong to an
//! account, it asks the person first and then the provider.

mod facts;
mod memory;
mod notified;
mod outbox;
mod shown;

use std::sync::Arc;

use adjutant_domain::canonical;
use adjutant_domain::catalog::Catalog;
use adjutant_domain::change::Change;
use adjutant_domain::faults::{ToolFault, UserFault};
use adjutant_domain::gate::{Approved, Assessment, Call, Observed, PlannedCall, Risk};
use adjutant_domain::ids::RecordId;
use adjutant_domain::operation::{Operation, operations};
use adjutant_domain::outcome::{Answer, Outcome, Stop};
use adjutant_domain::ports::{Cx, Records, Toolbox, TurnLog};
use adjutant_domain::record::{Kind, Record};
use adjutant_domain::source::Sources;
use adjutant_domain::tool::{Before, Definition, Frozen};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::facts::View;
use self::shown::Touched;
use crate::op::OutboxAct;
use crate::prepared::Prepared;
use crate::take_back::{take_back, waiting};
use crate::undo;

/// A command. In JSON it has the form of a tool name with arguments.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "tool", content = "args", deny_unknown_fields)]
pub(crate) enum Command {
    /// Undoes an effect.
    #[serde(rename = "undo")]
    Undo(undo::Which),
    /// Checks whether a mail of unknown outcome has been sent.
    #[serde(rename = "outbox.check")]
    Check { id: RecordId },
    /// Turns an unsent mail into a draft, or takes back an approved action that waits.
    #[serde(rename = "outbox.draft")]
    ToDraft { id: RecordId },
    /// Sets whether answers use a memory.
    #[serde(rename = "memory.use")]
    UseMemory { id: RecordId, on: bool },
}

impl Command {
    /// Returns the command for an outbox button. `None` for [`OutboxAct::SendNow`].
    pub(crate) fn outbox(id: RecordId, act: OutboxAct) -> Option<Self> {
        match act {
            // An outbox row cannot authorise sending: only a waiting approval can be carried out.
            OutboxAct::SendNow => None,
            OutboxAct::CheckAgain => Some(Self::Check { id }),
            OutboxAct::ToDraft => Some(Self::ToDraft { id }),
        }
    }

    /// Returns the tool name and the arguments of the call.
    ///
    /// # Errors
    /// Returns an error if the command cannot be written as JSON.
    pub(crate) fn call(&self) -> Result<(String, Value), serde_json::Error> {
        let Written { tool, args } = Written::deserialize(serde_json::to_value(self)?)?;
        Ok((tool, args))
    }

    fn read(tool: &str, args: &Value) -> Result<Self, ToolFault> {
        Self::deserialize(json!({ "tool": tool, "args": args })).map_err(|error| {
            ToolFault::BadArguments {
                reason: format!("{tool}: {error}"),
            }
        })
    }
}

/// The JSON form of a command.
#[derive(Deserialize)]
struct Written {
    tool: String,
    args: Value,
}

/// A toolbox that also carries out the commands. The catalogue does not list them, so no planner sees them.
pub(crate) struct WithCommands {
    tools: Arc<dyn Toolbox>,
    log: Arc<dyn TurnLog>,
}

const NAMES: [&str; 4] = ["undo", "outbox.check", "outbox.draft", "memory.use"];

/// Returns whether a call with this name is a command.
pub(crate) fn is_command(name: &str) -> bool {
    NAMES.contains(&name)
}

impl WithCommands {
    pub(crate) fn new(tools: Arc<dyn Toolbox>, log: Arc<dyn TurnLog>) -> Self {
        Self { tools, log }
    }

    async fn prepare(&self, command: &Command, cx: &Cx) -> Result<Prepared, UserFault> {
        let records = &*cx.records;
        match command {
            Command::Undo(which) => undo::prepare(which, &*self.log, records).await,
            Command::Check { id } => {
                outbox::check_again(records, outbox::mail(records, id).await?).await
            }
            Command::ToDraft { id } => match waiting(&*self.log, id).await? {
                Some(action) => Ok(take_back(&action)),
                None => outbox::to_draft(outbox::mail(records, id).await?),
            },
            Command::UseMemory { id, on } => memory::use_memory(records, id, *on, cx).await,
        }
    }
}

#[async_trait]
impl Toolbox for WithCommands {
    fn catalog(&self) -> Arc<Catalog> {
        self.tools.catalog()
    }

    fn plan(&self, tool: &str, args: Value, sources: Sources) -> Result<PlannedCall, ToolFault> {
        if !is_command(tool) {
            return self.tools.plan(tool, args, sources);
        }
        Command::read(tool, &args)?;
        // The arguments of commands change only with the program, so its version identifies their definition.
        let definition = Definition(canonical::sha256(env!("CARGO_PKG_VERSION").as_bytes()).0);
        Ok(PlannedCall::parsed(
            tool.to_owned(),
            args,
            sources,
            definition,
        ))
    }

    async fn observe(&self, call: PlannedCall, cx: &Cx) -> Result<Observed, Stop> {
        if !is_command(call.tool()) {
            return self.tools.observe(call, cx).await;
        }
        let command = Command::read(call.tool(), call.args())?;
        let prepared = self.prepare(&command, cx).await.map_err(refused)?;
        let records = &*cx.records;
        let touched = Touched::read(&prepared.change, records).await?;
        let origins = records.origins(&prepared.change).await;
        let origins = origins.map_err(|fault| Stop::Fault(fault.into()))?;
        let operations = operations(&prepared.change, &origins).map_err(ToolFault::from)?;
        let mut accounts = operations.iter().map(Operation::account);
        let account = accounts.find(|account| !account.is_local());
        let account = account.unwrap_or_default();
        let targets = touched.targets();
        let view = View {
            settings: &cx.settings,
            zone: &cx.zone(),
        };
        Ok(Observed {
            assessment: Assessment {
                // The person started this by hand, so what stays on this computer never asks again.
                risk: operations
                    .iter()
                    .map(Operation::risk)
                    .fold(Risk::Read, Risk::max),
                count: targets.len(),
                ..Assessment::read()
            },
            card: touched.card(&prepared, &operations, &origins, view),
            before: Before {
                account: account.clone(),
                targets,
                frozen: Some(Frozen {
                    operations,
                    answer: Answer {
                        output: json!({ "say": prepared.say }),
                        say: prepared.say,
                        ..Answer::default()
                    },
                    undoes: prepared.undoes,
                    hold_seconds: 0,
                    not_before: None,
                }),
                ..Before::default()
            },
            call: call.acting_for(account),
        })
    }

    async fn run(&self, call: &Approved<Call>, cx: &Cx) -> Result<Outcome, Stop> {
        if !is_command(call.get().tool.as_str()) {
            return self.tools.run(call, cx).await;
        }
        match call.get().before.frozen.clone() {
            Some(Frozen {
                operations,
                answer,
                undoes,
                ..
            }) => Ok(Outcome::Effects {
                operations,
                answer,
                undoes,
            }),
            None => Err(Stop::Fault(ToolFault::Failed {
                what: "A saved action cannot be read.".into(),
                hint: "Ask again; nothing was done.".into(),
            })),
        }
    }
}

/// Wraps a refusal, keeping its own code.
fn refused(why: UserFault) -> Stop {
    Stop::Fault(ToolFault::Refused { why })
}

async fn record(
    records: &dyn Records,
    kind: Kind,
    id: &RecordId,
) -> Result<Option<Record>, UserFault> {
    let found = records.get(kind, id).await;
    found.map_err(|fault| UserFault::from(&fault))
}

fn rows(title: String, say: String, record: Record) -> Prepared {
    Prepared {
        title,
        verb: "Do it",
        say,
        change: Change::replace(record),
        undoes: None,
    }
}
