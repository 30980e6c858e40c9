//! Searches documents and records and merges the results.

use std::collections::BTreeMap;
use std::time::Duration;

use adjutant_domain::ports::web::{FOUND_MAX, QUERY_CHARS_MAX};
use adjutant_domain::ports::{
    Reach, SearchEngine, SearchHit, SearchResult, SourceAddress, SourceFault,
};
use adjutant_domain::record::Kind;
use adjutant_domain::source::Taint;
use async_trait::async_trait;

use super::{OwnPages, folders, of_store, passages, records};

/// Kinds of records that can be sources.
const KINDS: [Kind; 3] = [Kind::Note, Kind::Mail, Kind::Memory];

/// Searches documents, notes, mail and memory.
pub struct OwnSearch(pub OwnPages);

#[async_trait]
impl SearchEngine for OwnSearch {
    fn name(&self) -> &str {
        "Your documents, notes, mail and memory"
    }

    fn reach(&self) -> Reach {
        Reach::Here
    }

    async fn search(
        &self,
        query: &str,
        limit: usize,
        within: Duration,
    ) -> Result<Vec<SearchResult>, SourceFault> {
        let query: String = query.chars().take(QUERY_CHARS_MAX).collect();
        let limit = limit.clamp(1, FOUND_MAX);
        let searched = async {
            let documents = self.documents(&query, limit, within).await?;
            let records = self.records(&query, limit).await?;
            Ok(merged(documents, records, limit))
        };
        match tokio::time::timeout(within, searched).await {
            Ok(found) => found,
            Err(_) => Err(SourceFault::TimedOut {
                host: "This computer".into(),
            }),
        }
    }
}

impl OwnSearch {
    async fn documents(
        &self,
        query: &str,
        limit: usize,
        within: Duration,
    ) -> Result<Vec<SearchResult>, SourceFault> {
        let open = self.0.folders();
        if open.is_empty() {
            return Ok(Vec::new());
        }
        self.0.catch_up(within / 2).await;
        let hits = self
            .0
            .documents
            .search(query, limit)
            .await
            .map_err(of_store)?;
        let look = tokio::task::spawn_blocking(move || {
            let there = hits
                .into_iter()
                .filter(|hit| folders::is_open(&hit.path, &open));
            there
                .map(|hit| SearchResult {
                    title: hit.title,
                    at: SourceAddress::File { path: hit.path },
                    snippet: hit.passage,
                    taint: Taint::Tainted,
                })
                .collect()
        });
        look.await
            .map_err(|_| super::failed("The documents could not be searched."))
    }

    async fn records(&self, query: &str, limit: usize) -> Result<Vec<SearchResult>, SourceFault> {
        let records = &self.0.records;
        let hits = records
            .search(query, &KINDS, limit)
            .await
            .map_err(of_store)?;
        let mut foreign = BTreeMap::new();
        for kind in KINDS {
            let of = hits.iter().filter(|hit| hit.kind == kind);
            let ids: Vec<_> = of.map(|hit| hit.id.clone()).collect();
            foreign.insert(kind, records.foreign(kind, &ids).await.map_err(of_store)?);
        }
        let mut found = Vec::new();
        for SearchHit { kind, id, .. } in hits {
            let record = records.get(kind, &id).await.map_err(of_store)?;
            let Some(read) = record.as_ref().and_then(records::text_of) else {
                continue;
            };
            let of_others = foreign.get(&kind).is_some_and(|ids| ids.contains(&id));
            found.push(SearchResult {
                snippet: passages::best(&read.text, query).to_owned(),
                title: read.title,
                at: SourceAddress::Record { kind, id },
                taint: if of_others {
                    Taint::Tainted
                } else {
                    Taint::Clean
                },
            });
        }
        Ok(found)
    }
}

/// Merges two lists by rank, documents first among equals, because their scores are not comparable.
fn merged(
    documents: Vec<SearchResult>,
    records: Vec<SearchResult>,
    limit: usize,
) -> Vec<SearchResult> {
    let mut all: Vec<(usize, SearchResult)> = documents.into_iter().enumerate().collect();
    all.extend(records.into_iter().enumerate());
    all.sort_by_key(|(rank, _)| *rank);
    all.into_iter()
        .take(limit)
        .map(|(_, found)| found)
        .collect()
}
