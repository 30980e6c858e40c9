//! `contact.create`

use adjutant_domain::change::Change;
use adjutant_domain::gate::{Assessment, Risk};
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Contact, Kind, Record};
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::address::is_address;
use crate::effect::{CardDraft, FactDraft, Prepared, local};
use crate::registry::{Acting, spec};
use crate::select::{Row, answer, bad};
use crate::words;

/// Maximum entries of one kind (addresses, numbers) of a contact.
pub(super) const ENTRIES_MAX: usize = 20;
/// Maximum characters of one entry.
pub(super) const ENTRY_CHARS_MAX: usize = 320;

/// The tool `contact.create`: adds somebody to the address book.
pub(super) struct Create;

/// Arguments of `contact.create`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Full name.
    name: String,
    /// Mail addresses, preferred first.
    emails: Option<Vec<String>>,
    /// Telephone numbers as written.
    phones: Option<Vec<String>>,
    /// Other names.
    nicknames: Option<Vec<String>>,
    /// Organisation and role, one line.
    organisation: Option<String>,
    /// Relation to the person: "sister", "dentist".
    relation: Option<String>,
    /// Further text.
    notes: Option<String>,
}

#[async_trait]
impl Acting for Create {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "contact.create",
            Domain::Memory,
            Risk::LocalReversible,
            "Adds somebody to the address book.",
            &[
                "add a contact",
                "new contact",
                "save …’s number",
                "save …’s email address",
                "add … to my contacts",
                "put … in my address book",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        let name = args.name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() || name.chars().count() > ENTRY_CHARS_MAX {
            return Err(bad("A contact needs a name."));
        }
        let now = cx.now.timestamp();
        let id = cx.new_id(Kind::Contact);
        let contact = Contact {
            uid: format!("{id}@adjutant"),
            id,
            name,
            nicknames: entries(args.nicknames.as_ref())?,
            emails: emails(args.emails.as_ref())?,
            phones: entries(args.phones.as_ref())?,
            organisation: args.organisation.clone().unwrap_or_default(),
            relation: args.relation.clone().unwrap_or_default(),
            birthday: String::new(),
            notes: args.notes.clone().unwrap_or_default(),
            created: now,
            updated: now,
            version: 0,
        };
        let mut sketch = CardDraft::new(
            "Add a contact",
            "Add",
            "Can be undone: it is removed again.",
        );
        sketch.facts = facts(&contact);
        let mut assessment = Assessment::reversible();
        assessment.reaching = vec!["/emails".into(), "/phones".into()];
        let say = format!("Added {}.", contact.line(cx));
        Ok(Prepared {
            targets: Vec::new(),
            answer: answer(std::slice::from_ref(&contact), 1, say, cx),
            operations: local(Change::add(Record::Contact(contact))),
            assessment,
            sketch,
        })
    }
}

fn facts(who: &Contact) -> Vec<FactDraft> {
    let mut facts = vec![FactDraft::from_arg("Name", &who.name, "/name")];
    let mut add = |label: &str, value: String, pointer: &str| {
        if !value.is_empty() {
            facts.push(FactDraft::from_arg(label, value, pointer));
        }
    };
    add("Mail", who.emails.join(", "), "/emails");
    add("Telephone", who.phones.join(", "), "/phones");
    add("Also called", who.nicknames.join(", "), "/nicknames");
    add("Organisation", who.organisation.clone(), "/organisation");
    add("Relation", who.relation.clone(), "/relation");
    add("Notes", who.notes.clone(), "/notes");
    facts
}

/// Returns the entries without surplus spaces, each once; fails if one is too long.
pub(super) fn entries(list: Option<&Vec<String>>) -> Result<Vec<String>, Stop> {
    let mut out: Vec<String> = Vec::new();
    for one in list.into_iter().flatten() {
        let one = one.split_whitespace().collect::<Vec<_>>().join(" ");
        if one.chars().count() > ENTRY_CHARS_MAX {
            return Err(bad(format!(
                "{} is too long.",
                words::quoted(&words::cut(&one, 40))
            )));
        }
        if !one.is_empty() && !out.iter().any(|other| other.eq_ignore_ascii_case(&one)) {
            out.push(one);
        }
    }
    if out.len() > ENTRIES_MAX {
        return Err(bad(format!("A contact has at most {ENTRIES_MAX} of each.")));
    }
    Ok(out)
}

/// Returns the entries; fails if one is not a mail address.
pub(super) fn emails(list: Option<&Vec<String>>) -> Result<Vec<String>, Stop> {
    let list = entries(list)?;
    match list.iter().find(|email| !is_address(email)) {
        Some(wrong) => Err(bad(format!(
            "{} is not a mail address.",
            words::quoted(&words::cut(wrong, 80))
        ))),
        None => Ok(list),
    }
}
