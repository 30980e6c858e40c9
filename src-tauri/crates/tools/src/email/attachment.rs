//! `email.attachment`

use adjutant_domain::canonical::sha256;
use adjutant_domain::gate::{Assessment, Risk};
use adjutant_domain::operation::{
    Ended, Operation, Receipt, Reconciled, RemoteFault, SaveFile, Why,
};
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::plan::{AnswerKind, Choice, Question};
use adjutant_domain::ports::{Cx, Files};
use adjutant_domain::route::Domain;
use adjutant_domain::source::{Source, Taint};
use adjutant_domain::tool::ToolSpec;
use adjutant_text::{all_words, same};
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::find::MailFilter;
use super::mime::{MimePart, parts_of};
use super::{MailRow, found_in};
use crate::effect::{CardDraft, FactDraft, Prepared};
use crate::file::{free_name, lies_there, write_new};
use crate::registry::{Acting, spec};
use crate::select::{AsTarget, CHOICES_MAX, Ids, Row as _, bad, not_found, target_one};
use crate::words;

/// The tool `email.attachment`: saves an attached file.
pub(super) struct Attachment;

/// Writes the files that `email.attachment` has prepared.
#[derive(Clone, Copy, Debug, Default)]
pub struct SavedFiles;

#[async_trait]
impl Files for SavedFiles {
    async fn save(&self, file: &SaveFile, cx: &Cx) -> Ended {
        let refused = match save(file, cx).await {
            Ok(()) => return done(file),
            Err(Stop::Fault(fault)) => fault.to_string(),
            Err(Stop::Ask(question) | Stop::Closest(question)) => question.text,
        };
        match self.reconcile(file).await {
            Reconciled::Done { receipt } => Ended::Done { receipt },
            Reconciled::NotDone => Ended::Refused {
                fault: RemoteFault::Refused { what: refused },
            },
            Reconciled::CannotTell | Reconciled::NotNow { .. } => Ended::Unknown {
                why: Why::Unreadable,
            },
        }
    }

    async fn reconcile(&self, file: &SaveFile) -> Reconciled {
        match lies_there(&file.path, file.bytes, &file.sha256).await {
            Some(true) => Reconciled::Done {
                receipt: receipt(file),
            },
            Some(false) => Reconciled::NotDone,
            None => Reconciled::CannotTell,
        }
    }
}

fn done(file: &SaveFile) -> Ended {
    Ended::Done {
        receipt: receipt(file),
    }
}

fn receipt(file: &SaveFile) -> Receipt {
    Receipt::File {
        path: file.path.clone(),
        bytes: file.bytes,
        sha256: file.sha256.clone(),
    }
}

/// Writes the file that was shown and reads it back. Safe to repeat.
async fn save(file: &SaveFile, cx: &Cx) -> Result<(), Stop> {
    let Some(MailRow::Mail(mail)) = MailRow::load(&file.mail.0, cx).await? else {
        return Err(not_found("That mail is no longer there."));
    };
    let parts = parts_of(&mail, cx).await?;
    let part = parts
        .into_iter()
        .nth(file.index)
        .filter(|part| sha256(&part.bytes).0 == file.sha256)
        .ok_or_else(|| not_found("That attached file is no longer there."))?;
    write_new(&file.path, part.bytes, cx).await
}

/// Arguments of `email.attachment`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The mail.
    id: Option<Ids>,
    /// Or: which mail, by description.
    target: Option<MailFilter>,
    /// Name of the attached file; asked for when there are several.
    name: Option<String>,
    /// Allowed folder to save it in; the first one when left out.
    folder: Option<String>,
}

#[async_trait]
impl Acting for Attachment {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "email.attachment",
            Domain::Email,
            Risk::LocalReversible,
            "Saves an attached file of a mail as a new file in an allowed folder.",
            &[
                "save the attachment",
                "download the attachment",
                "save the file from the email",
                "get the PDF from the mail",
                "extract the attachment",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        let row = target_one(args.id.as_ref(), args.target.as_ref(), cx).await?;
        let MailRow::Mail(mail) = &row else {
            return Err(bad("A mail that has not been sent has no files to save."));
        };
        if mail.attachments.is_empty() {
            return Err(not_found(format!(
                "{} has no attached files.",
                words::quoted(&mail.subject)
            )));
        }
        let parts = parts_of(mail, cx).await?;
        let index = choose(&parts, args.name.as_deref())?;
        let part = &parts[index];
        let path = free_name(args.folder.as_deref(), &part.name, &part.bytes, cx).await?;
        let sha256 = sha256(&part.bytes).0;
        let shown = path.display().to_string();
        let mut sketch = CardDraft::new(
            format!("Save {}", words::quoted(&part.name)),
            "Save",
            "Cannot be undone here: delete the new file. Nothing is overwritten.",
        );
        sketch.facts.push(FactDraft::with(
            "File",
            part.name.clone(),
            Some(Source::Untrusted {
                origin: found_in(mail, cx),
            }),
        ));
        sketch
            .facts
            .push(FactDraft::from_arg("Saved as", shown.clone(), "/folder"));
        sketch.attachments = vec![part.shown()];
        Ok(Prepared {
            targets: vec![row.target()],
            answer: Answer {
                output: json!({
                    "path": shown, "name": part.name, "size": part.bytes.len(), "sha256": sha256,
                    "count": 1, "ids": [shown],
                }),
                say: format!(
                    "Saved {} as {shown}, {}.",
                    words::quoted(&part.name),
                    words::bytes(part.bytes.len() as u64)
                ),
                referents: Vec::new(),
                taint: Taint::Tainted,
                used_memories: Vec::new(),
            },
            operations: vec![Operation::File {
                file: SaveFile {
                    mail: mail.id.clone(),
                    index,
                    sha256,
                    bytes: part.bytes.len() as u64,
                    path: shown,
                },
            }],
            assessment: Assessment::reversible(),
            sketch,
        })
    }
}

fn choose(parts: &[MimePart], name: Option<&str>) -> Result<usize, Stop> {
    let fitting: Vec<usize> = match name {
        None => (0..parts.len()).collect(),
        Some(name) => {
            let fits = |fit: &dyn Fn(&str) -> bool| -> Vec<usize> {
                let all = 0..parts.len();
                all.filter(|index| fit(&parts[*index].name)).collect()
            };
            // The exact name first: another file may differ only in case or punctuation.
            [
                fits(&|one| one == name),
                fits(&|one| same(one, name)),
                fits(&|one| all_words(name, one)),
            ]
            .into_iter()
            .find(|found| !found.is_empty())
            .unwrap_or_default()
        }
    };
    let (first, others) = match (fitting.as_slice(), name) {
        ([first, others @ ..], _) => (*first, others),
        ([], Some(name)) => {
            return Err(not_found(format!(
                "No attached file is called {}.",
                words::quoted(name)
            )));
        }
        ([], None) => return Err(not_found("That mail has no attached files.")),
    };
    // A question cannot distinguish two files with the same name.
    let alike = |other: &usize| parts[*other].name == parts[first].name;
    if others.is_empty() || (name.is_some() && others.iter().all(alike)) {
        return Ok(first);
    }
    // The person can type the name of a file that is not among the choices.
    let (text, answer) = if fitting.len() > CHOICES_MAX {
        let count = words::plural(fitting.len(), "file");
        (
            format!("There are {count}. What is the name of the one to save?"),
            AnswerKind::Text,
        )
    } else {
        ("Which file?".to_owned(), AnswerKind::Choice)
    };
    Err(Stop::Ask(Question {
        text,
        choices: fitting
            .iter()
            .take(CHOICES_MAX)
            .map(|index| {
                let name = &parts[*index].name;
                Choice::new(words::cut(name, words::INLINE_CHARS_MAX), json!(name)).of_others()
            })
            .collect(),
        slot: "/name".into(),
        answer,
    }))
}
