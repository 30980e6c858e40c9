//! Reads an account's contacts: all of them, or what changed since the last reading.

use std::collections::BTreeSet;

use adjutant_domain::account::Cursor;
use adjutant_domain::operation::{Etag, RemoteFault, RemoteId};
use adjutant_domain::ports::provider::PAGE_MAX;
use adjutant_domain::ports::{PullFault, Pulled, PulledWhat, Sink};
use adjutant_domain::record::Record;
use adjutant_interchange::Seed;
use serde_json::Value;

use super::{READING, SOURCES, person};
use crate::google::client::{Ask, Client, Failed};
use crate::google::hosts::Api;

/// Prefix of a valid cursor. Any other cursor is refused, and everything is read again.
const FORM: &str = "1 ";
/// Maximum size of a sync token in bytes.
const TOKEN_BYTES_MAX: usize = 16 * 1024;
/// Page size when only identifiers are requested.
const LOOK_MAX: usize = 1_000;
/// Maximum number of pages in one list; an account has at most 25,000 contacts.
const PAGES_MAX: usize = 1_000;

/// Reads an account as `Backend::pull` describes.
pub(super) async fn pull(
    client: &Client,
    from: Option<&Cursor>,
    seed: &Seed,
    sink: &mut dyn Sink,
) -> Result<Cursor, PullFault> {
    let since = match from {
        None => None,
        Some(cursor) => Some(token(cursor).ok_or(PullFault::CursorRefused)?),
    };
    let mut asked = vec![("requestSyncToken", "true")];
    asked.extend(since.map(|token| ("syncToken", token)));
    let mut list = List::new(client, person::FIELDS, PAGE_MAX, asked);
    let mut next = None;
    while let Some(page) = list.page().await.map_err(|failed| refused(failed, since))? {
        let pulled: Vec<Pulled> = people(&page).filter_map(|one| pulled(one, seed)).collect();
        if !pulled.is_empty() {
            sink.take(pulled).await?;
        }
        next = text(&page, "nextSyncToken").map(str::to_owned).or(next);
    }
    let next = next.filter(|token| token.len() <= TOKEN_BYTES_MAX);
    let next = next.ok_or_else(|| nonsense("it does not say how far the contacts were read"))?;
    Ok(Cursor(format!("{FORM}{next}")))
}

/// Google's sync tokens expire after a few days, which it reports like an invalid request.
fn refused(failed: Failed, since: Option<&str>) -> PullFault {
    match failed.status() {
        Some(400 | 404 | 410) if since.is_some() => PullFault::CursorRefused,
        _ => failed.fault().into(),
    }
}

fn token(cursor: &Cursor) -> Option<&str> {
    let token = cursor.0.strip_prefix(FORM)?;
    (1..=TOKEN_BYTES_MAX)
        .contains(&token.len())
        .then_some(token)
}

fn nonsense(what: &str) -> RemoteFault {
    let what = format!("Google's answer makes no sense: {what}");
    RemoteFault::Refused { what }
}

fn text<'a>(page: &'a Value, name: &str) -> Option<&'a str> {
    page.get(name)?.as_str().filter(|text| !text.is_empty())
}

fn people(page: &Value) -> impl Iterator<Item = &Value> {
    let all = page.get("connections").and_then(Value::as_array);
    all.into_iter().flatten().take(LOOK_MAX)
}

/// The contacts, page by page.
struct List<'a> {
    client: &'a Client,
    fields: &'a str,
    size: usize,
    asked: Vec<(&'a str, &'a str)>,
    token: Option<String>,
    seen: BTreeSet<String>,
    is_at_end: bool,
}

impl<'a> List<'a> {
    fn new(
        client: &'a Client,
        fields: &'a str,
        size: usize,
        asked: Vec<(&'a str, &'a str)>,
    ) -> Self {
        Self {
            client,
            fields,
            size,
            asked,
            token: None,
            seen: BTreeSet::new(),
            is_at_end: false,
        }
    }

    /// Fetches the next page; `None` after the last one.
    async fn page(&mut self) -> Result<Option<Value>, Failed> {
        if self.is_at_end {
            return Ok(None);
        }
        let mut ask = Ask::get(Api::People, ["people", "me", "connections"], READING)
            .with("personFields", self.fields)
            .with("sources", SOURCES)
            .with("pageSize", self.size);
        let asked = self.asked.iter().copied();
        let asked = asked.chain(self.token.as_deref().map(|token| ("pageToken", token)));
        ask.query
            .extend(asked.map(|(name, value)| (name, value.to_owned())));
        let page: Value = self.client.json(ask).await?;
        self.token = text(&page, "nextPageToken").map(str::to_owned);
        self.is_at_end = self.token.is_none();
        if let Some(token) = &self.token
            && (!self.seen.insert(token.clone()) || self.seen.len() >= PAGES_MAX)
        {
            return Err(nonsense("its list has no end").into());
        }
        Ok(Some(page))
    }
}

/// Converts a person to the record to deliver; `None` if it has no valid resource name.
fn pulled(person: &Value, seed: &Seed) -> Option<Pulled> {
    let remote_id = RemoteId(person::name(person)?.to_owned());
    let what = match person::is_deleted(person) {
        true => PulledWhat::Gone,
        false => PulledWhat::There {
            etag: person::etag(person).map(|etag| Etag(etag.to_owned())),
            uid_validity: None,
            rows: vec![Record::Contact(person::contact(person, seed)?)],
            source: Some(person.to_string().into_bytes()),
        },
    };
    Some(Pulled { remote_id, what })
}

/// Finds the contact that was added under an identifier chosen here.
pub(super) async fn with_own_id(client: &Client, id: &str) -> Result<Option<Value>, RemoteFault> {
    let mut list = List::new(client, "clientData,metadata", LOOK_MAX, Vec::new());
    while let Some(page) = list.page().await.map_err(Failed::fault)? {
        if let Some(found) = people(&page).find(|one| person::own_id(one) == Some(id)) {
            return Ok(Some(found.clone()));
        }
    }
    Ok(None)
}
