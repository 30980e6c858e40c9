//! A transaction of the writer, and the topics it touches.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Deref;

use adjutant_domain::record::Kind;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::fault::Result;

/// A kind of data that a commit touched, so that views know what to read again.
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
    /// The ledger of what left this computer.
    Egress,
    /// The list of imports.
    Imports,
    /// Calls to models and their cost.
    Calls,
    /// Jobs.
    Jobs,
    /// Accounts and collections.
    Accounts,
    /// Tool servers.
    Servers,
    /// Research runs.
    Research,
}

impl Topic {
    /// Returns every topic.
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

/// A transaction of the writer; dereferences to its connection.
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

    /// Commits the transaction and returns the topics it touched.
    pub(crate) fn commit(self) -> Result<BTreeSet<Topic>> {
        self.inner.commit()?;
        Ok(self.topics.into_inner())
    }

    /// Marks a topic as touched, so that listeners are told of it.
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
