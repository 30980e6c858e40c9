//! `email.label`

use adjutant_domain::gate::Risk;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::filing::{MailEdit, OwnPlaces, mails, new_note, prepare};
use super::find::MailFilter;
use crate::effect::Prepared;
use crate::registry::{Acting, spec};
use crate::select::{Ids, Which, bad};
use crate::words;

/// Maximum labels in one call.
const LABELS_MAX: usize = 20;
/// Maximum characters of a label.
const LABEL_CHARS_MAX: usize = 100;

/// The tool `email.label`: adds labels to mails and removes them.
pub(super) struct Label;

/// Arguments of `email.label`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The mail.
    id: Option<Ids>,
    /// Several mails.
    ids: Option<Ids>,
    /// Or: which mails, by description.
    target: Option<MailFilter>,
    /// Labels to put on.
    add: Option<Vec<String>>,
    /// Labels to take off.
    remove: Option<Vec<String>>,
}

#[async_trait]
impl Acting for Label {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "email.label",
            Domain::Email,
            Risk::LocalReversible,
            "Puts labels on mails or takes them off.",
            &[
                "label the email",
                "tag the mail as",
                "put the label … on",
                "remove the label",
                "categorise the email",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        let add = clean(args.add.as_deref().unwrap_or_default())?;
        let remove = clean(args.remove.as_deref().unwrap_or_default())?;
        if add.is_empty() && remove.is_empty() {
            return Err(bad("Say which label to put on or take off."));
        }
        let mails = mails(Which::of(&args.id, &args.ids, &args.target), cx).await?;
        let named = |list: &[String]| {
            words::join(
                &list
                    .iter()
                    .map(|one| words::quoted(one))
                    .collect::<Vec<_>>(),
            )
        };
        let places = OwnPlaces::of(&mails, cx).await?;
        let new = places.new_labels(&add).await?;
        let made = match (new.as_slice(), add.len()) {
            ([], _) => String::new(),
            ([_], 1) => ", a new label".to_owned(),
            (new, count) if new.len() == count => ", new labels".to_owned(),
            (new, _) => format!(" ({} is new)", named(new)),
        };
        let (title, done) = match (add.as_slice(), remove.as_slice()) {
            (add, []) => (
                format!("Label {{}} {}{made}", named(add)),
                format!("Labelled {{}} {}{made}", named(add)),
            ),
            ([], remove) => (
                format!("Take {} off {{}}", named(remove)),
                format!("Took {} off {{}}", named(remove)),
            ),
            (add, remove) => (
                format!(
                    "Label {{}} {} instead of {}{made}",
                    named(add),
                    named(remove)
                ),
                format!(
                    "Labelled {{}} {} instead of {}{made}",
                    named(add),
                    named(remove)
                ),
            ),
        };
        let edit = MailEdit::Labels { add, remove };
        let mut prepared = prepare(mails, edit, (&title, "Label", &done), cx);
        if !new.is_empty() {
            prepared.sketch.notes.push(new_note("label", &new));
        }
        Ok(prepared)
    }
}

/// Returns labels with single spaces, without empty ones.
///
/// # Errors
/// Returns a fault if there are too many, or one is too long.
pub(super) fn clean(labels: &[impl AsRef<str>]) -> Result<Vec<String>, Stop> {
    let labels: Vec<String> = labels
        .iter()
        .map(|label| {
            label
                .as_ref()
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
        })
        .filter(|label| !label.is_empty())
        .collect();
    if labels.len() > LABELS_MAX
        || labels
            .iter()
            .any(|label| label.chars().count() > LABEL_CHARS_MAX)
    {
        return Err(bad(format!(
            "At most {LABELS_MAX} labels of {LABEL_CHARS_MAX} characters."
        )));
    }
    Ok(labels)
}
