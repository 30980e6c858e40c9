//! What the families of an account hold, asked family by family: the failure of one holds up no other.

use super::provider::{Backend, Backends, PullFault, RemoteCollection};
use crate::account::{Collection, CollectionKind};
use crate::faults::StoreFault;
use crate::operation::RemoteFault;

/// The collections of an account, as far as its families could be listed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// Those of the families that could be listed.
    pub collections: Vec<RemoteCollection>,
    /// Families that could not be listed, and why: what they hold may be there as before.
    pub unlisted: Vec<(CollectionKind, RemoteFault)>,
}

impl Listing {
    /// Whether a collection of this kind is gone where it is not listed.
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
            // Whoever refuses a sign-in once refuses it again, and may lock the account.
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
    /// [`RemoteFault::NotSignedIn`], which holds for all families. Other faults stand in [`Listing::unlisted`].
    pub async fn list(&self) -> Result<Listing, RemoteFault> {
        use CollectionKind::{AddressBook, Calendar, Mailbox, TaskList};
        let mut listing = Listing::default();
        listing.add(Calendar, self.calendar.as_deref()).await?;
        listing.add(Mailbox, self.mail.as_deref()).await?;
        listing.add(TaskList, self.tasks.as_deref()).await?;
        listing.add(AddressBook, self.contacts.as_deref()).await?;
        Ok(listing)
    }

    /// Those of the stored collections that have to be read: all of a family, unless it says that they are all there are
    /// and that nothing changed since. A family that does not answer says nothing.
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

    /// Whether the account has a family.
    #[must_use]
    pub fn offers(&self, kind: CollectionKind) -> bool {
        match kind {
            CollectionKind::Calendar => self.calendar.is_some(),
            CollectionKind::Mailbox => self.mail.is_some(),
            CollectionKind::TaskList => self.tasks.is_some(),
            CollectionKind::AddressBook => self.contacts.is_some(),
        }
    }

    /// The families that a listing covers.
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

/// Why an account was not read to its end.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotRead {
    /// A collection of this kind was not read.
    #[error("{1}")]
    Collection(CollectionKind, PullFault),
    /// What is stored of the account could not be read or written.
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
