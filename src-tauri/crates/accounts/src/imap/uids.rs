//! Sets of UIDs stored as ranges such as `1:400,402`. A mailbox of 50,000 mails takes a few hundred ranges.

use std::ops::RangeInclusive;

/// Maximum number of ranges parsed for one set.
const RANGES_MAX: usize = 500_000;

/// A set of UIDs in one mailbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Uids {
    /// Sorted ranges with gaps between them.
    ranges: Vec<RangeInclusive<u32>>,
}

impl Uids {
    /// Parses a set in IMAP notation; `None` if it is invalid. Does not support `*`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::default());
        }
        let mut ranges = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once(':').unwrap_or((part, part));
            let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
            ranges.push(first.min(last)..=first.max(last));
            if ranges.len() > RANGES_MAX {
                return None;
            }
        }
        Some(Self::of_ranges(ranges))
    }

    fn of_ranges(mut ranges: Vec<RangeInclusive<u32>>) -> Self {
        ranges.sort_unstable_by_key(|range| *range.start());
        let mut joined: Vec<RangeInclusive<u32>> = Vec::new();
        for range in ranges {
            match joined.last_mut() {
                Some(last) if *range.start() <= last.end().saturating_add(1) => {
                    *last = *last.start()..=(*last.end()).max(*range.end());
                }
                _ => joined.push(range),
            }
        }
        Self { ranges: joined }
    }

    pub(super) fn contains(&self, uid: u32) -> bool {
        let at = self.ranges.partition_point(|range| *range.end() < uid);
        self.ranges
            .get(at)
            .is_some_and(|range| range.contains(&uid))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Returns the number of UIDs.
    pub(super) fn count(&self) -> usize {
        let each = self.ranges.iter().map(|range| range.end() - range.start());
        each.map(|more| more as usize + 1).sum()
    }

    /// Iterates over the UIDs, newest first.
    pub(super) fn newest_first(&self) -> impl Iterator<Item = u32> {
        self.ranges
            .iter()
            .rev()
            .flat_map(|range| range.clone().rev())
    }

    /// Returns the UIDs that are not in `other`.
    pub(super) fn without(&self, other: &Self) -> Self {
        let mut left = Vec::new();
        let mut others = other.ranges.iter().peekable();
        for range in &self.ranges {
            let mut from = u64::from(*range.start());
            let end = u64::from(*range.end());
            while others.next_if(|cut| u64::from(*cut.end()) < from).is_some() {}
            let mut ahead = others.clone();
            while let Some(cut) = ahead.next_if(|cut| u64::from(*cut.start()) <= end) {
                push(&mut left, from, u64::from(*cut.start()));
                from = from.max(u64::from(*cut.end()) + 1);
            }
            push(&mut left, from, end + 1);
        }
        Self { ranges: left }
    }

    /// Returns the UIDs in either set.
    pub(super) fn with(&self, other: &Self) -> Self {
        let ranges = self.ranges.iter().chain(&other.ranges).cloned();
        Self::of_ranges(ranges.collect())
    }

    /// Returns the UIDs in both sets.
    pub(super) fn within(&self, other: &Self) -> Self {
        self.without(&self.without(other))
    }
}

/// Adds the range from `from` up to but not including `to`.
fn push(ranges: &mut Vec<RangeInclusive<u32>>, from: u64, to: u64) {
    if let (true, Ok(first), Ok(last)) = (
        from < to,
        u32::try_from(from),
        u32::try_from(to.saturating_sub(1)),
    ) {
        ranges.push(first..=last);
    }
}

impl FromIterator<u32> for Uids {
    fn from_iter<I: IntoIterator<Item = u32>>(uids: I) -> Self {
        Self::of_ranges(uids.into_iter().map(|uid| uid..=uid).collect())
    }
}

impl std::fmt::Display for Uids {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, range) in self.ranges.iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            match range.start() == range.end() {
                true => write!(f, "{comma}{}", range.start())?,
                false => write!(f, "{comma}{}:{}", range.start(), range.end())?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_set_is_written_as_imap_writes_it() {
        let set: Uids = [7, 1, 2, 3, 9, 10, 7].into_iter().collect();
        assert_eq!(set.to_string(), "1:3,7,9:10");
        assert_eq!(Uids::parse("10:9,7,1:3"), Some(set.clone()));
        assert_eq!(set.newest_first().collect::<Vec<_>>(), [10, 9, 7, 3, 2, 1]);
        assert_eq!(Uids::parse(""), Some(Uids::default()));
        for broken in ["1:*", "a", "1,", "1:2:3", "99999999999"] {
            assert_eq!(Uids::parse(broken), None, "{broken}");
        }
    }

    proptest! {
        #[test]
        fn it_is_a_set(
            one in proptest::collection::btree_set(0_u32..60, 0..40),
            other in proptest::collection::btree_set(0_u32..60, 0..40),
            edge in any::<bool>(),
        ) {
            let shift = |set: &BTreeSet<u32>| -> BTreeSet<u32> {
                set.iter().map(|uid| if edge { u32::MAX - uid } else { *uid }).collect()
            };
            let (one, other) = (shift(&one), shift(&other));
            let ours = |set: &BTreeSet<u32>| set.iter().copied().collect::<Uids>();
            let (a, b) = (ours(&one), ours(&other));
            prop_assert_eq!(a.count(), one.len());
            prop_assert_eq!(a.without(&b), ours(&(&one - &other)));
            prop_assert_eq!(a.with(&b), ours(&(&one | &other)));
            prop_assert_eq!(a.within(&b), ours(&(&one & &other)));
            prop_assert_eq!(Uids::parse(&a.to_string()), Some(a.clone()));
            prop_assert!(one.iter().all(|uid| a.contains(*uid)));
            prop_assert!(other.difference(&one).all(|uid| !a.contains(*uid)));
        }
    }
}
