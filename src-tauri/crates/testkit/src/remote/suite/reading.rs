//! Tests of reading a collection.

use std::collections::BTreeSet;

use adjutant_domain::account::{Collection, CollectionKind, Cursor};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::operation::RemoteId;
use adjutant_domain::ports::provider::PAGE_MAX;
use adjutant_domain::ports::{PullFault, Pulled, PulledWhat, Sink};
use adjutant_domain::record::Record;
use async_trait::async_trait;

use super::Rig;
use super::cases::{collection, name, remote};
use crate::remote::Trouble;
use crate::remote::rows::{renamed, sample};

/// Collects the delivered pages.
#[derive(Default)]
struct PageCollector {
    pages: Vec<Vec<Pulled>>,
    full: bool,
    /// Cursor from which an interrupted reading continues.
    reached: Option<Cursor>,
}

#[async_trait]
impl Sink for PageCollector {
    async fn take(&mut self, page: Vec<Pulled>) -> Result<(), StoreFault> {
        self.pages.push(page);
        if self.full {
            return Err(StoreFault::DiskFull);
        }
        Ok(())
    }

    async fn reached(&mut self, cursor: Cursor) -> Result<(), StoreFault> {
        self.reached = Some(cursor);
        Ok(())
    }
}

impl PageCollector {
    /// Returns the names of the items, each with whether it exists.
    fn names(&self) -> BTreeSet<(String, bool)> {
        let all = self.pages.iter().flatten();
        all.map(|one| {
            let there = matches!(&one.what, PulledWhat::There { rows, .. } if !rows.is_empty());
            (one.remote_id.0.clone(), there)
        })
        .collect()
    }
}

async fn pull<R: Rig>(
    rig: &R,
    collection: &Collection,
    cursor: Option<Cursor>,
) -> (Result<Cursor, PullFault>, PageCollector) {
    let mut kept = PageCollector::default();
    let from = Collection {
        cursor,
        ..collection.clone()
    };
    let read = rig.backends().pull(&from, &mut kept).await;
    (read, kept)
}

fn names<R: Rig>(rig: &R, all: &[(&str, bool)]) -> BTreeSet<(String, bool)> {
    all.iter()
        .map(|(name, there)| (rig.named(&RemoteId((*name).to_owned())).0, *there))
        .collect()
}

pub(super) async fn reads_everything_then_changes<R: Rig>(rig: &R, kind: CollectionKind) {
    let collection = collection(rig, kind).await;
    let at = remote(&collection);
    let put = |name: &str, row: Record| rig.put(&at, &RemoteId(name.into()), vec![row]);
    for name in ["a", "b", "c"] {
        put(name, sample(kind, name));
    }
    rig.delete(&at, &RemoteId("c".into()));
    let (cursor, kept) = pull(rig, &collection, None).await;
    assert_eq!(
        kept.names(),
        names(rig, &[("a", true), ("b", true)]),
        "{kind:?}"
    );
    let (again, kept) = pull(rig, &collection, cursor.clone().ok()).await;
    assert!(
        again.is_ok() && kept.names().is_empty(),
        "{kind:?}: nothing changed"
    );
    put("b", renamed(&sample(kind, "b"), "other"));
    put("d", sample(kind, "d"));
    rig.delete(&at, &RemoteId("a".into()));
    let (next, kept) = pull(rig, &collection, cursor.ok()).await;
    let changed = names(rig, &[("a", false), ("b", true), ("d", true)]);
    assert_eq!(kept.names(), changed, "{kind:?}");
    let (_, kept) = pull(rig, &collection, next.ok()).await;
    assert!(kept.names().is_empty(), "{kind:?}");
}

pub(super) async fn reads_page_by_page<R: Rig>(rig: &R, kind: CollectionKind) {
    let collection = collection(rig, kind).await;
    let many = PAGE_MAX + PAGE_MAX / 2;
    for at in 0..many {
        let name = format!("n{at}");
        let row = sample(kind, &name);
        rig.put(&remote(&collection), &RemoteId(name), vec![row]);
    }
    let (read, kept) = pull(rig, &collection, None).await;
    assert!(read.is_ok(), "{kind:?}: {read:?}");
    assert_eq!(kept.names().len(), many, "{kind:?}");
    assert!(
        kept.pages.iter().all(|page| page.len() <= PAGE_MAX),
        "{kind:?}"
    );
    rig.meet(Trouble::BreaksOff);
    let (read, kept) = pull(rig, &collection, None).await;
    let broken = matches!(read, Err(PullFault::Remote(ref fault)) if fault.is_offline());
    assert!(broken, "{kind:?}: {read:?}");
    assert_eq!(
        kept.pages.len(),
        1,
        "{kind:?}: what came before is delivered"
    );
    let Some(reached) = kept.reached.clone() else {
        return;
    };
    let (read, rest) = pull(rig, &collection, Some(reached)).await;
    assert!(read.is_ok(), "{kind:?}: {read:?}");
    let (before, after) = (kept.names(), rest.names());
    assert!(before.is_disjoint(&after), "{kind:?}: nothing comes twice");
    assert_eq!(
        before.len() + after.len(),
        many,
        "{kind:?}: what is missing comes"
    );
}

pub(super) async fn refuses_an_unknown_cursor<R: Rig>(rig: &R, kind: CollectionKind) {
    let collection = collection(rig, kind).await;
    rig.put(&remote(&collection), &name(), vec![sample(kind, "a")]);
    let (cursor, _) = pull(rig, &collection, None).await;
    rig.forget_cursors();
    for cursor in [cursor.ok(), Some(Cursor("never given out".into()))] {
        let (read, kept) = pull(rig, &collection, cursor).await;
        assert_eq!(read, Err(PullFault::CursorRefused), "{kind:?}");
        assert!(kept.pages.is_empty(), "{kind:?}: nothing is delivered");
    }
    let (read, kept) = pull(rig, &collection, None).await;
    assert!(read.is_ok() && kept.names().len() == 1, "{kind:?}");
}

pub(super) async fn stops_when_nothing_can_be_stored<R: Rig>(rig: &R, kind: CollectionKind) {
    let collection = collection(rig, kind).await;
    for at in 0..=PAGE_MAX {
        let name = format!("n{at}");
        let row = sample(kind, &name);
        rig.put(&remote(&collection), &RemoteId(name), vec![row]);
    }
    let mut full = PageCollector {
        full: true,
        ..PageCollector::default()
    };
    let read = rig.backends().pull(&collection, &mut full).await;
    assert_eq!(
        read,
        Err(PullFault::Store(StoreFault::DiskFull)),
        "{kind:?}"
    );
    assert_eq!(
        full.pages.len(),
        1,
        "{kind:?}: no page after the one that failed"
    );
}

pub(super) async fn tells_why_it_cannot_read<R: Rig>(rig: &R, kind: CollectionKind) {
    let collection = collection(rig, kind).await;
    for fault in rig.faults() {
        rig.meet(Trouble::Fault(fault.clone()));
        let (read, kept) = pull(rig, &collection, None).await;
        assert_eq!(read, Err(PullFault::Remote(fault)), "{kind:?}");
        assert!(kept.pages.is_empty(), "{kind:?}");
    }
}
