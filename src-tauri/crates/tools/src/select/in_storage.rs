//! Filters that storage applies: searches that are tried in turn, and exceptions afterwards.

use adjutant_domain::faults::StoreFault;
use adjutant_domain::filter::{self, Field, Match, Test};
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::Kind;
use async_trait::async_trait;

use super::{AsTarget, Filter, Found, Loosened, MatchingRows, Narrowing, Row, without};
use crate::effect::failed;

/// What the rows of a search are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// They are shown.
    Show,
    /// They are changed.
    Change,
    /// They are left out of another choice.
    LeaveOut,
}

/// A filter whose rows storage finds by itself. It needs no more than this to be a [`Filter`].
#[async_trait]
pub trait StorageFilter: Clone + Send + Sync {
    /// The rows it finds.
    type Row: Row + AsTarget;
    /// Their kind.
    const KIND: Kind;

    /// See [`Filter::narrowing`].
    fn narrowing(&self) -> Narrowing<'_, Self>;
    /// See [`Filter::described`].
    fn described(&self, cx: &Cx) -> String;
    /// See [`Filter::loosened`].
    async fn loosened(&self, cx: &Cx) -> Result<Vec<Loosened<Self>>, Stop>;
    /// Returns the searches, without the exceptions. They are tried in turn, and the first that finds something counts.
    async fn searches(&self, aim: Aim, cx: &Cx) -> Result<Vec<filter::Filter>, Stop>;
    /// Returns the rows that storage finds.
    async fn rows(search: &filter::Filter, cx: &Cx) -> Result<Vec<Self::Row>, StoreFault>;
}

#[async_trait]
impl<F: StorageFilter> Filter for F {
    type Row = F::Row;

    fn narrowing(&self) -> Narrowing<'_, Self> {
        StorageFilter::narrowing(self)
    }

    async fn find(&self, acting: bool, need: Option<usize>, cx: &Cx) -> Found<F::Row> {
        let except = Filter::narrowing(self).except;
        // Any of the rows may be left out, so exceptions need all of them.
        let need = need.filter(|_| except.is_none());
        let aim = if acting { Aim::Change } else { Aim::Show };
        let searches = self.searches(aim, cx).await?;
        let limited = searches.into_iter().map(|search| search.at_most(need));
        let found = first_found::<F>(limited.collect(), cx).await?;
        if except.is_none() {
            return Ok(found);
        }
        Ok(without(found.rows, except, cx).await?.rows.into())
    }

    async fn among(&self, rows: &[F::Row], cx: &Cx) -> Result<Vec<F::Row>, Stop> {
        let given = Test::Ids(rows.iter().map(|row| row.target().id).collect());
        let searches = self.searches(Aim::LeaveOut, cx).await?;
        let among = searches.into_iter().map(|search| search.and(given.clone()));
        Ok(first_found::<F>(among.collect(), cx).await?.rows)
    }

    async fn loosened(&self, cx: &Cx) -> Result<Vec<Loosened<F>>, Stop> {
        StorageFilter::loosened(self, cx).await
    }

    fn described(&self, cx: &Cx) -> String {
        StorageFilter::described(self, cx)
    }
}

/// Returns the rows of the first search that finds something.
async fn first_found<F: StorageFilter>(searches: Vec<filter::Filter>, cx: &Cx) -> Found<F::Row> {
    let mut found = Vec::new().into();
    for search in searches {
        let rows = F::rows(&search, cx).await.map_err(failed)?;
        found = counted(F::KIND, &search, rows, cx).await?;
        if !found.rows.is_empty() {
            break;
        }
    }
    Ok(found)
}

/// Returns the searches for words: in titles, and if no title has them, anywhere.
#[must_use]
pub fn titles_first(search: filter::Filter, text: Option<&str>) -> Vec<filter::Filter> {
    if text.is_none() {
        return vec![search];
    }
    [Field::Title, Field::Anywhere]
        .map(|field| search.clone().words_in(field, Match::Loose, text))
        .into()
}

/// Returns the rows that storage gave for a filter, with the total number that match without its limit.
///
/// # Errors
/// Returns the fault of storage.
pub async fn counted<R>(kind: Kind, filter: &filter::Filter, rows: Vec<R>, cx: &Cx) -> Found<R> {
    if filter.limit.is_none_or(|limit| rows.len() < limit) {
        return Ok(rows.into());
    }
    let total = cx.records.total(kind, filter).await.map_err(failed)?;
    Ok(MatchingRows {
        total: usize::try_from(total).unwrap_or(usize::MAX),
        rows,
    })
}
