//! Wraps a server's tool as an Adjutant tool. It has the highest risk until the person lowers it; its arguments are
//! checked, its calls frozen like any other effect, and its answers treated as foreign text.

use std::sync::Arc;

use adjutant_domain::change::Change;
use adjutant_domain::faults::ToolFault;
use adjutant_domain::gate::{
    Approved, Assessment, Call, Card, CardNote, CarriesOut, Fact, NoteKind, Observed, PlannedCall,
    Risk, escape,
};
use adjutant_domain::operation::{Operation, RemoteOp, ToolAnswer, ToolOp};
use adjutant_domain::outcome::{Answer, Outcome, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::route::Domain;
use adjutant_domain::server::{Server, ServerName, ServerTool, tool_name};
use adjutant_domain::source::{Taint, join, source_at};
use adjutant_domain::tool::{AnyTool, Before, Frozen, Icon, ToolSpec};
use async_trait::async_trait;
use serde_json::Value;

use crate::connection::Called;
use crate::schema::Schema;
use crate::{beyond, clean, phrases};

/// Maximum number of arguments shown on a card as separate facts; further ones appear in its text.
const FACTS_MAX: usize = 24;

/// Calls tools of servers.
#[async_trait]
pub trait Caller: Send + Sync {
    /// Calls a tool that only reads.
    async fn read(&self, server: &ServerName, op: &ToolOp) -> Called;
}

/// A tool of a server.
pub struct ForeignTool {
    spec: ToolSpec,
    server: ServerName,
    /// The server's location, in one line.
    line: String,
    tool: ServerTool,
    schema: Schema,
    caller: Arc<dyn Caller>,
}

impl ForeignTool {
    /// Returns the server's usable tools, in the form that the person has reviewed.
    #[must_use]
    pub fn all(server: &Server, caller: &Arc<dyn Caller>) -> Vec<Arc<dyn AnyTool>> {
        let used = server.usable();
        used.filter_map(|tool| Self::made(server, tool, caller))
            .collect()
    }

    fn made(
        server: &Server,
        tool: &ServerTool,
        caller: &Arc<dyn Caller>,
    ) -> Option<Arc<dyn AnyTool>> {
        let schema = Schema::compile(&tool.offered.schema).ok()?;
        let offered = &tool.offered;
        let description = if offered.description.is_empty() {
            offered.title.clone()
        } else {
            offered.description.clone()
        };
        let spec = ToolSpec {
            name: tool_name(&server.name, &offered.name),
            domain: Domain::Data,
            server: Some(server.name.clone()),
            description,
            risk: tool.risk(),
            schema: offered.schema.clone().into(),
            phrases: phrases::of(&server.name, offered),
            participle: "called".into(),
            kept_by: None,
            icon: Icon::Usual,
            judges: false,
            glances: false,
        };
        Some(Arc::new(Self {
            spec,
            server: server.name.clone(),
            line: server.reach.line(),
            tool: tool.clone(),
            schema,
            caller: Arc::clone(caller),
        }))
    }

    fn op(&self, args: &Value) -> ToolOp {
        ToolOp {
            name: self.tool.offered.name.clone(),
            args: args.clone(),
            schema: self.tool.offered.pin(),
        }
    }

    fn about(&self) -> String {
        format!(
            "“{}” of the server “{}”",
            self.tool.offered.name, self.server
        )
    }

    fn card(&self, call: &PlannedCall) -> Card {
        let shown = escape::visible;
        let args = call.args().as_object();
        let facts = args
            .into_iter()
            .flatten()
            .take(FACTS_MAX)
            .map(|(name, value)| {
                let source = source_at(call.sources(), call.args(), &join("", name));
                Fact::new(&shown(name), &value_shown(value), source)
            });
        let many = args.is_some_and(|args| args.len() > FACTS_MAX);
        let whole = || serde_json::to_string_pretty(call.args()).unwrap_or_default();
        let mut notes = Vec::new();
        if !self.tool.offered.description.is_empty() {
            notes.push(CardNote {
                kind: NoteKind::Info,
                text: shown(&format!(
                    "The server says of it: “{}”",
                    clean::line(&self.tool.offered.description, 600)
                )),
            });
        }
        Card {
            title: shown(&format!("Call {}", self.about())),
            verb: "Call".into(),
            icon: Icon::Usual,
            account: Some(shown(&format!("{} ({})", self.server, self.line))),
            notes,
            facts: facts.collect(),
            body: many.then(|| shown(&whole())),
            undo: "Adjutant cannot undo what this tool does, and cannot see what that is.".into(),
            digest_line: "What you see is exactly what the server gets.".into(),
            ..Card::default()
        }
    }
}

fn value_shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(_) | Value::Object(_) => {
            serde_json::to_string_pretty(value).unwrap_or_default()
        }
        other => other.to_string(),
    }
}

#[async_trait]
impl AnyTool for ForeignTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn parse(&self, args: &Value) -> Result<(), ToolFault> {
        self.schema
            .check(args)
            .map_err(|why| ToolFault::BadArguments {
                reason: format!("{}: {why}", self.spec.name),
            })
    }

    async fn observe(&self, call: PlannedCall, _: &Cx) -> Result<Observed, Stop> {
        self.parse(call.args())?;
        let risk = self.tool.risk();
        let account = self.server.account();
        let card = self.card(&call);
        let answer = Answer {
            output: Value::Null,
            say: format!("Called {}.", self.about()),
            ..Answer::default()
        };
        let frozen = (risk > Risk::Read).then(|| Frozen {
            operations: vec![Operation::Remote {
                account: account.clone(),
                op: Box::new(RemoteOp::Tool(self.op(call.args()))),
                about: self.about(),
                then: Change::default(),
            }],
            answer,
            ..Frozen::default()
        });
        let given = call.args().as_object().into_iter().flatten();
        Ok(Observed {
            assessment: Assessment {
                risk,
                count: 1,
                reaching: given.map(|(name, _)| join("", name)).collect(),
                // Any other call is shown as an effect of its own.
                carries_out: (risk == Risk::Read).then(|| CarriesOut {
                    to: format!("the server “{}”", self.server.as_str()),
                    texts: leaving(call.args(), &self.spec.schema),
                    public_answer: false,
                    stays_there: !beyond::reaches(&self.tool.offered, call.args()),
                }),
                ..Assessment::read()
            },
            before: Before {
                account: account.clone(),
                frozen,
                ..Before::default()
            },
            card,
            call: call.acting_for(account),
        })
    }

    async fn run(&self, call: &Approved<Call>, _: &Cx) -> Result<Outcome, Stop> {
        let call = call.get();
        self.parse(&call.args)?;
        if let Some(frozen) = call.before.frozen.clone() {
            return Ok(Outcome::Effects {
                operations: frozen.operations,
                answer: frozen.answer,
                undoes: None,
            });
        }
        if self.tool.risk() > Risk::Read {
            return Err(ToolFault::Changed { what: self.about() }.into());
        }
        match self.caller.read(&self.server, &self.op(&call.args)).await {
            Called::Answered(answer) => Ok(Outcome::Read(said(&self.about(), &answer))),
            Called::Failed(what) => Err(failed(format!("{} reports: {what}", self.about()))),
            Called::Refused(fault) => Err(ToolFault::Refused {
                why: fault.told(self.server.as_str()),
            }
            .into()),
            Called::Unknown(_) => Err(failed(format!("{} did not answer", self.about()))),
        }
    }
}

/// Returns the texts and numbers in the arguments, and argument names that the schema does not define.
fn leaving(args: &Value, schema: &Value) -> Vec<String> {
    let mut texts = Vec::new();
    for (name, value) in args.as_object().into_iter().flatten() {
        if schema["properties"].get(name).is_none() {
            texts.push(name.clone());
        }
        said_by(value, &mut texts);
    }
    texts
}

fn said_by(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Number(number) => texts.push(number.to_string()),
        Value::Array(list) => list.iter().for_each(|one| said_by(one, texts)),
        Value::Object(map) => {
            for (name, inner) in map {
                texts.push(name.clone());
                said_by(inner, texts);
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

fn failed(what: String) -> Stop {
    ToolFault::Failed {
        what,
        hint: "Try again, or look at the server in Settings, Tools.".into(),
    }
    .into()
}

/// Converts a server's answer to the answer of a tool.
fn said(about: &str, answer: &ToolAnswer) -> Answer {
    Answer {
        output: answer.output(),
        say: format!("Called {about}. {}", answer.said()),
        taint: Taint::Tainted,
        ..Answer::default()
    }
}
