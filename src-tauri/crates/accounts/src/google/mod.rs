//! Google: calendars, mail, tasks and contacts through its REST APIs, with one sign-in in the browser.
//!
//! [`client`] makes every request. [`calendar`], [`tasks`] and the modules for mail and contacts decide what to request
//! and interpret the replies. A change sends only the changed fields; the others keep their values at Google.

mod calendar;
mod client;
mod fault;
mod gmail;
mod hosts;
mod list;
mod once;
mod people;
mod scopes;
mod tasks;

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::{Backends, CalendarBackend, TaskBackend};
use async_trait::async_trait;
use secrecy::SecretString;
use serde::Deserialize;

use crate::oauth::{self, Lasting, Question, Tokens};
use crate::operation_log::OperationLog;
use crate::provider::{
    Access, AccountDetails, BrowserSignIn, Field, Form, Kind, Provider, SetUpFault, SignedIn,
    SignsIn,
};
use calendar::Calendars;
use client::{Ask, Client};
use hosts::{Api, Hosts};
use scopes::{Allowed, CHOICE, Family, GRANTED};
use tasks::TaskLists;

const CLIENT_ID: &str = "client_id";
const CLIENT_SECRET: &str = "client_secret";
/// App setting with the client id for all accounts.
const CLIENT_ID_OF_APP: &str = "google.client_id";
/// Name of the secret that holds the refresh token.
const REFRESH_TOKEN: &str = "refresh_token";
/// Setting with the person's address at Google.
const EMAIL: &str = "email";
/// Setting with Google's id of the person, which stays the same when the address changes.
const SUBJECT: &str = "subject";
/// Setting with the families for which Google granted less than was requested.
const MISSING: &str = "missing";

/// The client id built into the program, if any.
const BUILT_IN: Option<(&str, Option<&str>)> = match option_env!("ADJUTANT_GOOGLE_CLIENT_ID") {
    Some(id) => Some((id, option_env!("ADJUTANT_GOOGLE_CLIENT_SECRET"))),
    None => None,
};

const KIND: Kind = Kind {
    name: "google",
    label: "Google",
    noun: "Google account",
    about: "Calendar, mail, tasks and contacts of a Google account.",
    signs_in: SignsIn::Browser,
    access_page: Some("https://myaccount.google.com/connections"),
    fields: &[
        family("calendar", "Calendar"),
        family("mail", "Mail"),
        family("tasks", "Tasks"),
        family("contacts", "Contacts"),
        Field {
            name: CLIENT_ID,
            label: "Your own client ID",
            hint: "Of an OAuth client for desktop apps, from the Google Cloud console. Needed if Adjutant has none built in.",
            form: Form::Text,
            required: false,
        },
        Field {
            name: CLIENT_SECRET,
            label: "Its client secret",
            hint: "",
            form: Form::Password,
            required: false,
        },
    ],
};

const fn family(name: &'static str, label: &'static str) -> Field {
    Field {
        name,
        label,
        hint: "",
        form: CHOICE,
        required: false,
    }
}

/// The provider for Google accounts.
pub struct Google;

#[async_trait]
impl Provider for Google {
    fn kind(&self) -> &'static Kind {
        &KIND
    }

    async fn begin_sign_in(&self, typed: Access) -> Result<BrowserSignIn, SetUpFault> {
        let hosts = Hosts::of(&typed)?;
        let scopes = scopes::wanted(&typed);
        let mut extra = vec![
            // Request a refresh token even if the person granted access before.
            ("access_type", "offline".to_owned()),
            ("prompt", "consent".to_owned()),
        ];
        let hint = typed.setting(EMAIL).map(str::to_owned);
        extra.extend(hint.map(|email| ("login_hint", email)));
        let question = Question {
            client: program(&typed)?,
            endpoints: hosts.endpoints(&typed.net).await?.clone(),
            scopes,
            extra,
            resource: None,
            provider: KIND.label.to_owned(),
            account: typed.account.clone(),
            net: typed.net.clone(),
            now: typed.clock.now().timestamp(),
        };
        let door = oauth::Door::open().await.map_err(|_| oauth::no_port())?;
        let (address, answer) = oauth::begin(door, question)?;
        let done = Box::pin(async move {
            let allowed = answer.await?;
            let refresh = allowed.lasting()?;
            let granted = allowed.scopes.unwrap_or_default().join(" ");
            Ok(SignedIn {
                settings: BTreeMap::from([(GRANTED.to_owned(), granted)]),
                secrets: BTreeMap::from([(REFRESH_TOKEN.to_owned(), refresh)]),
            })
        });
        Ok(BrowserSignIn { address, done })
    }

    async fn set_up(&self, typed: Access) -> Result<AccountDetails, SetUpFault> {
        let client = client(&typed)?;
        if Family::ALL
            .iter()
            .all(|one| one.allowed(&typed) == Allowed::Nothing)
        {
            return Err(field(
                "sign_in",
                "You allowed nothing that Adjutant could read.",
                "Sign in again, and allow at least one of the things Google lists.",
            ));
        }
        client.sign_in().await?;
        let person =
            client.json::<Person>(Ask::get(Api::Person, ["userinfo"], "asking who signed in"));
        let person = person.await.map_err(client::Failed::fault)?;
        let subject = person
            .id
            .or(person.sub)
            .unwrap_or_else(|| person.email.clone());
        if let Some(known) = typed.setting(SUBJECT)
            && known != subject
        {
            let what = format!(
                "You signed in as {}, which is a different account.",
                person.email
            );
            return Err(field(
                "sign_in",
                &what,
                "Choose this account in the browser, or connect the other one as well.",
            ));
        }
        Ok(AccountDetails {
            label: person.email.clone(),
            addresses: vec![person.email.clone()],
            settings: kept(&typed, &person.email, &subject),
        })
    }

    fn identity(&self, access: &Access) -> Option<String> {
        access.setting(EMAIL).map(str::to_lowercase)
    }

    async fn sign_out(&self, access: Access) -> Result<(), SetUpFault> {
        let Some(token) = access.secrets.get(REFRESH_TOKEN) else {
            return Ok(());
        };
        let hosts = Hosts::of(&access)?;
        let endpoints = hosts.endpoints(&access.net).await?;
        let now = access.clock.now().timestamp();
        Ok(oauth::revoke((None, endpoints), &access.net, token, now).await?)
    }

    fn connect(&self, access: Access) -> Result<Backends, SetUpFault> {
        let client = Arc::new(client(&access)?);
        let own = access.setting(EMAIL).unwrap_or_default().to_owned();
        let calendar = Family::Calendar.allowed(&access);
        let tasks = Family::Tasks.allowed(&access);
        Ok(Backends {
            mail: gmail::backend(&client, &access),
            contacts: people::backend(&client, &access),
            calendar: (calendar > Allowed::Nothing).then(|| {
                Arc::new(Calendars {
                    client: Arc::clone(&client),
                    own,
                    may_change: calendar == Allowed::Change,
                    clock: Arc::clone(&access.clock),
                    entropy: Arc::clone(&access.entropy),
                }) as Arc<dyn CalendarBackend>
            }),
            tasks: (tasks > Allowed::Nothing).then(|| {
                Arc::new(TaskLists {
                    client,
                    may_change: tasks == Allowed::Change,
                    clock: Arc::clone(&access.clock),
                    entropy: Arc::clone(&access.entropy),
                }) as Arc<dyn TaskBackend>
            }),
        })
    }
}

/// The profile of the person who signed in.
#[derive(Deserialize)]
struct Person {
    email: String,
    id: Option<String>,
    sub: Option<String>,
}

/// Returns the settings to keep for an account.
fn kept(typed: &Access, email: &str, subject: &str) -> BTreeMap<String, String> {
    let chosen = Family::ALL.map(Family::field);
    let typed_in = chosen.into_iter().chain([CLIENT_ID, GRANTED]);
    let mut settings: BTreeMap<String, String> = typed_in
        .filter_map(|name| Some((name.to_owned(), typed.setting(name)?.to_owned())))
        .collect();
    settings.insert(EMAIL.to_owned(), email.to_owned());
    settings.insert(SUBJECT.to_owned(), subject.to_owned());
    let missing = scopes::missing(typed).join(", ");
    if !missing.is_empty() {
        settings.insert(MISSING.to_owned(), missing);
    }
    settings
}

/// Returns the OAuth client to use: the person's own, the one in the app's settings, or the built-in one.
fn program(access: &Access) -> Result<oauth::Client, SetUpFault> {
    let own = access
        .setting(CLIENT_ID)
        .or(access.setting(CLIENT_ID_OF_APP));
    let secret = access.secrets.get(CLIENT_SECRET).cloned();
    let built_in = BUILT_IN.map(|(id, secret)| (id, secret.map(SecretString::from)));
    match (own, built_in) {
        (Some(id), _) => Ok(oauth::Client {
            id: id.to_owned(),
            secret,
        }),
        (None, Some((id, secret))) => Ok(oauth::Client {
            id: id.to_owned(),
            secret,
        }),
        (None, None) => Err(field(
            CLIENT_ID,
            "Adjutant has no client ID of its own at Google.",
            "Make one in the Google Cloud console (Credentials, OAuth client ID, Desktop app), and enter it here with its secret.",
        )),
    }
}

fn client(access: &Access) -> Result<Client, SetUpFault> {
    let refresh = access.secrets.get(REFRESH_TOKEN);
    let refresh = refresh.ok_or_else(|| RemoteFault::not_signed_in(access.account.clone()))?;
    let lasting = Lasting {
        account: access.account.clone(),
        field: REFRESH_TOKEN,
        token: refresh.clone(),
        keeper: access.keeper.clone(),
    };
    Ok(Client {
        account: access.account.clone(),
        net: access.net.clone(),
        hosts: Hosts::of(access)?,
        tokens: Tokens::new(program(access)?, lasting),
        asked: OperationLog::default(),
        clock: Arc::clone(&access.clock),
    })
}

fn field(field: &'static str, what: &str, hint: &str) -> SetUpFault {
    SetUpFault::Field {
        field,
        what: what.to_owned(),
        hint: hint.to_owned(),
    }
}
