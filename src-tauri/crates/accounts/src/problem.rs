//! Explains the faults of an account to the person: what happened, and what to do next.

use adjutant_domain::faults::sentence;
use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{RemoteFault, SignedOut};
use adjutant_net::NetFault;

use crate::provider::SetUpFault;

/// A problem with an account, explained to the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What happened, as a sentence.
    pub what: String,
    /// What to do next, as a sentence.
    pub next: String,
}

/// What failed. It decides who tries again: the person, or a job.
#[derive(Clone, Copy, Debug)]
pub enum Attempted<'a> {
    /// Connecting an account. Nothing of it is kept.
    Connecting,
    /// Signing in to this account again. It stays as it was.
    SigningIn(&'a AccountId),
    /// Reading this account, which a job does again.
    Reading(&'a AccountId),
}

impl Attempted<'_> {
    /// Returns how to go on by hand, as the rest of a sentence.
    fn by_hand(self) -> String {
        match self {
            Self::Connecting => "try again".to_owned(),
            Self::SigningIn(id) | Self::Reading(id) => {
                format!("sign in again (`adjutant accounts sign-in {id}`)")
            }
        }
    }

    /// Returns what to check, and who tries again after that.
    fn after(self, check: &str) -> String {
        match self {
            Self::Reading(_) => format!("{check}; Adjutant keeps trying."),
            Self::Connecting => format!("Nothing was saved. {check}, then try again."),
            Self::SigningIn(_) => format!("{check}, then try again."),
        }
    }

    /// Returns how to trust exactly one certificate.
    fn trust(self, fingerprint: &str) -> String {
        let command = match self {
            Self::Connecting => format!("`adjutant accounts add … --trust {fingerprint}`"),
            Self::SigningIn(id) | Self::Reading(id) => {
                format!("`adjutant accounts sign-in {id} --trust {fingerprint}`")
            }
        };
        format!(
            "Nothing was sent. Check the name of the server. If you know this to be its certificate, trust exactly this one: its SHA-256 fingerprint is {fingerprint} ({command})."
        )
    }
}

/// Explains a fault of an account.
#[must_use]
pub fn problem(fault: &SetUpFault, attempted: Attempted<'_>) -> Problem {
    let told = sentence(&fault.to_string());
    let (what, next) = match fault {
        SetUpFault::Field { what, hint, .. } => (what.clone(), hint.clone()),
        SetUpFault::Net(NetFault::Offline { .. }) => (
            "Adjutant was started offline.".to_owned(),
            match attempted {
                Attempted::Reading(_) => "It is read again once Adjutant is online.".to_owned(),
                _ => "Start Adjutant online (without `--offline`), then try again.".to_owned(),
            },
        ),
        SetUpFault::Net(NetFault::Redirected { .. } | NetFault::NotPublic { .. }) => {
            (told, "Check the address.".to_owned())
        }
        SetUpFault::Net(NetFault::TooLarge { .. }) => {
            let check = "Check that the address is the one you mean.";
            let next = match attempted {
                Attempted::Connecting => check.to_owned(),
                _ => format!("{check} What was read before stays."),
            };
            (told, next)
        }
        SetUpFault::Net(NetFault::Untrusted { fingerprint, .. }) => {
            (told, attempted.trust(&fingerprint.to_string()))
        }
        SetUpFault::Net(_) => (
            told,
            attempted.after("Check the address and your connection"),
        ),
        SetUpFault::Remote(fault) => of_remote(fault, attempted),
    };
    Problem { what, next }
}

fn of_remote(fault: &RemoteFault, attempted: Attempted<'_>) -> (String, String) {
    let told = sentence(&fault.to_string());
    match fault {
        RemoteFault::NotSignedIn { why, .. } => of_sign_in(*why, attempted),
        RemoteFault::Gone => (
            "The server has nothing at this address.".to_owned(),
            "Check the address with whoever gave it to you.".to_owned(),
        ),
        RemoteFault::Limited { .. } => (
            "The server is not taking more requests right now.".to_owned(),
            match attempted {
                Attempted::Reading(_) => "You need not do anything; Adjutant tries again later.",
                _ => "Wait a few minutes, then try again.",
            }
            .to_owned(),
        ),
        RemoteFault::Refused { what } | RemoteFault::Failed { what } => (
            sentence(what),
            "Check the address and what the account may do there.".to_owned(),
        ),
        RemoteFault::Untrusted { fingerprint, .. } => (told, attempted.trust(fingerprint)),
        RemoteFault::Unreachable | RemoteFault::TimedOut | RemoteFault::Conflict { .. } => {
            (told, attempted.after("Check your connection"))
        }
    }
}

fn of_sign_in(why: SignedOut, attempted: Attempted<'_>) -> (String, String) {
    let by_hand = attempted.by_hand();
    let (what, next) = match why {
        SignedOut::Unsaid => (
            "The server no longer accepts the sign-in of this account.",
            format!(
                "{} If you used an app password, it may have been withdrawn: make a new one in the security settings of your account there.",
                sentence(&by_hand)
            ),
        ),
        SignedOut::Withdrawn => (
            "The provider says that this sign-in has expired or was withdrawn there.",
            format!("{} What was read before is still here.", sentence(&by_hand)),
        ),
        SignedOut::Disabled => (
            "The provider says that this account is disabled or deleted there.",
            format!(
                "Sign in on the provider's own page to see why. When the account works again, {by_hand}."
            ),
        ),
        SignedOut::AppPassword => (
            "The server accepts only an app password for this account.",
            format!(
                "Make one in the security settings of your account there, then {by_hand} with it."
            ),
        ),
        SignedOut::Barred => (
            "The administrator of this account does not let Adjutant use it.",
            format!("Ask the administrator to allow it, then {by_hand}."),
        ),
    };
    (what.to_owned(), next)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unreachable() -> SetUpFault {
        let (host, why) = (
            "nope.example".into(),
            "there is no server with this name".into(),
        );
        NetFault::Unreachable { host, why }.into()
    }

    #[test]
    fn only_a_reading_is_tried_again_by_itself() {
        let id = AccountId("acc_1".into());
        let limited = || RemoteFault::Limited {
            retry_after_seconds: None,
        };
        for fault in [
            unreachable(),
            RemoteFault::Unreachable.into(),
            RemoteFault::TimedOut.into(),
            limited().into(),
        ] {
            let goes_on = |attempted| {
                let next = problem(&fault, attempted).next;
                next.contains("keeps trying") || next.contains("tries again")
            };
            assert!(goes_on(Attempted::Reading(&id)), "{fault}");
            assert!(!goes_on(Attempted::Connecting), "{fault}");
            assert!(!goes_on(Attempted::SigningIn(&id)), "{fault}");
        }
        let offline = NetFault::Offline { host: "x".into() }.into();
        let told = problem(&offline, Attempted::Connecting);
        assert!(told.next.contains("without `--offline`"), "{told:?}");
    }

    #[test]
    fn names_the_host_and_the_account() {
        let told = problem(&unreachable(), Attempted::Connecting);
        assert_eq!(
            told.what,
            "nope.example could not be reached: there is no server with this name."
        );
        let closed = NetFault::NotListening {
            host: "mail.example".into(),
            port: 993,
        };
        let told = problem(&closed.into(), Attempted::Connecting);
        assert_eq!(
            (told.what.as_str(), told.next.as_str()),
            (
                "mail.example does not accept connections on port 993.",
                "Nothing was saved. Check the address and your connection, then try again."
            )
        );
        let id = AccountId("acc_1".into());
        let out = RemoteFault::not_signed_in(id.clone()).into();
        let told = problem(&out, Attempted::Reading(&id));
        assert!(
            told.next.contains("`adjutant accounts sign-in acc_1`"),
            "{told:?}"
        );
    }

    #[test]
    fn a_certificate_comes_with_its_fingerprint_and_the_command() {
        let id = AccountId("acc_1".into());
        let fault: SetUpFault = RemoteFault::Untrusted {
            host: "nas.example".into(),
            why: "it has signed its certificate itself".into(),
            fingerprint: "AB:CD".into(),
        }
        .into();
        let told = problem(&fault, Attempted::Reading(&id));
        assert!(
            told.next
                .contains("`adjutant accounts sign-in acc_1 --trust AB:CD`"),
            "{told:?}"
        );
        let told = problem(&fault, Attempted::Connecting);
        assert!(told.next.contains("add … --trust AB:CD"), "{told:?}");
    }
}
