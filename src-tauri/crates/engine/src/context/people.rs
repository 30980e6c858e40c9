//! Names of the address book, kept in memory: every message is read with them.

use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use adjutant_domain::faults::StoreFault;
use adjutant_domain::filter::Filter;
use adjutant_domain::ports::Records;
use adjutant_domain::record::{Contact, Kind};

/// People that are known while reading; a larger address book is cut here and found by search.
const PEOPLE_MAX: usize = 5_000;

/// A name and its addresses.
pub type Person = (String, Vec<String>);

/// Names of the address book: first the person's own contacts, then those that text of others went into.
#[derive(Debug, Default)]
pub struct AddressBook {
    people: Vec<Person>,
    own: usize,
}

impl AddressBook {
    /// Those that text of others went into are left out: what models are shown, and trust.
    #[must_use]
    pub fn own(&self) -> &[Person] {
        &self.people[..self.own]
    }
}

impl Deref for AddressBook {
    type Target = [Person];

    fn deref(&self) -> &[Person] {
        &self.people
    }
}

/// The cached names. Emptied when a contact changes, filled again by the next message.
#[derive(Debug, Default)]
pub(crate) struct People {
    cached: RwLock<Option<Arc<AddressBook>>>,
    changes: AtomicU64,
}

impl People {
    /// Forgets what is cached.
    pub(crate) fn forget(&self) {
        self.changes.fetch_add(1, Ordering::SeqCst);
        *self.cached.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The names, from memory or from the records.
    pub(crate) async fn get(&self, records: &dyn Records) -> Result<Arc<AddressBook>, StoreFault> {
        if let Some(people) = &*self.cached.read().unwrap_or_else(PoisonError::into_inner) {
            return Ok(people.clone());
        }
        let before = self.changes.load(Ordering::SeqCst);
        let filter = Filter::all().at_most(Some(PEOPLE_MAX));
        let contacts = records.contacts(&filter).await?;
        let ids: Vec<_> = contacts.iter().map(|contact| contact.id.clone()).collect();
        let foreign = records.foreign(Kind::Contact, &ids).await?;
        let (foreign, own): (Vec<_>, Vec<_>) = contacts
            .into_iter()
            .partition(|contact| foreign.contains(&contact.id));
        let mut people: Vec<Person> = own.into_iter().flat_map(names).collect();
        let own = people.len();
        people.extend(foreign.into_iter().flat_map(names));
        let people = Arc::new(AddressBook { people, own });
        // A change while reading: use what was read once, but do not keep it.
        if self.changes.load(Ordering::SeqCst) == before {
            *self.cached.write().unwrap_or_else(PoisonError::into_inner) = Some(people.clone());
        }
        Ok(people)
    }
}

/// What somebody is called, each with all their addresses.
fn names(contact: Contact) -> impl Iterator<Item = Person> {
    let emails = contact.emails;
    let names = contact.nicknames.into_iter().chain([contact.name]);
    names.map(move |name| (name, emails.clone()))
}
