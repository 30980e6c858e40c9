//! The contract of a provider, as tests: every backend runs all of it against a server of its kind (`Rig`).
//!
//! ```ignore
//! #[tokio::test]
//! async fn it_keeps_the_contract() {
//!     suite::run(MyRig::new).await;
//! }
//! ```

mod applying;
mod cases;
mod checking;
mod families;
mod reading;

use adjutant_domain::account::CollectionKind;
use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{Etag, RemoteFault, RemoteId};
use adjutant_domain::ports::Backends;
use adjutant_domain::record::Record;

use super::scripted::{ScriptedRemote, Trouble};

/// A server that a backend talks to, with controls that stand in for other clients and the network.
pub trait Rig: Send + Sync {
    /// The backends under test.
    fn backends(&self) -> Backends;
    /// The account they serve.
    fn account(&self) -> AccountId;
    /// Prepares trouble for the next request.
    fn meet(&self, trouble: Trouble);
    /// Puts rows there, or changes them, as another client would.
    fn put(&self, collection: &RemoteId, remote_id: &RemoteId, rows: Vec<Record>) -> Option<Etag>;
    /// Attaches files to a mail, as another client would.
    fn attach(&self, collection: &RemoteId, remote_id: &RemoteId, files: Vec<Vec<u8>>);
    /// Deletes an item, as another client would.
    fn delete(&self, collection: &RemoteId, remote_id: &RemoteId);
    /// Makes the server forget every cursor it has issued.
    fn forget_cursors(&self);
    /// Makes the server refuse mail to an address.
    fn refuse_recipient(&self, email: &str);
    /// Returns whether the server reports refused recipients at once rather than by a bounce mail.
    fn tells_refused_recipients(&self) -> bool {
        true
    }
    /// Returns how many changing requests the server has carried out.
    fn carried_out(&self) -> usize;
    /// Returns the server's name for the item last put there under `name`; some servers choose names themselves.
    fn named(&self, name: &RemoteId) -> RemoteId {
        name.clone()
    }
    /// Returns the faults with which the server can be made to refuse a request.
    fn faults(&self) -> Vec<RemoteFault> {
        vec![
            RemoteFault::not_signed_in(self.account()),
            RemoteFault::Limited {
                retry_after_seconds: Some(30),
            },
            RemoteFault::Unreachable,
            RemoteFault::TimedOut,
        ]
    }
}

impl Rig for ScriptedRemote {
    fn backends(&self) -> Backends {
        Self::backends(self)
    }
    fn account(&self) -> AccountId {
        "acc_scripted".into()
    }
    fn meet(&self, trouble: Trouble) {
        Self::meet(self, trouble);
    }
    fn put(&self, collection: &RemoteId, remote_id: &RemoteId, rows: Vec<Record>) -> Option<Etag> {
        Some(Self::put(self, collection, remote_id, rows))
    }
    fn attach(&self, collection: &RemoteId, remote_id: &RemoteId, files: Vec<Vec<u8>>) {
        Self::attach(self, collection, remote_id, files);
    }
    fn delete(&self, collection: &RemoteId, remote_id: &RemoteId) {
        Self::delete(self, collection, remote_id);
    }
    fn forget_cursors(&self) {
        Self::forget_cursors(self);
    }
    fn refuse_recipient(&self, email: &str) {
        Self::refuse_recipient(self, email);
    }
    fn carried_out(&self) -> usize {
        Self::carried_out(self)
    }
}

/// Runs the whole contract, each part with a new server.
pub async fn run<R: Rig>(fresh: impl Fn() -> R) {
    for kind in offered(&fresh().backends()) {
        reading::reads_everything_then_changes(&fresh(), kind).await;
        reading::reads_page_by_page(&fresh(), kind).await;
        reading::refuses_an_unknown_cursor(&fresh(), kind).await;
        reading::stops_when_nothing_can_be_stored(&fresh(), kind).await;
        reading::tells_why_it_cannot_read(&fresh(), kind).await;
        for case in cases::cases(kind).iter().copied() {
            applying::is_done_once(&fresh(), kind, case).await;
            applying::is_known_after_a_lost_reply(&fresh(), kind, case).await;
            applying::is_known_after_a_lost_request(&fresh(), kind, case).await;
            applying::is_refused_for_a_reason(&fresh(), kind, case).await;
            checking::holds_while_nothing_changed(&fresh(), kind, case).await;
            if case.touches_what_is_there() {
                applying::is_refused_when_it_is_gone(&fresh(), kind, case).await;
                checking::fails_when_it_is_gone(&fresh(), kind, case).await;
                checking::says_that_it_cannot_tell(&fresh(), kind, case).await;
            }
            if case.is_conditional(kind) {
                applying::is_refused_when_it_was_changed(&fresh(), kind, case).await;
                checking::fails_when_it_was_changed(&fresh(), kind, case).await;
            }
        }
    }
    if fresh().backends().mail.is_some() {
        if fresh().tells_refused_recipients() {
            families::accepts_a_part_of_the_recipients(&fresh()).await;
        }
        families::knows_a_renumbered_mailbox(&fresh()).await;
        families::fetches_and_searches_mail(&fresh()).await;
    }
    if fresh().backends().calendar.is_some() {
        families::tells_when_people_are_busy(&fresh()).await;
    }
}

fn offered(backends: &Backends) -> Vec<CollectionKind> {
    let all = [
        (backends.calendar.is_some(), CollectionKind::Calendar),
        (backends.mail.is_some(), CollectionKind::Mailbox),
        (backends.tasks.is_some(), CollectionKind::TaskList),
        (backends.contacts.is_some(), CollectionKind::AddressBook),
    ];
    let there = all.into_iter().filter(|(there, _)| *there);
    there.map(|(_, kind)| kind).collect()
}

#[cfg(test)]
mod tests;
