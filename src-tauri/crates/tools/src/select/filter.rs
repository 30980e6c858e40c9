//! What every filter promises: the rows it finds, what it leaves out, and its words.

use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use async_trait::async_trait;

use super::{Except, Loosened, Pick, Row, except_words};

/// The rows that match a filter.
#[derive(Clone, Debug)]
pub struct MatchingRows<R> {
    /// The rows, in order; possibly only the first ones.
    pub rows: Vec<R>,
    /// How many rows match in all.
    pub total: usize,
}

impl<R> From<Vec<R>> for MatchingRows<R> {
    /// Treats the rows as everything that matches.
    fn from(rows: Vec<R>) -> Self {
        Self {
            total: rows.len(),
            rows,
        }
    }
}

/// The result of a search.
pub type Found<R> = Result<MatchingRows<R>, Stop>;

/// How a filter narrows what it describes: first the exceptions, then which of the rest, then how many.
#[derive(Debug)]
pub struct Narrowing<'a, F> {
    /// What is left out.
    pub except: Option<&'a Except<F>>,
    /// Which of the matching rows are meant.
    pub pick: Option<Pick>,
    /// The maximum number of rows.
    pub limit: Option<usize>,
}

impl<'a, F> Narrowing<'a, F> {
    /// Returns the narrowing that the fields of a filter give.
    #[must_use]
    pub fn of(except: &'a Option<Except<F>>, pick: Option<Pick>, limit: Option<usize>) -> Self {
        Self {
            except: except.as_ref(),
            pick,
            limit,
        }
    }
}

/// The filter of a family of tools. One that storage can apply by itself is a [`super::StorageFilter`].
#[async_trait]
pub trait Filter: Clone + Send + Sync {
    /// The rows it finds.
    type Row: Row;

    /// Returns how the filter narrows what it describes.
    fn narrowing(&self) -> Narrowing<'_, Self>;
    /// Returns the matching rows without the exceptions, in order, and their number. `acting` means that the rows are
    /// to be changed. At least the first `need` rows are returned; `None` requires all of them.
    async fn find(&self, acting: bool, need: Option<usize>, cx: &Cx) -> Found<Self::Row>;
    /// Returns those of the given rows that match, in the filter's order; exceptions are applied this way.
    async fn among(&self, rows: &[Self::Row], cx: &Cx) -> Result<Vec<Self::Row>, Stop>;
    /// Returns the filter without its describing words, in the order to try; nothing if it has no such words.
    async fn loosened(&self, cx: &Cx) -> Result<Vec<Loosened<Self>>, Stop>;
    /// Returns what the filter describes, in words that follow "no": `mails from Nadia`.
    fn described(&self, cx: &Cx) -> String;
    /// Returns what was looked for: what the filter describes, and its exceptions.
    fn sought(&self, cx: &Cx) -> String {
        self.described(cx) + &except_words(self.narrowing().except, cx)
    }
}
