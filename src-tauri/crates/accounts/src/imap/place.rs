//! Finds mails again, by the UID they were seen with or by their Message-ID.

use std::collections::BTreeMap;

use adjutant_domain::operation::{MailRef, RemoteFault};
use adjutant_domain::record::Folder;

use super::head::{self, Marks};
use super::mailboxes::Role;
use super::reply::Untagged;
use super::session::{CommandPart, Session};
use super::uids::Uids;

/// Maximum number of a person's own mailboxes that are searched for a mail.
const OWN_MAX: usize = 100;

/// The location of one mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) mailbox: String,
    pub(super) uid: u32,
    pub(super) marks: Marks,
    /// Size in bytes, as far as the server reports it.
    pub(super) size: u64,
}

/// Returns the location of each mail; `None` for mails that are nowhere.
pub(super) async fn find(
    session: &mut Session,
    mails: &[MailRef],
) -> Result<Vec<Option<Placed>>, RemoteFault> {
    let mut found: Vec<Option<Placed>> = vec![None; mails.len()];
    let mut seen_in: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, mail) in mails.iter().enumerate() {
        let mailbox = mail.collection.remote_id.0.as_str();
        seen_in.entry(mailbox).or_default().push(at);
    }
    for (mailbox, wanted) in seen_in {
        let opened = match session.select(mailbox, false).await {
            Err(RemoteFault::Gone) => continue,
            opened => opened?,
        };
        let numbered: Vec<(usize, u32)> = wanted
            .into_iter()
            .filter(|at| {
                mails[*at]
                    .uid_validity
                    .is_none_or(|seen| seen == opened.validity)
            })
            .filter_map(|at| Some((at, mails[at].remote_id.0.parse().ok()?)))
            .collect();
        let there = describe(
            session,
            mailbox,
            numbered.iter().map(|(_, uid)| *uid).collect(),
        )
        .await?;
        for (at, uid) in numbered {
            found[at] = there.iter().find(|one| one.uid == uid).cloned();
        }
    }
    find_by_id(session, mails, &mut found).await?;
    Ok(found)
}

/// Searches by Message-ID for mails that are no longer at their UID.
async fn find_by_id(
    session: &mut Session,
    mails: &[MailRef],
    found: &mut [Option<Placed>],
) -> Result<(), RemoteFault> {
    let is_lost = |found: &[Option<Placed>], at: usize| {
        found[at].is_none() && is_searchable(&mails[at].message_id)
    };
    if !(0..mails.len()).any(|at| is_lost(found, at)) {
        return Ok(());
    }
    let mut places: Vec<String> = mails
        .iter()
        .map(|mail| mail.collection.remote_id.0.clone())
        .collect();
    places.sort();
    places.dedup();
    for folder in [
        Folder::Inbox,
        Folder::Archive,
        Folder::Trash,
        Folder::Sent,
        Folder::Junk,
    ] {
        places.extend(
            session
                .place_of(folder)
                .await?
                .filter(|name| !places.contains(name)),
        );
    }
    let own = session.mailboxes().await?.iter();
    let own = own.filter(|one| one.role == Role::Own && !places.contains(&one.name));
    let own: Vec<String> = own.take(OWN_MAX).map(|one| one.name.clone()).collect();
    places.extend(own);
    for place in places {
        let lost: Vec<usize> = (0..mails.len()).filter(|at| is_lost(found, *at)).collect();
        if lost.is_empty() {
            break;
        }
        match session.select(&place, false).await {
            Err(RemoteFault::Gone) => continue,
            opened => opened?,
        };
        for at in lost {
            let newest = with_id(session, &mails[at].message_id)
                .await?
                .newest_first()
                .next();
            let there = describe(session, &place, newest.into_iter().collect()).await?;
            found[at] = there.into_iter().next();
        }
    }
    Ok(())
}

/// Tells whether a mailbox holds a mail with this Message-ID.
pub(super) async fn holds(
    session: &mut Session,
    mailbox: &str,
    message_id: &str,
) -> Result<bool, RemoteFault> {
    let found = holding(session, mailbox, message_id).await?;
    Ok(!found.is_empty())
}

/// Returns the mails with this Message-ID in a mailbox, which stays open afterwards.
pub(super) async fn holding(
    session: &mut Session,
    mailbox: &str,
    message_id: &str,
) -> Result<Uids, RemoteFault> {
    if !is_searchable(message_id) {
        return Ok(Uids::default());
    }
    match session.select(mailbox, false).await {
        Err(RemoteFault::Gone) => Ok(Uids::default()),
        opened => {
            opened?;
            with_id(session, message_id).await
        }
    }
}

/// Tells whether a Message-ID can be searched for. One made up here is in no header.
pub(super) fn is_searchable(message_id: &str) -> bool {
    let made_here = message_id.ends_with("@no-message-id.invalid");
    !message_id.is_empty() && !made_here && !message_id.chars().any(char::is_control)
}

async fn with_id(session: &mut Session, message_id: &str) -> Result<Uids, RemoteFault> {
    let id = format!("<{message_id}>");
    let parts = [
        CommandPart::Text("UID SEARCH UNDELETED HEADER Message-ID "),
        CommandPart::Literal(id.as_bytes()),
    ];
    Ok(session.read_parts(&parts).await?.found())
}

/// Fetches the locations of these UIDs in the open mailbox.
async fn describe(
    session: &mut Session,
    mailbox: &str,
    uids: Uids,
) -> Result<Vec<Placed>, RemoteFault> {
    if uids.is_empty() {
        return Ok(Vec::new());
    }
    let answer = session
        .read(&format!("UID FETCH {uids} (UID FLAGS RFC822.SIZE)"))
        .await?;
    let mails = answer.said.iter().filter_map(|said| match said {
        Untagged::Fetch(items) => Some(Placed {
            mailbox: mailbox.to_owned(),
            uid: head::uid(items)?,
            marks: head::marks(items)?,
            size: head::size(items)?,
        }),
        _ => None,
    });
    Ok(mails.filter(|mail| !mail.marks.deleted).collect())
}
