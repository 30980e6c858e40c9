//! Made-up words, the same in every run.

/// Number of words of a made-up language: the 20 most frequent ones occur in almost every mail, the last ones in
/// hardly any.
pub const WORDS: usize = 20_000;

/// A small random number generator, so that every run measures the same data.
pub struct Dice(pub u64);

impl Dice {
    /// Returns a number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % sides.max(1)
    }

    /// Returns the position of a random word among [`WORDS`]; rare words come up rarely.
    pub fn place(&mut self) -> usize {
        let roll = self.roll(1_000_000) as f64 / 1_000_000.0;
        ((WORDS as f64).powf(roll) - 1.0) as usize
    }
}
