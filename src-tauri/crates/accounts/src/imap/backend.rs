//! Implements the provider's ports for one mail account.

use adjutant_domain::account::{Collection, Cursor};
use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{
    Attempt, Ended, Key, MailOp, MailRef, Receipt, Reconciled, RemoteFault,
};
use adjutant_domain::ports::{
    Backend, DraftBackend, MailBackend, News, PullFault, Pulled, RemoteCollection, Sink,
};
use adjutant_interchange::read::MAIL_BYTES_MAX;
use adjutant_net::{AddressFrom, Fingerprint, NetClient};
use async_trait::async_trait;
use mail_parser::MessageParser;
use tokio::sync::Mutex;

use super::auth::Login;
use super::cursor::MailboxCursor;
use super::head::{self, World};
use super::mailboxes::Mailbox;
use super::place::{Placed, find};
use super::reply::Untagged;
use super::server::{Protocol, Server};
use super::session::{Caller, Halt, Opened, Patience, Session};
use super::smtp::{self, Delivered, Letter};
use super::{drafts, file, mailboxes, pull, send};

/// The mailbox that receives new mail.
const INBOX: &str = "INBOX";

/// A connected mail account.
pub(super) struct MailAccount {
    pub(super) account: AccountId,
    pub(super) net: NetClient,
    pub(super) reading: Server,
    pub(super) sending: Server,
    /// Where the server addresses come from.
    pub(super) from: AddressFrom,
    /// Certificates of the servers that the person trusts.
    pub(super) trusted: Vec<Fingerprint>,
    pub(super) login: Login,
    /// Whether the server itself stores a copy of sent mail.
    pub(super) server_files: bool,
    pub(super) patience: Patience,
    pub(super) world: World,
    /// An unused session, kept for the next request.
    pub(super) idle: Mutex<Option<Session>>,
    /// The session that listens for changes, with the inbox open.
    pub(super) listening: Mutex<Option<Session>>,
    /// Cached state of the drafts mailbox.
    pub(super) drafts: Mutex<drafts::DraftsCache>,
}

impl MailAccount {
    fn caller<'a>(&'a self, server: &'a Server) -> Caller<'a> {
        Caller {
            net: &self.net,
            account: &self.account,
            server,
            from: self.from,
            trusted: &self.trusted,
            login: &self.login,
            patience: self.patience,
        }
    }

    /// Signs in to one of the servers without changing anything.
    pub(super) async fn try_out(&self, protocol: Protocol) -> Result<(), RemoteFault> {
        if protocol == Protocol::Smtp {
            return smtp::try_out(&self.caller(&self.sending)).await;
        }
        let mut session = self.session().await?;
        session.mailboxes().await?;
        self.keep(session).await;
        Ok(())
    }

    /// Returns the idle session if it still works, otherwise a new one.
    pub(super) async fn session(&self) -> Result<Session, RemoteFault> {
        let idle = self.idle.lock().await.take();
        if let Some(mut session) = idle
            && session.read("NOOP").await.is_ok()
        {
            return Ok(session);
        }
        Session::open(&self.caller(&self.reading)).await
    }

    /// Returns a session and the state of every mailbox. Tries the idle session first, since asking twice does no harm.
    async fn states(&self) -> Result<(Session, Option<Vec<(Mailbox, Opened)>>), RemoteFault> {
        let idle = self.idle.lock().await.take();
        if let Some(mut session) = idle
            && let Ok(states) = session.states().await
        {
            return Ok((session, states));
        }
        let mut session = Session::open(&self.caller(&self.reading)).await?;
        let states = session.states().await?;
        Ok((session, states))
    }

    /// Keeps a session for the next request.
    pub(super) async fn keep(&self, mut session: Session) {
        if session.is_usable() {
            // Mailboxes may be created or renamed in the meantime.
            session.mailboxes = None;
            *self.idle.lock().await = Some(session);
        }
    }

    fn receipt(&self, delivered: Delivered) -> Receipt {
        Receipt::Remote {
            account: self.account.clone(),
            remote_id: None,
            etag: None,
            accepted: delivered.accepted,
            refused: delivered.refused,
            at: self.world.clock.now().timestamp(),
        }
    }

    async fn send(&self, message_id: &str, letter: &Letter<'_>) -> Result<Delivered, Halt> {
        let mut session = self.session().await?;
        let is_filed = send::is_filed(&mut session, message_id).await;
        self.keep(session).await;
        if is_filed? {
            return Ok(Delivered::default());
        }
        let delivered = smtp::send(&self.caller(&self.sending), letter).await?;
        if !self.server_files {
            self.file_sent(message_id, letter.mime).await;
        }
        self.mark_answered(letter.mime).await;
        Ok(delivered)
    }

    /// Stores the copy in the sent mailbox. The mail is already sent, so a missing copy does not count as a failure.
    async fn file_sent(&self, message_id: &str, mime: &str) {
        for _ in 0..2 {
            let filed = match self.session().await {
                Ok(mut session) => {
                    let filed = send::file(&mut session, message_id, mime).await;
                    self.keep(session).await;
                    filed
                }
                Err(fault) => Err(fault.into()),
            };
            match filed {
                Ok(()) => return,
                Err(why) => tracing::warn!(?why, "no copy of a sent mail was put on the server"),
            }
        }
    }

    /// Flags the mail that was answered or forwarded, so that other programs show it. The mail is already sent, so a
    /// missing flag does not count as a failure.
    async fn mark_answered(&self, mime: &str) {
        let Some((message_id, flag)) = send::answers(mime) else {
            return;
        };
        let marked = match self.session().await {
            Ok(mut session) => {
                let marked = send::mark(&mut session, &message_id, flag).await;
                self.keep(session).await;
                marked
            }
            Err(fault) => Err(fault.into()),
        };
        if let Err(why) = marked {
            tracing::warn!(?why, "an answered mail was not marked so on the server");
        }
    }

    async fn refile(&self, op: &MailOp) -> Result<(), Halt> {
        let mut session = self.session().await?;
        let done = file::apply(&mut session, op).await;
        self.keep(session).await;
        done
    }

    async fn look(&self, op: &MailOp, attempt: &Attempt) -> Result<Option<Reconciled>, Halt> {
        let mut session = self.session().await?;
        let seen = match op {
            MailOp::Send { message_id, .. } => {
                let is_filed = send::is_filed(&mut session, message_id).await;
                let now = self.world.clock.now().timestamp();
                is_filed
                    .map(|there| (!there).then(|| send::not_filed(self.server_files, attempt, now)))
                    .map_err(Halt::from)
            }
            _ => file::reconcile(&mut session, op).await,
        };
        self.keep(session).await;
        seen
    }

    /// Fetches the source of a mail.
    async fn fetch(&self, mail: &MailRef) -> Result<Vec<u8>, RemoteFault> {
        let mut session = self.session().await?;
        let bytes = whole(&mut session, mail).await;
        self.keep(session).await;
        bytes
    }
}

async fn whole(session: &mut Session, mail: &MailRef) -> Result<Vec<u8>, RemoteFault> {
    let found = find(session, std::slice::from_ref(mail)).await?;
    let Some(Some(Placed {
        mailbox, uid, size, ..
    })) = found.into_iter().next()
    else {
        return Err(RemoteFault::Gone);
    };
    if size > MAIL_BYTES_MAX as u64 {
        let what = format!(
            "the mail is larger than {} MiB",
            MAIL_BYTES_MAX / 1024 / 1024
        );
        return Err(RemoteFault::Refused { what });
    }
    session.select(&mailbox, false).await?;
    let answer = session
        .read(&format!("UID FETCH {uid} (UID BODY.PEEK[])"))
        .await?;
    let bytes = answer.said.iter().find_map(|said| match said {
        Untagged::Fetch(items) if head::uid(items) == Some(uid) => head::bytes(items),
        _ => None,
    });
    bytes.map(<[u8]>::to_vec).ok_or(RemoteFault::Gone)
}

#[async_trait]
impl Backend<MailOp> for MailAccount {
    async fn collections(&self) -> Result<Vec<RemoteCollection>, RemoteFault> {
        let mut session = self.session().await?;
        let listed = session.mailboxes().await.map(mailboxes::collections);
        self.keep(session).await;
        listed
    }

    async fn is_unchanged(&self, collections: &[Collection]) -> Result<bool, RemoteFault> {
        let (session, states) = self.states().await?;
        self.keep(session).await;
        let Some(states) = states else {
            return Ok(false);
        };
        self.note_drafts(&states).await;
        let shown = states.iter().filter(|(mailbox, _)| mailbox.is_shown());
        let is_same = |(mailbox, opened): &(Mailbox, Opened)| {
            let named = |one: &&Collection| {
                let remote_id = one.remote_id.as_ref();
                remote_id.is_some_and(|name| name.0 == mailbox.name)
            };
            let cursor = collections.iter().find(named)?.cursor.as_ref()?;
            Some(pull::is_same(&MailboxCursor::read(cursor)?, opened))
        };
        let are_same = shown.clone().all(|one| is_same(one) == Some(true));
        Ok(are_same && shown.count() == collections.len())
    }

    async fn pull(
        &self,
        collection: &Collection,
        cursor: Option<&Cursor>,
        sink: &mut dyn Sink,
    ) -> Result<Cursor, PullFault> {
        let name = collection.remote_id.as_ref().ok_or(RemoteFault::Gone)?;
        let mut session = self.session().await?;
        let read = pull::pull(&mut session, &name.0, cursor, &self.world, sink).await;
        self.keep(session).await;
        read
    }

    async fn apply(&self, op: &MailOp, _key: &Key) -> Ended {
        // The server does not know the operation's key, so the state of the mails themselves shows what was done.
        let done = match op {
            MailOp::Send {
                message_id,
                from,
                recipients,
                mime,
            } => {
                let letter = Letter {
                    from: &from.email,
                    recipients,
                    mime,
                };
                self.send(message_id, &letter).await
            }
            _ => self.refile(op).await.map(|()| Delivered::default()),
        };
        match done {
            Ok(delivered) => Ended::Done {
                receipt: self.receipt(delivered),
            },
            Err(Halt::Refused(fault)) => Ended::Refused { fault },
            Err(Halt::Unknown(why)) => Ended::Unknown { why },
        }
    }

    async fn check(&self, op: &MailOp) -> Result<(), RemoteFault> {
        if matches!(op, MailOp::Send { .. }) {
            return Ok(());
        }
        let mut session = self.session().await?;
        let there = file::check(&mut session, op).await;
        self.keep(session).await;
        there
    }

    async fn reconcile(&self, op: &MailOp, attempt: &Attempt) -> Reconciled {
        match self.look(op, attempt).await {
            Ok(Some(other)) => other,
            Ok(None) => Reconciled::Done {
                receipt: self.receipt(Delivered::default()),
            },
            Err(Halt::Refused(fault)) => Reconciled::NotNow { fault },
            Err(Halt::Unknown(_)) => Reconciled::NotNow {
                fault: RemoteFault::Unreachable,
            },
        }
    }
}

#[async_trait]
impl MailBackend for MailAccount {
    async fn body(&self, mail: &MailRef) -> Result<Vec<u8>, RemoteFault> {
        self.fetch(mail).await
    }

    async fn attachment(&self, mail: &MailRef, index: usize) -> Result<Vec<u8>, RemoteFault> {
        let bytes = self.fetch(mail).await?;
        let message = MessageParser::default()
            .parse(&bytes)
            .ok_or(RemoteFault::Gone)?;
        let index = u32::try_from(index).map_err(|_| RemoteFault::Gone)?;
        let part = message.attachment(index).ok_or(RemoteFault::Gone)?;
        Ok(part.contents().to_vec())
    }

    async fn until_news(&self) -> Result<News, RemoteFault> {
        let mut listening = self.listening.lock().await;
        let mut session = match listening.take() {
            Some(session) => session,
            None => {
                let mut session = Session::open(&self.caller(&self.reading)).await?;
                session.select(INBOX, false).await?;
                session
            }
        };
        if !session.can("IDLE") {
            return Ok(News::NeverTold);
        }
        session.until_changed().await?;
        *listening = Some(session);
        Ok(News::Came)
    }

    fn drafts(&self) -> Option<&dyn DraftBackend> {
        Some(self)
    }

    async fn search(&self, words: &str, limit: usize) -> Result<Vec<Pulled>, RemoteFault> {
        let mut session = self.session().await?;
        let found = pull::find_words(&mut session, words, limit, &self.world).await;
        self.keep(session).await;
        found
    }
}
