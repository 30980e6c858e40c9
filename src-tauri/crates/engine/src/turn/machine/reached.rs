//! Tracks which private data has reached a conversation; its origin determines what a read could leak.

use std::collections::BTreeSet;

use adjutant_domain::gate::Private;
use adjutant_domain::ids::AccountId;

/// Origins of a conversation's private data.
#[derive(Debug, Default)]
pub(super) struct Reached {
    /// Accounts read in this turn.
    accounts: BTreeSet<AccountId>,
    /// Whether an earlier turn read private data; its accounts are not stored.
    before: bool,
}

impl Reached {
    /// Records that data of an account was read or shown to a model.
    pub(super) fn came_from(&mut self, account: AccountId) {
        self.accounts.insert(account);
    }

    /// Records that an earlier turn had read private data.
    pub(super) fn came_before(&mut self) {
        self.before = true;
    }

    pub(super) fn is_any(&self) -> bool {
        self.before || !self.accounts.is_empty()
    }

    pub(super) fn as_gate_sees(&self) -> Private<'_> {
        let mut accounts = self.accounts.iter();
        match (self.before, accounts.next(), accounts.next()) {
            (false, None, _) => Private::None,
            (false, Some(only), None) if *only != AccountId::local() => Private::From(only),
            _ => Private::Anywhere,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_account_is_told_apart_only_while_nothing_else_was_reached() {
        let mut reached = Reached::default();
        assert_eq!(reached.as_gate_sees(), Private::None);
        let desk = AccountId::from("mcp:desk");
        reached.came_from(desk.clone());
        assert_eq!(reached.as_gate_sees(), Private::From(&desk));
        reached.came_from(AccountId::from("mcp:other"));
        assert_eq!(reached.as_gate_sees(), Private::Anywhere);

        for local_or_earlier in [
            |reached: &mut Reached| reached.came_from(AccountId::local()),
            Reached::came_before,
        ] {
            let mut reached = Reached::default();
            local_or_earlier(&mut reached);
            assert_eq!(reached.as_gate_sees(), Private::Anywhere);
            reached.came_from(desk.clone());
            assert_eq!(reached.as_gate_sees(), Private::Anywhere);
        }
    }
}
