//! Gmail: the mail of a Google account.

mod api;
mod cursor;
mod drafts;
mod file;
mod labels;
mod mail;
mod pull;
mod send;
mod wire;

use std::sync::Arc;

use adjutant_domain::account::{Collection, CollectionKind, Cursor};
use adjutant_domain::operation::{
    Attempt, Ended, Key, MailOp, MailRef, Receipt, Reconciled, RemoteFault, RemoteId, Why,
};
use adjutant_domain::ports::{
    Backend, DraftBackend, MailBackend, PullFault, Pulled, RemoteCollection, Sink,
};
use adjutant_domain::record::Address;
use adjutant_interchange::read::MAIL_BYTES_MAX;
use async_trait::async_trait;
use jiff::Timestamp;

use super::client::{Client, Failed};
use super::once::ended;
use super::scopes::{Allowed, Family};
use crate::operation_log::Before;
use crate::provider::Access;
use api::{Api, Detail};
use mail::World;

/// Collection id for all mail of the account: Gmail has labels instead of mailboxes.
const EVERYTHING: &str = "all";

/// The mail of one account.
pub(super) struct Gmail {
    api: Api,
    world: World,
    /// Whether the person allows Adjutant to change mail.
    writable: bool,
}

impl Gmail {
    fn receipt(&self, remote_id: Option<String>, accepted: Vec<Address>) -> Receipt {
        self.api.0.receipt(remote_id.map(RemoteId), None, accepted)
    }

    async fn carry_out(&self, op: &MailOp, key: &Key) -> Result<Receipt, Failed> {
        let MailOp::Send {
            message_id,
            recipients,
            mime,
            ..
        } = op
        else {
            file::apply(&self.api, op).await?;
            return Ok(self.receipt(None, Vec::new()));
        };
        let asked = &self.api.0.asked;
        let before = asked.begin(key, self.world.clock.now().timestamp());
        let found = match before {
            Before::Done(receipt) => return Ok(receipt),
            Before::Perhaps(since) => self.sent_since(message_id, mime, since).await?,
            Before::Never => None,
        };
        let sent = match found {
            Some(sent) => sent,
            None => {
                let sent = send::send(&self.api, message_id, recipients, mime).await;
                if matches!(sent, Err(Failed::Refused { .. })) {
                    asked.refused(key, &before);
                }
                sent?
            }
        };
        // Google accepts a message as a whole; failed deliveries are reported by a later mail.
        let receipt = self.receipt(Some(sent), recipients.clone());
        asked.done(key, &receipt);
        Ok(receipt)
    }

    /// Returns the Gmail id of a message that an earlier request may have sent, if it was sent.
    async fn sent_since(
        &self,
        message_id: &str,
        mime: &str,
        since: Timestamp,
    ) -> Result<Option<String>, Failed> {
        let now = self.world.clock.now().timestamp();
        match send::look(&self.api, message_id, mime, since, now).await? {
            Ok(sent) => Ok(Some(sent)),
            Err(Reconciled::NotDone) => Ok(None),
            Err(_) => Err(Failed::Unknown(Why::NoReply)),
        }
    }

    async fn look(&self, op: &MailOp, attempt: &Attempt) -> Result<Reconciled, Failed> {
        let MailOp::Send {
            message_id,
            recipients,
            mime,
            ..
        } = op
        else {
            let other = file::reconcile(&self.api, op).await?;
            return Ok(other.unwrap_or_else(|| Reconciled::Done {
                receipt: self.receipt(None, Vec::new()),
            }));
        };
        let now = self.world.clock.now().timestamp();
        let found = send::look(&self.api, message_id, mime, attempt.started, now).await?;
        Ok(match found {
            Ok(sent) => Reconciled::Done {
                receipt: self.receipt(Some(sent), recipients.clone()),
            },
            Err(other) => {
                if other == Reconciled::NotDone {
                    self.api.0.asked.forget(&attempt.key);
                }
                other
            }
        })
    }
}

#[async_trait]
impl Backend<MailOp> for Gmail {
    async fn collections(&self) -> Result<Vec<RemoteCollection>, RemoteFault> {
        Ok(vec![RemoteCollection {
            remote_id: RemoteId(EVERYTHING.into()),
            kind: CollectionKind::Mailbox,
            name: "All mail".into(),
            colour: None,
            writable: self.writable,
        }])
    }

    async fn pull(
        &self,
        _collection: &Collection,
        cursor: Option<&Cursor>,
        sink: &mut dyn Sink,
    ) -> Result<Cursor, PullFault> {
        pull::pull(&self.api, cursor, &self.world, sink).await
    }

    async fn apply(&self, op: &MailOp, key: &Key) -> Ended {
        ended(self.carry_out(op, key).await)
    }

    async fn check(&self, op: &MailOp) -> Result<(), RemoteFault> {
        match op {
            MailOp::Send { .. } => Ok(()),
            _ => file::check(&self.api, op).await,
        }
    }

    async fn reconcile(&self, op: &MailOp, attempt: &Attempt) -> Reconciled {
        match self.look(op, attempt).await {
            Ok(seen) => seen,
            Err(failed) => Reconciled::NotNow {
                fault: failed.fault(),
            },
        }
    }
}

#[async_trait]
impl MailBackend for Gmail {
    async fn body(&self, mail: &MailRef) -> Result<Vec<u8>, RemoteFault> {
        let message = self.api.message(file::id(mail)?, Detail::Raw).await?;
        let source = message.raw.as_deref().and_then(mail::decoded);
        source
            .filter(|bytes| bytes.len() <= MAIL_BYTES_MAX)
            .ok_or_else(|| RemoteFault::Refused {
                what: "what Google has of this mail cannot be read".into(),
            })
    }

    async fn attachment(&self, mail: &MailRef, index: usize) -> Result<Vec<u8>, RemoteFault> {
        let id = file::id(mail)?;
        let message = self.api.message(id, Detail::Full).await?;
        let payload = message.payload.ok_or(RemoteFault::Gone)?;
        let files = mail::files(&payload);
        let part = files.get(index).ok_or(RemoteFault::Gone)?;
        let data = match (&part.body.data, &part.body.attachment_id) {
            (Some(data), _) => mail::decoded(data),
            (None, Some(name)) => {
                let body = self.api.file(id, name).await?;
                body.data.as_deref().and_then(mail::decoded)
            }
            (None, None) => Some(Vec::new()),
        };
        data.ok_or_else(|| RemoteFault::Refused {
            what: "what Google has of this file cannot be read".into(),
        })
    }

    fn drafts(&self) -> Option<&dyn DraftBackend> {
        Some(self)
    }

    async fn search(&self, words: &str, limit: usize) -> Result<Vec<Pulled>, RemoteFault> {
        pull::search(&self.api, words, limit, &self.world).await
    }
}

/// Returns the mail backend of an account if the person allows Adjutant to read mail.
pub(super) fn backend(client: &Arc<Client>, access: &Access) -> Option<Arc<dyn MailBackend>> {
    let allowed = Family::Mail.allowed(access);
    (allowed > Allowed::Nothing).then(|| {
        Arc::new(Gmail {
            api: Api(Arc::clone(client)),
            world: World {
                clock: Arc::clone(&access.clock),
                entropy: Arc::clone(&access.entropy),
            },
            writable: allowed == Allowed::Change,
        }) as Arc<dyn MailBackend>
    })
}
