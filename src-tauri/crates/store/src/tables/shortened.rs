//! Shortens the journal: for past turns, an answer becomes one entry instead of one for each piece it arrived in. A
//! window that replays the entries shows the same. A window that has read some of them before shows the same answers;
//! of a model's thoughts it may show that part twice.

use rusqlite::{Connection, Statement, params};
use serde_json::Value;

use crate::cells::json;
use crate::fault::Result;
use crate::tables::Migration;
use crate::tx::Tx;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 4,
    sql: "
    CREATE TABLE journal_shortened (
        conversation TEXT PRIMARY KEY REFERENCES conversations (id) ON DELETE CASCADE,
        seq INTEGER NOT NULL CHECK (seq >= 0)
    ) STRICT, WITHOUT ROWID;
    ",
}];

/// Number of latest turns of a conversation whose journal is left alone, because a window may be in the middle of
/// them.
const TURNS_WHOLE: i64 = 20;
/// Lowest number of entries of one conversation that are worth shortening.
const ENTRIES_MIN: i64 = 500;
/// Highest number of entries examined in one transaction. Other writers wait for it: some milliseconds.
const ENTRIES_MAX: i64 = 1_000;

/// Shortens a stretch of past entries in one conversation. Returns whether there may be more to do.
pub(crate) fn shorten(tx: &Tx<'_>) -> Result<bool> {
    let Some(stretch) = longest(tx)? else {
        return Ok(false);
    };
    // For all other events it is enough to know their kind; plans and results may be large. The last entry of the
    // previous stretch shows how this one begins: an answer may continue in it.
    let mut read = tx.prepare_cached(
        "SELECT seq, turn, body ->> 'event', CASE WHEN body ->> 'event' IN ('token', 'thinking') THEN body END
         FROM journal WHERE conversation = ?1 AND seq <= ?3
            AND seq >= (SELECT coalesce(max(seq), 0) FROM journal WHERE conversation = ?1 AND seq <= ?2)
         ORDER BY seq",
    )?;
    let found = read.query_map(
        params![stretch.conversation, stretch.after, stretch.to],
        |row| {
            let body: Option<String> = row.get(3)?;
            Ok(Entry {
                seq: row.get(0)?,
                turn: row.get(1)?,
                event: row.get::<_, Option<String>>(2)?.unwrap_or_default(),
                // An entry that cannot be parsed stays as it is.
                body: body
                    .and_then(|body| serde_json::from_str(&body).ok())
                    .unwrap_or_default(),
            })
        },
    )?;
    let entries = found.collect::<rusqlite::Result<Vec<_>>>()?;
    let mut remove =
        tx.prepare_cached("DELETE FROM journal WHERE conversation = ?1 AND seq = ?2")?;
    let mut write =
        tx.prepare_cached("UPDATE journal SET body = ?3 WHERE conversation = ?1 AND seq = ?2")?;
    for step in steps(entries) {
        apply(&stretch.conversation, step, &mut remove, &mut write)?;
    }
    tx.execute(
        "INSERT INTO journal_shortened (conversation, seq) VALUES (?1, ?2)
         ON CONFLICT (conversation) DO UPDATE SET seq = excluded.seq",
        params![stretch.conversation, stretch.to],
    )?;
    Ok(true)
}

/// Past entries of a conversation that have not been examined yet.
struct Stretch {
    conversation: String,
    after: i64,
    to: i64,
}

/// Returns a stretch of the first conversation that has enough such entries.
fn longest(connection: &Connection) -> Result<Option<Stretch>> {
    // The highest number is found at once, and most conversations are too short to examine further.
    let mut long = connection.prepare_cached(
        "SELECT c.id, coalesce(s.seq, 0) AS after, (SELECT max(j.seq) FROM journal j WHERE j.conversation = c.id) AS last
         FROM conversations c LEFT JOIN journal_shortened s ON s.conversation = c.id WHERE last - after >= ?1",
    )?;
    // The entries of a turn are contiguous, so the first entry of a recent turn ends the past ones.
    let mut whole = connection.prepare_cached(
        "SELECT min(seq) FROM journal WHERE conversation = ?1 AND seq > ?2 AND seq <= ?3 AND turn IN
            (SELECT id FROM turns WHERE conversation = ?1 ORDER BY n DESC LIMIT ?4)",
    )?;
    let mut found = long.query([ENTRIES_MIN])?;
    while let Some(row) = found.next()? {
        let (conversation, after, last): (String, i64, i64) =
            (row.get(0)?, row.get(1)?, row.get(2)?);
        let most = last.min(after + ENTRIES_MAX);
        let first: Option<i64> = whole
            .query_row(params![conversation, after, most, TURNS_WHOLE], |row| {
                row.get(0)
            })?;
        let to = match first {
            Some(first) => first - 1,
            None if most < last => most,
            // The entries belong to turns that no longer exist.
            None => continue,
        };
        if to - after >= ENTRIES_MIN {
            return Ok(Some(Stretch {
                conversation,
                after,
                to,
            }));
        }
    }
    Ok(None)
}

/// An entry as it was read.
struct Entry {
    seq: i64,
    turn: String,
    event: String,
    /// Only set for pieces of text.
    body: Value,
}

/// What happens to an entry.
#[derive(Debug, PartialEq)]
enum Step {
    Remove(i64),
    Write(i64, Value),
}

fn apply(
    conversation: &str,
    step: Step,
    remove: &mut Statement<'_>,
    write: &mut Statement<'_>,
) -> Result<()> {
    match step {
        Step::Remove(seq) => remove.execute(params![conversation, seq])?,
        Step::Write(seq, body) => write.execute(params![conversation, seq, json(&body)?])?,
    };
    Ok(())
}

/// Merges consecutive pieces of a turn into one, in the place of the last, and removes status events, which mattered
/// only while the turn ran. Pieces of an answer are merged only if the first of them is known to begin the answer:
/// only then may the whole replace the part that a window has already read.
fn steps(entries: Vec<Entry>) -> Vec<Step> {
    let mut steps = Vec::new();
    // The last entry that stays, and whether text was merged into it.
    let mut last: Option<(Entry, bool)> = None;
    // Whether no answer text has come since the turn began or resumed after a rest.
    let mut silent = false;
    for mut entry in entries {
        if entry.event == "status" {
            steps.push(Step::Remove(entry.seq));
            continue;
        }
        last = Some(match last.take() {
            Some((mut whole, _)) if goes_on(&whole, &entry) => {
                steps.push(Step::Remove(whole.seq));
                if let (Value::String(text), Value::String(more)) =
                    (&mut whole.body["text"], &entry.body["text"])
                {
                    text.push_str(more);
                }
                whole.seq = entry.seq;
                (whole, true)
            }
            other => {
                steps.extend(changed(other));
                let begins = entry.event == "token" && silent && entry.body["restart"] != true;
                if begins {
                    // For a window that has read some of its pieces and continues after them.
                    entry.body["restart"] = true.into();
                }
                silent = is_rest(&entry.event) || (silent && entry.event != "token");
                (entry, begins)
            }
        });
    }
    steps.extend(changed(last));
    steps
}

fn changed(entry: Option<(Entry, bool)>) -> Option<Step> {
    entry.and_then(|(entry, changed)| changed.then_some(Step::Write(entry.seq, entry.body)))
}

/// Whether text after this event is a text of its own.
fn is_rest(event: &str) -> bool {
    let rests = ["turn_started", "waiting", "done", "interrupted", "error"];
    rests.contains(&event)
}

/// Whether `next` continues the text of `before`, so that the two may be merged.
fn goes_on(before: &Entry, next: &Entry) -> bool {
    let begun = before.event == "token" && before.body["restart"] == true;
    (begun || before.event == "thinking")
        && next.event == before.event
        && next.turn == before.turn
        && next.body["restart"] != true
        && before.body["text"].is_string()
        && next.body["text"].is_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn token(text: &str) -> Value {
        json!({"event": "token", "text": text})
    }

    fn entry(seq: i64, turn: &str, body: Value) -> Entry {
        Entry {
            seq,
            turn: turn.to_owned(),
            event: body["event"].as_str().unwrap_or_default().to_owned(),
            body,
        }
    }

    #[test]
    fn pieces_become_one_and_everything_else_stays() {
        let again = json!({"event": "token", "text": "N", "restart": true});
        let bodies = vec![
            json!({"event": "turn_started"}),
            json!({"event": "status", "text": "Thinking"}),
            token("O"),
            json!({"event": "status", "text": "Still"}),
            token("ld"),
            again,
            token("ew"),
            json!({"event": "thinking", "text": "hm"}),
            token("!"),
            Value::Null,
            json!({"event": "done"}),
        ];
        let entries = bodies.into_iter().zip(1..);
        let entries = entries.map(|(body, seq)| entry(seq, "a", body));
        assert_eq!(
            steps(entries.collect()),
            [
                Step::Remove(2),
                Step::Remove(4),
                Step::Remove(3),
                Step::Write(5, json!({"event": "token", "text": "Old", "restart": true})),
                Step::Remove(6),
                Step::Write(7, json!({"event": "token", "text": "New", "restart": true})),
            ]
        );
    }

    /// What a window makes of the pieces: `restart` takes the place of the text that is being told.
    fn read(window: &mut (Vec<String>, bool), body: &Value) {
        let (texts, telling) = window;
        match (body["event"].as_str(), body["text"].as_str()) {
            (Some("token"), Some(text)) => {
                match texts.last_mut().filter(|_| *telling) {
                    Some(last) if body["restart"] == true => text.clone_into(last),
                    Some(last) => last.push_str(text),
                    None => texts.push(text.to_owned()),
                }
                *telling = true;
            }
            (Some("waiting" | "done"), _) => *telling = false,
            _ => {}
        }
    }

    #[test]
    fn wherever_somebody_stopped_reading_the_answers_are_the_same() {
        let event = |event: &str| json!({ "event": event });
        let bodies = vec![
            // It may begin anywhere.
            token("f"),
            token("g"),
            event("done"),
            event("turn_started"),
            token("a"),
            token("b"),
            event("tool_result"),
            token("c"),
            token("d"),
            event("waiting"),
            token("e"),
            token("f"),
            event("done"),
        ];
        let entries = || {
            let numbered = bodies.iter().cloned().zip(1..);
            numbered.map(|(body, seq)| entry(seq, "a", body))
        };
        let mut after: Vec<(i64, Value)> = (1..).zip(bodies.clone()).collect();
        let changes = steps(entries().collect());
        assert!(
            changes.len() >= 4,
            "the texts that begin in sight are shortened: {changes:?}"
        );
        for change in changes {
            match change {
                Step::Remove(seq) => after.retain(|(one, _)| *one != seq),
                Step::Write(seq, body) => {
                    let found = after.iter_mut().find(|(one, _)| *one == seq);
                    found.expect("it is there").1 = body;
                }
            }
        }
        for seen in 0..bodies.len() {
            let mut window = (Vec::new(), false);
            bodies[..seen]
                .iter()
                .for_each(|body| read(&mut window, body));
            let rest = after.iter().filter(|(seq, _)| *seq > seen as i64);
            rest.for_each(|(_, body)| read(&mut window, body));
            assert_eq!(
                window.0,
                ["fg", "abcd", "ef"],
                "{seen} of them were read before"
            );
        }
    }

    #[test]
    fn pieces_of_two_turns_stay_apart() {
        let two = vec![entry(1, "a", token("x")), entry(2, "b", token("y"))];
        assert_eq!(steps(two), []);
    }
}
