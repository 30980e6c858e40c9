//! Reads a mailbox: everything, newest first, or what changed since the last reading.

use adjutant_domain::account::Cursor;
use adjutant_domain::operation::{RemoteFault, RemoteId};
use adjutant_domain::ports::provider::PAGE_MAX;
use adjutant_domain::ports::{PullFault, Pulled, PulledWhat, Sink};
use adjutant_domain::record::Record;

use super::cursor::{Labels, MailboxCursor};
use super::head::{self, Head, World};
use super::mailboxes::Mailbox;
use super::reply::Untagged;
use super::session::{CommandPart, Opened, Session};
use super::uids::Uids;

/// Number of mails in a first reading that count as new.
const NEW_MAX: usize = 2_000;
/// Size of the first page, kept small so that the newest mails appear at once.
const FIRST_PAGE: usize = 25;

/// Number of the newest mails whose labels are compared if the server does not count changes.
const LABELS_MAX: usize = 1_000;
/// Number of mails whose flags one request reads.
const FLAGS_MAX: usize = 500;

/// The changes to deliver, and the resulting state of the mailbox.
struct Changes {
    /// New mails and mails with changed flags.
    fetch: Uids,
    gone: Uids,
    mark: MailboxCursor,
    /// The state from which an interrupted first reading resumes. `None` if only changes are read.
    from: Option<MailboxCursor>,
}

/// Reads a mailbox as `Backend::pull` describes.
pub(super) async fn pull(
    session: &mut Session,
    name: &str,
    cursor: Option<&Cursor>,
    world: &World,
    sink: &mut dyn Sink,
) -> Result<Cursor, PullFault> {
    let before = match cursor.map(MailboxCursor::read) {
        None => None,
        Some(None) => return Err(PullFault::CursorRefused),
        Some(Some(mark)) => Some(mark),
    };
    let mailbox = session.mailbox(name).await?;
    let opened = session.select(name, false).await?;
    let changes = match before {
        None => everything(session, &opened).await?,
        Some(before) if before.validity != opened.validity => return Err(PullFault::CursorRefused),
        Some(before) if is_same(&before, &opened) => return Ok(before.cursor()),
        Some(before) if before.modseq > 0 && opened.modseq > 0 => {
            counted(session, before, &opened).await?
        }
        Some(before) => compared(session, before, &opened).await?,
    };
    deliver(session, &mailbox, &changes, world, sink).await?;
    let gone: Vec<u32> = changes.gone.newest_first().collect();
    for page in gone.chunks(PAGE_MAX) {
        let page = page.iter().map(|uid| Pulled {
            remote_id: RemoteId(uid.to_string()),
            what: PulledWhat::Gone,
        });
        sink.take(page.collect()).await?;
    }
    Ok(changes.mark.cursor())
}

/// Delivers new mails and mails with changed flags, newest first.
async fn deliver(
    session: &mut Session,
    mailbox: &Mailbox,
    changes: &Changes,
    world: &World,
    sink: &mut dyn Sink,
) -> Result<(), PullFault> {
    let uids: Vec<u32> = changes.fetch.newest_first().collect();
    sink.expects(uids.len());
    let mut from = changes.from.clone();
    let (first, others) = uids.split_at(uids.len().min(FIRST_PAGE));
    let pages = std::iter::once(first).chain(others.chunks(PAGE_MAX));
    for page in pages.filter(|page| !page.is_empty()) {
        let is_old = |mark: &MailboxCursor| mark.known.count() >= NEW_MAX;
        let bytes = match from.as_ref().is_some_and(is_old) {
            true => head::OLD_HEAD_BYTES,
            false => head::HEAD_BYTES,
        };
        let heads = fetch(session, page, bytes, mailbox, world).await?;
        let pulled = heads
            .into_iter()
            .map(|head| there(head, changes.mark.validity));
        sink.take(pulled.collect()).await?;
        if let Some(mark) = &mut from {
            mark.known = mark.known.with(&page.iter().copied().collect());
            sink.reached(mark.cursor()).await?;
        }
    }
    Ok(())
}

/// Tells whether the mailbox certainly has not changed.
pub(super) fn is_same(before: &MailboxCursor, opened: &Opened) -> bool {
    let counts = opened.modseq > 0 && opened.next > 0;
    counts
        && !before.is_partial
        && before.validity == opened.validity
        && (before.modseq, before.next, before.exists)
            == (opened.modseq, opened.next, opened.exists)
}

fn mark(opened: &Opened, known: Uids) -> MailboxCursor {
    MailboxCursor {
        is_partial: false,
        validity: opened.validity,
        next: opened.next,
        exists: opened.exists,
        modseq: opened.modseq,
        known,
        unread: Uids::default(),
        starred: Uids::default(),
        labels: Labels::default(),
    }
}

async fn everything(session: &mut Session, opened: &Opened) -> Result<Changes, RemoteFault> {
    let known = search(session, "UNDELETED").await?;
    let mut mark = mark(opened, known.clone());
    if mark.modseq == 0 {
        add_flags(session, &mut mark).await?;
    }
    let from = MailboxCursor {
        is_partial: true,
        known: Uids::default(),
        ..mark.clone()
    };
    Ok(Changes {
        fetch: known,
        gone: Uids::default(),
        mark,
        from: Some(from),
    })
}

/// Finds changes with CONDSTORE and, if available, removed mails with QRESYNC.
async fn counted(
    session: &mut Session,
    before: MailboxCursor,
    opened: &Opened,
) -> Result<Changes, RemoteFault> {
    // VANISHED does not help to find mails that were never delivered.
    let remembers = session.can("QRESYNC") && !before.is_partial;
    let vanished = if remembers { " VANISHED" } else { "" };
    let command = format!(
        "UID FETCH 1:* (UID FLAGS) (CHANGEDSINCE {}{vanished})",
        before.modseq
    );
    let answer = session.read(&command).await?;
    let (mut changed, mut gone) = (Vec::new(), Uids::default());
    let mut deleted = Vec::new();
    for said in &answer.said {
        match said {
            Untagged::Vanished(uids) => gone = gone.with(uids),
            Untagged::Fetch(items) => match (head::uid(items), head::marks(items)) {
                (Some(uid), Some(marks)) if marks.deleted => deleted.push(uid),
                (Some(uid), Some(_)) => changed.push(uid),
                _ => {}
            },
            _ => {}
        }
    }
    let mut fetch: Uids = changed.into_iter().collect();
    gone = gone.with(&deleted.into_iter().collect());
    if !remembers {
        let all = search(session, "UNDELETED").await?;
        gone = gone.with(&before.known.without(&all));
        fetch = fetch.with(&all.without(&before.known));
    }
    let gone = gone.within(&before.known).without(&fetch);
    let known = before.known.with(&fetch).without(&gone);
    Ok(Changes {
        fetch,
        gone,
        mark: mark(opened, known),
        from: before.is_partial.then_some(before),
    })
}

/// Finds changes without CONDSTORE by comparing which mails exist, are unread and are starred, and the labels of the
/// newest.
async fn compared(
    session: &mut Session,
    before: MailboxCursor,
    opened: &Opened,
) -> Result<Changes, RemoteFault> {
    let all = search(session, "UNDELETED").await?;
    let mut mark = mark(opened, all.clone());
    add_flags(session, &mut mark).await?;
    let differ = |one: &Uids, other: &Uids| one.without(other).with(&other.without(one));
    let oldest = newest(&all).last().copied().unwrap_or_default();
    let marked = differ(&mark.unread, &before.unread)
        .with(&differ(&mark.starred, &before.starred))
        .with(&mark.labels.differing(&before.labels, oldest));
    let fetch = all.without(&before.known).with(&marked.within(&all));
    if mark.modseq > 0 {
        (mark.unread, mark.starred) = (Uids::default(), Uids::default());
        mark.labels = Labels::default();
    }
    Ok(Changes {
        fetch,
        gone: before.known.without(&all),
        mark,
        from: before.is_partial.then_some(before),
    })
}

/// Adds which mails are unread and starred, and the labels of the newest.
async fn add_flags(session: &mut Session, mark: &mut MailboxCursor) -> Result<(), RemoteFault> {
    mark.unread = search(session, "UNSEEN").await?;
    mark.starred = search(session, "FLAGGED").await?;
    for page in newest(&mark.known).chunks(FLAGS_MAX) {
        let wanted: Uids = page.iter().copied().collect();
        let command = format!("UID FETCH {wanted} (UID FLAGS)");
        for said in &session.read(&command).await?.said {
            if let Untagged::Fetch(items) = said
                && let (Some(uid), Some(marks)) = (head::uid(items), head::marks(items))
                && wanted.contains(uid)
            {
                mark.labels.add(uid, &marks.labels);
            }
        }
    }
    Ok(())
}

/// Returns the newest mails, whose labels are compared.
fn newest(known: &Uids) -> Vec<u32> {
    known.newest_first().take(LABELS_MAX).collect()
}

async fn search(session: &mut Session, what: &str) -> Result<Uids, RemoteFault> {
    Ok(session.read(&format!("UID SEARCH {what}")).await?.found())
}

/// Fetches mails of the open mailbox, newest first. Skips mails that no longer exist or that the server does not
/// describe.
async fn fetch(
    session: &mut Session,
    uids: &[u32],
    bytes: usize,
    mailbox: &Mailbox,
    world: &World,
) -> Result<Vec<Head>, RemoteFault> {
    let wanted: Uids = uids.iter().copied().collect();
    let command = format!("UID FETCH {wanted} {}", head::items(bytes));
    let answer = session.read(&command).await?;
    let mut heads = Vec::new();
    for said in &answer.said {
        let Untagged::Fetch(items) = said else {
            continue;
        };
        if head::bytes(items).is_none() || head::marks(items).is_some_and(|marks| marks.deleted) {
            continue;
        }
        match head::head(items, bytes, mailbox, world) {
            Some(head) if wanted.contains(head.uid) => heads.push(head),
            _ => tracing::warn!("the mail server describes a mail in a way that makes no sense"),
        }
    }
    heads.sort_by_key(|head| std::cmp::Reverse(head.uid));
    heads.dedup_by_key(|head| head.uid);
    Ok(heads)
}

fn there(head: Head, validity: u32) -> Pulled {
    Pulled {
        remote_id: RemoteId(head.uid.to_string()),
        what: PulledWhat::There {
            etag: None,
            uid_validity: Some(validity),
            rows: vec![Record::Mail(head.mail)],
            source: head.source,
        },
    }
}

/// Returns at most `limit` mails that contain all the words, newest first.
pub(super) async fn find_words(
    session: &mut Session,
    words: &str,
    limit: usize,
    world: &World,
) -> Result<Vec<Pulled>, RemoteFault> {
    let limit = limit.min(PAGE_MAX);
    let charset = if words.is_ascii() {
        ""
    } else {
        "CHARSET UTF-8 "
    };
    let start = format!("UID SEARCH {charset}UNDELETED");
    let mut parts = vec![CommandPart::Text(&start)];
    for word in words.split_whitespace() {
        parts.extend([
            CommandPart::Text(" TEXT "),
            CommandPart::Literal(word.as_bytes()),
        ]);
    }
    let mut heads = Vec::new();
    for mailbox in searched(session.mailboxes().await?) {
        let opened = match session.select(&mailbox.name, false).await {
            Err(RemoteFault::Gone) => continue,
            opened => opened?,
        };
        let found = session.read_parts(&parts).await?.found();
        let newest: Vec<u32> = found.newest_first().take(limit).collect();
        if newest.is_empty() {
            continue;
        }
        let found = fetch(session, &newest, head::OLD_HEAD_BYTES, &mailbox, world).await?;
        heads.extend(found.into_iter().map(|head| (opened.validity, head)));
    }
    heads.sort_by_key(|(_, head)| std::cmp::Reverse(head.mail.date));
    heads.truncate(limit);
    Ok(heads
        .into_iter()
        .map(|(validity, head)| there(head, validity))
        .collect())
}

/// Returns the mailboxes to search: the all-mail mailbox if there is one, otherwise every mailbox that is shown.
fn searched(all: &[Mailbox]) -> Vec<Mailbox> {
    use super::mailboxes::Role;
    let everything: Vec<Mailbox> = all
        .iter()
        .filter(|one| one.role == Role::All)
        .cloned()
        .collect();
    if !everything.is_empty() {
        return everything;
    }
    all.iter().filter(|one| one.is_shown()).cloned().collect()
}
