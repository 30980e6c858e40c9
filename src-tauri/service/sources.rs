//! Adds what only the profile knows to a waiting card: the contact or mail that an address on it comes from, and
//! whether its tool still exists.

use adjutant_api::event::{FactView, NoteView, SourceTarget};
use adjutant_api::rows::ApprovalRow;
use adjutant_api::words::ApprovalState;
use adjutant_domain::filter::{Field, Filter, Match, Order, Role, Test};
use adjutant_domain::ids::ConversationId;
use adjutant_domain::ports::Records as _;
use adjutant_domain::program::is_of_program;
use serde_json::Value;

use super::Service;
use super::mail::ALL_FOLDERS;

/// Maximum number of facts looked up per card.
const FACTS_LOOKED_UP_MAX: usize = 12;
/// Maximum number of people compared who match an address.
const PEOPLE_COMPARED_MAX: usize = 20;

/// Fills in where addresses come from. Addresses that cannot be found get no source; errors never hold up a card.
pub(super) async fn fill_in(service: &Service, row: &mut ApprovalRow) {
    if row.state != ApprovalState::Pending {
        return;
    }
    if !service.engine.carries_out(&row.tool) {
        row.shown.notes.push(NoteView {
            kind: "warn".into(),
            text: format!(
                "The tool {} no longer exists, so approving this does nothing. Connect its server again, or reject it.",
                row.tool
            ),
        });
    }
    if is_of_program(&ConversationId(row.conversation.clone())) {
        row.shown.notes.insert(0, of_program(&row.sources));
    }
    let shown = &mut row.shown;
    let of_items = shown.items.iter_mut().flat_map(|item| &mut item.facts);
    let leads_somewhere = |fact: &&mut FactView| {
        let kind = fact.source.as_ref().map(|source| source.kind.as_str());
        matches!(kind, Some("address_book" | "found"))
    };
    let facts = shown.facts.iter_mut().chain(of_items);
    for fact in facts.filter(leads_somewhere).take(FACTS_LOOKED_UP_MAX) {
        let Some(source) = fact.source.as_mut().filter(|one| one.target.is_none()) else {
            continue;
        };
        let Some(address) = address_in(&fact.value) else {
            continue;
        };
        source.target = match source.kind.as_str() {
            "address_book" => contact(service, &address).await,
            "found" => mail_with(service, &address).await,
            _ => None,
        };
    }
}

/// Returns a note about who proposed a card on which nothing comes from the person.
fn of_program(sources: &Value) -> NoteView {
    let origin = sources[""]["origin"].as_str();
    let origin = origin.unwrap_or("another program");
    NoteView {
        kind: "untrusted".into(),
        text: format!(
            "Proposed by {origin}, not by you. The name is what the program calls itself."
        ),
    }
}

async fn contact(service: &Service, address: &str) -> Option<SourceTarget> {
    let filter = Filter::all()
        .words_in(Field::Names, Match::Beginnings, Some(address))
        .at_most(Some(PEOPLE_COMPARED_MAX));
    let people = service.store.contacts(&filter).await.ok()?;
    let who = people.iter().find(|who| {
        who.emails
            .iter()
            .any(|one| one.eq_ignore_ascii_case(address))
    })?;
    Some(place("contact", &who.id.0, address))
}

/// Returns the latest mail with the address in its header.
async fn mail_with(service: &Service, address: &str) -> Option<SourceTarget> {
    for role in [Role::From, Role::To] {
        let latest = Filter::all()
            .with(role, vec![address.to_owned()])
            .and(Test::Folders(ALL_FOLDERS.to_vec()))
            .ordered(Order::Latest)
            .at_most(Some(1));
        let mails = service.store.mails(&latest).await.ok()?;
        if let Some(mail) = mails.first() {
            return Some(place("mail", &mail.id.0, address));
        }
    }
    None
}

fn place(kind: &str, id: &str, words: &str) -> SourceTarget {
    SourceTarget {
        kind: kind.into(),
        id: id.into(),
        words: Some(words.into()),
    }
}

/// Returns the first mail address in a value such as `Name <address>` or an address alone.
fn address_in(value: &str) -> Option<String> {
    value
        .split(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | ',' | ';' | '"' | '(' | ')'))
        .find(|word| {
            word.split_once('@')
                .is_some_and(|(local, host)| !local.is_empty() && host.contains('.'))
        })
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::address_in;

    #[test]
    fn the_first_address_of_a_value() {
        let cases = [
            (
                "Hannah Voss <hannah@kelm.example>",
                Some("hannah@kelm.example"),
            ),
            ("a@x.example\nb@y.example", Some("a@x.example")),
            ("Thu 15 Jan, 11:00", None),
            ("@nobody", None),
            ("someone@home", None),
        ];
        for (value, address) in cases {
            assert_eq!(address_in(value).as_deref(), address, "{value}");
        }
    }
}
