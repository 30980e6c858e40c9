//! Token budgets for the sections of a request.

use adjutant_domain::model::ModelProfile;

/// Budgets in estimated tokens ([`adjutant_domain::model::tokens::estimate`]). The defaults are those of the design,
/// 8000 in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budgets {
    /// Fixed text of a prompt.
    pub system: u64,
    /// Descriptions of tools.
    pub tools: u64,
    /// The time, and what the settings know of the person.
    pub profile: u64,
    /// Memories.
    pub memories: u64,
    /// Rows of the person's calendar, tasks and address book; also results, when an answer is written.
    pub data: u64,
    /// Messages of the conversation before the current one.
    pub history: u64,
    /// Reserve for estimation errors.
    pub buffer: u64,
}

impl Default for Budgets {
    fn default() -> Self {
        Self {
            system: 500,
            tools: 1_500,
            profile: 200,
            memories: 1_500,
            data: 2_000,
            history: 2_000,
            buffer: 300,
        }
    }
}

impl Budgets {
    /// Returns the sum of all budgets.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.system
            + self.tools
            + self.profile
            + self.memories
            + self.data
            + self.history
            + self.buffer
    }

    /// Returns the budgets when results of `tokens` share the data section with the rows.
    #[must_use]
    pub const fn after_results(self, tokens: u64) -> Self {
        Self {
            data: self.data.saturating_sub(tokens),
            ..self
        }
    }

    /// Returns budgets that fit a model whose window must also hold a message of `message` tokens and a reply of
    /// `reply` tokens. System, profile and buffer stay whole; the others shrink in proportion, down to zero.
    #[must_use]
    pub fn within(self, model: &ModelProfile, message: u64, reply: u64) -> Self {
        let room = u64::from(model.context_tokens).saturating_sub(message.saturating_add(reply));
        if room >= self.total() {
            return self;
        }
        let whole = self.system + self.profile + self.buffer;
        let shrinks = self.total() - whole;
        let left = room.saturating_sub(whole);
        let part = |budget: u64| (budget * left).checked_div(shrinks).unwrap_or(0);
        Self {
            tools: part(self.tools),
            memories: part(self.memories),
            data: part(self.data),
            history: part(self.history),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use adjutant_domain::model::Tier;
    use proptest::prelude::*;

    fn model(context_tokens: u32) -> ModelProfile {
        ModelProfile {
            id: "lab/one".into(),
            tier: Tier::Fast,
            context_tokens,
            tools: true,
            structure: true,
            input_micros_per_million: 0,
            output_micros_per_million: 0,
            price_known: true,
            local: true,
        }
    }

    #[test]
    fn the_defaults_are_those_of_the_design() {
        assert_eq!(Budgets::default().total(), 8_000);
        assert_eq!(
            Budgets::default().within(&model(128_000), 100, 2_000),
            Budgets::default()
        );
        assert_eq!(Budgets::default().after_results(1_500).data, 500);
        assert_eq!(Budgets::default().after_results(9_000).data, 0);
    }

    proptest! {
        #[test]
        fn a_small_window_is_kept_where_it_can_be(
            window in 0_u32..20_000, message in 0_u64..4_000, reply in 0_u64..4_000,
        ) {
            let budgets = Budgets::default();
            let small = budgets.within(&model(window), message, reply);
            prop_assert!(small.total() <= budgets.total());
            let whole = budgets.system + budgets.profile + budgets.buffer;
            if u64::from(window) >= whole + message + reply {
                prop_assert!(small.total() + message + reply <= u64::from(window));
            } else {
                prop_assert_eq!(small.total(), whole);
            }
        }
    }
}
