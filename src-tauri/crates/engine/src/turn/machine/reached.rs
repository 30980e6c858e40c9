//! Which private matters have reached a conversation: what a read would carry out of it depends on where they came from.

use std::collections::BTreeSet;

use adjutant_domain::gate::Private;
use adjutant_domain::ids::AccountId;

/// Where the private matters of a conversation came from.
#[derive(Debug, Default)]
pub(super) struct Reached {
    /// In this turn.
    accounts: BTreeSet<AccountId>,
    /// In an earlier turn, of which only this is kept.
    before: bool,
}

impl Reached {
    /// Something of an account was read, or shown to a model.
    pub(super) fn came_from(&mut self, account: AccountId) {
        self.accounts.insert(account);
    }

    /// An earlier turn had read something.
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
