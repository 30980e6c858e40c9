//! Commands of the person that no planner proposes: an undo, and decisions about a mail on its way out or a memory. Each
//! is a call like any other: looked at, let through by the gate, carried out and recorded. None of them reaches anybody.

use std::sync::Arc;

use adjutant_domain::canonical;
use adjutant_domain::catalog::Catalog;
use adjutant_domain::change::{Change, Expect};
use adjutant_domain::faults::{ToolFault, UserFault, sentence};
use adjutant_domain::gate::{Approved, Assessment, Call, Card, Observed, PlannedCall};
use adjutant_domain::ids::RecordId;
use adjutant_domain::operation::Operation;
use adjutant_domain::outcome::{Answer, Outcome, Stop};
use adjutant_domain::ports::{Cx, MailFilter, MemoryFilter, Records, Toolbox, TurnLog};
use adjutant_domain::record::{Folder, Kind, Memory, OutboxItem, OutboxState, Record};
use adjutant_domain::source::Sources;
use adjutant_domain::tool::{Before, Frozen, Target};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::op::OutboxAct;
use crate::undo;

/// Mails of one subject in Sent that are looked through for a Message-ID.
const SENT_LOOKED_AT_MAX: usize = 200;

/// One command. Its name and arguments are those of a tool.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "tool", content = "args", deny_unknown_fields)]
pub(crate) enum Command {
    /// Takes back an effect.
    #[serde(rename = "undo")]
    Undo(undo::Which),
    /// Ends the hold of a mail.
    #[serde(rename = "outbox.release")]
    Release { id: RecordId },
    /// Looks whether a mail has left.
    #[serde(rename = "outbox.check")]
    Check { id: RecordId },
    /// Makes a draft of a mail that has not left.
    #[serde(rename = "outbox.draft")]
    ToDraft { id: RecordId },
    /// Keeps a memory without using it in answers, or uses it again.
    #[serde(rename = "memory.use")]
    UseMemory { id: RecordId, on: bool },
}

impl Command {
    /// The command behind a button of the outbox.
    pub(crate) fn outbox(id: RecordId, act: OutboxAct) -> Self {
        match act {
            OutboxAct::SendNow => Self::Release { id },
            OutboxAct::CheckAgain => Self::Check { id },
            OutboxAct::ToDraft => Self::ToDraft { id },
        }
    }

    /// Tool and arguments of the call.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
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

/// A command as JSON has it.
#[derive(Deserialize)]
struct Written {
    tool: String,
    args: Value,
}

/// What a command comes to.
pub(crate) struct Prepared {
    /// What is done, as a title.
    pub(crate) title: String,
    /// What holds once it is done.
    pub(crate) say: String,
    /// What is done.
    pub(crate) operation: Operation,
}

/// The toolbox with the commands in it. They are not listed: no planner is shown them.
pub(crate) struct WithCommands {
    tools: Arc<dyn Toolbox>,
    log: Arc<dyn TurnLog>,
}

const NAMES: [&str; 5] = [
    "undo",
    "outbox.release",
    "outbox.check",
    "outbox.draft",
    "memory.use",
];

impl WithCommands {
    pub(crate) fn new(tools: Arc<dyn Toolbox>, log: Arc<dyn TurnLog>) -> Self {
        Self { tools, log }
    }

    async fn prepare(&self, command: &Command, cx: &Cx) -> Result<Prepared, UserFault> {
        let records = &*cx.records;
        match command {
            Command::Undo(which) => {
                let (say, operation) = undo::prepare(which, &*self.log).await?;
                Ok(Prepared {
                    title: say.clone(),
                    say,
                    operation,
                })
            }
            Command::Release { id } => send_now(mail(records, id).await?),
            Command::Check { id } => check_again(records, mail(records, id).await?).await,
            Command::ToDraft { id } => to_draft(mail(records, id).await?),
            Command::UseMemory { id, on } => use_memory(records, id, *on, cx).await,
        }
    }
}

#[async_trait]
impl Toolbox for WithCommands {
    fn catalog(&self) -> Arc<Catalog> {
        self.tools.catalog()
    }

    fn plan(&self, tool: &str, args: Value, sources: Sources) -> Result<PlannedCall, ToolFault> {
        if !NAMES.contains(&tool) {
            return self.tools.plan(tool, args, sources);
        }
        Command::read(tool, &args)?;
        // Its arguments have one form, which goes with this program.
        let schema = canonical::sha256(env!("CARGO_PKG_VERSION").as_bytes()).0;
        Ok(PlannedCall::parsed(tool.to_owned(), args, sources, schema))
    }

    async fn observe(&self, call: PlannedCall, cx: &Cx) -> Result<Observed, Stop> {
        if !NAMES.contains(&call.tool()) {
            return self.tools.observe(call, cx).await;
        }
        let command = Command::read(call.tool(), call.args())?;
        let prepared = self.prepare(&command, cx).await.map_err(refused)?;
        let targets = targets(&prepared.operation, &*cx.records).await?;
        Ok(Observed {
            call,
            assessment: Assessment {
                // The person's own hand is on it, and none of it reaches anybody: it never asks again.
                count: targets.len(),
                ..Assessment::read()
            },
            card: Card {
                title: prepared.title,
                verb: "Do it".into(),
                ..Card::default()
            },
            before: Before {
                targets,
                frozen: Some(Frozen {
                    operations: vec![prepared.operation],
                    answer: Answer {
                        output: json!({ "say": prepared.say }),
                        say: prepared.say,
                        ..Answer::default()
                    },
                }),
                ..Before::default()
            },
        })
    }

    async fn run(&self, call: &Approved<Call>, cx: &Cx) -> Result<Outcome, Stop> {
        if !NAMES.contains(&call.get().tool.as_str()) {
            return self.tools.run(call, cx).await;
        }
        match call.get().before.frozen.clone() {
            Some(Frozen { operations, answer }) => Ok(Outcome::Effects { operations, answer }),
            None => Err(Stop::Fault(ToolFault::Failed {
                what: "A stored call cannot be read.".into(),
                hint: "Ask again; nothing was done.".into(),
            })),
        }
    }
}

/// Why a command cannot be carried out, with the code of its own.
fn refused(why: UserFault) -> Stop {
    Stop::Fault(ToolFault::Refused { why })
}

/// The rows that are touched, as they are. What was changed since it was done is not overwritten by an undo.
async fn targets(operation: &Operation, records: &dyn Records) -> Result<Vec<Target>, Stop> {
    let mut targets = Vec::new();
    for op in operation
        .change()
        .into_iter()
        .flat_map(|change| &change.ops)
    {
        let found = records.get(op.kind(), op.id()).await;
        let found = found.map_err(|fault| Stop::Fault(fault.into()))?;
        let version = found.as_ref().map(Record::version);
        let label = found.map_or_else(String::new, |record| record.label().to_owned());
        if Expect::from(version) != op.expect() {
            let (kind, id) = (op.kind().word(), op.id());
            let what = if label.is_empty() {
                format!("the {kind} {id}")
            } else {
                format!("the {kind} “{label}”")
            };
            return Err(refused(UserFault::new(
                "conflict",
                sentence(&format!(
                    "{what} was changed afterwards; going back now would overwrite that. Nothing was done"
                )),
                "Change it by hand, or undo the later change first.",
            )));
        }
        targets.extend(version.map(|version| Target {
            kind: op.kind(),
            id: op.id().clone(),
            version,
            label,
        }));
    }
    Ok(targets)
}

async fn record(
    records: &dyn Records,
    kind: Kind,
    id: &RecordId,
) -> Result<Option<Record>, UserFault> {
    let found = records.get(kind, id).await;
    found.map_err(|fault| UserFault::from(&fault))
}

async fn mail(records: &dyn Records, id: &RecordId) -> Result<OutboxItem, UserFault> {
    match record(records, Kind::Outbox, id).await? {
        Some(Record::Outbox(item)) => Ok(item),
        _ => Err(UserFault::new(
            "not_found",
            "This mail is not in the outbox any more.",
            "Look in Activity for what became of it.",
        )),
    }
}

fn rows(title: String, say: String, record: Record) -> Prepared {
    Prepared {
        title,
        say,
        operation: Operation::Local {
            change: Change::replace(record),
        },
    }
}

/// The mail is not where this could be done with it.
fn elsewhere(code: &str, what: String) -> UserFault {
    UserFault::new(code, what, "Look at Approvals for how far it is.")
}

/// Ends the hold. What goes out later is byte for byte what was approved.
fn send_now(item: OutboxItem) -> Result<Prepared, UserFault> {
    if item.state != OutboxState::Held {
        let what = format!("“{}” is not held any more; nothing was done.", item.subject);
        return Err(elsewhere("not_held", what));
    }
    let say = format!(
        "The hold of “{}” is over. No account can send it yet; it goes out once one is connected.",
        item.subject
    );
    Ok(rows(
        format!("Send “{}” now", item.subject),
        say,
        Record::Outbox(OutboxItem {
            state: OutboxState::Queued,
            ..item
        }),
    ))
}

/// Looks for the mail in Sent by its Message-ID, which was fixed when it was proposed.
async fn check_again(records: &dyn Records, item: OutboxItem) -> Result<Prepared, UserFault> {
    if item.state != OutboxState::Unknown {
        let what = format!(
            "It is known how far “{}” is; nothing was done.",
            item.subject
        );
        return Err(elsewhere("not_unknown", what));
    }
    let sent = MailFilter {
        subject_is: Some(item.subject.clone()),
        folders: vec![Folder::Sent],
        limit: Some(SENT_LOOKED_AT_MAX),
        ..MailFilter::default()
    };
    let mails = records
        .mails(&sent)
        .await
        .map_err(|fault| UserFault::from(&fault))?;
    let left =
        !item.message_id.is_empty() && mails.iter().any(|mail| mail.message_id == item.message_id);
    if !left {
        return Err(UserFault::new(
            "not_there",
            format!(
                "“{}” is not in Sent, and no account is connected that could be asked.",
                item.subject
            ),
            "Look in your mail program, or ask the recipient, before sending it again.",
        ));
    }
    Ok(rows(
        format!("Check whether “{}” has left", item.subject),
        format!("“{}” has left: it is in Sent.", item.subject),
        Record::Outbox(OutboxItem {
            state: OutboxState::Sent,
            ..item
        }),
    ))
}

/// Makes a draft of a mail that has not left. What was approved is dropped: sending it asks again.
fn to_draft(item: OutboxItem) -> Result<Prepared, UserFault> {
    let stays = match item.state {
        OutboxState::Held | OutboxState::Queued | OutboxState::Failed => None,
        OutboxState::Draft => Some("is a draft already"),
        OutboxState::Sent => Some("has left"),
        OutboxState::Unknown => Some("may have left"),
    };
    if let Some(why) = stays {
        let what = format!("“{}” {why}; nothing was done.", item.subject);
        return Err(elsewhere("too_late", what));
    }
    Ok(rows(
        format!("Make “{}” a draft again", item.subject),
        format!("“{}” is a draft again. Nothing was sent.", item.subject),
        Record::Outbox(item.into_draft()),
    ))
}

/// Keeps a memory without using it in answers, or uses it again.
async fn use_memory(
    records: &dyn Records,
    id: &RecordId,
    on: bool,
    cx: &Cx,
) -> Result<Prepared, UserFault> {
    let Some(Record::Memory(memory)) = record(records, Kind::Memory, id).await? else {
        return Err(UserFault::new(
            "not_found",
            "This is not remembered any more.",
            "",
        ));
    };
    if on != memory.valid_to.is_some() {
        return Err(UserFault::new(
            "same",
            "This is so already; nothing was done.",
            "",
        ));
    }
    if on {
        let now_said = MemoryFilter {
            key: Some(memory.key.clone()),
            ..MemoryFilter::default()
        };
        let others = records
            .memories(&now_said)
            .await
            .map_err(|fault| UserFault::from(&fault))?;
        if let Some(other) = others.iter().find(|other| other.id != memory.id) {
            return Err(UserFault::new(
                "replaced",
                format!("“{}” is used for “{}” now.", other.value, other.key),
                "Stop using that one first, or correct it.",
            ));
        }
    }
    let now = cx.now.timestamp();
    let say = if on {
        format!("Used again: {}", memory.value)
    } else {
        format!("Kept, and not used any more: {}", memory.value)
    };
    Ok(rows(
        say.clone(),
        say,
        Record::Memory(Memory {
            valid_to: (!on).then_some(now),
            updated: now,
            ..memory
        }),
    ))
}
