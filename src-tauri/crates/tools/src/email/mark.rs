//! `email.mark`

use adjutant_domain::gate::Risk;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::filing::{MailEdit, mails, prepare};
use super::find::MailFilter;
use crate::effect::Prepared;
use crate::registry::{Acting, spec};
use crate::select::{Ids, Which, bad};

/// The tool `email.mark`: marks mails as read, unread, starred or not starred.
pub(super) struct Mark;

/// Arguments of `email.mark`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The mail.
    id: Option<Ids>,
    /// Several mails.
    ids: Option<Ids>,
    /// Or: which mails, by description.
    target: Option<MailFilter>,
    /// Read, or unread.
    read: Option<bool>,
    /// Starred, or not.
    starred: Option<bool>,
}

#[async_trait]
impl Acting for Mark {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "email.mark",
            Domain::Email,
            Risk::LocalReversible,
            "Marks mails as read, unread, starred or not starred.",
            &[
                "mark as read",
                "mark as unread",
                "star the email",
                "flag the mail",
                "unstar",
                "mark all emails from … as read",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        let word = match (args.read, args.starred) {
            (None, None) => return Err(bad("Say how to mark it: read, unread or starred.")),
            (Some(true), None) => "read",
            (Some(false), None) => "unread",
            (None, Some(true)) => "starred",
            (None, Some(false)) => "not starred",
            (Some(true), Some(true)) => "read and starred",
            (Some(true), Some(false)) => "read and not starred",
            (Some(false), Some(true)) => "unread and starred",
            (Some(false), Some(false)) => "unread and not starred",
        };
        let mails = mails(Which::of(&args.id, &args.ids, &args.target), cx).await?;
        Ok(prepare(
            mails,
            MailEdit::Mark {
                read: args.read,
                starred: args.starred,
            },
            (
                &format!("Mark {{}} as {word}"),
                "Mark",
                &format!("Marked {{}} as {word}"),
            ),
            cx,
        ))
    }
}
