//! Lists conversations and carries out the person's changes to them.

use adjutant_api::convert::turns;
use adjutant_api::reply::Hit;
use adjutant_api::rows::Rows;
use adjutant_api::{Fault, Reply};
use adjutant_domain::conversation::ConversationFilter;
use adjutant_domain::ids::ConversationId;
use adjutant_engine::Target;
use adjutant_store::Topic;

use super::{Service, store_fault, topic_word, user_fault};

/// Returns the requested part of the list and the total count. A search for words includes archived conversations.
pub(super) async fn reply(
    service: &Service,
    archived: bool,
    mut listed: ConversationFilter,
) -> Result<Reply, Fault> {
    listed.words = listed.words.filter(|text| !text.trim().is_empty());
    listed.archived = (archived || listed.words.is_none()).then_some(archived);
    let found = service.store.conversations(&listed).await;
    let found = found.map_err(store_fault)?;
    let all_of_them = listed.offset == 0 && listed.limit.is_none_or(|limit| found.len() < limit);
    let total = if all_of_them {
        found.len() as u64
    } else {
        let total = service.store.count_conversations(&listed).await;
        total.map_err(store_fault)?
    };
    let zone = service.zone();
    let rows = found.iter().map(|one| turns::conversation(one, &zone));
    Ok(Reply::Rows {
        rows: Rows::Conversations(rows.collect()),
        total: Some(total),
    })
}

/// Returns conversations that contain the words, for a search over everything.
pub(super) async fn hits(service: &Service, text: &str, limit: usize) -> Result<Vec<Hit>, Fault> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let listed = ConversationFilter {
        words: Some(text.to_owned()),
        limit: Some(limit),
        ..ConversationFilter::default()
    };
    let found = service.store.conversations(&listed).await;
    let hit = |one: adjutant_domain::conversation::Conversation| Hit {
        topic: topic_word(Topic::Conversations).into(),
        id: one.id.0,
        title: one.title,
        snippet: one.found.unwrap_or_default(),
    };
    Ok(found.map_err(store_fault)?.into_iter().map(hit).collect())
}

pub(super) async fn rename(service: &Service, id: String, title: &str) -> Result<Reply, Fault> {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    if title.is_empty() {
        return Err(Fault {
            code: "usage".into(),
            message: "A conversation needs a title.".into(),
            hint: "Enter at least one word.".into(),
        });
    }
    let id = ConversationId(id);
    let renamed = service.store.rename_conversation(&id, &title);
    renamed.await.map_err(store_fault)?;
    Ok(Reply::Ok {})
}

pub(super) async fn place(
    service: &Service,
    id: String,
    pinned: Option<bool>,
    archived: Option<bool>,
) -> Result<Reply, Fault> {
    let id = ConversationId(id);
    let placed = service.store.place_conversation(&id, pinned, archived);
    placed.await.map_err(store_fault)?;
    Ok(Reply::Ok {})
}

/// Stops what runs in a conversation, since its output would have nowhere to go, and deletes the conversation.
pub(super) async fn delete(service: &Service, id: String) -> Result<Reply, Fault> {
    let id = ConversationId(id);
    let stopped = service
        .engine
        .interrupt(&Target::Conversation(id.clone()))
        .await;
    stopped.map_err(|fault| user_fault(&fault))?;
    let now = service.now().timestamp();
    let deleted = service.store.delete_conversation(&id, now);
    deleted.await.map_err(store_fault)?;
    Ok(Reply::Ok {})
}

pub(super) async fn restore(service: &Service, id: String) -> Result<Reply, Fault> {
    let id = ConversationId(id);
    let restored = service.store.restore_conversation(&id);
    restored.await.map_err(store_fault)?;
    Ok(Reply::Ok {})
}
