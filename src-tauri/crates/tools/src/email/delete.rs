//! `email.delete`

use adjutant_domain::gate::{Assessment, Risk};
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Folder, Mail, OutboxItem, Record};
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::MailRow;
use super::filing::{MailEdit, after, answer, what};
use super::find::MailFilter;
use crate::effect::{CardDraft, Prepared, local};
use crate::registry::{Acting, spec};
use crate::select::{AsTarget, Ids, Row, Which, targets};
use crate::words;

/// The tool `email.delete`: moves mails to the trash; removes drafts and unsent mail.
pub(super) struct Delete;

/// Arguments of `email.delete`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The mail.
    id: Option<Ids>,
    /// Several mails.
    ids: Option<Ids>,
    /// Or: which mails, by description.
    target: Option<MailFilter>,
}

#[async_trait]
impl Acting for Delete {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "email.delete",
            Domain::Email,
            Risk::Destroys,
            "Moves mails to the trash; removes drafts and mail that has not left yet.",
            &[
                "delete the email",
                "delete all emails from",
                "trash the mail",
                "get rid of the message",
                "remove the email",
                "throw away",
                "delete my last email from",
                "delete the draft",
                "bin it",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        let rows = targets(Which::of(&args.id, &args.ids, &args.target), cx).await?;
        let (mut mails, mut outgoing): (Vec<Mail>, Vec<OutboxItem>) = (Vec::new(), Vec::new());
        for row in &rows {
            match row {
                MailRow::Mail(mail) => mails.push(mail.as_ref().clone()),
                MailRow::Out(item) => outgoing.push(item.as_ref().clone()),
            }
        }
        let edit = MailEdit::Move {
            folder: Folder::Trash,
        };
        let change = outgoing
            .iter()
            .fold(edit.change(&mails, cx), |change, item| {
                change.and_remove(&Record::Outbox(item.clone()))
            });
        let what = match (mails.as_slice(), outgoing.as_slice()) {
            ([], [one]) => words::quoted(&one.subject),
            (mails, []) => what(mails),
            _ => words::plural(rows.len(), "mail"),
        };
        let done = if mails.is_empty() {
            format!("Removed {what}")
        } else {
            format!("Moved {what} to the trash")
        };
        let mut sketch = CardDraft::new(
            format!("Delete {what}"),
            "Delete",
            "Can be undone: mails go to the trash.",
        );
        sketch.items = rows.iter().map(|row| row.item(cx)).collect();
        let mut shown = after(&mails, &edit, cx);
        shown.extend(
            outgoing
                .into_iter()
                .map(|item| MailRow::Out(Box::new(item))),
        );
        Ok(Prepared {
            targets: rows.iter().map(AsTarget::target).collect(),
            answer: answer(&shown, &done, cx),
            operations: local(change),
            assessment: Assessment::deletes(rows.len()),
            sketch,
        })
    }
}
