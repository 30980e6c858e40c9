//! Making text of bytes beside everything else: a few at a time, each with a deadline, and one that fails fails alone.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::text::{Extracted, Media, NoText, extract};

/// Readers at work at once. One that does not come to its end keeps its place until it does.
const READERS_MAX: usize = 2;
/// How long the text of one page or file may take.
const WITHIN: Duration = Duration::from_secs(20);

/// Those who make text of bytes.
#[derive(Clone)]
pub(crate) struct Readers(Arc<Semaphore>);

/// Why there is no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NotRead {
    /// There is none.
    NoText(NoText),
    /// It took too long.
    TooLong,
}

impl Default for Readers {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(READERS_MAX)))
    }
}

impl Readers {
    /// The text of bytes.
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
            // The reader stumbled over it.
            Ok(Err(_)) => Err(NotRead::NoText(NoText::Unreadable("it is damaged"))),
            Err(_) => Err(NotRead::TooLong),
        }
    }
}
