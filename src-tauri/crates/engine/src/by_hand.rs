//! What the person decides by hand about things that are decided already: a mail on its way out, a memory. Nothing here
//! reaches anybody; each is one recorded effect with its way back.

use std::sync::Arc;

use adjutant_domain::change::Change;
use adjutant_domain::faults::UserFault;
use adjutant_domain::ids::RecordId;
use adjutant_domain::ports::{MailFilter, MemoryFilter};
use adjutant_domain::record::{Folder, Kind, Memory, OutboxItem, OutboxState, Record};
use serde_json::{Value, json};

use crate::core::Core;
use crate::op::OutboxAct;
use crate::ops::Work;
use crate::turn::driver::Job;
use crate::undo::{Plain, carry_out};

/// Mails of one subject in Sent that are looked through for a Message-ID.
const SENT_LOOKED_AT_MAX: usize = 200;

/// Ends a hold, looks whether a mail has left, or makes a draft of it again.
pub(crate) async fn outbox(
    core: &Arc<Core>,
    job: &Job,
    work: &Work,
    id: &RecordId,
    act: OutboxAct,
) -> Result<(), UserFault> {
    let Some(Record::Outbox(item)) = record(core, Kind::Outbox, id).await? else {
        return Err(UserFault::new(
            "not_found",
            "This mail is not in the outbox any more.",
            "Look in Activity for what became of it.",
        ));
    };
    let args = json!({ "id": id });
    let plain = match act {
        OutboxAct::SendNow => send_now(item, args)?,
        OutboxAct::CheckAgain => check_again(core, item, args).await?,
        OutboxAct::ToDraft => to_draft(item, args)?,
    };
    carry_out(core, job, (&work.conversation, &work.turn), plain)
        .await
        .map(drop)
}

async fn record(core: &Core, kind: Kind, id: &RecordId) -> Result<Option<Record>, UserFault> {
    let found = core.parts.records.get(kind, id).await;
    found.map_err(|fault| UserFault::from(&fault))
}

/// The mail is not where this could be done with it.
fn elsewhere(code: &str, what: String) -> UserFault {
    UserFault::new(code, what, "Look at Approvals for how far it is.")
}

/// Ends the hold. What goes out later is byte for byte what was approved.
fn send_now(item: OutboxItem, args: Value) -> Result<Plain, UserFault> {
    if item.state != OutboxState::Held {
        let what = format!("“{}” is not held any more; nothing was done.", item.subject);
        return Err(elsewhere("not_held", what));
    }
    Ok(Plain {
        title: format!("Send “{}” now", item.subject),
        tool: "outbox.release",
        args,
        say: format!(
            "The hold of “{}” is over. No account can send it yet; it goes out once one is connected.",
            item.subject
        ),
        change: Change::replace(Record::Outbox(OutboxItem {
            state: OutboxState::Queued,
            ..item
        })),
        undoes: None,
    })
}

/// Looks for the mail in Sent by its Message-ID, which was fixed when it was proposed.
async fn check_again(core: &Core, item: OutboxItem, args: Value) -> Result<Plain, UserFault> {
    if item.state != OutboxState::Unknown {
        let what = format!(
            "It is known how far “{}” is; nothing was done.",
            item.subject
        );
        return Err(elsewhere("not_unknown", what));
    }
    let sent = MailFilter {
        subject_is: Some(item.subject.clone()),
        folders: vec![Folder::Sent],
        limit: Some(SENT_LOOKED_AT_MAX),
        ..MailFilter::default()
    };
    let mails = core
        .parts
        .records
        .mails(&sent)
        .await
        .map_err(|fault| UserFault::from(&fault))?;
    let left =
        !item.message_id.is_empty() && mails.iter().any(|mail| mail.message_id == item.message_id);
    if !left {
        return Err(UserFault::new(
            "not_there",
            format!(
                "“{}” is not in Sent, and no account is connected that could be asked.",
                item.subject
            ),
            "Look in your mail program, or ask the recipient, before sending it again.",
        ));
    }
    Ok(Plain {
        title: format!("Check whether “{}” has left", item.subject),
        tool: "outbox.check",
        args,
        say: format!("“{}” has left: it is in Sent.", item.subject),
        change: Change::replace(Record::Outbox(OutboxItem {
            state: OutboxState::Sent,
            ..item
        })),
        undoes: None,
    })
}

/// Makes a draft of a mail that has not left. What was approved is dropped: sending it asks again.
fn to_draft(item: OutboxItem, args: Value) -> Result<Plain, UserFault> {
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
    Ok(Plain {
        title: format!("Make “{}” a draft again", item.subject),
        tool: "outbox.draft",
        args,
        say: format!("“{}” is a draft again. Nothing was sent.", item.subject),
        change: Change::replace(Record::Outbox(OutboxItem {
            state: OutboxState::Draft,
            message_id: String::new(),
            mime: None,
            not_before: None,
            ..item
        })),
        undoes: None,
    })
}

/// Keeps a memory without using it in answers, or uses it again.
pub(crate) async fn use_memory(
    core: &Arc<Core>,
    job: &Job,
    work: &Work,
    id: &RecordId,
    on: bool,
) -> Result<(), UserFault> {
    let records = &core.parts.records;
    let Some(Record::Memory(memory)) = record(core, Kind::Memory, id).await? else {
        return Err(UserFault::new(
            "not_found",
            "This is not remembered any more.",
            "",
        ));
    };
    if on != memory.valid_to.is_some() {
        return Err(UserFault::new(
            "same",
            "This is so already; nothing was done.",
            "",
        ));
    }
    if on {
        let now_said = MemoryFilter {
            key: Some(memory.key.clone()),
            ..MemoryFilter::default()
        };
        let others = records
            .memories(&now_said)
            .await
            .map_err(|fault| UserFault::from(&fault))?;
        if let Some(other) = others.iter().find(|other| other.id != memory.id) {
            return Err(UserFault::new(
                "replaced",
                format!("“{}” is used for “{}” now.", other.value, other.key),
                "Stop using that one first, or correct it.",
            ));
        }
    }
    let now = core.parts.clock.now().timestamp();
    let say = if on {
        format!("Used again: {}", memory.value)
    } else {
        format!("Kept, and not used any more: {}", memory.value)
    };
    let plain = Plain {
        title: say.clone(),
        tool: "memory.use",
        args: json!({ "id": id, "on": on }),
        say,
        change: Change::replace(Record::Memory(Memory {
            valid_to: (!on).then_some(now),
            updated: now,
            ..memory
        })),
        undoes: None,
    };
    carry_out(core, job, (&work.conversation, &work.turn), plain)
        .await
        .map(drop)
}
