//! Synchronises drafts with the accounts that support them. A draft written here goes to the account that would send
//! it; nobody else sees it there.

use std::collections::BTreeMap;

use adjutant_accounts::drafts::{
    DraftText, Linked, ProviderDraft, Sides, Step, There, message_id, new_row, only_reading, plan,
};
use adjutant_domain::account::{Account, AccountState, CollectionKind};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::{AccountId, RecordId, RemoteId};
use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::{Backends, DRAFTS_MAX, DraftBackend, Records as _};
use adjutant_domain::record::{Kind, OutboxItem};
use adjutant_store::{DraftHere, DraftLink, Topic};
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;

use super::{Accounts, NotAsked};

/// Both sides of the comparison and the texts behind them.
struct Compared {
    sides: Sides,
    here: BTreeMap<RecordId, OutboxItem>,
    read: BTreeMap<RemoteId, ProviderDraft>,
    links: Vec<DraftLink>,
}

impl Accounts {
    /// Synchronises the drafts of an account as far as each side allows.
    pub(super) async fn sync_drafts(
        &self,
        id: &AccountId,
        backends: &Backends,
    ) -> Result<(), NotAsked> {
        let mail = backends.mail.as_ref();
        let Some(there) = mail.and_then(|mail| mail.drafts()) else {
            return Ok(());
        };
        let accounts = self.store().accounts().await?;
        let Some(account) = accounts.iter().find(|one| one.id == *id) else {
            return Ok(());
        };
        let names = there.drafts().await?;
        let compared = self.compare(account, &accounts, there, names).await?;
        let mut steps = plan(&compared.sides);
        if !there.is_writable() {
            steps = only_reading(steps);
        }
        for step in steps {
            match self.take_step(account, there, &compared, step).await {
                // The draft was changed or sent here in the meantime; the next reading handles it.
                Err(NotAsked::Store(StoreFault::Conflict { .. })) => {}
                taken => taken?,
            }
        }
        Ok(())
    }

    async fn compare(
        &self,
        account: &Account,
        accounts: &[Account],
        there: &dyn DraftBackend,
        names: Option<Vec<RemoteId>>,
    ) -> Result<Compared, NotAsked> {
        let (here, mut links) = self.store().drafts_of(account.id.clone()).await?;
        if names.is_none() {
            // The drafts mailbox is gone, which says nothing about single drafts.
            for link in links.drain(..) {
                let store = self.store();
                store.unlink_draft(account.id.clone(), link.remote).await?;
            }
        }
        let names = names.unwrap_or_default();
        let usual = self.usual_account(accounts).await?;
        let is_linked = |id: &RecordId| links.iter().any(|link| link.record.as_ref() == Some(id));
        let belongs = |one: &DraftHere| {
            is_linked(&one.item.id)
                || one.answers_in.as_ref().or(usual.as_ref()) == Some(&account.id)
        };
        let here: BTreeMap<RecordId, OutboxItem> = here
            .into_iter()
            .filter(belongs)
            .map(|one| (one.item.id.clone(), one.item))
            .collect();
        let unknown = names
            .iter()
            .filter(|name| !links.iter().any(|one| one.remote == **name));
        let unknown: Vec<&RemoteId> = unknown.rev().take(DRAFTS_MAX).collect();
        let (mut read, mut order) = (BTreeMap::new(), Vec::new());
        for name in unknown.into_iter().rev() {
            let one = match there.draft(name).await {
                Ok(source) => DraftText::read(&source),
                Err(RemoteFault::Gone) => continue,
                Err(RemoteFault::Refused { .. }) => ProviderDraft::default(),
                Err(fault) => return Err(fault.into()),
            };
            order.push(There {
                remote: name.clone(),
                message_id: one.message_id.clone(),
                digest: one.text.as_ref().map(DraftText::digest),
            });
            read.insert(name.clone(), one);
        }
        let digest =
            |(id, item): (&RecordId, &OutboxItem)| (id.clone(), DraftText::of(item).digest());
        let linked = links.iter().filter_map(|link| {
            Some(Linked {
                record: link.record.clone()?,
                remote: link.remote.clone(),
                message_id: link.message_id.clone(),
                base: link.base.clone(),
            })
        });
        let sides = Sides {
            here: here.iter().map(digest).collect(),
            linked: linked.collect(),
            names,
            read: order,
        };
        Ok(Compared {
            sides,
            here,
            read,
            links,
        })
    }

    /// Returns the account that sends new mail: the account with mail that owns the first matching address of the
    /// person.
    async fn usual_account(&self, accounts: &[Account]) -> Result<Option<AccountId>, StoreFault> {
        let collections = self.store().collections().await?;
        let has_mail = |account: &Account| {
            let mut of_it = collections.iter().filter(|one| one.account == account.id);
            of_it.any(|one| one.kind == CollectionKind::Mailbox)
        };
        let own = self.state().own_addresses.clone();
        let sends = |email: &String| accounts.iter().find(|one| one.owns(email) && has_mail(one));
        Ok(own.iter().find_map(sends).map(|account| account.id.clone()))
    }

    async fn take_step(
        &self,
        account: &Account,
        there: &dyn DraftBackend,
        compared: &Compared,
        step: Step,
    ) -> Result<(), NotAsked> {
        let (store, id) = (self.store(), account.id.clone());
        match step {
            Step::Push { record, replaces } => {
                if let Some(item) = compared.here.get(&record) {
                    self.push(account, there, compared, item, replaces).await?;
                }
            }
            Step::Drop { remote } => {
                there.drop_draft(&remote).await?;
                store.unlink_draft(id, remote).await?;
            }
            Step::Take { remote, into } => self.take(account, compared, remote, into).await?,
            Step::Remove { record } => {
                let link = compared
                    .links
                    .iter()
                    .find(|one| one.record.as_ref() == Some(&record));
                if let (Some(item), Some(link)) = (compared.here.get(&record), link) {
                    let remote = link.remote.clone();
                    store.remove_draft(id, record, item.version, remote).await?;
                }
            }
            Step::Link { record, remote } => {
                let link = compared.link(&remote, Some(record));
                store.link_draft(id, link, None).await?;
            }
            Step::Unlink { remote } => store.unlink_draft(id, remote).await?,
            Step::Pass { remote } => {
                let link = compared.link(&remote, None);
                store.link_draft(id, link, None).await?;
            }
        }
        Ok(())
    }

    async fn push(
        &self,
        account: &Account,
        there: &dyn DraftBackend,
        compared: &Compared,
        item: &OutboxItem,
        replaces: Option<RemoteId>,
    ) -> Result<(), NotAsked> {
        let Some(from) = account.addresses.first() else {
            return Ok(());
        };
        let old = compared
            .links
            .iter()
            .find(|link| Some(&link.remote) == replaces.as_ref());
        let message_id = match old {
            Some(link) if !link.message_id.is_empty() => link.message_id.clone(),
            _ => message_id(item, from),
        };
        let text = DraftText::of(item);
        let written = text.write(&message_id, from, item.updated);
        let mime = written.map_err(|error| RemoteFault::Refused {
            what: format!("a draft could not be written: {error}"),
        })?;
        let remote = there.put_draft(&mime, replaces.as_ref()).await?;
        let link = DraftLink {
            remote,
            message_id,
            record: Some(item.id.clone()),
            base: text.digest(),
        };
        let (store, id) = (self.store(), account.id.clone());
        Ok(store.link_draft(id, link, replaces).await?)
    }

    async fn take(
        &self,
        account: &Account,
        compared: &Compared,
        remote: RemoteId,
        into: Option<RecordId>,
    ) -> Result<(), NotAsked> {
        let text = compared
            .read
            .get(&remote)
            .and_then(|read| read.text.clone());
        let Some(text) = text else {
            return Ok(());
        };
        let now = self.0.deps.clock.now().timestamp();
        let row = into.and_then(|id| compared.here.get(&id).cloned());
        let item = text.into_row(row.unwrap_or_else(|| new_row(now)), now);
        let link = compared.link(&remote, None);
        let (store, id) = (self.store(), account.id.clone());
        Ok(store.take_draft(id, item, link).await?)
    }

    /// Until `stop`, schedules a reading of accounts whose drafts changed on this computer.
    pub(crate) async fn follow_drafts(&self, stop: CancellationToken) {
        let mut changes = self.store().subscribe();
        loop {
            let touched = tokio::select! {
                () = stop.cancelled() => return,
                told = changes.recv() => match told {
                    Ok(topics) => topics.contains(&Topic::Records(Kind::Outbox)),
                    Err(RecvError::Lagged(_)) => true,
                    Err(RecvError::Closed) => return,
                },
            };
            if !touched {
                continue;
            }
            let waits = tokio::select! {
                () = stop.cancelled() => return,
                waits = self.read_for_drafts() => waits,
            };
            if let Err(fault) = waits {
                tracing::warn!(%fault, "changed drafts wait until their account is read the next time");
            }
        }
    }

    /// Schedules a reading of every account whose drafts differ from those on this computer.
    async fn read_for_drafts(&self) -> Result<(), NotAsked> {
        let accounts = self.store().accounts().await?;
        let usual = self.usual_account(&accounts).await?;
        for account in &accounts {
            if account.id.is_local() || account.state != AccountState::Ready {
                continue;
            }
            let (here, links) = self.store().drafts_of(account.id.clone()).await?;
            let link_of = |id: &RecordId| links.iter().find(|one| one.record.as_ref() == Some(id));
            let differs = |one: &DraftHere| match link_of(&one.item.id) {
                Some(link) => DraftText::of(&one.item).digest() != link.base,
                None => one.answers_in.as_ref().or(usual.as_ref()) == Some(&account.id),
            };
            let is_here = |id: &RecordId| here.iter().any(|one| one.item.id == *id);
            let went = |link: &DraftLink| link.record.as_ref().is_some_and(|id| !is_here(id));
            if here.iter().any(differs) || links.iter().any(went) {
                self.read_soon(account).await?;
            }
        }
        Ok(())
    }
}

impl Compared {
    /// Returns the link to store for a draft that was read.
    fn link(&self, remote: &RemoteId, record: Option<RecordId>) -> DraftLink {
        let read = self.read.get(remote);
        let text = read.and_then(|read| read.text.as_ref());
        DraftLink {
            remote: remote.clone(),
            message_id: read.map(|read| read.message_id.clone()).unwrap_or_default(),
            record,
            base: text.map(DraftText::digest).unwrap_or_default(),
        }
    }
}
