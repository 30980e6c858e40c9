//! Drafts in the mailbox that the server's attributes or its name mark as the drafts mailbox. A draft's id consists of
//! its UID and the mailbox's UIDVALIDITY, so its content never changes.

use adjutant_domain::ids::RemoteId;
use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::DraftBackend;
use adjutant_interchange::read::MAIL_BYTES_MAX;
use async_trait::async_trait;
use mail_parser::MessageParser;

use super::backend::MailAccount;
use super::file;
use super::head;
use super::mailboxes::{Mailbox, Role};
use super::place::{holding, is_searchable};
use super::reply::Untagged;
use super::session::{CommandPart, Halt, Opened, Session};
use super::uids::Uids;

/// Name of the drafts mailbox created if the server has none.
const NAME: &str = "Drafts";

/// Cached state of the drafts mailbox, which is listed again only after a change.
#[derive(Default)]
pub(super) struct DraftsCache {
    /// The state most recently reported together with all mailboxes, until it is used.
    told: Option<Opened>,
    /// The state in which the mailbox was last listed, and its contents then.
    listed: Option<(Opened, Vec<RemoteId>)>,
}

impl MailAccount {
    /// Stores the state of the drafts mailbox if it is among these.
    pub(super) async fn note_drafts(&self, states: &[(Mailbox, Opened)]) {
        let found = states.iter().find(|(one, _)| one.role == Role::Drafts);
        self.drafts.lock().await.told = found.map(|(_, opened)| opened.clone());
    }
}

#[async_trait]
impl DraftBackend for MailAccount {
    fn is_writable(&self) -> bool {
        true
    }

    async fn drafts(&self) -> Result<Option<Vec<RemoteId>>, RemoteFault> {
        let mut seen = self.drafts.lock().await;
        let told = seen.told.take();
        if let (Some(told), Some((listed, names))) = (&told, &seen.listed)
            && told.modseq > 0
            && told == listed
        {
            return Ok(Some(names.clone()));
        }
        let mut session = self.session().await?;
        let names = names(&mut session).await;
        self.keep(session).await;
        let names = names?;
        seen.listed = told.zip(names.clone());
        Ok(names)
    }

    async fn draft(&self, id: &RemoteId) -> Result<Vec<u8>, RemoteFault> {
        let mut session = self.session().await?;
        let source = source(&mut session, id).await;
        self.keep(session).await;
        source
    }

    async fn put_draft(
        &self,
        mime: &str,
        replaces: Option<&RemoteId>,
    ) -> Result<RemoteId, RemoteFault> {
        let mut session = self.session().await?;
        let put = put(&mut session, mime, replaces).await;
        self.keep(session).await;
        put.map_err(fault)
    }

    async fn drop_draft(&self, id: &RemoteId) -> Result<(), RemoteFault> {
        let mut session = self.session().await?;
        let dropped = drop_one(&mut session, id).await;
        self.keep(session).await;
        dropped.map_err(fault)
    }
}

/// Returns the name of the drafts mailbox, if there is one.
async fn place(session: &mut Session) -> Result<Option<String>, RemoteFault> {
    let all = session.mailboxes().await?;
    let found = all.iter().find(|one| one.role == Role::Drafts);
    Ok(found.map(|one| one.name.clone()))
}

async fn names(session: &mut Session) -> Result<Option<Vec<RemoteId>>, RemoteFault> {
    let Some(place) = place(session).await? else {
        return Ok(None);
    };
    let opened = match session.select(&place, false).await {
        Err(RemoteFault::Gone) => return Ok(None),
        opened => opened?,
    };
    if opened.exists == 0 {
        return Ok(Some(Vec::new()));
    }
    let found = session.read("UID SEARCH UNDELETED").await?.found();
    let mut all: Vec<u32> = found.newest_first().collect();
    all.reverse();
    let name = |uid: u32| named(opened.validity, uid);
    Ok(Some(all.into_iter().map(name).collect()))
}

fn named(validity: u32, uid: u32) -> RemoteId {
    RemoteId(format!("{validity}.{uid}"))
}

/// Returns the UID in a draft's id if its UIDVALIDITY is still current.
fn number(id: &RemoteId, validity: u32) -> Option<u32> {
    let (of, uid) = id.0.split_once('.')?;
    (of.parse() == Ok(validity)).then_some(())?;
    uid.parse().ok()
}

/// Opens the drafts mailbox and returns the draft's UID; `None` if the mailbox or its UIDVALIDITY is gone.
async fn open(
    session: &mut Session,
    id: &RemoteId,
    to_change: bool,
) -> Result<Option<u32>, RemoteFault> {
    let Some(place) = place(session).await? else {
        return Ok(None);
    };
    match session.select(&place, to_change).await {
        Err(RemoteFault::Gone) => Ok(None),
        opened => Ok(number(id, opened?.validity)),
    }
}

async fn source(session: &mut Session, id: &RemoteId) -> Result<Vec<u8>, RemoteFault> {
    let uid = open(session, id, false).await?.ok_or(RemoteFault::Gone)?;
    let command = format!("UID FETCH {uid} (UID RFC822.SIZE)");
    let size = session.read(&command).await?;
    let of_it = |said: &Untagged| match said {
        Untagged::Fetch(items) if head::uid(items) == Some(uid) => head::size(items),
        _ => None,
    };
    let size = size.said.iter().find_map(of_it).ok_or(RemoteFault::Gone)?;
    if size > MAIL_BYTES_MAX as u64 {
        let what = "the draft is too large to be read".to_owned();
        return Err(RemoteFault::Refused { what });
    }
    let command = format!("UID FETCH {uid} (UID BODY.PEEK[])");
    let answer = session.read(&command).await?;
    let bytes = answer.said.iter().find_map(|said| match said {
        Untagged::Fetch(items) if head::uid(items) == Some(uid) => head::bytes(items),
        _ => None,
    });
    bytes.map(<[u8]>::to_vec).ok_or(RemoteFault::Gone)
}

/// Appends a draft, then removes the one it replaces. If the connection breaks in between, both remain with the same
/// Message-ID, and the next comparison finds the newer one.
async fn put(
    session: &mut Session,
    mime: &str,
    replaces: Option<&RemoteId>,
) -> Result<RemoteId, Halt> {
    let place = match place(session).await? {
        Some(place) => place,
        None => made(session).await?,
    };
    let parts = [
        CommandPart::Text("APPEND "),
        CommandPart::Literal(place.as_bytes()),
        CommandPart::Text(" (\\Draft \\Seen) "),
        CommandPart::Literal(mime.as_bytes()),
    ];
    let answer = session.change(&parts).await?;
    let said = appended(&answer.condition.code);
    let id = match said {
        Some(id) => id,
        None => newest(session, &place, mime).await?,
    };
    if let Some(old) = replaces.filter(|old| **old != id) {
        drop_one(session, old).await?;
    }
    Ok(id)
}

async fn made(session: &mut Session) -> Result<String, RemoteFault> {
    let parts = [
        CommandPart::Text("CREATE "),
        CommandPart::Literal(NAME.as_bytes()),
    ];
    session.read_parts(&parts).await?;
    session.mailboxes = None;
    Ok(NAME.to_owned())
}

/// Parses the id from `APPENDUID 38505 3955` (RFC 4315).
fn appended(code: &[String]) -> Option<RemoteId> {
    match code {
        [name, validity, uid] if name.eq_ignore_ascii_case("APPENDUID") => {
            Some(named(validity.parse().ok()?, uid.parse().ok()?))
        }
        _ => None,
    }
}

/// Finds the id of an appended draft if the server did not report it.
async fn newest(session: &mut Session, place: &str, mime: &str) -> Result<RemoteId, RemoteFault> {
    let head = MessageParser::default().parse_headers(mime);
    let id = head.as_ref().and_then(mail_parser::Message::message_id);
    let id = id.filter(|id| is_searchable(id)).ok_or(RemoteFault::Gone)?;
    let found: Uids = holding(session, place, id).await?;
    let uid = found.newest_first().next().ok_or(RemoteFault::Gone)?;
    let opened = session.select(place, false).await?;
    Ok(named(opened.validity, uid))
}

async fn drop_one(session: &mut Session, id: &RemoteId) -> Result<(), Halt> {
    match open(session, id, true).await? {
        Some(uid) => file::drop_one(session, uid).await,
        None => Ok(()),
    }
}

fn fault(halt: Halt) -> RemoteFault {
    match halt {
        Halt::Refused(fault) => fault,
        // The next comparison of both sides shows whether it was done.
        Halt::Unknown(_) => RemoteFault::TimedOut,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_counts_in_the_mailbox_it_was_given_in() {
        let said = |code: &str| {
            let words: Vec<String> = code.split(' ').map(str::to_owned).collect();
            appended(&words)
        };
        let id = said("APPENDUID 38505 3955");
        assert_eq!(id, Some(RemoteId("38505.3955".into())));
        let id = id.unwrap_or_else(|| RemoteId(String::new()));
        assert_eq!(number(&id, 38_505), Some(3955));
        assert_eq!(number(&id, 1), None);
        for bad in [
            "",
            "APPENDUID 1",
            "APPENDUID x 1",
            "APPENDUID 1 2:3",
            "UIDNEXT 1 2",
        ] {
            assert_eq!(said(bad), None, "{bad}");
        }
    }
}
