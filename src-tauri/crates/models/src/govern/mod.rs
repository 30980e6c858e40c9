//! What a call may cost: the worst case is reserved before it, what it really cost is settled after it, and over a limit
//! it is not made at all. Every call is written down, those that cost nothing too: the row is the trace of the call. What
//! cannot be written down is not called.

mod books;
mod embed;
#[cfg(test)]
mod tests;
mod worst;

use std::sync::Arc;

use adjutant_domain::ids::TurnId;
use adjutant_domain::model::{
    ChatModel, ModelEvent, ModelFault, ModelProfile, ModelRequest, Usage,
};
use futures::StreamExt as _;
use futures::stream::{self, BoxStream};

pub use books::Books;
pub use embed::GovernedEmbedder;
pub use worst::{price_micros, worst_case_micros, worst_tokens};

use crate::tiers::whole;

/// A model whose calls are paid for. One for each model, inside the breaker: a call that is not made costs nothing and
/// leaves no row.
pub struct Governor {
    inner: Arc<dyn ChatModel>,
    books: Arc<Books>,
}

impl Governor {
    /// Keeps the accounts of `inner` in `books`.
    #[must_use]
    pub const fn new(inner: Arc<dyn ChatModel>, books: Arc<Books>) -> Self {
        Self { inner, books }
    }
}

impl ChatModel for Governor {
    fn profile(&self) -> ModelProfile {
        self.inner.profile()
    }

    fn stream(
        &self,
        request: Arc<ModelRequest>,
    ) -> BoxStream<'static, Result<ModelEvent, ModelFault>> {
        let (inner, books) = (Arc::clone(&self.inner), Arc::clone(&self.books));
        stream::once(async move {
            let profile = inner.profile();
            let id = profile.id.clone();
            match books.reserve(profile, &request).await {
                Err(fault) => stream::iter([Err(fault)]).boxed(),
                Ok(mut booking) => {
                    booking.begin();
                    whole(id, inner.stream(request))
                        .map(move |item| booking.see(item))
                        .boxed()
                }
            }
        })
        .flatten()
        .boxed()
    }
}

/// Whatever is asked, with the accounts in which its calls are kept: it knows what a turn has used.
pub struct Counted {
    inner: Arc<dyn ChatModel>,
    books: Arc<Books>,
}

impl Counted {
    /// `books` are those of the governors behind `inner`.
    #[must_use]
    pub const fn new(inner: Arc<dyn ChatModel>, books: Arc<Books>) -> Self {
        Self { inner, books }
    }
}

impl ChatModel for Counted {
    fn profile(&self) -> ModelProfile {
        self.inner.profile()
    }

    fn stream(
        &self,
        request: Arc<ModelRequest>,
    ) -> BoxStream<'static, Result<ModelEvent, ModelFault>> {
        self.inner.stream(request)
    }

    fn used_by(&self, turn: &TurnId) -> Option<Usage> {
        self.books.used_by(turn)
    }
}
