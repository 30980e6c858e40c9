//! Jobs in memory, planned from the current records and actions at each request.

use adjutant_domain::ids::JobId;
use adjutant_domain::job::{
    Claim, Ended, Given, Job, JobKind, Planned, Progress, planned_for, planned_for_action,
};
use adjutant_domain::ports::Jobs;
use async_trait::async_trait;
use jiff::Timestamp;

use super::state::State;
use super::{MemoryLog, Stored};

#[async_trait]
impl Jobs for MemoryLog {
    async fn claim(&self, claim: &Claim) -> Stored<Vec<Given>> {
        let mut state = self.planned();
        state.may("claim_jobs")?;
        let mut due: Vec<Job> = state.jobs.values().cloned().collect();
        due.retain(|job| job.is_due(claim.now) && (claim.stays || !job.kind.rules().takes_long));
        due.sort_by_key(|job| job.run_at);
        due.truncate(claim.limit);
        let given: Vec<Given> = due.into_iter().map(|job| job.claimed(claim)).collect();
        for one in &given {
            let job = one.job().clone();
            state.jobs.insert(job.id.clone(), job);
        }
        Ok(given)
    }

    async fn plan(&self, job: &Job) -> Stored<()> {
        let mut state = self.planned();
        state.commit("add_job")?;
        state
            .jobs
            .entry(job.id.clone())
            .or_insert_with(|| job.clone());
        Ok(())
    }

    async fn begin(&self, job: &Job, claim: &Claim) -> Stored<Option<Job>> {
        let mut state = self.planned();
        let begun = job.clone().begun(state.jobs.get(&job.id), claim);
        state
            .jobs
            .extend(begun.clone().map(|job| (job.id.clone(), job)));
        Ok(begun)
    }

    async fn renew(&self, id: &JobId, claim: &Claim, progress: Option<Progress>) -> Stored<bool> {
        let mut state = self.planned();
        let job = state.jobs.get(id).cloned();
        let renewed = job.and_then(|job| job.renewed(&claim.holder, claim.now, progress));
        let is_own = renewed.is_some();
        state.jobs.extend(renewed.map(|job| (job.id.clone(), job)));
        Ok(is_own)
    }

    async fn settle(&self, claim: &Claim, ended: &[(JobId, Ended)]) -> Stored<Vec<Job>> {
        let mut state = self.planned();
        state.commit("settle_jobs")?;
        let mut own = Vec::new();
        for (id, ended) in ended {
            if let Some(job) = state
                .jobs
                .get(id)
                .and_then(|job| job.clone().ended(claim, ended))
            {
                state.jobs.insert(id.clone(), job.clone());
                own.push(job);
            }
        }
        Ok(own)
    }

    async fn hurry(&self, ids: &[JobId], now: Timestamp) -> Stored<bool> {
        let mut state = self.planned();
        let own = |id| state.jobs.get(id).cloned();
        let hurried: Vec<Job> = ids.iter().filter_map(own).collect();
        let hurried: Vec<Job> = hurried
            .into_iter()
            .filter_map(|job| job.hurried(now))
            .collect();
        let any = !hurried.is_empty();
        let hurried = hurried.into_iter().map(|job| (job.id.clone(), job));
        state.jobs.extend(hurried);
        Ok(any)
    }

    async fn is_leased(&self, id: &JobId, now: Timestamp) -> Stored<bool> {
        let state = self.planned();
        Ok(state.jobs.get(id).is_some_and(|job| job.is_leased(now)))
    }

    async fn release_all(&self) -> Stored<()> {
        let mut state = self.planned();
        for job in state.jobs.values_mut() {
            *job = job.clone().released();
        }
        Ok(())
    }

    async fn next_at(&self) -> Stored<Option<Timestamp>> {
        Ok(self.planned().jobs.values().filter_map(Job::next_at).min())
    }
}

impl MemoryLog {
    /// Returns the state after planning every job again.
    fn planned(&self) -> std::sync::MutexGuard<'_, State> {
        let mut state = self.state();
        let records = self.records.all();
        let actions = state.actions.clone();
        let mut planned: Vec<Planned> = records.iter().filter_map(planned_for).collect();
        planned.extend(actions.iter().flat_map(planned_for_action));
        let gone: Vec<(JobKind, String)> = state
            .jobs
            .values()
            .filter(|job| !job.kind.rules().takes_long && job.schedule.is_none())
            .map(|job| (job.kind, job.subject.clone()))
            .filter(|(kind, subject)| {
                !planned
                    .iter()
                    .any(|one| one.kind == *kind && one.subject == *subject)
            })
            .collect();
        planned.extend(gone.into_iter().map(|(kind, subject)| Planned {
            kind,
            subject,
            job: None,
        }));
        for one in planned {
            state.replan(&one);
        }
        state
    }

    /// Returns a job as stored.
    pub fn job(&self, id: &str) -> Option<Job> {
        self.planned().jobs.get(&JobId::from(id)).cloned()
    }

    /// Stops a job, as the person would.
    pub fn stop(&self, id: &str) {
        let mut state = self.planned();
        if let Some(job) = state.jobs.get_mut(&JobId::from(id)) {
            *job = job.clone().stopped().expect("stoppable");
        }
    }

    /// Stores a job that is not derived from a record.
    pub fn keep(&self, job: Job) {
        self.planned().jobs.insert(job.id.clone(), job);
    }

    /// Claims a job, as another process would.
    pub fn take_over(&self, id: &str, claim: &Claim) {
        let mut state = self.planned();
        if let Some(job) = state.jobs.get_mut(&JobId::from(id)) {
            *job = job.clone().claimed(claim).job().clone();
        }
    }
}

impl State {
    fn may(&mut self, commit: &'static str) -> Stored<()> {
        if self.refuses(commit) {
            return Err(adjutant_domain::faults::StoreFault::DiskFull);
        }
        Ok(())
    }

    fn replan(&mut self, planned: &Planned) {
        let of = |job: &&Job| job.kind == planned.kind && job.subject == planned.subject;
        let there = self.jobs.values().filter(of).cloned().collect();
        let replan = planned.replan(there);
        for id in &replan.gone {
            self.jobs.remove(id);
        }
        for job in replan.put {
            self.jobs.insert(job.id.clone(), job);
        }
    }
}
