//! How far a request may go. Two kinds of client exist: one that reaches this machine only, and one for the world that
//! is not even built when Adjutant is offline. Names, addresses and redirects are judged here and nowhere else.

use std::cell::Cell;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::{Action, Attempt, Policy};
use url::{Host, Url};

use crate::exchange::Follow;

/// Redirects followed before we give up.
pub(crate) const REDIRECTS_MAX: usize = 5;

tokio::task_local! {
    /// Whether the request that is being sent was led to another place.
    static LED_ON: Cell<bool>;
}

/// Runs what sends a request. Says also whether a reply led it to another place: an error names the first one only.
pub(crate) async fn led_on<F: Future>(sending: F) -> (F::Output, bool) {
    let with = async { (sending.await, LED_ON.with(Cell::get)) };
    LED_ON.scope(Cell::new(false), with).await
}

/// Whether a URL names this machine: a loopback address, or a name that by RFC 6761 never means another one. Other
/// names do not count, wherever they happen to point.
#[must_use]
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => is_own_address(IpAddr::V4(address)),
        Some(Host::Ipv6(address)) => is_own_address(IpAddr::V6(address)),
        Some(Host::Domain(name)) => is_own_name(name),
        None => false,
    }
}

/// `0.0.0.0` and `::` count: servers print them as their address, and the system connects them to itself.
fn is_own_address(address: IpAddr) -> bool {
    let address = address.to_canonical();
    address.is_loopback() || address.is_unspecified()
}

fn is_own_name(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    let last = name.rsplit('.').next().unwrap_or(name);
    last.eq_ignore_ascii_case("localhost")
}

/// The addresses of every name of this machine.
pub(crate) const OWN_ADDRESSES: [IpAddr; 2] = [
    IpAddr::V4(Ipv4Addr::LOCALHOST),
    IpAddr::V6(Ipv6Addr::LOCALHOST),
];

/// Names as the loopback client knows them: `localhost` is this machine, without asking anybody; no other name is looked
/// up, since the question alone would leave.
pub(crate) struct OwnNames;

impl Resolve for OwnNames {
    fn resolve(&self, name: Name) -> Resolving {
        let own = is_own_name(name.as_str());
        Box::pin(async move {
            if !own {
                return Err("this name is not of this machine".into());
            }
            let addresses: Addrs = Box::new(
                OWN_ADDRESSES
                    .into_iter()
                    .map(|address| SocketAddr::from((address, 0))),
            );
            Ok(addresses)
        })
    }
}

/// Redirects of the loopback client: on the same server, or not at all.
pub(crate) fn loopback_redirects(follow: Follow) -> Policy {
    if follow == Follow::Nowhere {
        return Policy::none();
    }
    Policy::custom(|attempt| {
        let stays = is_loopback(attempt.url()) && same_origin(&attempt);
        follow_if(attempt, stays)
    })
}

/// Redirects of the client for the world: on the same server, or not at all. Redirects to other servers are followed one
/// by one ([`crate::NetClient::send`]).
pub(crate) fn world_redirects(follow: Follow) -> Policy {
    if follow == Follow::Nowhere {
        return Policy::none();
    }
    Policy::custom(|attempt| {
        let stays = same_origin(&attempt);
        follow_if(attempt, stays)
    })
}

fn follow_if(attempt: Attempt<'_>, allowed: bool) -> Action {
    if allowed && attempt.previous().len() <= REDIRECTS_MAX {
        // Whoever sends a request waits for it in the same task.
        let _ = LED_ON.try_with(|led_on| led_on.set(true));
        attempt.follow()
    } else {
        attempt.error("the redirect is not followed")
    }
}

fn same_origin(attempt: &Attempt<'_>) -> bool {
    attempt
        .previous()
        .first()
        .is_some_and(|first| first.origin() == attempt.url().origin())
}

/// Host, and port where it is not the scheme's own.
pub(crate) fn exact_host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port()
        .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(url: &str) -> bool {
        is_loopback(&Url::parse(url).unwrap())
    }

    #[test]
    fn this_machine_is_known_by_its_addresses_and_reserved_names() {
        for url in [
            "http://127.0.0.1:11434/v1",
            "http://127.9.9.9/",
            "http://[::1]:8080/",
            "http://[::ffff:127.0.0.1]/",
            "http://0.0.0.0:8000/",
            "http://localhost:1234/",
            "http://LOCALHOST./",
            "http://models.localhost/",
            // The URL parser reads these as 127.0.0.1.
            "http://2130706433/",
            "http://0x7f.1/",
        ] {
            assert!(own(url), "{url}");
        }
    }

    #[test]
    fn names_that_only_look_local_are_the_world() {
        for url in [
            "http://localhost.example.com/",
            "http://notlocalhost/",
            "http://127.0.0.1.nip.io/",
            "http://192.168.1.5:11434/",
            "http://[fe80::1]/",
            "https://api.openai.com/v1",
            "data:text/plain,hello",
        ] {
            assert!(!own(url), "{url}");
        }
    }
}
