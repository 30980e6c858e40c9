//! Plans how to bring the drafts on this computer and at a provider into line.
//!
//! Each pair remembers the text that both sides last shared ([`Linked::base`]). If one side differs from it, the other
//! follows. If both differ, both texts stay as two drafts for the person to choose from. A draft with content that a
//! local draft cannot hold (attached files) stays where it was written.

#[cfg(test)]
mod tests;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use adjutant_domain::ids::{RecordId, RemoteId};

pub use text::{DraftText, ProviderDraft, message_id, new_row};

/// A draft that both sides have or had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    /// The local row.
    pub record: RecordId,
    /// The provider's identifier of the draft.
    pub remote: RemoteId,
    /// Its Message-ID, without angle brackets.
    pub message_id: String,
    /// Digest of the text both sides last shared.
    pub base: String,
}

/// A draft at the provider under an identifier that was not known yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct There {
    /// The provider's identifier of the draft.
    pub remote: RemoteId,
    /// Its Message-ID, without angle brackets; empty if it has none.
    pub message_id: String,
    /// Digest of its text; `None` if a local draft could not hold all of it.
    pub digest: Option<String>,
}

/// One thing to do. Steps are independent: after any of them the two sides can be compared again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Store the draft of this row at the provider.
    Push {
        /// Id of the local row.
        record: RecordId,
        /// The draft at the provider that it replaces, if any.
        replaces: Option<RemoteId>,
    },
    /// Delete the draft at the provider, because it was sent or deleted here.
    Drop {
        /// The provider's identifier of the draft.
        remote: RemoteId,
    },
    /// Copy the text of the draft at the provider to this computer.
    Take {
        /// The provider's identifier of the draft.
        remote: RemoteId,
        /// The row that receives the text; `None` for a new row.
        into: Option<RecordId>,
    },
    /// Delete the row, because the draft was sent or deleted elsewhere.
    Remove {
        /// Id of the local row.
        record: RecordId,
    },
    /// Pair the two, because their texts are equal.
    Link {
        /// Id of the local row.
        record: RecordId,
        /// The provider's identifier of the draft.
        remote: RemoteId,
    },
    /// Forget this pair: the identifier no longer belongs to a row.
    Unlink {
        /// The former identifier at the provider.
        remote: RemoteId,
    },
    /// Leave the draft at the provider alone and do not read it again.
    Pass {
        /// The provider's identifier of the draft.
        remote: RemoteId,
    },
}

/// What is known about both sides.
#[derive(Clone, Debug, Default)]
pub struct Sides {
    /// Digest of every local draft, by row.
    pub here: BTreeMap<RecordId, String>,
    /// The known pairs.
    pub linked: Vec<Linked>,
    /// Identifiers of all drafts at the provider, oldest first.
    pub names: Vec<RemoteId>,
    /// The contents of those whose identifiers were not known, oldest first.
    pub read: Vec<There>,
}

/// Returns what has to be done, in order.
#[must_use]
pub fn plan(sides: &Sides) -> Vec<Step> {
    let mut planned = Planned {
        steps: Vec::new(),
        used: BTreeSet::new(),
        settled: BTreeSet::new(),
    };
    for link in &sides.linked {
        planned.pair(sides, link);
    }
    planned.unknown(sides);
    let left = sides.here.keys();
    for record in left.filter(|id| !planned.settled.contains(*id)) {
        planned.steps.push(Step::Push {
            record: record.clone(),
            replaces: None,
        });
    }
    planned.steps
}

/// Keeps the steps that change nothing at the provider, for a person who allows Adjutant only to read drafts.
#[must_use]
pub fn only_reading(steps: Vec<Step>) -> Vec<Step> {
    let reads = |step: &Step| !matches!(step, Step::Push { .. } | Step::Drop { .. });
    steps.into_iter().filter(reads).collect()
}

struct Planned<'a> {
    steps: Vec<Step>,
    /// Identifiers that already have a decision.
    used: BTreeSet<&'a RemoteId>,
    /// Rows that already have a decision.
    settled: BTreeSet<&'a RecordId>,
}

impl<'a> Planned<'a> {
    fn pair(&mut self, sides: &'a Sides, link: &'a Linked) {
        self.settled.insert(&link.record);
        let is_there = sides.names.contains(&link.remote);
        let here = sides.here.get(&link.record);
        let is_changed = here.is_some_and(|digest| *digest != link.base);
        let newer = sides.read.iter().rev().find(|there| belongs(link, there));
        let Some(newer) = newer else {
            let (record, remote) = (link.record.clone(), link.remote.clone());
            match (here, is_there) {
                (None, true) => self.steps.push(Step::Drop { remote }),
                (None, false) => self.steps.push(Step::Unlink { remote }),
                (Some(_), true) if is_changed => self.push(record, Some(remote)),
                (Some(_), true) => {}
                (Some(_), false) if is_changed => {
                    self.steps.push(Step::Unlink { remote });
                    self.push(record, None);
                }
                (Some(_), false) => self.steps.push(Step::Remove { record }),
            }
            return;
        };
        for there in sides.read.iter().filter(|there| belongs(link, there)) {
            self.used.insert(&there.remote);
        }
        match (&newer.digest, here) {
            (Some(theirs), Some(ours)) if theirs == ours => {
                self.link(&link.record, newer);
                if is_there && text::record_of(&newer.message_id) == Some(&link.record.0) {
                    // The draft was replaced, but the connection broke before the old one was deleted.
                    let remote = link.remote.clone();
                    self.steps.push(Step::Drop { remote });
                }
            }
            (Some(_), Some(_)) if !is_changed => self.take(newer, Some(&link.record)),
            (theirs, ours) => {
                let remote = link.remote.clone();
                match (theirs, ours) {
                    (None, Some(_)) if !is_changed => self.steps.push(Step::Remove {
                        record: link.record.clone(),
                    }),
                    _ => self.steps.push(Step::Unlink { remote }),
                }
                match theirs {
                    Some(_) => self.take(newer, None),
                    None => self.pass(newer),
                }
                if is_changed {
                    self.push(link.record.clone(), None);
                }
            }
        }
    }

    /// Plans the drafts that were read and belong to no pair yet.
    fn unknown(&mut self, sides: &'a Sides) {
        let left = sides.read.iter().rev();
        let left: Vec<&There> = left
            .filter(|one| !self.used.contains(&one.remote))
            .collect();
        let mut seen = BTreeSet::new();
        for there in left {
            let is_older = !there.message_id.is_empty() && !seen.insert(&there.message_id);
            let Some(digest) = there.digest.as_ref().filter(|_| !is_older) else {
                self.pass(there);
                continue;
            };
            let same = sides
                .here
                .iter()
                .find(|(record, ours)| *ours == digest && !self.settled.contains(record));
            match same {
                Some((record, _)) => {
                    self.settled.insert(record);
                    self.link(record, there);
                }
                None => self.take(there, None),
            }
        }
    }

    fn push(&mut self, record: RecordId, replaces: Option<RemoteId>) {
        self.steps.push(Step::Push { record, replaces });
    }

    fn link(&mut self, record: &RecordId, there: &There) {
        self.steps.push(Step::Link {
            record: record.clone(),
            remote: there.remote.clone(),
        });
    }

    fn take(&mut self, there: &There, into: Option<&RecordId>) {
        self.steps.push(Step::Take {
            remote: there.remote.clone(),
            into: into.cloned(),
        });
    }

    fn pass(&mut self, there: &There) {
        self.steps.push(Step::Pass {
            remote: there.remote.clone(),
        });
    }
}

/// Tells whether a draft that was read is a later text of a pair. The part of an identifier before a slash, if any,
/// stays the same across texts.
fn belongs(link: &Linked, there: &There) -> bool {
    match (
        link.remote.0.split_once('/'),
        there.remote.0.split_once('/'),
    ) {
        (Some((one, _)), Some((other, _))) => one == other,
        _ => !there.message_id.is_empty() && there.message_id == link.message_id,
    }
}
