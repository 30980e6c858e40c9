//! Fetches web pages politely, reduces them to text, and keeps snapshots.
//!
//! An address comes from outside: from a result, a link or a redirect. It may lead only to the public internet, unless
//! the person named that exact host ([`Allowed`]). A redirect never leads from outside to such a host.

mod fetch;
mod hosts;
mod robots;

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use adjutant_domain::canonical::sha256;
use adjutant_domain::ports::{Clock, Snapshot, SourceAddress, SourceFault};
use adjutant_domain::source::Taint;
use adjutant_net::NetClient;
use url::Url;

use crate::engines::host_of;
use crate::reading::{NotRead, Readers};
use crate::text::{Media, NoText};
use fetch::Fetched;
use hosts::Hosts;
use robots::Robots;

/// Returns the network client according to the current settings.
pub type NetNow = dyn Fn() -> NetClient + Send + Sync;

/// Maximum number of redirects followed.
const REDIRECTS_MAX: usize = 5;
/// Maximum number of characters in an address.
const URL_CHARS_MAX: usize = 2_048;
/// Maximum number of characters of an address shown in a message.
const TOLD_CHARS_MAX: usize = 100;

/// Hosts on this computer or its network that the person named, each with its port unless that is the default.
pub type Allowed = BTreeSet<String>;

/// Reads web pages.
pub struct WebPages {
    net: Arc<NetNow>,
    clock: Arc<dyn Clock>,
    allowed: RwLock<Allowed>,
    hosts: Hosts,
    robots: Robots,
    readers: Readers,
}

/// Where an address may lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// To the public internet.
    Public,
    /// To this exact host, which the person named.
    Named,
}

impl WebPages {
    pub(crate) fn new(net: Arc<NetNow>, clock: Arc<dyn Clock>, readers: Readers) -> Self {
        Self {
            net,
            clock,
            allowed: RwLock::default(),
            hosts: Hosts::default(),
            robots: Robots::default(),
            readers,
        }
    }

    /// Replaces the hosts that the person named.
    pub fn allow(&self, hosts: Allowed) {
        *self.allowed.write().unwrap_or_else(PoisonError::into_inner) = hosts;
    }

    /// Reads a page.
    ///
    /// # Errors
    /// Returns the same faults as [`adjutant_domain::ports::Pages::open`].
    pub async fn open(&self, url: &str, within: Duration) -> Result<Snapshot, SourceFault> {
        let first = address(url)?;
        let host = host_of(&first);
        match tokio::time::timeout(within, self.read(first)).await {
            Ok(read) => read,
            Err(_) => Err(SourceFault::TimedOut { host }),
        }
    }

    async fn read(&self, first: Url) -> Result<Snapshot, SourceFault> {
        let (last, fetched) = self.follow(&first).await?;
        let what = || format!("The page at {}", host_of(&last));
        let limit_mb = |media: Media| media.bytes_max() as u64 / (1024 * 1024);
        let no_text = |media: &str| SourceFault::NotText {
            what: what(),
            media: media.to_owned(),
        };
        let media = Media::of(fetched.media.as_deref(), &fetched.bytes);
        let media = media.map_err(|other| no_text(&other))?;
        if fetched.bytes.len() > media.bytes_max() {
            return Err(SourceFault::TooLarge {
                what: what(),
                limit_mb: limit_mb(media),
            });
        }
        let read = self.readers.read(fetched.bytes, media, fetched.charset);
        let read = read.await.map_err(|fault| match fault {
            NotRead::NoText(NoText::Unreadable(why)) => no_text(why),
            NotRead::NoText(NoText::Bomb) => SourceFault::TooLarge {
                what: what(),
                limit_mb: limit_mb(media),
            },
            NotRead::TooLong => no_text("it takes too long to read"),
        })?;
        Ok(Snapshot {
            address: page(&first),
            final_address: page(&last),
            title: read.title,
            fetched_at: self.clock.now().timestamp(),
            sha256: sha256(read.text.as_bytes()).to_string(),
            text: read.text,
            media: media.name().to_owned(),
            cut: read.cut,
            taint: Taint::Tainted,
        })
    }

    /// Follows an address and its redirects, subject to each host's rules.
    async fn follow(&self, first: &Url) -> Result<(Url, Fetched), SourceFault> {
        let mut url = first.clone();
        let mut reach = self.reach(&url);
        let mut been = BTreeSet::new();
        for _ in 0..=REDIRECTS_MAX {
            if !been.insert(url.to_string()) {
                break;
            }
            let allowed = self.robots(&url, reach).await?;
            if !allowed.allows(&url) {
                return Err(SourceFault::NotAllowed {
                    host: host_of(&url),
                });
            }
            let pause = allowed.pause(reach == Reach::Named);
            let turn = self.hosts.turn(&host_of(&url), &*self.clock).await;
            let fetched = fetch::page(&(self.net)(), &url, reach, self.now()).await;
            turn.done(pause);
            match fetched? {
                fetch::Reply::Here(fetched) => return Ok((url, fetched)),
                fetch::Reply::There(place) => {
                    (url, reach) = self.hop(&url, &place, reach)?;
                }
            }
        }
        Err(SourceFault::Refused {
            host: host_of(first),
            why: "it keeps pointing to another place".into(),
        })
    }

    /// Resolves and checks the target of a redirect.
    fn hop(&self, from: &Url, place: &str, reach: Reach) -> Result<(Url, Reach), SourceFault> {
        let bad = || SourceFault::Refused {
            host: host_of(from),
            why: "it points to a place that cannot be opened".into(),
        };
        let to = from.join(place).map_err(|_| bad())?;
        let to = address(to.as_str()).map_err(|_| bad())?;
        if from.scheme() == "https" && to.scheme() != "https" {
            return Err(SourceFault::Refused {
                host: host_of(from),
                why: "it points to a place that is not encrypted".into(),
            });
        }
        let same = from.origin() == to.origin();
        Ok((to, if same { reach } else { Reach::Public }))
    }

    async fn robots(&self, url: &Url, reach: Reach) -> Result<robots::Rules, SourceFault> {
        if let Some(known) = self.robots.known(url, self.now()) {
            return known;
        }
        let turn = self.hosts.turn(&host_of(url), &*self.clock).await;
        // Another request may have fetched the rules in the meantime.
        if let Some(known) = self.robots.known(url, self.now()) {
            return known;
        }
        let asked = robots::ask(&(self.net)(), url, reach, self.now()).await;
        turn.done(Duration::ZERO);
        self.robots.keep(url, asked, self.now())
    }

    fn reach(&self, url: &Url) -> Reach {
        let allowed = self.allowed.read().unwrap_or_else(PoisonError::into_inner);
        match allowed.contains(&host_of(url)) {
            true => Reach::Named,
            false => Reach::Public,
        }
    }

    fn now(&self) -> jiff::Timestamp {
        self.clock.now().timestamp()
    }
}

fn page(url: &Url) -> SourceAddress {
    SourceAddress::Page {
        url: url.to_string(),
    }
}

/// Parses an address that can be opened, without credentials and fragment.
fn address(text: &str) -> Result<Url, SourceFault> {
    let bad = || SourceFault::BadAddress {
        address: text.chars().take(TOLD_CHARS_MAX).collect(),
    };
    if text.chars().count() > URL_CHARS_MAX {
        return Err(bad());
    }
    let mut url = Url::parse(text.trim()).map_err(|_| bad())?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return Err(bad());
    }
    url.set_username("").map_err(|()| bad())?;
    url.set_password(None).map_err(|()| bad())?;
    url.set_fragment(None);
    Ok(url)
}
