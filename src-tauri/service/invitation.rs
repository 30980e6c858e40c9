//! Shows what a mail carries for the calendar.

use adjutant_api::convert::records::{event, guest, occurrence};
use adjutant_api::mail::{InvitationKind, InvitationStanding, InvitationView};
use adjutant_api::{Fault, Reply};
use adjutant_domain::faults::UserFault;
use adjutant_domain::ids::RecordId;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Records as _;
use adjutant_domain::record::{Kind, Record};
use adjutant_interchange::Method;
use adjutant_tools::calendar::{Invited, Standing};

use super::{Service, missing, store_fault};

/// Highest number of overlapping events shown.
const OVERLAPS_MAX: usize = 3;

/// Returns what a mail carries for the calendar.
pub(super) async fn show(service: &Service, id: &str) -> Result<Reply, Fault> {
    let record = RecordId(id.to_owned());
    let mail = service.store.get(Kind::Mail, &record).await;
    let Some(Record::Mail(mail)) = mail.map_err(store_fault)? else {
        return Err(missing(id));
    };
    let cx = service.engine.reading();
    let order = cx.settings.date_order();
    let invited = Invited::in_mail(&mail, &cx).await.map_err(stopped)?;
    let Some((invited, first)) = invited.and_then(|one| {
        let first = one.first().cloned()?;
        Some((one, first))
    }) else {
        return Ok(Reply::MailInvitation { invitation: None });
    };
    let overlaps = invited.overlaps(&cx).await.map_err(stopped)?;
    let mut row = event(&first, order);
    if !invited.has(&first) {
        row.id.clear();
    }
    let view = InvitationView {
        kind: match invited.method {
            Method::Publish => InvitationKind::Publish,
            Method::Request => InvitationKind::Request,
            Method::Reply => InvitationKind::Reply,
            Method::Cancel => InvitationKind::Cancel,
        },
        standing: match invited.standing {
            Standing::New => InvitationStanding::New,
            Standing::Changed => InvitationStanding::Changed,
            Standing::Current => InvitationStanding::Current,
            Standing::Outdated => InvitationStanding::Outdated,
            Standing::Own => InvitationStanding::Own,
        },
        event: row,
        more: u32::try_from(invited.events().saturating_sub(1)).unwrap_or(u32::MAX),
        answer: invited.answer(&cx),
        answered: invited.answered.as_ref().map(guest),
        genuine: invited.genuine,
        can_answer: invited.can_be_answered(),
        can_enter: invited.can_be_entered(),
        overlaps: overlaps
            .iter()
            .take(OVERLAPS_MAX)
            .map(|one| occurrence(&one.0, order))
            .collect(),
    };
    Ok(Reply::MailInvitation {
        invitation: Some(Box::new(view)),
    })
}

/// Converts why a tool stopped. A question cannot come up here: nothing is chosen.
fn stopped(stop: Stop) -> Fault {
    match stop {
        Stop::Fault(fault) => UserFault::from(&fault).into(),
        Stop::Ask(question) | Stop::Closest(question) => {
            UserFault::new("failed", question.text, "").into()
        }
    }
}
