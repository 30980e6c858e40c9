//! Who hears of answers to invitations: the providers of the calendars tell the organizers, or mails do.

use std::collections::BTreeSet;

use adjutant_domain::gate::Assessment;
use adjutant_domain::operation::Operation;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Attendee, Event};

use super::announced::Announced;
use super::respond::{Args, Invitation};
use crate::address::is_own;
use crate::effect::{CardDraft, Prepared};
use crate::email::{AnswerMail, answer_mail};

/// Who learns of the answers.
pub(super) struct Told {
    /// What the providers of the calendars do.
    pub(super) provider: Announced,
    /// The mails that take an answer to its organizer, where no provider does.
    pub(super) mails: Vec<Prepared>,
    /// How many answers there are.
    pub(super) all: usize,
}

impl Told {
    /// Returns the sentence about the organizers.
    pub(super) fn organizer(&self) -> &'static str {
        match (self.mails.len(), self.all) {
            (0, _) => self.provider.organizer(),
            (1, 1) => "The organizer is told by mail.",
            (mails, all) if mails == all => "The organizers are told by mail.",
            _ => "Some organizers are told by mail.",
        }
    }
}

/// Prepares a mail to each organizer whom no provider tells.
pub(super) async fn mails(
    invitations: &[Invitation],
    answered: &[Event],
    args: &Args,
    announced: &BTreeSet<String>,
    cx: &Cx,
) -> Result<Vec<Prepared>, Stop> {
    let pointer = match (&args.mail, &args.target) {
        (Some(_), _) => "/mail",
        (None, Some(_)) => "/target",
        (None, None) => "/id",
    };
    let mut mails = Vec::new();
    for (one, event) in invitations.iter().zip(answered) {
        let guest = event
            .attendees
            .iter()
            .find(|guest| is_own(&guest.email, cx));
        let Some(guest) = guest.filter(|_| !announced.contains(&event.uid)) else {
            continue;
        };
        let asked = AnswerMail {
            event,
            guest: Attendee {
                name: match guest.name.is_empty() {
                    true => cx.settings.owner.name.clone(),
                    false => guest.name.clone(),
                },
                ..guest.clone()
            },
            heading: args.response.heading(),
            says: args.response.says(),
            mail: one.mail.as_ref().map(|(mail, _)| mail),
            pointer,
        };
        mails.extend(answer_mail(&asked, cx).await?);
    }
    Ok(mails)
}

/// Adds a mail to what the call does and shows.
pub(super) fn send_too(
    mail: Prepared,
    operations: &mut Vec<Operation>,
    assessment: &mut Assessment,
    sketch: &mut CardDraft,
) {
    // One change: what stays on this computer is one operation, and the rest is split by account.
    for operation in mail.operations {
        match (operations.as_mut_slice(), operation) {
            ([Operation::Local { change }], Operation::Local { change: more }) => {
                change.ops.extend(more.ops);
            }
            (_, other) => operations.push(other),
        }
    }
    assessment.risk = assessment.risk.max(mail.assessment.risk);
    assessment.reaching.extend(mail.assessment.reaching);
    assessment.looked_up.extend(mail.assessment.looked_up);
    sketch.account = mail.sketch.account;
    sketch.hold_seconds = sketch.hold_seconds.max(mail.sketch.hold_seconds);
    sketch.undo = mail.sketch.undo;
    let mut facts = mail.sketch.facts;
    facts.retain(|fact| matches!(fact.label.as_str(), "From" | "To" | "Subject"));
    sketch.facts.extend(facts);
    sketch.notes.extend(mail.sketch.notes);
    // The card shows every word that is sent.
    let texts = sketch.body.take().into_iter().chain(mail.sketch.body);
    sketch.body = texts.reduce(|all, next| format!("{all}\n\n{next}"));
}
