//! What the person is told when a mail account cannot be connected. An account has two servers, so every fault says of
//! which of them it is.

use adjutant_domain::faults::sentence;
use adjutant_domain::operation::{RemoteFault, SignedOut};
use adjutant_net::NetFault;

use super::server::Protocol;
use super::setup::advice;
use super::{PASSWORD, READING, field};
use crate::provider::SetUpFault;

/// How the servers are entered on the command line.
pub(super) const ENTERING: &str =
    "`adjutant accounts add imap --set server=imap.example.org --set sending=smtp.example.org`";

/// A fault of one of the two servers.
pub(super) struct OfServer {
    pub(super) at: Protocol,
    pub(super) fault: SetUpFault,
}

/// Returns the fault with the part of its server.
pub(super) fn named(fault: SetUpFault, at: Protocol) -> SetUpFault {
    let part = at.part();
    let said = |what: String| format!("{part}: {what}");
    match fault {
        SetUpFault::Net(fault) => fault.with_part(part).into(),
        SetUpFault::Remote(RemoteFault::Refused { what }) => {
            RemoteFault::Refused { what: said(what) }.into()
        }
        SetUpFault::Remote(RemoteFault::Failed { what }) => {
            RemoteFault::Failed { what: said(what) }.into()
        }
        SetUpFault::Remote(RemoteFault::Untrusted {
            host,
            why,
            fingerprint,
        }) => RemoteFault::Untrusted {
            host: format!("the {part} ({host})"),
            why,
            fingerprint,
        }
        .into(),
        other => other,
    }
}

/// Returns the fault of servers that were only guessed from the address: the person may know the right ones.
pub(super) fn of_guess(fault: SetUpFault, address: &str) -> SetUpFault {
    match fault {
        SetUpFault::Net(
            NetFault::Unreachable { .. }
            | NetFault::NotListening { .. }
            | NetFault::TimedOut { .. }
            | NetFault::Cut { .. }
            | NetFault::NotPublic { .. },
        ) => field(
            READING,
            &sentence(&format!("no mail server was found for {address}: {fault}")),
            &format!(
                "Nothing was saved. Check the address and your connection, or enter the servers for reading and for sending ({ENTERING})."
            ),
        ),
        other => other,
    }
}

/// Returns the fault of a server that does not accept the password.
pub(super) fn wrong_password(address: &str, at: Protocol, why: SignedOut) -> SetUpFault {
    let part = at.part();
    let (what, next) = match why {
        SignedOut::AppPassword => (
            format!("The {part} accepts only an app password here."),
            "Make one in the security settings of your account there, and enter it.",
        ),
        _ => (
            format!("The {part} does not accept the user name or password."),
            "Check both; many providers want an app password here.",
        ),
    };
    field(PASSWORD, &what, advice(address).unwrap_or(next))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Attempted, problem};

    fn told(fault: &SetUpFault) -> String {
        problem(fault, Attempted::Connecting).what
    }

    #[test]
    fn every_fault_says_of_which_server_it_is() {
        let closed: SetUpFault = NetFault::NotListening {
            host: "localhost".into(),
            port: 11_025,
        }
        .into();
        assert_eq!(
            told(&named(closed, Protocol::Smtp)),
            "The server for sending (localhost) does not accept connections on port 11025."
        );
        let refused = RemoteFault::Refused {
            what: "the mail server did not let you sign in".into(),
        };
        assert_eq!(
            told(&named(refused.into(), Protocol::Imap)),
            "Server for reading: the mail server did not let you sign in."
        );
        for (at, said) in [
            (
                Protocol::Imap,
                "The server for reading does not accept the user name or password.",
            ),
            (
                Protocol::Smtp,
                "The server for sending does not accept the user name or password.",
            ),
        ] {
            let fault = wrong_password("kim@example.org", at, SignedOut::Unsaid);
            assert_eq!(told(&fault), said);
        }
    }

    #[test]
    fn a_guess_that_fails_says_how_to_enter_the_servers() {
        let fault = NetFault::Unreachable {
            host: "mail.example.org".into(),
            why: "there is no server with this name".into(),
        };
        let guess = of_guess(named(fault.into(), Protocol::Imap), "kim@example.org");
        let SetUpFault::Field { field, what, hint } = guess else {
            panic!("{guess}");
        };
        assert_eq!(
            (field, what.as_str()),
            (
                "server",
                "No mail server was found for kim@example.org: the server for reading (mail.example.org) could not be reached: there is no server with this name."
            )
        );
        assert!(
            hint.contains("--set server=") && hint.contains("--set sending="),
            "{hint}"
        );
        // Which certificate to trust, or that Adjutant is offline, has advice of its own.
        let offline: SetUpFault = NetFault::Offline { host: "x".into() }.into();
        assert_eq!(of_guess(offline.clone(), "kim@example.org"), offline);
    }
}
