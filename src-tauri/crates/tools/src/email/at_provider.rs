//! `email.search_provider`

use std::sync::Arc;

use adjutant_domain::faults::{ToolFault, UserFault};
use adjutant_domain::gate::{Approved, Assessment, Call, Card, PlannedCall, Risk};
use adjutant_domain::ids::RecordId;
use adjutant_domain::outcome::{Answer, Outcome, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Kind, Mail, Record};
use adjutant_domain::risk::CarriesOut;
use adjutant_domain::route::Domain;
use adjutant_domain::source::Taint;
use adjutant_domain::tool::{Before, Tool, ToolSpec};
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{MailRow, subject_words};
use crate::effect::failed;
use crate::providers::{AtProvider, MailSearch};
use crate::registry::spec;
use crate::select::{Row as _, output, referents};
use crate::words;

/// Maximum characters of a search.
const WORDS_CHARS_MAX: usize = 500;
/// Default number of mails from each account.
const MAILS: usize = 20;
/// Maximum number of mails from each account.
const MAILS_MAX: usize = 100;

/// The tool `email.search_provider`: searches mail at the providers of mail accounts.
pub(super) struct SearchProvider(pub(super) Arc<dyn MailSearch>);

/// Arguments of `email.search_provider`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// What to search for, as it is sent to the providers; Gmail's search operators work there.
    query: String,
    /// How many mails of each account, at most 100.
    limit: Option<usize>,
}

#[async_trait]
impl Tool for SearchProvider {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "email.search_provider",
            Domain::Email,
            Risk::Read,
            "Searches the mail accounts at their providers, where old mails are in full: for what a search of the mail here did not find.",
            &[
                "search my mail accounts for {query}",
                "search my email accounts for {query}",
                "search my mail provider for {query}",
                "search at my mail provider for {query}",
                "search at the provider for {query}",
                "search the mail server for {query}",
                "search on the mail server for {query}",
                "look at my mail provider for {query}",
                "ask my mail provider for {query}",
            ],
        )
    }

    async fn observe(&self, args: &Args, _: &Cx) -> Result<Before, Stop> {
        let chars = args.query.chars().count();
        if args.query.trim().is_empty() || chars > WORDS_CHARS_MAX {
            return Err(ToolFault::BadArguments {
                reason: format!("A search has 1 to {WORDS_CHARS_MAX} characters."),
            }
            .into());
        }
        Ok(Before::default())
    }

    fn assess(&self, args: &Args, _: &Before, _: &Cx) -> Assessment {
        Assessment::asks_outside(CarriesOut {
            to: "the providers of your mail accounts".to_owned(),
            texts: vec![args.query.clone()],
            public_answer: false,
            stays_there: false,
        })
    }

    fn card(&self, args: &Args, _: &Before, _: &PlannedCall, _: &Cx) -> Card {
        Card {
            title: format!(
                "Search your mail accounts for {}",
                words::quoted(&args.query)
            ),
            verb: "Search".into(),
            undo: "Nothing is changed. What was sent cannot be taken back.".into(),
            ..Card::default()
        }
    }

    async fn run(
        &self,
        args: Args,
        _: &Before,
        _: &Approved<Call>,
        cx: &Cx,
    ) -> Result<Outcome, Stop> {
        let limit = args.limit.unwrap_or(MAILS).clamp(1, MAILS_MAX);
        let searched = self.0.search(args.query.trim(), limit).await;
        let searched = searched.map_err(|why| ToolFault::Refused { why })?;
        if searched.is_empty() {
            return Err(no_account().into());
        }
        let mut rows = Vec::new();
        let (mut there, mut faults) = (Vec::new(), Vec::new());
        let all = searched.len();
        for one in searched {
            match one.found {
                Ok(found) => {
                    for mail in found {
                        match mail {
                            AtProvider::Here(id) => {
                                let here = row(&id, &rows, cx).await?;
                                rows.extend(here);
                            }
                            AtProvider::There(mail) => there.push((one.account.clone(), mail)),
                        }
                    }
                }
                Err(why) => faults.push(format!("{} was not searched: {why}", one.account)),
            }
        }
        if faults.len() == all {
            return Err(ToolFault::Refused {
                why: UserFault {
                    code: "not_searched".into(),
                    what: faults.join(" "),
                    hint: "Try again later, or search the mail that is here.".into(),
                },
            }
            .into());
        }
        Ok(Outcome::Read(answer(&args, &rows, &there, &faults, cx)))
    }
}

fn no_account() -> ToolFault {
    ToolFault::Refused {
        why: UserFault {
            code: "no_mail_account".into(),
            what: "There is no connected mail account to search.".into(),
            hint: "Connect one in Settings, Accounts (`adjutant accounts add`).".into(),
        },
    }
}

/// Returns the row of a stored mail; `None` if it is already among `rows` or is not stored.
async fn row(id: &RecordId, rows: &[MailRow], cx: &Cx) -> Result<Option<MailRow>, Stop> {
    if rows.iter().any(|row| row.ref_id() == id.0) {
        return Ok(None);
    }
    let record = cx.records.get(Kind::Mail, id).await.map_err(failed)?;
    Ok(record.and_then(|record| match record {
        Record::Mail(mail) => Some(MailRow::from(mail)),
        _ => None,
    }))
}

fn answer(
    args: &Args,
    rows: &[MailRow],
    there: &[(String, Box<Mail>)],
    faults: &[String],
    cx: &Cx,
) -> Answer {
    let about = words::quoted(&args.query);
    let mut said = Vec::new();
    if rows.is_empty() && there.is_empty() {
        said.push(format!("Your mail accounts have nothing for {about}."));
    }
    if !rows.is_empty() {
        let lines: Vec<String> = rows.iter().map(|row| row.line(cx)).collect();
        said.push(format!(
            "Your mail accounts have {} for {about}:\n\n{}",
            words::plural(rows.len(), "mail"),
            words::bullets(&lines, lines.len())
        ));
    }
    if !there.is_empty() {
        let lines = there.iter().map(|(account, mail)| {
            format!(
                "{account}: {}, “{}” from {}",
                words::instant(mail.date, cx),
                subject_words(&mail.subject),
                words::who(&mail.from.name, &mail.from.email)
            )
        });
        let lines: Vec<String> = lines.collect();
        said.push(format!(
            "{} not been read here yet:\n\n{}",
            match there.len() {
                1 => "This one has".to_owned(),
                many => format!("These {many} have"),
            },
            words::bullets(&lines, lines.len())
        ));
    }
    said.extend(faults.iter().cloned());
    let unread: Vec<Value> = there
        .iter()
        .map(|(account, mail)| {
            json!({"account": account, "from": mail.from, "subject": mail.subject, "date": mail.date})
        })
        .collect();
    let mut map = output(rows, rows.len(), cx);
    map.insert("not_read_yet".into(), unread.into());
    map.insert("not_searched".into(), json!(faults));
    Answer {
        output: Value::Object(map),
        say: said.join("\n\n"),
        referents: referents(rows),
        taint: Taint::Tainted,
        used_memories: Vec::new(),
    }
}
