//! Tests every status and every way to lose a reply with every operation: the reported outcome is true, and a retry
//! with the same key does the operation once.

use std::sync::Arc;

use adjutant_domain::account::CollectionKind;
use adjutant_domain::operation::{
    Attempt, CalendarOp, ContactOp, Ended, Key, Participation, Reconciled, RemoteFault, RemoteId,
    RemoteOp, TaskOp, Why,
};
use adjutant_domain::ports::RemoteExecutor as _;
use adjutant_domain::record::Record;
use adjutant_testkit::remote::Trouble;
use jiff::Timestamp;

use crate::door::{Meets, lock, reply};
use crate::radicale::Radicale;
use crate::rig::DavRig;

const MEETING: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Other//EN\r\nBEGIN:VEVENT\r\nUID:m1\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260115T090000Z\r\nDTEND:20260115T100000Z\r\nSUMMARY:Meeting\r\nORGANIZER:mailto:boss@work.example\r\nATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:me@home.example\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

#[derive(Clone, Copy, Debug, PartialEq)]
enum RequestKind {
    Create,
    Update,
    Delete,
    Move,
    Respond,
    Task,
    Card,
}

impl RequestKind {
    const ALL: [Self; 7] = [
        Self::Create,
        Self::Update,
        Self::Delete,
        Self::Move,
        Self::Respond,
        Self::Task,
        Self::Card,
    ];

    fn method(self) -> &'static str {
        match self {
            Self::Delete => "DELETE",
            Self::Move => "MOVE",
            _ => "PUT",
        }
    }
}

/// Returns an account with the meeting and another calendar, and the operation to carry out.
async fn prepared(server: &Arc<Radicale>, asked: RequestKind) -> (DavRig, RemoteOp) {
    let rig = DavRig::new(server).await;
    let path = format!("{}m1.ics", rig.calendar);
    rig.other.put(&path, MEETING);
    let to = rig.other.calendar("work", "VEVENT", "Work");
    let seen = rig.only(CollectionKind::Calendar, &rig.calendar).await;
    let collection = rig.place(&rig.calendar);
    let Record::Event(event) = seen.rows[0].clone() else {
        panic!("no event");
    };
    let (remote_id, etag) = (seen.remote_id, seen.etag);
    let (uid, sequence) = (event.uid.clone(), event.sequence);
    let mut changed = event.clone();
    changed.summary = "Changed".into();
    let update = |rows, moves_to| CalendarOp::Update {
        collection: collection.clone(),
        moves_to,
        remote_id: remote_id.clone(),
        etag: etag.clone(),
        uid: uid.clone(),
        sequence,
        rows,
        reverted: Vec::new(),
        source: seen.source.clone(),
        notify: false,
    };
    let new = RemoteId("0123456789abcdef0123456789abcdef".into());
    let op = match asked {
        RequestKind::Create => {
            let mut event = event.clone();
            event.uid = "new".into();
            RemoteOp::Calendar(CalendarOp::Create {
                collection,
                remote_id: new,
                rows: vec![event],
                notify: false,
                source: None,
            })
        }
        RequestKind::Update => RemoteOp::Calendar(update(vec![changed], None)),
        RequestKind::Move => RemoteOp::Calendar(update(vec![event], Some(rig.place(&to)))),
        RequestKind::Delete => RemoteOp::Calendar(CalendarOp::Delete {
            collection,
            remote_id,
            etag,
            uid,
            sequence,
            notify: false,
        }),
        RequestKind::Respond => RemoteOp::Calendar(CalendarOp::Respond {
            collection,
            remote_id,
            etag,
            uid,
            sequence,
            instance: None,
            participation: Participation::Accepted,
            notify: true,
        }),
        RequestKind::Task => RemoteOp::Task(TaskOp::Create {
            collection: rig.place(&rig.tasks),
            remote_id: new,
            task: Box::new(adjutant_testkit::make::task("t", "Call Bob", None)),
            source: None,
        }),
        RequestKind::Card => RemoteOp::Contact(ContactOp::Create {
            collection: rig.place(&rig.book),
            remote_id: new,
            contact: Box::new(crate::keeping::contact("Ann Lee")),
            source: None,
        }),
    };
    lock(&rig.course).changed = 0;
    (rig, op)
}

/// Returns everything at the server that the operations affect.
fn state(rig: &DavRig) -> Vec<Option<String>> {
    let new = "0123456789abcdef0123456789abcdef";
    let paths = [
        format!("{}m1.ics", rig.calendar),
        format!("/{}/work/m1.ics", rig.user),
        format!("{}{new}.ics", rig.calendar),
        format!("{}{new}.ics", rig.tasks),
        format!("{}{new}.vcf", rig.book),
    ];
    paths.iter().map(|path| rig.other.get(path)).collect()
}

/// Returns what a status means for a changing request; `None` if that depends on the server's state.
fn expected(status: u16, rig: &DavRig) -> Option<Ended> {
    let fault = match status {
        401 => RemoteFault::not_signed_in(rig.access.account.clone()),
        423 | 429 | 503 => RemoteFault::Limited {
            retry_after_seconds: Some(30),
        },
        404 | 410 | 412 => return None,
        500 | 502 | 504 => return Some(Ended::Unknown { why: Why::NoReply }),
        _ => {
            return Some(Ended::Refused {
                fault: RemoteFault::Refused {
                    what: String::new(),
                },
            });
        }
    };
    Some(Ended::Refused { fault })
}

fn is_as_expected(ended: &Ended, expected: &Ended) -> bool {
    let is_refused = |ended: &Ended| {
        matches!(
            ended,
            Ended::Refused {
                fault: RemoteFault::Refused { .. }
            }
        )
    };
    ended == expected || (is_refused(ended) && is_refused(expected))
}

/// Checks, after any trouble, that the reported outcome is true, and that a retry completes the operation once.
async fn comes_right(
    rig: &DavRig,
    op: &RemoteOp,
    ended: Ended,
    before: &[Option<String>],
    what: &str,
) {
    let key = Key("key".into());
    let now = state(rig);
    if matches!(ended, Ended::Refused { .. }) {
        assert_eq!(now, before, "{what}: refused, and something happened");
    }
    let attempt = Attempt {
        key: key.clone(),
        number: 1,
        started: Timestamp::UNIX_EPOCH,
        ended: None,
        outcome: Some(ended.clone()),
    };
    let looked = rig.backends.reconcile(op, &attempt).await;
    let is_done = matches!(looked, Reconciled::Done { .. });
    assert_eq!(is_done, now != before, "{what}: {ended:?}, then {looked:?}");
    let again = rig.backends.apply(op, &key).await;
    assert!(matches!(again, Ended::Done { .. }), "{what}: {again:?}");
    let done = state(rig);
    assert_ne!(done, before, "{what}");
    let again = rig.backends.apply(op, &key).await;
    assert!(matches!(again, Ended::Done { .. }), "{what}: {again:?}");
    assert_eq!(state(rig), done, "{what}: done twice");
}

async fn every_status_is_told_as_it_is(asked: &[RequestKind]) {
    let server = Arc::new(Radicale::start());
    let statuses = [
        301, 400, 401, 403, 404, 405, 409, 410, 412, 413, 415, 423, 429, 500, 501, 502, 503, 504,
        507,
    ];
    for asked in asked.iter().copied() {
        for status in statuses {
            let what = format!("{asked:?} {status}");
            let (rig, op) = prepared(&server, asked).await;
            let before = state(&rig);
            let said = reply(status, "Retry-After: 30\r\n", "");
            lock(&rig.course).meet(Meets::Says(asked.method(), said));
            let ended = rig.apply(op.clone()).await;
            assert!(lock(&rig.course).is_clear(), "{what}: not asked");
            let copies = asked == RequestKind::Move && matches!(status, 405 | 501);
            match expected(status, &rig).filter(|_| !copies) {
                Some(expected) => assert!(is_as_expected(&ended, &expected), "{what}: {ended:?}"),
                None if copies => assert!(matches!(ended, Ended::Done { .. }), "{what}: {ended:?}"),
                None => assert!(
                    matches!(
                        ended,
                        Ended::Refused {
                            fault: RemoteFault::Conflict { .. } | RemoteFault::Gone
                        }
                    ),
                    "{what}: {ended:?}"
                ),
            }
            comes_right(&rig, &op, ended, &before, &what).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_every_status_of_a_new_or_changed_event() {
    every_status_is_told_as_it_is(&[
        RequestKind::Create,
        RequestKind::Update,
        RequestKind::Delete,
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_every_status_of_a_move_or_a_reply() {
    every_status_is_told_as_it_is(&[RequestKind::Move, RequestKind::Respond]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_every_status_of_a_task_or_a_contact() {
    every_status_is_told_as_it_is(&[RequestKind::Task, RequestKind::Card]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn handles_connections_that_end_before_during_or_after_the_reply() {
    let server = Arc::new(Radicale::start());
    for asked in RequestKind::ALL {
        for meets in [
            Meets::Trouble(Trouble::LostRequest),
            Meets::CutInReply(asked.method()),
            Meets::Trouble(Trouble::LostReply),
            Meets::Trouble(Trouble::Unreadable),
        ] {
            let what = format!("{asked:?} {meets:?}");
            let (rig, op) = prepared(&server, asked).await;
            let before = state(&rig);
            lock(&rig.course).meet(meets);
            let ended = rig.apply(op.clone()).await;
            assert!(matches!(ended, Ended::Unknown { .. }), "{what}: {ended:?}");
            comes_right(&rig, &op, ended, &before, &what).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn describes_a_failed_precondition_in_words() {
    let server = Arc::new(Radicale::start());
    for (condition, says) in [
        ("C:no-uid-conflict", "has it already"),
        ("C:max-resource-size", "too large"),
        ("D:need-privileges", "may not change"),
        ("D:quota-not-exceeded", "no room"),
        ("D:something-new", "(403)"),
    ] {
        let (rig, op) = prepared(&server, RequestKind::Create).await;
        let error = format!(
            r#"<D:error xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><{condition}/></D:error>"#
        );
        lock(&rig.course).meet(Meets::Says("PUT", reply(403, "", &error)));
        let ended = rig.apply(op).await;
        let told = matches!(&ended, Ended::Refused { fault: RemoteFault::Refused { what } } if what.contains(says));
        assert!(told, "{condition}: {ended:?}");
    }
}
