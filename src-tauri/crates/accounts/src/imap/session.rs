//! A session with an IMAP server: connected, encrypted and signed in, with one request at a time.

use std::time::Duration;

use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{RemoteFault, SignedOut, Why};
use adjutant_net::{AddressFrom, Fingerprint, NetClient, Security};
use secrecy::ExposeSecret as _;

use super::auth::{Login, Mechanism, Proof, signed_out};
use super::mailboxes::Mailbox;
use super::reply::{Condition, Reply, Status, Untagged, reply};
use super::server::Server;
use super::uids::Uids;
use super::wire::{Broken, Wire};
use crate::net;

/// Maximum size in bytes of one reply's literals: the largest mail to be read and some overhead.
const REPLY_BYTES_MAX: usize = adjutant_interchange::read::MAIL_BYTES_MAX + 1024 * 1024;
/// Maximum size in bytes of all replies to one request.
const REPLIES_BYTES_MAX: usize = REPLY_BYTES_MAX + 32 * 1024 * 1024;
/// Maximum number of replies to one request.
const REPLIES_MAX: usize = 200_000;
/// Maximum number of bytes received over one connection; the first reading of a large account needs that much.
const RECEIVED_BYTES_MAX: u64 = 8 * 1024 * 1024 * 1024;

/// Time limits for a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Time to open a connection.
    pub open: Duration,
    /// Time without any data from the server.
    pub silent: Duration,
    /// Total time for one request.
    pub request: Duration,
}

impl Patience {
    /// Limits that suit real providers.
    pub const USUAL: Self = Self {
        open: Duration::from_secs(20),
        silent: Duration::from_secs(60),
        request: Duration::from_secs(600),
    };
}

/// Parameters for connecting to a server.
pub(super) struct Caller<'a> {
    pub(super) net: &'a NetClient,
    pub(super) account: &'a AccountId,
    pub(super) server: &'a Server,
    pub(super) from: AddressFrom,
    /// Certificates of the server that the person trusts.
    pub(super) trusted: &'a [Fingerprint],
    pub(super) login: &'a Login,
    pub(super) patience: Patience,
}

/// Why a request that changes something did not succeed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// Nothing was done.
    Refused(RemoteFault),
    /// The change may have been carried out.
    Unknown(Why),
}

impl From<RemoteFault> for Halt {
    fn from(fault: RemoteFault) -> Self {
        Self::Refused(fault)
    }
}

/// A part of a request.
#[derive(Clone, Copy, Debug)]
pub(super) enum CommandPart<'a> {
    /// Text without line endings.
    Text(&'a str),
    /// Arbitrary bytes.
    Literal(&'a [u8]),
}

/// The replies to a request.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) condition: Condition,
    pub(super) said: Vec<Untagged>,
}

impl Answer {
    /// Returns the UIDs found by a search.
    pub(super) fn found(&self) -> Uids {
        let sets = self.said.iter().filter_map(|said| match said {
            Untagged::Search(uids) => Some(uids),
            _ => None,
        });
        sets.fold(Uids::default(), |all, some| all.with(some))
    }

    /// Returns the argument of a response code in any of the replies.
    pub(super) fn code(&self, name: &str) -> Option<&str> {
        let mut said = self.said.iter().rev().filter_map(|said| match said {
            Untagged::Condition(condition) => condition.code(name),
            _ => None,
        });
        self.condition.code(name).or_else(|| said.next())
    }
}

/// The state of a mailbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Opened {
    pub(super) validity: u32,
    /// The UID of the next mail; 0 if the server does not report it.
    pub(super) next: u32,
    /// Number of mails.
    pub(super) exists: u32,
    /// The highest MODSEQ; 0 if the server does not support it.
    pub(super) modseq: u64,
    /// Whether the mailbox accepts arbitrary keywords.
    pub(super) takes_keywords: bool,
}

/// A signed-in session.
pub(super) struct Session {
    pub(super) wire: Wire,
    account: AccountId,
    pub(super) patience: Patience,
    pub(super) tag: u32,
    capabilities: Vec<String>,
    /// The mailboxes, once listed.
    pub(super) mailboxes: Option<Vec<Mailbox>>,
    pub(super) is_broken: bool,
}

impl Session {
    /// Connects and signs in.
    pub(super) async fn open(caller: &Caller<'_>) -> Result<Self, RemoteFault> {
        let mut dial = caller
            .server
            .dial("reading mail", caller.from, caller.trusted);
        dial.within = caller.patience.open;
        dial.idle = caller.patience.silent;
        dial.received_bytes_max = RECEIVED_BYTES_MAX;
        let stream = caller
            .net
            .open(dial)
            .await
            .map_err(|fault| net::unread(&fault))?;
        let mut session = Self {
            wire: Wire::new(stream),
            account: caller.account.clone(),
            patience: caller.patience,
            tag: 0,
            capabilities: Vec::new(),
            mailboxes: None,
            is_broken: false,
        };
        session.greeted().await?;
        if caller.server.security == Security::StartTls {
            session = session.encrypted().await?;
        }
        if session.capabilities.is_empty() {
            session.read("CAPABILITY").await?;
        }
        session.sign_in(caller.login).await?;
        Ok(session)
    }

    async fn greeted(&mut self) -> Result<(), RemoteFault> {
        let greeting = self.next_reply().await.map_err(Broken::unread)?;
        let Reply::Untagged(Untagged::Condition(condition)) = greeting else {
            return Err(Broken::Nonsense.unread());
        };
        match condition.status {
            Status::Ok => Ok(()),
            Status::Bye => Err(match condition.code.is_empty() {
                true => RemoteFault::Limited {
                    retry_after_seconds: None,
                },
                false => condition.fault(&self.account),
            }),
            // Being signed in before sending credentials is not credible for a mail server.
            Status::No | Status::Bad | Status::PreAuth => Err(Broken::Nonsense.unread()),
        }
    }

    async fn encrypted(mut self) -> Result<Self, RemoteFault> {
        self.read("STARTTLS").await?;
        let wire = self
            .wire
            .start_tls()
            .await
            .map_err(|fault| net::unread(&fault))?;
        // Replies received before encryption may be forged.
        Ok(Self {
            wire,
            capabilities: Vec::new(),
            ..self
        })
    }

    async fn sign_in(&mut self, login: &Login) -> Result<(), RemoteFault> {
        if !self.wire.is_encrypted() {
            return Err(refused(
                "the connection to the mail server is not encrypted",
            ));
        }
        let mechanism = login.mechanism(|name| self.can(&format!("AUTH={name}")));
        self.capabilities.clear();
        let answer = match mechanism {
            Some(mechanism) => self.authenticate(login, mechanism).await,
            None if matches!(login.proof, Proof::Password(_)) => {
                let (user, secret) = (login.user.as_bytes(), login.secret().as_bytes());
                let parts = [
                    CommandPart::Text("LOGIN "),
                    CommandPart::Literal(user),
                    CommandPart::Text(" "),
                    CommandPart::Literal(secret),
                ];
                self.request(&parts, &[]).await
            }
            None => {
                return Err(refused(
                    "the mail server does not accept this kind of sign-in",
                ));
            }
        };
        let answer = answer.map_err(Broken::unread)?;
        if answer.condition.status != Status::Ok {
            return Err(not_signed_in(&answer.condition, &self.account));
        }
        if self.capabilities.is_empty() {
            self.read("CAPABILITY").await?;
        }
        if self.can("QRESYNC") {
            self.read("ENABLE QRESYNC").await?;
        }
        Ok(())
    }

    async fn authenticate(
        &mut self,
        login: &Login,
        mechanism: Mechanism,
    ) -> Result<Answer, Broken> {
        let start = format!("AUTHENTICATE {}", mechanism.name());
        let mut answers = login.answers(mechanism);
        if let Some(first) = login.initial(mechanism) {
            answers.insert(0, first);
        }
        let answers: Vec<&str> = answers.iter().map(|one| one.expose_secret()).collect();
        self.request(&[CommandPart::Text(&start)], &answers).await
    }

    /// Tells whether the server offers an extension.
    pub(super) fn can(&self, name: &str) -> bool {
        let mut all = self.capabilities.iter();
        all.any(|one| one.eq_ignore_ascii_case(name))
    }

    /// Tells whether another request can follow.
    pub(super) fn is_usable(&self) -> bool {
        !self.is_broken
    }

    /// Sends a request that changes nothing.
    pub(super) async fn read(&mut self, command: &str) -> Result<Answer, RemoteFault> {
        self.read_parts(&[CommandPart::Text(command)]).await
    }

    /// Sends a request that changes nothing, given in parts.
    pub(super) async fn read_parts(
        &mut self,
        parts: &[CommandPart<'_>],
    ) -> Result<Answer, RemoteFault> {
        let answer = self.request(parts, &[]).await.map_err(Broken::unread)?;
        match answer.condition.status {
            Status::Ok => Ok(answer),
            _ => Err(answer.condition.fault(&self.account)),
        }
    }

    /// Sends a request that changes something. Without a final reply it may have been carried out.
    pub(super) async fn change(&mut self, parts: &[CommandPart<'_>]) -> Result<Answer, Halt> {
        let answer = self.request(parts, &[]).await;
        let answer = answer.map_err(|broken| Halt::Unknown(broken.unknown()))?;
        match answer.condition.status {
            Status::Ok => Ok(answer),
            _ => Err(answer.condition.fault(&self.account).into()),
        }
    }

    /// Opens a mailbox, read-only unless `to_change` is set. Returns [`RemoteFault::Gone`] if there is no such mailbox.
    pub(super) async fn select(
        &mut self,
        mailbox: &str,
        to_change: bool,
    ) -> Result<Opened, RemoteFault> {
        let verb = if to_change { "SELECT " } else { "EXAMINE " };
        let counted = if self.can("CONDSTORE") {
            " (CONDSTORE)"
        } else {
            ""
        };
        let parts = [
            CommandPart::Text(verb),
            CommandPart::Literal(mailbox.as_bytes()),
            CommandPart::Text(counted),
        ];
        let answer = self.request(&parts, &[]).await.map_err(Broken::unread)?;
        match answer.condition.status {
            Status::Ok => {}
            // A `NO` without a response code means that the mailbox does not exist.
            Status::No if answer.condition.code.is_empty() => return Err(RemoteFault::Gone),
            _ => return Err(answer.condition.fault(&self.account)),
        }
        let number = |name: &str| answer.code(name).and_then(|text| text.parse::<u64>().ok());
        let exists = answer.said.iter().rev().find_map(|said| match said {
            Untagged::Exists(count) => Some(*count),
            _ => None,
        });
        let small = |name: &str| number(name).and_then(|number| u32::try_from(number).ok());
        Ok(Opened {
            validity: small("UIDVALIDITY").ok_or(Broken::Nonsense.unread())?,
            next: small("UIDNEXT").unwrap_or_default(),
            exists: exists.unwrap_or_default(),
            modseq: number("HIGHESTMODSEQ").unwrap_or_default(),
            takes_keywords: answer.said.iter().any(|said| {
                matches!(said, Untagged::Condition(condition)
                    if condition.code("PERMANENTFLAGS").is_some()
                        && condition.code.iter().any(|word| word.contains("\\*")))
            }),
        })
    }

    /// Sends a request and reads its replies. Sends the `answers` in turn when the server prompts for more.
    async fn request(
        &mut self,
        parts: &[CommandPart<'_>],
        answers: &[&str],
    ) -> Result<Answer, Broken> {
        let within = self.patience.request;
        let talk = tokio::time::timeout(within, self.talk(parts, answers)).await;
        let talk = talk.unwrap_or(Err(Broken::TimedOut));
        self.is_broken |= talk.is_err();
        talk
    }

    async fn talk(
        &mut self,
        parts: &[CommandPart<'_>],
        answers: &[&str],
    ) -> Result<Answer, Broken> {
        self.tag += 1;
        let tag = format!("a{}", self.tag);
        let mut answers = answers.iter();
        let mut said = Vec::new();
        let mut line = format!("{tag} ").into_bytes();
        for part in parts {
            match part {
                CommandPart::Text(text) => line.extend_from_slice(text.as_bytes()),
                CommandPart::Literal(bytes) if is_plain(bytes) => quote(bytes, &mut line),
                CommandPart::Literal(bytes) => {
                    line.extend_from_slice(format!("{{{}}}\r\n", bytes.len()).as_bytes());
                    self.wire.write(&line).await?;
                    line.clear();
                    // A server that rejects the literal ends the request.
                    if let Some(condition) = self.until(&tag, &mut said).await? {
                        return Ok(Answer { condition, said });
                    }
                    line.extend_from_slice(bytes);
                }
            }
        }
        line.extend_from_slice(b"\r\n");
        self.wire.write(&line).await?;
        while said.len() < REPLIES_MAX {
            if let Some(condition) = self.until(&tag, &mut said).await? {
                return Ok(Answer { condition, said });
            }
            let answer = answers.next().ok_or(Broken::Nonsense)?;
            self.wire.write(format!("{answer}\r\n").as_bytes()).await?;
        }
        Err(Broken::Nonsense)
    }

    /// Reads until the request ends; `None` if the server prompts for more first.
    pub(super) async fn until(
        &mut self,
        tag: &str,
        said: &mut Vec<Untagged>,
    ) -> Result<Option<Condition>, Broken> {
        let mut left = REPLIES_BYTES_MAX;
        while said.len() < REPLIES_MAX {
            let bytes = self.wire.reply(REPLY_BYTES_MAX).await?;
            left = left.checked_sub(bytes.len()).ok_or(Broken::Nonsense)?;
            match self.understood(&bytes)? {
                Reply::GoOn => return Ok(None),
                Reply::Done { tag: of, condition } if of == tag => return Ok(Some(condition)),
                Reply::Done { .. } => return Err(Broken::Nonsense),
                Reply::Untagged(Untagged::Condition(condition))
                    if condition.status == Status::Bye =>
                {
                    return Err(Broken::Closed);
                }
                Reply::Untagged(Untagged::Other) => {}
                Reply::Untagged(one) => said.push(one),
            }
        }
        Err(Broken::Nonsense)
    }

    pub(super) async fn next_reply(&mut self) -> Result<Reply, Broken> {
        let bytes = self.wire.reply(REPLY_BYTES_MAX).await?;
        self.understood(&bytes)
    }

    fn understood(&mut self, bytes: &[u8]) -> Result<Reply, Broken> {
        let read = reply(bytes).ok_or(Broken::Nonsense)?;
        let offered = match &read {
            Reply::Untagged(Untagged::Capabilities(all)) => Some(all.as_slice()),
            Reply::Done { condition, .. } | Reply::Untagged(Untagged::Condition(condition)) => {
                let code = condition.code("CAPABILITY");
                code.map(|_| condition.code.get(1..).unwrap_or_default())
            }
            _ => None,
        };
        if let Some(offered) = offered {
            self.capabilities = offered.to_vec();
        }
        Ok(read)
    }
}

/// Maps the refusal of a sign-in to a fault.
fn not_signed_in(said: &Condition, account: &AccountId) -> RemoteFault {
    let code = said.code.first().map(|code| code.to_ascii_uppercase());
    let why = match code.as_deref() {
        Some("EXPIRED") => SignedOut::Withdrawn,
        Some("CONTACTADMIN") => SignedOut::Barred,
        _ => signed_out(&said.words),
    };
    match said.fault(account) {
        // Gmail asks for an app password with the code ALERT.
        RemoteFault::Refused { .. } if code.is_none() || why != SignedOut::Unsaid => {
            let account = account.clone();
            RemoteFault::NotSignedIn { account, why }
        }
        RemoteFault::NotSignedIn { account, .. } => RemoteFault::NotSignedIn { account, why },
        other => other,
    }
}

/// Tells whether bytes can be sent as a quoted string. All others are sent as a literal, which nothing can escape.
fn is_plain(bytes: &[u8]) -> bool {
    bytes.len() <= 500 && bytes.iter().all(|byte| (b' '..=b'~').contains(byte))
}

fn quote(bytes: &[u8], line: &mut Vec<u8>) {
    line.push(b'"');
    for byte in bytes {
        if matches!(byte, b'"' | b'\\') {
            line.push(b'\\');
        }
        line.push(*byte);
    }
    line.push(b'"');
}

fn refused(what: &str) -> RemoteFault {
    RemoteFault::Refused { what: what.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_happened_to_a_sign_in() {
        let account: AccountId = "acc_1".into();
        for (line, why) in [
            ("NO Login failed.", Some(SignedOut::Unsaid)),
            (
                "NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)",
                Some(SignedOut::Unsaid),
            ),
            (
                "NO [EXPIRED] That password is over",
                Some(SignedOut::Withdrawn),
            ),
            (
                "NO [ALERT] Application-specific password required: https://mail.example/185833 (Failure)",
                Some(SignedOut::AppPassword),
            ),
            (
                "NO [AUTHENTICATIONFAILED] Your account has been suspended.",
                Some(SignedOut::Disabled),
            ),
            ("NO [CONTACTADMIN] No.", Some(SignedOut::Barred)),
            ("NO [ALERT] Your account is not enabled for IMAP use.", None),
            ("NO [UNAVAILABLE] Later", None),
        ] {
            let Some(Reply::Done { condition, .. }) = reply(format!("a1 {line}").as_bytes()) else {
                panic!("{line}");
            };
            let told = match not_signed_in(&condition, &account) {
                RemoteFault::NotSignedIn { why, .. } => Some(why),
                _ => None,
            };
            assert_eq!(told, why, "{line}");
        }
    }
}
