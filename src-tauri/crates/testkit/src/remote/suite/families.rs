//! Tests of what only mail or calendars have.

use adjutant_domain::account::CollectionKind;
use adjutant_domain::filter::Window;
use adjutant_domain::operation::{
    Ended, Key, MailOp, MailRef, Receipt, RemoteFault, RemoteId, RemoteOp,
};
use adjutant_domain::ports::{FreeBusy, RemoteExecutor as _};
use jiff::Timestamp;

use super::Rig;
use super::cases::{Case, NAME, collection, key, name, place, prepared, remote, send};
use crate::remote::Trouble;
use crate::remote::rows::sample;

pub(super) async fn accepts_a_part_of_the_recipients<R: Rig>(rig: &R) {
    rig.refuse_recipient("gone@work.example");
    let op = RemoteOp::Mail(send("hello", &["bob@work.example", "gone@work.example"]));
    let ended = rig.backends().apply(&op, &key()).await;
    let told = match &ended {
        Ended::Done {
            receipt: Receipt::Remote {
                accepted, refused, ..
            },
        } => (
            accepted.iter().map(|one| one.email.as_str()).collect(),
            refused
                .iter()
                .map(|one| one.address.email.as_str())
                .collect(),
        ),
        _ => (Vec::new(), Vec::new()),
    };
    assert_eq!(
        told,
        (vec!["bob@work.example"], vec!["gone@work.example"]),
        "{ended:?}"
    );
    let op = RemoteOp::Mail(send("other", &["gone@work.example"]));
    let ended = rig.backends().apply(&op, &Key("key-2".into())).await;
    let refused = matches!(
        ended,
        Ended::Refused {
            fault: RemoteFault::Refused { .. }
        }
    );
    assert!(refused, "nobody got it: {ended:?}");
    assert_eq!(rig.carried_out(), 1);
}

pub(super) async fn knows_a_renumbered_mailbox<R: Rig>(rig: &R) {
    let (collection, _) = prepared(rig, CollectionKind::Mailbox, Case::Flag).await;
    let mails = vec![MailRef {
        collection: place(&collection),
        uid_validity: Some(999_999),
        remote_id: rig.named(&name()),
        message_id: "another@work.example".into(),
    }];
    let op = RemoteOp::Mail(MailOp::Delete { mails });
    let ended = rig.backends().apply(&op, &key()).await;
    let fault = RemoteFault::Gone;
    assert_eq!(
        ended,
        Ended::Refused { fault },
        "the number names another mail now"
    );
    assert_eq!(rig.carried_out(), 0);
}

pub(super) async fn fetches_and_searches_mail<R: Rig>(rig: &R) {
    let collection = collection(rig, CollectionKind::Mailbox).await;
    let at = remote(&collection);
    rig.put(
        &at,
        &name(),
        vec![sample(CollectionKind::Mailbox, "budget")],
    );
    rig.put(
        &at,
        &RemoteId("other".into()),
        vec![sample(CollectionKind::Mailbox, "lunch")],
    );
    rig.attach(&at, &name(), vec![b"soup,4".to_vec()]);
    let Some(mail) = rig.backends().mail else {
        return;
    };
    let named = |id: &str| MailRef {
        collection: place(&collection),
        uid_validity: None,
        remote_id: rig.named(&RemoteId(id.into())),
        message_id: String::new(),
    };
    let body = mail.body(&named(NAME)).await;
    assert!(body.is_ok_and(|bytes| !bytes.is_empty()));
    assert_eq!(
        mail.attachment(&named(NAME), 0).await,
        Ok(b"soup,4".to_vec())
    );
    assert_eq!(
        mail.attachment(&named(NAME), 1).await,
        Err(RemoteFault::Gone)
    );
    assert_eq!(mail.body(&named("nothing")).await, Err(RemoteFault::Gone));
    let found = mail.search("budget", 10).await.unwrap_or_default();
    let found: Vec<&str> = found.iter().map(|one| one.remote_id.0.as_str()).collect();
    assert_eq!(found, [rig.named(&name()).0]);
    assert_eq!(
        mail.search("About", 1).await.map(|found| found.len()),
        Ok(1)
    );
    rig.meet(Trouble::Fault(RemoteFault::Unreachable));
    assert_eq!(
        mail.search("budget", 10).await,
        Err(RemoteFault::Unreachable)
    );
}

pub(super) async fn tells_when_people_are_busy<R: Rig>(rig: &R) {
    let kind = CollectionKind::Calendar;
    let collection = collection(rig, kind).await;
    rig.put(&remote(&collection), &name(), vec![sample(kind, "lunch")]);
    let Some(calendar) = rig.backends().calendar else {
        return;
    };
    let day = |text: &str| text.parse::<Timestamp>().ok();
    let who = ["me@home.example".to_owned()];
    let asked = |from, to| Window {
        from: day(from),
        to: day(to),
    };
    let busy = calendar
        .free_busy(&who, asked("2026-01-15T00:00:00Z", "2026-01-16T00:00:00Z"))
        .await
        .unwrap_or_default();
    assert_eq!(busy.known, who);
    let seen: Vec<_> = busy
        .busy
        .iter()
        .map(|one| (Some(one.start), Some(one.end)))
        .collect();
    assert_eq!(
        seen,
        [(day("2026-01-15T09:00:00Z"), day("2026-01-15T10:00:00Z"))]
    );
    let free = calendar
        .free_busy(&who, asked("2026-01-16T00:00:00Z", "2026-01-17T00:00:00Z"))
        .await;
    let known = who.to_vec();
    let busy = Vec::new();
    assert_eq!(free, Ok(FreeBusy { known, busy }));
}
