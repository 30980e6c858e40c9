//! A transaction of the writer, and what it touches.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Deref;

use adjutant_domain::record::Kind;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::fault::Result;

/// What a commit touched, so that views know what to read again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Topic {
    /// Records of a kind.
    Records(Kind),
    /// Conversations, messages or turns.
    Conversations,
    /// Actions that wait or waited for approval.
    Actions,
    /// The activity log.
    Effects,
    /// Settings.
    Settings,
    /// The ledger of what left the machine.
    Egress,
    /// What was brought in from files.
    Imports,
    /// Calls to models and what they cost.
    Calls,
    /// What is due later or takes long.
    Jobs,
    /// Accounts and collections.
    Accounts,
    /// Servers of tools.
    Servers,
    /// Research.
    Research,
}

impl Topic {
    /// Every one of them.
    pub(crate) fn all() -> BTreeSet<Self> {
        use Topic::{
            Accounts, Actions, Calls, Conversations, Effects, Egress, Imports, Jobs, Research,
            Servers, Settings,
        };
        Kind::ALL
            .into_iter()
            .map(Self::Records)
            .chain([
                Conversations,
                Actions,
                Effects,
                Settings,
                Egress,
                Imports,
                Calls,
                Jobs,
                Accounts,
                Servers,
                Research,
            ])
            .collect()
    }
}

/// A transaction of the writer; reads as a connection.
pub(crate) struct Tx<'conn> {
    inner: Transaction<'conn>,
    topics: RefCell<BTreeSet<Topic>>,
}

impl<'conn> Tx<'conn> {
    /// Begins an immediate transaction: nobody else writes until it ends.
    pub(crate) fn begin(connection: &'conn mut Connection) -> Result<Self> {
        let behavior = TransactionBehavior::Immediate;
        Ok(Self {
            inner: connection.transaction_with_behavior(behavior)?,
            topics: RefCell::default(),
        })
    }

    /// Commits it; gives what it touched.
    pub(crate) fn commit(self) -> Result<BTreeSet<Topic>> {
        self.inner.commit()?;
        Ok(self.topics.into_inner())
    }

    /// Notes that listeners will have to be told.
    pub(crate) fn touch(&self, topic: Topic) {
        self.topics.borrow_mut().insert(topic);
    }
}

impl Deref for Tx<'_> {
    type Target = Connection;
    fn deref(&self) -> &Connection {
        &self.inner
    }
}
