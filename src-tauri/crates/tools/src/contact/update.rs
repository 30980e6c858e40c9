//! `contact.update`

use adjutant_domain::change::Change;
use adjutant_domain::gate::{Assessment, Risk};
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Contact, Record};
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use adjutant_text::same;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer;
use super::create::{ENTRIES_MAX, emails, entries};
use super::find::ContactFilter;
use crate::effect::{CardDraft, FactDraft, Prepared, local};
use crate::registry::{Acting, spec};
use crate::select::{Ids, Row, Stored, Which, bad, target_one};
use crate::words;

/// Changes somebody in the address book.
pub(super) struct Update;

/// Arguments of `contact.update`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The contact.
    id: Option<Ids>,
    /// Or: which contact, by description.
    target: Option<ContactFilter>,
    /// What changes.
    changes: Changes,
}

/// What changes in a contact; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Changes {
    /// New full name.
    name: Option<String>,
    /// New mail addresses; they become the preferred ones.
    add_emails: Option<Vec<String>>,
    /// Mail addresses that go.
    remove_emails: Option<Vec<String>>,
    /// New telephone numbers.
    add_phones: Option<Vec<String>>,
    /// Telephone numbers that go.
    remove_phones: Option<Vec<String>>,
    /// Further names.
    add_nicknames: Option<Vec<String>>,
    /// Organisation and role.
    organisation: Option<String>,
    /// Relation to the person.
    relation: Option<String>,
    /// Further text.
    notes: Option<String>,
}

#[async_trait]
impl Acting for Update {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "contact.update",
            Domain::Memory,
            Risk::LocalReversible,
            "Changes names, addresses, numbers or notes of somebody in the address book.",
            &[
                "change …’s email address",
                "update …’s number",
                "… has a new email",
                "… is my sister",
                "call him … from now on",
                "add a nickname",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        if args.changes == Changes::default() {
            return Err(bad("Say what shall change."));
        }
        let old = target_one(
            Which {
                id: args.id.as_ref(),
                ids: None,
                target: args.target.as_ref(),
            },
            cx,
        )
        .await?;
        let new = apply(&old, &args.changes, cx)?;
        let facts = facts(&old, &new);
        if facts.is_empty() {
            return Err(bad("It already is that way; there is nothing to change."));
        }
        let mut sketch = CardDraft::new(
            format!("Change the contact {}", words::quoted(&old.name)),
            "Change",
            "Can be undone.",
        );
        sketch.facts = facts;
        let mut assessment = Assessment::reversible();
        assessment.reaching = vec!["/changes/add_emails".into(), "/changes/add_phones".into()];
        Ok(Prepared {
            targets: vec![old.target()],
            answer: answer(
                std::slice::from_ref(&new),
                1,
                format!("Changed: {}.", new.line(cx)),
                cx,
            ),
            operations: local(Change::replace(Record::Contact(new))),
            assessment,
            sketch,
        })
    }
}

fn apply(old: &Contact, changes: &Changes, cx: &Cx) -> Result<Contact, Stop> {
    let mut new = old.clone();
    new.updated = cx.now.timestamp();
    if let Some(name) = changes.name.as_deref().map(str::trim) {
        if name.is_empty() {
            return Err(bad("A contact needs a name."));
        }
        new.name = name.to_owned();
    }
    new.emails = merged(
        emails(changes.add_emails.as_ref())?,
        &old.emails,
        changes.remove_emails.as_ref(),
    )?;
    new.phones = merged(
        entries(changes.add_phones.as_ref())?,
        &old.phones,
        changes.remove_phones.as_ref(),
    )?;
    for name in entries(changes.add_nicknames.as_ref())? {
        if !new.nicknames.iter().any(|one| same(one, &name)) {
            new.nicknames.push(name);
        }
    }
    if let Some(organisation) = &changes.organisation {
        new.organisation = organisation.trim().to_owned();
    }
    if let Some(relation) = &changes.relation {
        new.relation = relation.trim().to_owned();
    }
    if let Some(notes) = &changes.notes {
        new.notes.clone_from(notes);
    }
    Ok(new)
}

/// New entries first, then the old ones that stay.
fn merged(
    mut list: Vec<String>,
    old: &[String],
    gone: Option<&Vec<String>>,
) -> Result<Vec<String>, Stop> {
    for one in old {
        let stays = !gone
            .into_iter()
            .flatten()
            .any(|gone| gone.trim().eq_ignore_ascii_case(one));
        if stays && !list.iter().any(|new| new.eq_ignore_ascii_case(one)) {
            list.push(one.clone());
        }
    }
    if list.len() > ENTRIES_MAX {
        return Err(bad(format!("A contact has at most {ENTRIES_MAX} of each.")));
    }
    Ok(list)
}

fn facts(old: &Contact, new: &Contact) -> Vec<FactDraft> {
    let mut facts = Vec::new();
    let mut add = |label: &str, before: String, after: String, pointer: &str| {
        if before != after {
            facts.push(FactDraft::from_arg(label, after, pointer).was(before));
        }
    };
    add("Name", old.name.clone(), new.name.clone(), "/changes/name");
    add(
        "Mail",
        old.emails.join(", "),
        new.emails.join(", "),
        "/changes/add_emails",
    );
    add(
        "Telephone",
        old.phones.join(", "),
        new.phones.join(", "),
        "/changes/add_phones",
    );
    add(
        "Also called",
        old.nicknames.join(", "),
        new.nicknames.join(", "),
        "/changes/add_nicknames",
    );
    add(
        "Organisation",
        old.organisation.clone(),
        new.organisation.clone(),
        "/changes/organisation",
    );
    add(
        "Relation",
        old.relation.clone(),
        new.relation.clone(),
        "/changes/relation",
    );
    add(
        "Notes",
        old.notes.clone(),
        new.notes.clone(),
        "/changes/notes",
    );
    facts
}
