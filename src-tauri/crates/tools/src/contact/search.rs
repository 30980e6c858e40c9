//! `contact.find`

use adjutant_domain::gate::Risk;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Contact, Kind};
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;

use super::birthday;
use super::find::{ContactFilter, ContactQuestion};
use crate::registry::{Reading, spec};
use crate::select::{Filter, Row, answer, listed};
use crate::words;

/// The tool `contact.find`: finds people in the address book.
pub(super) struct Find;

#[async_trait]
impl Reading for Find {
    type Args = ContactFilter;

    fn spec(&self) -> ToolSpec {
        spec(
            "contact.find",
            Domain::Memory,
            Risk::Read,
            "Finds people in the address book by name, nickname, relation, address or organisation.",
            &[
                "what is …’s email address",
                "what is …’s phone number",
                "find the contact",
                "look up",
                "contact details of",
                "who is",
                "how do I reach",
                "when is …’s birthday",
                "whose birthday is next",
                "do I have a contact",
                "my contacts",
            ],
        )
    }

    async fn read(&self, filter: ContactFilter, cx: &Cx) -> Result<Answer, Stop> {
        if matches!(
            filter.ask,
            Some(ContactQuestion::Birthday | ContactQuestion::Age)
        ) {
            return birthday::said(&filter, cx).await;
        }
        let chosen = listed(&filter, cx).await?;
        let sought = filter.sought(cx);
        let rows = chosen.rows.as_slice();
        let lines: Vec<String> = rows.iter().map(|who| who.line(cx)).collect();
        let listed = words::found(&lines, chosen.total, filter.limit, Kind::Contact);
        let count = words::plural(chosen.total, "contact");
        let say = match (filter.ask.unwrap_or_default(), rows) {
            (ContactQuestion::Count, []) => format!("0 {sought}."),
            (ContactQuestion::Any, []) => format!("No, there are no {sought}."),
            (_, []) => format!("No {sought}."),
            (ContactQuestion::Email, _) => reach(rows, "mail address", |who| &who.emails),
            (ContactQuestion::Phone, _) => reach(rows, "telephone number", |who| &who.phones),
            (ContactQuestion::Any, [_]) => format!("Yes: {}.", lines[0]),
            (ContactQuestion::Any, _) => format!("Yes, {count}.\n\n{listed}"),
            (ContactQuestion::List, [_]) => format!("{}.", lines[0]),
            _ => format!("{count}.\n\n{listed}"),
        };
        Ok(answer(rows, chosen.total, say, cx))
    }
}

fn reach(rows: &[Contact], what: &str, of: impl Fn(&Contact) -> &Vec<String>) -> String {
    let lines: Vec<String> = rows
        .iter()
        .map(|who| match of(who).as_slice() {
            [] => format!("{}: no {what} is noted", words::inline(&who.name)),
            list => format!(
                "{}: {}",
                words::inline(&who.name),
                words::inline(&list.join(", "))
            ),
        })
        .collect();
    match lines.as_slice() {
        [one] => format!("{one}."),
        many => words::bullets(many, many.len()),
    }
}
