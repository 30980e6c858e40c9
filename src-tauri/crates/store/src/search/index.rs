//! The tantivy index: its fields, its queries, and the note of how much it has seen.

use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};

use adjutant_domain::ids::RecordId;
use adjutant_domain::record::Kind;
use adjutant_text::{stem, word_line, words};
use serde::{Deserialize, Serialize};
use tantivy::collector::TopDocs;
use tantivy::query::{
    BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, Occur, Query, TermQuery,
};
use tantivy::schema::{
    Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions, Value as _,
};
use tantivy::tokenizer::{TextAnalyzer, WhitespaceTokenizer};
use tantivy::{Index, IndexReader, ReloadPolicy, TantivyDocument, TantivyError, Term};

use super::RecordMatch;
use super::doc::Doc;
use crate::connection::create_folder;
use crate::tables::changes::kind_of;

/// Raised whenever the fields or their treatment change; an index with another format is rebuilt.
const FORMAT: u32 = 1;
/// Tokeniser for words that are already folded and separated by spaces.
const TOKENIZER: &str = "words";
/// Share of the score that a match in a field other than the best one adds.
const TIE_BREAKER: f32 = 0.2;

/// The payload of a commit.
#[derive(Serialize, Deserialize)]
struct Note {
    format: u32,
    lineage: String,
    seen: i64,
}

/// The fields of a document.
#[derive(Clone, Copy)]
pub(crate) struct Fields {
    pub(crate) key: Field,
    kind: Field,
    title: Field,
    title_stems: Field,
    body: Field,
    body_stems: Field,
    people: Field,
}

/// An open index.
pub(crate) struct Opened {
    pub(crate) index: Index,
    reader: IndexReader,
    pub(crate) fields: Fields,
    seen: AtomicI64,
}

impl Opened {
    /// Opens the index of the database `lineage`, whose latest change is `latest`. Returns `None` if nothing was
    /// committed to it before the program ended, or if another version of the program made it; the caller then
    /// rebuilds it.
    pub(crate) fn open(folder: &Path, lineage: &str, latest: i64) -> tantivy::Result<Option<Self>> {
        let index = Index::open_in_dir(folder)?;
        let Some(note) = index.load_metas()?.payload else {
            return Ok(None);
        };
        let note: Note =
            serde_json::from_str(&note).map_err(|_| unusable("its description is damaged"))?;
        if note.format != FORMAT {
            return Ok(None);
        }
        if note.lineage != lineage || note.seen > latest {
            return Err(unusable("it belongs to another database"));
        }
        Self::from_index(index, note.seen).map(Some)
    }

    /// Creates an empty index.
    pub(crate) fn create(folder: &Path) -> tantivy::Result<Self> {
        create_folder(folder)?;
        Self::from_index(Index::create_in_dir(folder, schema())?, 0)
    }

    fn from_index(index: Index, seen: i64) -> tantivy::Result<Self> {
        index.tokenizers().register(
            TOKENIZER,
            TextAnalyzer::builder(WhitespaceTokenizer::default()).build(),
        );
        let schema = index.schema();
        let fields = Fields {
            key: schema.get_field("key")?,
            kind: schema.get_field("kind")?,
            title: schema.get_field("title")?,
            title_stems: schema.get_field("title_stems")?,
            body: schema.get_field("body")?,
            body_stems: schema.get_field("body_stems")?,
            people: schema.get_field("people")?,
        };
        // This crate decides when to load a new commit, so nothing needs to watch the folder.
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()?;
        Ok(Self {
            index,
            reader,
            fields,
            seen: AtomicI64::new(seen),
        })
    }

    /// Returns the number of the last change the index contains.
    pub(crate) fn seen(&self) -> i64 {
        self.seen.load(Ordering::SeqCst)
    }

    /// Loads a new commit. The number rises only afterwards; until then, rows count as newer than the index.
    pub(crate) fn reload(&self, seen: i64) -> tantivy::Result<()> {
        self.reader.reload()?;
        self.seen.store(seen, Ordering::SeqCst);
        Ok(())
    }

    /// Finds documents that contain all words and, if there are too few, those that contain some.
    pub(crate) fn find(
        &self,
        asked: &[String],
        kinds: &[Kind],
        limit: usize,
    ) -> tantivy::Result<Vec<RecordMatch>> {
        let mut found = self.run(asked, kinds, Occur::Must, limit)?;
        if found.len() < limit && asked.len() > 1 {
            found.extend(self.run(asked, kinds, Occur::Should, limit)?);
        }
        Ok(found)
    }

    fn run(
        &self,
        asked: &[String],
        kinds: &[Kind],
        occur: Occur,
        limit: usize,
    ) -> tantivy::Result<Vec<RecordMatch>> {
        let words = asked.iter().map(|word| (occur, self.word(word))).collect();
        let mut clauses: Vec<(Occur, Box<dyn Query>)> =
            vec![(Occur::Must, Box::new(BooleanQuery::new(words)))];
        if kinds.len() < Kind::ALL.len() {
            let kinds = kinds
                .iter()
                .map(|kind| term(self.fields.kind, kind.prefix()))
                .collect();
            let filter = ConstScoreQuery::new(Box::new(BooleanQuery::union(kinds)), 0.0);
            clauses.push((Occur::Must, Box::new(filter)));
        }
        let searcher = self.reader.searcher();
        let best = searcher.search(
            &BooleanQuery::new(clauses),
            &TopDocs::with_limit(limit.max(1)).order_by_score(),
        )?;
        let mut found = Vec::with_capacity(best.len());
        for (score, address) in best {
            let document: TantivyDocument = searcher.doc(address)?;
            let key = document.get_first(self.fields.key);
            let parts = key
                .and_then(|key| key.as_str())
                .and_then(|key| key.split_once(':'));
            if let Some((prefix, id)) = parts
                && let Some(kind) = kind_of(prefix)
            {
                found.push(RecordMatch {
                    kind,
                    id: RecordId(id.to_owned()),
                    all: occur == Occur::Must,
                    score,
                });
            }
        }
        Ok(found)
    }

    /// Builds the query for one word, scored by the field where it fits best. The word itself counts more than its
    /// stem.
    fn word(&self, word: &str) -> Box<dyn Query> {
        let stem = stem(word);
        let fields = self.fields;
        let weighted = [
            (fields.title, word, 3.0),
            (fields.title_stems, stem.as_str(), 2.0),
            (fields.people, word, 2.0),
            (fields.body, word, 1.0),
            (fields.body_stems, stem.as_str(), 0.7),
        ];
        let choices = weighted.map(|(field, word, weight)| -> Box<dyn Query> {
            Box::new(BoostQuery::new(term(field, word), weight))
        });
        Box::new(DisjunctionMaxQuery::with_tie_breaker(
            choices.into(),
            TIE_BREAKER,
        ))
    }
}

impl Fields {
    /// Builds an index document from a record.
    pub(crate) fn document(&self, kind: Kind, id: &RecordId, doc: &Doc) -> TantivyDocument {
        let mut document = TantivyDocument::default();
        document.add_text(self.key, key(kind, id));
        document.add_text(self.kind, kind.prefix());
        document.add_text(self.title, word_line([doc.title.as_str()]));
        document.add_text(self.title_stems, stems(&doc.title));
        document.add_text(self.body, word_line([doc.body.as_str()]));
        document.add_text(self.body_stems, stems(&doc.body));
        document.add_text(self.people, word_line([doc.people.as_str()]));
        document
    }

    /// Returns the term that selects a record's document for removal.
    pub(crate) fn key_term(&self, kind: Kind, id: &RecordId) -> Term {
        Term::from_field_text(self.key, &key(kind, id))
    }
}

/// Serialises the payload of a commit.
pub(crate) fn note(lineage: &str, seen: i64) -> tantivy::Result<String> {
    serde_json::to_string(&Note {
        format: FORMAT,
        lineage: lineage.to_owned(),
        seen,
    })
    .map_err(|error| unusable(&error.to_string()))
}

fn key(kind: Kind, id: &RecordId) -> String {
    format!("{}:{id}", kind.prefix())
}

fn stems(text: &str) -> String {
    let stems: Vec<String> = words(text).iter().map(|word| stem(word)).collect();
    stems.join(" ")
}

fn term(field: Field, text: &str) -> Box<dyn Query> {
    let term = Term::from_field_text(field, text);
    Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs))
}

fn schema() -> Schema {
    let mut schema = Schema::builder();
    let text = TextOptions::default().set_indexing_options(
        TextFieldIndexing::default()
            .set_tokenizer(TOKENIZER)
            .set_index_option(IndexRecordOption::WithFreqs),
    );
    schema.add_text_field("key", STRING | STORED);
    schema.add_text_field("kind", STRING);
    for field in ["title", "title_stems", "body", "body_stems", "people"] {
        schema.add_text_field(field, text.clone());
    }
    schema.build()
}

fn unusable(why: &str) -> TantivyError {
    TantivyError::InvalidArgument(why.to_owned())
}
