//! Marks, moves and deletes mails.

use std::collections::BTreeMap;

use adjutant_domain::operation::{MailOp, MailRef, Reconciled, RemoteFault, Why};
use adjutant_domain::record::Folder;

use super::names;
use super::place::{Placed, find, holds};
use super::session::{CommandPart, Halt, Session};
use super::uids::Uids;

/// The requests of one operation. A refusal counts as such only before the first request succeeded; later, the outcome
/// is unknown.
struct Changing<'a> {
    session: &'a mut Session,
    has_begun: bool,
}

impl Changing<'_> {
    async fn change(&mut self, command: &str) -> Result<(), Halt> {
        self.change_parts(&[CommandPart::Text(command)]).await
    }

    async fn change_parts(&mut self, parts: &[CommandPart<'_>]) -> Result<(), Halt> {
        let changed = self.session.change(parts).await;
        let changed = self.told(changed)?;
        self.has_begun = true;
        drop(changed);
        Ok(())
    }

    fn told<T>(&self, result: Result<T, impl Into<Halt>>) -> Result<T, Halt> {
        result.map_err(|halt| match halt.into() {
            Halt::Refused(_) if self.has_begun => Halt::Unknown(Why::NoReply),
            halt => halt,
        })
    }
}

/// The wanted place of one mail.
enum Destination {
    /// In this mailbox.
    In(String),
    /// Deleted.
    Nowhere,
}

/// Carries out an operation other than sending.
pub(super) async fn apply(session: &mut Session, op: &MailOp) -> Result<(), Halt> {
    match op {
        MailOp::Flag { mails, .. } => flag(session, mails, op).await,
        MailOp::Move { mails, .. } | MailOp::Delete { mails } => {
            let place = place(session, op, true).await?;
            let wanted = wanted(session, op, &place).await?;
            let placed = find(session, mails).await?;
            let mut changing = Changing {
                session,
                has_begun: false,
            };
            unlabel(&mut changing, op, &placed).await?;
            refile(&mut changing, mails, wanted, placed).await
        }
        MailOp::Send { .. } => Ok(()),
    }
}

/// Checks that all mails of an operation exist.
pub(super) async fn check(session: &mut Session, op: &MailOp) -> Result<(), RemoteFault> {
    let placed = find(session, mails(op)).await?;
    match placed.iter().all(Option::is_some) {
        true => Ok(()),
        false => Err(RemoteFault::Gone),
    }
}

/// Looks up whether an operation was carried out. Returns `None` if it was; the caller writes the receipt.
pub(super) async fn reconcile(
    session: &mut Session,
    op: &MailOp,
) -> Result<Option<Reconciled>, Halt> {
    let mails = mails(op);
    let placed = find(session, mails).await?;
    if let MailOp::Flag { .. } = op {
        let is_done = placed
            .iter()
            .all(|one| one.as_ref().is_some_and(|one| steps(op, one).is_empty()));
        return Ok((!is_done).then_some(Reconciled::NotDone));
    }
    let place = place(session, op, false).await?;
    let wanted = wanted(session, op, &place).await?;
    let mut is_lost = false;
    for (wanted, placed) in wanted.iter().zip(&placed) {
        match (wanted, placed) {
            (_, Some(placed)) if !steps(op, placed).is_empty() => {
                return Ok(Some(Reconciled::NotDone));
            }
            (Destination::In(mailbox), Some(placed)) if placed.mailbox == *mailbox => {}
            (Destination::Nowhere, None) => {}
            (_, Some(_)) => return Ok(Some(Reconciled::NotDone)),
            (Destination::In(_), None) => is_lost = true,
        }
    }
    Ok(is_lost.then_some(Reconciled::CannotTell))
}

fn mails(op: &MailOp) -> &[MailRef] {
    match op {
        MailOp::Flag { mails, .. } | MailOp::Move { mails, .. } | MailOp::Delete { mails } => mails,
        MailOp::Send { .. } => &[],
    }
}

/// Returns the target mailbox of an operation. With `make`, creates a missing one; otherwise returns an empty name for
/// it.
async fn place(session: &mut Session, op: &MailOp, make: bool) -> Result<String, Halt> {
    let folder = match op {
        MailOp::Move {
            into: Some(name), ..
        } => {
            return match make {
                true => session.made_mailbox_called(name).await,
                false => Ok(session.mailbox_called(name).await?.unwrap_or_default()),
            };
        }
        MailOp::Move { to, .. } => *to,
        _ => Folder::Trash,
    };
    match make {
        true => session.made_place_of(folder).await,
        false => Ok(session.place_of(folder).await?.unwrap_or_default()),
    }
}

/// Returns where each mail of the operation should end up.
async fn wanted(session: &mut Session, op: &MailOp, place: &str) -> Result<Vec<Destination>, Halt> {
    let trash = session.place_of(Folder::Trash).await?;
    let is_in_trash = |mail: &MailRef| trash.as_ref() == Some(&mail.collection.remote_id.0);
    let of = |mail: &MailRef| match op {
        MailOp::Delete { .. } if is_in_trash(mail) => Destination::Nowhere,
        _ => Destination::In(place.to_owned()),
    };
    Ok(mails(op).iter().map(of).collect())
}

/// Clears the labels that mails leave with their old place.
async fn unlabel(
    changing: &mut Changing<'_>,
    op: &MailOp,
    placed: &[Option<Placed>],
) -> Result<(), Halt> {
    if placed.iter().any(Option::is_none) {
        return Ok(());
    }
    for placed in placed.iter().flatten() {
        for step in steps(op, placed) {
            let opened = changing.session.select(&placed.mailbox, true).await;
            changing.told(opened)?;
            let command = format!("UID STORE {} {step}", placed.uid);
            changing.change(&command).await?;
        }
    }
    Ok(())
}

async fn refile(
    changing: &mut Changing<'_>,
    mails: &[MailRef],
    wanted: Vec<Destination>,
    placed: Vec<Option<Placed>>,
) -> Result<(), Halt> {
    let mut moves: BTreeMap<(String, String), Vec<(u32, String)>> = BTreeMap::new();
    let mut removals: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for ((wanted, placed), mail) in wanted.into_iter().zip(placed).zip(mails) {
        match (wanted, placed) {
            (Destination::In(to), Some(placed)) if placed.mailbox == to => {}
            (Destination::In(to), Some(placed)) => {
                let group = moves.entry((placed.mailbox, to)).or_default();
                group.push((placed.uid, mail.message_id.clone()));
            }
            (Destination::In(_), None) => return Err(RemoteFault::Gone.into()),
            (Destination::Nowhere, Some(placed)) => {
                removals.entry(placed.mailbox).or_default().push(placed.uid);
            }
            (Destination::Nowhere, None) => {}
        }
    }
    for ((from, to), mails) in moves {
        if changing.session.can("MOVE") {
            let opened = changing.session.select(&from, true).await;
            changing.told(opened)?;
            let uids: Uids = mails.iter().map(|(uid, _)| *uid).collect();
            let command = format!("UID MOVE {uids} ");
            changing
                .change_parts(&[
                    CommandPart::Text(&command),
                    CommandPart::Literal(to.as_bytes()),
                ])
                .await?;
        } else {
            copy_then_remove(changing, &from, &to, &mails).await?;
        }
    }
    for (from, uids) in removals {
        let opened = changing.session.select(&from, true).await;
        changing.told(opened)?;
        remove(changing, uids.into_iter().collect()).await?;
    }
    Ok(())
}

/// Moves mails on servers without MOVE: copies them, then removes the originals. Does not repeat a copy that an
/// interrupted attempt already made.
async fn copy_then_remove(
    changing: &mut Changing<'_>,
    from: &str,
    to: &str,
    mails: &[(u32, String)],
) -> Result<(), Halt> {
    let mut missing = Vec::new();
    for (uid, message_id) in mails {
        let held = holds(changing.session, to, message_id).await;
        if !changing.told(held)? {
            missing.push(*uid);
        }
    }
    let opened = changing.session.select(from, true).await;
    changing.told(opened)?;
    if !missing.is_empty() {
        let uids: Uids = missing.into_iter().collect();
        let command = format!("UID COPY {uids} ");
        changing
            .change_parts(&[
                CommandPart::Text(&command),
                CommandPart::Literal(to.as_bytes()),
            ])
            .await?;
    }
    remove(changing, mails.iter().map(|(uid, _)| *uid).collect()).await
}

/// Removes mails from the open mailbox, but not others marked as deleted. If the server can only expunge everything and
/// there are such mails, leaves all of them marked as deleted, which counts as gone.
async fn remove(changing: &mut Changing<'_>, uids: Uids) -> Result<(), Halt> {
    changing
        .change(&format!("UID STORE {uids} +FLAGS.SILENT (\\Deleted)"))
        .await?;
    if changing.session.can("UIDPLUS") {
        return changing.change(&format!("UID EXPUNGE {uids}")).await;
    }
    let deleted = changing.session.read("UID SEARCH DELETED").await;
    match changing.told(deleted)?.found() == uids {
        true => changing.change("EXPUNGE").await,
        false => Ok(()),
    }
}

/// Removes one mail from the open mailbox.
pub(super) async fn drop_one(session: &mut Session, uid: u32) -> Result<(), Halt> {
    let mut changing = Changing {
        session,
        has_begun: false,
    };
    remove(&mut changing, std::iter::once(uid).collect()).await
}

async fn flag(session: &mut Session, mails: &[MailRef], op: &MailOp) -> Result<(), Halt> {
    let placed = find(session, mails).await?;
    let mut groups: BTreeMap<(String, String), Vec<u32>> = BTreeMap::new();
    for placed in placed {
        let placed = placed.ok_or(RemoteFault::Gone)?;
        for step in steps(op, &placed) {
            groups
                .entry((placed.mailbox.clone(), step))
                .or_default()
                .push(placed.uid);
        }
    }
    let needs_keywords = matches!(op, MailOp::Flag { add_labels, .. } if !add_labels.is_empty());
    let mut changing = Changing {
        session,
        has_begun: false,
    };
    for ((mailbox, step), uids) in groups {
        let opened = changing.session.select(&mailbox, true).await;
        let opened = changing.told(opened)?;
        if needs_keywords && !opened.takes_keywords {
            let what = "this mail server does not keep labels".into();
            return changing.told(Err(RemoteFault::Refused { what }));
        }
        let uids: Uids = uids.into_iter().collect();
        changing.change(&format!("UID STORE {uids} {step}")).await?;
    }
    Ok(())
}

/// Returns the flag changes that one mail still needs.
fn steps(op: &MailOp, placed: &Placed) -> Vec<String> {
    let (read, starred, add_labels, remove_labels) = match op {
        MailOp::Flag {
            read,
            starred,
            add_labels,
            remove_labels,
            ..
        } => (*read, *starred, add_labels.as_slice(), remove_labels),
        MailOp::Move { leaves, .. } => (None, None, &[][..], leaves),
        MailOp::Send { .. } | MailOp::Delete { .. } => return Vec::new(),
    };
    let (mut set, mut clear) = (Vec::new(), Vec::new());
    let known = [
        ("\\Seen", read, placed.marks.read),
        ("\\Flagged", starred, placed.marks.starred),
    ];
    for (flag, wanted, is_set) in known {
        match wanted {
            Some(true) if !is_set => set.push(flag.to_owned()),
            Some(false) if is_set => clear.push(flag.to_owned()),
            _ => {}
        }
    }
    let has = |label: &String| {
        placed
            .marks
            .labels
            .iter()
            .any(|own| own.eq_ignore_ascii_case(label))
    };
    set.extend(
        add_labels
            .iter()
            .filter(|label| !has(label))
            .map(|label| names::keyword(label)),
    );
    clear.extend(
        remove_labels
            .iter()
            .filter(|label| has(label))
            .map(|label| names::keyword(label)),
    );
    let step = |sign: &str, flags: Vec<String>| {
        (!flags.is_empty()).then(|| format!("{sign}FLAGS.SILENT ({})", flags.join(" ")))
    };
    step("+", set).into_iter().chain(step("-", clear)).collect()
}
