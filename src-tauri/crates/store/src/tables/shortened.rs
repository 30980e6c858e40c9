//! The journal made shorter: of turns that lie behind, an answer is one entry instead of one for each piece it came in.
//! What a window sees when it replays them is the same.

use rusqlite::{Connection, OptionalExtension as _, Statement, params};
use serde_json::Value;

use crate::cells::json;
use crate::fault::Result;
use crate::migrations::Migration;
use crate::writer::Tx;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 4,
    sql: "
    CREATE TABLE journal_shortened (
        conversation TEXT PRIMARY KEY REFERENCES conversations (id) ON DELETE CASCADE,
        seq INTEGER NOT NULL CHECK (seq >= 0)
    ) STRICT, WITHOUT ROWID;
    ",
}];

/// Turns of a conversation whose journal stays as it is: a window may be in the middle of them.
const TURNS_WHOLE: i64 = 20;
/// Entries of one conversation that are worth the work.
const ENTRIES_MIN: i64 = 500;
/// Entries looked at in one transaction; the rest is for the next quiet moment.
const ENTRIES_MAX: i64 = 20_000;

/// Shortens what lies behind in one conversation. Tells whether there may be more to do.
pub(crate) fn shorten(tx: &Tx<'_>) -> Result<bool> {
    let Some(stretch) = longest(tx)? else {
        return Ok(false);
    };
    let mut rows = Vec::new();
    let mut read = tx.prepare_cached(
        "SELECT seq, turn, body FROM journal WHERE conversation = ?1 AND seq > ?2 AND seq <= ?3 ORDER BY seq",
    )?;
    let found = read.query_map(
        params![stretch.conversation, stretch.after, stretch.to],
        |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?)),
    )?;
    for row in found {
        let (seq, turn, body): (i64, String, String) = row?;
        // What cannot be read stays as it is.
        rows.push((
            seq,
            turn,
            serde_json::from_str(&body).unwrap_or(Value::Null),
        ));
    }
    let mut remove =
        tx.prepare_cached("DELETE FROM journal WHERE conversation = ?1 AND seq = ?2")?;
    let mut write =
        tx.prepare_cached("UPDATE journal SET body = ?3 WHERE conversation = ?1 AND seq = ?2")?;
    for step in steps(rows) {
        apply(&stretch.conversation, step, &mut remove, &mut write)?;
    }
    tx.execute(
        "INSERT INTO journal_shortened (conversation, seq) VALUES (?1, ?2)
         ON CONFLICT (conversation) DO UPDATE SET seq = excluded.seq",
        params![stretch.conversation, stretch.to],
    )?;
    Ok(true)
}

/// Entries that lie behind and were not looked at yet.
struct Stretch {
    conversation: String,
    after: i64,
    to: i64,
}

/// The first conversation with enough of them.
fn longest(connection: &Connection) -> Result<Option<Stretch>> {
    // The entries of a turn lie together, so its first one ends what lies behind it.
    let sql = "
        SELECT c.id, coalesce(s.seq, 0) AS after,
            (SELECT min(j.seq) - 1 FROM journal j WHERE j.conversation = c.id AND j.seq > coalesce(s.seq, 0) AND j.turn IN
                (SELECT t.id FROM turns t WHERE t.conversation = c.id ORDER BY t.n DESC LIMIT ?1)) AS behind
        FROM conversations c LEFT JOIN journal_shortened s ON s.conversation = c.id
        WHERE behind - after >= ?2 LIMIT 1";
    let found = connection
        .prepare_cached(sql)?
        .query_row(params![TURNS_WHOLE, ENTRIES_MIN], |row| {
            let (after, behind): (i64, i64) = (row.get(1)?, row.get(2)?);
            Ok(Stretch {
                conversation: row.get(0)?,
                after,
                to: behind.min(after + ENTRIES_MAX),
            })
        })
        .optional()?;
    Ok(found)
}

/// What becomes of an entry.
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

/// Pieces of one turn that follow each other become one, in the place of the last; what was only of interest while it
/// went on goes.
fn steps(rows: Vec<(i64, String, Value)>) -> Vec<Step> {
    let mut steps = Vec::new();
    // The last entry that stays, and whether it holds more than it did.
    let mut last: Option<(i64, String, Value, bool)> = None;
    for (seq, turn, body) in rows {
        if body["event"] == "status" {
            steps.push(Step::Remove(seq));
            continue;
        }
        last = Some(match last.take() {
            Some((before, of, mut whole, _)) if of == turn && goes_on(&whole, &body) => {
                let text = text_of(&whole).to_owned() + text_of(&body);
                whole["text"] = text.into();
                steps.push(Step::Remove(before));
                (seq, turn, whole, true)
            }
            other => {
                steps.extend(changed(other));
                (seq, turn, body, false)
            }
        });
    }
    steps.extend(changed(last));
    steps
}

fn changed(entry: Option<(i64, String, Value, bool)>) -> Option<Step> {
    entry.and_then(|(seq, _, body, changed)| changed.then_some(Step::Write(seq, body)))
}

/// Whether `next` is a further piece of what `before` is a piece of.
fn goes_on(before: &Value, next: &Value) -> bool {
    let kind = &before["event"];
    (kind == "token" || kind == "thinking")
        && next["event"] == *kind
        && next["restart"] != true
        && before["text"].is_string()
        && next["text"].is_string()
}

fn text_of(body: &Value) -> &str {
    body["text"].as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn token(text: &str) -> Value {
        json!({"event": "token", "text": text})
    }

    fn rows(bodies: Vec<Value>) -> Vec<(i64, String, Value)> {
        let rows = bodies.into_iter().zip(1..);
        rows.map(|(body, seq)| (seq, "a".to_owned(), body))
            .collect()
    }

    #[test]
    fn pieces_become_one_and_everything_else_stays() {
        let again = json!({"event": "token", "text": "N", "restart": true});
        let steps = steps(rows(vec![
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
        ]));
        assert_eq!(
            steps,
            [
                Step::Remove(2),
                Step::Remove(4),
                Step::Remove(3),
                Step::Write(5, token("Old")),
                Step::Remove(6),
                Step::Write(7, json!({"event": "token", "text": "New", "restart": true})),
            ]
        );
    }

    #[test]
    fn pieces_of_two_turns_stay_apart() {
        let two = vec![
            (1, "a".to_owned(), token("x")),
            (2, "b".to_owned(), token("y")),
        ];
        assert_eq!(steps(two), []);
    }
}
