//! Reads in one go what a turn needs to know of its conversation.

use adjutant_domain::conversation::Past;
use adjutant_domain::ids::ConversationId;
use rusqlite::Connection;

use crate::fault::Result;
use crate::tables::{actions, conversations, grants, journal, messages, summaries, turns};

/// Highest number of earlier messages a turn sees.
pub const PAST_MESSAGES_MAX: usize = 20;

/// Returns the past of a conversation and the number of its next journal entry.
pub(crate) fn read(connection: &Connection, id: &ConversationId) -> Result<(Past, i64)> {
    let mut past = Past {
        pending_everywhere: actions::pending_count(connection)?,
        elsewhere: actions::pending_elsewhere(connection, id)?,
        approved: actions::waiting(connection)?,
        grants: grants::standing(connection)?,
        rates: grants::rates(connection)?,
        ..Past::default()
    };
    let Some((kept, messages)) = conversations::kept(connection, id)? else {
        return Ok((past, 1));
    };
    past.messages = messages::latest_standing(connection, id, PAST_MESSAGES_MAX)?;
    let standing = messages.saturating_sub(messages::replaced(connection, id)?);
    past.older = standing.saturating_sub(past.messages.len() as u64);
    past.focus = kept.focus;
    past.taint = kept.taint;
    past.private = kept.private;
    past.shown_last = kept.shown_last;
    past.waiting = turns::waiting(connection, id)?;
    if let Some(waiting) = &past.waiting {
        past.waiting_replaced = turns::is_replaced(connection, id, &waiting.id)?;
    }
    past.pending = actions::pending(connection, id)?;
    past.summary = summaries::get(connection, id)?;
    Ok((past, journal::next(connection, id)?))
}
