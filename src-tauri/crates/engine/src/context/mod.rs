//! What is gathered while a message is routed: every source with its own deadline. A source that fails is an empty
//! section with a note, never a failed turn.

pub(crate) mod people;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::conversation::Message;
use adjutant_domain::event::ContextSection;
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ports::{MemoryFilter, Records};

use crate::stopwatch::Stopwatch;

/// How long one source may take.
pub const SOURCE_DEADLINE: Duration = Duration::from_millis(250);
/// Memories that are looked up for a message.
const MEMORIES_MAX: usize = 5;
/// Characters an estimated token has.
const CHARS_PER_TOKEN: usize = 4;

/// The section of the latest messages; they came with the opened turn.
#[must_use]
pub fn messages(past: &[Message]) -> ContextSection {
    ContextSection {
        name: "messages".into(),
        tokens: tokens(past.iter().map(|message| message.text.as_str())),
        ms: 0,
        problem: None,
    }
}

/// Looks up memories that fit the message.
pub async fn memories(
    records: Arc<dyn Records>,
    text: String,
    deadline: Duration,
) -> ContextSection {
    let filter = MemoryFilter {
        text: Some(text),
        limit: Some(MEMORIES_MAX),
        ..MemoryFilter::default()
    };
    let (section, _) = source("memories", deadline, records.memories(&filter), |found| {
        tokens(found.iter().map(|memory| memory.value.as_str()))
    })
    .await;
    section
}

/// Runs one source up to its deadline.
pub(crate) async fn source<T>(
    name: &str,
    deadline: Duration,
    work: impl Future<Output = Result<T, StoreFault>>,
    count: impl FnOnce(&T) -> u64,
) -> (ContextSection, Option<T>) {
    let watch = Stopwatch::start();
    let found = tokio::time::timeout(deadline, work).await;
    let (tokens, problem, found) = match found {
        Ok(Ok(found)) => (count(&found), None, Some(found)),
        Ok(Err(fault)) => (0, Some(fault.to_string()), None),
        Err(_) => (
            0,
            Some(format!("took longer than {} ms", deadline.as_millis())),
            None,
        ),
    };
    let section = ContextSection {
        name: name.into(),
        tokens,
        ms: watch.ms(),
        problem,
    };
    (section, found)
}

/// Estimated tokens of some texts.
pub(crate) fn tokens<'a>(texts: impl Iterator<Item = &'a str>) -> u64 {
    let chars: usize = texts.map(|text| text.chars().count()).sum();
    chars.div_ceil(CHARS_PER_TOKEN) as u64
}
