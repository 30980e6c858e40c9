//! Names of the address book, kept in memory: every message is read with them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use adjutant_domain::faults::StoreFault;
use adjutant_domain::filter::Filter;
use adjutant_domain::ports::Records;

/// People that are known while reading; a larger address book is cut here and found by search.
const PEOPLE_MAX: usize = 5_000;

/// A name and its addresses.
pub type Person = (String, Vec<String>);

/// The cached names. Emptied when a contact changes, filled again by the next message.
#[derive(Debug, Default)]
pub(crate) struct People {
    cached: RwLock<Option<Arc<Vec<Person>>>>,
    changes: AtomicU64,
}

impl People {
    /// Forgets what is cached.
    pub(crate) fn forget(&self) {
        self.changes.fetch_add(1, Ordering::SeqCst);
        *self.cached.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The names, from memory or from the records.
    pub(crate) async fn get(&self, records: &dyn Records) -> Result<Arc<Vec<Person>>, StoreFault> {
        if let Some(people) = &*self.cached.read().unwrap_or_else(PoisonError::into_inner) {
            return Ok(people.clone());
        }
        let before = self.changes.load(Ordering::SeqCst);
        let contacts = records
            .contacts(&Filter::all().at_most(Some(PEOPLE_MAX)))
            .await?;
        let mut people = Vec::with_capacity(contacts.len());
        for contact in contacts {
            for nickname in contact.nicknames {
                people.push((nickname, contact.emails.clone()));
            }
            people.push((contact.name, contact.emails));
        }
        let people = Arc::new(people);
        // A change while reading: use what was read once, but do not keep it.
        if self.changes.load(Ordering::SeqCst) == before {
            *self.cached.write().unwrap_or_else(PoisonError::into_inner) = Some(people.clone());
        }
        Ok(people)
    }
}
