//! `contact.update`

use adjutant_domain::change::Change;
use adjutant_domain::gate::{Assessment, Risk};
use adjutant_domain::outcome::Stop;
use adjutant_domain::plan::{AnswerKind, Choice, Question};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Contact, Record};
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use adjutant_text::same;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::birthday::Birthday;
use super::create::{ENTRIES_MAX, emails, entries};
use super::find::ContactFilter;
use crate::effect::{CardDraft, FactDraft, Prepared, local};
use crate::registry::{Acting, spec};
use crate::select::{AsTarget, CHOICES_MAX, Ids, Row, answer, bad, target_one};
use crate::words;

/// The tool `contact.update`: changes a contact in the address book.
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
    /// The mail address that takes the place of the one there is.
    email: Option<String>,
    /// The telephone number that takes the place of the one there is.
    phone: Option<String>,
    /// `1984-04-15`, or `--04-15` where the year is not known.
    birthday: Option<String>,
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
            return Err(bad("Say what should change."));
        }
        let old = target_one(args.id.as_ref(), args.target.as_ref(), cx).await?;
        let new = apply(&old, &args.changes, cx)?;
        let facts = facts(&old, &new, &args.changes);
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
        assessment.reaching = ["email", "phone", "add_emails", "add_phones"]
            .map(|field| format!("/changes/{field}"))
            .into();
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
    let (added, gone) = (&changes.add_emails, &changes.remove_emails);
    let gone = replaced(&changes.email, &old.emails, gone, "/changes/remove_emails")?;
    let added = emails(with(&changes.email, added).as_ref())?;
    new.emails = merged(added, &old.emails, gone.as_ref())?;
    let (added, gone) = (&changes.add_phones, &changes.remove_phones);
    let gone = replaced(&changes.phone, &old.phones, gone, "/changes/remove_phones")?;
    let added = entries(with(&changes.phone, added).as_ref())?;
    new.phones = merged(added, &old.phones, gone.as_ref())?;
    if let Some(birthday) = &changes.birthday {
        new.birthday = birthday.trim().to_owned();
        if Birthday::of(&new).is_none() {
            return Err(bad(
                "A birthday is a day: 1984-04-15, or --04-15 without the year.",
            ));
        }
    }
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

/// Returns the new entry that replaces another, followed by the added ones; `None` if there are none.
fn with(new: &Option<String>, added: &Option<Vec<String>>) -> Option<Vec<String>> {
    let list: Vec<String> = new.iter().chain(added.iter().flatten()).cloned().collect();
    (!list.is_empty()).then_some(list)
}

/// Returns the entries to remove: the named ones, or the only existing one if a new one replaces it.
///
/// # Errors
/// Returns a question if a new entry could replace several.
fn replaced(
    new: &Option<String>,
    old: &[String],
    gone: &Option<Vec<String>>,
    slot: &str,
) -> Result<Option<Vec<String>>, Stop> {
    match (new, gone, old) {
        (Some(_), None, [one]) => Ok(Some(vec![one.clone()])),
        (Some(new), None, [_, _, ..]) => Err(Stop::Ask(Question {
            text: format!("Which one does {} replace?", words::quoted(new)),
            choices: old
                .iter()
                .take(CHOICES_MAX)
                .map(|one| Choice::new(words::inline(one), json!([one])))
                .collect(),
            slot: slot.to_owned(),
            answer: AnswerKind::Choice,
        })),
        _ => Ok(gone.clone()),
    }
}

/// Returns the new entries, followed by the old ones that stay.
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

fn facts(old: &Contact, new: &Contact, changes: &Changes) -> Vec<FactDraft> {
    let (email, phone) = (
        if changes.email.is_some() {
            "/changes/email"
        } else {
            "/changes/add_emails"
        },
        if changes.phone.is_some() {
            "/changes/phone"
        } else {
            "/changes/add_phones"
        },
    );
    let mut facts = Vec::new();
    let mut add = |label: &str, before: String, after: String, pointer: &str| {
        if before != after {
            facts.push(FactDraft::from_arg(label, after, pointer).was(before));
        }
    };
    add("Name", old.name.clone(), new.name.clone(), "/changes/name");
    add("Mail", old.emails.join(", "), new.emails.join(", "), email);
    add(
        "Telephone",
        old.phones.join(", "),
        new.phones.join(", "),
        phone,
    );
    add(
        "Birthday",
        old.birthday.clone(),
        new.birthday.clone(),
        "/changes/birthday",
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
