//! Calendars, tasks and address books over CalDAV and CardDAV.
//!
//! A resource on the server is one event with all its rows, one task, or one contact. Each record read keeps its
//! source. A change is written into that source line by line (`adjutant_interchange::revise`) and applies only if the
//! resource is still in the state it was seen in.

mod busy;
mod change;
mod client;
mod discover;
mod known;
mod list;
mod ops;
mod pull;
mod resource;
mod rows;
mod xml;

use std::sync::Arc;

use adjutant_domain::account::{Collection, CollectionKind, Cursor};
use adjutant_domain::filter::Window;
use adjutant_domain::operation::{
    Attempt, CalendarOp, ContactOp, Ended, Key, Reconciled, RemoteFault, TaskOp,
};
use adjutant_domain::ports::{
    Backend, Backends, CalendarBackend, ContactBackend, FreeBusy, PullFault, RemoteCollection,
    Sink, TaskBackend,
};
use adjutant_interchange::Seed;
use adjutant_net::Url;
use async_trait::async_trait;

use crate::certificate;
use crate::operation_log::OperationLog;
use crate::provider::{Access, AccountDetails, Field, Form, Kind, Provider, SetUpFault, SignsIn};
use change::Request;
use client::Client;
use list::Listings;
use ops::RequestContext;

/// Name of the field for the server.
const SERVER: &str = "server";
/// Name of the field for the user name.
const USER: &str = "user";
/// Name of the field for the password.
const PASSWORD: &str = "password";
/// Name of the field for the person's mail address, asked for if the server does not report it.
const ADDRESS: &str = "address";
/// Name of the setting that holds the calendar home, if the server has one.
const CALENDARS: &str = "calendars";
/// Name of the setting that holds the address book home.
const CONTACTS: &str = "contacts";
/// Name of the setting that holds the person's mail addresses, separated by spaces.
const ADDRESSES: &str = "addresses";
/// Name of the setting that holds the scheduling outbox, which answers free-busy requests about others.
const OUTBOX: &str = "outbox";
/// Name of the setting that is present if the server sends invitations itself.
const SCHEDULES: &str = "schedules";

const KIND: Kind = Kind {
    name: "caldav",
    label: "Calendar and contacts",
    noun: "calendar account",
    about: "Calendars, tasks and address books over CalDAV and CardDAV: iCloud, Fastmail, Nextcloud, mailbox.org and others.",
    signs_in: SignsIn::Here,
    access_page: None,
    fields: &[
        Field {
            name: SERVER,
            label: "Server or mail address",
            hint: "For example cloud.example.org, or kim@fastmail.com.",
            form: Form::Text,
            required: true,
        },
        Field {
            name: USER,
            label: "User name",
            hint: "Leave this empty if it is the mail address.",
            form: Form::Text,
            required: false,
        },
        Field {
            name: PASSWORD,
            label: "Password",
            hint: "Many providers want an app password here.",
            form: Form::Password,
            required: true,
        },
        Field {
            name: ADDRESS,
            label: "Your mail address",
            hint: "The address people invite you at, if the server does not know it.",
            form: Form::Text,
            required: false,
        },
        certificate::field(),
    ],
};

/// The provider for calendars, tasks and contacts over CalDAV and CardDAV.
pub struct CalDav;

#[async_trait]
impl Provider for CalDav {
    fn kind(&self) -> &'static Kind {
        &KIND
    }

    async fn set_up(&self, mut typed: Access) -> Result<AccountDetails, SetUpFault> {
        discover::server(&typed)?;
        if typed.setting(USER).is_none()
            && let Some(address) = typed.setting(SERVER).filter(|one| one.contains('@'))
        {
            typed.settings.insert(USER.to_owned(), address.to_owned());
        }
        discover::discover(&Client::new(typed)?).await
    }

    fn identity(&self, access: &Access) -> Option<String> {
        let homes = [CALENDARS, CONTACTS].map(|name| access.setting(name).unwrap_or_default());
        let user = access.setting(USER)?.to_lowercase();
        (homes != ["", ""]).then(|| format!("{user} {}", homes.join(" ")))
    }

    fn connect(&self, access: Access) -> Result<Backends, SetUpFault> {
        let home = |name: &str| -> Result<Option<Url>, SetUpFault> {
            let kept = access.setting(name);
            let again = || {
                field(
                    SERVER,
                    "The address of the server is missing.",
                    "Connect the account again.",
                )
            };
            kept.map(|kept| Url::parse(kept).map_err(|_| again()))
                .transpose()
        };
        let (calendars, contacts) = (home(CALENDARS)?, home(CONTACTS)?);
        let outbox = home(OUTBOX)?;
        let offered = (calendars.is_some(), contacts.is_some());
        let dav = Arc::new(Dav {
            schedules: access.is_set(SCHEDULES),
            client: Client::new(access)?,
            calendars,
            contacts,
            outbox,
            listings: Listings::default(),
            asked: OperationLog::default(),
        });
        let family = Family(dav);
        Ok(Backends {
            calendar: offered.0.then(|| Arc::new(family.clone()) as _),
            tasks: offered.0.then(|| Arc::new(family.clone()) as _),
            contacts: offered.1.then(|| Arc::new(family.clone()) as _),
            mail: None,
        })
    }
}

/// One connected account.
struct Dav {
    client: Client,
    calendars: Option<Url>,
    contacts: Option<Url>,
    outbox: Option<Url>,
    schedules: bool,
    listings: Listings,
    asked: OperationLog,
}

impl Dav {
    fn home(&self, kind: CollectionKind) -> Result<&Url, RemoteFault> {
        let home = match kind {
            CollectionKind::AddressBook => &self.contacts,
            _ => &self.calendars,
        };
        home.as_ref().ok_or_else(|| RemoteFault::Refused {
            what: "the server has none of these".to_owned(),
        })
    }

    async fn pull(
        &self,
        collection: &Collection,
        cursor: Option<&Cursor>,
        sink: &mut dyn Sink,
    ) -> Result<Cursor, PullFault> {
        let remote_id = collection.remote_id.as_ref();
        let remote_id = remote_id.ok_or(PullFault::Remote(RemoteFault::Gone))?;
        let mut url = self.home(collection.kind)?.clone();
        url.set_path(&remote_id.0);
        let token = self
            .listings
            .token(&self.client, remote_id, collection.kind)
            .await;
        let reader = pull::Reader {
            client: &self.client,
            url,
            kind: collection.kind,
        };
        reader.pull(cursor, token, sink).await
    }
}

/// The backend of one account for one family: calendars, tasks or address books.
#[derive(Clone)]
struct Family(Arc<Dav>);

/// Translates the operations of one family into requests.
trait Requested: Send + Sync {
    const KIND: CollectionKind;
    fn request<'a>(&'a self, asking: &RequestContext<'a>) -> Request<'a>;
}

impl Requested for CalendarOp {
    const KIND: CollectionKind = CollectionKind::Calendar;
    fn request<'a>(&'a self, asking: &RequestContext<'a>) -> Request<'a> {
        asking.event(self)
    }
}

impl Requested for TaskOp {
    const KIND: CollectionKind = CollectionKind::TaskList;
    fn request<'a>(&'a self, asking: &RequestContext<'a>) -> Request<'a> {
        asking.task(self)
    }
}

impl Requested for ContactOp {
    const KIND: CollectionKind = CollectionKind::AddressBook;
    fn request<'a>(&'a self, asking: &RequestContext<'a>) -> Request<'a> {
        asking.contact(self)
    }
}

impl Family {
    fn asking<'a>(
        &'a self,
        kind: CollectionKind,
        seed: &'a Seed,
    ) -> Result<RequestContext<'a>, RemoteFault> {
        Ok(RequestContext {
            home: self.0.home(kind)?,
            seed,
            schedules: self.0.schedules,
        })
    }
}

#[async_trait]
impl<Op: Requested> Backend<Op> for Family {
    async fn collections(&self) -> Result<Vec<RemoteCollection>, RemoteFault> {
        let home = self.0.home(Op::KIND)?;
        self.0.listings.of(&self.0.client, home, Op::KIND).await
    }

    async fn pull(
        &self,
        collection: &Collection,
        cursor: Option<&Cursor>,
        sink: &mut dyn Sink,
    ) -> Result<Cursor, PullFault> {
        self.0.pull(collection, cursor, sink).await
    }

    async fn apply(&self, op: &Op, key: &Key) -> Ended {
        let seed = rows::seed(&self.0.client.access);
        match self.asking(Op::KIND, &seed) {
            Ok(asking) => {
                let request = op.request(&asking);
                self.0.client.carry_out(&request, key, &self.0.asked).await
            }
            Err(fault) => Ended::Refused { fault },
        }
    }

    async fn check(&self, op: &Op) -> Result<(), RemoteFault> {
        let seed = rows::seed(&self.0.client.access);
        let asking = self.asking(Op::KIND, &seed)?;
        self.0.client.holds(&op.request(&asking)).await
    }

    async fn reconcile(&self, op: &Op, _: &Attempt) -> Reconciled {
        let seed = rows::seed(&self.0.client.access);
        match self.asking(Op::KIND, &seed) {
            Ok(asking) => self.0.client.look_for(&op.request(&asking)).await,
            Err(fault) => Reconciled::NotNow { fault },
        }
    }
}

#[async_trait]
impl CalendarBackend for Family {
    async fn free_busy(&self, who: &[String], window: Window) -> Result<FreeBusy, RemoteFault> {
        self.0.busy(who, window).await
    }
}

impl TaskBackend for Family {}

impl ContactBackend for Family {}

fn field(field: &'static str, what: &str, hint: &str) -> SetUpFault {
    SetUpFault::Field {
        field,
        what: what.to_owned(),
        hint: hint.to_owned(),
    }
}
