//! How much each word says.

/// By what part the number of names may differ from the one the weights were made for.
const DRIFT_PART: usize = 8;

/// The weight of each stem: the fewer names have it, the more it says.
#[derive(Debug, Default)]
pub(super) struct Weights {
    /// For how many names they were made.
    names: usize,
    of: Vec<f32>,
}

impl Weights {
    /// The weight of a stem.
    pub(super) fn of(&self, stem: u32) -> f32 {
        self.of.get(stem as usize).copied().unwrap_or(1.0)
    }

    /// Takes notice of a name with these stems. Once there are many more names, all weights are made anew.
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
