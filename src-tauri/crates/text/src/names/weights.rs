//! Weights of words by their rarity.

/// Divisor of the growth after which all weights are recomputed: with 8, once there are an eighth more names.
const DRIFT_PART: usize = 8;

/// The weight of each stem: the fewer names contain it, the larger.
#[derive(Debug, Default)]
pub(super) struct Weights {
    /// Number of names at the last recomputation.
    names: usize,
    of: Vec<f32>,
}

impl Weights {
    /// Returns the weight of a stem, or 1 for an unknown stem.
    pub(super) fn of(&self, stem: u32) -> f32 {
        self.of.get(stem as usize).copied().unwrap_or(1.0)
    }

    /// Updates the weights of `stems` after a name is added. Recomputes all weights once the number of names has grown
    /// enough.
    pub(super) fn follow(&mut self, names: usize, holders: &[Vec<u32>], stems: &[u32]) {
        if names > self.names + self.names / DRIFT_PART {
            self.names = names;
            self.of = holders.iter().map(|all| weight(names, all)).collect();
            return;
        }
        self.of.resize(holders.len(), 1.0);
        for stem in stems {
            self.of[*stem as usize] = weight(self.names, &holders[*stem as usize]);
        }
    }
}

fn weight(names: usize, holders: &[u32]) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "a weight is a rough figure")]
    let rarity = names as f32 / holders.len().max(1) as f32;
    rarity.ln_1p()
}
