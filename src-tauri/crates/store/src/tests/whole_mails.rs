//! Tests of a mailbox whose mails are read in part: reading stops and continues, and a mail is completed when somebody
//! opens it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use adjutant_domain::account::{Account, AccountState, Collection, CollectionKind, Cursor};
use adjutant_domain::filter::Filter;
use adjutant_domain::ids::RecordId;
use adjutant_domain::job::Progress;
use adjutant_domain::operation::{
    Attempt, Ended, Key, MailOp, MailRef, Reconciled, RemoteFault, RemoteId,
};
use adjutant_domain::ports::{
    Backend, Backends, MailBackend, NotRead, PullFault, Pulled, PulledWhat, Records as _,
    RemoteCollection, Sink,
};
use adjutant_domain::record::{Mail, Record};
use async_trait::async_trait;
use std::sync::Mutex;

use super::{fresh, mail, noon, who};
use crate::Store;

/// A mailbox of numbered mails, delivered one per page. Its cursor is the number of mails delivered.
struct Postbox {
    /// Present UIDVALIDITY, and the number of the last mail.
    validity: AtomicUsize,
    mails: AtomicUsize,
    /// Number of the mail before which the connection breaks.
    breaks_at: AtomicUsize,
    delivered: Mutex<Vec<usize>>,
}

impl Postbox {
    fn with(mails: usize) -> Arc<Self> {
        Arc::new(Self {
            validity: AtomicUsize::new(1),
            mails: AtomicUsize::new(mails),
            breaks_at: AtomicUsize::new(usize::MAX),
            delivered: Mutex::default(),
        })
    }

    fn backends(self: &Arc<Self>) -> Backends {
        Backends {
            mail: Some(self.clone()),
            ..Backends::default()
        }
    }

    fn delivered(&self) -> Vec<usize> {
        std::mem::take(&mut *self.delivered.lock().expect("a list"))
    }

    fn cursor(&self, upto: usize) -> Cursor {
        Cursor(format!("{} {upto}", self.validity.load(Ordering::Relaxed)))
    }
}

fn beginning(number: usize) -> Mail {
    let id = format!("m{number}");
    let mut mail = mail(&id, who("Nadia", "nadia@work.example"), &id, "The begin");
    mail.message_id = format!("{id}@work.example");
    mail
}

#[async_trait]
impl Backend<MailOp> for Postbox {
    async fn collections(&self) -> Result<Vec<RemoteCollection>, RemoteFault> {
        let inbox = RemoteCollection {
            remote_id: RemoteId("INBOX".into()),
            kind: CollectionKind::Mailbox,
            name: "Inbox".into(),
            colour: None,
            writable: true,
        };
        Ok(vec![inbox])
    }

    async fn pull(
        &self,
        _: &Collection,
        cursor: Option<&Cursor>,
        sink: &mut dyn Sink,
    ) -> Result<Cursor, PullFault> {
        let validity = self.validity.load(Ordering::Relaxed);
        let from = match cursor.and_then(|cursor| cursor.0.split_once(' ')) {
            None => 0,
            Some((seen, from)) if seen == validity.to_string() => from.parse().unwrap_or(0),
            Some(_) => return Err(PullFault::CursorRefused),
        };
        let mails = self.mails.load(Ordering::Relaxed);
        sink.expects(mails - from);
        for number in from..mails {
            if number == self.breaks_at.load(Ordering::Relaxed) {
                return Err(RemoteFault::Unreachable.into());
            }
            self.delivered.lock().expect("a list").push(number);
            let what = PulledWhat::There {
                etag: None,
                uid_validity: u32::try_from(validity).ok(),
                rows: vec![Record::Mail(beginning(number))],
                source: None,
            };
            let remote_id = RemoteId(format!("{validity}-{number}"));
            sink.take(vec![Pulled { remote_id, what }]).await?;
            sink.reached(self.cursor(number + 1)).await?;
        }
        Ok(self.cursor(mails))
    }

    async fn apply(&self, _: &MailOp, _: &Key) -> Ended {
        Ended::Refused {
            fault: RemoteFault::Gone,
        }
    }

    async fn check(&self, _: &MailOp) -> Result<(), RemoteFault> {
        Ok(())
    }

    async fn reconcile(&self, _: &MailOp, _: &Attempt) -> Reconciled {
        Reconciled::NotDone
    }
}

#[async_trait]
impl MailBackend for Postbox {
    async fn body(&self, _: &MailRef) -> Result<Vec<u8>, RemoteFault> {
        Err(RemoteFault::Gone)
    }

    async fn attachment(&self, _: &MailRef, _: usize) -> Result<Vec<u8>, RemoteFault> {
        Err(RemoteFault::Gone)
    }

    async fn search(&self, _: &str, _: usize) -> Result<Vec<Pulled>, RemoteFault> {
        Ok(Vec::new())
    }
}

async fn connected(store: &Arc<Store>, postbox: &Arc<Postbox>) {
    let account = Account {
        id: "acc".into(),
        kind: "scripted".into(),
        label: "Work".into(),
        addresses: Vec::new(),
        state: AccountState::Ready,
    };
    store.put_account(account).await.expect("an account");
    let listed = postbox.backends().list().await.expect("a list");
    let put = store.put_collections("acc".into(), listed).await;
    put.expect("collections");
}

async fn sync(store: &Arc<Store>, postbox: &Arc<Postbox>) -> (Result<(), NotRead>, Vec<Progress>) {
    let told = Mutex::new(Vec::new());
    let read = store
        .sync(&"acc".into(), &postbox.backends(), &|progress| {
            told.lock().expect("a list").push(progress);
        })
        .await;
    (read, told.into_inner().expect("a list"))
}

async fn mails(store: &Store) -> Vec<Mail> {
    let mut all = store.mails(&Filter::all()).await.expect("mails");
    all.sort_by(|one, other| one.subject.cmp(&other.subject));
    all
}

#[tokio::test]
async fn continues_an_interrupted_reading() {
    let (_folder, store) = fresh();
    let postbox = Postbox::with(5);
    connected(&store, &postbox).await;
    postbox.breaks_at.store(2, Ordering::Relaxed);
    let (read, told) = sync(&store, &postbox).await;
    let broke_off = PullFault::Remote(RemoteFault::Unreachable);
    let broke_off = NotRead::Collection(CollectionKind::Mailbox, broke_off);
    assert_eq!(read, Err(broke_off));
    let far = |done, total| Progress { done, total };
    assert_eq!(told, [far(0, 5), far(1, 5), far(2, 5)]);
    assert_eq!(postbox.delivered(), [0, 1]);
    postbox.breaks_at.store(usize::MAX, Ordering::Relaxed);
    sync(&store, &postbox).await.0.expect("read");
    assert_eq!(postbox.delivered(), [2, 3, 4], "none of them twice");
    assert_eq!(mails(&store).await.len(), 5);
    sync(&store, &postbox).await.0.expect("read");
    assert_eq!(postbox.delivered(), Vec::<usize>::new());
}

/// The server assigns new UIDs and has one mail fewer, and reading is interrupted. Only the missing mail is removed.
#[tokio::test]
async fn rereading_in_two_parts_removes_only_missing_mail() {
    let (_folder, store) = fresh();
    let postbox = Postbox::with(4);
    connected(&store, &postbox).await;
    sync(&store, &postbox).await.0.expect("read");
    let ids: Vec<RecordId> = mails(&store).await.into_iter().map(|one| one.id).collect();
    postbox.validity.store(2, Ordering::Relaxed);
    postbox.mails.store(3, Ordering::Relaxed);
    postbox.breaks_at.store(1, Ordering::Relaxed);
    sync(&store, &postbox).await.0.expect_err("cut off");
    assert_eq!(mails(&store).await.len(), 4, "not known yet what is gone");
    postbox.breaks_at.store(usize::MAX, Ordering::Relaxed);
    postbox.delivered();
    sync(&store, &postbox).await.0.expect("read");
    assert_eq!(postbox.delivered(), [1, 2]);
    let left: Vec<RecordId> = mails(&store).await.into_iter().map(|one| one.id).collect();
    assert_eq!(left, ids[..3], "the same records");
}

async fn fetched(store: &Store, id: &RecordId, bytes: usize, minutes: i64, bytes_max: u64) {
    let mut whole = beginning(0);
    whole.text = "The beginning and the end".into();
    let at = noon() + jiff::SignedDuration::from_mins(minutes);
    let kept = store.keep_fetched(id.clone(), whole, vec![b'x'; bytes], at, bytes_max);
    kept.await.expect("kept");
}

#[tokio::test]
async fn keeps_fetched_mail_within_a_limit() {
    let (_folder, store) = fresh();
    let postbox = Postbox::with(3);
    connected(&store, &postbox).await;
    sync(&store, &postbox).await.0.expect("read");
    let all = mails(&store).await;
    let ids: Vec<RecordId> = all.iter().map(|one| one.id.clone()).collect();
    let places = store.rest_of_mail(ids[0].clone()).await.expect("places");
    assert_eq!(places[0].1.remote_id, RemoteId("1-0".into()));
    assert_eq!(places[0].1.message_id, "m0@work.example");
    for (minutes, id) in (0..).zip(&ids) {
        fetched(&store, id, 100, minutes, 150).await;
    }
    let one = &mails(&store).await[0];
    assert_eq!(one.text, "The beginning and the end");
    assert_eq!(one.version, all[0].version, "a card about it still holds");
    assert_eq!(
        store.mail_source(&ids[0]).await,
        Ok(None),
        "the first that came"
    );
    assert!(store.mail_source(&ids[1]).await.expect("read").is_some());
    assert!(store.mail_source(&ids[2]).await.expect("read").is_some());
    let in_part = store.mails_in_part(ids.clone()).await.expect("read");
    assert_eq!(in_part.into_iter().collect::<Vec<_>>(), ids[..1]);
    assert_eq!(store.rest_of_mail(ids[2].clone()).await, Ok(Vec::new()));
    // A further reading brings only the beginning again, but the stored mail does not shrink.
    postbox.validity.store(2, Ordering::Relaxed);
    sync(&store, &postbox).await.0.expect("read");
    assert_eq!(mails(&store).await[0].text, "The beginning and the end");
    // A mail that is only on this computer cannot be fetched again, so it stays, however little room is left.
    store.leave_account("acc".into()).await.expect("left");
    fetched(&store, &ids[0], 100, 9, 0).await;
    for id in &ids {
        assert!(store.mail_source(id).await.expect("read").is_some());
    }
}
