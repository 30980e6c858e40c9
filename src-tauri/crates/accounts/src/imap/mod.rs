//! Mail accounts: IMAP for reading and filing, SMTP for sending.
//!
//! Adjutant implements these protocols itself for two reasons. First, servers are untrusted: every reply is checked
//! against limits on size, depth and count before it is interpreted. Second, an effect must know whether it may have
//! been carried out when a connection breaks, so queries and changes are kept apart.

mod auth;
mod backend;
mod cursor;
mod drafts;
mod faults;
mod file;
mod head;
mod mailboxes;
mod names;
mod news;
mod place;
mod pull;
mod reply;
mod send;
mod server;
mod session;
mod setup;
mod smtp;
mod uids;
mod value;
mod wire;

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant_domain::operation::{RemoteFault, SignedOut};
use adjutant_domain::ports::Backends;
use adjutant_net::AddressFrom;
use async_trait::async_trait;
use tokio::sync::Mutex;

use crate::certificate::{self, CERTIFICATE};
use crate::provider::{Access, AccountDetails, Field, Form, Kind, Provider, SetUpFault, SignsIn};
use auth::{Login, Proof};
use backend::MailAccount;
use head::World;
use server::{Protocol, Server};
pub use session::Patience;
use setup::{Found, Proposal};

const ADDRESS: &str = "address";
const PASSWORD: &str = "password";
/// Name of the secret with an OAuth token, used instead of a password.
const TOKEN: &str = "token";
const READING: &str = "server";
const SENDING: &str = "sending";
const USER: &str = "user";
/// Name of the setting that is set if the server itself stores a copy of sent mail.
const SERVER_FILES: &str = "server_files";
/// Number of servers of an account.
const SERVERS: usize = 2;
/// Name of the setting that is set if the servers were discovered rather than typed.
const FOUND: &str = "found";

const KIND: Kind = Kind {
    name: "imap",
    label: "Mail (IMAP and SMTP)",
    noun: "mail account",
    about: "Read, file and send mail at any provider.",
    signs_in: SignsIn::Here,
    access_page: None,
    fields: &[
        Field {
            name: ADDRESS,
            label: "Mail address",
            hint: "",
            form: Form::Text,
            required: true,
        },
        Field {
            name: PASSWORD,
            label: "Password",
            hint: "Many providers want an app password here, made in the security settings of your account.",
            form: Form::Password,
            required: true,
        },
        Field {
            name: USER,
            label: "User name",
            hint: "Only if it differs from the mail address.",
            form: Form::Text,
            required: false,
        },
        Field {
            name: READING,
            label: "Server for reading",
            hint: "Leave this empty to find it from the address. Example: imap.example.org, or imap://mail.example.org:143 for STARTTLS.",
            form: Form::Text,
            required: false,
        },
        Field {
            name: SENDING,
            label: "Server for sending",
            hint: "Leave this empty to find it from the address. Example: smtp.example.org, or smtp://mail.example.org:587 for STARTTLS.",
            form: Form::Text,
            required: false,
        },
        Field {
            name: SERVER_FILES,
            label: "The server keeps sent mail",
            hint: "Turn this on if the server itself keeps a copy of what you send in the sent mailbox.",
            form: Form::Tick,
            required: false,
        },
        certificate::field_with(
            "Only for a server of your own that no authority vouches for: the SHA-256 fingerprint of its certificate. If the servers have different ones, enter both with a space between them.",
        ),
    ],
};

/// The provider for mail over IMAP and SMTP.
#[derive(Clone, Copy, Debug)]
pub struct Imap {
    /// The time limits for servers.
    pub patience: Patience,
}

impl Imap {
    /// The provider with the usual time limits.
    pub const USUAL: Self = Self {
        patience: Patience::USUAL,
    };
}

#[async_trait]
impl Provider for Imap {
    fn kind(&self) -> &'static Kind {
        &KIND
    }

    async fn set_up(&self, typed: Access) -> Result<AccountDetails, SetUpFault> {
        let address = address(&typed)?;
        let mut last = None;
        let Found {
            proposals,
            elsewhere,
        } = found(&typed, &address).await?;
        for proposal in proposals {
            let settings = settings(&typed, &address, &proposal);
            let access = Access {
                settings: settings.clone(),
                ..typed.clone()
            };
            match look(account(&access, self.patience)?).await {
                Ok(()) => {
                    return Ok(AccountDetails {
                        label: address.clone(),
                        addresses: vec![address],
                        settings,
                    });
                }
                Err(faults::OfServer { at, fault }) => match fault {
                    SetUpFault::Remote(RemoteFault::NotSignedIn {
                        why: why @ (SignedOut::Unsaid | SignedOut::AppPassword),
                        ..
                    }) => return Err(faults::wrong_password(&address, at, why)),
                    SetUpFault::Remote(RemoteFault::NotSignedIn { .. }) => return Err(fault),
                    fault => last = Some(faults::named(fault, at)),
                },
            }
        }
        if let Some(host) = elsewhere {
            return Err(field(
                READING,
                &format!(
                    "Mail of this address is said to be at {host}, which did not get your password because nothing proves that."
                ),
                &format!(
                    "If that is your provider's server, enter it, and the one for sending ({}).",
                    faults::ENTERING
                ),
            ));
        }
        let is_guessed = typed.setting(READING).is_none() && typed.setting(SENDING).is_none();
        let last = last.map(|fault| match is_guessed {
            true => faults::of_guess(fault, &address),
            false => fault,
        });
        Err(last.unwrap_or_else(|| {
            field(
                ADDRESS,
                "That is not a mail address.",
                "It looks like kim@example.org.",
            )
        }))
    }

    fn identity(&self, access: &Access) -> Option<String> {
        let (server, user) = (access.setting(READING)?, access.setting(USER)?);
        Some(format!("{user} {server}").to_lowercase())
    }

    fn connect(&self, access: Access) -> Result<Backends, SetUpFault> {
        Ok(Backends {
            mail: Some(Arc::new(account(&access, self.patience)?)),
            ..Backends::default()
        })
    }
}

/// Checks that both servers work. Reports connection problems as network faults.
async fn look(account: MailAccount) -> Result<(), faults::OfServer> {
    let both = [
        (Protocol::Imap, &account.reading),
        (Protocol::Smtp, &account.sending),
    ];
    for (at, server) in both {
        let mut dial = server.dial("connecting a mail account", account.from, &account.trusted);
        dial.within = account.patience.open;
        let opened = account.net.open(dial).await;
        opened.map(drop).map_err(|fault| faults::OfServer {
            at,
            fault: fault.into(),
        })?;
    }
    for (at, _) in both {
        let signed_in = account.try_out(at).await;
        signed_in.map_err(|fault| faults::OfServer {
            at,
            fault: fault.into(),
        })?;
    }
    Ok(())
}

/// Returns the servers to try: those typed, or the proposals for the address.
async fn found(typed: &Access, address: &str) -> Result<Found, SetUpFault> {
    let user = typed.setting(USER);
    let is_found = typed.is_set(FOUND);
    let mut found = match (
        server(typed, Protocol::Imap)?,
        server(typed, Protocol::Smtp)?,
    ) {
        (Some(reading), Some(sending)) => Found::of(Proposal {
            reading,
            sending,
            user: address.to_owned(),
            from: if is_found {
                AddressFrom::Outside
            } else {
                AddressFrom::Person
            },
            server_files: typed.is_set(SERVER_FILES),
        }),
        (Some(_), None) => {
            return Err(field(
                SENDING,
                "The server for sending is missing.",
                "Enter both servers, or neither.",
            ));
        }
        (None, Some(_)) => {
            return Err(field(
                READING,
                "The server for reading is missing.",
                "Enter both servers, or neither.",
            ));
        }
        (None, None) => setup::find(&typed.net, address).await,
    };
    for proposal in &mut found.proposals {
        if let Some(user) = user {
            proposal.user = user.to_owned();
        }
        proposal.server_files |= typed.is_set(SERVER_FILES);
    }
    Ok(found)
}

/// Returns the settings to keep for an account.
fn settings(typed: &Access, address: &str, proposal: &Proposal) -> BTreeMap<String, String> {
    let yes = |set: bool| if set { "yes" } else { "" }.to_owned();
    BTreeMap::from([
        (ADDRESS.to_owned(), address.to_owned()),
        (
            CERTIFICATE.to_owned(),
            typed.setting(CERTIFICATE).unwrap_or_default().to_owned(),
        ),
        (USER.to_owned(), proposal.user.clone()),
        (READING.to_owned(), proposal.reading.written(Protocol::Imap)),
        (SENDING.to_owned(), proposal.sending.written(Protocol::Smtp)),
        (SERVER_FILES.to_owned(), yes(proposal.server_files)),
        (FOUND.to_owned(), yes(proposal.from == AddressFrom::Outside)),
    ])
}

/// Builds an account that is ready for use.
fn account(access: &Access, patience: Patience) -> Result<MailAccount, SetUpFault> {
    let address = address(access)?;
    let missing = |name| field(name, "The server is missing.", "Connect the account again.");
    let proof = match (access.secrets.get(TOKEN), access.secrets.get(PASSWORD)) {
        (Some(token), _) => Proof::Token(token.clone()),
        (None, Some(password)) => Proof::Password(password.clone()),
        (None, None) => return Err(field(PASSWORD, "The password is missing.", "Enter it.")),
    };
    let is_found = access.is_set(FOUND);
    Ok(MailAccount {
        account: access.account.clone(),
        net: access.net.clone(),
        reading: server(access, Protocol::Imap)?.ok_or_else(|| missing(READING))?,
        sending: server(access, Protocol::Smtp)?.ok_or_else(|| missing(SENDING))?,
        from: if is_found {
            AddressFrom::Outside
        } else {
            AddressFrom::Person
        },
        trusted: certificate::trusted(access, SERVERS)?,
        login: Login {
            user: access.setting(USER).unwrap_or(&address).to_owned(),
            proof,
        },
        server_files: access.is_set(SERVER_FILES),
        patience,
        world: World {
            clock: Arc::clone(&access.clock),
            entropy: Arc::clone(&access.entropy),
        },
        idle: Mutex::default(),
        listening: Mutex::default(),
        drafts: <_>::default(),
    })
}

fn address(access: &Access) -> Result<String, SetUpFault> {
    let address = access.setting(ADDRESS).unwrap_or_default();
    let is_one = address.rsplit_once('@').is_some_and(|(local, domain)| {
        let named = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-');
        !local.is_empty() && !domain.is_empty() && domain.chars().all(named)
    });
    let is_safe =
        address.len() <= 320 && !address.chars().any(|c| c.is_control() || c.is_whitespace());
    match is_one && is_safe {
        true => Ok(address.to_owned()),
        false => Err(field(
            ADDRESS,
            "That is not a mail address.",
            "It looks like kim@example.org.",
        )),
    }
}

fn server(access: &Access, protocol: Protocol) -> Result<Option<Server>, SetUpFault> {
    let name = match protocol {
        Protocol::Imap => READING,
        Protocol::Smtp => SENDING,
    };
    let Some(text) = access.setting(name) else {
        return Ok(None);
    };
    let read = Server::parse(protocol, text);
    let fault = || {
        field(
            name,
            "That is not the name of a server.",
            "It looks like mail.example.org, or mail.example.org:993.",
        )
    };
    read.map(Some).ok_or_else(fault)
}

fn field(field: &'static str, what: &str, hint: &str) -> SetUpFault {
    SetUpFault::Field {
        field,
        what: what.into(),
        hint: hint.into(),
    }
}
