//! Finds where a memory was used.

use std::collections::HashMap;

use adjutant_api::convert::records::at;
use adjutant_api::reply::MemoryUse;
use adjutant_api::{Fault, Reply};
use adjutant_domain::conversation::ConversationFilter;
use adjutant_domain::event::TurnEvent;
use adjutant_domain::ids::TurnId;
use adjutant_domain::ports::TurnLog as _;
use serde::Deserialize as _;

use super::{Service, store_fault};

/// Maximum number of uses returned.
const USES_MAX: usize = 50;
/// Maximum number of journal entries examined, starting with the newest conversations.
const ENTRIES_MAX: usize = 20_000;
/// Number of journal entries read at a time.
const PAGE: usize = 512;

/// Returns the turns whose answer used a memory, newest first.
pub(super) async fn uses(service: &Service, id: &str) -> Result<Reply, Fault> {
    let conversations = service
        .store
        .conversations(&ConversationFilter::default())
        .await
        .map_err(store_fault)?;
    let (mut found, mut looked_at, mut whole) = (Vec::new(), 0_usize, true);
    'all: for conversation in &conversations {
        let mut from = 0;
        loop {
            let page = service
                .store
                .journal(&conversation.id, from, PAGE)
                .await
                .map_err(store_fault)?;
            let Some(last) = page.last() else { break };
            from = last.seq + 1;
            looked_at += page.len();
            found.extend(
                page.iter()
                    .filter(|entry| mentions(&entry.body, id))
                    .map(|entry| (conversation, entry.turn.clone())),
            );
            if looked_at >= ENTRIES_MAX {
                whole = false;
                break 'all;
            }
        }
    }
    let zone = service.zone();
    let mut turns: HashMap<TurnId, MemoryUse> = HashMap::new();
    for (conversation, turn) in found {
        if turns.contains_key(&turn) {
            continue;
        }
        let Some(stored) = service.store.turn(&turn).await.map_err(store_fault)? else {
            continue;
        };
        let one = MemoryUse {
            turn: turn.0.clone(),
            conversation: conversation.id.0.clone(),
            title: conversation.title.clone(),
            text: stored.text,
            at: at(stored.at, &zone),
        };
        turns.insert(turn, one);
    }
    let mut uses: Vec<MemoryUse> = turns.into_values().collect();
    uses.sort_by(|a, b| b.at.cmp(&a.at));
    whole = whole && uses.len() <= USES_MAX;
    uses.truncate(USES_MAX);
    Ok(Reply::Uses { uses, whole })
}

/// Tells whether this entry ends a turn that used the memory. Fully parses only entries that end a turn.
fn mentions(body: &serde_json::Value, id: &str) -> bool {
    let ends = body.get("event").and_then(serde_json::Value::as_str) == Some("done");
    ends && matches!(
        TurnEvent::deserialize(body),
        Ok(TurnEvent::Done { used_memories, .. }) if used_memories.iter().any(|one| one == id)
    )
}

#[cfg(test)]
#[path = "memory_tests.rs"]
mod tests;
