//! Adds documents of opened folders to their index and searches it.

use std::collections::BTreeMap;

use adjutant_domain::faults::StoreFault;
use adjutant_domain::ports::{Document, DocumentCounts, DocumentHit, Documents, FileState};
use adjutant_text::{telling, words};
use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::fault::Result;
use crate::store::Store;

/// How much more a word in a title counts than one in the text.
const TITLE_WEIGHT: f64 = 2.0;
/// Passages examined per requested document, because several may belong to the same document.
const PASSAGES_EACH: usize = 6;
/// Highest number of words of a search.
const WORDS_MAX: usize = 60;

/// Removes a document from the index.
fn take_out(connection: &Connection, path: &str) -> Result<()> {
    let range: Option<(i64, i64)> = connection
        .query_row(
            "DELETE FROM documents WHERE path = ?1 RETURNING first, past",
            [path],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()?;
    if let Some((first, past)) = range {
        connection.execute(
            "DELETE FROM passages WHERE rowid >= ?1 AND rowid < ?2",
            params![first, past],
        )?;
    }
    Ok(())
}

fn put_in(connection: &Connection, document: &Document) -> Result<()> {
    take_out(connection, &document.path)?;
    let first: i64 =
        connection.query_row("SELECT coalesce(max(past), 1) FROM documents", [], |row| {
            row.get(0)
        })?;
    let count = i64::try_from(document.passages.len()).unwrap_or(i64::MAX);
    let FileState {
        size,
        modified,
        sha256,
    } = &document.state;
    let id: i64 = connection.query_row(
        "INSERT INTO documents (path, size, modified, sha256, title, unread, first, past)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING id",
        params![
            document.path,
            i64::try_from(*size).unwrap_or(i64::MAX),
            modified,
            sha256,
            document.title,
            document.unread,
            first,
            first.saturating_add(count)
        ],
        |row| row.get(0),
    )?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO passages (rowid, title, body, document) VALUES (?1, ?2, ?3, ?4)",
    )?;
    for (at, passage) in (first..).zip(&document.passages) {
        insert.execute(params![at, document.title, passage, id])?;
    }
    Ok(())
}

fn state(row: &Row<'_>) -> rusqlite::Result<(String, FileState)> {
    let size: i64 = row.get(1)?;
    let state = FileState {
        size: u64::try_from(size).unwrap_or_default(),
        modified: row.get(2)?,
        sha256: row.get(3)?,
    };
    Ok((row.get(0)?, state))
}

/// Builds the index query for a search: any of its significant words, each matched exactly. `None` if there are none.
fn question(text: &str) -> Option<String> {
    let mut asked = telling(&words(text));
    asked.sort();
    asked.dedup();
    asked.truncate(WORDS_MAX);
    let quoted = asked
        .iter()
        .map(|word| format!("\"{}\"", word.replace('"', "")));
    let question = quoted.collect::<Vec<_>>().join(" OR ");
    (!question.is_empty()).then_some(question)
}

fn hit(row: &Row<'_>) -> rusqlite::Result<DocumentHit> {
    let rank: f64 = row.get(3)?;
    Ok(DocumentHit {
        path: row.get(0)?,
        title: row.get(1)?,
        passage: row.get(2)?,
        score: -rank,
    })
}

fn search(connection: &Connection, text: &str, limit: usize) -> Result<Vec<DocumentHit>> {
    let Some(question) = question(text) else {
        return Ok(Vec::new());
    };
    let mut select = connection.prepare_cached(
        "SELECT d.path, d.title, p.body, bm25(passages, ?2, 1.0) AS rank
         FROM passages AS p JOIN documents AS d ON d.id = p.document
         WHERE passages MATCH ?1 ORDER BY rank LIMIT ?3",
    )?;
    let most = i64::try_from(limit.saturating_mul(PASSAGES_EACH)).unwrap_or(i64::MAX);
    let found = select.query_map(params![question, TITLE_WEIGHT, most], hit)?;
    let mut hits: Vec<DocumentHit> = Vec::new();
    for one in found {
        let one = one?;
        if hits.len() < limit && hits.iter().all(|hit| hit.path != one.path) {
            hits.push(one);
        }
    }
    Ok(hits)
}

#[async_trait]
impl Documents for Store {
    async fn known(&self) -> std::result::Result<BTreeMap<String, FileState>, StoreFault> {
        let known = |connection: &mut Connection| {
            let mut select =
                connection.prepare("SELECT path, size, modified, sha256 FROM documents")?;
            let rows = select.query_map([], state)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        };
        self.documents.with(known).await
    }

    async fn put(&self, document: Document) -> std::result::Result<(), StoreFault> {
        let put = move |connection: &mut Connection| {
            let tx = connection.transaction()?;
            put_in(&tx, &document)?;
            Ok(tx.commit()?)
        };
        self.documents.with(put).await
    }

    async fn touch(&self, path: &str, state: FileState) -> std::result::Result<(), StoreFault> {
        let path = path.to_owned();
        let touch = move |connection: &mut Connection| {
            let size = i64::try_from(state.size).unwrap_or(i64::MAX);
            connection.execute(
                "UPDATE documents SET size = ?2, modified = ?3, sha256 = ?4 WHERE path = ?1",
                params![path, size, state.modified, state.sha256],
            )?;
            Ok(())
        };
        self.documents.with(touch).await
    }

    async fn remove(&self, paths: Vec<String>) -> std::result::Result<(), StoreFault> {
        let remove = move |connection: &mut Connection| {
            let tx = connection.transaction()?;
            for path in &paths {
                take_out(&tx, path)?;
            }
            Ok(tx.commit()?)
        };
        self.documents.with(remove).await
    }

    async fn search(
        &self,
        words: &str,
        limit: usize,
    ) -> std::result::Result<Vec<DocumentHit>, StoreFault> {
        let words = words.to_owned();
        self.documents
            .with(move |connection| search(connection, &words, limit))
            .await
    }

    async fn counts(&self) -> std::result::Result<DocumentCounts, StoreFault> {
        let counts = |connection: &mut Connection| {
            let counts = connection.query_row(
                "SELECT count(*) FILTER (WHERE unread IS NULL), count(*) FILTER (WHERE unread IS NOT NULL)
                 FROM documents",
                [],
                |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)),
            )?;
            Ok(DocumentCounts {
                read: u64::try_from(counts.0).unwrap_or_default(),
                unread: u64::try_from(counts.1).unwrap_or_default(),
            })
        };
        self.documents.with(counts).await
    }
}
