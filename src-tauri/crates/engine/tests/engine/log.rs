//! The durable side of turns, in memory, with the same compare-and-set rules as storage. Counts the commits.

// The path is explicit because the benchmark includes these files from another folder.
#[path = "log/attempts.rs"]
mod attempts;
#[path = "log/grants.rs"]
mod grants;
#[path = "log/jobs.rs"]
mod jobs;
#[path = "log/rows.rs"]
mod rows;
#[path = "log/state.rs"]
mod state;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use adjutant_domain::conversation::{
    Effect, EffectCommit, JournalEntry, Message, Past, Receipt, Role, Standby, Summary, ToolUse,
    Turn, TurnEnd, TurnState,
};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::gate::{ActionState, Channel, Hold, PendingAction};
use adjutant_domain::ids::{ActionId, ConversationId, EffectId, StepKey, TurnId};
use adjutant_domain::operation::{Attempts, Beginning, Ending, Tried};
use adjutant_domain::plan::{Plan, StepState};
use adjutant_domain::ports::{Records as _, Recovered, TurnLog};
use adjutant_testkit::MemoryRecords;
use async_trait::async_trait;
use jiff::Timestamp;
use tokio::sync::Semaphore;

use self::state::State;

pub struct MemoryLog {
    records: Arc<MemoryRecords>,
    /// Gets a permit whenever a part of a running answer is stored.
    pub kept: Semaphore,
    /// Gets a permit whenever storing such a part fails.
    pub refused: Semaphore,
    /// Gets a permit whenever the process dies.
    pub died: Semaphore,
    /// Gets a permit whenever the engine looks for interrupted turns.
    pub looked: Semaphore,
    state: Mutex<State>,
}

type Stored<T> = Result<T, StoreFault>;

impl MemoryLog {
    pub fn new(records: Arc<MemoryRecords>) -> Self {
        Self {
            records,
            kept: Semaphore::new(0),
            refused: Semaphore::new(0),
            looked: Semaphore::new(0),
            died: Semaphore::new(0),
            state: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the names of the commits since the last call.
    pub fn commits(&self) -> Vec<&'static str> {
        std::mem::take(&mut self.state().commits)
    }

    /// Makes every commit of this name fail as on a full disk. With "break off", the next effect panics.
    pub fn break_at(&self, commit: Option<&'static str>) {
        self.state().broken = commit.map(|name| (name, 0)).into_iter().collect();
    }

    /// Does the same for several commits, each after this many successful ones.
    pub fn break_after(&self, commits: &[(&'static str, usize)]) {
        self.state().broken = commits.to_vec();
    }

    /// Makes the process die at its `nth` possible point from now. Nothing it does continues, and `died` gets a permit.
    pub fn die_at(&self, nth: usize) {
        self.state().dies = Some(nth);
    }

    async fn pass(&self) {
        let dies = {
            let mut state = self.state();
            match &mut state.dies {
                Some(0) => true,
                Some(left) => {
                    *left -= 1;
                    false
                }
                None => false,
            }
        };
        if dies {
            self.died.add_permits(1);
            std::future::pending().await
        }
    }

    /// Prevents any further death.
    pub fn revive(&self) {
        self.state().dies = None;
    }

    /// Makes the search for interrupted turns wait for a permit of this semaphore.
    pub fn hold(&self, held: &Arc<Semaphore>) {
        self.state().held = Some(held.clone());
    }

    /// Changes a stored action without the engine's knowledge.
    pub fn tamper(&self, id: &ActionId, change: impl FnOnce(&mut PendingAction)) {
        if let Some(action) = self.state().actions.iter_mut().find(|one| one.id == *id) {
            change(action);
        }
    }

    /// Changes a stored turn into the state a kill would have left.
    pub fn rewind(&self, id: &TurnId, change: impl FnOnce(&mut Turn)) {
        if let Some(turn) = self.state().turns.iter_mut().find(|one| one.id == *id) {
            change(turn);
        }
    }

    pub fn messages(&self, conversation: &str) -> Vec<(Role, String)> {
        self.state()
            .messages
            .iter()
            .filter(|(id, _)| id.0 == conversation)
            .map(|(_, message)| (message.role, message.text.clone()))
            .collect()
    }
}

/// Returns the action that a waiting turn showed last, as storage does.
fn shown_last(end: &TurnEnd) -> Option<ActionId> {
    if end.state != TurnState::Waiting {
        return None;
    }
    let new = end.pending.last().map(|action| action.id.clone());
    let steps = end.plan.iter().flat_map(|plan| &plan.steps);
    new.or_else(|| {
        steps.rev().find_map(|step| match &step.state {
            StepState::NeedsApproval { action } => Some(action.clone()),
            _ => None,
        })
    })
}

fn conflict(what: &str) -> StoreFault {
    StoreFault::Conflict { what: what.into() }
}

fn missing(what: &str) -> StoreFault {
    StoreFault::Missing { what: what.into() }
}

#[async_trait]
impl TurnLog for MemoryLog {
    async fn open_turn(&self, turn: &Turn) -> Stored<(Past, i64)> {
        let mut state = self.state();
        state.commit("open_turn")?;
        state.turns.push(turn.clone());
        let past = state.past(&turn.conversation);
        state.messages.push((
            turn.conversation.clone(),
            Message {
                turn: turn.id.clone(),
                role: Role::User,
                text: turn.text.clone(),
                at: turn.at,
            },
        ));
        if let Some(kept) = state.kept.get_mut(&turn.conversation) {
            kept.2 = None;
        }
        Ok(past)
    }

    async fn past(&self, conversation: &ConversationId) -> Stored<(Past, i64)> {
        let mut state = self.state();
        if state.refuses("past") {
            return Err(StoreFault::DiskFull);
        }
        Ok(state.past(conversation))
    }

    async fn reopen_turn(&self, turn: &TurnId) -> Stored<Turn> {
        self.pass().await;
        let mut state = self.state();
        state.commit("reopen_turn")?;
        state
            .turn_step(turn, &[TurnState::Waiting], TurnState::Open)
            .cloned()
    }

    async fn commit_effect(&self, effect: &EffectCommit) -> Stored<Receipt> {
        let mut state = self.state();
        assert!(!state.refuses("break off"), "as told");
        if state.refuses("commit_effect") {
            return Err(StoreFault::DiskFull);
        }
        let open = |turn: &Turn| turn.id == effect.turn && turn.state == TurnState::Open;
        if !state.turns.iter().any(open) {
            return Err(conflict(&effect.turn.0));
        }
        if let Some(id) = &effect.claim {
            let claims = [ActionState::Approved, ActionState::Executing];
            let approved = |one: &PendingAction| one.id == *id && claims.contains(&one.state);
            if !state.actions.iter().any(approved) {
                return Err(conflict(&id.0));
            }
        }
        for run in &effect.unasked {
            state.note(run, effect.at)?;
        }
        let inverse = self.inverse(&effect.change);
        self.records.apply(&effect.change)?;
        state.commit("commit_effect")?;
        if let Some(id) = &effect.claim {
            // Another operation of the same call may have claimed it already.
            drop(state.step(id, ActionState::Approved, ActionState::Executing));
            if effect.settles_claim {
                state.step(id, ActionState::Executing, ActionState::Succeeded)?;
            }
        }
        let receipt = Receipt {
            id: effect.id.clone(),
            rows: self.read_back(&effect.change),
            proof: None,
            at: effect.at,
        };
        state.use_inverse(effect.undoes.as_ref(), &effect.change, &effect.id);
        state.effects.push(Effect {
            id: effect.id.clone(),
            at: effect.at,
            conversation: effect.conversation.clone(),
            turn: effect.turn.clone(),
            step: effect.step.clone(),
            tool: effect.tool.clone(),
            args: effect.args.clone(),
            outcome: "succeeded".into(),
            say: effect.say.clone(),
            receipt: Some(receipt.clone()),
            inverse: (!inverse.ops.is_empty()).then_some(inverse),
            action: effect.claim.clone(),
            grant: effect.unasked.iter().find_map(|run| run.grant.clone()),
            undone_by: None,
            partly_undone: false,
            undoes: effect.undoes.clone(),
        });
        if let Some(plan) = &effect.plan
            && let Some(turn) = state.turns.iter_mut().find(|one| one.id == effect.turn)
        {
            turn.plan = Some(plan.clone());
        }
        state.append(&effect.conversation, &effect.journal)?;
        Ok(receipt)
    }

    async fn begin_attempt(&self, begin: &Beginning) -> Stored<()> {
        self.pass().await;
        let begun = self.put_on_record(begin);
        self.pass().await;
        begun
    }

    async fn end_attempt(
        &self,
        end: &Ending,
        standby: Option<&Standby>,
    ) -> Stored<Option<Receipt>> {
        self.pass().await;
        let ended = self.settle_attempt(end, standby);
        self.pass().await;
        ended
    }

    async fn attempts(&self, which: &Attempts) -> Stored<Vec<Tried>> {
        Ok(self.tried(which))
    }

    async fn save_plan(&self, turn: &TurnId, plan: &Plan, journal: &[JournalEntry]) -> Stored<()> {
        let mut state = self.state();
        state.commit("save_plan")?;
        let conversation = {
            let found = state.turns.iter_mut().find(|one| one.id == *turn);
            let found = found.ok_or_else(|| missing(&turn.0))?;
            found.plan = Some(plan.clone());
            found.conversation.clone()
        };
        state.append(&conversation, journal)
    }

    async fn keep_journal(
        &self,
        conversation: &ConversationId,
        entries: &[JournalEntry],
    ) -> Stored<()> {
        let mut state = self.state();
        if let Err(fault) = state.commit("keep_journal") {
            self.refused.add_permits(1);
            return Err(fault);
        }
        state.append(conversation, entries)?;
        self.kept.add_permits(1);
        Ok(())
    }

    async fn close_turn(&self, end: &TurnEnd) -> Stored<()> {
        self.pass().await;
        let mut state = self.state();
        if state.refuses("close_turn") {
            return Err(StoreFault::DiskFull);
        }
        // Tries the moves on a copy first, so that either all or none apply.
        let before = state.actions.clone();
        state.actions.extend(end.pending.iter().cloned());
        for (id, from, to) in &end.actions {
            if let Err(fault) = state.step(id, *from, *to) {
                state.actions = before;
                return Err(fault);
            }
        }
        if let Some(other) = &end.sets_aside {
            state.turn_step(other, &[TurnState::Waiting], TurnState::SetAside)?;
        }
        let turn = state.turn_step(&end.turn, &[TurnState::Open, TurnState::Waiting], end.state)?;
        turn.route.clone_from(&end.route);
        if end.plan.is_some() {
            turn.plan.clone_from(&end.plan);
        }
        turn.answer.clone_from(&end.answer);
        if let Some(text) = &end.answer {
            state.messages.push((
                end.conversation.clone(),
                Message {
                    turn: end.turn.clone(),
                    role: Role::Assistant,
                    text: text.clone(),
                    at: end.at,
                },
            ));
        }
        let shown = shown_last(end);
        if end.private {
            state.private.insert(end.conversation.clone());
        }
        state.kept.insert(
            end.conversation.clone(),
            (end.focus.clone(), end.taint, shown),
        );
        let text = state.turns.iter().find(|turn| turn.id == end.turn);
        let text = text.map_or_else(String::new, |turn| turn.text.clone());
        state.tools.push((text, end.tools.clone()));
        state.append(&end.conversation, &end.journal)?;
        state.commit("close_turn")
    }

    async fn approve_action(
        &self,
        id: &ActionId,
        channel: Channel,
        hold: Option<Hold>,
    ) -> Stored<()> {
        let (from, to) = (ActionState::Pending, ActionState::Approved);
        self.move_action(id, from, to, Some(channel), Timestamp::UNIX_EPOCH)
            .await?;
        self.tamper(id, |action| {
            action.not_before = hold.map(|hold| hold.not_before);
            action.waits_until = hold.map(|hold| hold.waits_until);
        });
        Ok(())
    }

    async fn move_action(
        &self,
        id: &ActionId,
        from: ActionState,
        to: ActionState,
        channel: Option<Channel>,
        _at: Timestamp,
    ) -> Stored<()> {
        self.pass().await;
        let mut state = self.state();
        if state.refuses("move_action") {
            return Err(StoreFault::DiskFull);
        }
        state.step(id, from, to)?;
        state.commits.push("move_action");
        drop(state);
        self.tamper(id, |action| action.channel = channel);
        Ok(())
    }

    async fn expire_actions(&self, now: Timestamp, approved: bool) -> Stored<Vec<PendingAction>> {
        let mut state = self.state();
        state.commit("expire_actions")?;
        let mut expired = Vec::new();
        for action in &mut state.actions {
            let may = action.state == ActionState::Pending
                || (approved && action.state == ActionState::Approved);
            if may && action.expires <= now {
                action.state = ActionState::Expired;
                expired.push(action.clone());
            }
        }
        Ok(expired)
    }

    async fn action(&self, id: &ActionId) -> Stored<Option<PendingAction>> {
        let state = self.state();
        Ok(state.actions.iter().find(|one| one.id == *id).cloned())
    }

    async fn actions(
        &self,
        wanted: Option<ActionState>,
        limit: Option<usize>,
    ) -> Stored<Vec<PendingAction>> {
        let mut state = self.state();
        if state.refuses("actions") {
            return Err(StoreFault::DiskFull);
        }
        let fitting = state
            .actions
            .iter()
            .rev()
            .filter(|one| wanted.is_none_or(|wanted| one.state == wanted));
        Ok(fitting.take(limit.unwrap_or(usize::MAX)).cloned().collect())
    }

    async fn turn(&self, id: &TurnId) -> Stored<Option<Turn>> {
        let state = self.state();
        Ok(state.turns.iter().find(|one| one.id == *id).cloned())
    }

    async fn turns(
        &self,
        conversation: Option<&ConversationId>,
        limit: Option<usize>,
    ) -> Stored<Vec<Turn>> {
        let state = self.state();
        let fitting = state
            .turns
            .iter()
            .rev()
            .filter(|turn| conversation.is_none_or(|id| turn.conversation == *id));
        Ok(fitting.take(limit.unwrap_or(usize::MAX)).cloned().collect())
    }

    async fn journal(
        &self,
        conversation: &ConversationId,
        from: i64,
        limit: usize,
    ) -> Stored<Vec<JournalEntry>> {
        let state = self.state();
        let entries = state.journal.get(conversation).into_iter().flatten();
        Ok(entries
            .filter(|entry| entry.seq >= from)
            .take(limit)
            .cloned()
            .collect())
    }

    async fn messages_from(
        &self,
        conversation: &ConversationId,
        skip: u64,
        limit: usize,
    ) -> Stored<Vec<Message>> {
        let state = self.state();
        let here = state.messages.iter().filter(|(id, _)| id == conversation);
        let skip = usize::try_from(skip).unwrap_or(usize::MAX);
        Ok(here
            .skip(skip)
            .take(limit)
            .map(|(_, message)| message.clone())
            .collect())
    }

    async fn keep_summary(&self, conversation: &ConversationId, summary: &Summary) -> Stored<()> {
        let mut state = self.state();
        state
            .summaries
            .insert(conversation.clone(), summary.clone());
        Ok(())
    }

    async fn tool_uses(&self, limit: usize) -> Stored<Vec<(String, ToolUse)>> {
        let state = self.state();
        Ok(state.tools.iter().rev().take(limit).cloned().collect())
    }

    async fn effect(&self, id: &EffectId) -> Stored<Option<Effect>> {
        let state = self.state();
        Ok(state.effects.iter().find(|one| one.id == *id).cloned())
    }

    async fn latest_undoable(&self, conversation: &ConversationId) -> Stored<Option<Effect>> {
        let state = self.state();
        let mut latest = state.effects.iter().rev();
        Ok(latest
            .find(|effect| {
                effect.conversation == *conversation
                    && effect.undoes.is_none()
                    && effect.undone_by.is_none()
                    && effect.inverse.is_some()
                    && !["undo", "outbox.draft"].contains(&effect.tool.as_str())
            })
            .cloned())
    }

    async fn effects_of(&self, turn: &TurnId, step: &StepKey) -> Stored<Vec<Effect>> {
        let state = self.state();
        let latest = state.effects.iter().rev();
        let of_step = latest.filter(|one| one.turn == *turn && one.step == *step);
        Ok(of_step.cloned().collect())
    }

    async fn effects(&self, limit: Option<usize>) -> Stored<Vec<Effect>> {
        let state = self.state();
        let latest = state.effects.iter().rev();
        Ok(latest.take(limit.unwrap_or(usize::MAX)).cloned().collect())
    }

    async fn unfinished(&self) -> Stored<Vec<Recovered>> {
        self.looked.add_permits(1);
        let held = self.state().held.clone();
        if let Some(held) = held {
            drop(held.acquire().await);
        }
        let state = self.state();
        let open = state
            .turns
            .iter()
            .filter(|turn| turn.state == TurnState::Open);
        Ok(open
            .map(|turn| Recovered {
                turn: turn.clone(),
                effects: state
                    .effects
                    .iter()
                    .filter(|effect| effect.turn == turn.id)
                    .cloned()
                    .collect(),
            })
            .collect())
    }
}

/// Returns the titles of all tasks, sorted.
pub async fn task_titles(records: &MemoryRecords) -> Vec<String> {
    let tasks = records.tasks(&Default::default()).await.unwrap_or_default();
    let mut titles: Vec<String> = tasks.into_iter().map(|task| task.title).collect();
    titles.sort();
    titles
}
