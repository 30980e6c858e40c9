//! What a mail carries for the calendar, beside what the calendar has, and the rows that bring the calendar in line with
//! the mail.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use adjutant_domain::account::{CollectionKind, for_new};
use adjutant_domain::faults::ToolFault;
use adjutant_domain::filter::{Filter, Order, RowFlag, Test, Time, Window};
use adjutant_domain::gate::NoteKind;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Address, Attendee, Event, Kind, Mail, Record};
use adjutant_domain::source::Source;
use adjutant_interchange::{Method, Seed, carried};
use jiff::ToSpan as _;

use super::create::conflicts;
use super::{EventRow, own_response, rows_of_uid};
use crate::address::is_own;
use crate::effect::{CardDraft, FactDraft, failed};
use crate::email::found_in;
use crate::words;

/// Name of the calendar for an event if no calendar can be written to.
const CALENDAR: &str = "Personal";
/// How many days back mails are searched for an invitation that is described in words.
const DAYS_SEARCHED: i64 = 90;
/// Highest number of mails with files that are searched for it, newest first.
const MAILS_SEARCHED_MAX: usize = 60;

/// How the mail relates to the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The calendar does not have the event.
    New,
    /// The mail changes what the calendar has.
    Changed,
    /// The calendar agrees with the mail already.
    Current,
    /// The calendar has a later revision.
    Outdated,
    /// The person is the organizer, so there is nothing to answer.
    Own,
}

/// What a mail carries for the calendar.
#[derive(Clone, Debug)]
pub struct Invited {
    /// What the sender wants.
    pub method: Method,
    /// How it relates to the calendar.
    pub standing: Standing,
    /// The rows as the calendar would have them, the master first; as it has them if the mail changes nothing.
    pub rows: Vec<Event>,
    /// The guest who answers, with the answer, if the mail is one.
    pub answered: Option<Attendee>,
    /// Address of the one who may say so: the organizer, whom the calendar knows best, or the guest who answers.
    speaker: Option<String>,
    /// Whether the mail and its event both name the speaker.
    pub genuine: bool,
    /// The rows the calendar has.
    known: Vec<Event>,
}

impl Invited {
    /// Reads what a mail carries for the calendar; `None` if it carries nothing that can be read.
    ///
    /// # Errors
    /// Returns the fault of storage.
    pub async fn in_mail(mail: &Mail, cx: &Cx) -> Result<Option<Self>, Stop> {
        if !mail
            .attachments
            .iter()
            .any(|one| is_calendar(&one.media_type, &one.name))
        {
            return Ok(None);
        }
        let source = cx.records.mail_source(&mail.id).await.map_err(failed)?;
        let seed = Seed {
            now: cx.now.clone(),
            entropy: cx.entropy.clone(),
            own: cx.settings.owner.emails.clone(),
        };
        let Some(mut carried) = source.as_deref().and_then(|source| carried(source, &seed)) else {
            return Ok(None);
        };
        carried
            .events
            .sort_by_key(|row| row.recurrence_id.is_some());
        // One invitation is about one event; a calendar to enter may hold several.
        if carried.method != Method::Publish
            && let Some(first) = carried.events.first().map(|row| row.uid.clone())
        {
            carried.events.retain(|row| row.uid == first);
        }
        let mut known = Vec::new();
        for row in &carried.events {
            if !known.iter().any(|one: &Event| one.uid == row.uid) {
                known.extend(rows_of_uid(&row.uid, cx).await?);
            }
        }
        let calendar = calendar_for(mail, cx).await?;
        Ok(Some(Self::beside(
            carried.method,
            carried.events,
            known,
            mail,
            &calendar,
            cx,
        )))
    }

    fn beside(
        method: Method,
        carried: Vec<Event>,
        known: Vec<Event>,
        mail: &Mail,
        calendar: &str,
        cx: &Cx,
    ) -> Self {
        let answered = (method == Method::Reply)
            .then(|| {
                carried
                    .first()
                    .and_then(|row| row.attendees.first().cloned())
            })
            .flatten();
        let organizer = |rows: &[Event]| {
            Some(
                rows.iter()
                    .find_map(|row| row.organizer.as_ref())?
                    .email
                    .clone(),
            )
        };
        let (claimed, speaker) = match &answered {
            Some(guest) => (None, Some(guest.email.clone())),
            // Anybody can send the UID of an event and name themselves in it.
            None => (
                organizer(&carried),
                organizer(&known).or(organizer(&carried)),
            ),
        };
        let genuine = speaker.as_ref().is_none_or(|speaker| {
            let is_speaker = |email: &String| email.eq_ignore_ascii_case(speaker);
            is_speaker(&mail.from.email) && claimed.as_ref().is_none_or(is_speaker)
        });
        let standing = standing(method, &carried, &known, answered.as_ref(), cx);
        let rows = match (standing, &answered) {
            (Standing::Changed, None) if method == Method::Cancel => {
                cancelled(&carried, &known, calendar)
            }
            (Standing::New | Standing::Changed, None) => carried
                .iter()
                .map(|row| merged(row, &known, calendar))
                .collect(),
            (Standing::Changed, Some(guest)) => with_answer(&carried, &known, guest, cx),
            _ => carried
                .iter()
                .map(|row| of_instance(&known, row).unwrap_or(row).clone())
                .collect(),
        };
        Self {
            method,
            standing,
            rows,
            answered,
            speaker,
            genuine,
            known,
        }
    }

    /// Returns the row to show: the master, or the one instance the mail is about.
    #[must_use]
    pub fn first(&self) -> Option<&Event> {
        self.rows.first()
    }

    /// Returns whether the calendar has this row.
    #[must_use]
    pub fn has(&self, row: &Event) -> bool {
        self.known.iter().any(|one| one.id == row.id)
    }

    /// Returns the rows the calendar has of these events.
    pub(super) fn known(&self) -> &[Event] {
        &self.known
    }

    /// Returns the number of events: a series counts once.
    #[must_use]
    pub fn events(&self) -> usize {
        let uids: BTreeSet<&str> = self.rows.iter().map(|row| row.uid.as_str()).collect();
        uids.len()
    }

    /// Returns the person's answer as the calendar has it; `None` if it has none.
    #[must_use]
    pub fn answer(&self, cx: &Cx) -> Option<String> {
        let first = self.first()?;
        let there = of_instance(&self.known, first)?;
        let answer = own_response(there, cx)?;
        matches!(answer.as_str(), "accepted" | "declined" | "tentative").then_some(answer)
    }

    /// Returns the other events at the time of the first one that keep the person busy.
    ///
    /// # Errors
    /// Returns the fault of storage.
    pub async fn overlaps(&self, cx: &Cx) -> Result<Vec<EventRow>, Stop> {
        match self.first() {
            Some(first) if self.answered.is_none() && self.method != Method::Cancel => {
                conflicts(&EventRow::whole(first.clone()), cx).await
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Returns whether the person can answer it.
    #[must_use]
    pub fn can_be_answered(&self) -> bool {
        self.method == Method::Request
            && matches!(
                self.standing,
                Standing::New | Standing::Changed | Standing::Current
            )
    }

    /// Returns whether the calendar would change by entering it.
    #[must_use]
    pub fn can_be_entered(&self) -> bool {
        match self.method {
            Method::Publish | Method::Request => {
                matches!(self.standing, Standing::New | Standing::Changed)
            }
            Method::Reply | Method::Cancel => self.standing == Standing::Changed,
        }
    }
}

/// Returns whether an attached file is a calendar.
fn is_calendar(media_type: &str, name: &str) -> bool {
    let media_type = media_type.to_ascii_lowercase();
    media_type.ends_with("/calendar")
        || media_type.ends_with("/ics")
        || name.to_ascii_lowercase().ends_with(".ics")
}

fn standing(
    method: Method,
    carried: &[Event],
    known: &[Event],
    answered: Option<&Attendee>,
    cx: &Cx,
) -> Standing {
    let organizer = |row: &Event| row.organizer.as_ref().map(|who| who.email.clone());
    let own = |row: &Event| organizer(row).is_some_and(|email| is_own(&email, cx));
    if method == Method::Reply {
        return reply_standing(carried, known, answered);
    }
    if known.iter().chain(carried).any(own) {
        return Standing::Own;
    }
    let known_of = |row: &Event| of_instance(known, row);
    let revision = |row: &Event| known_of(row).map(|there| row.sequence.cmp(&there.sequence));
    if carried
        .iter()
        .any(|row| revision(row) == Some(Ordering::Less))
    {
        return Standing::Outdated;
    }
    if method == Method::Cancel {
        let open = carried.iter().any(|row| match known_of(row) {
            Some(there) => !there.cancelled,
            // An instance without a row of its own takes place as its series says.
            None => row.recurrence_id.is_some() && !known.is_empty(),
        });
        return if open {
            Standing::Changed
        } else {
            Standing::Current
        };
    }
    if known.is_empty() {
        return Standing::New;
    }
    let changes = carried
        .iter()
        .any(|row| !matches!(revision(row), Some(Ordering::Equal)));
    match changes {
        true => Standing::Changed,
        false => Standing::Current,
    }
}

fn reply_standing(carried: &[Event], known: &[Event], answered: Option<&Attendee>) -> Standing {
    let (Some(guest), Some(row)) = (answered, carried.first()) else {
        return Standing::Outdated;
    };
    let Some(there) = of_instance(known, row) else {
        return Standing::New;
    };
    let invited = there
        .attendees
        .iter()
        .find(|one| one.email.eq_ignore_ascii_case(&guest.email));
    match invited {
        Some(one) if one.status == guest.status => Standing::Current,
        Some(_) => Standing::Changed,
        None => Standing::Outdated,
    }
}

/// Returns the row of the same event and the same instance.
fn of_instance<'a>(known: &'a [Event], row: &Event) -> Option<&'a Event> {
    known
        .iter()
        .find(|one| one.uid == row.uid && one.recurrence_id == row.recurrence_id)
}

/// Returns a row of the mail as the calendar would have it.
fn merged(row: &Event, known: &[Event], calendar: &str) -> Event {
    let there = of_instance(known, row);
    let place = there.or(known.iter().find(|one| one.uid == row.uid));
    let mut merged = match there {
        Some(there) => Event {
            id: there.id.clone(),
            created: there.created,
            version: there.version,
            ..row.clone()
        },
        None => row.clone(),
    };
    merged.calendar = place.map_or_else(|| calendar.to_owned(), |one| one.calendar.clone());
    merged
}

/// Returns the rows that a cancellation takes off, the master first: with a series all its exceptions. A cancellation
/// need not repeat what the event was, so rows that the calendar has keep everything else.
fn cancelled(carried: &[Event], known: &[Event], calendar: &str) -> Vec<Event> {
    let series = carried.iter().find(|row| row.recurrence_id.is_none());
    let mut rows: Vec<Event> = match series {
        Some(_) => known.to_vec(),
        None => carried
            .iter()
            .map(|row| match of_instance(known, row) {
                Some(there) => there.clone(),
                None => merged(row, known, calendar),
            })
            .collect(),
    };
    rows.sort_by_key(|row| row.recurrence_id.is_some());
    for row in &mut rows {
        let of_row = |one: &&Event| one.recurrence_id == row.recurrence_id;
        if let Some(by) = carried.iter().find(of_row).or(series) {
            row.sequence = row.sequence.max(by.sequence);
            row.updated = by.updated;
        }
        row.cancelled = true;
    }
    rows
}

/// Returns the row with a guest's answer.
fn with_answer(carried: &[Event], known: &[Event], guest: &Attendee, cx: &Cx) -> Vec<Event> {
    let there = carried.first().and_then(|row| of_instance(known, row));
    let Some(mut row) = there.cloned() else {
        return Vec::new();
    };
    for one in &mut row.attendees {
        if one.email.eq_ignore_ascii_case(&guest.email) {
            one.status.clone_from(&guest.status);
        }
    }
    row.updated = cx.now.timestamp();
    vec![row]
}

/// Returns the calendar for an event of others: one of the account that received the mail, else the usual one.
async fn calendar_for(mail: &Mail, cx: &Cx) -> Result<String, Stop> {
    let accounts = cx.records.accounts().await.map_err(failed)?;
    let fit: Vec<_> = accounts
        .iter()
        .filter(|account| account.takes_events_of_others())
        .collect();
    let mut all = cx.records.collections().await.map_err(failed)?;
    all.retain(|one| one.account.is_local() || fit.iter().any(|account| account.id == one.account));
    let received = |email: &String| {
        let mut to = mail.to.iter().chain(&mail.cc);
        to.any(|who: &Address| who.email.eq_ignore_ascii_case(email))
    };
    let receiver = fit
        .iter()
        .find(|account| account.addresses.iter().any(received));
    let of_receiver = receiver.and_then(|account| {
        let mut calendars = all.iter().filter(|one| {
            one.account == account.id && one.kind == CollectionKind::Calendar && one.writable
        });
        calendars.next()
    });
    let usual = || for_new(&all, CollectionKind::Calendar);
    let chosen = of_receiver.or_else(usual);
    Ok(chosen.map_or_else(|| CALENDAR.to_owned(), |one| one.name.clone()))
}

/// Returns the recent invitations in mails whose events the calendar does not have, newest first, each with its mail.
///
/// # Errors
/// Returns the fault of storage.
pub(super) async fn waiting(cx: &Cx) -> Result<Vec<(Mail, Invited)>, Stop> {
    let since = cx.now.checked_sub(DAYS_SEARCHED.days()).ok();
    let since = since.map(|at| at.timestamp());
    let filter = Filter::all()
        .and(Test::Is(RowFlag::HasAttachment, true))
        .within(
            Time::Dated,
            Window {
                from: since,
                to: None,
            },
        )
        .ordered(Order::Latest)
        .at_most(Some(MAILS_SEARCHED_MAX));
    let mails = cx.records.mails(&filter).await.map_err(failed)?;
    let mut all: Vec<(Mail, Invited)> = Vec::new();
    for mail in mails {
        let Some(invited) = Invited::in_mail(&mail, cx).await? else {
            continue;
        };
        let uid = invited.first().map(|row| row.uid.clone());
        let twice = all
            .iter()
            .any(|(_, one)| one.first().map(|row| row.uid.clone()) == uid);
        if !twice && invited.method == Method::Request && invited.standing == Standing::New {
            all.push((mail, invited));
        }
    }
    Ok(all)
}

/// Returns the mail with this id.
pub(super) async fn mail(id: &str, cx: &Cx) -> Result<Option<Mail>, Stop> {
    let found = crate::select::record(Kind::Mail, id, cx).await?;
    Ok(match found {
        Some(Record::Mail(mail)) => Some(mail),
        _ => None,
    })
}

/// Reads what a mail carries, after fetching the rest of a mail that is stored in part.
///
/// # Errors
/// Returns a fault if the account cannot supply the mail, or storage fails.
pub(super) async fn complete(mail: &Mail, cx: &Cx) -> Result<Option<Invited>, Stop> {
    let whole = cx.mails.complete(&mail.id).await;
    whole.map_err(|why| ToolFault::Failed {
        what: why.what,
        hint: why.next,
    })?;
    Invited::in_mail(mail, cx).await
}

/// Adds to a card where the event goes, what changes and what to beware of.
pub(super) fn note(mail: &Mail, invited: &Invited, sketch: &mut CardDraft, cx: &Cx) {
    let Some(first) = invited.first() else {
        return;
    };
    let found = Source::Untrusted {
        origin: found_in(mail, cx),
    };
    if invited.standing == Standing::New {
        sketch.facts.push(FactDraft::with(
            "Calendar",
            &first.calendar,
            Some(Source::Derived),
        ));
    }
    for row in &invited.rows {
        let Some(there) = invited.known().iter().find(|one| one.id == row.id) else {
            continue;
        };
        let (was, is) = (
            words::range(&there.start, &there.end, cx),
            words::range(&row.start, &row.end, cx),
        );
        if was != is {
            let fact = FactDraft::with("When", is, Some(found.clone()));
            sketch.facts.push(fact.was(was));
        }
        if there.location != row.location {
            let fact = FactDraft::with("Where", &row.location, Some(found.clone()));
            sketch.facts.push(fact.was(there.location.clone()));
        }
    }
    if let Some(speaker) = invited.speaker.as_ref().filter(|_| !invited.genuine) {
        let from = &mail.from.email;
        let named = first
            .organizer
            .as_ref()
            .map_or("", |who| who.email.as_str());
        let warning = match &invited.answered {
            Some(_) => {
                format!("The mail comes from {from}, not from {speaker}, whose answer it brings.")
            }
            None if !named.eq_ignore_ascii_case(speaker) => format!(
                "In your calendar, {speaker} organizes this event. The mail comes from {from} and names {named}."
            ),
            None => format!(
                "The mail comes from {from}, the invitation names {speaker} as its organizer."
            ),
        };
        sketch.note(NoteKind::Warn, warning);
    }
}

/// Returns a row as something to choose and show.
pub(super) fn shown(invited: &Invited) -> Option<EventRow> {
    invited.first().cloned().map(EventRow::whole)
}
