//! `calendar.respond`

use adjutant_domain::faults::ToolFault;
use adjutant_domain::gate::{AskReason, Assessment, NoteKind, Risk};
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Address, Attendee, Event, Mail};
use adjutant_domain::route::Domain;
use adjutant_domain::source::Taint;
use adjutant_domain::tool::ToolSpec;
use adjutant_text::all_words;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::EventRow;
use super::announced::{Announced, announced};
use super::delete::scope_words;
use super::find::EventFilter;
use super::heard::{Told, mails, send_too};
use super::invited::{self, Invited, Standing};
use super::own_response;
use super::scope::{Edits, Meant, Scope, Scoped, events};
use crate::address::is_own;
use crate::effect::{CardDraft, FactDraft, Prepared, local};
use crate::registry::{Acting, spec};
use crate::select::{self, Filter as _, Ids, Pick, Row, Which, ask_which, bad, not_found};
use crate::words;

/// The tool `calendar.respond`: answers invitations.
pub(super) struct Respond;

/// Arguments of `calendar.respond`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The event.
    id: Option<Ids>,
    /// Several events.
    ids: Option<Ids>,
    /// Or: which event, by description.
    pub(super) target: Option<EventFilter>,
    /// Or: the mail with the invitation; the event is added to the calendar if it is not there yet.
    pub(super) mail: Option<Ids>,
    /// Which instance of a repeating event, by its original start.
    instance: Option<Moment>,
    /// How much of a repeating event.
    scope: Option<Scope>,
    /// The answer.
    pub(super) response: Response,
}

/// Answers to an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Response {
    /// Comes.
    Accepted,
    /// Does not come.
    Declined,
    /// Perhaps comes.
    Tentative,
}

impl Response {
    fn word(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Declined => "declined",
            Self::Tentative => "tentative",
        }
    }

    fn verb(self) -> &'static str {
        match self {
            Self::Accepted => "Accept",
            Self::Declined => "Decline",
            Self::Tentative => "Answer “maybe” to",
        }
    }

    /// Returns the verb on the button of a card whose approval reaches the organizer.
    fn button(self) -> &'static str {
        match self {
            Self::Accepted => "Accept",
            Self::Declined => "Decline",
            Self::Tentative => "Answer “maybe”",
        }
    }

    /// Returns the first words of the subject of a mail with the answer.
    pub(super) fn heading(self) -> &'static str {
        match self {
            Self::Accepted => "Accepted",
            Self::Declined => "Declined",
            Self::Tentative => "Tentatively accepted",
        }
    }

    /// Returns the answer as a sentence continues with it: "Lea Kim has accepted".
    pub(super) fn says(self) -> &'static str {
        match self {
            Self::Accepted => "has accepted",
            Self::Declined => "has declined",
            Self::Tentative => "has tentatively accepted",
        }
    }
}

#[async_trait]
impl Acting for Respond {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "calendar.respond",
            Domain::Calendar,
            Risk::LocalReversible,
            "Answers an invitation: accepted, declined or tentative. The organizer is told where the calendar or a mail account can do so.",
            &[
                "accept the invitation",
                "decline the meeting",
                "say yes to the invite",
                "say no to the invite",
                "RSVP",
                "I can’t make it to",
                "maybe for the meeting",
                "tentatively accept",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        if cx.settings.owner.emails.is_empty() {
            return Err(ToolFault::NotAllowed {
                what: "Adjutant does not know your own mail address, so it cannot note an answer for you."
                    .into(),
                hint: "Add it in Settings, You.".into(),
            }
            .into());
        }
        let mut edits = Edits::default();
        let invitations = chosen(args, &mut edits, cx).await?;
        let mut answered = Vec::with_capacity(invitations.len());
        for one in &invitations {
            edits.load(&one.scoped.row, cx).await?;
            answered.push(answer(&mut edits, one, args.response, cx));
        }
        let (targets, change) = edits.finish();
        let from_mail = invitations.iter().any(|one| one.mail.is_some());
        let told = Told {
            provider: Announced::of(&change, cx).await?,
            mails: mails(
                &invitations,
                &answered,
                args,
                &announced(&change, cx).await?,
                cx,
            )
            .await?,
            all: answered.len(),
        };
        let rows: Vec<EventRow> = answered.iter().cloned().map(EventRow::whole).collect();
        let mut sketch = sketch(&invitations, args.response, &told, cx);
        let mut assessment = Assessment {
            risk: Risk::LocalReversible,
            ask: Some(AskReason::ChangesEvent),
            count: rows.len(),
            reaching: Vec::new(),
            looked_up: Vec::new(),
            ..Assessment::read()
        };
        let mut answer = select::answer(
            &rows,
            rows.len(),
            say(&invitations, args.response, &told, cx),
            cx,
        );
        if from_mail {
            answer.taint = Taint::Tainted;
        }
        let mut operations = local(change);
        for mail in told.mails {
            send_too(mail, &mut operations, &mut assessment, &mut sketch);
        }
        Ok(Prepared {
            targets,
            operations,
            answer,
            assessment,
            sketch,
        })
    }
}

/// An invitation to answer.
pub(super) struct Invitation {
    scoped: Scoped,
    /// The mail that carried it, with what the calendar had of it then.
    pub(super) mail: Option<(Mail, Invited)>,
}

/// Returns the invitations that a call means. What a mail carries goes into `edits` as the calendar would have it.
async fn chosen(args: &Args, edits: &mut Edits, cx: &Cx) -> Result<Vec<Invitation>, Stop> {
    if let Some(ids) = &args.mail {
        let [id] = ids.as_slice() else {
            return Err(bad("Answer the invitations in mails one by one."));
        };
        let mail = invited::mail(id, cx).await?;
        let mail = mail.ok_or_else(|| not_found("That mail is no longer there."))?;
        return Ok(vec![in_mail(mail, edits, cx).await?]);
    }
    if let Some(mail) = only_in_a_mail(args, cx).await? {
        return Ok(vec![in_mail(mail, edits, cx).await?]);
    }
    let meant = Meant {
        which: Which::of(&args.id, &args.ids, &args.target),
        instance: args.instance.as_ref(),
        scope: args.scope,
        spread: false,
    };
    let scoped = events(&meant, cx).await?;
    let organized = |one: &Scoped| {
        let organizer = one.row.0.event.organizer.as_ref();
        organizer.is_some_and(|who| is_own(&who.email, cx))
    };
    if let Some(own) = scoped.iter().find(|one| organized(one)) {
        return Err(own_event(&own.row.0.event));
    }
    let invitations = scoped.into_iter();
    Ok(invitations
        .map(|scoped| Invitation { scoped, mail: None })
        .collect())
}

/// Returns the one mail with the invitation that is described, if no event of the calendar fits the description.
async fn only_in_a_mail(args: &Args, cx: &Cx) -> Result<Option<Mail>, Stop> {
    let expects_one = |target: &&EventFilter| matches!(target.pick, None | Some(Pick::One));
    let Some(target) = args.target.as_ref().filter(expects_one) else {
        return Ok(None);
    };
    if args.id.is_some()
        || args.ids.is_some()
        || !target.find(true, Some(1), cx).await?.rows.is_empty()
    {
        return Ok(None);
    }
    let waiting = invited::waiting(cx).await?;
    // The words may name the sender, whom no address book has to know.
    let words_fit = |mail: &Mail, row: &EventRow| {
        let said = row.said();
        let from = &mail.from;
        let hay = format!(
            "{} {} {} {} {}",
            said.title, said.more, mail.subject, from.name, from.email
        );
        let wanted = target.text.as_deref();
        wanted.is_none_or(|wanted| all_words(wanted, &hay))
    };
    let rows: Vec<EventRow> = waiting
        .iter()
        .filter_map(|(mail, one)| invited::shown(one).filter(|row| words_fit(mail, row)))
        .collect();
    let target = EventFilter {
        text: None,
        ..target.clone()
    };
    let fitting = target.among(&rows, cx).await?;
    let of = |row: &EventRow| {
        let mut all = waiting.iter();
        all.find(|(_, one)| {
            one.first()
                .is_some_and(|first| first.uid == row.0.event.uid)
        })
        .map(|(mail, _)| mail.clone())
    };
    match fitting.as_slice() {
        [] => Ok(None),
        [one] => Ok(of(one)),
        many => {
            let mails: Vec<_> = many
                .iter()
                .filter_map(of)
                .map(crate::email::MailRow::from)
                .collect();
            Err(ask_which(&mails, mails.len(), "/mail", cx))
        }
    }
}

/// Returns the invitation in a mail.
async fn in_mail(mail: Mail, edits: &mut Edits, cx: &Cx) -> Result<Invitation, Stop> {
    let Some(invited) = invited::complete(&mail, cx).await? else {
        return Err(not_found(format!(
            "The mail {} carries no invitation that can be read.",
            words::quoted(&mail.subject)
        )));
    };
    let first = invited.first().cloned();
    let first = first.ok_or_else(|| not_found("That mail carries no event."))?;
    if invited.standing == Standing::Own {
        return Err(own_event(&first));
    }
    if !invited.can_be_answered() {
        let what = match invited.standing {
            Standing::Outdated => "It is an older version of an invitation that your calendar has.",
            _ => "That mail asks for no answer.",
        };
        return Err(bad(what));
    }
    for row in invited.known() {
        edits.load(&EventRow::whole(row.clone()), cx).await?;
    }
    for row in &invited.rows {
        edits.put(row.clone());
    }
    let row = EventRow::whole(first);
    let scope = (row.recurs() && row.0.event.recurrence_id.is_none()).then_some(Scope::Series);
    Ok(Invitation {
        scoped: Scoped { row, scope },
        mail: Some((mail, invited)),
    })
}

fn own_event(event: &Event) -> Stop {
    ToolFault::NotAllowed {
        what: format!(
            "{} is your own event, so there is nobody to answer.",
            words::quoted(&event.summary)
        ),
        hint: "If it is not to take place, cancel it.".into(),
    }
    .into()
}

/// Notes the answer, and returns the row that holds it.
fn answer(edits: &mut Edits, one: &Invitation, response: Response, cx: &Cx) -> Event {
    let row = &one.scoped.row.0;
    let received = one.mail.as_ref().map(|(mail, _)| mail);
    let mut event = edits.get(&row.event.id).unwrap_or(&row.event).clone();
    match one.scoped.scope {
        Some(Scope::This) => event = edits.own_row(&one.scoped.row, cx),
        Some(Scope::Series | Scope::Following) => {
            for mut other in edits.exceptions(&event.uid) {
                set(&mut other, response, received, cx);
                edits.put(other);
            }
            if let Some(master) = edits.master(&event.uid) {
                event = master.clone();
            }
        }
        None => {}
    }
    set(&mut event, response, received, cx);
    edits.put(event.clone());
    event
}

fn set(event: &mut Event, response: Response, received: Option<&Mail>, cx: &Cx) {
    let status = response.word().to_owned();
    match event
        .attendees
        .iter_mut()
        .find(|guest| is_own(&guest.email, cx))
    {
        Some(guest) => guest.status = status,
        None => event.attendees.push(Attendee {
            name: cx.settings.owner.name.clone(),
            email: own_address(received, cx),
            status,
        }),
    }
    // An answer is no revision of the event: only its organizer counts those (RFC 5546, 2.1.4).
    event.updated = cx.now.timestamp();
}

/// Returns the address under which the person is invited: the one that received the mail, else the first of their own.
fn own_address(received: Option<&Mail>, cx: &Cx) -> String {
    let to = received
        .into_iter()
        .flat_map(|mail| mail.to.iter().chain(&mail.cc));
    let mut own = to.filter(|who: &&Address| is_own(&who.email, cx));
    let own = own.next().map(|who| who.email.clone());
    own.or_else(|| cx.settings.owner.emails.first().cloned())
        .unwrap_or_default()
}

fn sketch(invitations: &[Invitation], response: Response, told: &Told, cx: &Cx) -> CardDraft {
    let title = match invitations {
        [one] => format!(
            "{} {}",
            response.verb(),
            words::quoted(&one.scoped.row.0.event.summary)
        ),
        many => format!(
            "{} {}",
            response.verb(),
            words::plural(many.len(), "invitation")
        ),
    };
    let mut sketch = CardDraft::new(title, "Note it", "Can be undone from Activity.");
    let old = invitations
        .first()
        .and_then(|one| own_response(&one.scoped.row.0.event, cx))
        .unwrap_or_else(|| "no answer".into());
    sketch
        .facts
        .push(FactDraft::from_arg("Your answer", response.word(), "/response").was(old));
    sketch.items = invitations
        .iter()
        .map(|one| {
            let mut item = one.scoped.row.item(cx);
            if let Some(words) = scope_words(one.scoped.scope) {
                item.detail = Some(format!("{} · {words}", item.detail.unwrap_or_default()));
            }
            item
        })
        .collect();
    sketch.note(NoteKind::Info, told.organizer());
    if !told.mails.is_empty() {
        sketch.verb = response.button().into();
    }
    for (mail, invited) in invitations.iter().filter_map(|one| one.mail.as_ref()) {
        invited::note(mail, invited, &mut sketch, cx);
    }
    sketch
}

fn say(invitations: &[Invitation], response: Response, told: &Told, cx: &Cx) -> String {
    let heard = told.organizer();
    let lines: Vec<String> = invitations
        .iter()
        .map(|one| one.scoped.row.line(cx))
        .collect();
    let noted = match response {
        Response::Accepted => "Accepted",
        Response::Declined => "Declined",
        Response::Tentative => "Answered “maybe”",
    };
    match lines.as_slice() {
        [one] => format!("{noted}: {one}. {heard}"),
        many => format!(
            "{noted}: {}.\n\n{}\n\n{heard}",
            words::plural(many.len(), "event"),
            words::bullets(many, many.len())
        ),
    }
}
