//! `email.read`

use adjutant_domain::gate::Risk;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::{Cx, NotWhole};
use adjutant_domain::record::Mail;
use adjutant_domain::route::Domain;
use adjutant_domain::source::Taint;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::find::MailFilter;
use super::thread::thread_of;
use super::{MailRow, addresses, subject_words};
use crate::effect::failed;
use crate::registry::{Reading, spec};
use crate::select::{Ids, Pick, Row, listed, referents, target_one};
use crate::words;

/// Maximum mails of a thread that are shown.
const THREAD_MAX: usize = 50;
/// Maximum characters of a mail in the answer's words; the output has all of them.
const SAID_CHARS_MAX: usize = 20_000;

/// The tool `email.read`: reads a mail.
pub(super) struct Read;

/// Arguments of `email.read`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The mail.
    id: Option<Ids>,
    /// Or: which mail, by description.
    target: Option<MailFilter>,
    /// The other mails of the conversation too.
    thread: Option<bool>,
}

#[async_trait]
impl Reading for Read {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "email.read",
            Domain::Email,
            Risk::Read,
            "Reads one mail, with its thread if wanted.",
            &[
                "read the email",
                "open the mail",
                "what does the email say",
                "what did … write",
                "show me the message",
                "read me the last email",
                "show the whole thread",
            ],
        )
    }

    async fn read(&self, args: Args, cx: &Cx) -> Result<Answer, Stop> {
        let row = target_one(args.id.as_ref(), args.target.as_ref(), cx).await?;
        let (row, missing) = whole(row, cx).await?;
        let mut output = with_text(&row, cx);
        let mut rows = vec![row];
        let mut said = say(&rows[0], cx);
        if let Some(why) = missing {
            said.push_str(&format!(
                "\n\nOnly the beginning of this mail is here. {} {}",
                why.what, why.next
            ));
            output["rest_missing"] = json!(why.what);
        }
        if args.thread == Some(true)
            && let MailRow::Mail(mail) = &rows[0]
        {
            let others = thread(mail, cx).await?;
            output["thread"] = others.iter().map(|row| with_text(row, cx)).collect();
            for other in &others {
                said.push_str(&format!("\n\n---\n\n{}", say(other, cx)));
            }
            rows.extend(others);
        } else if let Some(target) = &args.target {
            let others = others_of_then(target, &rows[0], cx).await?;
            said.push_str(&others.note);
            output["ids"] = json!(others.ids);
        }
        Ok(Answer {
            output,
            say: said,
            referents: referents(&rows),
            taint: Taint::Clean,
            used_memories: Vec::new(),
        })
    }
}

/// Returns as much of a mail as can be fetched now, and the reason if that is only its beginning.
async fn whole(row: MailRow, cx: &Cx) -> Result<(MailRow, Option<NotWhole>), Stop> {
    let MailRow::Mail(mail) = &row else {
        return Ok((row, None));
    };
    match cx.mails.complete(&mail.id).await {
        Ok(false) => Ok((row, None)),
        Ok(true) => {
            let more = MailRow::load(mail.id.as_str(), cx).await?;
            Ok((more.unwrap_or(row), None))
        }
        Err(why) => Ok((row, Some(why))),
    }
}

fn with_text(row: &MailRow, cx: &Cx) -> Value {
    let mut value = row.value(cx);
    value["text"] = match row {
        MailRow::Mail(mail) => json!(mail.text),
        MailRow::Out(item) => json!(item.body),
    };
    value
}

fn say(row: &MailRow, cx: &Cx) -> String {
    let (head, text, files) = match row {
        MailRow::Mail(mail) => (
            format!(
                "**{}**\n\nFrom {} to {}, {}.",
                subject_words(&mail.subject),
                words::person(&mail.from.name, &mail.from.email),
                addresses(&mail.to),
                words::instant(mail.date, cx)
            ),
            mail.text.as_str(),
            mail.attachments.as_slice(),
        ),
        MailRow::Out(item) => (
            format!("{}.", row.line(cx)),
            item.body.as_str(),
            [].as_slice(),
        ),
    };
    let body = words::cut(text.trim(), SAID_CHARS_MAX);
    let mut said = format!("{head}\n\n{}", quoted(&body));
    if !files.is_empty() {
        let names: Vec<String> = files
            .iter()
            .map(|file| {
                format!(
                    "{} ({})",
                    words::inline(&file.name),
                    words::bytes(file.size)
                )
            })
            .collect();
        said.push_str(&format!("\n\nAttached: {}.", words::join(&names)));
    }
    said
}

/// Mails that fit a description beside the one that is shown.
#[derive(Default)]
struct Others {
    /// What is said of them; empty if there are none.
    note: String,
    /// Those that the note names.
    ids: Vec<String>,
}

/// Returns the other mails that fit a description with a time: "what did Tom write yesterday" is answered with the latest
/// one, and he may have written twice.
async fn others_of_then(target: &MailFilter, shown: &MailRow, cx: &Cx) -> Result<Others, Stop> {
    if target.since.is_none() && target.until.is_none() || target.pick.is_none() {
        return Ok(Others::default());
    }
    let all = MailFilter {
        pick: Some(Pick::All),
        limit: Some(words::LINES_MAX + 1),
        ..target.clone()
    };
    let found = listed(&all, cx).await?;
    let is_other = |row: &&MailRow| row.ref_id() != shown.ref_id();
    let others: Vec<&MailRow> = found.rows.iter().filter(is_other).collect();
    let lines: Vec<String> = others.iter().map(|row| row.line(cx)).collect();
    let note = match lines.as_slice() {
        [] => String::new(),
        [one] => format!("\n\nOne more fits: {one}."),
        many => {
            let more = found.total.saturating_sub(1).max(many.len());
            format!("\n\n{more} more fit:\n\n{}", words::bullets(many, more))
        }
    };
    let ids = others.iter().map(|row| row.ref_id()).collect();
    Ok(Others { note, ids })
}

/// Returns foreign text as a Markdown quotation, so that it is recognisable as such.
fn quoted(text: &str) -> String {
    if text.is_empty() {
        return "No text.".into();
    }
    text.lines()
        .map(|line| format!("> {line}").trim_end().to_owned())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Returns the other mails of a thread, oldest first.
async fn thread(mail: &Mail, cx: &Cx) -> Result<Vec<MailRow>, Stop> {
    let others = thread_of(mail, cx.records.as_ref()).await.map_err(failed)?;
    Ok(others
        .into_iter()
        .filter(|other| other.id != mail.id)
        .take(THREAD_MAX)
        .map(|mail| MailRow::Mail(Box::new(mail)))
        .collect())
}
