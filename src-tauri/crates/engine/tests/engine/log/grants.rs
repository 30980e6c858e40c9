//! Standing grants and calls that ran without asking, kept as storage does.

use adjutant_domain::faults::StoreFault;
use adjutant_domain::gate::rate::since;
use adjutant_domain::gate::{ActionState, Grant, Unasked};
use adjutant_domain::ids::GrantId;
use adjutant_domain::ports::Grants;
use async_trait::async_trait;
use jiff::Timestamp;

use super::state::State;
use super::{MemoryLog, Stored, conflict, missing};

impl State {
    /// Counts a call that ran without asking, as storage does in the transaction that starts it.
    pub(super) fn note(&mut self, run: &Unasked, at: Timestamp) -> Stored<()> {
        let same = |one: &&(Unasked, Timestamp)| {
            one.1 > since(at) && (&one.0.tool, &one.0.account) == (&run.tool, &run.account)
        };
        if self.unasked.iter().filter(same).count() >= usize::try_from(run.most).unwrap() {
            return Err(StoreFault::TooOften {
                tool: run.tool.clone(),
                most: run.most,
            });
        }
        if let Some(id) = &run.grant {
            let grant = self
                .grants
                .iter_mut()
                .find(|one| one.id == *id && one.holds(at));
            let grant = grant.ok_or_else(|| conflict(&id.0))?;
            grant.uses += 1;
            grant.last_used = Some(at);
        }
        self.unasked.push((run.clone(), at));
        Ok(())
    }
}

#[async_trait]
impl Grants for MemoryLog {
    async fn add_grant(&self, grant: &Grant) -> Stored<()> {
        let mut state = self.state();
        let waits = |id: &_| {
            let mut actions = state.actions.iter();
            actions.any(|one| one.id == *id && one.state == ActionState::Pending)
        };
        if !waits(&grant.action) {
            return Err(conflict("the card"));
        }
        state.grants.push(grant.clone());
        Ok(())
    }

    async fn grants(&self) -> Stored<Vec<Grant>> {
        Ok(self.state().grants.clone())
    }

    async fn revoke_grant(&self, id: &GrantId, at: Timestamp) -> Stored<()> {
        let mut state = self.state();
        let grant = state.grants.iter_mut().find(|one| one.id == *id);
        grant.ok_or_else(|| missing(&id.0))?.revoked = Some(at);
        Ok(())
    }

    async fn restore_grant(&self, id: &GrantId, at: Timestamp) -> Stored<()> {
        let mut state = self.state();
        let grant = state.grants.iter_mut().find(|one| one.id == *id);
        let grant = grant.ok_or_else(|| missing(&id.0))?;
        if !grant.is_restorable(at) {
            return Err(conflict(&id.0));
        }
        grant.revoked = None;
        Ok(())
    }

    async fn note_unasked(&self, run: &Unasked, at: Timestamp) -> Stored<()> {
        self.state().note(run, at)
    }
}
