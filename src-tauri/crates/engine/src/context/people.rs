//! Caches the names in the address book, which every message is read with.

use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use adjutant_domain::faults::StoreFault;
use adjutant_domain::filter::Filter;
use adjutant_domain::ports::Records;
use adjutant_domain::record::{Contact, Kind};

/// Maximum number of contacts to cache; the rest of a larger address book is found only by search.
const PEOPLE_MAX: usize = 5_000;
/// Maximum number of different roles to cache.
const ROLES_MAX: usize = 1_000;

/// A name and its mail addresses.
pub type Person = (String, Vec<String>);

/// Names in the address book: first the person's own contacts, then those containing foreign text.
#[derive(Debug, Default)]
pub struct AddressBook {
    people: Vec<Person>,
    own: usize,
    roles: Vec<String>,
}

impl AddressBook {
    /// Returns the person's own contacts, without those containing foreign text. Only these are trusted and shown to
    /// models.
    #[must_use]
    pub fn own(&self) -> &[Person] {
        &self.people[..self.own]
    }

    /// Returns the roles of the contacts, each with where they work: "Sales Director, Acme". They tell a role from other
    /// words; whom it means, the tools look up.
    #[must_use]
    pub fn roles(&self) -> &[String] {
        &self.roles
    }
}

impl Deref for AddressBook {
    type Target = [Person];

    fn deref(&self) -> &[Person] {
        &self.people
    }
}

/// The cached names. The cache is cleared when a contact changes and refilled by the next message.
#[derive(Debug, Default)]
pub(crate) struct People {
    cached: RwLock<Option<Arc<AddressBook>>>,
    changes: AtomicU64,
}

impl People {
    /// Clears the cache.
    pub(crate) fn forget(&self) {
        self.changes.fetch_add(1, Ordering::SeqCst);
        *self.cached.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Returns the names, from the cache or from the records.
    pub(crate) async fn get(&self, records: &dyn Records) -> Result<Arc<AddressBook>, StoreFault> {
        if let Some(people) = &*self.cached.read().unwrap_or_else(PoisonError::into_inner) {
            return Ok(people.clone());
        }
        let before = self.changes.load(Ordering::SeqCst);
        let filter = Filter::all().at_most(Some(PEOPLE_MAX));
        let contacts = records.contacts(&filter).await?;
        let roles = roles(&contacts);
        let ids: Vec<_> = contacts.iter().map(|contact| contact.id.clone()).collect();
        let foreign = records.foreign(Kind::Contact, &ids).await?;
        let (foreign, own): (Vec<_>, Vec<_>) = contacts
            .into_iter()
            .partition(|contact| foreign.contains(&contact.id));
        let mut people: Vec<Person> = own.into_iter().flat_map(names).collect();
        let own = people.len();
        people.extend(foreign.into_iter().flat_map(names));
        let people = Arc::new(AddressBook { people, own, roles });
        // If a contact changed during the read, use the names once but do not cache them.
        if self.changes.load(Ordering::SeqCst) == before {
            *self.cached.write().unwrap_or_else(PoisonError::into_inner) = Some(people.clone());
        }
        Ok(people)
    }
}

/// Returns what contacts are: their relations, organisations and titles, each once.
fn roles(contacts: &[Contact]) -> Vec<String> {
    let said = contacts
        .iter()
        .flat_map(|one| [&one.relation, &one.organisation]);
    let distinct: BTreeSet<&String> = said.filter(|text| !text.is_empty()).collect();
    distinct.into_iter().take(ROLES_MAX).cloned().collect()
}

/// Returns each name of a contact with all its addresses.
fn names(contact: Contact) -> impl Iterator<Item = Person> {
    let emails = contact.emails;
    let names = contact.nicknames.into_iter().chain([contact.name]);
    names.map(move |name| (name, emails.clone()))
}
