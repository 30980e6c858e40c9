//! Finds the calendar and address book homes from what a person types (RFC 6764).

use std::collections::BTreeMap;

use adjutant_domain::operation::RemoteFault;
use adjutant_net::{NetFault, ServiceHost, Url};

use super::client::{Client, Depth, Reply, body};
use super::known::{self, DavProvider};
use super::xml::{CALDAV, CARDDAV, DAV, Node, Resource};
use super::{
    ADDRESS, ADDRESSES, CALENDARS, CONTACTS, OUTBOX, PASSWORD, SCHEDULES, SERVER, USER, field,
};
use crate::certificate::CERTIFICATE;
use crate::http::is_within;
use crate::provider::{Access, AccountDetails, SetUpFault};

/// Maximum number of addresses followed, one leading to the next, from one starting point.
const STEPS_MAX: usize = 6;
/// Maximum number of the person's mail addresses kept.
const ADDRESSES_MAX: usize = 20;
/// Path of the DAV root of Nextcloud and ownCloud below the address people know.
const NEXTCLOUD: &str = "remote.php/dav/";

/// The XML names and paths used to find a calendar or address book home.
struct Family {
    space: &'static str,
    home: &'static str,
    /// Body of the request for the home and the other owner properties.
    wanted: &'static str,
    well_known: &'static str,
    /// Its service name (RFC 6764).
    service: &'static str,
}

const OF_CALENDARS: Family = Family {
    space: CALDAV,
    home: "calendar-home-set",
    wanted: "<D:current-user-principal/><C:calendar-home-set/><C:calendar-user-address-set/><C:schedule-outbox-URL/>",
    well_known: "/.well-known/caldav",
    service: "_caldavs._tcp",
};

const OF_CONTACTS: Family = Family {
    space: CARDDAV,
    home: "addressbook-home-set",
    wanted: "<D:current-user-principal/><R:addressbook-home-set/>",
    well_known: "/.well-known/carddav",
    service: "_carddavs._tcp",
};

/// A home and the details of its owner.
#[derive(Debug)]
struct Home {
    url: Url,
    addresses: Vec<String>,
    outbox: Option<Url>,
}

/// The host that the person typed, which limits where the server may point.
struct Typed {
    host: String,
    known: Option<&'static DavProvider>,
    /// Whether they typed only a domain, or a mail address in it.
    is_domain: bool,
}

impl Typed {
    /// Resolves an address that the server names. Accepts it only on the same origin or, over HTTPS, in the same
    /// domain, because the password goes there.
    fn next(&self, url: &Url, place: &str) -> Result<Url, SetUpFault> {
        let nowhere = || NetFault::Redirected {
            host: url.host_str().unwrap_or_default().to_owned(),
        };
        let there = url.join(place).ok().filter(|_| !place.is_empty());
        let there = there.ok_or_else(nowhere)?;
        let host = there.host_str().ok_or_else(nowhere)?;
        let is_theirs = is_within(host, &self.host)
            || self
                .known
                .is_some_and(|known| is_within(host, known.within));
        if there.origin() == url.origin() || (there.scheme() == "https" && is_theirs) {
            return Ok(there);
        }
        Err(field(
            SERVER,
            &format!("The server points to another one, {host}, which did not get your password."),
            "If that server is yours, enter its address.",
        ))
    }
}

/// Returns the person's mail address if they typed one as their address, server or user name.
fn typed_address(access: &Access) -> Option<&str> {
    [ADDRESS, SERVER, USER].into_iter().find_map(|name| {
        let typed = access.setting(name)?;
        (typed.contains('@') && !typed.contains('/')).then_some(typed)
    })
}

/// Returns the server address as typed, or the domain of a mail address typed in its place.
pub(super) fn server(access: &Access) -> Result<Url, SetUpFault> {
    let hint =
        "It looks like cloud.example.org, https://cloud.example.org/dav/ or kim@example.org.";
    let typed = access
        .setting(SERVER)
        .ok_or_else(|| field(SERVER, "The address of the server is missing.", hint))?;
    let typed = match typed.rsplit_once('@') {
        Some((_, domain)) if !typed.contains('/') => domain,
        _ => typed,
    };
    let typed = if typed.contains("://") {
        typed.to_owned()
    } else {
        format!("https://{typed}")
    };
    let url = Url::parse(&typed).ok().filter(|url| url.host().is_some());
    let mut url = url.ok_or_else(|| field(SERVER, "This is not the address of a server.", hint))?;
    let has_secret = !url.username().is_empty() || url.password().is_some();
    url.set_query(None);
    url.set_fragment(None);
    match url.scheme() {
        _ if has_secret => Err(field(
            SERVER,
            "The address contains a name or password.",
            hint,
        )),
        "https" => Ok(url),
        "http" if adjutant_net::reach::is_loopback(&url) => Ok(url),
        "http" => Err(field(
            SERVER,
            "Your password would be sent unencrypted.",
            "Write the address with https://.",
        )),
        _ => Err(field(
            SERVER,
            "This is not the address of a server on the web.",
            hint,
        )),
    }
}

/// Finds the homes of the person who signs in.
pub(super) async fn discover(client: &Client) -> Result<AccountDetails, SetUpFault> {
    let base = server(&client.access)?;
    let asked = Typed {
        host: base.host_str().unwrap_or_default().to_owned(),
        known: known::of(base.host_str().unwrap_or_default()),
        is_domain: base.domain().is_some() && base.port().is_none() && base.path() == "/",
    };
    let calendars = home(client, &asked, &base, &OF_CALENDARS).await;
    let contacts = match &calendars {
        // A server that refused the password once will refuse it again, and may lock the account.
        Err(SetUpFault::Remote(RemoteFault::NotSignedIn { .. })) => {
            return Err(wrong_password(&asked));
        }
        Err(fault) if is_passing(fault) => return Err(fault.clone()),
        _ => home(client, &asked, &base, &OF_CONTACTS).await,
    };
    if let Err(fault) = &contacts
        && is_passing(fault)
    {
        // An account connected without its contacts would stay that way.
        return Err(fault.clone());
    }
    if let (Err(fault), Err(_)) = (&calendars, &contacts) {
        return Err(fault.clone());
    }
    let user = client.access.setting(USER).unwrap_or_default();
    let mut addresses: Vec<String> = typed_address(&client.access)
        .map(str::to_owned)
        .into_iter()
        .collect();
    let mut kept = BTreeMap::from([
        (
            SERVER.to_owned(),
            client.access.setting(SERVER).unwrap_or_default().to_owned(),
        ),
        (USER.to_owned(), user.to_owned()),
        (
            ADDRESS.to_owned(),
            client
                .access
                .setting(ADDRESS)
                .unwrap_or_default()
                .to_owned(),
        ),
    ]);
    let trusted = client.access.setting(CERTIFICATE).map(str::to_owned);
    kept.extend(trusted.map(|trusted| (CERTIFICATE.to_owned(), trusted)));
    if let Ok(home) = calendars {
        for address in home.addresses {
            let known = addresses
                .iter()
                .any(|one| one.eq_ignore_ascii_case(&address));
            if !known && addresses.len() < ADDRESSES_MAX {
                addresses.push(address);
            }
        }
        if schedules(client, &home.url).await? {
            kept.insert(SCHEDULES.to_owned(), "yes".to_owned());
        }
        let outbox = home.outbox.map(|url| url.to_string());
        kept.extend(outbox.map(|url| (OUTBOX.to_owned(), url)));
        kept.insert(CALENDARS.to_owned(), home.url.to_string());
    }
    if let Ok(home) = contacts {
        kept.insert(CONTACTS.to_owned(), home.url.to_string());
    }
    kept.insert(ADDRESSES.to_owned(), addresses.join(" "));
    let label = match addresses.first() {
        Some(address) => address.clone(),
        None => format!("{user} at {}", asked.host),
    };
    Ok(AccountDetails {
        label,
        addresses,
        settings: kept,
    })
}

/// Tells whether the fault is temporary and says nothing about what the server offers; a later attempt may succeed.
fn is_passing(fault: &SetUpFault) -> bool {
    use RemoteFault::{Limited, TimedOut, Unreachable};
    matches!(
        fault,
        SetUpFault::Net(_) | SetUpFault::Remote(Limited { .. } | TimedOut | Unreachable)
    )
}

fn wrong_password(asked: &Typed) -> SetUpFault {
    let advice = asked.known.map_or("", |known| known.advice);
    let usual = "Check both; many providers want an app password here.";
    field(
        PASSWORD,
        "The server does not accept the user name or password.",
        if advice.is_empty() { usual } else { advice },
    )
}

/// Tells whether the server sends invitations itself (RFC 6638).
async fn schedules(client: &Client, home: &Url) -> Result<bool, SetUpFault> {
    let reply = client.send("OPTIONS", home, &[], None).await?;
    let offered = reply.header("dav").unwrap_or_default();
    let mut all = offered.split(',').map(str::trim);
    Ok(reply.status.is_success() && all.any(|one| one == "calendar-auto-schedule"))
}

/// Finds the home of one family: near what was typed, and otherwise where the name servers of the domain say.
async fn home(
    client: &Client,
    asked: &Typed,
    base: &Url,
    family: &Family,
) -> Result<Home, SetUpFault> {
    let fault = match home_near(client, asked, base, family).await {
        Err(fault) if asked.is_domain && asked.known.is_none() => fault,
        found => return found,
    };
    if matches!(fault, SetUpFault::Remote(RemoteFault::NotSignedIn { .. })) {
        return Err(fault);
    }
    match named(client, asked, base, family).await {
        None => Err(fault),
        Some(place) => home_from(client, asked, &place?, family).await,
    }
}

/// Returns where the name servers of the domain say that a family is (RFC 6764).
async fn named(
    client: &Client,
    asked: &Typed,
    base: &Url,
    family: &Family,
) -> Option<Result<Url, SetUpFault>> {
    const WHY: &str = "finding the server of a calendar account";
    let net = &client.access.net;
    let servers = net.servers_of(family.service, &asked.host, WHY).await;
    let ServiceHost { host, port } = servers.into_iter().next()?;
    let path = net.path_of(family.service, &asked.host, WHY).await;
    let path = path.unwrap_or_else(|| family.well_known.to_owned());
    Some(asked.next(base, &format!("https://{host}:{port}{path}")))
}

/// Finds the home of one family. Tries in order: the known address of the provider, the typed address, the well-known
/// path and the Nextcloud path.
async fn home_near(
    client: &Client,
    asked: &Typed,
    base: &Url,
    family: &Family,
) -> Result<Home, SetUpFault> {
    let known = asked.known.map(|known| match family.space {
        CALDAV => known.calendars,
        _ => known.contacts,
    });
    let mut below = base.clone();
    if !below.path().ends_with('/') {
        below.set_path(&format!("{}/", base.path()));
    }
    let places = [
        known.and_then(|address| Url::parse(address).ok()),
        Some(base.clone()),
        base.join(family.well_known).ok(),
        below.join(NEXTCLOUD).ok(),
    ];
    let mut first = None;
    for place in places.into_iter().flatten() {
        let found = home_from(client, asked, &place, family).await;
        match found {
            Ok(home) => return Ok(home),
            Err(fault @ SetUpFault::Remote(RemoteFault::NotSignedIn { .. })) => return Err(fault),
            Err(fault) if is_passing(&fault) => return Err(fault),
            // A fault about where the server leads is more useful than one saying that nothing is here.
            Err(fault @ SetUpFault::Field { .. }) => first = Some(fault),
            Err(fault) => first = first.or(Some(fault)),
        }
    }
    Err(first.unwrap_or_else(nothing))
}

fn nothing() -> SetUpFault {
    field(
        SERVER,
        "No calendars or contacts were found at this address.",
        "Copy the CalDAV address from the settings of your calendar on the web.",
    )
}

async fn home_from(
    client: &Client,
    asked: &Typed,
    from: &Url,
    family: &Family,
) -> Result<Home, SetUpFault> {
    let mut url = from.clone();
    for _ in 0..STEPS_MAX {
        let wanted = body("D:propfind", &format!("<D:prop>{}</D:prop>", family.wanted));
        let asking = client.ask("PROPFIND", &url, Depth::Itself, wanted).await;
        let reply = asking.map_err(|fault| unasked(client, &url, fault))?;
        match reply.code() {
            207 => {}
            301 | 302 | 303 | 307 | 308 => {
                let place = reply.header("location").unwrap_or_default();
                url = asked.next(&url, place)?;
                continue;
            }
            404 | 405 | 501 => return Err(nothing()),
            _ if reply.is_page() && reply.status.is_success() => return Err(page(&url)),
            _ => return Err(client.refused(&reply).into()),
        }
        let root = tree(&reply)?;
        let resources = Resource::all(&root);
        let property =
            |space: &str, name: &str| resources.iter().find_map(|one| one.property(space, name));
        let href = |space: &str, name: &str| property(space, name)?.text_of(DAV, "href");
        if let Some(home) = href(family.space, family.home) {
            let outbox = href(CALDAV, "schedule-outbox-URL");
            let home = asked.next(&url, home)?;
            return Ok(Home {
                outbox: outbox
                    .and_then(|outbox| asked.next(&url, outbox).ok())
                    .filter(|outbox| outbox.origin() == home.origin()),
                url: home,
                addresses: property(CALDAV, "calendar-user-address-set")
                    .map_or_else(Vec::new, mails),
            });
        }
        let principal = href(DAV, "current-user-principal").ok_or_else(nothing)?;
        let principal = asked.next(&url, principal)?;
        if principal == url {
            return Err(nothing());
        }
        url = principal;
    }
    Err(nothing())
}

/// Returns the fault of a question without an answer. The person can trust a certificate only of the server they named.
fn unasked(client: &Client, url: &Url, fault: NetFault) -> SetUpFault {
    match &fault {
        NetFault::Untrusted { .. } if !client.is_at_server(url) => field(
            SERVER,
            &format!("The server points to another one: {fault}."),
            &format!(
                "Your password was not sent there. If that server is yours, enter its address, {}, and trust its certificate then.",
                url.origin().ascii_serialization()
            ),
        ),
        _ => fault.into(),
    }
}

fn tree(reply: &Reply) -> Result<Node, SetUpFault> {
    if reply.is_page() {
        return Err(nothing());
    }
    Ok(reply.tree()?)
}

/// Returns the fault for an HTML reply: a captive portal, or a website where a DAV server was expected.
fn page(url: &Url) -> SetUpFault {
    let host = url.host_str().unwrap_or_default();
    field(
        SERVER,
        &format!("A web page answered for {host}, not a calendar server."),
        "If your network wants you to sign in first, do that in a browser; otherwise check the address.",
    )
}

/// Returns the mail addresses among a person's calendar user addresses.
fn mails(set: &Node) -> Vec<String> {
    let hrefs = set.all(DAV, "href").map(|one| one.text.trim());
    let mails = hrefs.filter_map(|href| {
        let (scheme, address) = href.split_once(':')?;
        let is_one = scheme.eq_ignore_ascii_case("mailto")
            && address.contains('@')
            && address.len() <= 320
            && !address.chars().any(|c| c.is_whitespace() || c.is_control());
        is_one.then(|| address.to_owned())
    });
    mails.take(ADDRESSES_MAX).collect()
}
