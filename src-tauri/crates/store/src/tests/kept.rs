//! Tests of what is stored for a conversation beside its messages: parts of a running answer, its summary, and the use
//! of tools.

use adjutant_domain::conversation::{JournalEntry, Past, Summary, ToolUse, Turn, TurnState};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ports::TurnLog as _;
use serde_json::json;

use super::{end, fresh, noon, turn};

fn entry(seq: i64) -> JournalEntry {
    JournalEntry {
        seq,
        turn: "a".into(),
        body: json!({"event": "token", "text": seq.to_string()}),
    }
}

#[tokio::test]
async fn the_journal_has_each_part_of_an_answer_once() {
    let (_folder, store) = fresh();
    let main = "main".into();
    store.open_turn(&turn("a", "Hello")).await.expect("opened");
    store
        .keep_journal(&main, &[entry(1), entry(2)])
        .await
        .expect("kept");
    let twice = store.keep_journal(&main, &[entry(2)]).await;
    assert!(
        matches!(twice, Err(StoreFault::Conflict { .. })),
        "{twice:?}"
    );
    let (_, next) = store.past(&main).await.expect("read");
    assert_eq!(next, 3);
    let mut closing = end("a", TurnState::Done, "12 3");
    closing.journal = vec![entry(3)];
    store.close_turn(&closing).await.expect("closed");
    let journal = store.journal(&main, 0, 10).await.expect("read");
    let numbers: Vec<i64> = journal.iter().map(|one| one.seq).collect();
    assert_eq!(numbers, [1, 2, 3]);
}

#[tokio::test]
async fn a_rephrased_message_is_stored_but_not_part_of_the_past() {
    let (_folder, store) = fresh();
    let main = "main".into();
    let say = async |id: &str, text: &str, instead_of: Option<&str>| {
        let opened = Turn {
            instead_of: instead_of.map(Into::into),
            ..turn(id, text)
        };
        let (past, _) = store.open_turn(&opened).await.expect("opened");
        let answer = format!("answer to {text}");
        store
            .close_turn(&end(id, TurnState::Done, &answer))
            .await
            .expect("closed");
        past
    };
    let texts =
        |past: &Past| -> Vec<String> { past.messages.iter().map(|one| one.text.clone()).collect() };
    say("a", "one", None).await;
    say("b", "two", None).await;
    say("c", "three", None).await;
    let summary = |messages| Summary {
        text: "what was said".into(),
        messages,
    };
    store.keep_summary(&main, &summary(2)).await.expect("kept");
    let past = say("d", "deux", Some("b")).await;
    assert_eq!(texts(&past), ["one", "answer to one"]);
    assert_eq!(past.summary, Some(summary(2)), "of what still stands");
    store.keep_summary(&main, &summary(4)).await.expect("kept");
    let past = say("e", "zwei", Some("d")).await;
    assert_eq!(texts(&past), ["one", "answer to one"]);
    assert_eq!(past.summary, None, "it told of what was said another way");

    let (past, _) = store.past(&main).await.expect("read");
    assert_eq!(
        texts(&past),
        ["one", "answer to one", "zwei", "answer to zwei"]
    );
    assert_eq!(past.older, 0);
    let from = store.messages_from(&main, 1, 2).await.expect("read");
    assert_eq!(from[1].text, "zwei");
    let all = store.messages(&main, None).await.expect("read");
    assert_eq!(all.len(), 10, "nothing that was said is gone");
    let stored = store.turn(&"e".into()).await.expect("read");
    assert_eq!(stored.expect("a turn").instead_of, Some("d".into()));
}

#[tokio::test]
async fn a_compacted_journal_replays_the_same() {
    const TURNS: i64 = 30;
    const PIECES: i64 = 60;
    let (_folder, store) = fresh();
    let main = "main".into();
    let mut seq = 0;
    for n in 0..TURNS {
        let name = format!("t{n}");
        store
            .open_turn(&turn(&name, "Hello"))
            .await
            .expect("opened");
        let mut closing = end(&name, TurnState::Done, "");
        closing.journal = (0..PIECES)
            .map(|piece| {
                seq += 1;
                let text = format!("{n}.{piece} ");
                let event = if piece == 0 { "turn_started" } else { "token" };
                JournalEntry {
                    turn: name.as_str().into(),
                    body: json!({"event": event, "text": text}),
                    seq,
                }
            })
            .collect();
        store.close_turn(&closing).await.expect("closed");
    }
    let told = |journal: &[JournalEntry]| -> Vec<(String, String)> {
        let mut told: Vec<(String, String)> = Vec::new();
        for entry in journal {
            let text = entry.body["text"].as_str().unwrap_or_default();
            match told.last_mut() {
                _ if entry.body["event"] == "turn_started" => {
                    told.push((entry.turn.0.clone(), String::new()));
                }
                Some((_, whole)) if entry.body["restart"] == true => *whole = text.to_owned(),
                Some((_, whole)) => whole.push_str(text),
                None => panic!("a piece of no turn: {entry:?}"),
            }
        }
        told
    };
    let before = store.journal(&main, 0, 10_000).await.expect("read");
    store.tidy().await.expect("tidied");
    let after = store.journal(&main, 0, 10_000).await.expect("read");
    assert_eq!(told(&after), told(&before));
    // Ten turns are finished, and each is reduced to its start and the final text in place of its last piece.
    assert_eq!(after.len() as i64, (TURNS - 10) * PIECES + 2 * 10);
    assert_eq!(after[1].seq, PIECES);
    // A reader who had read some pieces continues after them, and sees nothing twice.
    let mut paged: Vec<_> = before[..PIECES as usize / 2].to_vec();
    paged.extend_from_slice(&after[1..]);
    assert_eq!(told(&paged), told(&before));
    let (_, next) = store.past(&main).await.expect("read");
    assert_eq!(next, seq + 1);
    store.tidy().await.expect("tidied");
    assert_eq!(store.journal(&main, 0, 10_000).await, Ok(after));
}

#[tokio::test]
async fn compacts_a_long_answer_in_stages() {
    const PIECES: i64 = 3_000;
    let (_folder, store) = fresh();
    let main = "main".into();
    for n in 0..=20 {
        let name = format!("t{n}");
        let opened = store.open_turn(&turn(&name, "Hello")).await;
        opened.expect("opened");
        let mut closing = end(&name, TurnState::Done, "");
        let numbers = if n == 0 {
            1..=PIECES
        } else {
            PIECES + n..=PIECES + n
        };
        closing.journal = numbers
            .map(|seq| JournalEntry {
                turn: name.as_str().into(),
                ..entry(seq)
            })
            .collect();
        if n == 0 {
            closing.journal[0].body = json!({"event": "turn_started"});
        }
        store.close_turn(&closing).await.expect("closed");
    }
    let mut entries = PIECES;
    let mut stretches = 0;
    loop {
        let more = store
            .write("shorten_journal", crate::tables::shortened::shorten)
            .await
            .expect("shortened");
        let left = store.journal(&main, 0, 10_000).await.expect("read");
        let gone = entries - (left.len() as i64 - 20);
        assert!(gone <= 1_000, "{gone} in one transaction");
        entries -= gone;
        if !more {
            break;
        }
        stretches += 1;
        assert!(stretches < 10, "it comes to an end");
    }
    assert_eq!(stretches, 3);
    assert_eq!(entries, 2, "its start and one piece");
}

fn summary(text: &str, messages: u64) -> Summary {
    Summary {
        text: text.into(),
        messages,
    }
}

#[tokio::test]
async fn keeps_the_longest_summary_until_the_conversation_is_removed() {
    let (_folder, store) = fresh();
    let main = "main".into();
    let gone = store.keep_summary(&main, &summary("early", 1)).await;
    assert!(matches!(gone, Err(StoreFault::Missing { .. })), "{gone:?}");
    for name in ["a", "b", "c"] {
        store.open_turn(&turn(name, name)).await.expect("opened");
        let closing = end(name, TurnState::Done, &format!("re {name}"));
        store.close_turn(&closing).await.expect("closed");
    }
    for (text, messages) in [("two", 2), ("four", 4), ("late", 3)] {
        let kept = store.keep_summary(&main, &summary(text, messages)).await;
        kept.expect("kept");
    }
    let (past, _) = store.past(&main).await.expect("read");
    assert_eq!(past.summary, Some(summary("four", 4)));
    let rest = store.messages_from(&main, 4, 10).await.expect("read");
    let texts: Vec<&str> = rest.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(texts, ["c", "re c"]);
    assert_eq!(
        store.messages_from(&main, 1, 2).await.expect("read").len(),
        2
    );
    let deleted = store.delete_conversation(&main, noon()).await;
    deleted.expect("deleted");
    let (past, _) = store.past(&main).await.expect("read");
    assert_eq!(past.summary, None);
}

#[tokio::test]
async fn a_turn_knows_how_many_messages_it_does_not_see() {
    let (_folder, store) = fresh();
    for number in 0..15 {
        let name = format!("t{number}");
        store.open_turn(&turn(&name, "x")).await.expect("opened");
        let closing = end(&name, TurnState::Done, "y");
        store.close_turn(&closing).await.expect("closed");
    }
    let (past, _) = store.past(&"main".into()).await.expect("read");
    assert_eq!((past.messages.len(), past.older), (20, 10));
}

fn tools(suggested: &[&str], approved: &[&str], rejected: &[&str], used: &[&str]) -> ToolUse {
    let names = |list: &[&str]| list.iter().map(|one| (*one).to_owned()).collect();
    ToolUse {
        suggested: names(suggested),
        approved: names(approved),
        rejected: names(rejected),
        used: names(used),
    }
}

#[tokio::test]
async fn stores_the_use_of_tools_with_the_turn() {
    let (_folder, store) = fresh();
    for (name, what) in [
        ("a", ToolUse::default()),
        (
            "b",
            tools(
                &["task.list", "mcp.work.pull"],
                &["task.list"],
                &["mcp.work.pull"],
                &["task.list"],
            ),
        ),
        // It waits for the person, who then declines.
        ("c", tools(&["email.send"], &["email.send"], &[], &[])),
    ] {
        store
            .open_turn(&turn(name, &format!("message {name}")))
            .await
            .expect("opened");
        let mut closing = end(name, TurnState::Waiting, "");
        closing.tools = what;
        store.close_turn(&closing).await.expect("closed");
    }
    let mut closing = end("c", TurnState::Done, "Not sent.");
    closing.tools = tools(&[], &[], &["email.send"], &[]);
    store.close_turn(&closing).await.expect("closed");
    let found = store.tool_uses(10).await.expect("read");
    let expect = [
        (
            "message c".to_owned(),
            tools(&["email.send"], &[], &["email.send"], &[]),
        ),
        (
            "message b".to_owned(),
            tools(
                &["task.list", "mcp.work.pull"],
                &["task.list"],
                &["mcp.work.pull"],
                &["task.list"],
            ),
        ),
    ];
    assert_eq!(found, expect);
    assert_eq!(store.tool_uses(1).await.expect("read").len(), 1);
}
