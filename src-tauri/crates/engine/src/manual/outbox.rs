//! Decisions about an outgoing mail.

use adjutant_domain::faults::UserFault;
use adjutant_domain::filter::{Filter, Test};
use adjutant_domain::ids::RecordId;
use adjutant_domain::ports::Records;
use adjutant_domain::record::{Folder, Kind, OutboxItem, OutboxState, Record};

use super::{record, rows};
use crate::prepared::Prepared;

/// Maximum number of mails with the same subject in Sent to search for a Message-ID.
const SENT_LOOKED_AT_MAX: usize = 200;

pub(super) async fn mail(records: &dyn Records, id: &RecordId) -> Result<OutboxItem, UserFault> {
    match record(records, Kind::Outbox, id).await? {
        Some(Record::Outbox(item)) => Ok(item),
        _ => Err(UserFault::new(
            "not_found",
            "This mail is no longer in the outbox.",
            "Activity shows what became of it.",
        )),
    }
}

/// Returns the fault for a mail whose state does not allow the command.
fn elsewhere(code: &str, what: String) -> UserFault {
    UserFault::new(code, what, "Approvals shows how far it is.")
}

/// Looks in Sent for the mail's Message-ID, which was fixed when the mail was proposed.
pub(super) async fn check_again(
    records: &dyn Records,
    item: OutboxItem,
) -> Result<Prepared, UserFault> {
    if item.state != OutboxState::Unknown {
        let what = format!(
            "Only a mail that may have left can be checked, and “{}” is not one; nothing was done.",
            item.subject
        );
        return Err(elsewhere("not_unknown", what));
    }
    let sent = Filter::all()
        .and(Test::Called(item.subject.clone()))
        .and(Test::Folders(vec![Folder::Sent]))
        .at_most(Some(SENT_LOOKED_AT_MAX));
    let mails = records
        .mails(&sent)
        .await
        .map_err(|fault| UserFault::from(&fault))?;
    let left =
        !item.message_id.is_empty() && mails.iter().any(|mail| mail.message_id == item.message_id);
    if !left {
        return Err(UserFault::new(
            "not_there",
            format!(
                "“{}” is not in Sent, and there is no connected account to ask.",
                item.subject
            ),
            "Look in your mail program, or ask the recipient, before sending it again.",
        ));
    }
    Ok(rows(
        format!("Check whether “{}” has left", item.subject),
        format!("“{}” has left: it is in Sent.", item.subject),
        Record::Outbox(OutboxItem {
            state: OutboxState::Sent,
            ..item
        }),
    ))
}

/// Turns an unsent mail into a draft. Its approval is dropped, so sending the draft asks again.
pub(super) fn to_draft(item: OutboxItem) -> Result<Prepared, UserFault> {
    let stays = match item.state {
        OutboxState::Held | OutboxState::Queued | OutboxState::Failed => None,
        OutboxState::Draft => Some("is a draft already"),
        OutboxState::Sent => Some("has left"),
        OutboxState::Unknown => Some("may have left"),
    };
    if let Some(why) = stays {
        let what = format!("“{}” {why}; nothing was done.", item.subject);
        return Err(elsewhere("too_late", what));
    }
    Ok(rows(
        format!("Make “{}” a draft again", item.subject),
        format!("“{}” is a draft again. Nothing was sent.", item.subject),
        Record::Outbox(item.into_draft()),
    ))
}
