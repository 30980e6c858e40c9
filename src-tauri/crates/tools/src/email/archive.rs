//! `email.archive`

use adjutant_domain::gate::Risk;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Folder, Mail};
use adjutant_domain::route::Domain;
use adjutant_domain::tool::{Icon, ToolSpec};
use adjutant_text::same;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::filing::{MailEdit, OwnPlaces, mails, new_note, prepare, what};
use super::find::MailFilter;
use super::label;
use crate::effect::Prepared;
use crate::registry::{Acting, spec};
use crate::select::{Ids, Which, bad};
use crate::words;

/// The tool `email.archive`: moves mails to the archive, the inbox, junk or a folder of the person's own.
pub(super) struct Archive;

/// Arguments of `email.archive`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The mail.
    id: Option<Ids>,
    /// Several mails.
    ids: Option<Ids>,
    /// Or: which mails, by description.
    target: Option<MailFilter>,
    /// Where to; the archive when left out.
    into: Option<Into>,
    /// Or: a folder of the person's own, by name; made if there is none.
    folder: Option<String>,
}

/// Where mails are moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Into {
    /// The archive.
    #[default]
    Archive,
    /// Back to the inbox.
    Inbox,
    /// Junk.
    Junk,
}

#[async_trait]
impl Acting for Archive {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        let usual = spec(
            "email.archive",
            Domain::Email,
            Risk::LocalReversible,
            "Moves mails to the archive, back to the inbox, to junk, or into a folder of the person's own.",
            &[
                "archive the email",
                "file the mail away",
                "file the mail under",
                "move the mail to the folder",
                "clear my inbox",
                "move to the archive",
                "move back to the inbox",
                "mark as spam",
                "that is junk",
            ],
        );
        ToolSpec {
            icon: Icon::Archive,
            ..usual
        }
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        let mut mails = mails(Which::of(&args.id, &args.ids, &args.target), cx).await?;
        if let Some(name) = &args.folder {
            if args.into.is_some() {
                return Err(bad("Say one place: a folder of your own, or another one."));
            }
            return file(mails, label::clean(&[name])?, cx).await;
        }
        let (folder, words) = match args.into.unwrap_or_default() {
            Into::Archive => (Folder::Archive, ("Archive {}", "Archive", "Archived {}")),
            Into::Inbox => (
                Folder::Inbox,
                ("Move {} to the inbox", "Move", "Moved {} to the inbox"),
            ),
            Into::Junk => (
                Folder::Junk,
                ("Move {} to junk", "Move", "Moved {} to junk"),
            ),
        };
        if !mails.is_empty() && mails.iter().all(|mail| mail.folder == folder) {
            return Err(bad(there(&mails, folder)));
        }
        // The answer does not count mails that are there already as moved.
        mails.retain(|mail| mail.folder != folder);
        Ok(prepare(mails, MailEdit::Move { folder }, words, cx))
    }
}

/// Prepares moving mails into a folder of the person's own.
async fn file(mut mails: Vec<Mail>, names: Vec<String>, cx: &Cx) -> Result<Prepared, Stop> {
    let Some(name) = names.into_iter().next() else {
        return Err(bad("Say the name of the folder."));
    };
    let is_there = |mail: &Mail| {
        mail.folder == Folder::Archive && mail.labels.iter().any(|one| same(one, &name))
    };
    let shown = words::quoted(&name);
    if !mails.is_empty() && mails.iter().all(is_there) {
        let verb = if mails.len() == 1 { "is" } else { "are" };
        let what = what(&mails);
        return Err(bad(format!("{what} {verb} in {shown} already.")));
    }
    mails.retain(|mail| !is_there(mail));
    let places = OwnPlaces::of(&mails, cx).await?;
    let is_new = !mails.is_empty() && places.is_new_folder(&name).await?;
    let place = match is_new {
        true => format!("the new folder {shown}"),
        false => shown,
    };
    let (title, done) = (
        format!("Move {{}} to {place}"),
        format!("Moved {{}} to {place}"),
    );
    let note = is_new.then(|| new_note("folder", std::slice::from_ref(&name)));
    let edit = MailEdit::File { name };
    let mut prepared = prepare(mails, edit, (&title, "Move", &done), cx);
    prepared.sketch.notes.extend(note);
    Ok(prepared)
}

/// Returns the sentence that all mails are there already.
fn there(mails: &[Mail], folder: Folder) -> String {
    let verb = if mails.len() == 1 { "is" } else { "are" };
    let place = match folder {
        Folder::Archive => "archived",
        Folder::Inbox => "in the inbox",
        Folder::Junk => "in junk",
        Folder::Sent | Folder::Trash => "there",
    };
    format!("{} {verb} {place} already.", what(mails))
}
