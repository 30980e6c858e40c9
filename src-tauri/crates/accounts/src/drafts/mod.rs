//! Drafts on this computer and at a provider: what has to be done so that both sides have the same.
//!
//! Each pair remembers the text that both sides had last ([`Linked::base`]). Where one side differs from it, the other one
//! follows; where both do, both texts stay, as two drafts, for the person to choose. What a draft of this program cannot
//! hold (attached files) stays where it was written.

#[cfg(test)]
mod tests;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use adjutant_domain::ids::{RecordId, RemoteId};

pub use text::{DraftText, Read, message_id, new_row};

/// A draft that both sides have, or had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    /// The row here.
    pub record: RecordId,
    /// What the provider calls it.
    pub remote: RemoteId,
    /// Its Message-ID, without angle brackets.
    pub message_id: String,
    /// Digest of the text that both sides had last.
    pub base: String,
}

/// A draft at the provider that was not known by this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct There {
    /// What the provider calls it.
    pub remote: RemoteId,
    /// Its Message-ID, without angle brackets; empty where it has none.
    pub message_id: String,
    /// Digest of its text; none where a draft here could not hold all of it.
    pub digest: Option<String>,
}

/// One thing to do. Each stands for itself: after any of them the two sides can be compared again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Store the draft of this row at the provider.
    Push {
        /// The row.
        record: RecordId,
        /// The one there that it takes the place of.
        replaces: Option<RemoteId>,
    },
    /// Remove the one there: it was sent or deleted here.
    Drop {
        /// What the provider calls it.
        remote: RemoteId,
    },
    /// Take over the text of the one there.
    Take {
        /// What the provider calls it.
        remote: RemoteId,
        /// The row that gets it; a new one where none is named.
        into: Option<RecordId>,
    },
    /// Remove the row: the draft was sent or deleted elsewhere.
    Remove {
        /// The row.
        record: RecordId,
    },
    /// Both are the same.
    Link {
        /// The row.
        record: RecordId,
        /// What the provider calls it.
        remote: RemoteId,
    },
    /// This name stands for no row any more.
    Unlink {
        /// What the provider called it.
        remote: RemoteId,
    },
    /// Leave the one there alone, and do not read it again.
    Pass {
        /// What the provider calls it.
        remote: RemoteId,
    },
}

/// What is known of both sides.
#[derive(Clone, Debug, Default)]
pub struct Sides {
    /// Digests of the drafts that are here.
    pub here: BTreeMap<RecordId, String>,
    /// Pairs.
    pub linked: Vec<Linked>,
    /// Every name there is at the provider, oldest first.
    pub names: Vec<RemoteId>,
    /// Those of them that were not known, as they were read, oldest first.
    pub read: Vec<There>,
}

/// What has to be done, in order.
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

/// The steps that a person allows who lets drafts be read and not changed.
#[must_use]
pub fn only_reading(steps: Vec<Step>) -> Vec<Step> {
    let reads = |step: &Step| !matches!(step, Step::Push { .. } | Step::Drop { .. });
    steps.into_iter().filter(reads).collect()
}

struct Planned<'a> {
    steps: Vec<Step>,
    /// Names that were decided about.
    used: BTreeSet<&'a RemoteId>,
    /// Rows that were decided about.
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
                    // It was replaced, and the connection broke before the old one went.
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

    /// Drafts that no pair has.
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

/// Whether what was read is a later text of a pair. A provider's name may have a part that lasts, before a slash.
fn belongs(link: &Linked, there: &There) -> bool {
    match (
        link.remote.0.split_once('/'),
        there.remote.0.split_once('/'),
    ) {
        (Some((one, _)), Some((other, _))) => one == other,
        _ => !there.message_id.is_empty() && there.message_id == link.message_id,
    }
}
