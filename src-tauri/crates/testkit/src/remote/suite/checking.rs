//! Tests of checking the preconditions of a request, which may have waited for a connection since its approval.

use adjutant_domain::account::CollectionKind;
use adjutant_domain::operation::{Ended, RemoteFault};
use adjutant_domain::ports::RemoteExecutor as _;

use super::Rig;
use super::cases::{Case, key, name, prepared, remote};
use crate::remote::Trouble;
use crate::remote::rows::{renamed, sample};

pub(super) async fn holds_while_nothing_changed<R: Rig>(rig: &R, kind: CollectionKind, case: Case) {
    let (_, op) = prepared(rig, kind, case).await;
    let backends = rig.backends();
    for _ in 0..2 {
        let looked = backends.check(&op).await;
        assert_eq!(looked, Ok(()), "{kind:?} {case:?}: check: nothing changed");
    }
    assert_eq!(
        rig.carried_out(),
        0,
        "{kind:?} {case:?}: check changes nothing"
    );
    let ended = backends.apply(&op, &key()).await;
    assert!(
        matches!(ended, Ended::Done { .. }),
        "{kind:?} {case:?}: check and then apply: {ended:?}"
    );
}

pub(super) async fn fails_when_it_was_changed<R: Rig>(rig: &R, kind: CollectionKind, case: Case) {
    let (collection, op) = prepared(rig, kind, case).await;
    let others = renamed(&sample(kind, "old"), "theirs");
    let current = rig.put(&remote(&collection), &name(), vec![others]);
    let looked = rig.backends().check(&op).await;
    let fault = RemoteFault::Conflict { current };
    assert_eq!(looked, Err(fault), "{kind:?} {case:?}: check: it changed");
}

pub(super) async fn fails_when_it_is_gone<R: Rig>(rig: &R, kind: CollectionKind, case: Case) {
    let (collection, op) = prepared(rig, kind, case).await;
    rig.delete(&remote(&collection), &name());
    let looked = rig.backends().check(&op).await;
    let gone = Err(RemoteFault::Gone);
    assert_eq!(looked, gone, "{kind:?} {case:?}: check: it is gone");
}

/// An unanswerable check is neither a yes nor a conflict, and succeeds once the server can answer.
pub(super) async fn says_that_it_cannot_tell<R: Rig>(rig: &R, kind: CollectionKind, case: Case) {
    let (_, op) = prepared(rig, kind, case).await;
    let backends = rig.backends();
    for fault in rig.faults() {
        rig.meet(Trouble::Fault(fault.clone()));
        let looked = backends.check(&op).await;
        assert_eq!(looked, Err(fault), "{kind:?} {case:?}: check: no answer");
        assert_eq!(backends.check(&op).await, Ok(()), "{kind:?} {case:?}");
    }
}
