//! Translates operations into requests on resources.

use adjutant_domain::moment::Moment;
use adjutant_domain::operation::{
    CalendarOp, CollectionRef, ContactOp, Delivery, Participation, RemoteId, TaskOp,
};
use adjutant_domain::record::{Address, Attendee, Event, Record};
use adjutant_interchange::Seed;
use adjutant_interchange::revise;
use adjutant_net::Url;

use super::change::{ChangeKind, Request};

const CALENDAR: &str = "text/calendar";
const CARD: &str = "text/vcard";

/// What a request needs besides its operation.
pub(super) struct RequestContext<'a> {
    /// The family's home, used to resolve paths on its server.
    pub(super) home: &'a Url,
    pub(super) seed: &'a Seed,
    /// Whether the server sends invitations itself.
    pub(super) schedules: bool,
}

impl<'a> RequestContext<'a> {
    pub(super) fn event(&self, op: &'a CalendarOp) -> Request<'a> {
        let seed = self.seed.clone();
        match op {
            CalendarOp::Create {
                collection,
                remote_id,
                rows,
                source,
                notify,
            } => {
                let rows = self.called(rows);
                Request {
                    source: source.as_deref(),
                    untold: self.untold(*notify, &rows),
                    what: ChangeKind::Create(Box::new(move |there| {
                        revise::events(there, &rows, &[], &seed)
                    })),
                    ..self.asked(collection, remote_id, CALENDAR)
                }
            }
            CalendarOp::Update {
                collection,
                moves_to,
                remote_id,
                etag,
                rows,
                reverted,
                source,
                notify,
                ..
            } => {
                let rows = self.called(rows);
                let to = moves_to.as_ref();
                Request {
                    moves_to: to.map(|to| self.at(to, name(remote_id), CALENDAR)),
                    etag: etag.as_ref(),
                    source: source.as_deref(),
                    untold: self.untold(*notify, &rows),
                    what: ChangeKind::Update(Box::new(move |there| {
                        revise::events(there, &rows, reverted, &seed)
                    })),
                    ..self.asked(collection, remote_id, CALENDAR)
                }
            }
            CalendarOp::Delete {
                collection,
                remote_id,
                etag,
                ..
            } => Request {
                etag: etag.as_ref(),
                ..self.asked(collection, remote_id, CALENDAR)
            },
            CalendarOp::Respond {
                collection,
                remote_id,
                uid,
                sequence,
                instance,
                participation,
                notify,
                ..
            } => Request {
                what: self.answer(
                    (uid, *sequence),
                    instance.as_ref(),
                    *participation,
                    *notify && !self.schedules,
                ),
                ..self.asked(collection, remote_id, CALENDAR)
            },
        }
    }

    /// Builds the answer to an invitation, whatever state its resource is in. With `unheard`, the receipt names the
    /// organizer as not told.
    fn answer(
        &self,
        (uid, sequence): (&'a str, i64),
        instance: Option<&'a Moment>,
        participation: Participation,
        unheard: bool,
    ) -> ChangeKind<'a> {
        let (seed, of, status) = (self.seed.clone(), self.seed.clone(), status(participation));
        ChangeKind::Respond(
            Box::new(move |there| {
                let there = there.unwrap_or_default();
                revise::answered(there, instance, status, &seed)
            }),
            Box::new(move |there| {
                let organizer = seen(there, uid, sequence, &of)?;
                let organizer = organizer.filter(|who| unheard && !is_own(who, &of));
                let untold = organizer.map(|who| untold(&who, "this server sends no answers"));
                Some(untold.into_iter().collect())
            }),
        )
    }

    pub(super) fn task(&self, op: &'a TaskOp) -> Request<'a> {
        let seed = self.seed.clone();
        match op {
            TaskOp::Create {
                collection,
                remote_id,
                source,
                task,
            } => Request {
                source: source.as_deref(),
                what: ChangeKind::Create(Box::new(move |there| {
                    revise::task(there, &remote_id.0, task, &seed)
                })),
                ..self.asked(collection, remote_id, CALENDAR)
            },
            TaskOp::Update {
                collection,
                remote_id,
                etag,
                source,
                task,
            } => Request {
                etag: etag.as_ref(),
                source: source.as_deref(),
                what: ChangeKind::Update(Box::new(move |there| {
                    revise::task(there, &remote_id.0, task, &seed)
                })),
                ..self.asked(collection, remote_id, CALENDAR)
            },
            TaskOp::Delete {
                collection,
                remote_id,
                etag,
            } => Request {
                etag: etag.as_ref(),
                ..self.asked(collection, remote_id, CALENDAR)
            },
        }
    }

    pub(super) fn contact(&self, op: &'a ContactOp) -> Request<'a> {
        let seed = self.seed.clone();
        match op {
            ContactOp::Create {
                collection,
                remote_id,
                source,
                contact,
            } => Request {
                source: source.as_deref(),
                what: ChangeKind::Create(Box::new(move |there| {
                    revise::card(there, contact, &seed)
                })),
                ..self.asked(collection, remote_id, CARD)
            },
            ContactOp::Update {
                collection,
                remote_id,
                etag,
                source,
                contact,
            } => Request {
                etag: etag.as_ref(),
                source: source.as_deref(),
                what: ChangeKind::Update(Box::new(move |there| {
                    revise::card(there, contact, &seed)
                })),
                ..self.asked(collection, remote_id, CARD)
            },
            ContactOp::Delete {
                collection,
                remote_id,
                etag,
            } => Request {
                etag: etag.as_ref(),
                ..self.asked(collection, remote_id, CARD)
            },
        }
    }

    /// Builds a request to delete a resource, which callers then adapt to their operation.
    fn asked(
        &self,
        collection: &CollectionRef,
        remote_id: &RemoteId,
        media: &'static str,
    ) -> Request<'a> {
        Request {
            url: self.at(collection, &remote_id.0, media),
            moves_to: None,
            media,
            etag: None,
            source: None,
            what: ChangeKind::Delete,
            untold: Vec::new(),
        }
    }

    /// Returns the address of a resource: its own path if the server named it, otherwise a new name in its collection.
    fn at(&self, collection: &CollectionRef, name: &str, media: &str) -> Url {
        let ending = if media == CARD { "vcf" } else { "ics" };
        let mut url = self.home.clone();
        if name.starts_with('/') {
            url.set_path(name);
        } else {
            let folder = collection.remote_id.0.trim_end_matches('/');
            let stem = name.strip_suffix(&format!(".{ending}")).unwrap_or(name);
            url.set_path(&format!("{folder}/{stem}.{ending}"));
        }
        url
    }

    /// Makes the person the organizer of rows that have guests but no organizer.
    fn called(&self, rows: &[Event]) -> Vec<Event> {
        let mut rows = rows.to_vec();
        for row in &mut rows {
            let own = self.seed.own.first();
            if let Some(own) = own.filter(|_| !row.attendees.is_empty() && row.organizer.is_none())
            {
                row.organizer = Some(Attendee {
                    email: own.clone(),
                    ..Attendee::default()
                });
            }
        }
        rows
    }

    /// Returns the guests who should be notified but are not, because the server sends nothing.
    fn untold(&self, notify: bool, rows: &[Event]) -> Vec<Delivery> {
        if !notify || self.schedules {
            return Vec::new();
        }
        let mut all: Vec<Delivery> = Vec::new();
        for guest in rows.iter().flat_map(|row| &row.attendees) {
            let is_there = all.iter().any(|one| one.address.email == guest.email);
            if !is_own(guest, self.seed) && !is_there {
                all.push(untold(guest, "this server sends no invitations"));
            }
        }
        all
    }
}

/// Returns the last segment of a resource's path, which is its name in any collection.
fn name(remote_id: &RemoteId) -> &str {
    remote_id.0.rsplit('/').next().unwrap_or(&remote_id.0)
}

fn status(participation: Participation) -> &'static str {
    match participation {
        Participation::Accepted => "accepted",
        Participation::Tentative => "tentative",
        Participation::Declined => "declined",
    }
}

/// Returns the organizer if `there` holds the invitation that was seen; answers by other guests do not matter.
fn seen(there: &str, uid: &str, sequence: i64, seed: &Seed) -> Option<Option<Attendee>> {
    let mut items = adjutant_interchange::read::calendar(there, "", seed);
    items.find_map(|item| match item.ok()?.record {
        Record::Event(event) if event.uid == uid && event.sequence <= sequence => {
            Some(event.organizer)
        }
        _ => None,
    })
}

fn is_own(who: &Attendee, seed: &Seed) -> bool {
    let mut own = seed.own.iter();
    own.any(|own| own.eq_ignore_ascii_case(&who.email))
}

/// Builds the note that somebody is not notified, with the reason. What to do about it is said once, not per guest.
fn untold(who: &Attendee, why: &str) -> Delivery {
    Delivery {
        address: Address {
            name: who.name.clone(),
            email: who.email.clone(),
        },
        reason: why.to_owned(),
    }
}
