//! Mails of accounts of which only the beginning is here: where the rest is fetched from, and how it is kept. What was
//! fetched can be fetched again, so that only so much of it is kept.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::{AccountId, RecordId};
use adjutant_domain::operation::MailRef;
use adjutant_domain::record::{Kind, Mail, Record};
use jiff::Timestamp;
use rusqlite::Connection;

use crate::fault::{Fault, Result};
use crate::rows;
use crate::store::Store;
use crate::tables::{collections, mail, origins};

impl Store {
    /// Where the rest of a mail can be fetched: its places in accounts, the one that is shown first. Empty where all of it
    /// is here, and where no account has it.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] when there is no such mail.
    pub async fn rest_of_mail(
        &self,
        id: RecordId,
    ) -> std::result::Result<Vec<(AccountId, MailRef)>, StoreFault> {
        self.read(move |connection| {
            let Some(Record::Mail(mail)) = rows::get_record(connection, Kind::Mail, &id)? else {
                return Err(Fault::missing(format!("the mail {id}")));
            };
            match mail::has_source(connection, &id)? {
                true => Ok(Vec::new()),
                false => places(connection, &mail),
            }
        })
        .await
    }

    /// The mails of these Message-IDs that are here, each beside its own.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn mails_called(
        &self,
        message_ids: Vec<String>,
    ) -> std::result::Result<BTreeMap<String, RecordId>, StoreFault> {
        self.read(move |connection| {
            let mut found = BTreeMap::new();
            for message_id in message_ids {
                if let Some(id) = mail::called(connection, &message_id)? {
                    found.insert(message_id, id);
                }
            }
            Ok(found)
        })
        .await
    }

    /// Which of these mails lie in an account and are here with their beginning alone.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn mails_in_part(
        &self,
        ids: Vec<RecordId>,
    ) -> std::result::Result<BTreeSet<RecordId>, StoreFault> {
        self.read(move |connection| {
            let mut found = BTreeSet::new();
            for id in ids {
                let is_whole = mail::has_source(connection, &id)?;
                if !is_whole && !origins::of_record(connection, &id)?.is_empty() {
                    found.insert(id);
                }
            }
            Ok(found)
        })
        .await
    }

    /// Keeps what was fetched of a mail: its source, with the text and the attached files that it has. Of everything that
    /// was fetched so, at most `bytes_max` are kept beside it; what was fetched first goes first.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] when the mail is gone.
    pub async fn keep_fetched(
        &self,
        id: RecordId,
        whole: Mail,
        source: Vec<u8>,
        at: Timestamp,
        bytes_max: u64,
    ) -> std::result::Result<(), StoreFault> {
        self.write("keep_fetched", move |tx| {
            let before = rows::get_record(tx, Kind::Mail, &id)?;
            let Some(Record::Mail(before)) = before else {
                return Err(Fault::missing(format!("the mail {id}")));
            };
            // A card that waits is about the same mail: there is more of it here, and it says nothing else.
            let version = before.version;
            let row = Mail {
                text: whole.text,
                attachments: whole.attachments,
                ..before
            };
            let pk = rows::put_record(tx, &Record::Mail(row), version)?;
            mail::make_room(tx, bytes_max)?;
            mail::keep_fetched(tx, pk, &source, at)
        })
        .await
    }
}

fn places(connection: &Connection, mail: &Mail) -> Result<Vec<(AccountId, MailRef)>> {
    let mut found = Vec::new();
    for placed in origins::of_record(connection, &mail.id)? {
        let origin = placed.origin;
        let collection = collections::get(connection, &origin.collection)?;
        let Some(collection) = collection.and_then(|one| one.named()) else {
            continue;
        };
        let named = MailRef {
            collection,
            uid_validity: origin.uid_validity,
            remote_id: origin.remote_id,
            message_id: mail.message_id.clone(),
        };
        found.push((origin.account, named));
    }
    Ok(found)
}
