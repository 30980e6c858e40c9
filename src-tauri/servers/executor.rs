//! Passes operations and reads to servers.

use std::sync::{Arc, Weak};

use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{
    Attempt, Ended, Key, Receipt, Reconciled, RemoteFault, RemoteOp, ToolOp, Why,
};
use adjutant_domain::ports::{Executors, RemoteExecutor};
use adjutant_domain::server::{ServerName, ToolState};
use adjutant_mcp::{Called, Caller, Connection, ServerFault};
use async_trait::async_trait;

use super::{Inner, Servers};
use crate::accounts::Accounts;

/// Passes operations to accounts or servers, whichever they belong to.
pub(crate) struct Everyone {
    pub(crate) accounts: Accounts,
    pub(crate) servers: Servers,
}

#[async_trait]
impl Executors for Everyone {
    fn of(&self, account: &AccountId) -> Option<Arc<dyn RemoteExecutor>> {
        match ServerName::of_account(account) {
            Some(name) => Some(Arc::new(OneServer {
                servers: self.servers.clone(),
                name,
            })),
            None => self.accounts.of(account),
        }
    }

    async fn refresh(&self, account: &AccountId) -> Result<(), RemoteFault> {
        match ServerName::of_account(account) {
            Some(name) => {
                let looked = self.servers.look_again(&name).await;
                looked.map_err(|fault| fault.remote(account))
            }
            None => self.accounts.refresh(account).await,
        }
    }
}

/// The calls of one server.
struct OneServer {
    servers: Servers,
    name: ServerName,
}

impl OneServer {
    /// Checks that the tool is still the one that was shown with the call.
    fn is_as_shown(&self, op: &ToolOp) -> Result<(), RemoteFault> {
        let standing = self.servers.one(&self.name).ok_or(RemoteFault::Gone)?;
        let tool = standing.server.tool(&op.name).ok_or(RemoteFault::Gone)?;
        match tool.state() {
            ToolState::Accepted if tool.offered.pin() == op.schema => Ok(()),
            ToolState::Gone => Err(RemoteFault::Gone),
            _ => Err(RemoteFault::Conflict { current: None }),
        }
    }

    /// Calls a tool. If the server rejects the sign-in, it did nothing, so the call is repeated with a renewed one.
    async fn called(&self, connection: &Connection, op: &ToolOp) -> Called {
        match connection.call(op).await {
            Called::Refused(ServerFault::WantsSignIn) => {}
            called => return called,
        }
        let again = match self.servers.signed_in_again(&self.name).await {
            Ok(again) => again,
            Err(fault) => return Called::Refused(fault),
        };
        match self.is_as_shown(op) {
            Ok(()) => again.call(op).await,
            Err(_) => Called::Refused(ServerFault::SetUp {
                what: "the tool has changed since you accepted it".into(),
            }),
        }
    }

    fn fault(&self, fault: &ServerFault) -> RemoteFault {
        fault.remote(&self.name.account())
    }
}

fn tool(op: &RemoteOp) -> Result<&ToolOp, RemoteFault> {
    match op {
        RemoteOp::Tool(op) => Ok(op),
        _ => Err(RemoteFault::Refused {
            what: "an MCP server can only call its tools".into(),
        }),
    }
}

#[async_trait]
impl RemoteExecutor for OneServer {
    async fn apply(&self, op: &RemoteOp, _: &Key) -> Ended {
        let refused = |fault| Ended::Refused { fault };
        let op = match tool(op) {
            Ok(op) => op,
            Err(fault) => return refused(fault),
        };
        let connection = match self.servers.connection(&self.name).await {
            Ok(connection) => connection,
            Err(fault) => return refused(self.fault(&fault)),
        };
        // Connecting may have revealed that the tool has changed.
        if let Err(fault) = self.is_as_shown(op) {
            return refused(fault);
        }
        match self.called(&connection, op).await {
            Called::Answered(answer) => Ended::Done {
                receipt: Receipt::Tool {
                    account: self.name.account(),
                    answer,
                    at: self.servers.0.deps.clock.now().timestamp(),
                },
            },
            Called::Failed(what) => refused(RemoteFault::Failed { what }),
            Called::Refused(fault) => refused(self.fault(&fault)),
            Called::Unknown(why) => Ended::Unknown { why },
        }
    }

    async fn check(&self, op: &RemoteOp) -> Result<(), RemoteFault> {
        let op = tool(op)?;
        let looked = self.servers.look_again(&self.name).await;
        looked.map_err(|fault| self.fault(&fault))?;
        self.is_as_shown(op)
    }

    /// The protocol has no way to find out; only the person can tell.
    async fn reconcile(&self, _: &RemoteOp, _: &Attempt) -> Reconciled {
        Reconciled::CannotTell
    }
}

/// Calls tools that only read.
pub(super) struct Reads(pub(super) Weak<Inner>);

#[async_trait]
impl Caller for Reads {
    async fn read(&self, name: &ServerName, op: &ToolOp) -> Called {
        let Some(servers) = self.0.upgrade().map(Servers) else {
            return Called::Refused(ServerFault::Stopped);
        };
        let connection = match servers.connection(name).await {
            Ok(connection) => connection,
            Err(fault) => return Called::Refused(fault),
        };
        let one = OneServer {
            servers,
            name: name.clone(),
        };
        if one.is_as_shown(op).is_err() {
            return Called::Refused(ServerFault::SetUp {
                what: "the tool has changed since you accepted it".into(),
            });
        }
        match one.called(&connection, op).await {
            // The tool only reads, so an unknown outcome is a failure.
            Called::Unknown(Why::NoReply) => Called::Failed("it did not answer".into()),
            called => called,
        }
    }
}
