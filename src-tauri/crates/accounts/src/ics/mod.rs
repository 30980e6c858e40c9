//! Subscribed calendars (iCalendar over HTTP): read-only, read again when the server reports a change.

mod fetch;
mod rows;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use adjutant_domain::account::{Collection, CollectionKind, Cursor};
use adjutant_domain::filter::Window;
use adjutant_domain::operation::{
    Attempt, CalendarOp, Ended, Key, Reconciled, RemoteFault, RemoteId,
};
use adjutant_domain::ports::provider::PAGE_MAX;
use adjutant_domain::ports::{
    Backend, Backends, CalendarBackend, FreeBusy, PullFault, RemoteCollection, Sink,
};
use adjutant_net::Url;
use async_trait::async_trait;
use secrecy::ExposeSecret as _;

use crate::certificate::{self, CERTIFICATE};
use crate::provider::{Access, AccountDetails, Field, Form, Kind, Provider, SetUpFault, SignsIn};
use fetch::{FeedPlace, FeedState, Fetched};

/// Name of the field for the address of a public calendar.
const ADDRESS: &str = "address";
/// Name of the field for a private address, which gives access to anyone who knows it.
const PRIVATE_ADDRESS: &str = "private_address";
/// Name of the setting with the server's host name, shown as the calendar's source.
const HOST: &str = "host";
/// Remote id of the account's only collection.
const COLLECTION: &str = "calendar";

const KIND: Kind = Kind {
    name: "ics",
    label: "Calendar by address",
    noun: "subscribed calendar",
    about: "Subscribe to a calendar. It is read only.",
    signs_in: SignsIn::Here,
    access_page: None,
    fields: &[
        Field {
            name: ADDRESS,
            label: "Address of the calendar",
            hint: "Enter this or the private address. It begins with https:// or webcal:// and often ends in .ics.",
            form: Form::Text,
            required: false,
        },
        Field {
            name: PRIVATE_ADDRESS,
            label: "Or its private address",
            hint: "Needed if the one above is empty: an address that opens the calendar to anyone who knows it.",
            form: Form::PrivateText,
            required: false,
        },
        certificate::field(),
    ],
};

/// The provider for subscribed calendars.
pub struct Ics;

#[async_trait]
impl Provider for Ics {
    fn kind(&self) -> &'static Kind {
        &KIND
    }

    async fn set_up(&self, typed: Access) -> Result<AccountDetails, SetUpFault> {
        let place = FeedPlace::of(&typed)?;
        let host = place.url.host_str().unwrap_or_default().to_owned();
        let fetched = fetch::fetch(&typed.net, &place, None).await?;
        let text = fetched.ok_or(RemoteFault::Gone)?.text;
        rows::read(&text, &typed)?;
        let mut settings = BTreeMap::from([(HOST.to_owned(), host.clone())]);
        for name in [ADDRESS, CERTIFICATE] {
            let typed = typed.setting(name).map(str::to_owned);
            settings.extend(typed.map(|typed| (name.to_owned(), typed)));
        }
        Ok(AccountDetails {
            label: rows::calendar_name(&text).unwrap_or(host),
            addresses: Vec::new(),
            settings,
        })
    }

    fn identity(&self, access: &Access) -> Option<String> {
        let mut url = address(access).ok()?;
        url.set_fragment(None);
        Some(url.into())
    }

    fn connect(&self, access: Access) -> Result<Backends, SetUpFault> {
        let place = FeedPlace::of(&access)?;
        Ok(Backends {
            calendar: Some(Arc::new(Subscription {
                place,
                access,
                fetched: Mutex::default(),
            })),
            ..Backends::default()
        })
    }
}

impl FeedPlace {
    fn of(access: &Access) -> Result<Self, SetUpFault> {
        Ok(Self {
            url: address(access)?,
            trusted: certificate::trusted(access, 1)?,
        })
    }
}

/// Returns the address to request. `webcal` is replaced by HTTPS.
fn address(access: &Access) -> Result<Url, SetUpFault> {
    let wrong = |what: &str| SetUpFault::Field {
        field: ADDRESS,
        what: what.to_owned(),
        hint:
            "Copy it from the calendar's settings; it looks like https://example.org/calendar.ics."
                .to_owned(),
    };
    let private = access.secrets.get(PRIVATE_ADDRESS);
    let private = private.map(|address| address.expose_secret().trim());
    let typed = private.or(access.setting(ADDRESS)).unwrap_or_default();
    if typed.is_empty() {
        return Err(wrong("The address of the calendar is missing."));
    }
    let typed = match typed.split_once("://") {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("webcal") => format!("https://{rest}"),
        _ => typed.to_owned(),
    };
    let url = Url::parse(&typed).map_err(|_| wrong("This is not the address of a calendar."))?;
    match url.scheme() {
        "https" => Ok(url),
        "http" if adjutant_net::reach::is_loopback(&url) => Ok(url),
        "http" => Err(wrong(
            "This address is not encrypted; write it with https://.",
        )),
        _ => Err(wrong("This is not the address of a calendar on the web.")),
    }
}

/// A subscribed calendar.
struct Subscription {
    place: FeedPlace,
    access: Access,
    /// A download made to check a cursor that turned out to be outdated. The full reading that follows uses it.
    fetched: Mutex<Option<Fetched>>,
}

impl Subscription {
    fn keep(&self, fetched: Option<Fetched>) -> Option<Fetched> {
        let mut kept = self.fetched.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *kept, fetched)
    }
}

#[async_trait]
impl Backend<CalendarOp> for Subscription {
    async fn collections(&self) -> Result<Vec<RemoteCollection>, RemoteFault> {
        Ok(vec![RemoteCollection {
            remote_id: RemoteId(COLLECTION.to_owned()),
            kind: CollectionKind::Calendar,
            // Empty, so that the collection takes the account's label.
            name: String::new(),
            colour: None,
            writable: false,
        }])
    }

    async fn pull(
        &self,
        _: &Collection,
        cursor: Option<&Cursor>,
        sink: &mut dyn Sink,
    ) -> Result<Cursor, PullFault> {
        let net = &self.access.net;
        let fetched = match cursor {
            Some(cursor) => {
                let seen = FeedState::of(cursor).ok_or(PullFault::CursorRefused)?;
                let fetched = fetch::fetch(net, &self.place, Some(&seen)).await?;
                let Some(fetched) = fetched.filter(|one| one.seen.digest != seen.digest) else {
                    return Ok(cursor.clone());
                };
                // Changes cannot be told apart, so the whole calendar is read again, which also removes deleted events.
                self.keep(Some(fetched));
                return Err(PullFault::CursorRefused);
            }
            None => match self.keep(None) {
                Some(fetched) => fetched,
                None => {
                    let fetched = fetch::fetch(net, &self.place, None).await?;
                    fetched.ok_or(PullFault::Remote(RemoteFault::Gone))?
                }
            },
        };
        let read = rows::read(&fetched.text, &self.access)?;
        for page in rows::pulled(read).chunks(PAGE_MAX) {
            sink.take(page.to_vec()).await?;
        }
        Ok(fetched.seen.cursor())
    }

    async fn apply(&self, _: &CalendarOp, _: &Key) -> Ended {
        Ended::Refused { fault: read_only() }
    }

    async fn check(&self, _: &CalendarOp) -> Result<(), RemoteFault> {
        Err(read_only())
    }

    async fn reconcile(&self, _: &CalendarOp, _: &Attempt) -> Reconciled {
        // The calendar is read-only, so no operation is ever requested.
        Reconciled::NotDone
    }
}

#[async_trait]
impl CalendarBackend for Subscription {
    async fn free_busy(&self, _: &[String], _: Window) -> Result<FreeBusy, RemoteFault> {
        Ok(FreeBusy::default())
    }
}

fn read_only() -> RemoteFault {
    RemoteFault::Refused {
        what: "this calendar is only subscribed to, so nothing in it can be changed".to_owned(),
    }
}
