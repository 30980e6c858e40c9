//! Limits what a request may reach. There are two kinds of client: one reaches only this machine, and the other, for
//! all other machines, is not even built when Adjutant is offline. The checks of names, addresses and redirects are all
//! here.

use std::cell::Cell;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::{Action, Attempt, Policy};
use url::{Host, Url};

use crate::exchange::Follow;

/// Maximum number of redirects to follow.
pub(crate) const REDIRECTS_MAX: usize = 5;

tokio::task_local! {
    /// Whether the request being sent was redirected.
    static LED_ON: Cell<bool>;
}

/// Runs the future that sends a request, and also returns whether a redirect was followed, because an error names only
/// the first place.
pub(crate) async fn led_on<F: Future>(sending: F) -> (F::Output, bool) {
    let with = async { (sending.await, LED_ON.with(Cell::get)) };
    LED_ON.scope(Cell::new(false), with).await
}

/// Returns whether a URL names this machine: by a loopback address, or by a name that RFC 6761 reserves for it. Other
/// names do not count, even if they resolve to this machine.
#[must_use]
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => is_own_address(IpAddr::V4(address)),
        Some(Host::Ipv6(address)) => is_own_address(IpAddr::V6(address)),
        Some(Host::Domain(name)) => is_own_name(name),
        None => false,
    }
}

/// `0.0.0.0` and `::` count too: servers print them as their address, and the system connects them to itself.
fn is_own_address(address: IpAddr) -> bool {
    let address = address.to_canonical();
    address.is_loopback() || address.is_unspecified()
}

fn is_own_name(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    let last = name.rsplit('.').next().unwrap_or(name);
    last.eq_ignore_ascii_case("localhost")
}

/// Addresses that every name of this machine resolves to.
pub(crate) const OWN_ADDRESSES: [IpAddr; 2] = [
    IpAddr::V4(Ipv4Addr::LOCALHOST),
    IpAddr::V6(Ipv6Addr::LOCALHOST),
];

/// Resolver of the loopback client. It resolves `localhost` names without asking anybody and rejects all others,
/// because even the query would leave this machine.
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

/// Redirect policy of the loopback client: follow within the same server, or not at all.
pub(crate) fn loopback_redirects(follow: Follow) -> Policy {
    if follow == Follow::Nowhere {
        return Policy::none();
    }
    Policy::custom(|attempt| {
        let stays = is_loopback(attempt.url()) && same_origin(&attempt);
        follow_if(attempt, stays)
    })
}

/// Redirect policy of the client for other machines: follow within the same server, or not at all.
/// [`crate::NetClient::send`] follows redirects to other servers one by one.
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
        // The task-local is set here because the sender awaits the request in the same task.
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

/// Returns the host, with the port unless it is the scheme's default.
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
