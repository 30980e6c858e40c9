//! The mail that takes the answer to an invitation to its organizer, where no provider does so.

use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Address, Attendee, Event, Mail};
use adjutant_interchange::write::answer;

use super::compose::{Letter, can_answer, prepare};
use super::found_in;
use super::mime::one_line;
use super::reply::references;
use crate::address::{Resolved, is_address, origin_of};
use crate::effect::Prepared;
use crate::words;

/// An answer to an invitation.
pub(crate) struct AnswerMail<'a> {
    /// The event, with the answer.
    pub(crate) event: &'a Event,
    /// The person as a guest of it, with the answer.
    pub(crate) guest: Attendee,
    /// The answer as the first word of the subject: "Accepted".
    pub(crate) heading: &'static str,
    /// The answer in a sentence: "has accepted".
    pub(crate) says: &'static str,
    /// The mail that carried the invitation, if it is known.
    pub(crate) mail: Option<&'a Mail>,
    /// JSON pointer of the argument that names the invitation.
    pub(crate) pointer: &'static str,
}

/// Prepares the mail; `None` if the event names no organizer that a mail can reach, or no account can send one.
///
/// # Errors
/// Returns the fault of storage, or one that says why the mail cannot be written.
pub(crate) async fn answer_mail(asked: &AnswerMail<'_>, cx: &Cx) -> Result<Option<Prepared>, Stop> {
    let organizer = asked.event.organizer.as_ref();
    let Some(organizer) = organizer.filter(|who| is_address(&who.email)) else {
        return Ok(None);
    };
    let invited = [Address {
        name: asked.guest.name.clone(),
        email: asked.guest.email.clone(),
    }];
    if !can_answer(&invited, cx).await? {
        return Ok(None);
    }
    let found = match asked.mail {
        Some(mail) => found_in(mail, cx),
        None => format!("event {}", words::quoted(&asked.event.summary)),
    };
    let letter = Letter {
        verb: "Send",
        to: vec![Resolved {
            address: Address {
                name: organizer.name.clone(),
                email: organizer.email.clone(),
            },
            pointer: asked.pointer.to_owned(),
            source: Some(origin_of(&organizer.email, &found, cx).await?),
        }],
        subject: one_line(&format!("{}: {}", asked.heading, asked.event.summary)),
        body: body(asked, cx),
        calendar: Some(answer(asked.event, &asked.guest)),
        in_reply_to: asked.mail.map(|mail| mail.message_id.clone()),
        references: asked.mail.map(references).unwrap_or_default(),
        received_by: invited.to_vec(),
        ..Letter::default()
    };
    prepare(letter, cx).await.map(Some)
}

fn body(asked: &AnswerMail<'_>, cx: &Cx) -> String {
    let event = asked.event;
    format!(
        "{} {} the invitation to {}, {}.",
        words::who(&asked.guest.name, &asked.guest.email),
        asked.says,
        words::quoted(&event.summary),
        words::range(&event.start, &event.end, cx)
    )
}
