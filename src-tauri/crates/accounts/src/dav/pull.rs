//! Reads a collection page by page. Finds out what changed since a sync token (RFC 6578) or, if the server has none, by
//! comparing ETags, and then fetches those resources.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_domain::account::{CollectionKind, Cursor};
use adjutant_domain::operation::{RemoteFault, RemoteId};
use adjutant_domain::ports::provider::PAGE_MAX;
use adjutant_domain::ports::{PullFault, Pulled, PulledWhat, Sink};
use adjutant_net::{NetFault, Url};
use serde::{Deserialize, Serialize};

use super::client::{Client, Depth, Reply, body};
use super::list::path;
use super::rows;
use super::xml::{CALDAV, CARDDAV, DAV, Resource, conditions, escaped};
use crate::net;

/// Maximum number of records in one collection.
const MEMBERS_MAX: usize = 100_000;
/// Maximum number of partial replies to one sync query.
const PARTS_MAX: usize = 1_000;

/// How far a collection has been read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum DavCursor {
    /// The server's sync token.
    Token(String),
    /// An interrupted first reading: the sync token it began with and the last path read. Paths are read in sorted
    /// order.
    Part { token: String, after: String },
    /// The ETag of every member, for a server without sync tokens.
    States(BTreeMap<String, String>),
}

impl DavCursor {
    fn cursor(&self) -> Cursor {
        Cursor(serde_json::json!(self).to_string())
    }
}

/// The differences since a mark.
struct Changes {
    changed: Vec<String>,
    gone: Vec<String>,
    mark: DavCursor,
}

/// A collection being read.
pub(super) struct Reader<'a> {
    pub(super) client: &'a Client,
    pub(super) url: Url,
    pub(super) kind: CollectionKind,
}

impl Reader<'_> {
    /// Reads what changed since `cursor`. `token` is the sync token from the listing that was just made.
    pub(super) async fn pull(
        &self,
        cursor: Option<&Cursor>,
        token: Option<String>,
        sink: &mut dyn Sink,
    ) -> Result<Cursor, PullFault> {
        let mark = cursor.map(|cursor| serde_json::from_str(&cursor.0));
        let mark: Option<DavCursor> = mark.transpose().map_err(|_| PullFault::CursorRefused)?;
        let is_first = matches!(mark, None | Some(DavCursor::Part { .. }));
        let mut changes = match mark {
            Some(DavCursor::Token(seen)) if token.as_ref() == Some(&seen) => {
                return Ok(DavCursor::Token(seen).cursor());
            }
            Some(DavCursor::Token(seen)) => {
                let changes = self.since(&seen).await?;
                changes.ok_or(PullFault::CursorRefused)?
            }
            Some(DavCursor::Part { token, after }) => self.rest(&token, &after).await?,
            Some(DavCursor::States(states)) => self.compared(&states).await?,
            // Some servers report deletions even to a client that has seen nothing yet.
            None => match self.since("").await? {
                Some(changes) => Changes {
                    gone: Vec::new(),
                    ..changes
                },
                None => self.compared(&BTreeMap::new()).await?,
            },
        };
        changes.changed.sort();
        sink.expects(changes.changed.len() + changes.gone.len());
        let gone = changes.gone.into_iter().map(|path| Pulled {
            remote_id: RemoteId(path),
            what: PulledWhat::Gone,
        });
        let gone: Vec<Pulled> = gone.collect();
        for page in gone.chunks(PAGE_MAX) {
            sink.take(page.to_vec()).await?;
        }
        let token = match &changes.mark {
            DavCursor::Token(token) if is_first => Some(token.as_str()),
            _ => None,
        };
        self.fetch(&changes.changed, token, sink).await?;
        Ok(changes.mark.cursor())
    }

    /// Returns what an interrupted first reading did not reach, together with what changed since it began.
    async fn rest(&self, token: &str, after: &str) -> Result<Changes, PullFault> {
        let refused = PullFault::CursorRefused;
        let since = self.since(token).await?.ok_or(refused.clone())?;
        let all = self.since("").await?.ok_or(refused)?;
        let mut changed: BTreeSet<String> = since.changed.into_iter().collect();
        changed.extend(all.changed.into_iter().filter(|path| path.as_str() > after));
        Ok(Changes {
            changed: changed.into_iter().collect(),
            gone: since.gone,
            // Later changes, possibly some of these again, come with the next reading.
            mark: since.mark,
        })
    }

    /// Returns what changed since a sync token, or everything for the empty one. `None` if the server has no sync
    /// tokens.
    async fn since(&self, seen: &str) -> Result<Option<Changes>, PullFault> {
        let mut changes = Changes {
            changed: Vec::new(),
            gone: Vec::new(),
            mark: DavCursor::Token(seen.to_owned()),
        };
        let mut from = seen.to_owned();
        for _ in 0..PARTS_MAX {
            let wanted = format!(
                "<D:sync-token>{}</D:sync-token><D:sync-level>1</D:sync-level><D:prop><D:getetag/><D:getcontenttype/></D:prop>",
                escaped(&from)
            );
            let wanted = body("D:sync-collection", &wanted);
            let reply = self.ask("REPORT", Depth::Itself, wanted).await?;
            if reply.code() != 207 {
                return self.not_since(&reply, from.is_empty());
            }
            let root = reply.tree()?;
            let token = root.text_of(DAV, "sync-token").map(str::to_owned);
            let token =
                token.ok_or_else(|| refused("the server does not say how far it has been read"))?;
            let mut is_part = false;
            for resource in Resource::all(&root) {
                let own = self.member(&resource);
                match (resource.status, own) {
                    (Some(507), _) => is_part = true,
                    (Some(404 | 410), Some(path)) => changes.gone.push(path),
                    (_, Some(path)) if self.may_hold(&resource) => changes.changed.push(path),
                    _ => {}
                }
            }
            if changes.changed.len() + changes.gone.len() > MEMBERS_MAX {
                return Err(too_many());
            }
            let stands_still = token == from;
            changes.mark = DavCursor::Token(token.clone());
            if !is_part {
                return Ok(Some(changes));
            }
            if stands_still {
                break;
            }
            from = token;
        }
        Err(refused("the server's list of changes does not end"))
    }

    /// Interprets the server's refusal to report changes.
    fn not_since(&self, reply: &Reply, is_first: bool) -> Result<Option<Changes>, PullFault> {
        let says = conditions(&reply.text());
        let is_token = says.iter().any(|one| one == "valid-sync-token");
        match reply.code() {
            400 | 403 | 405 | 409 | 412 | 415 | 422 | 501 if is_first => Ok(None),
            400 | 403 | 409 | 410 | 412 | 507 if is_token || !is_first => {
                Err(PullFault::CursorRefused)
            }
            _ => Err(self.client.refused(reply).into()),
        }
    }

    /// Compares the current ETags with those seen before.
    async fn compared(&self, seen: &BTreeMap<String, String>) -> Result<Changes, PullFault> {
        let wanted = "<D:prop><D:resourcetype/><D:getetag/><D:getcontenttype/></D:prop>";
        let wanted = body("D:propfind", wanted);
        let reply = self.ask("PROPFIND", Depth::Children, wanted).await?;
        if reply.code() != 207 {
            return Err(self.client.refused(&reply).into());
        }
        let root = reply.multistatus()?;
        let mut states = BTreeMap::new();
        for resource in Resource::all(&root) {
            let Some(path) = self.member(&resource) else {
                continue;
            };
            if resource.status.is_none_or(|status| status == 200) && self.may_hold(&resource) {
                let etag = resource.text(DAV, "getetag").unwrap_or_default();
                states.insert(path, etag.to_owned());
            }
        }
        if states.len() > MEMBERS_MAX {
            return Err(too_many());
        }
        // Without an ETag there is no telling whether a member changed.
        let is_new =
            |(path, etag): &(&String, &String)| etag.is_empty() || seen.get(*path) != Some(*etag);
        let changed = states.iter().filter(is_new).map(|(path, _)| path.clone());
        let gone = seen.keys().filter(|path| !states.contains_key(*path));
        Ok(Changes {
            changed: changed.collect(),
            gone: gone.cloned().collect(),
            mark: DavCursor::States(states),
        })
    }

    /// Returns the path of a member of this collection; `None` for the collection itself and for nested collections.
    fn member(&self, resource: &Resource<'_>) -> Option<String> {
        let path = path(&self.url, resource.href)?;
        let is_collection = resource
            .property(DAV, "resourcetype")
            .is_some_and(|is| is.get(DAV, "collection").is_some());
        let is_inside = path.trim_end_matches('/') != self.url.path().trim_end_matches('/');
        (is_inside && !path.ends_with('/') && !is_collection).then_some(path)
    }

    /// Tells whether a resource may hold records of this kind, going by the component that many servers name.
    fn may_hold(&self, resource: &Resource<'_>) -> bool {
        let kind = resource.text(DAV, "getcontenttype").unwrap_or_default();
        let kind = kind.to_ascii_lowercase();
        let component = kind
            .split(';')
            .find_map(|one| one.trim().strip_prefix("component="));
        match (component.map(|one| one.trim_matches('"')), self.kind) {
            (Some("vevent"), kind) => kind == CollectionKind::Calendar,
            (Some("vtodo"), kind) => kind == CollectionKind::TaskList,
            (Some(_), _) => self.kind == CollectionKind::AddressBook,
            (None, _) => true,
        }
    }

    /// Fetches members, in sorted order, and delivers them page by page. `token` is the sync token of a first reading,
    /// which lets an interrupted one resume after each page.
    async fn fetch(
        &self,
        members: &[String],
        token: Option<&str>,
        sink: &mut dyn Sink,
    ) -> Result<(), PullFault> {
        let pages = members.chunks(PAGE_MAX).rev();
        let mut left: Vec<&[String]> = pages.collect();
        while let Some(page) = left.pop() {
            match self.page(page).await {
                Ok(pulled) => {
                    if !pulled.is_empty() {
                        sink.take(pulled).await?;
                    }
                    if let (Some(token), Some(last), false) = (token, page.last(), left.is_empty())
                    {
                        let (token, after) = (token.to_owned(), last.clone());
                        sink.reached(DavCursor::Part { token, after }.cursor())
                            .await?;
                    }
                }
                // Some members hold attachments, so fewer of them fit into one reply.
                Err(Unfetched::TooLarge) if page.len() > 1 => {
                    let (first, rest) = page.split_at(page.len() / 2);
                    left.extend([rest, first]);
                }
                Err(Unfetched::TooLarge) => {
                    tracing::warn!("a record that is too large is left out");
                }
                Err(Unfetched::Fault(fault)) => return Err(fault.into()),
            }
        }
        Ok(())
    }

    async fn page(&self, members: &[String]) -> Result<Vec<Pulled>, Unfetched> {
        let (element, data) = match self.kind {
            CollectionKind::AddressBook => ("R:addressbook-multiget", "<R:address-data/>"),
            _ => ("C:calendar-multiget", "<C:calendar-data/>"),
        };
        let mut wanted = format!("<D:prop><D:getetag/>{data}</D:prop>");
        for member in members {
            wanted.push_str(&format!("<D:href>{}</D:href>", escaped(member)));
        }
        let asked = self
            .client
            .ask("REPORT", &self.url, Depth::Children, body(element, &wanted));
        let reply = match asked.await {
            Err(NetFault::TooLarge { .. }) => return Err(Unfetched::TooLarge),
            reply => reply.map_err(|fault| Unfetched::Fault(net::unread(&fault)))?,
        };
        if reply.code() != 207 {
            return Err(Unfetched::Fault(self.client.refused(&reply)));
        }
        let root = reply.tree().map_err(Unfetched::Fault)?;
        let asked: BTreeSet<&str> = members.iter().map(String::as_str).collect();
        let mut pulled = Vec::with_capacity(members.len());
        for resource in Resource::all(&root) {
            // Ignore resources that were not requested.
            let Some(path) = self
                .member(&resource)
                .filter(|path| asked.contains(path.as_str()))
            else {
                continue;
            };
            let what = match (resource.status, self.data(&resource)) {
                (Some(404 | 410), _) => PulledWhat::Gone,
                (_, Some(text)) => match rows::there(text, &resource, self) {
                    Some(there) => there,
                    None => continue,
                },
                (_, None) => continue,
            };
            pulled.push(Pulled {
                remote_id: RemoteId(path),
                what,
            });
        }
        pulled.truncate(PAGE_MAX);
        Ok(pulled)
    }

    fn data<'a>(&self, resource: &Resource<'a>) -> Option<&'a str> {
        match self.kind {
            CollectionKind::AddressBook => resource.text(CARDDAV, "address-data"),
            _ => resource.text(CALDAV, "calendar-data"),
        }
    }

    async fn ask(&self, method: &str, depth: Depth, body: String) -> Result<Reply, RemoteFault> {
        let asked = self.client.ask(method, &self.url, depth, body).await;
        asked.map_err(|fault| net::unread(&fault))
    }
}

/// The reason why a page could not be fetched.
enum Unfetched {
    TooLarge,
    Fault(RemoteFault),
}

fn refused(what: &str) -> PullFault {
    PullFault::Remote(RemoteFault::Refused {
        what: what.to_owned(),
    })
}

fn too_many() -> PullFault {
    refused(&format!("it holds more than {MEMBERS_MAX} records"))
}
