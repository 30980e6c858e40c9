//! `adjutant mcp serve`: forwards requests of other programs to the process that holds the profile. Makes no decisions.

use adjutant_api::programs::{ProgramAct, ProgramAction, ProgramAnswer};
use adjutant_api::{Fault, Reply, Request};
use adjutant_domain::canonical;
use adjutant_domain::faults::UserFault;
use adjutant_mcp::server::{Answered, Offer, Offered};
use async_trait::async_trait;
use serde_json::{Value, json};

use crate::service::{Frame, NOT_ADMITTED};
use crate::session::Session;

/// The profile as offered to other programs.
pub struct SharedProfile(Session);

impl SharedProfile {
    /// Returns what the profile of this session shares.
    #[must_use]
    pub fn of(session: &Session) -> Self {
        Self(session.clone())
    }

    async fn ask(&self, request: ProgramAct) -> Result<Reply, UserFault> {
        let mut frames = self.0.call(Request::Programs { request }).await;
        let mut answer = None;
        while let Some(frame) = frames.recv().await {
            match frame {
                Frame::Reply(reply) => answer = Some(Ok(*reply)),
                Frame::Fault(fault) => answer = Some(Err(told(fault))),
                Frame::Event(_) => {}
                Frame::End => break,
            }
        }
        answer.unwrap_or_else(|| Err(cut_off()))
    }
}

#[async_trait]
impl Offer for SharedProfile {
    async fn tools(&self) -> Result<Vec<Offered>, UserFault> {
        let Reply::ProgramTools { tools } = self.ask(ProgramAct::Tools {}).await? else {
            return Err(cut_off());
        };
        let offered = tools.into_iter().map(|tool| Offered {
            name: tool.name,
            description: tool.description,
            schema: match tool.schema {
                Value::Object(schema) => schema,
                _ => serde_json::Map::new(),
            },
            reads: tool.reads,
        });
        Ok(offered.collect())
    }

    async fn call(&self, program: &str, tool: &str, args: Value) -> Result<Answered, UserFault> {
        let request = ProgramAct::Call {
            program: program.to_owned(),
            tool: tool.to_owned(),
            args,
        };
        let Reply::ProgramAnswered { answer } = self.ask(request).await? else {
            return Err(cut_off());
        };
        Ok(answered(answer))
    }

    async fn admits(&self, token: &str) -> Result<bool, UserFault> {
        let sha256 = canonical::sha256(token.as_bytes()).0;
        match self.ask(ProgramAct::Admit { sha256 }).await {
            Ok(_) => Ok(true),
            Err(fault) if fault.code == NOT_ADMITTED => Ok(false),
            Err(fault) => Err(fault),
        }
    }
}

fn answered(answer: ProgramAnswer) -> Answered {
    match answer {
        ProgramAnswer::Read {
            say,
            output,
            foreign,
        } => Answered {
            say,
            output,
            foreign,
        },
        ProgramAnswer::Waits { action, already } => {
            let first = if already {
                "The same proposal already waits, so nothing was added."
            } else {
                "Proposed. Nothing is done yet: it waits for the person's approval."
            };
            let id = &action.id;
            Answered {
                say: format!(
                    "{first} They can approve it in Adjutant under Approvals, or in a terminal with `adjutant show approvals {id}`, until {}. Call approval_status with the id {id} to see what became of it.",
                    action.expires
                ),
                output: json!(action),
                foreign: false,
            }
        }
        ProgramAnswer::Actions { actions } => Answered {
            say: if actions.is_empty() {
                "You have not proposed anything yet.".into()
            } else {
                actions.iter().map(line).collect::<Vec<_>>().join("\n")
            },
            output: json!({ "actions": actions }),
            foreign: false,
        },
    }
}

fn line(action: &ProgramAction) -> String {
    format!("{} {}: {}", action.id, action.tool, action.say)
}

fn told(fault: Fault) -> UserFault {
    UserFault {
        code: fault.code,
        what: fault.message,
        hint: fault.hint,
    }
}

fn cut_off() -> UserFault {
    UserFault::new(
        "protocol",
        "The answer was cut off.",
        "Ask approval_status before you propose anything again.",
    )
}
