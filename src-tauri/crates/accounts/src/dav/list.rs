//! Lists the collections in a home.

use adjutant_domain::account::CollectionKind;
use adjutant_domain::operation::{RemoteFault, RemoteId};
use adjutant_domain::ports::RemoteCollection;
use adjutant_net::Url;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::Mutex;

use super::client::{Client, Depth, body};
use super::xml::{APPLE, CALDAV, CARDDAV, DAV, Resource};
use crate::net;

/// Maximum number of collections per account.
const COLLECTIONS_MAX: usize = 500;
/// Maximum number of characters kept of a collection name.
const NAME_CHARS_MAX: usize = 100;
/// How long a listing is reused. One reading lists the families one after the other.
const SAME_READING: SignedDuration = SignedDuration::from_secs(5);

const WANTED: &str = "<D:prop><D:resourcetype/><D:displayname/><D:current-user-privilege-set/><D:sync-token/><A:calendar-color/><C:supported-calendar-component-set/></D:prop>";

/// A collection and its sync token, if the server reports one.
#[derive(Clone, Debug)]
pub(super) struct ListedCollection {
    pub(super) collection: RemoteCollection,
    token: Option<String>,
}

/// The most recent listing of each home.
#[derive(Default)]
pub(super) struct Listings {
    seen: Mutex<Vec<Listing>>,
}

struct Listing {
    home: Url,
    at: Timestamp,
    all: Vec<ListedCollection>,
    /// Families that already used this listing. A second request by the same family wants a fresh one.
    told: Vec<CollectionKind>,
}

impl Listing {
    /// Tells whether the listing is recent enough to belong to the current reading.
    fn is_of(&self, now: Timestamp) -> bool {
        now.duration_since(self.at).abs() < SAME_READING
    }
}

impl Listings {
    /// Returns the collections of one kind in a home.
    pub(super) async fn of(
        &self,
        client: &Client,
        home: &Url,
        kind: CollectionKind,
    ) -> Result<Vec<RemoteCollection>, RemoteFault> {
        let mut seen = self.seen.lock().await;
        let now = client.access.clock.now().timestamp();
        let is_fresh =
            |one: &Listing| one.home == *home && one.is_of(now) && !one.told.contains(&kind);
        if !seen.iter().any(is_fresh) {
            let all = list(client, home).await?;
            seen.retain(|one| one.home != *home);
            seen.push(Listing {
                home: home.clone(),
                at: now,
                all,
                told: Vec::new(),
            });
        }
        let listing = seen.iter_mut().find(|one| one.home == *home);
        let Some(listing) = listing else {
            return Ok(Vec::new());
        };
        listing.told.push(kind);
        let of_kind = listing.all.iter().filter(|one| one.collection.kind == kind);
        Ok(of_kind.map(|one| one.collection.clone()).collect())
    }

    /// Takes the sync token a collection had in this reading's listing. Returns it only once: afterwards it is stale.
    pub(super) async fn token(
        &self,
        client: &Client,
        remote_id: &RemoteId,
        kind: CollectionKind,
    ) -> Option<String> {
        let now = client.access.clock.now().timestamp();
        let mut seen = self.seen.lock().await;
        let fresh = seen.iter_mut().filter(|one| one.is_of(now));
        let mut all = fresh.flat_map(|one| &mut one.all);
        let found =
            all.find(|one| one.collection.kind == kind && one.collection.remote_id == *remote_id)?;
        found.token.take()
    }
}

async fn list(client: &Client, home: &Url) -> Result<Vec<ListedCollection>, RemoteFault> {
    let reply = client
        .ask(
            "PROPFIND",
            home,
            Depth::Children,
            body("D:propfind", WANTED),
        )
        .await
        .map_err(|fault| net::unread(&fault))?;
    if reply.code() != 207 {
        return Err(client.refused(&reply));
    }
    let root = reply.multistatus()?;
    let mut all = Vec::new();
    for resource in Resource::all(&root) {
        let Some(path) = path(home, resource.href) else {
            tracing::warn!("a collection on another server is left out");
            continue;
        };
        for kind in kinds(&resource) {
            if all.len() == COLLECTIONS_MAX {
                return Err(RemoteFault::Refused {
                    what: format!("the account has more than {COLLECTIONS_MAX} collections"),
                });
            }
            all.push(listed(&resource, &path, kind));
        }
    }
    Ok(all)
}

fn listed(resource: &Resource<'_>, path: &str, kind: CollectionKind) -> ListedCollection {
    let said = resource.text(DAV, "displayname").unwrap_or_default();
    let last = path.trim_end_matches('/').rsplit('/').next();
    let name = if said.is_empty() {
        last.unwrap_or_default()
    } else {
        said
    };
    let clean = name
        .chars()
        .filter(|c| !c.is_control())
        .take(NAME_CHARS_MAX);
    ListedCollection {
        collection: RemoteCollection {
            remote_id: RemoteId(path.to_owned()),
            kind,
            name: clean.collect::<String>().trim().to_owned(),
            colour: resource.text(APPLE, "calendar-color").and_then(colour),
            writable: may_write(resource),
        },
        token: resource.text(DAV, "sync-token").map(str::to_owned),
    }
}

/// Resolves a resource's `href` to a path; `None` if it points to another server.
pub(super) fn path(base: &Url, href: &str) -> Option<String> {
    let there = base.join(href).ok()?;
    (there.origin() == base.origin()).then(|| there.path().to_owned())
}

/// Returns the kinds of record a collection holds; empty if Adjutant supports none of them.
fn kinds(resource: &Resource<'_>) -> Vec<CollectionKind> {
    let Some(is) = resource.property(DAV, "resourcetype") else {
        return Vec::new();
    };
    if is.get(CARDDAV, "addressbook").is_some() {
        return vec![CollectionKind::AddressBook];
    }
    if is.get(CALDAV, "calendar").is_none() {
        return Vec::new();
    }
    let set = resource.property(CALDAV, "supported-calendar-component-set");
    let holds = |component: &str| {
        set.is_none_or(|set| {
            set.all(CALDAV, "comp")
                .any(|one| one.attribute.eq_ignore_ascii_case(component))
        })
    };
    let kinds = [
        (CollectionKind::Calendar, "VEVENT"),
        (CollectionKind::TaskList, "VTODO"),
    ];
    let held = kinds.into_iter().filter(|(_, component)| holds(component));
    held.map(|(kind, _)| kind).collect()
}

/// Tells whether the person may write to the collection. Assumes so if the server does not say, since it can still
/// refuse a write.
fn may_write(resource: &Resource<'_>) -> bool {
    let Some(set) = resource.property(DAV, "current-user-privilege-set") else {
        return true;
    };
    let writes = ["write", "write-content", "bind", "all"];
    set.all(DAV, "privilege")
        .any(|one| writes.iter().any(|name| one.get(DAV, name).is_some()))
}

/// Returns the `#rrggbb` part of a colour that may include an alpha channel.
fn colour(text: &str) -> Option<String> {
    let is_hex = text
        .strip_prefix('#')?
        .chars()
        .all(|c| c.is_ascii_hexdigit());
    (is_hex && matches!(text.len(), 7 | 9)).then(|| text[..7].to_ascii_lowercase())
}
