//! `email.search`

use std::collections::BTreeMap;

use adjutant_domain::gate::Risk;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::Kind;
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use serde_json::{Value, json};

use super::find::{MailFilter, MailQuestion};
use super::sorts::Sort;
use super::{MailRow, amounts, subject_words};
use crate::recall::closest;
use crate::registry::{Reading, spec};
use crate::select::{Chosen, Filter, Row, listed, output, referents};
use crate::words;

/// The tool `email.search`: finds mails.
pub(super) struct Search;

#[async_trait]
impl Reading for Search {
    type Args = MailFilter;

    fn spec(&self) -> ToolSpec {
        spec(
            "email.search",
            Domain::Email,
            Risk::Read,
            "Finds mails, drafts and outgoing mail by people, words, date, folder or state; answers how many, who and when.",
            &[
                "find emails from",
                "any new mail",
                "unread emails",
                "my inbox",
                "search my email for",
                "show me messages from",
                "did … write to me",
                "has … replied",
                "emails about",
                "latest email",
                "how many emails",
                "who emailed me",
                "mail with attachments",
                "my drafts",
                "what did I send",
                "what is in the outbox",
                "how many newsletters",
                "total of the invoices in my mail",
            ],
        )
    }

    async fn read(&self, filter: MailFilter, cx: &Cx) -> Result<Answer, Stop> {
        let chosen = listed(&filter, cx).await?;
        let mut map = output(&chosen.rows, chosen.total, cx);
        let unread = chosen
            .rows
            .iter()
            .filter(|row| matches!(row, MailRow::Mail(mail) if !mail.read))
            .count();
        let mut senders = senders(&chosen.rows);
        if filter.ask == Some(MailQuestion::Who) && senders.len() > 1 {
            // "Who wrote?" asks about others.
            let own = &cx.settings.owner.emails;
            senders.retain(|(_, email, _)| !own.iter().any(|one| one.eq_ignore_ascii_case(email)));
        }
        map.insert("unread".into(), json!(unread));
        map.insert(
            "people".into(),
            senders
                .iter()
                .map(|(name, email, count)| json!({"name": name, "email": email, "count": count}))
                .collect(),
        );
        let named = filter.text.as_deref().or(filter.subject.as_deref());
        let (closest, taint) = closest(
            named.filter(|_| chosen.rows.is_empty() && filter.except.is_none()),
            cx,
        )
        .await?;
        Ok(Answer {
            say: say(&filter, &chosen, unread, &senders, cx) + &closest,
            output: Value::Object(map),
            referents: referents(&chosen.rows),
            taint,
            used_memories: Vec::new(),
        })
    }
}

/// Returns name, address and number of mails of each sender, most mails first.
fn senders(rows: &[MailRow]) -> Vec<(String, String, usize)> {
    let mut found: BTreeMap<String, (String, usize)> = BTreeMap::new();
    for row in rows {
        if let MailRow::Mail(mail) = row {
            let entry = found.entry(mail.from.email.to_lowercase()).or_default();
            entry.1 += 1;
            if entry.0.is_empty() {
                entry.0.clone_from(&mail.from.name);
            }
        }
    }
    let mut list: Vec<_> = found
        .into_iter()
        .map(|(email, (name, count))| (name, email, count))
        .collect();
    list.sort_by(|a, b| b.2.cmp(&a.2).then(a.1.cmp(&b.1)));
    list
}

fn say(
    filter: &MailFilter,
    chosen: &Chosen<MailRow>,
    unread: usize,
    senders: &[(String, String, usize)],
    cx: &Cx,
) -> String {
    let sought = filter.sought(cx);
    let ask = filter.ask.unwrap_or_default();
    if chosen.rows.is_empty() {
        return match ask {
            MailQuestion::Count => format!("0 {sought}."),
            MailQuestion::Any => format!("No, there are no {sought}."),
            _ => format!("No {sought}."),
        };
    }
    let lines: Vec<String> = chosen.rows.iter().map(|row| row.line(cx)).collect();
    let listed = words::found(&lines, chosen.total, filter.limit, Kind::Mail);
    // "The last three" are three, however many there are.
    let told = filter
        .limit
        .map_or(chosen.total, |limit| chosen.total.min(limit));
    let count = words::plural(told, filter.sort.map_or("mail", Sort::noun));
    let unread = match unread {
        0 => String::new(),
        number if number == chosen.rows.len() && chosen.total == number => ", all unread".into(),
        number => format!(", {number} unread"),
    };
    match (ask, chosen.rows.as_slice()) {
        (MailQuestion::Who, _) if !senders.is_empty() => {
            let who: Vec<String> = senders
                .iter()
                .map(|(name, email, count)| {
                    format!(
                        "{}, {}",
                        words::person(name, email),
                        words::plural(*count, "mail")
                    )
                })
                .collect();
            match who.as_slice() {
                [one] => format!("{one}."),
                many => words::bullets(many, many.len()),
            }
        }
        (MailQuestion::Total, _) => amounts::say(&chosen.rows, chosen.total, cx),
        (MailQuestion::When, [one]) => format!("{}.", when(one, cx)),
        (MailQuestion::Any, [_]) => format!("Yes: {}.", lines[0]),
        (MailQuestion::Any, _) => format!("Yes, {count}{unread}.\n\n{listed}"),
        (MailQuestion::List | MailQuestion::Who, [_]) => format!("{}.", lines[0]),
        _ => format!("{count}{unread}.\n\n{listed}"),
    }
}

fn when(row: &MailRow, cx: &Cx) -> String {
    match row {
        MailRow::Mail(mail) => format!(
            "{}, “{}” from {}",
            words::instant(mail.date, cx),
            subject_words(&mail.subject),
            words::who(&mail.from.name, &mail.from.email)
        ),
        MailRow::Out(_) => row.line(cx),
    }
}
