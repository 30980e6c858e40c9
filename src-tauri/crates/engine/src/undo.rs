//! Undoes what a step did by carrying out the recorded inverses of its effects.

use adjutant_domain::change::{Change, Expect, RowOp};
use adjutant_domain::conversation::Effect;
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::gate::{ActionState, PendingAction};
use adjutant_domain::ids::{AccountId, ConversationId, EffectId};
use adjutant_domain::operation::{Attempts, Receipt};
use adjutant_domain::ports::{Records, TurnLog};
use serde::{Deserialize, Serialize};

use crate::prepared::Prepared;
use crate::take_back::take_back;

/// The effect to undo.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub(crate) enum Which {
    /// The given effect.
    Effect(EffectId),
    /// The latest effect of a conversation, skipping undos, so that a second "undo" goes back another step.
    Latest(ConversationId),
}

/// Name of the command.
pub(crate) const TOOL: &str = "undo";

/// Beginning of a sentence that reports an undo.
const UNDONE: &str = "Undone: ";

/// Maximum number of recent effects that are looked through for one that cannot be undone.
const RECENT_MAX: usize = 50;

/// Outcome of an effect that was done.
const SUCCEEDED: &str = "succeeded";

/// Prepares the recorded inverses of an effect and of all others of its step: the person asked for them as one thing.
pub(crate) async fn prepare(
    which: &Which,
    log: &dyn TurnLog,
    records: &dyn Records,
) -> Result<Prepared, UserFault> {
    let effect = match which {
        Which::Effect(id) => log.effect(id).await.map_err(read)?.ok_or_else(|| {
            UserFault::new(
                "not_found",
                format!("Nothing in Activity has the id {id}."),
                "Activity lists everything that was done (`adjutant show activity`).",
            )
        })?,
        Which::Latest(conversation) => {
            let latest = log.latest_undoable(conversation).await.map_err(read)?;
            if let Some(action) = still_waiting(latest.as_ref(), conversation, log).await? {
                return Ok(take_back(&action));
            }
            refuse_past_what_stays(latest.as_ref(), conversation, log).await?;
            latest.ok_or_else(|| {
                UserFault::new(
                    "nothing_to_undo",
                    "Nothing was done in this conversation that can be undone.",
                    "Activity lists everything that was done.",
                )
            })?
        }
    };
    let together = log.effects_of(&effect.turn, &effect.step).await;
    let together = together.map_err(read)?;
    refuse_while_unknown(&together, log).await?;
    let left = not_undone(together)?;
    refuse_without_account(&left, records).await?;
    let say = step_say(&left, log).await?;
    Ok(inverse_of(&left, &say))
}

fn read(fault: StoreFault) -> UserFault {
    UserFault::from(&fault)
}

/// Returns the latest approved action of a conversation that waits and that "undo" takes back: it is held, which is
/// the only time to stop it, it belongs to the request that was done last, or nothing was done since it was proposed.
async fn still_waiting(
    latest: Option<&Effect>,
    conversation: &ConversationId,
    log: &dyn TurnLog,
) -> Result<Option<PendingAction>, UserFault> {
    let approved = log.actions(Some(ActionState::Approved), None).await;
    let approved = approved.map_err(read)?;
    let is_held =
        |action: &PendingAction| action.not_before.is_some() && action.shown_not_before().is_none();
    Ok(approved.into_iter().find(|action| {
        action.waits()
            && action.conversation == *conversation
            && (is_held(action)
                || latest
                    .is_none_or(|effect| effect.turn == action.turn || effect.at <= action.created))
    }))
}

/// Refuses to pass over something approved that cannot be undone, such as a sent mail: "undo" means that, and not what
/// was done for an earlier request. What was done for the same request is undone all the same.
async fn refuse_past_what_stays(
    latest: Option<&Effect>,
    conversation: &ConversationId,
    log: &dyn TurnLog,
) -> Result<(), UserFault> {
    let recent = log.effects(Some(RECENT_MAX)).await.map_err(read)?;
    let since = recent
        .into_iter()
        .filter(|effect| effect.conversation == *conversation)
        .take_while(|effect| latest.is_none_or(|latest| latest.turn != effect.turn));
    let mut stays = since.filter(|effect| {
        effect.outcome == SUCCEEDED
            && effect.action.is_some()
            && effect.inverse.is_none()
            && effect.undoes.is_none()
    });
    let Some(effect) = stays.next() else {
        return Ok(());
    };
    Err(UserFault::new(
        "no_undo",
        format!(
            "The latest thing done here cannot be undone: {}",
            first_line(what_was_done(&effect.say))
        ),
        "What was done before it can be undone in Activity.",
    ))
}

/// Refuses to repeat an undo whose outcome is unknown, since it may have happened.
async fn refuse_while_unknown(together: &[Effect], log: &dyn TurnLog) -> Result<(), UserFault> {
    let open = log.attempts(&Attempts::Open).await.map_err(read)?;
    let is_one = |id: &EffectId| together.iter().any(|effect| effect.id == *id);
    let mut undone = open.iter().filter_map(|tried| tried.begun.undoes.as_ref());
    if undone.any(is_one) {
        return Err(UserFault::new(
            "undo_unknown",
            "It is not clear yet whether this was undone; Adjutant keeps checking with the account. Nothing was done.",
            "Activity shows what became of it.",
        ));
    }
    Ok(())
}

/// Returns the effects that can still be undone, latest first.
fn not_undone(together: Vec<Effect>) -> Result<Vec<Effect>, UserFault> {
    let was_undone = together.iter().any(|effect| effect.undone_by.is_some());
    let has_inverse = |effect: &Effect| {
        let inverse = effect.inverse.as_ref();
        effect.undone_by.is_none() && inverse.is_some_and(|change| !change.ops.is_empty())
    };
    let left: Vec<Effect> = together.into_iter().filter(has_inverse).collect();
    match (left.is_empty(), was_undone) {
        (false, _) => Ok(left),
        (true, true) => Err(UserFault::new(
            "undone",
            "This was already undone; nothing was done.",
            "",
        )),
        (true, false) => Err(UserFault::new(
            "no_undo",
            "This cannot be undone; nothing was done.",
            "",
        )),
    }
}

/// Refuses to undo what was done in an account that has been removed since: its provider cannot be asked, and its rows
/// are gone or are only copies.
async fn refuse_without_account(left: &[Effect], records: &dyn Records) -> Result<(), UserFault> {
    let mut used = left.iter().filter_map(account).peekable();
    if used.peek().is_none() {
        return Ok(());
    }
    let known = records.accounts().await.map_err(read)?;
    if used.all(|id| known.iter().any(|account| account.id == *id)) {
        return Ok(());
    }
    Err(UserFault::new(
        "account_removed",
        "This was done in an account that has been removed from Adjutant since, so it cannot be undone here. Nothing was done.",
        "Change it with the provider of that account.",
    ))
}

/// Returns the account in which an effect happened; `None` for this computer.
fn account(effect: &Effect) -> Option<&AccountId> {
    match effect.receipt.as_ref()?.proof.as_ref()? {
        Receipt::Remote { account, .. } => Some(account),
        Receipt::Rows { .. } | Receipt::File { .. } | Receipt::Tool { .. } => None,
    }
}

/// Beginning of a sentence about an effect, left out after another such beginning.
const DONE: &str = "Done: ";

fn what_was_done(say: &str) -> &str {
    say.strip_prefix(DONE).unwrap_or(say)
}

/// Returns what the step of these effects did, in the words of its answer. Each of several effects has only the words
/// of its own request.
async fn step_say(left: &[Effect], log: &dyn TurnLog) -> Result<String, UserFault> {
    let Some(latest) = left.first() else {
        return Ok(String::new());
    };
    let turn = log.turn(&latest.turn).await.map_err(read)?;
    let plan = turn.and_then(|turn| turn.plan);
    let steps = plan.into_iter().flat_map(|plan| plan.steps);
    let said = steps
        .filter(|step| step.draft.key == latest.step)
        .filter_map(|step| step.result)
        .map(|result| result.say)
        .find(|say| !say.trim().is_empty());
    Ok(said.unwrap_or_else(|| {
        let says = left.iter().rev().map(|effect| effect.say.as_str());
        says.collect::<Vec<_>>().join(" ")
    }))
}

/// Returns what was done without the list of the things it was done to, which a title does not repeat.
fn first_line(say: &str) -> &str {
    say.split_once('\n').map_or(say, |(first, _)| first)
}

fn inverse_of(left: &[Effect], say: &str) -> Prepared {
    let say = first_line(say);
    let is_undo = left.iter().any(|effect| effect.undoes.is_some());
    let first = say.strip_prefix(UNDONE).filter(|_| is_undo);
    let (title, verb, say) = match first {
        Some(first) => (
            format!("Do again: {first}"),
            "Do again",
            format!("Done again: {first}"),
        ),
        None => {
            let is_rest = left.iter().any(|effect| effect.partly_undone);
            let undo = if is_rest { "Undo the rest" } else { "Undo" };
            (
                format!("{undo}: {}", what_was_done(say)),
                "Undo",
                format!("{UNDONE}{}", what_was_done(say)),
            )
        }
    };
    Prepared {
        title,
        verb,
        say,
        change: inverse(left),
        undoes: left.first().map(|effect| effect.id.clone()),
    }
}

/// Returns one change for the inverses of effects, latest first. A row that several of them changed goes back to where
/// the first of them found it, from where the last of them left it.
fn inverse(left: &[Effect]) -> Change {
    let mut ops: Vec<RowOp> = Vec::new();
    for op in left
        .iter()
        .filter_map(|one| one.inverse.as_ref())
        .flat_map(|one| &one.ops)
    {
        let same = |one: &&mut RowOp| (one.kind(), one.id()) == (op.kind(), op.id());
        match ops.iter_mut().find(same) {
            Some(later) => *later = expecting(op, later.expect()),
            None => ops.push(op.clone()),
        }
    }
    let inverses = left.iter().filter_map(|one| one.inverse.as_ref());
    Change {
        ops,
        homes: inverses.flat_map(|one| one.homes.clone()).collect(),
    }
}

fn expecting(op: &RowOp, expect: Expect) -> RowOp {
    let mut op = op.clone();
    match &mut op {
        RowOp::Put { expect: one, .. }
        | RowOp::Delete { expect: one, .. }
        | RowOp::Mark { expect: one, .. } => *one = expect,
    }
    op
}

#[cfg(test)]
mod tests {
    use super::what_was_done;

    #[test]
    fn nothing_is_said_to_be_undone_and_done_in_one_sentence() {
        assert_eq!(what_was_done("Done: “Tax return”."), "“Tax return”.");
        assert_eq!(
            what_was_done("Added “Done: a film”."),
            "Added “Done: a film”."
        );
    }
}
