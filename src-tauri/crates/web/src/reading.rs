//! Extracts text from bytes on separate threads: a few at a time, each with a deadline and isolated from the others.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::text::{Extracted, Media, NoText, extract};

/// Maximum number of concurrent extractions. One that exceeds its deadline keeps its slot until it ends.
const READERS_MAX: usize = 2;
/// Time allowed for one page or file.
const WITHIN: Duration = Duration::from_secs(20);

/// Runs extractions, limited in number.
#[derive(Clone)]
pub(crate) struct Readers(Arc<Semaphore>);

/// Why there is no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NotRead {
    /// The content has no readable text.
    NoText(NoText),
    /// The extraction took too long.
    TooLong,
}

impl Default for Readers {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(READERS_MAX)))
    }
}

impl Readers {
    /// Extracts the text from bytes.
    pub(crate) async fn read(
        &self,
        bytes: Vec<u8>,
        media: Media,
        charset: Option<String>,
    ) -> Result<Extracted, NotRead> {
        let place = self.0.clone().acquire_owned().await;
        let place = place.map_err(|_| NotRead::TooLong)?;
        let work = tokio::task::spawn_blocking(move || {
            let _place = place;
            extract(&bytes, media, charset.as_deref())
        });
        match tokio::time::timeout(WITHIN, work).await {
            Ok(Ok(read)) => read.map_err(NotRead::NoText),
            // The extraction panicked.
            Ok(Err(_)) => Err(NotRead::NoText(NoText::Unreadable("it is damaged"))),
            Err(_) => Err(NotRead::TooLong),
        }
    }
}
