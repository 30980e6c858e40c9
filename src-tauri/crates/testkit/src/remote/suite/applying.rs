//! Tests of carrying out a request and finding out how it ended.

use adjutant_domain::account::CollectionKind;
use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{Attempt, Ended, Key, Receipt, Reconciled, RemoteFault, Why};
use adjutant_domain::ports::RemoteExecutor as _;
use jiff::Timestamp;

use super::Rig;
use super::cases::{Case, key, name, prepared, remote};
use crate::remote::Trouble;
use crate::remote::rows::{renamed, sample};

fn attempt(outcome: Option<Ended>) -> Attempt {
    Attempt {
        key: key(),
        number: 1,
        started: Timestamp::UNIX_EPOCH,
        ended: outcome.as_ref().map(|_| Timestamp::UNIX_EPOCH),
        outcome,
    }
}

/// Returns whether the request was done, with a receipt that names the account.
fn is_done(ended: &Ended, account: &AccountId) -> bool {
    matches!(ended, Ended::Done { receipt: Receipt::Remote { account: of, .. } } if of == account)
}

pub(super) async fn is_done_once<R: Rig>(rig: &R, kind: CollectionKind, case: Case) {
    let (_, op) = prepared(rig, kind, case).await;
    let backends = rig.backends();
    let first = backends.apply(&op, &key()).await;
    assert!(
        is_done(&first, &rig.account()),
        "{kind:?} {case:?}: {first:?}"
    );
    let again = backends.apply(&op, &key()).await;
    assert!(
        is_done(&again, &rig.account()),
        "{kind:?} {case:?}: {again:?}"
    );
    assert_eq!(rig.carried_out(), 1, "{kind:?} {case:?}: done twice");
    let seen = backends.reconcile(&op, &attempt(None)).await;
    assert!(
        matches!(seen, Reconciled::Done { .. }),
        "{kind:?} {case:?}: {seen:?}"
    );
    assert_eq!(
        rig.carried_out(),
        1,
        "{kind:?} {case:?}: looking changes nothing"
    );
}

pub(super) async fn is_known_after_a_lost_reply<R: Rig>(rig: &R, kind: CollectionKind, case: Case) {
    for (trouble, why) in [
        (Trouble::LostReply, Why::NoReply),
        (Trouble::Unreadable, Why::Unreadable),
    ] {
        let key = Key(format!("{why:?}"));
        let (_, op) = prepared(rig, kind, case).await;
        let done_before = rig.carried_out();
        let backends = rig.backends();
        rig.meet(trouble);
        let ended = backends.apply(&op, &key).await;
        assert_eq!(ended, Ended::Unknown { why }, "{kind:?} {case:?}");
        let unknown = Attempt {
            key: key.clone(),
            ..attempt(Some(ended))
        };
        rig.meet(Trouble::Fault(RemoteFault::Unreachable));
        let later = backends.reconcile(&op, &unknown).await;
        assert!(
            matches!(later, Reconciled::NotNow { .. }),
            "{kind:?} {case:?}: {later:?}"
        );
        let seen = backends.reconcile(&op, &unknown).await;
        assert!(
            matches!(seen, Reconciled::Done { .. }),
            "{kind:?} {case:?}: {seen:?}"
        );
        let again = backends.apply(&op, &key).await;
        assert!(
            is_done(&again, &rig.account()),
            "{kind:?} {case:?}: {again:?}"
        );
        assert_eq!(
            rig.carried_out(),
            done_before + 1,
            "{kind:?} {case:?}: done twice"
        );
        if !case.touches_what_is_there() {
            // The new record exists now; repeating the request would create another one.
            break;
        }
    }
}

pub(super) async fn is_known_after_a_lost_request<R: Rig>(
    rig: &R,
    kind: CollectionKind,
    case: Case,
) {
    let (_, op) = prepared(rig, kind, case).await;
    let backends = rig.backends();
    rig.meet(Trouble::LostRequest);
    let ended = backends.apply(&op, &key()).await;
    assert_eq!(
        ended,
        Ended::Unknown { why: Why::NoReply },
        "{kind:?} {case:?}"
    );
    assert_eq!(rig.carried_out(), 0, "{kind:?} {case:?}");
    for attempt in [attempt(Some(ended)), attempt(None)] {
        let seen = backends.reconcile(&op, &attempt).await;
        assert_eq!(seen, Reconciled::NotDone, "{kind:?} {case:?}");
    }
    let again = backends.apply(&op, &key()).await;
    assert!(
        is_done(&again, &rig.account()),
        "{kind:?} {case:?}: {again:?}"
    );
    assert_eq!(rig.carried_out(), 1, "{kind:?} {case:?}");
}

pub(super) async fn is_refused_for_a_reason<R: Rig>(rig: &R, kind: CollectionKind, case: Case) {
    let (_, op) = prepared(rig, kind, case).await;
    let backends = rig.backends();
    for fault in rig.faults() {
        rig.meet(Trouble::Fault(fault.clone()));
        let ended = backends.apply(&op, &key()).await;
        assert_eq!(ended, Ended::Refused { fault }, "{kind:?} {case:?}");
        assert_eq!(rig.carried_out(), 0, "{kind:?} {case:?}: refused and done");
        let seen = backends.reconcile(&op, &attempt(None)).await;
        assert_eq!(seen, Reconciled::NotDone, "{kind:?} {case:?}");
    }
    let ended = backends.apply(&op, &key()).await;
    assert!(
        is_done(&ended, &rig.account()),
        "{kind:?} {case:?}: {ended:?}"
    );
}

pub(super) async fn is_refused_when_it_is_gone<R: Rig>(rig: &R, kind: CollectionKind, case: Case) {
    let (collection, op) = prepared(rig, kind, case).await;
    rig.delete(&remote(&collection), &name());
    let ended = rig.backends().apply(&op, &key()).await;
    let fault = RemoteFault::Gone;
    assert_eq!(ended, Ended::Refused { fault }, "{kind:?} {case:?}");
    assert_eq!(rig.carried_out(), 0, "{kind:?} {case:?}");
}

pub(super) async fn is_refused_when_it_was_changed<R: Rig>(
    rig: &R,
    kind: CollectionKind,
    case: Case,
) {
    let (collection, op) = prepared(rig, kind, case).await;
    let others = renamed(&sample(kind, "old"), "theirs");
    let current = rig.put(&remote(&collection), &name(), vec![others]);
    let ended = rig.backends().apply(&op, &key()).await;
    let fault = RemoteFault::Conflict { current };
    assert_eq!(ended, Ended::Refused { fault }, "{kind:?} {case:?}");
    assert_eq!(
        rig.carried_out(),
        0,
        "{kind:?} {case:?}: theirs was overwritten"
    );
}
