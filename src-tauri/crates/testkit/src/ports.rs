//! A fixed clock and reproducible randomness.

use std::sync::atomic::{AtomicU64, Ordering};

use adjutant_domain::ports::{Clock, Entropy};
use jiff::Zoned;

/// A clock stopped at one instant.
#[derive(Clone, Debug)]
pub struct FixedClock(pub Zoned);

impl Clock for FixedClock {
    fn now(&self) -> Zoned {
        self.0.clone()
    }
    fn is_fixed(&self) -> bool {
        true
    }
}

/// Random bits that are identical in every run (SplitMix64 over a counter).
#[derive(Debug)]
pub struct SeededEntropy(AtomicU64);

impl SeededEntropy {
    /// Creates a generator with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed))
    }
}

impl Entropy for SeededEntropy {
    fn bits(&self) -> u64 {
        let at = self.0.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
        let mut z = at.wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}
