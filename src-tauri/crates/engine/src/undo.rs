//! Undoes an effect by carrying out its recorded inverse.

use adjutant_domain::conversation::Effect;
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::gate::{ActionState, PendingAction};
use adjutant_domain::ids::{ConversationId, EffectId};
use adjutant_domain::operation::{Attempts, Tried};
use adjutant_domain::ports::TurnLog;
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

/// Prepares the recorded inverse of an effect.
pub(crate) async fn prepare(which: &Which, log: &dyn TurnLog) -> Result<Prepared, UserFault> {
    let read = |fault: StoreFault| UserFault::from(&fault);
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
            if let Some(action) = waiting_since(latest.as_ref(), conversation, log).await? {
                return Ok(take_back(&action));
            }
            latest.ok_or_else(|| {
                UserFault::new(
                    "nothing_to_undo",
                    "Nothing was done in this conversation that can be undone.",
                    "Activity lists everything that was done.",
                )
            })?
        }
    };
    refuse_while_unknown(&effect, log).await?;
    inverse_of(effect)
}

/// Returns the latest approved action of a conversation that waits, unless an effect came after it was proposed: "undo"
/// then takes back its approval.
async fn waiting_since(
    latest: Option<&Effect>,
    conversation: &ConversationId,
    log: &dyn TurnLog,
) -> Result<Option<PendingAction>, UserFault> {
    let approved = log.actions(Some(ActionState::Approved), None).await;
    let approved = approved.map_err(|fault| UserFault::from(&fault))?;
    Ok(approved.into_iter().find(|action| {
        action.waits()
            && action.conversation == *conversation
            && latest.is_none_or(|effect| effect.at <= action.created)
    }))
}

/// Refuses to repeat an undo whose outcome is unknown, since it may have happened.
async fn refuse_while_unknown(effect: &Effect, log: &dyn TurnLog) -> Result<(), UserFault> {
    let open = log.attempts(&Attempts::Open).await;
    let open = open.map_err(|fault| UserFault::from(&fault))?;
    let is_this = |tried: &Tried| tried.begun.undoes.as_ref() == Some(&effect.id);
    if open.iter().any(is_this) {
        return Err(UserFault::new(
            "undo_unknown",
            "It is not clear yet whether this was undone; Adjutant keeps checking with the account. Nothing was done.",
            "Activity shows what became of it.",
        ));
    }
    Ok(())
}

/// Beginning of a sentence about an effect, left out after another such beginning.
const DONE: &str = "Done: ";

fn what_was_done(say: &str) -> &str {
    say.strip_prefix(DONE).unwrap_or(say)
}

fn inverse_of(effect: Effect) -> Result<Prepared, UserFault> {
    if effect.undone_by.is_some() {
        return Err(UserFault::new(
            "undone",
            "This was already undone; nothing was done.",
            "",
        ));
    }
    let Some(change) = effect.inverse.filter(|change| !change.ops.is_empty()) else {
        return Err(UserFault::new(
            "no_undo",
            "This cannot be undone; nothing was done.",
            "",
        ));
    };
    let first = effect.say.strip_prefix(UNDONE);
    let (title, verb, say) = match first.filter(|_| effect.undoes.is_some()) {
        Some(first) => (
            format!("Do again: {first}"),
            "Do again",
            format!("Done again: {first}"),
        ),
        None => (
            format!(
                "{}: {}",
                if effect.partly_undone {
                    "Undo the rest"
                } else {
                    "Undo"
                },
                what_was_done(&effect.say)
            ),
            "Undo",
            format!("{UNDONE}{}", what_was_done(&effect.say)),
        ),
    };
    Ok(Prepared {
        title,
        verb,
        say,
        change,
        undoes: Some(effect.id),
    })
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
