//! Lists the collections of an account, family by family, so that one family's failure does not block the others.

use super::provider::{Backend, Backends, PullFault, RemoteCollection};
use crate::account::{Collection, CollectionKind};
use crate::faults::StoreFault;
use crate::operation::RemoteFault;

/// Collections of an account, from the families that could be listed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// Collections of the families that could be listed.
    pub collections: Vec<RemoteCollection>,
    /// Families that could not be listed, and why. Their stored collections may still exist.
    pub unlisted: Vec<(CollectionKind, RemoteFault)>,
}

impl Listing {
    /// Returns whether a collection of this kind that is not listed no longer exists.
    #[must_use]
    pub fn covers(&self, kind: CollectionKind) -> bool {
        self.unlisted.iter().all(|(unlisted, _)| *unlisted != kind)
    }

    async fn add<Op>(
        &mut self,
        kind: CollectionKind,
        family: Option<&(impl Backend<Op> + ?Sized)>,
    ) -> Result<(), RemoteFault> {
        let Some(family) = family else {
            return Ok(());
        };
        match family.collections().await {
            Ok(listed) => self.collections.extend(listed),
            // A provider that rejects one sign-in rejects the next too, and might lock the account.
            Err(fault @ RemoteFault::NotSignedIn { .. }) => return Err(fault),
            Err(fault) => self.unlisted.push((kind, fault)),
        }
        Ok(())
    }
}

impl Backends {
    /// Lists the collections of every family.
    ///
    /// # Errors
    /// Returns [`RemoteFault::NotSignedIn`], which affects all families. Other faults go into [`Listing::unlisted`].
    pub async fn list(&self) -> Result<Listing, RemoteFault> {
        use CollectionKind::{AddressBook, Calendar, Mailbox, TaskList};
        let mut listing = Listing::default();
        listing.add(Calendar, self.calendar.as_deref()).await?;
        listing.add(Mailbox, self.mail.as_deref()).await?;
        listing.add(TaskList, self.tasks.as_deref()).await?;
        listing.add(AddressBook, self.contacts.as_deref()).await?;
        Ok(listing)
    }

    /// Returns the stored collections that must be read. A family's collections are skipped only if the family confirms
    /// that they are all it has and that none changed; a family that does not answer confirms nothing.
    pub async fn to_read(&self, mut stored: Vec<Collection>) -> Vec<Collection> {
        use CollectionKind::{AddressBook, Calendar, Mailbox, TaskList};
        let unchanged = [
            (
                Calendar,
                is_unchanged(self.calendar.as_deref(), &stored, Calendar).await,
            ),
            (
                Mailbox,
                is_unchanged(self.mail.as_deref(), &stored, Mailbox).await,
            ),
            (
                TaskList,
                is_unchanged(self.tasks.as_deref(), &stored, TaskList).await,
            ),
            (
                AddressBook,
                is_unchanged(self.contacts.as_deref(), &stored, AddressBook).await,
            ),
        ];
        stored.retain(|one| !unchanged.contains(&(one.kind, true)));
        stored
    }

    /// Returns whether the account offers a family.
    #[must_use]
    pub fn offers(&self, kind: CollectionKind) -> bool {
        match kind {
            CollectionKind::Calendar => self.calendar.is_some(),
            CollectionKind::Mailbox => self.mail.is_some(),
            CollectionKind::TaskList => self.tasks.is_some(),
            CollectionKind::AddressBook => self.contacts.is_some(),
        }
    }

    /// Returns only the families that a listing covers.
    #[must_use]
    pub fn covered_by(&self, listing: &Listing) -> Self {
        let Self {
            calendar,
            mail,
            tasks,
            contacts,
        } = self.clone();
        Self {
            calendar: calendar.filter(|_| listing.covers(CollectionKind::Calendar)),
            mail: mail.filter(|_| listing.covers(CollectionKind::Mailbox)),
            tasks: tasks.filter(|_| listing.covers(CollectionKind::TaskList)),
            contacts: contacts.filter(|_| listing.covers(CollectionKind::AddressBook)),
        }
    }
}

/// Why an account was not read completely.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotRead {
    /// A collection of this kind could not be read.
    #[error("{1}")]
    Collection(CollectionKind, PullFault),
    /// Stored data of the account could not be read or written.
    #[error("{0}")]
    Store(#[from] StoreFault),
}

async fn is_unchanged<Op>(
    family: Option<&(impl Backend<Op> + ?Sized)>,
    stored: &[Collection],
    kind: CollectionKind,
) -> bool {
    let own: Vec<Collection> = stored
        .iter()
        .filter(|one| one.kind == kind)
        .cloned()
        .collect();
    match family {
        Some(family) if !own.is_empty() => family.is_unchanged(&own).await.unwrap_or(false),
        _ => false,
    }
}
