//! Tests of the list of conversations: titles, words, order, archiving, deleting and restoring.

use adjutant_domain::conversation::{
    BACKGROUND, Conversation, ConversationFilter, DIRECT, ToolUse, Turn, TurnState,
};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::gate::ActionState;
use adjutant_domain::ids::ConversationId;
use adjutant_domain::ports::TurnLog as _;
use jiff::ToSpan as _;
use rusqlite::Connection;

use super::{action, end, fresh, noon, open, turn};
use crate::{DELETED_KEPT, Store, migrations};

/// Adds a message with its answer to a conversation, this many minutes after noon.
async fn say(store: &Store, conversation: &str, minute: i64, text: &str, answer: &str) {
    let id = format!("{conversation}-{minute}");
    let at = noon() + minute.minutes();
    let opened = Turn {
        conversation: conversation.into(),
        at,
        ..turn(&id, text)
    };
    store.open_turn(&opened).await.expect("opened");
    let mut closing = end(&id, TurnState::Done, answer);
    closing.conversation = conversation.into();
    closing.at = at;
    closing.tools = ToolUse {
        used: vec!["task.list".into()],
        ..ToolUse::default()
    };
    store.close_turn(&closing).await.expect("closed");
}

async fn listed(store: &Store, listed: ConversationFilter) -> Vec<Conversation> {
    let rows = store.conversations(&listed).await.expect("listed");
    let all = ConversationFilter {
        limit: None,
        offset: 0,
        ..listed
    };
    let count = store.count_conversations(&all).await.expect("counted");
    assert!(rows.len() as u64 <= count);
    rows
}

async fn ids(store: &Store, asked: ConversationFilter) -> Vec<String> {
    let rows = listed(store, asked).await;
    rows.into_iter().map(|one| one.id.0).collect()
}

fn words(text: &str) -> ConversationFilter {
    ConversationFilter {
        words: Some(text.into()),
        ..ConversationFilter::default()
    }
}

async fn title(store: &Store, id: &str) -> String {
    let found = store.conversation(&id.into()).await.expect("read");
    found.expect("there").title
}

#[tokio::test]
async fn the_first_request_gives_the_title_until_renamed() {
    let (_folder, store) = fresh();
    say(&store, "a", 0, "hi there!", "Hello.").await;
    assert_eq!(title(&store, "a").await, "hi there!");
    say(&store, "a", 1, "please find the lease.", "Here.").await;
    assert_eq!(title(&store, "a").await, "Find the lease");
    say(&store, "a", 2, "and the flat of Raj?", "Here.").await;
    assert_eq!(title(&store, "a").await, "Find the lease");
    store
        .rename_conversation(&"a".into(), "Flats")
        .await
        .expect("renamed");
    say(&store, "a", 3, "what else?", "Nothing.").await;
    assert_eq!(title(&store, "a").await, "Flats");
}

#[tokio::test]
async fn finds_words_in_titles_and_messages() {
    let (_folder, store) = fresh();
    say(
        &store,
        "lease",
        0,
        "find the lease",
        "In the Straße folder.",
    )
    .await;
    say(
        &store,
        "trip",
        1,
        "plan a trip",
        "Nadia’s café opens at nine.",
    )
    .await;
    say(&store, DIRECT, 2, "find the lease", "").await;
    say(&store, BACKGROUND, 3, "find the lease", "").await;
    assert_eq!(
        ids(&store, ConversationFilter::default()).await,
        ["trip", "lease"]
    );
    for (asked, found) in [
        ("lea", vec!["lease"]),
        ("CAFE open", vec!["trip"]),
        ("nadia's", vec!["trip"]),
        ("straße", vec!["lease"]),
        // Either one message or the title must contain all words.
        ("lease folder", vec![]),
        ("plan trip", vec!["trip"]),
        ("f", vec!["lease"]),
        ("\"AND OR* NEAR(", vec![]),
        ("!!!", vec![]),
        ("  ", vec!["trip", "lease"]),
    ] {
        assert_eq!(ids(&store, words(asked)).await, found, "{asked}");
    }
    let found = listed(&store, words("nine")).await.remove(0).found;
    assert_eq!(found.as_deref(), Some("Nadia’s café opens at nine."));
    assert_eq!(
        listed(&store, ConversationFilter::default()).await[0].found,
        None
    );
    store
        .rename_conversation(&"lease".into(), "Über Wohnungen")
        .await
        .expect("renamed");
    let renamed = listed(&store, words("uber wohn")).await.remove(0);
    assert_eq!((renamed.id.as_str(), renamed.found), ("lease", None));
}

#[tokio::test]
async fn lists_pinned_first_and_a_new_message_unarchives() {
    let (_folder, store) = fresh();
    for (minute, id) in ["a", "b", "c"].into_iter().enumerate() {
        say(&store, id, minute as i64, "find the lease", "Here.").await;
    }
    let part = |limit, offset| ConversationFilter {
        limit: Some(limit),
        offset,
        ..ConversationFilter::default()
    };
    let place = async |id: &str, pinned, archived| {
        let placed = store.place_conversation(&id.into(), pinned, archived).await;
        placed.expect("placed");
    };
    place("a", Some(true), None).await;
    assert_eq!(
        ids(&store, ConversationFilter::default()).await,
        ["a", "c", "b"]
    );
    assert_eq!(ids(&store, part(1, 1)).await, ["c"]);
    place("c", None, Some(true)).await;
    let open_ones = ConversationFilter {
        archived: Some(false),
        ..ConversationFilter::default()
    };
    let away = ConversationFilter {
        archived: Some(true),
        ..ConversationFilter::default()
    };
    assert_eq!(ids(&store, open_ones.clone()).await, ["a", "b"]);
    assert_eq!(ids(&store, away.clone()).await, ["c"]);
    assert_eq!(store.count_conversations(&open_ones).await, Ok(2));
    assert_eq!(ids(&store, words("lease")).await.len(), 3);
    say(&store, "c", 9, "and now?", "Now too.").await;
    assert_eq!(ids(&store, away).await, Vec::<String>::new());
    assert_eq!(ids(&store, open_ones).await, ["a", "c", "b"]);
    let missing = store
        .place_conversation(&"nope".into(), Some(true), None)
        .await;
    assert!(matches!(missing, Err(StoreFault::Missing { .. })));
}

#[tokio::test]
async fn hides_restores_and_finally_removes_a_deleted_conversation() {
    let (folder, store) = fresh();
    let main: ConversationId = "main".into();
    say(&store, "main", 0, "find the lease", "Here.").await;
    store
        .open_turn(&turn("a", "send it"))
        .await
        .expect("opened");
    let mut waiting = end("a", TurnState::Waiting, "May I?");
    waiting.pending = vec![action("act1", "a", ActionState::Pending)];
    store.close_turn(&waiting).await.expect("closed");

    store
        .delete_conversation(&main, noon())
        .await
        .expect("deleted");
    assert!(ids(&store, ConversationFilter::default()).await.is_empty());
    assert!(ids(&store, words("lease")).await.is_empty());
    assert_eq!(store.conversation(&main).await, Ok(None));
    assert_eq!(store.turns(None, None).await, Ok(Vec::new()));
    assert_eq!(store.tool_uses(9).await, Ok(Vec::new()));
    let (past, _) = store.past(&main).await.expect("read");
    assert!(past.messages.is_empty() && past.waiting.is_none());
    let waited = store.action(&"act1".into()).await.expect("read");
    assert_eq!(waited.expect("kept").state, ActionState::Cancelled);
    let again = store.delete_conversation(&main, noon()).await;
    assert!(matches!(again, Err(StoreFault::Missing { .. })));

    store.restore_conversation(&main).await.expect("restored");
    assert_eq!(ids(&store, words("lease")).await, ["main"]);
    assert_eq!(store.turns(None, None).await.expect("read").len(), 2);
    let twice = store.restore_conversation(&main).await;
    assert!(matches!(twice, Err(StoreFault::Missing { .. })));

    store
        .delete_conversation(&main, noon())
        .await
        .expect("deleted");
    store
        .forget_deleted(noon() + DELETED_KEPT)
        .await
        .expect("kept");
    store
        .restore_conversation(&main)
        .await
        .expect("still there");
    store
        .delete_conversation(&main, noon())
        .await
        .expect("deleted");
    let later = noon() + DELETED_KEPT + 1.second();
    store.forget_deleted(later).await.expect("forgotten");
    let gone = store.restore_conversation(&main).await;
    assert!(matches!(gone, Err(StoreFault::Missing { .. })));
    drop(store);
    let file = Connection::open(folder.path().join(crate::FILE)).expect("a file");
    for table in ["messages", "turns", "messages_words"] {
        let left: i64 = file
            .query_row(&format!("SELECT count(*) FROM {table}"), [], |row| {
                row.get(0)
            })
            .expect("counted");
        assert_eq!(left, 0, "{table}");
    }
}

#[tokio::test]
async fn a_message_after_deleting_starts_a_new_conversation() {
    let (_folder, store) = fresh();
    say(&store, "main", 0, "find the lease", "Here.").await;
    let deleted = store.delete_conversation(&"main".into(), noon()).await;
    deleted.expect("deleted");
    say(&store, "main", 1, "plan a trip", "Where to?").await;
    let all = listed(&store, ConversationFilter::default()).await;
    assert_eq!((all[0].title.as_str(), all[0].messages), ("Plan a trip", 2));
    assert!(ids(&store, words("lease")).await.is_empty());
    assert_eq!(store.erase().await, Ok(None));
    assert!(ids(&store, words("trip")).await.is_empty());
}

#[tokio::test]
async fn finds_messages_of_an_older_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut old = Connection::open(folder.path().join(crate::FILE)).expect("a file");
    old.pragma_update(None, "application_id", 0x4164_6a75)
        .expect("ours");
    migrations::run_to(&mut old, 12).expect("an old profile");
    old.execute_batch(
        "INSERT INTO conversations (id, title, created, updated, messages, focus, taint)
         VALUES ('old', 'Hello', 1, 2, 1, '{\"shown\":[]}', 'clean');
         INSERT INTO turns (id, conversation, text, at, state) VALUES ('t', 'old', 'x', 1, 'done');
         INSERT INTO messages (conversation, turn, role, text, at)
         VALUES ('old', 't', 'user', 'The café by the harbour', 1);",
    )
    .expect("filled");
    drop(old);
    let store = open(folder.path());
    let found = listed(&store, words("cafe harb")).await.remove(0);
    assert_eq!((found.id.as_str(), found.title.as_str()), ("old", "Hello"));
    assert!(!found.pinned && !found.archived);
    say(&store, "old", 1, "plan a trip", "Where to?").await;
    assert_eq!(title(&store, "old").await, "Hello", "its title stays");
}

#[tokio::test]
async fn the_index_of_words_is_sound_while_messages_come() {
    let (_folder, store) = fresh();
    for minute in 0..40 {
        say(
            &store,
            "a",
            minute,
            "the roof of the house leaks",
            "Since when?",
        )
        .await;
        listed(&store, words("roof")).await;
        assert_eq!(store.integrity_check().await, Ok(Vec::new()), "{minute}");
    }
}
