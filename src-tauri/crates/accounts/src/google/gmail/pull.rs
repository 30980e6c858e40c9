//! Reads an account's mail: everything, newest first, or what changed since the last reading.
//!
//! Gmail has one history for all labels, so an account is one collection: a filed mail stays the same record, and
//! finding nothing new takes a single request. Messages are fetched one by one, a few concurrently. Batch requests
//! would be no faster under Google's rate limit, and single parts of them can fail.

use std::collections::BTreeSet;
use std::time::Duration;

use adjutant_domain::account::Cursor;
use adjutant_domain::operation::{RemoteFault, RemoteId};
use adjutant_domain::ports::provider::PAGE_MAX;
use adjutant_domain::ports::{PullFault, Pulled, PulledWhat, Sink};
use adjutant_domain::record::Record;
use futures::{StreamExt as _, TryStreamExt as _};

use super::api::{Api, Detail};
use super::cursor::{GmailCursor, is_point};
use super::labels::{self, Names};
use super::mail::{self, World};
use super::wire::{Message, MessageRef};

/// Maximum number of messages fetched concurrently.
const AT_ONCE: usize = 8;
/// Number of pages of a first reading that are fetched with their texts: 2,000 mails. Older mails get only a snippet.
const NEW_PAGES: usize = 10;
/// Maximum number of pages in one list.
const PAGES_MAX: usize = 50_000;
/// How often a reading that has begun waits out a rate limit.
const WAITS: u32 = 6;
/// Longest single wait; Google's limits apply per minute.
const WAIT_MAX: Duration = Duration::from_secs(60);

/// Checks that a text is a valid history id.
fn point(text: String) -> Result<String, RemoteFault> {
    match is_point(&text) {
        true => Ok(text),
        false => Err(nonsense("it does not say how far the mailbox is")),
    }
}

fn nonsense(what: &str) -> RemoteFault {
    let what = format!("Google's answer makes no sense: {what}");
    RemoteFault::Refused { what }
}

/// Reads an account as `Backend::pull` describes.
pub(super) async fn pull(
    api: &Api,
    from: Option<&Cursor>,
    world: &World,
    sink: &mut dyn Sink,
) -> Result<Cursor, PullFault> {
    let mut reading = MailboxPull {
        api,
        world,
        names: None,
        waits: false,
    };
    match from.map(GmailCursor::read) {
        None => {
            let profile = api.profile().await?;
            sink.expects(profile.messages_total);
            reading
                .everything(point(profile.history_id)?, Pages::default(), sink)
                .await
        }
        Some(Some(GmailCursor::Part(start, count, token))) => {
            let pages = Pages {
                token: Some(token),
                count,
                ..Pages::default()
            };
            reading.everything(start, pages, sink).await
        }
        Some(Some(GmailCursor::Whole(since))) => reading.since(&since, sink).await,
        Some(None) => Err(PullFault::CursorRefused),
    }
}

/// One pull of the mailbox.
struct MailboxPull<'a> {
    api: &'a Api,
    world: &'a World,
    /// Label names, once loaded.
    names: Option<Names>,
    /// Whether to wait out rate limits. Set once something was delivered, since giving up would lose that progress.
    waits: bool,
}

impl MailboxPull<'_> {
    /// Reads the remaining pages and then what happened since the reading began.
    async fn everything(
        &mut self,
        start: String,
        mut pages: Pages,
        sink: &mut dyn Sink,
    ) -> Result<Cursor, PullFault> {
        let goes_on = pages.token.is_some();
        loop {
            let token = pages.token.clone();
            let ask = || self.api.list(None, PAGE_MAX, token.as_deref());
            let listed = match patient(self.waits, ask).await {
                // The page token has expired.
                Err(RemoteFault::Refused { .. } | RemoteFault::Gone) if goes_on && !self.waits => {
                    return Err(PullFault::CursorRefused);
                }
                listed => listed?,
            };
            let detail = match pages.count < NEW_PAGES {
                true => Detail::Full,
                false => Detail::Metadata,
            };
            let found = self.fetch(ids(listed.messages), detail).await?;
            let there: Vec<Pulled> = found.into_iter().filter(is_there).collect();
            if !there.is_empty() {
                sink.take(there).await?;
            }
            self.waits = true;
            if !pages.go_on(listed.next_page_token)? {
                return self.since(&start, sink).await;
            }
            if let Some(token) = pages.token.clone().filter(|token| !token.contains(' ')) {
                let mark = GmailCursor::Part(start.clone(), pages.count, token);
                sink.reached(mark.cursor()).await?;
            }
        }
    }

    async fn since(&mut self, since: &str, sink: &mut dyn Sink) -> Result<Cursor, PullFault> {
        let mut changed = BTreeSet::new();
        let mut pages = Pages::default();
        let end = loop {
            let token = pages.token.clone();
            let ask = || self.api.history(since, token.as_deref());
            let page = match patient(self.waits, ask).await {
                // Google keeps the history for a few weeks only.
                Err(RemoteFault::Gone) => return Err(PullFault::CursorRefused),
                page => page?,
            };
            for happened in page.history {
                let of = [
                    happened.messages_added,
                    happened.messages_deleted,
                    happened.labels_added,
                    happened.labels_removed,
                ];
                changed.extend(of.into_iter().flatten().map(|of| of.message.id));
            }
            if !pages.go_on(page.next_page_token)? {
                break GmailCursor::Whole(point(page.history_id)?).cursor();
            }
        };
        // Later messages have greater ids.
        let changed: Vec<String> = changed.into_iter().rev().collect();
        for ids in changed.chunks(PAGE_MAX) {
            let found = self.fetch(ids.to_vec(), Detail::Full).await?;
            sink.take(found).await?;
            self.waits = true;
        }
        Ok(end)
    }

    /// Fetches messages in the given order and returns what became of each.
    async fn fetch(
        &mut self,
        ids: Vec<String>,
        detail: Detail,
    ) -> Result<Vec<Pulled>, RemoteFault> {
        let (api, waits) = (self.api, self.waits);
        let asked = ids.into_iter().map(|id| {
            let api = api.clone();
            async move {
                let asked = patient(waits, || described(&api, &id, detail)).await;
                match asked {
                    Ok(Some(message)) => Ok(FetchedMessage::There(Box::new(message))),
                    Ok(None) => Ok(FetchedMessage::Unreadable),
                    Err(RemoteFault::Gone) => Ok(FetchedMessage::Gone(id)),
                    Err(fault) => Err(fault),
                }
            }
        });
        let found = futures::stream::iter(asked).buffered(AT_ONCE);
        let found: Vec<FetchedMessage> = found.try_collect().await?;
        let has_any = found
            .iter()
            .any(|one| matches!(one, FetchedMessage::There(_)));
        if self.names.is_none() && has_any {
            let names = patient(waits, || api.labels()).await?;
            self.names = Some(names);
        }
        let names = self.names.clone().unwrap_or_default();
        let pulled = found.into_iter().filter_map(|found| match found {
            FetchedMessage::Gone(id) => Some(gone(&id)),
            FetchedMessage::There(message) if !labels::is_mail(&message.label_ids) => {
                Some(gone(&message.id))
            }
            FetchedMessage::There(message) => there(&message, &names, self.world).or_else(left_out),
            FetchedMessage::Unreadable => left_out(),
        });
        Ok(pulled.collect())
    }
}

/// What became of one message.
enum FetchedMessage {
    There(Box<Message>),
    Gone(String),
    /// Google's reply for this message cannot be parsed.
    Unreadable,
}

fn left_out() -> Option<Pulled> {
    tracing::warn!("a mail that Google describes in a way nobody understands is left out");
    None
}

/// Fetches a message, falling back to headers only if the full message is too large.
async fn described(api: &Api, id: &str, detail: Detail) -> Result<Option<Message>, RemoteFault> {
    match api.if_readable(id, detail).await {
        Err(RemoteFault::Refused { .. }) if detail == Detail::Full => {
            api.if_readable(id, Detail::Metadata).await
        }
        described => described,
    }
}

/// Repeats a rate-limited request after a delay if `waits` is set.
async fn patient<T, F>(waits: bool, ask: impl Fn() -> F) -> Result<T, RemoteFault>
where
    F: Future<Output = Result<T, RemoteFault>>,
{
    let mut waited = 0;
    loop {
        match ask().await {
            Err(RemoteFault::Limited {
                retry_after_seconds,
            }) if waits && waited < WAITS => {
                let seconds = retry_after_seconds.unwrap_or(2 << waited);
                waited += 1;
                tokio::time::sleep(Duration::from_secs(seconds).min(WAIT_MAX)).await;
            }
            answer => return answer,
        }
    }
}

/// Position in a paged list.
#[derive(Default)]
struct Pages {
    token: Option<String>,
    seen: BTreeSet<String>,
    count: usize,
}

impl Pages {
    /// Advances to the next page and returns whether there is one.
    fn go_on(&mut self, next: Option<String>) -> Result<bool, RemoteFault> {
        self.count += 1;
        let next = next.filter(|token| !token.is_empty());
        if let Some(token) = &next
            && (!self.seen.insert(token.clone()) || self.count >= PAGES_MAX)
        {
            return Err(nonsense("its list has no end"));
        }
        self.token = next;
        Ok(self.token.is_some())
    }
}

fn ids(named: Vec<MessageRef>) -> Vec<String> {
    named.into_iter().map(|one| one.id).take(PAGE_MAX).collect()
}

fn is_there(pulled: &Pulled) -> bool {
    !matches!(pulled.what, PulledWhat::Gone)
}

fn gone(id: &str) -> Pulled {
    Pulled {
        remote_id: RemoteId(id.to_owned()),
        what: PulledWhat::Gone,
    }
}

fn there(message: &Message, names: &Names, world: &World) -> Option<Pulled> {
    let mail = mail::mail(message, names, world)?;
    Some(Pulled {
        remote_id: RemoteId(message.id.clone()),
        what: PulledWhat::There {
            etag: None,
            uid_validity: None,
            rows: vec![Record::Mail(mail)],
            source: None,
        },
    })
}

/// Returns the mails that match a Gmail query, newest first.
pub(super) async fn search(
    api: &Api,
    query: &str,
    limit: usize,
    world: &World,
) -> Result<Vec<Pulled>, RemoteFault> {
    let mut reading = MailboxPull {
        api,
        world,
        names: None,
        waits: false,
    };
    let listed = api
        .list(Some(query), limit.clamp(1, PAGE_MAX), None)
        .await?;
    let mut ids = ids(listed.messages);
    ids.truncate(limit);
    let found = reading.fetch(ids, Detail::Full).await?;
    Ok(found.into_iter().filter(is_there).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_turns_in_a_circle_ends() {
        let mut pages = Pages::default();
        let next = |token: &str| Some(token.to_owned());
        assert_eq!(pages.go_on(next("a")), Ok(true));
        assert_eq!(pages.go_on(next("b")), Ok(true));
        assert!(pages.go_on(next("a")).is_err());
        assert_eq!(Pages::default().go_on(None), Ok(false));
        assert_eq!(Pages::default().go_on(next("")), Ok(false));
    }

    #[tokio::test(start_paused = true)]
    async fn a_reading_waits_only_once_it_has_begun() {
        let limited = || RemoteFault::Limited {
            retry_after_seconds: Some(1),
        };
        let asked = std::cell::Cell::new(0);
        let ask = || async {
            asked.set(asked.get() + 1);
            if asked.get() < 3 {
                Err(limited())
            } else {
                Ok(())
            }
        };
        assert_eq!(patient(false, ask).await, Err(limited()));
        assert_eq!(patient(true, ask).await, Ok(()));
        assert_eq!(asked.get(), 3);
        let never = || async { Err::<(), _>(limited()) };
        assert_eq!(patient(true, never).await, Err(limited()));
    }
}
